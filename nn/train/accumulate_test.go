package train_test

// Steps of the optimiser on the gradients of several batches.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// batched is a run on rows of random numbers without batch statistics.
type batched struct {
	train.Config
	model *nn.MLP
	x, y  *autograd.Var
	norms []float64 // of the gradients, before they are clipped
	rates []float64 // after every call of Step
}

func newBatched() *batched {
	b := &batched{
		model: nn.NewMLP([]int{5, 8, 3}, nn.MLPConfig{DType: tensor.Float64}, nn.NewRNG(1)),
		x:     autograd.Constant(tensor.Randn(tensor.Float64, 2, 64, 5)),
		y:     autograd.Constant(tensor.Randn(tensor.Float64, 3, 64, 3)),
	}
	opt := optim.NewAdam(optim.Params(nn.Parameters(b.model)), optim.AdamConfig{LR: 0.05})
	b.Config = train.Config{
		Model: b.model, Optimizer: opt, Epochs: 3, Output: io.Discard,
		AfterBackward: func() { b.norms = append(b.norms, optim.ClipGradNorm(nn.Parameters(b.model), 0.5)) },
		Schedules:     []train.Schedule{train.EachStep(optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 1, Gamma: 0.5}))},
	}
	return b
}

// step trains on rows lo to hi-1.
func (b *batched) step(e *train.Epoch, lo, hi int) error {
	rows := func(x *autograd.Var) *autograd.Var { return x.Slice(0, lo, hi) }
	err := e.Step(nn.MSE(b.model.Forward(rows(b.x)), rows(b.y)))
	b.rates = append(b.rates, b.Optimizer.Groups()[0].LR)
	return err
}

func (b *batched) run(t *testing.T) []float64 {
	t.Helper()
	if _, err := train.Run(context.Background(), b.Config); err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, p := range nn.Parameters(b.model) {
		all = append(all, p.Tensor().Float64s()...)
	}
	return all
}

func TestAccumulatedBatchesAreOneBatchOfAllTheirRows(t *testing.T) {
	for _, c := range []struct {
		what              string
		batches, size, of int // Accumulate
		large             []int
	}{
		{"every batch", 3, 4, 0, []int{4, 4, 4}},
		{"one", 3, 4, 1, []int{4, 4, 4}},
		{"two", 4, 8, 2, []int{16, 16}},
		{"three", 6, 4, 3, []int{12, 12}},
		{"a last one of one", 7, 4, 3, []int{12, 12, 4}},
		{"a last one of two", 5, 4, 3, []int{12, 8}},
		{"fewer than asked for", 3, 4, 8, []int{12}},
	} {
		loops := map[string]func(b *batched, e *train.Epoch) error{
			"Steps": func(b *batched, e *train.Epoch) error {
				for i := range e.Steps(c.batches) {
					if err := b.step(e, i*c.size, (i+1)*c.size); err != nil {
						return err
					}
				}
				return nil
			},
			"Batches": func(b *batched, e *train.Epoch) error {
				for i := range train.Batches(e, func(yield func(int, error) bool) {
					for i := 0; i < c.batches && yield(i, nil); i++ {
					}
				}) {
					if err := b.step(e, i*c.size, (i+1)*c.size); err != nil {
						return err
					}
				}
				return nil
			},
			"plain loop": func(b *batched, e *train.Epoch) error {
				for i := range c.batches {
					if err := b.step(e, i*c.size, (i+1)*c.size); err != nil {
						return err
					}
				}
				return nil
			},
		}
		large := newBatched()
		large.Train = func(e *train.Epoch) error {
			lo := 0
			for _, n := range c.large {
				if err := large.step(e, lo, lo+n); err != nil {
					return err
				}
				lo += n
			}
			return nil
		}
		want := large.run(t)
		for name, f := range loops {
			what := c.what + ", " + name
			b := newBatched()
			b.Accumulate = c.of
			b.Train = func(e *train.Epoch) error { return f(b, e) }
			numtest.Near(t, what, b.run(t), want, 1e-12)
			numtest.Near(t, what+": norms to clip", b.norms, large.norms, 1e-12)
			if steps := b.Epochs * len(c.large); len(b.norms) != steps {
				t.Errorf("%s: %d steps of the optimiser, want %d", what, len(b.norms), steps)
			}
			if got, want := b.Optimizer.Groups()[0].LR, large.Optimizer.Groups()[0].LR; got != want {
				t.Errorf("%s: the learning rate is %v, want %v", what, got, want)
			}
		}
	}
}

// Means of gradients, and sums that go to a checkpoint and back, on a device.
func TestAccumulationOnADeviceIsThatOnTheCPU(t *testing.T) {
	start := func(d *tensor.Device, dir string, cancelAt int) (*batched, context.Context) {
		b := newBatched()
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		nn.To(b.model, d)
		b.x, b.y = b.x.ToDevice(d), b.y.ToDevice(d)
		b.Accumulate, b.Epochs, b.Dir, b.Resume = 3, 2, dir, dir != ""
		b.Train = func(e *train.Epoch) error {
			for i := range e.Steps(5) {
				if e.Number == 2 && i == cancelAt {
					cancel()
				}
				if err := b.step(e, i*4, (i+1)*4); err != nil {
					return err
				}
			}
			return nil
		}
		return b, ctx
	}
	cpu, _ := start(nil, "", -1)
	want := cpu.run(t)
	d, dir := densetest.Device(t), t.TempDir()
	far, ctx := start(d, dir, 1)
	if _, err := train.Run(ctx, far.Config); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	again, _ := start(d, dir, -1)
	numtest.Near(t, "on a device, resumed", again.run(t), want, 1e-12)
}

// The gradients are those of PyTorch's idiom (loss / k).backward(); with a power of
// two, bit for bit.
func TestAccumulationIsThePlainLoopOfDividedLosses(t *testing.T) {
	const batches, size, of = 8, 4, 4
	b := newBatched()
	b.Accumulate, b.Epochs = of, 1
	b.Train = func(e *train.Epoch) error {
		for i := range e.Steps(batches) {
			if err := b.step(e, i*size, (i+1)*size); err != nil {
				return err
			}
		}
		return nil
	}
	got := b.run(t)
	if want := []float64{0.05, 0.05, 0.05, 0.025, 0.025, 0.025, 0.025, 0.0125}; !slices.Equal(b.rates, want) {
		t.Errorf("learning rates %v, want %v", b.rates, want)
	}
	plain := newBatched()
	plain.Optimizer.ZeroGrad()
	for i := range batches {
		rows := func(x *autograd.Var) *autograd.Var { return x.Slice(0, i*size, (i+1)*size) }
		nn.MSE(plain.model.Forward(rows(plain.x)), rows(plain.y)).Scale(1.0 / of).Backward()
		if (i+1)%of == 0 {
			plain.AfterBackward()
			plain.Optimizer.Step()
			plain.Optimizer.ZeroGrad()
			plain.Optimizer.Groups()[0].LR *= 0.5
		}
	}
	var want []float64
	for _, p := range nn.Parameters(plain.model) {
		want = append(want, p.Tensor().Float64s()...)
	}
	if !numtest.SameBits(got, want) {
		t.Error("the weights differ")
	}
}

// AfterBackward clips by the norm of all of the model's gradients, of which the optimizer has some.
func TestParametersThatTheOptimizerDoesNotHaveCountByTheirWindow(t *testing.T) {
	const batches, size = 5, 4
	start := func(accumulate int, dir string, cancelAt int) (*batched, context.Context) {
		b := newBatched()
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		params := nn.Parameters(b.model)
		b.Optimizer = optim.NewAdam(optim.Params(params[len(params)-2:]), optim.AdamConfig{LR: 0.05})
		b.Schedules, b.Epochs, b.Accumulate, b.Dir, b.Resume = nil, 2, accumulate, dir, dir != ""
		b.Train = func(e *train.Epoch) error {
			for i := range e.Steps(batches) {
				if (e.Number-1)*batches+i == cancelAt {
					cancel()
				}
				if err := b.step(e, i*size, (i+1)*size); err != nil {
					return err
				}
			}
			return nil
		}
		return b, ctx
	}
	for _, accumulate := range []int{1, 2, 3} {
		uninterrupted, _ := start(accumulate, "", -1)
		want := uninterrupted.run(t)
		large := newBatched() // makes every window in one batch
		large.Optimizer = optim.NewAdam(optim.Params(nn.Parameters(large.model)[2:]), optim.AdamConfig{LR: 0.05})
		large.Schedules, large.Epochs = nil, 2
		large.Train = func(e *train.Epoch) error {
			for lo := 0; lo < batches; lo += accumulate {
				if err := large.step(e, lo*size, min(lo+accumulate, batches)*size); err != nil {
					return err
				}
			}
			return nil
		}
		what := fmt.Sprintf("%d a step", accumulate)
		numtest.Near(t, what, want, large.run(t), 1e-12)
		numtest.Near(t, what+": norms to clip", uninterrupted.norms, large.norms, 1e-12)
		for at := range 2*batches - 1 {
			dir := t.TempDir()
			first, ctx := start(accumulate, dir, at)
			if _, err := train.Run(ctx, first.Config); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			second, _ := start(accumulate, dir, -1)
			got := second.run(t)
			if !numtest.SameBits(got, want) || !numtest.SameBits(append(first.norms, second.norms...), uninterrupted.norms) {
				t.Errorf("%s, interrupted at batch %d: weights or norms differ", what, at)
			}
		}
	}
}

func TestLossAndStepsAreCountedByBatchesWhenGradientsAccumulate(t *testing.T) {
	y := newToy(1, t.TempDir(), loops["Steps"])
	y.Accumulate = 2
	ctx, cancel := context.WithCancel(context.Background())
	y.ctx = ctx
	y.at = func(what string, epoch, i int) {
		if epoch == 2 && i == 0 {
			cancel()
		}
	}
	_, err := y.run()
	var stopped *train.Interrupted
	if !errors.As(err, &stopped) || stopped.Epoch != 1 || stopped.Step != 1 {
		t.Errorf("error %v", err)
	}

	b := newBatched()
	var losses []float64
	b.Accumulate, b.Epochs = 3, 1
	b.Train = func(e *train.Epoch) error {
		for i := range e.Steps(4) {
			loss := b.model.Forward(b.x.Slice(0, i, i+1)).Square().Mean()
			losses = append(losses, loss.Tensor().Item())
			if err := e.Step(loss); err != nil {
				return err
			}
		}
		return nil
	}
	r, err := train.Run(context.Background(), b.Config)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.History.At(1)["loss"], (losses[0]+losses[1]+losses[2]+losses[3])/4; got != want {
		t.Errorf("the loss is %v, want %v", got, want)
	}
}

func TestLossThatIsNoNumberEndsTheRunBeforeTheStepOfItsWindow(t *testing.T) {
	cfg, m := scripted(make([]float64, 2))
	cfg.Accumulate = 3
	cfg.Train = func(e *train.Epoch) error {
		for i := range e.Steps(5) {
			loss := m.W.Sum().Neg()
			if i == 4 {
				loss = loss.AddScalar(math.NaN())
			}
			if err := e.Step(loss); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := train.Run(context.Background(), cfg); !errors.As(err, new(*train.Diverged)) || m.W.Tensor().Item() != 1 {
		t.Errorf("error %v, the weight is %v", err, m.W.Tensor().Item())
	}
}

// windowFile is the checkpoint of a toy that was interrupted with an open window.
func windowFile(t *testing.T, dir string) string {
	t.Helper()
	y := newToy(1, dir, loops["Steps"])
	y.Accumulate = 3
	ctx, cancel := context.WithCancel(context.Background())
	y.ctx = ctx
	y.at = func(_ string, epoch, i int) {
		if epoch == 2 && i == 1 {
			cancel()
		}
	}
	if _, err := y.run(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return filepath.Join(dir, "last.safetensors")
}

func TestCheckpointWithinAWindowHasItsGradients(t *testing.T) {
	tensors, err := nn.LoadTensors(bytes.NewReader(read(t, windowFile(t, t.TempDir()))))
	if err != nil {
		t.Fatal(err)
	}
	if w := tensors["progress.window"]; w == nil || !slices.Equal(w.Float64s(), []float64{2}) {
		t.Fatalf("the window is %v", w)
	}
	for i, p := range nn.Parameters(newToy(1, "", nil).model) {
		g := tensors["progress.gradient."+strconv.Itoa(i)]
		if g == nil || !g.Shape().Equal(p.Shape()) {
			t.Errorf("gradient %d is %v, want one of %v", i, g, p.Shape())
		}
	}
	if g := tensors["progress.gradient.0"].Float64s(); slices.Max(g) == slices.Min(g) {
		t.Errorf("the first gradient is %v", g)
	}
}

func TestWindowThatDoesNotFitIsAnErrorAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := windowFile(t, dir)
	whole := read(t, path)
	long := func(xs ...int64) *tensor.Tensor { return tensor.FromSlice(xs, len(xs)) }
	for _, c := range []struct {
		want, name string
		x          *tensor.Tensor
	}{
		{"progress: window is no list", "window", tensor.FromSlice([]float64{1}, 1)},
		{"the window [0] makes no sense", "window", long(0)},
		{"the window [2 2] makes no sense", "window", long(2, 2)},
		{"6 belong to nothing", "window", nil},
		{"gradient.6 is of none of 6 parameters", "gradient.6", long(1)},
		{"gradient.-1 is of none of 6 parameters", "gradient.-1", long(1)},
		{"gradient.01 is of none of 6 parameters", "gradient.01", long(1)},
		{"gradient.x is of none of 6 parameters", "gradient.x", long(1)},
		{"gradient.0 is i64 [1], want f32 [4 6]", "gradient.0", long(1)},
	} {
		tensors, err := nn.LoadTensors(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if tensors["progress."+c.name] = c.x; c.x == nil {
			delete(tensors, "progress."+c.name)
		}
		var b bytes.Buffer
		if err := nn.SaveTensors(&b, tensors, nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		y := newToy(4, dir, loops["Steps"])
		y.Accumulate, y.Resume = 3, true
		before := y.numbers()
		_, err = y.run()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if !numtest.SameBits(before, y.numbers()) || !bytes.Equal(read(t, path), b.Bytes()) || nn.Parameters(y.model)[0].Gradient() != nil {
			t.Errorf("%s: model, gradients or file were changed", c.want)
		}
	}
}
