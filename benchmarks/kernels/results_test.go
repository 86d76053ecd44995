package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func peers(speedups ...float64) (all []*peerResult) {
	for i, s := range speedups {
		all = append(all, &peerResult{Form: allForms[i], Seconds: s / 100, Speedup: s})
	}
	return all
}

func sample() *report {
	failed := append(peers(4, 3), &peerResult{Form: formDGL, Status: "error: RuntimeError: no memory"}, &peerResult{Form: formPyG, Status: "not installed"})
	return &report{
		Machine: harness.Machine{CPU: "Example 9000 (family 6, model 1)", Cores: 8, OS: "linux/amd64", Go: "go1.26", Kernels: "avx2", HugePages: "madvise"},
		Peers:   map[string]string{"csr gather": "2.0", "dgl": "not installed: no such file"},
		Timing:  map[string]string{"rounds": "7", "sample": "50ms", "settle": "40ms", "budget": "30s"},
		Results: []*result{
			{Program: "gcn forward", Graph: "star", Width: 16, Threads: 1, Ours: 0.01, Roofline: 0.2, Peers: peers(8, 9)},
			{Program: "gcn forward", Graph: "star", Width: 64, Threads: 1, Ours: 0.01, Roofline: 0.8, Peers: failed},
			{Program: "gcn forward", Graph: "star", Width: 128, Threads: 1, Ours: 0.02, Roofline: 0.76, Peers: peers(9, 3), Disturbed: true, Load: 1.2},
			{Program: "gat forward", Graph: "star", Width: 128, Threads: 1, Ours: 0.02, Roofline: 0.7, Peers: peers(1.4)},
			{Program: "gat forward", Graph: "physics", Width: 128, Threads: 1, Ours: 0.02, Roofline: 0.9, Peers: peers(100)},
			{Program: "gat forward", Graph: "star", Width: 128, Threads: 2, Ours: 0.01, Roofline: 0.9},
			{Program: "gat backward", Graph: "star", Width: 64, Threads: 1, Ours: 0.03, Roofline: 0.5},
		},
		Bounds: []bound{
			{"compile gcn forward", 1, "ms", 0.5, 20},
			{"memory, ours", 1, "MB of tensors", 1234.5, -1},
			{"memory", 1, "ours / gather", 0.2, 0.125},
		},
		Notes: []string{"physics, 2 threads: left out: needs -data"},
	}
}

func TestSummariseJudgesMeansWorstCasesAndRooflines(t *testing.T) {
	type judged struct {
		speedup, worst, stock, weakest, roofline float64
		met, metByStock, near                    string
	}
	want := map[string]judged{
		"gcn forward":  {math.Cbrt(8 * 3 * 3), 3, math.Cbrt(8 * 4 * 9), 4, 0.76, "yes", "yes", "yes"},
		"gat forward":  {math.Sqrt(1.4 * 100), 1.4, math.Sqrt(1.4 * 100), 1.4, 0.7, "NO", "NO", "NO"}, // the worst case is below 1.5
		"gat backward": {math.NaN(), 0, math.NaN(), math.Inf(1), 0.5, "", "", "yes"},
	}
	same := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 || math.IsNaN(x) && math.IsNaN(y) }
	all := summarise(sample().Results, []int{1})
	if len(all) != len(want) {
		t.Fatalf("%d summaries", len(all))
	}
	for _, s := range all {
		w, got := want[s.program.title()], judged{s.speedup, 0, s.stock, s.weakest, s.roofline, "", s.program.verdict(s.stock, s.weakest), s.rooflineVerdict()}
		if s.worst != nil {
			got.worst = s.worst.best().Speedup
		}
		got.met = s.program.verdict(got.speedup, got.worst)
		if !same(got.speedup, w.speedup) || got.worst != w.worst || !same(got.stock, w.stock) || got.weakest != w.weakest ||
			!same(got.roofline, w.roofline) || got.met != w.met || got.metByStock != w.metByStock || got.near != w.near {
			t.Errorf("%s: got %+v, want %+v", s.program.title(), got, w)
		}
	}
	if two := summarise(sample().Results, []int{2}); len(two) != 1 || two[0].program.verdict(two[0].speedup, 0) != "" || two[0].rooflineVerdict() != "yes" {
		t.Errorf("with 2 threads: %+v", two)
	}
}

func TestBestIsTheFastestFormThatWasTimed(t *testing.T) {
	r := &result{Peers: append(peers(5, 4, 6), &peerResult{Form: formDGL, Status: "error: x"})}
	if best := r.best(); best == nil || best.Form != allForms[1] {
		t.Errorf("best is %+v", best)
	}
	if (&result{}).best() != nil {
		t.Error("nobody is best")
	}
}

func TestStockFormsAreThoseThatPeersHaveThemselves(t *testing.T) {
	r := &result{Peers: []*peerResult{
		{Form: formSplit, Seconds: 1, Speedup: 1}, {Form: formCSROwn, Seconds: 2, Speedup: 2},
		{Form: formDGL, Seconds: 4, Speedup: 4}, {Form: formDGLOwn, Seconds: 3, Speedup: 3}, {Form: formGather, Seconds: 5, Speedup: 5},
	}}
	if best, stock := r.best(), r.bestStock(); best.Form != formSplit || stock == nil || stock.Form != formDGL {
		t.Errorf("best is %+v, of stock forms %+v", best, stock)
	}
}

func TestTablesAreAlignedText(t *testing.T) {
	r := sample()
	var text bytes.Buffer
	for _, err := range []error{r.writeHeader(&text), line(&text), writeResults(&text, r.Results), line(&text), r.writeSummary(&text, []int{1, 2})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", text.Bytes(), want)
	}
}

func TestReportsOfSeveralRunsAreJoined(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	for _, path := range []string{a, b} {
		if err := sample().save(path); err != nil {
			t.Fatal(err)
		}
	}
	r, err := loadReports([]string{a, b})
	if err != nil || len(r.Results) != 2*len(sample().Results) || len(r.Bounds) != 6 || len(r.Notes) != 2 {
		t.Errorf("error %v, report %+v", err, r)
	}
	if _, err := loadReports([]string{filepath.Join(dir, "none.json")}); err == nil {
		t.Error("a missing file is no error")
	}
	another := sample()
	another.Machine.CPU = "another"
	if err := another.save(b); err != nil {
		t.Fatal(err)
	}
	if _, err := loadReports([]string{a, b}); err == nil || !strings.Contains(err.Error(), "another machine") {
		t.Errorf("reports of two machines are joined: %v", err)
	}
}
