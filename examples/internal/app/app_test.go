package app

// Whole runs of a small model: the report, reproducibility, and what bad input
// says.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// smallGCN is examples/gcn with fewer hidden features.
func smallGCN(d *data.Dataset, r *nn.RNG) (Run, error) {
	model := gnn.NewGCN(d.Features.Cols(), 8, d.NumClasses, 0.5, r)
	return Run{
		Model:     model,
		Optimizer: optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.02}),
		Forward:   func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
	}, nil
}

// start runs the example with arguments and returns its output.
func start(t *testing.T, ctx context.Context, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Cleanup(func() { tensor.SetThreads(0) })
	var out, log bytes.Buffer
	err = vertices("gcn", 30, smallGCN).run(ctx, args, &out, &log)
	return out.String(), log.String(), err
}

func mustStart(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := start(t, context.Background(), args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return stdout, stderr
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	return lines[len(lines)-1]
}

func report(t *testing.T, stdout string) Report {
	t.Helper()
	var r Report
	if err := json.Unmarshal([]byte(lastLine(stdout)), &r); err != nil {
		t.Fatalf("the last line %q: %v", lastLine(stdout), err)
	}
	return r
}

func TestLastLineIsTheReport(t *testing.T) {
	stdout, stderr := mustStart(t, "-json", "-seeds", "2", "-seed", "5")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lastLine(stdout)), &fields); err != nil {
		t.Fatal(err)
	}
	want := []string{"dataset", "epoch_ms_median", "model", "peak_rss_mb", "seeds", "test_acc_mean", "test_acc_std"}
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("the fields are %v, want %v", got, want)
	}
	r := report(t, stdout)
	if r.Dataset != "karate" || r.Model != "gcn" || r.Seeds != 2 {
		t.Errorf("the report is of %q, %q, %d seeds", r.Dataset, r.Model, r.Seeds)
	}
	if !(r.TestAccMean > 0.3 && r.TestAccMean <= 1 && r.TestAccStd >= 0 && r.TestAccStd < 0.5 && r.EpochMS > 0) {
		t.Errorf("the report is %+v", r)
	}
	if peakRSSMB() > 0 && !(r.PeakRSSMB > 1 && r.PeakRSSMB < 1e5) {
		t.Errorf("the peak memory is %v MB", r.PeakRSSMB)
	}
	for _, part := range []string{"karate: 34 vertices, 156 edges", "seed 5: test accuracy", "seed 6: test accuracy"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("standard output lacks %q:\n%s", part, stdout)
		}
	}
	for _, part := range []string{"seed 5: epoch 30/30, loss ", "seed 6: epoch 30/30, loss ", "accuracy "} {
		if !strings.Contains(stderr, part) {
			t.Errorf("the progress lacks %q:\n%s", part, stderr)
		}
	}
	if stdout, _ := mustStart(t, "-epochs", "1"); strings.Contains(stdout, "{") {
		t.Errorf("there is JSON without -json:\n%s", stdout)
	}
}

func TestMeanAndStdAreOverTheSeeds(t *testing.T) {
	var accs []float64
	for seed := range 3 {
		stdout, _ := mustStart(t, "-json", "-seed", fmt.Sprint(seed))
		accs = append(accs, report(t, stdout).TestAccMean)
	}
	stdout, _ := mustStart(t, "-json", "-seeds", "3")
	r := report(t, stdout)
	if mean, std := meanStd(accs); r.TestAccMean != mean || r.TestAccStd != std {
		t.Errorf("mean and std are %v and %v; of %v they are %v and %v", r.TestAccMean, r.TestAccStd, accs, mean, std)
	}
	if mean, std := meanStd([]float64{1, 2, 3, 6}); mean != 3 || std*std < 3.5-1e-12 || std*std > 3.5+1e-12 {
		t.Errorf("mean and variance of 1 2 3 6 are %v and %v, want 3 and 3.5", mean, std*std)
	}
	for _, c := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{4}, 4}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.x); got != c.want {
			t.Errorf("the median of %v is %v, want %v", c.x, got, c.want)
		}
	}
}

// accuracies are the lines of results, without the times.
func accuracies(stdout string) (lines []string) {
	for _, l := range strings.Split(stdout, "\n") {
		if strings.HasPrefix(l, "seed ") {
			lines = append(lines, l)
		}
	}
	return lines
}

func TestOneSeedGivesOneResultOnAnyNumberOfThreads(t *testing.T) {
	first, log := mustStart(t, "-seeds", "2", "-threads", "1")
	for _, threads := range []string{"1", "2", "3"} {
		again, againLog := mustStart(t, "-seeds", "2", "-threads", threads)
		if got, want := accuracies(again), accuracies(first); len(want) != 2 || !slices.Equal(got, want) {
			t.Errorf("%s threads: %q, want %q", threads, got, want)
		}
		if againLog != log { // losses too
			t.Errorf("%s threads: progress\n%swant\n%s", threads, againLog, log)
		}
	}
	if _, other := mustStart(t, "-seeds", "2", "-seed", "1"); other == log {
		t.Error("other seeds give the same losses")
	}
}

func TestNoEpochsEvaluateTheUntrainedModel(t *testing.T) {
	stdout, _ := mustStart(t, "-epochs", "0", "-json")
	if r := report(t, stdout); r.EpochMS != 0 || !(r.TestAccMean >= 0 && r.TestAccMean <= 1) {
		t.Errorf("the report is %+v", r)
	}
}

func TestBadInputIsAnErrorThatNamesIt(t *testing.T) {
	empty := t.TempDir()
	broken := t.TempDir()
	if err := os.MkdirAll(filepath.Join(broken, "npz"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "npz", "cora_ml.npz"), []byte("PK\x03\x04 not an archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"unknown dataset", []string{"-dataset", "kora"}, []string{`"kora"`, "karate", "cora"}},
		{"missing folder", []string{"-dataset", "cora", "-data", filepath.Join(empty, "nowhere")}, []string{"cora", "nowhere", "-data DIR"}},
		{"broken file", []string{"-dataset", "cora-ml", "-data", broken}, []string{"cora_ml.npz"}},
		{"unknown flag", []string{"-epoch", "3"}, []string{"-epoch"}},
		{"no number", []string{"-epochs", "many"}, []string{"-epochs", "many"}},
		{"negative epochs", []string{"-epochs", "-1"}, []string{"-epochs", "-1"}},
		{"unknown device", []string{"-device", "tpu"}, []string{`"tpu"`, "cpu"}},
		{"no seeds", []string{"-seeds", "0"}, []string{"-seeds", "0"}},
		{"no threads", []string{"-threads", "0"}, []string{"-threads", "0"}},
		{"negative seed", []string{"-seed", "-4"}, []string{"-seed", "-4"}},
		{"an argument", []string{"cora"}, []string{`"cora"`}},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		stdout, _, err := start(t, ctx, c.args...)
		cancel()
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %q", c.name, err)
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: error is %q; it should contain %q", c.name, err, w)
			}
		}
		if stdout != "" {
			t.Errorf("%s: standard output is %q", c.name, stdout)
		}
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	_, stderr, err := start(t, context.Background(), "-h")
	if !errors.Is(err, flag.ErrHelp) {
		t.Errorf("the error is %v", err)
	}
	for _, name := range []string{"-dataset", "-data", "-device", "-epochs", "-seed", "-seeds", "-threads", "-json"} {
		if !strings.Contains(stderr, name+" ") && !strings.Contains(stderr, name+"\n") {
			t.Errorf("the help lacks %s:\n%s", name, stderr)
		}
	}
}

func TestCancelledRunEndsWithoutAReport(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stdout, _, err := start(t, ctx, "-json")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if strings.Contains(stdout, "{") {
		t.Errorf("there is a report:\n%s", stdout)
	}
	// In the middle of the training: after the third step's forward pass.
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	forwards := 0
	setup := func(d *data.Dataset, r *nn.RNG) (Run, error) {
		m, err := smallGCN(d, r)
		forward := m.Forward
		m.Forward = func(x *autograd.Var) *autograd.Var {
			if forwards++; forwards == 6 {
				cancel()
			}
			return forward(x)
		}
		return m, err
	}
	var out, log bytes.Buffer
	err = vertices("gcn", 1000, setup).run(ctx, []string{"-json"}, &out, &log)
	if !errors.Is(err, context.Canceled) || strings.Contains(out.String(), "{") {
		t.Errorf("the error is %v, the output %q", err, &out)
	}
	if forwards > 8 {
		t.Errorf("the model ran %d more times after the interrupt", forwards-6)
	}
}

// A loss that is no number ends the run with an error instead of a report.
func TestDivergedTrainingIsAnError(t *testing.T) {
	setup := func(d *data.Dataset, r *nn.RNG) (Run, error) {
		m, err := smallGCN(d, r)
		w := nn.Parameters(m.Model)[0].Tensor()
		tensor.Data[float32](w)[0] = 1e38
		tensor.Data[float32](w)[1] = -1e38
		forward := m.Forward
		m.Forward = func(x *autograd.Var) *autograd.Var { return forward(x).Scale(1e38) }
		return m, err
	}
	t.Cleanup(func() { tensor.SetThreads(0) })
	var out, log bytes.Buffer
	err := vertices("gcn", 10, setup).run(context.Background(), []string{"-json"}, &out, &log)
	if err == nil || !strings.Contains(err.Error(), "loss") {
		t.Errorf("the error is %v, the output %q", err, &out)
	}
}
