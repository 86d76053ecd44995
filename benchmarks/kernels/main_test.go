package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
)

func TestParseRejectsWhatMakesNoSense(t *testing.T) {
	for args, want := range map[string]string{
		"-peers matlab":   `no "matlab"`,
		"-graphs cora":    `no "cora"`,
		"-threads 0":      `"0" is no positive number`,
		"-widths 16,x":    `"x" is no positive number`,
		"-widths 12":      "no multiple of 8",
		"-filter (":       "-filter",
		"-rounds 0":       "must be positive",
		"-sample 0s":      "must be positive",
		"gat":             `unexpected argument "gat"`,
		"-no-such-flag 1": "no-such-flag",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

func TestParseTakesListsApart(t *testing.T) {
	o, err := parse(strings.Fields("-peers csr,dgl -graphs star -widths 8,64 -threads 2 -memory 3 -python py"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(o.peers, " ") != "csr dgl" || len(o.graphs) != 1 || o.widths[1] != 64 || o.threads[0] != 2 || o.memoryLimit != 3<<30 || o.dglPython != "py" {
		t.Errorf("got %+v", o)
	}
}

// tiny is a bench that measures next to nothing, without peers.
func tiny(t *testing.T, flags string) *bench {
	o, err := parse(strings.Fields("-rounds 1 -sample 1us -settle 0 -anyway -widths 8 -threads 2 " + flags))
	if err != nil {
		t.Fatal(err)
	}
	o.Budget = time.Millisecond
	return &bench{opts: o, threads: 2}
}

// casesOf are the results of a bench on a graph.
func casesOf(b *bench, name string, g *graph.Graph, out io.Writer) (results []*result, err error) {
	err = b.cases(name, g, out, func(r *result) error { results = append(results, r); return nil })
	return results, err
}

func TestEveryProgramRunsWithoutPeers(t *testing.T) {
	g, err := star(20)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	results, err := casesOf(tiny(t, ""), "star", g, &out)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(programs()) {
		t.Errorf("%d results of %d programs", len(results), len(programs()))
	}
	for _, r := range results {
		if r.Ours <= 0 || r.Gather <= 0 || r.Roofline <= 0 || len(r.Peers) != 0 {
			t.Errorf("%+v", r)
		}
		if !strings.Contains(out.String(), r.Program) {
			t.Errorf("the table lacks %s", r.Program)
		}
	}
}

func TestFilterSelectsCases(t *testing.T) {
	g, err := star(20)
	if err != nil {
		t.Fatal(err)
	}
	results, err := casesOf(tiny(t, "-filter ^gat.forward/star/8$"), "star", g, new(bytes.Buffer))
	if err != nil || len(results) != 1 || results[0].Program != "gat forward" {
		t.Errorf("%v, error %v", results, err)
	}
}

func TestBoundsAreMeasured(t *testing.T) {
	b := tiny(t, "-peers=")
	var got []bound
	add := func(x bound) { got = append(got, x) }
	b.compileBounds(add)
	if err := b.runBounds(add); err != nil {
		t.Fatal(err)
	}
	g, err := star(2000)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.memoryBounds("star", g, 16, add, func(string) {}); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, x := range got {
		kinds[x.Quantity]++
		if !(x.Value > 0) && x.Quantity != "MB resident" { // memory may have been there already
			t.Errorf("%+v", x)
		}
	}
	if kinds["ms"] == 0 || kinds["µs"] == 0 || kinds["MB of tensors"] != 1 {
		t.Errorf("measured %v", kinds)
	}
}

func TestAMissingPeerIsACell(t *testing.T) {
	g, err := star(5)
	if err != nil {
		t.Fatal(err)
	}
	b := tiny(t, "-python no-such-python -filter gcn")
	b.peers = newPythonPeers(b.opts, 2)
	if v := b.peers[0].version(); !strings.Contains(v, "not installed: ") || !strings.Contains(v, "no-such-python") {
		t.Errorf("the version is %q", v)
	}
	results, err := casesOf(b, "star", g, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	if len(results[0].Peers) != len(gcnForms) || results[0].best() != nil {
		t.Errorf("%+v", results[0])
	}
	for _, p := range results[0].Peers {
		if p.Status != "not installed" {
			t.Errorf("%+v", p)
		}
	}
}

func TestGraphsOfDatasetsNeedAFolder(t *testing.T) {
	var r report
	b := tiny(t, "-peers=")
	if err := b.onGraph("physics", &r, new(bytes.Buffer)); err != nil || len(r.Notes) != 1 || len(r.Results) != 0 {
		t.Errorf("error %v, report %+v", err, r)
	}
}

func TestRunWritesTablesAndAFileThatSummaryReads(t *testing.T) {
	if testing.Short() {
		t.Skip("runs on a graph of a million edges")
	}
	file := filepath.Join(t.TempDir(), "results.json")
	var first, second bytes.Buffer
	args := []string{"-peers", "", "-graphs", "rmat30k", "-widths", "8", "-threads", "1", "-filter", "gcn", "-rounds", "1", "-sample", "1us", "-settle", "0", "-anyway", "-json", file}
	if err := run(args, &first); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-summary", file}, &second); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"gcn forward", "compile gcn forward", "cached run gcn forward", "rmat30k"} {
		if !strings.Contains(first.String(), text) || !strings.Contains(second.String(), text) {
			t.Errorf("%q is missing in\n%s\nor\n%s", text, first.String(), second.String())
		}
	}
	if !strings.Contains(second.String(), harness.ThisMachine("").CPU) {
		t.Error("the machine is missing")
	}
}
