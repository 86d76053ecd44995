package main

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

func TestSpreadIsQuartilesAndMedian(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		want    spread
	}{
		{[]float64{7}, spread{7, 7, 7}},
		{[]float64{4, 1}, spread{1.75, 2.5, 3.25}},
		{[]float64{9, 1, 5, 3, 7}, spread{3, 5, 7}},
	} {
		if got := spreadOf(c.seconds); got != c.want {
			t.Errorf("spread of %v is %v, want %v", c.seconds, got, c.want)
		}
	}
	if got := spreadOf(nil); !math.IsNaN(got.Median) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestBoundsCountBytesWithoutReuse(t *testing.T) {
	for _, p := range programs() {
		want := map[string]int64{ // of 10 vertices and 100 edges
			"gcn": 4*100*(1+64) + 4*10*64,
			"gat": 100 * (4 + 4*8 + 4*64),
			"sum": 4*100*(2+64) + 4*10*64,
		}[p.name]
		if got := p.bytes(10, 100); got != want {
			t.Errorf("%s: %d bytes, want %d", p.name, got, want)
		}
	}
}

// measured is a case with times in the order of systems.
func measured(name string, p pass, times map[string]float64) *result {
	r := &result{Case: name, Pass: p, Graph: "rmat200k"}
	for _, s := range []string{ours, oursGraph, "pyg", "pyg graph", "gather"} {
		if x := times[s]; x > 0 {
			r.Entries = append(r.Entries, &entry{System: s, spread: spread{x, x, x}})
		}
	}
	return r
}

func TestVerdictsHoldTheFastestAgainstTheFastest(t *testing.T) {
	for _, c := range []struct {
		r    *result
		want string
	}{
		{measured("gat", epoch, map[string]float64{ours: 1, "pyg": 3}), "gat epoch, rmat200k: times as fast as PyTorch Geometric 3 yes"},
		{measured("gat", epoch, map[string]float64{ours: 1, "pyg": 4, "pyg graph": 2}), "gat epoch, rmat200k: times as fast as PyTorch Geometric 2 NO"},
		{measured("gcn", epoch, map[string]float64{ours: 4, oursGraph: 2, "pyg": 3}), "gcn epoch, rmat200k: times as fast as PyTorch Geometric 1.5 yes"},
		{measured("gcn", epoch, map[string]float64{ours: 1, "gather": 9}), ""},
		{measured("rgcn full", epoch, map[string]float64{ours: 1, "pyg": 9}), ""},
		{measured("gat", forward, map[string]float64{ours: 1, "pyg": 9}), ""},
	} {
		var got []string
		for _, v := range c.r.verdicts() {
			got = append(got, v.What+" "+harness.Number(v.Value)+" "+harness.YesNo(v.Met))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("got %q, want %q", text, c.want)
		}
	}
	r := measured("rgcn full", epoch, map[string]float64{ours: 1, "pyg": 9})
	r.Entries[0].Peak, r.Entries[1].Peak = 30, 100
	if v := r.verdicts(); len(v) != 1 || v[0].Value != 0.3 || v[0].Met {
		t.Errorf("memory: %+v", v)
	}
	r = measured("gat", kernel, map[string]float64{ours: 2})
	r.Bytes = 150
	r.judge(100) // bytes a second: 1.5 s at best
	if v := r.verdicts(); len(v) != 1 || v[0].Value != 0.75 || !v[0].Met {
		t.Errorf("bound: %+v", v)
	}
}

func TestThePageHasEveryCaseAndWhyOthersAreMissing(t *testing.T) {
	r := measured("gat", epoch, map[string]float64{ours: 0.001, "pyg": 0.004})
	r.Entries[1].Ratio = 4
	r.Entries = append(r.Entries, &entry{System: "gather", Status: "error: a|b\nc"})
	broken := &result{Case: "gcn", Pass: kernel, Graph: "tiny", Error: "out of memory"}
	var page bytes.Buffer
	if err := writePage(&page, header{Device: "cuda:0 GPU", Copy: 2e12}, []*result{r, broken}, []string{"late"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"cuda:0 GPU", "2 000 GB/s", "| gat | rmat200k | asterias | 1 ms [1 ms, 1 ms] |", "| pyg | 4 ms [4 ms, 4 ms] | 4.00× |",
		"| gather | error: a/b c |", "| gcn | tiny | asterias | out of memory |", "| 4.00 | 3 | yes |", "- late",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is missing in\n%s", want, page.String())
		}
	}
	if strings.Contains(page.String(), "Emulated") {
		t.Error("it is not emulated")
	}
	if err := writePage(full{}, header{}, nil, nil); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestGradientsThatJumpAreComparedAsAWhole(t *testing.T) {
	of := func(jumps bool, p pass) *task { return &task{pass: p, family: family{jumps: jumps}} }
	want := make([]float32, 10_000)
	for i := range want {
		want[i] = 1
	}
	few, many := slices.Clone(want), slices.Clone(want)
	few[7] = 1.5
	for i := range 100 {
		many[i] = 2
	}
	nan := slices.Clone(want)
	nan[3] = float32(math.NaN())
	for _, c := range []struct {
		what string
		t    *task
		got  []float32
		same bool
	}{
		{"a few that jump", of(true, backward), few, true},
		{"many that jump", of(true, backward), many, false},
		{"NaN among those that jump", of(true, backward), nan, false},
		{"too few that jump", of(true, backward), few[1:], false},
		{"results", of(true, forward), few, false},
		{"others", of(false, backward), few, false},
	} {
		if err := c.t.agree(c.got, want); (err == nil) != c.same {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
