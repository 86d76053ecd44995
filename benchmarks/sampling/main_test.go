package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/data"
)

var (
	python    = flag.String("python", "python3", "Python interpreter for the test that needs PyTorch")
	dglPython = flag.String("dgl-python", "", "that of DGL; -python by default")
)

func TestParseRejectsWhatMakesNoSense(t *testing.T) {
	for args, want := range map[string]string{
		"-peers matlab":   `no "matlab"`,
		"-threads 0":      `"0" is no positive number`,
		"-fanouts 15,x":   `"x" is no positive number`,
		"-fanouts -1":     `"-1" is no positive number`,
		"-batch 0":        "must be positive",
		"-rounds 0":       "must be positive",
		"-sample 0s":      "must be positive",
		"dgl":             `unexpected argument "dgl"`,
		"-no-such-flag 1": "no-such-flag",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

func TestParseTakesListsApart(t *testing.T) {
	o, err := parse(strings.Fields("-peers dgl,numpy -fanouts 3,4,5 -threads 2 -python py"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(o.peers, " ") != "dgl numpy" || len(o.fanouts) != 3 || o.fanouts[2] != 5 || o.threads[0] != 2 || o.dglPython != "py" {
		t.Errorf("got %+v", o)
	}
}

// tiny are flags for a run that measures next to nothing.
const tiny = "-vertices 3000 -edges 30000 -batch 64 -fanouts 5,3 -rounds 1 -sample 1us -settle 0 -anyway"

func TestRunWithoutPeersWritesATableAndLinesOfJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	var out bytes.Buffer
	if err := run(append(strings.Fields(tiny), "-peers", "", "-json", file), &out); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"1 threads: ", "2 threads: ", "asterias", harness.ThisMachine("").CPU} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is missing in\n%s", text, out.String())
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want the machine and two results", len(lines))
	}
	for i, line := range lines[1:] {
		var r result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Form != formOurs || r.Threads != i+1 || r.Seconds <= 0 || r.Speedup != 1 || r.BatchEdges <= 0 || r.Batch != 64 {
			t.Errorf("%+v", r)
		}
	}
}

// tinyBench is a bench of a small graph.
func tinyBench(t *testing.T, flags string) *bench {
	o, err := parse(strings.Fields(tiny + " " + flags))
	if err != nil {
		t.Fatal(err)
	}
	o.Budget = time.Millisecond
	g, err := data.RMAT(data.RMATConfig{Vertices: o.vertices, Edges: o.edges, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{options: o, graph: g, threads: 1, peers: newPeers(o, 1)}
	t.Cleanup(b.close)
	return b
}

func TestAMissingPeerIsARow(t *testing.T) {
	b := tinyBench(t, "-peers dgl,numpy -python no-such-python")
	if v := b.peers[0].version(); !strings.Contains(v, "not installed: ") {
		t.Errorf("the version is %q", v)
	}
	results, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 {
		t.Fatalf("%d rows, want ours, dgl and numpy", len(results))
	}
	for _, r := range results[1:] {
		if r.Status != "not installed" || r.Seconds != 0 {
			t.Errorf("%+v", r)
		}
	}
	var out bytes.Buffer
	if err := writeResults(&out, results); err != nil || !strings.Contains(out.String(), "not installed") || strings.Contains(out.String(), "over DGL") {
		t.Errorf("error %v, table\n%s", err, out.String())
	}
}

func TestAPeerThatFailsIsARow(t *testing.T) {
	b := tinyBench(t, "")
	fine := harness.InProcess(func() {}, nil)
	failing := harness.Contender{Run: func(int) (time.Duration, error) { return 0, errors.New("out of memory") }}
	results := []result{{Form: formOurs}, {Form: formDGL}, {Form: formPyG}}
	if err := b.measure(results, []lane{{0, fine}, {1, failing}, {2, fine}}); err != nil {
		t.Fatal(err)
	}
	if results[1].Status != "error: out of memory" || results[0].Speedup != 1 || results[2].Speedup == 0 {
		t.Errorf("%+v", results)
	}
	if err := b.measure(results[:1], []lane{{0, failing}}); err == nil {
		t.Error("ours fails without an error")
	}
}

func TestTheFastestFormIsJudged(t *testing.T) {
	results := []result{
		{Form: formOurs, Seconds: 1, Speedup: 1},
		{Form: formDGL, Status: "error: gone"},
		{Form: formDGLUnfused, Seconds: 3, Speedup: 3},
		{Form: formDGLWorkers, Seconds: 0.5, Speedup: 0.5},
		{Form: formNumPy, Seconds: 12, Speedup: 12},
	}
	if best := fastest(results, targets[0].forms); best == nil || best.Form != formDGLWorkers {
		t.Errorf("the fastest of DGL is %+v", best)
	}
	var out bytes.Buffer
	if err := writeResults(&out, results); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"over DGL dgl-workers 0.50× at least 1.00×: NO", "over plain NumPy numpy 12.00× at least 10.00×: yes", "error: gone"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if strings.Contains(text, "over PyG") {
		t.Error("PyG is judged without having run")
	}
}

// TestPeersDrawAsMuch runs every peer that is there on a small graph.
func TestPeersDrawAsMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PyTorch")
	}
	other := *dglPython
	if other == "" {
		other = *python
	}
	b := tinyBench(t, "-python "+*python+" -dgl-python "+other)
	var missing *harness.NotInstalled
	if err := b.peers[1].running(); errors.As(err, &missing) {
		t.Skip(err)
	}
	results, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results[1:] {
		switch {
		case strings.HasSuffix(r.Status, "no DGL"), strings.HasSuffix(r.Status, "no PyTorch Geometric"), r.Status == "not installed",
			strings.Contains(r.Status, "requires either"): // PyG without a sampler
			t.Logf("%s: %s", r.Form, r.Status)
		case r.Status != "" || r.Seconds <= 0:
			t.Errorf("%+v", r)
		}
	}
}
