package train

// What is shown: lines where there is no terminal, a bar where there is one.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}

// clock goes on by a second and a half each time it is read.
func clock() func() time.Time {
	now := time.Unix(1_700_000_000, 0)
	return func() time.Time {
		now = now.Add(1500 * time.Millisecond)
		return now
	}
}

func toyConfig(epochs int) Config {
	m := &struct{ W *autograd.Var }{autograd.Parameter(tensor.Zeros(tensor.Float64, 1))}
	return Config{
		Model: m, Optimizer: optim.NewSGD(optim.Params(nn.Parameters(m)), optim.SGDConfig{LR: 0.125}), Epochs: epochs,
		Train: func(e *Epoch) error {
			for range e.Steps(2) {
				if err := e.Step(m.W.AddScalar(-3).Square().Sum()); err != nil {
					return err
				}
			}
			return nil
		},
		Evaluate: func(e *Epoch) (Metrics, error) {
			return Metrics{"val_acc": 1 - math.Abs(float64(e.Number)-12)/16}, nil
		},
		Monitor: "val_acc", Maximize: true, PrintEvery: 4,
	}
}

func TestLinesWhereThereIsNoTerminal(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	c := toyConfig(30)
	c.Output, c.Dir = &out, dir
	ctx, cancel := context.WithCancel(context.Background())
	c.AfterEpoch = func(e *Epoch, _ Metrics) {
		if e.Number == 9 {
			cancel()
		}
	}
	now := clock()
	if _, err := run(ctx, c, now); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.AfterEpoch, c.Resume, c.Patience = nil, true, 6
	if _, err := run(context.Background(), c, now); err != nil {
		t.Fatal(err)
	}
	golden(t, "lines.golden", out.Bytes())
}

func TestBarShowsEpochsStepsAndMetrics(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, 4, 1, func() time.Time { return time.Unix(1_700_000_000, 0) })
	b.resumed(1, 0)
	b.step(2, 1, 2, 0.5)
	b.epoch(2, Metrics{"loss": 0.25, "val_acc": 0.75}) // too soon to be drawn
	b.epoch(4, Metrics{"loss": 0.125})
	h := newHistory()
	h.add(Metrics{"val_acc": 0.5})
	b.end(&Result{History: h, Best: 1}, "val_acc")
	text := out.String()
	if strings.Contains(text, "0.75") {
		t.Errorf("the bar was drawn at once: %q", text)
	}
	for _, want := range []string{"resumed after epoch 1\n", "epoch 2/4  step 1/2  loss 0.5", " 16%", "epoch 4/4  loss 0.125", "100%", "\nbest epoch 1: val_acc 0.5\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

// No epoch is the best one where the metric was never a number.
func TestARunThatStoppedEarlySaysSoWithoutABestEpoch(t *testing.T) {
	h := newHistory()
	for range 3 {
		h.add(Metrics{"val_acc": math.NaN()})
	}
	for _, c := range []struct {
		best    int
		stopped bool
		want    string
	}{
		{0, false, ""}, {0, true, "stopped early after epoch 3"},
		{2, false, "best epoch 2: val_acc NaN"}, {2, true, "stopped early after epoch 3; best epoch 2: val_acc NaN"},
	} {
		if got := endText(&Result{History: h, Best: c.best, Stopped: c.stopped}, "val_acc"); got != c.want {
			t.Errorf("best %d, stopped %v: %q, want %q", c.best, c.stopped, got, c.want)
		}
	}
}

func TestEventsAreTheBytesThatTensorBoardReads(t *testing.T) {
	now := time.Unix(1_700_000_000, 250_000_000)
	out := appendRecord(nil, appendHeader(nil, now))
	out = appendRecord(out, appendRestart(nil, 3, now))
	out = appendRecord(out, appendScalars(nil, 3, Metrics{"loss": 0.5, "val_acc": math.NaN()}, now.Add(time.Second)))
	out = appendRecord(out, appendScalars(nil, 300, Metrics{"loss": -1e300, "größe": 2}, now.Add(time.Hour)))
	golden(t, "events.out.tfevents.golden", out)
}
