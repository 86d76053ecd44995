package main

// Whole runs on small graphs, which need no files.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd/gorgonianode"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/tensor"
)

func start(t *testing.T, ctx context.Context, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Cleanup(func() { tensor.SetThreads(0) })
	var out, log bytes.Buffer
	err = run(ctx, args, &out, &log)
	return out.String(), log.String(), err
}

// The features say little about the class, the edges much: a net that sees both
// must be far better.
func TestSwappedLayersSeeTheGraph(t *testing.T) {
	d, err := data.SBM(data.SBMConfig{Sizes: []int{80, 80, 80}, PIn: 0.15, POut: 0.01, Features: 12, Noise: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	onFeatures, onHidden := swapped(d, gorgonianode.WithoutGradient(0)), swapped(d)
	accuracy := func(first, second layer) float64 {
		n, err := newNet(d, 16, 1, first, second)
		if err != nil {
			t.Fatal(err)
		}
		r, err := n.train(context.Background(), d, 60)
		if err != nil {
			t.Fatal(err)
		}
		return r.TestAcc
	}
	plain, one, both := accuracy(dense, dense), accuracy(dense, onHidden), accuracy(onFeatures, onHidden)
	if !(one > plain+0.1 && both > plain+0.1) {
		t.Errorf("the accuracies are %.3f without the graph, %.3f with one layer and %.3f with two", plain, one, both)
	}
}

func TestLastLineIsTheReport(t *testing.T) {
	stdout, _, err := start(t, context.Background(), "-dataset", "karate", "-epochs", "20", "-seed", "3", "-json")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var r report
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatalf("the last line is %q: %v", lines[len(lines)-1], err)
	}
	if r.Dataset != "karate" || r.Seed != 3 || r.Epochs != 20 || len(r.Nets) != 3 {
		t.Errorf("the report is %+v", r)
	}
	for name, n := range r.Nets {
		if !(n.TestAcc >= 0 && n.TestAcc <= 1 && n.Epoch >= 1 && n.Epoch <= 20 && n.EpochMS > 0) || !strings.Contains(stdout, name+":") {
			t.Errorf("%s: %+v in\n%s", name, n, stdout)
		}
	}
	if stdout, _, _ = start(t, context.Background(), "-dataset", "karate", "-epochs", "1"); strings.Contains(stdout, "{") {
		t.Errorf("there is JSON without -json:\n%s", stdout)
	}
}

func TestOneSeedGivesOneResultOnAnyNumberOfThreads(t *testing.T) {
	nets := func(threads string) map[string]result {
		stdout, _, err := start(t, context.Background(), "-dataset", "karate", "-epochs", "15", "-json", "-threads", threads)
		if err != nil {
			t.Fatal(err)
		}
		var r report
		if err := json.Unmarshal([]byte(stdout[strings.Index(stdout, "{"):]), &r); err != nil {
			t.Fatal(err)
		}
		return r.Nets
	}
	first := nets("1")
	for _, threads := range []string{"1", "3"} {
		for name, n := range nets(threads) {
			if want := first[name]; n.TestAcc != want.TestAcc || n.Epoch != want.Epoch {
				t.Errorf("%s threads, %s: %+v, want %+v", threads, name, n, want)
			}
		}
	}
}

func TestBadInputIsAnErrorThatNamesIt(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-dataset", "kora"}, `"kora"`},
		{[]string{"-dataset", "cora", "-data", t.TempDir()}, "-data DIR"},
		{[]string{"-epochs", "0"}, "-epochs"},
		{[]string{"-hidden", "0"}, "-hidden"},
		{[]string{"-threads", "0"}, "-threads"},
		{[]string{"-nothing"}, "-nothing"},
		{[]string{"cora"}, `"cora"`},
	} {
		stdout, _, err := start(t, context.Background(), c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) || stdout != "" {
			t.Errorf("%v: error %v after %q; it should contain %q", c.args, err, stdout, c.want)
		}
	}
	if _, stderr, err := start(t, context.Background(), "-h"); !errors.Is(err, flag.ErrHelp) || !strings.Contains(stderr, "-dataset") {
		t.Errorf("-h: %v, %q", err, stderr)
	}
}

func TestCancelledRunEndsWithoutAReport(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stdout, _, err := start(t, ctx, "-dataset", "karate", "-json")
	if !errors.Is(err, context.Canceled) || strings.Contains(stdout, "{") {
		t.Errorf("error %v after %q", err, stdout)
	}
}
