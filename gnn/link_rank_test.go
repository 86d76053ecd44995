package gnn_test

// Ranks and their metrics against sorting, and the evaluation against loops over
// everything.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// naiveRank sorts what is left, and returns the mean of the first and the last
// place at which the answer's score stands.
func naiveRank(row []float64, answer int, known []int32) float64 {
	var left []float64
	for v, x := range row {
		if v == answer || !slices.Contains(known, int32(v)) {
			left = append(left, x)
		}
	}
	slices.Sort(left)
	slices.Reverse(left)
	first := slices.Index(left, row[answer])
	last := first
	for last+1 < len(left) && left[last+1] == row[answer] {
		last++
	}
	return 1 + float64(first+last)/2
}

func TestRanksEqualSortingWithTies(t *testing.T) {
	const n, queries = 12, 200
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		for _, values := range []uint64{1, 2, 5, 1000} { // few values make many ties
			row := make([]float64, n*queries)
			answers := make([]int32, queries)
			known := make([][]int32, queries)
			for i := range row {
				row[i] = float64(rng.Hash(values, uint64(i))%values) - 2
			}
			for q := range answers {
				answers[q] = int32(rng.Hash(7, uint64(q)) % n)
				for v := range int32(n + 3) { // some that there are not
					if rng.Hash(uint64(q), uint64(v))%3 == 0 {
						known[q] = append(known[q], v)
					}
				}
			}
			scores := autograd.Constant(tensor.FromSlice(row, queries, n).To(dt))
			raw := gnn.Ranks(scores, answers, nil)
			filtered := gnn.Ranks(scores, answers, func(q int) []int32 { return known[q] })
			for q, a := range answers {
				r := row[q*n:][:n]
				if want := naiveRank(r, int(a), nil); raw[q] != want {
					t.Fatalf("rank %v, want %v of %d in %v", raw[q], want, a, r)
				}
				if want := naiveRank(r, int(a), known[q]); filtered[q] != want {
					t.Fatalf("filtered rank %v, want %v of %d in %v without %v", filtered[q], want, a, r, known[q])
				}
				rest := slices.Delete(slices.Clone(r), int(a), int(a)+1)
				among := gnn.RankAmong(
					autograd.Constant(tensor.FromSlice(r[a:a+1], 1)),
					autograd.Constant(tensor.FromSlice(rest, 1, n-1)))
				if among[0] != raw[q] {
					t.Fatalf("rank among the others %v, want %v", among[0], raw[q])
				}
			}
		}
	}
}

// One that is given twice is left out once.
func TestRanksLeaveOutWhatIsKnownOnce(t *testing.T) {
	scores := autograd.Constant(tensor.FromSlice([]float64{1, 3, 2, 0}, 1, 4))
	known := func(vs ...int32) func(int) []int32 { return func(int) []int32 { return vs } }
	if got := gnn.Ranks(scores, []int32{0}, known(1, 1, 1)); got[0] != 2 {
		t.Errorf("rank %v, want 2", got[0])
	}
	wantMisuses(t, map[string]func(){
		"gnn: Ranks: the known answers of query 0 are not ascending: 1 after 2": func() { gnn.Ranks(scores, []int32{0}, known(2, 1)) },
	})
}

func TestRankingTakesNoRankBelowOne(t *testing.T) {
	r := gnn.NewRanking()
	wantMisuses(t, map[string]func(){
		"gnn: Ranking: rank 0; want 1 or more":   func() { r.Add(1, 0) },
		"gnn: Ranking: rank NaN; want 1 or more": func() { r.Add(math.NaN()) },
		"gnn: Ranking: rank -2; want 1 or more":  func() { r.Add(-2) },
	})
	if r.Count() != 0 {
		t.Errorf("%d ranks were taken", r.Count())
	}
}

func TestNaNNeverHelps(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		row  []float64
		want float64 // of vertex 0
	}{
		{[]float64{1, nan, 0}, 2},
		{[]float64{nan, 1, 0}, 3},
		{[]float64{nan, nan, nan}, 2},
		{[]float64{nan, nan, -inf}, 2.5},
		{[]float64{inf, nan, inf}, 2.5},
		{[]float64{-inf, 1, -inf}, 2.5},
	} {
		got := gnn.Ranks(autograd.Constant(tensor.FromSlice(c.row, 1, 3)), []int32{0}, nil)
		if got[0] != c.want {
			t.Errorf("%v: rank %v, want %v", c.row, got[0], c.want)
		}
	}
}

func TestMetricsOfRanks(t *testing.T) {
	r := gnn.NewRanking(1, 2)
	if !math.IsNaN(r.MRR()) || !math.IsNaN(r.MeanRank()) || !math.IsNaN(r.Hits(1)) || r.Count() != 0 {
		t.Errorf("of no ranks: %v", r.Metrics())
	}
	r.Add(1, 2.5)
	r.Add()
	r.Add(2, 4)
	want := map[string]float64{"mrr": (1 + 1/2.5 + 0.5 + 0.25) / 4, "mean_rank": 9.5 / 4, "hits@1": 0.25, "hits@2": 0.5}
	got := r.Metrics()
	if len(got) != len(want) || r.Count() != 4 {
		t.Errorf("metrics %v of %d ranks", got, r.Count())
	}
	for name, x := range want {
		near(t, name, []float64{got[name]}, []float64{x}, 1e-15)
	}
	if m := gnn.NewRanking().Metrics(); len(m) != 5 {
		t.Errorf("metrics by default: %v", m)
	}
}

func TestKnownLinksAreFoundByTheirEnds(t *testing.T) {
	a, b := randomLinks(1, 300, 10, true), randomLinks(2, 100, 12, true)
	k := gnn.NewKnownLinks(a, b)
	for end := range int32(14) {
		for rel := range int32(linkRels + 1) {
			var tails, heads []int32
			for _, l := range []gnn.Links{a, b} {
				for i := range l.Src {
					if l.Rel[i] == rel && l.Src[i] == end {
						tails = append(tails, l.Dst[i])
					}
					if l.Rel[i] == rel && l.Dst[i] == end {
						heads = append(heads, l.Src[i])
					}
				}
			}
			slices.Sort(tails)
			slices.Sort(heads)
			if !slices.Equal(k.Tails(end, rel), slices.Compact(tails)) || !slices.Equal(k.Heads(rel, end), slices.Compact(heads)) {
				t.Errorf("vertex %d, relation %d: tails %v, heads %v", end, rel, k.Tails(end, rel), k.Heads(rel, end))
			}
		}
	}
	if none := gnn.NewKnownLinks(); none.Tails(0, 0) != nil || none.Heads(0, 0) != nil {
		t.Error("no links have ends")
	}
}

func TestEvaluationEqualsLoopsOverEverything(t *testing.T) {
	const n = 15
	for name, c := range decoderCases(tensor.Float64) {
		h := autograd.Variable(randn(tensor.Float64, 3, n, linkDim))
		known, test := randomLinks(1, 150, n, c.relations), randomLinks(5, 40, n, c.relations)
		for _, filtered := range []bool{false, true} {
			for _, tailsOnly := range []bool{false, true} {
				want := gnn.NewRanking(1, 4)
				tails, heads := rowsOf(c.ScoreTails(h, test)), rowsOf(c.ScoreHeads(h, test))
				for i := range test.Src {
					var knownTails, knownHeads []int32
					for _, l := range []gnn.Links{known, test} {
						for j := range l.Src {
							if filtered && (!c.relations || l.Rel[j] == test.Rel[i]) && l.Src[j] == test.Src[i] {
								knownTails = append(knownTails, l.Dst[j])
							}
							if filtered && (!c.relations || l.Rel[j] == test.Rel[i]) && l.Dst[j] == test.Dst[i] {
								knownHeads = append(knownHeads, l.Src[j])
							}
						}
					}
					want.Add(naiveRank(tails[i], int(test.Dst[i]), knownTails))
					if !tailsOnly {
						want.Add(naiveRank(heads[i], int(test.Src[i]), knownHeads))
					}
				}
				for _, batch := range []int{0, 1, 7, 40, 100} {
					cfg := gnn.LinkEval{TailsOnly: tailsOnly, Batch: batch, Ks: []int{1, 4}}
					if filtered {
						cfg.Known = gnn.NewKnownLinks(known, test)
					}
					got := gnn.EvaluateLinks(c, h, test, cfg)
					if got.Count() != want.Count() {
						t.Fatalf("%s: %d ranks, want %d", name, got.Count(), want.Count())
					}
					for metric, x := range want.Metrics() {
						near(t, name+" "+metric, []float64{got.Metrics()[metric]}, []float64{x}, 1e-12)
					}
				}
			}
		}
	}
}

func TestEvaluationOfNoLinks(t *testing.T) {
	h := autograd.Constant(tensor.Zeros(tensor.Float32, 0, linkDim))
	if r := gnn.EvaluateLinks(gnn.Dot{}, h, gnn.Links{}, gnn.LinkEval{}); r.Count() != 0 || !math.IsNaN(r.MRR()) {
		t.Errorf("%v", r.Metrics())
	}
}

// More queries take no more memory: there are the scores of one batch at a time.
func TestEvaluationHoldsTheScoresOfOneBatch(t *testing.T) {
	const n = 4000
	cases := decoderCases(tensor.Float32)
	for name, c := range cases {
		h := autograd.Variable(randn(tensor.Float32, 3, n, linkDim))
		peak := func(links int) int64 {
			tensor.TrimMemory()
			tensor.ResetPeakMemory()
			before := tensor.MemoryStats().Live
			gnn.EvaluateLinks(c, h, randomLinks(5, links, n, c.relations), gnn.LinkEval{Batch: 8})
			return tensor.MemoryStats().Peak - before
		}
		peak(8)
		if few, many := peak(16), peak(256); many > 2*few {
			t.Errorf("%s: %d bytes for 256 queries, %d for 16", name, many, few)
		}
	}
}
