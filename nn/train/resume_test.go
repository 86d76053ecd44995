package train_test

// Runs that are interrupted, or die, and are resumed.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// sameRun reports where a resumed run is not the uninterrupted one.
func sameRun(t *testing.T, what string, got, want *toy, gotDir, wantDir string) {
	t.Helper()
	if !numtest.SameBits(got.numbers(), want.numbers()) {
		t.Errorf("%s: the weights differ", what)
	}
	for _, name := range []string{"last.safetensors", "best.safetensors", "metrics.csv"} {
		if !bytes.Equal(read(t, gotDir, name), read(t, wantDir, name)) {
			t.Errorf("%s: %s differs", what, name)
		}
	}
}

func TestRunInterruptedAnywhereAndResumedIsTheUninterruptedRunBitForBit(t *testing.T) {
	for name, f := range loops {
		n := steps
		if name == "one step" {
			n = 1
		}
		for _, accumulate := range []int{1, 2, 5} { // of three steps two and one, or all
			what := fmt.Sprintf("%s, %d a step", name, accumulate)
			wantDir := t.TempDir()
			want := newToy(1, wantDir, f)
			want.Accumulate = accumulate
			if _, err := want.run(); err != nil {
				t.Fatal(err)
			}
			for epoch := 1; epoch <= want.Epochs; epoch++ {
				for step := 0; step <= n; step++ { // the last: in the evaluation
					dir := t.TempDir()
					first := newToy(1, dir, f)
					first.Accumulate = accumulate
					ctx, cancel := context.WithCancel(context.Background())
					first.ctx = ctx
					first.at = func(what string, at, i int) {
						if at == epoch && (what == "evaluation" && step == n || what == "step" && i == step && step < n) {
							cancel()
						}
					}
					_, err := first.run()
					var stopped *train.Interrupted
					if !errors.As(err, &stopped) || !errors.Is(err, context.Canceled) || stopped.Path != filepath.Join(dir, "last.safetensors") {
						t.Fatalf("%s, epoch %d, step %d: error %v", what, epoch, step, err)
					}
					second := newToy(99, dir, f) // all else comes from the file
					second.Accumulate, second.Resume = accumulate, true
					result, err := second.run()
					if err != nil {
						t.Fatal(err)
					}
					sameRun(t, what, second, want, dir, wantDir)
					if result.History.Epochs() != want.Epochs {
						t.Errorf("%d epochs", result.History.Epochs())
					}
				}
			}
		}
	}
}

// The step during which the context ends is finished and kept.
func TestInterruptedRunKeepsTheStepsThatItMade(t *testing.T) {
	for name, wantStep := range map[string]int{"Steps": 2, "Batches": 2} {
		y := newToy(1, t.TempDir(), loops[name])
		ctx, cancel := context.WithCancelCause(context.Background())
		y.ctx = ctx
		why := errors.New("lights out")
		made := 0
		y.at = func(what string, epoch, i int) {
			if made++; epoch == 2 && i == 1 {
				cancel(why)
			}
		}
		result, err := y.run()
		var stopped *train.Interrupted
		if !errors.As(err, &stopped) || !errors.Is(err, why) || !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v", name, err)
		}
		if stopped.Epoch != 1 || stopped.Step != wantStep || made != steps+1+2 {
			t.Errorf("%s: stopped after %d epochs and %d steps, %d calls", name, stopped.Epoch, stopped.Step, made)
		}
		if result == nil || result.History.Epochs() != 1 {
			t.Errorf("%s: the result is %v", name, result)
		}
		want := "train: interrupted after epoch 1, step 2 of the next: lights out; the run is saved in " + stopped.Path
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

// A process that dies leaves what it saved last; here after every epoch, or every step.
func TestRunThatDiedAndIsResumedIsTheUninterruptedRunBitForBit(t *testing.T) {
	dead := errors.New("dead")
	for name, f := range loops {
		for _, accumulate := range []int{1, 2} {
			wantDir := t.TempDir()
			want := newToy(1, wantDir, f)
			want.Accumulate = accumulate
			if _, err := want.run(); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for life := 0; ; life++ {
				if life > 30 {
					t.Fatal("the run makes no progress")
				}
				y := newToy(uint64(life+1), dir, f)
				if life == 0 {
					y = newToy(1, dir, f)
				}
				y.Accumulate, y.Resume, y.SaveEvery = accumulate, true, -1
				if life%2 == 1 {
					y.SaveEvery = time.Nanosecond
				}
				plain := y.Train
				begun := 0
				y.Train = func(e *train.Epoch) error {
					if begun++; begun == 2 {
						return dead
					}
					return plain(e)
				}
				_, err := y.run()
				if err == nil {
					sameRun(t, name, y, want, dir, wantDir)
					break
				}
				if !errors.Is(err, dead) || !strings.HasPrefix(err.Error(), "train: epoch ") {
					t.Fatal(err)
				}
			}
		}
	}
}

// A loop of its own that heeds the context stops in the middle of an epoch, which
// is made again.
func TestEpochThatEndedWithItsContextIsMadeAgain(t *testing.T) {
	f := func(y *toy, e *train.Epoch) error {
		for i := range steps {
			if err := e.Context().Err(); err != nil {
				return err
			}
			if err := y.step(e, i); err != nil {
				return err
			}
		}
		return nil
	}
	wantDir, dir := t.TempDir(), t.TempDir()
	want := newToy(1, wantDir, f)
	if _, err := want.run(); err != nil {
		t.Fatal(err)
	}
	first := newToy(1, dir, f)
	first.SaveEvery = -1
	ctx, cancel := context.WithCancel(context.Background())
	first.ctx = ctx
	first.at = func(_ string, epoch, i int) {
		if epoch == 3 && i == 1 {
			cancel()
		}
	}
	var stopped *train.Interrupted
	if _, err := first.run(); !errors.As(err, &stopped) || stopped.Epoch != 2 || stopped.Step != 0 {
		t.Fatalf("error %v", err)
	}
	second := newToy(5, dir, f)
	second.Resume = true
	if _, err := second.run(); err != nil {
		t.Fatal(err)
	}
	sameRun(t, "plain loop", second, want, dir, wantDir)
}

func TestMoreEpochsProlongARunThatHasEnded(t *testing.T) {
	wantDir, dir := t.TempDir(), t.TempDir()
	want := newToy(1, wantDir, loops["Steps"])
	if _, err := want.run(); err != nil {
		t.Fatal(err)
	}
	for epochs := 1; epochs <= want.Epochs; epochs++ {
		y := newToy(1, dir, loops["Steps"])
		y.Epochs, y.Resume = epochs, true
		if _, err := y.run(); err != nil {
			t.Fatal(err)
		}
		if epochs == want.Epochs {
			sameRun(t, "prolonged", y, want, dir, wantDir)
		}
	}
}

func TestSchedulesAndPartsAreResumed(t *testing.T) {
	eachEpoch := func(y *toy) train.Schedule {
		return train.EachEpoch(optim.NewStepLR(y.Optimizer, optim.StepLRConfig{StepSize: 2, Gamma: 0.5}))
	}
	onMetric := func(y *toy) train.Schedule {
		return train.OnMetric("val_acc", optim.NewReduceLROnPlateau(y.Optimizer, optim.PlateauConfig{Maximize: true, Threshold: 0.5}))
	}
	for name, schedules := range map[string][]func(y *toy) train.Schedule{
		"each epoch": {eachEpoch}, "on a metric": {onMetric}, "both": {eachEpoch, onMetric},
	} {
		start := func(seed uint64, dir string) *toy {
			y := newToy(seed, dir, loops["Steps"])
			r := nn.NewRNG(seed)
			y.Parts = map[string]nn.Stateful{"rng": r}
			y.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
				m, err := y.evaluate(e)
				if err == nil {
					m["draw"] = float64(r.Seed() >> 40)
				}
				return m, err
			}
			y.Schedules = nil
			for _, s := range schedules {
				y.Schedules = append(y.Schedules, s(y))
			}
			return y
		}
		wantDir := t.TempDir()
		want := start(1, wantDir)
		if _, err := want.run(); err != nil {
			t.Fatal(err)
		}
		if want.Optimizer.Groups()[0].LR == 0.05 {
			t.Errorf("%s: the learning rate did not move", name)
		}
		for epoch := 1; epoch < want.Epochs; epoch++ {
			second, dir := interruptedAndResumed(t, start, func(first *toy, cancel context.CancelFunc) {
				first.AfterEpoch = func(e *train.Epoch, m train.Metrics) {
					if e.Number == epoch {
						cancel()
					}
				}
			})
			sameRun(t, name, second, want, dir, wantDir)
		}
	}
}

// interruptedAndResumed starts a run whose context ends when until calls cancel, and one of another
// seed that resumes it, to its end.
func interruptedAndResumed(t *testing.T, start func(seed uint64, dir string) *toy, until func(first *toy, cancel context.CancelFunc)) (second *toy, dir string) {
	t.Helper()
	dir = t.TempDir()
	first := start(1, dir)
	ctx, cancel := context.WithCancel(context.Background())
	first.ctx = ctx
	until(first, cancel)
	if _, err := first.run(); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	second = start(9, dir)
	second.Resume = true
	if _, err := second.run(); err != nil {
		t.Fatal(err)
	}
	return second, dir
}

// TestDrawsBehindAnInterruptionAreMadeOnce: what Train draws behind its loop from a part of the
// run, and what an evaluation draws that breaks off, is drawn again by the resumed run.
func TestDrawsBehindAnInterruptionAreMadeOnce(t *testing.T) {
	for _, where := range []string{"in a step", "in a batch", "in an evaluation"} {
		start := func(dir string, cancel context.CancelFunc) (*one, train.Config) {
			m := &one{W: autograd.Parameter(tensor.Zeros(tensor.Float64, 1))}
			r := nn.NewRNG(1)
			draw := func() float64 { return float64(r.Seed() >> 40) }
			step := func(e *train.Epoch, i int) error {
				if e.Number == 2 && i == 1 && where != "in an evaluation" {
					cancel()
				}
				return e.Step(m.W.Scale(draw()).Sum())
			}
			return m, train.Config{
				Model: m, Optimizer: optim.NewSGD(optim.Params(nn.Parameters(m)), optim.SGDConfig{LR: 1e-9}), Epochs: 3, Dir: dir, Resume: true,
				Parts: map[string]nn.Stateful{"rng": r}, Output: io.Discard, SaveEvery: time.Hour,
				Train: func(e *train.Epoch) error {
					var err error
					if where == "in a batch" {
						numbers := func(yield func(int, error) bool) {
							for i := 0; i < 3 && yield(i, e.Context().Err()); i++ {
							}
						}
						for i := range train.Batches(e, numbers) {
							err = errors.Join(err, step(e, i))
						}
					} else {
						for i := range e.Steps(3) {
							err = errors.Join(err, step(e, i))
						}
					}
					draw()
					return err
				},
				Evaluate: func(e *train.Epoch) (train.Metrics, error) {
					draw()
					if e.Number == 2 && where == "in an evaluation" {
						cancel()
					}
					return train.Metrics{"draw": draw()}, e.Context().Err()
				},
			}
		}
		want, config := start(t.TempDir(), func() {})
		if _, err := train.Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		_, config = start(dir, cancel)
		if _, err := train.Run(ctx, config); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v", where, err)
		}
		got, config := start(dir, func() {})
		if _, err := train.Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		if got, want := got.W.Tensor().Float64s(), want.W.Tensor().Float64s(); !numtest.SameBits(got, want) {
			t.Errorf("interrupted %s: the weight is %v, uninterrupted %v", where, got, want)
		}
	}
}

// An evaluation with dropout, which moves running estimates too, that breaks off is made again.
func TestEvaluationThatBreaksOffDrawsFromTheModelAgain(t *testing.T) {
	start := func(seed uint64, dir string) *toy {
		y := newToy(seed, dir, loops["Steps"])
		y.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
			nn.Train(y.model)
			return y.evaluate(e)
		}
		return y
	}
	wantDir := t.TempDir()
	want := start(1, wantDir)
	if _, err := want.run(); err != nil {
		t.Fatal(err)
	}
	for epoch := 1; epoch <= want.Epochs; epoch++ {
		second, dir := interruptedAndResumed(t, start, func(first *toy, cancel context.CancelFunc) {
			first.at = func(what string, at, _ int) {
				if what == "evaluation" && at == epoch {
					cancel()
				}
			}
		})
		sameRun(t, fmt.Sprintf("epoch %d", epoch), second, want, dir, wantDir)
	}
}

func TestCheckpointThatDoesNotFitIsAnErrorAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := newToy(1, dir, loops["Steps"]).run(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "last.safetensors")
	whole := read(t, path)
	change := func(name string, x *tensor.Tensor) []byte {
		tensors, err := nn.LoadTensors(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if tensors[name] = x; x == nil {
			delete(tensors, name)
		}
		var b bytes.Buffer
		if err := nn.SaveTensors(&b, tensors, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	long := func(xs ...int64) *tensor.Tensor { return tensor.FromSlice(xs, len(xs)) }
	for _, c := range []struct {
		what, want string
		file       []byte
	}{
		{"empty", "length of the header", nil},
		{"cut in the header", "EOF", whole[:50]},
		{"cut in the middle", "EOF", whole[:len(whole)/2]},
		{"without its last byte", "EOF", whole[:len(whole)-1]},
		{"more bytes", "bytes after", append(slices.Clone(whole), 0)},
		{"no position", "progress: position is no list", change("progress.position", nil)},
		{"position of another type", "progress: position is no list", change("progress.position", tensor.FromSlice([]float64{1}, 1))},
		{"short position", "makes no sense", change("progress.position", long(1, 2))},
		{"negative position", "makes no sense", change("progress.position", long(-1, 0, 0, 4, 1, 0))},
		{"more epochs than were measured", "the series end with epoch 4, the history with 1099511627780", change("progress.position", long(0, 0, 0, 1<<40|4, 1, 0))},
		{"best epoch to come", "makes no sense", change("progress.position", long(0, 0, 0, 4, 5, 0))},
		{"no sums", "progress: sums is no list", change("progress.sums", nil)},
		{"no best weight", "the best weights lack in.weight", change("progress.best.in.weight", nil)},
		{"other best weight", "the best in.weight is f32 [2], want f32 [4 6]", change("progress.best.in.weight", tensor.Zeros(tensor.Float32, 2))},
		{"surplus", "1 belong to nothing", change("progress.more", long(1))},
		{"monitor of another type", "progress: monitor.val_loss is no list", change("progress.monitor.val_loss", tensor.FromSlice([]float64{1}, 1))},
		{"direction of no meaning", `the monitor "val_loss" with [2] makes no sense`, change("progress.monitor.val_loss", long(2))},
		{"two monitors", `the smallest "val_acc", which does not go on with the smallest "val_loss"`, change("progress.monitor.val_acc", long(0))},
		{"surplus weight", "1 belong to nothing", change("progress.best.more", long(1))},
		{"no values", "history.loss.values is no list", change("progress.history.loss.values", nil)},
		{"no epochs", "1 belong to nothing", change("progress.history.loss.epochs", nil)},
		{"epochs twice", "history.loss has epoch 2 after 2 of 4", change("progress.history.loss.epochs", long(1, 2, 2, 3))},
		{"epochs to come", "history.loss has epoch 5", change("progress.history.loss.epochs", long(1, 2, 3, 5))},
		{"fewer epochs", "3 epochs and 4 values", change("progress.history.loss.epochs", long(1, 2, 3))},
	} {
		if err := os.WriteFile(path, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		y := newToy(4, dir, loops["Steps"])
		y.Resume = true
		before := y.numbers()
		_, err := y.run()
		if err == nil || !strings.HasPrefix(err.Error(), "train: Run: nn: LoadTraining: "+path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
		if !numtest.SameBits(before, y.numbers()) || !bytes.Equal(read(t, path), c.file) {
			t.Errorf("%s: model or file were changed", c.what)
		}
	}
}

func TestRunIsNotOverwrittenByMistake(t *testing.T) {
	dir := t.TempDir()
	y := newToy(1, dir, loops["Steps"])
	if _, err := y.run(); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir, "last.safetensors")
	_, err := y.run()
	if err == nil || err.Error() != "train: Run: "+dir+" has a run already: remove it, or set Resume to go on with it" {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(before, read(t, dir, "last.safetensors")) {
		t.Error("the checkpoint was changed")
	}
}

func TestResumingWithAnotherLoopIsAnError(t *testing.T) {
	for want, f := range map[string]loop{
		"there is none": func(y *toy, e *train.Epoch) error { return y.step(e, 0) },
		"there are 1 steps, but 2 were made": func(y *toy, e *train.Epoch) error {
			for i := range e.Steps(1) {
				if err := y.step(e, i); err != nil {
					return err
				}
			}
			return nil
		},
		"there are 0 batches, but 2 were taken": func(y *toy, e *train.Epoch) error {
			for range train.Batches(e, func(func(int, error) bool) {}) {
			}
			return nil
		},
	} {
		y := newToy(1, t.TempDir(), loops["Steps"])
		ctx, cancel := context.WithCancel(context.Background())
		y.ctx = ctx
		y.at = func(_ string, epoch, i int) {
			if epoch == 1 && i == 1 {
				cancel()
			}
		}
		if _, err := y.run(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		again := newToy(1, y.Dir, f)
		again.Resume = true
		if _, err := again.run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestMisuseWhileResumingIsMisuse(t *testing.T) {
	y := newToy(1, "", loops["Steps"])
	y.Resume = true
	var misuse *train.Error
	if err := autograd.Try(func() { y.run() }); !errors.As(err, &misuse) {
		t.Errorf("error %v", err)
	}
}

// The best epoch by one metric says nothing about another.
func TestResumingWithAnotherMonitorIsAnErrorAndWithNoneForgetsTheBest(t *testing.T) {
	start := func(dir string, epochs int) (train.Config, *one) {
		cfg, m := scripted([]float64{1, 5, 6, 7}[:epochs])
		cfg.Dir, cfg.Resume = dir, true
		return cfg, m
	}
	dir := t.TempDir()
	cfg, _ := start(dir, 2)
	if _, err := train.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(c *train.Config){
		`the smallest "score", which does not go on with the largest "score" as Monitor`: func(c *train.Config) { c.Maximize = true },
		`the smallest "score", which does not go on with the smallest "loss" as Monitor`: func(c *train.Config) { c.Monitor = "loss" },
	} {
		cfg, _ := start(dir, 4)
		change(&cfg)
		if _, err := train.Run(context.Background(), cfg); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	cfg, m := start(dir, 4)
	cfg.Monitor = ""
	r, err := train.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if w := m.W.Tensor().Item(); r.Best != 0 || w != 4 {
		t.Errorf("without a monitor epoch %d is best and the model is of epoch %v", r.Best, w)
	}
}

// Checkpoints of earlier versions do not say what was monitored.
func TestCheckpointsWithoutARecordOfTheMonitorKeepTheirBest(t *testing.T) {
	dir := t.TempDir()
	cfg, _ := scripted([]float64{1, 5})
	cfg.Dir = dir
	if _, err := train.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "last.safetensors")
	tensors, err := nn.LoadTensors(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	if tensors["progress.monitor.score"] == nil {
		t.Fatal("there is no record")
	}
	delete(tensors, "progress.monitor.score")
	var b bytes.Buffer
	if err := nn.SaveTensors(&b, tensors, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	again, m := scripted([]float64{1, 5, 6})
	again.Dir, again.Resume = dir, true
	if r, err := train.Run(context.Background(), again); err != nil || r.Best != 1 || m.W.Tensor().Item() != 1 {
		t.Errorf("result %+v, error %v, the model is of epoch %v", r, err, m.W.Tensor().Item())
	}
}

func TestPatienceGoesOnWhereItWas(t *testing.T) {
	values := []float64{5, 4, 4.5, 4.2, 3, 4, 4, 4, 1}
	const stop, best = 8, 5 // with a patience of 3
	for epoch := 1; epoch < stop; epoch++ {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		cfg, _ := scripted(values)
		cfg.Dir, cfg.Patience = dir, 3
		cfg.AfterEpoch = func(e *train.Epoch, _ train.Metrics) {
			if e.Number == epoch {
				cancel()
			}
		}
		if _, err := train.Run(ctx, cfg); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		again, m := scripted(values)
		again.Dir, again.Patience, again.Resume = dir, 3, true
		for range 2 { // a run that has stopped stays so
			r, err := train.Run(context.Background(), again)
			if err != nil {
				t.Fatal(err)
			}
			if r.History.Epochs() != stop || r.Best != best || !r.Stopped || m.W.Tensor().Item() != best {
				t.Errorf("interrupted after epoch %d: %d epochs, best %d, stopped %v", epoch, r.History.Epochs(), r.Best, r.Stopped)
			}
		}
	}
}

func TestRunOfAModelWithStridedBuffersIsResumedAndEndsWithTheBestWeights(t *testing.T) {
	x := tensor.Randn(tensor.Float32, 5, 1, 4)
	for name, view := range map[string]*tensor.Tensor{"transposed": x.Reshape(2, 2).Transpose(), "broadcast": x.Expand(3, 4)} {
		for _, dir := range []string{"", t.TempDir()} {
			build := func() *toy {
				y := newToy(1, dir, loops["Steps"])
				y.Model = &struct {
					*model
					View *autograd.Var
				}{y.model, autograd.Constant(view)}
				return y
			}
			first := build()
			if dir != "" {
				first.Epochs = 2
				if _, err := first.run(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				first = build()
				first.Resume = true
			}
			result, err := first.run()
			if err != nil || result.History.Epochs() != first.Epochs || result.Best == 0 {
				t.Fatalf("%s in folder %q: %+v, error %v", name, dir, result, err)
			}
			plain := newToy(1, "", loops["Steps"])
			if _, err := plain.run(); err != nil {
				t.Fatal(err)
			}
			if !numtest.SameBits(first.numbers(), plain.numbers()) {
				t.Errorf("%s in folder %q: the weights differ from those of the model without it", name, dir)
			}
			for _, s := range nn.NamedBuffers(first.Model) {
				if got := s.Var.Tensor().Float64s(); s.Name == "view" && !slices.Equal(got, view.Float64s()) {
					t.Errorf("%s in folder %q: the buffer is %v, was %v", name, dir, got, view.Float64s())
				}
			}
		}
	}
}
