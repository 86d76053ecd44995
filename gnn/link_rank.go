package gnn

// The place of the right answer among all, and the metrics made of it.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Ranks returns, for each row of scores [queries N], the rank of the vertex
// answers[i] among all, 1 being the best. Ties count by their mean: with g larger
// scores and e other equal ones it is 1 + g + e/2, neither the best nor the worst of
// the places that sorting might give, so that a model that scores all alike has no
// good rank. NaN never helps: an answer's is behind all numbers, that of another
// vertex counts as larger, two are equal.
//
// known gives other right answers of a query, ascending, which are left out: the
// filtered setting of Bordes et al. (2013). The answer itself may be among them, and
// one may be given twice; nil leaves out nothing. Descending ones are misuse.
func Ranks(scores *autograd.Var, answers []int32, known func(query int) []int32) []float64 {
	return ranksAmong("Ranks", scores, answers, known, nil)
}

// ranksAmong is Ranks among the vertices that among says, if it is not nil.
func ranksAmong(op string, scores *autograd.Var, answers []int32, known func(query int) []int32, among []bool) []float64 {
	wantScores(op, scores)
	s := scores.Shape()
	if len(s) != 2 || s[0] != len(answers) {
		misuse(op, "scores of shape %v and %d answers; want a row for each answer", s, len(answers))
	}
	for i, a := range answers {
		if uint(a) >= uint(s[1]) {
			misuse(op, "answer %d is vertex %d, outside [0, %d)", i, a, s[1])
		}
		if among != nil && !among[a] {
			misuse(op, "answer %d is vertex %d, which is none of the allowed ones", i, a)
		}
	}
	t := scores.Tensor().ToDevice(tensor.CPU).Contiguous()
	if t.DType() == tensor.Float32 {
		return ranks(op, tensor.Data[float32](t), s[1], answers, known, among)
	}
	return ranks(op, tensor.Data[float64](t), s[1], answers, known, among)
}

func ranks[T tensor.Float](op string, scores []T, n int, answers []int32, known func(query int) []int32, among []bool) []float64 {
	out := make([]float64, len(answers))
	for i, answer := range answers {
		row := scores[i*n:][:n]
		var count places
		for v, x := range row {
			if among == nil || among[v] {
				count.add(place(x, row[answer]), 1)
			}
		}
		if known != nil {
			others := known(i)
			for k, v := range others {
				again := k > 0 && v == others[k-1]
				if k > 0 && v < others[k-1] {
					misuse(op, "the known answers of query %d are not ascending: %d after %d", i, v, others[k-1])
				}
				if v != answer && !again && uint(v) < uint(n) && (among == nil || among[v]) {
					count.add(place(row[v], row[answer]), -1)
				}
			}
		}
		count.equal-- // the answer itself
		out[i] = count.rank()
	}
	return out
}

// RankAmong is [Ranks] among false links that were sampled: of scores [queries] of
// the answers and [queries k] of the others.
func RankAmong(positive, negative *autograd.Var) []float64 {
	pairs("RankAmong", positive, negative) // checks the shapes
	answers, others := positive.Tensor().Float64s(), negative.Tensor().Float64s()
	out := make([]float64, len(answers))
	k := negative.Shape()[1]
	for i, answer := range answers {
		var count places
		for _, x := range others[i*k:][:k] {
			count.add(place(x, answer), 1)
		}
		out[i] = count.rank()
	}
	return out
}

// places counts scores that are larger than an answer's, and equal ones.
type places struct{ larger, equal int }

func (p *places) add(place, n int) {
	switch place {
	case 1:
		p.larger += n
	case 0:
		p.equal += n
	}
}

func (p places) rank() float64 { return 1 + float64(p.larger) + float64(p.equal)/2 }

// place is 1 if x is larger than the answer's score, 0 if it is equal, else -1. NaN
// of the answer is equal to NaN and smaller than all else.
func place[T tensor.Float](x, answer T) int {
	switch {
	case x > answer:
		return 1
	case x < answer:
		return -1
	case x == answer || x != x && answer != answer:
		return 0
	default: // one of them is NaN: either way the answer loses
		return 1
	}
}

// Ranking gathers ranks into metrics. It keeps sums, not ranks.
type Ranking struct {
	ks        []int
	hits      []int
	n         int
	ranks     float64 // sum
	reciprocs float64 // sum of 1/rank
}

// NewRanking returns a ranking that counts hits among the first k for the given k;
// for none, 1, 3 and 10.
func NewRanking(ks ...int) *Ranking {
	if len(ks) == 0 {
		ks = []int{1, 3, 10}
	}
	wantPositive("Ranking", ks...)
	return &Ranking{ks: slices.Clone(ks), hits: make([]int, len(ks))}
}

// Add takes the ranks of more answers. One that is not 1 or more panics with *[Error],
// and none of them is taken.
func (r *Ranking) Add(ranks ...float64) {
	for _, x := range ranks {
		if !(x >= 1) { // also false for NaN
			misuse("Ranking", "rank %v; want 1 or more", x)
		}
	}
	for _, x := range ranks {
		r.n++
		r.ranks += x
		r.reciprocs += 1 / x
		for i, k := range r.ks {
			if x <= float64(k) {
				r.hits[i]++
			}
		}
	}
}

// Count returns how many ranks there are.
func (r *Ranking) Count() int { return r.n }

// MRR returns the mean reciprocal rank; NaN of no ranks, as the others.
func (r *Ranking) MRR() float64 { return r.mean(r.reciprocs) }

// MeanRank returns the mean rank.
func (r *Ranking) MeanRank() float64 { return r.mean(r.ranks) }

// Hits returns the share of ranks that are at most k, one of those given to
// [NewRanking]. Others panic with *[Error].
func (r *Ranking) Hits(k int) float64 {
	i := slices.Index(r.ks, k)
	if i < 0 {
		misuse("Ranking", "hits among the first %d were not counted, but those of %v", k, r.ks)
	}
	return r.mean(float64(r.hits[i]))
}

// Metrics returns all of them by name: "mrr", "mean_rank", "hits@1" and so on.
func (r *Ranking) Metrics() map[string]float64 {
	m := map[string]float64{"mrr": r.MRR(), "mean_rank": r.MeanRank()}
	for _, k := range r.ks {
		m[fmt.Sprintf("hits@%d", k)] = r.Hits(k)
	}
	return m
}

func (r *Ranking) mean(sum float64) float64 { return sum / float64(r.n) } // NaN of none
