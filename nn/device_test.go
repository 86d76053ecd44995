// Modules trained on a device.

package nn_test

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// deep returns a perceptron with both normalisations, dropout and a mixture of layers.
func deep() nn.Sequential {
	r := nn.NewRNG(5)
	return nn.NewSequential(
		nn.NewMLP([]int{2, 33, 16}, nn.MLPConfig{
			Norm: func(n int) nn.Layer { return nn.NewLayerNorm(n, nn.LayerNormConfig{}) }, Dropout: 0.2,
		}, r),
		nn.Func((*autograd.Var).GELU), // between, as a bias before a batch normalisation has no gradient but noise
		nn.NewBatchNorm1d(16, nn.BatchNormConfig{}),
		nn.NewPReLU(16, nn.PReLUConfig{}, r),
		nn.NewLinear(16, 2, r),
	)
}

// steps trains for some steps in scopes and returns the losses.
func steps(m nn.Sequential, opt optim.Optimizer, x *autograd.Var, labels []int32, n int) (losses []float64) {
	for range n {
		opt.ZeroGrad()
		loss := autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
			loss := autograd.CrossEntropy(m.Forward(xs[0]), labels, nil)
			loss.Backward()
			return loss
		}, x)
		optim.ClipGradNorm(nn.Parameters(m), 1)
		opt.Step()
		losses = append(losses, loss.Tensor().Item())
	}
	return losses
}

func adamOf(m nn.Sequential) optim.Optimizer {
	return optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.02})
}

func TestToDTypeConvertsParametersBuffersAndGradients(t *testing.T) {
	m := deep()
	x, labels := spirals(20)
	autograd.CrossEntropy(m.Forward(x), labels, nil).Backward()
	before := nn.State(m)
	var gradients []float64
	for _, p := range nn.Parameters(m) {
		gradients = append(gradients, p.Gradient().Float64s()...)
	}
	nn.ToDType(m, tensor.Float64)
	for i, s := range nn.State(m) {
		want := tensor.Float64
		if s.Name == "2.num_batches_tracked" {
			want = tensor.Int64
		}
		if s.Var != before[i].Var || s.Var.DType() != want {
			t.Errorf("%s is %v, want %v in place", s.Name, s.Var.DType(), want)
		}
	}
	for _, p := range nn.Parameters(m) {
		g := p.Gradient()
		if g.DType() != tensor.Float64 || !slices.Equal(g.Float64s(), gradients[:g.Size()]) {
			t.Errorf("gradient %v, was %v", g, gradients[:g.Size()])
		}
		gradients = gradients[g.Size():]
	}
	wide := autograd.Constant(x.Tensor().To(tensor.Float64))
	y := m.Forward(wide)
	if y.DType() != tensor.Float64 {
		t.Errorf("the result is %v", y.DType())
	}
	for want, f := range map[string]func(){
		"nn: ToDType: element type i32; want f32 or f64":         func() { nn.ToDType(m, tensor.Int32) },
		"nn: ToDType: a module is a non-nil pointer to a struct": func() { nn.ToDType(7, tensor.Float32) },
		"autograd: ConvertTo: v is a result of Exp; only leaves can": func() {
			wide.Exp().ConvertTo(tensor.Float32)
			autograd.Variable(wide.Tensor()).Exp().ConvertTo(tensor.Float32)
		},
		"autograd: ConvertTo: from i32 to f32; want f32 or f64": func() { autograd.Constant(tensor.Zeros(tensor.Int32, 2)).ConvertTo(tensor.Float32) },
	} {
		if err := autograd.Try(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestTrainingOnADeviceIsThatOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	x, labels := spirals(20)
	here, there := deep(), deep()
	nn.To(there, d)
	a := steps(here, adamOf(here), x, labels, 5)
	b := steps(there, adamOf(there), x.ToDevice(d), labels, 5)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-5 {
			t.Errorf("step %d: loss %v, on the CPU %v", i, b[i], a[i])
		}
	}
	far := nn.State(there)
	for i, s := range nn.State(here) {
		if far[i].Var.Device() != d {
			t.Errorf("%s is on %v", s.Name, far[i].Var.Device())
		}
		want, got := s.Var.Tensor().Float64s(), far[i].Var.Tensor().Float64s()
		for k := range want {
			if math.Abs(want[k]-got[k]) > 1e-5*max(1, math.Abs(want[k])) {
				t.Errorf("%s: element %d is %v, on the CPU %v", s.Name, k, got[k], want[k])
				break
			}
		}
	}
	nn.Eval(here)
	nn.Eval(there)
	if a, b := nn.Accuracy(here.Forward(x), labels, nil), nn.Accuracy(there.Forward(x.ToDevice(d)), labels, nil); a != b {
		t.Errorf("accuracy %v, on the CPU %v", b, a)
	}
}

// Each replay of a captured step moves running estimates as the step does, once.
func TestReplaysMoveRunningEstimates(t *testing.T) {
	d := densetest.Device(t)
	const batches = 5
	run := func(d *tensor.Device, captured, checkpointed bool) (state []float64) {
		b := nn.NewBatchNorm1d(3, nn.BatchNormConfig{})
		nn.To(b, d)
		x := autograd.Variable(tensor.Empty(tensor.Float32, 4, 3).ToDevice(d))
		step := func() {
			var y *autograd.Var
			if checkpointed {
				y = nn.Checkpoint(b, func(xs ...*autograd.Var) *autograd.Var { return b.Forward(xs[0]) }, x)
			} else {
				y = b.Forward(x)
			}
			y.Square().Mean().Backward()
		}
		for i := range batches {
			x.Tensor().CopyFrom(tensor.Randn(tensor.Float32, uint64(i+1), 4, 3))
			if i == 1 && captured {
				step = densetest.Captured(t, d, step)
			}
			step()
		}
		for _, v := range []*autograd.Var{b.RunningMean, b.RunningVar, b.NumBatchesTracked} {
			state = append(state, v.Tensor().Float64s()...)
		}
		return state
	}
	want := run(nil, false, false)
	for _, checkpointed := range []bool{false, true} {
		for _, captured := range []bool{false, true} {
			got := run(d, captured, checkpointed)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-5) {
					t.Errorf("captured %v, with Checkpoint %v: estimates %v, want %v", captured, checkpointed, got, want)
					break
				}
			}
		}
	}
}

func TestRememberedBuffersComeBackWhereTheModuleIs(t *testing.T) {
	d := densetest.Device(t)
	b := nn.NewBatchNorm1d(3, nn.BatchNormConfig{})
	want := stateBits(b)
	back := nn.Remember(b)
	b.Forward(autograd.Constant(tensor.Randn(tensor.Float32, 1, 4, 3)))
	nn.To(b, d)
	back()
	for _, s := range nn.State(b) {
		if s.Var.Device() != d {
			t.Errorf("%s is on %v", s.Name, s.Var.Device())
		}
	}
	if nn.To(b, nil); stateBits(b) != want {
		t.Errorf("the estimates are not those that were remembered:\n%s", stateBits(b))
	}
}

// What a Scope puts off has the estimates of then, which the same captured step moves.
func TestEvaluationInACapturedScopeIsThatOfThen(t *testing.T) {
	d := densetest.Device(t)
	run := func(d *tensor.Device) (results []float64) {
		b := nn.NewBatchNorm1d(3, nn.BatchNormConfig{})
		nn.To(b, d)
		x := autograd.Constant(tensor.Randn(tensor.Float32, 1, 4, 3).ToDevice(d))
		var y *autograd.Var
		step := func() {
			y = autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
				nn.Eval(b)
				y := b.Forward(xs[0])
				nn.Train(b)
				b.Forward(xs[0])
				return y
			}, autograd.NoGrad(x))
		}
		step()
		if d != nil {
			step = densetest.Captured(t, d, step)
		}
		for range 2 {
			step()
			results = append(results, y.Tensor().Float64s()...)
		}
		return results
	}
	want, got := run(nil), run(d)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-5) {
			t.Fatalf("captured: %v, want %v", got, want)
		}
	}
}

// A run is interrupted on a device and goes on on the CPU, and the other way round.
func TestFilesGoFromDeviceToDevice(t *testing.T) {
	d := densetest.Device(t)
	x, labels := spirals(10)
	on := map[*tensor.Device]*autograd.Var{nil: x, d: x.ToDevice(d)}
	for _, way := range [][2]*tensor.Device{{nil, d}, {d, nil}, {d, d}} {
		m := deep()
		nn.To(m, way[0])
		opt := adamOf(m)
		steps(m, opt, on[way[0]], labels, 2)
		path := filepath.Join(t.TempDir(), "run")
		if err := nn.SaveTraining(path, &nn.Training{Model: m, Parts: map[string]nn.Stateful{"optimizer": opt}}); err != nil {
			t.Fatal(err)
		}
		again := deep()
		nn.To(again, way[1])
		next := adamOf(again)
		if err := nn.LoadTraining(path, &nn.Training{Model: again, Parts: map[string]nn.Stateful{"optimizer": next}}); err != nil {
			t.Fatal(err)
		}
		want, got := steps(m, opt, on[way[0]], labels, 2), steps(again, next, on[way[1]], labels, 2)
		for i := range want {
			if math.Abs(want[i]-got[i]) > 1e-5 {
				t.Errorf("%v to %v, step %d: loss %v, want %v", way[0], way[1], i, got[i], want[i])
			}
		}
		var file bytes.Buffer
		if err := nn.Save(&file, again); err != nil {
			t.Fatal(err)
		}
		nn.To(again, way[0])
		if err := nn.Load(&file, again); err != nil {
			t.Fatal(err)
		}
	}
}

// Layers and losses that make tensors of their own make them where their input is.
func TestLayersAndLossesOnADevice(t *testing.T) {
	d := densetest.Device(t)
	r := nn.NewRNG(1)
	attention := nn.NewMultiheadAttention(8, 2, nn.AttentionConfig{}, r)
	lstm := nn.NewLSTMCell(8, 4, nn.CellConfig{}, r)
	gru := nn.NewGRU(8, 4, nn.RecurrentConfig{Layers: 2}, r)
	memory := nn.NewLSTM(8, 4, nn.RecurrentConfig{Bidirectional: true}, r)
	encoder := nn.NewTransformerEncoder(2, 8, 2, nn.TransformerConfig{Feedforward: 16, FinalNorm: true}, r)
	embedding, padded := nn.NewEmbedding(9, 8, nn.EmbeddingConfig{}, r), nn.NewEmbedding(9, 8, nn.EmbeddingConfig{Padding: new(3)}, r)
	near := autograd.Constant(tensor.FromSlice([]int64{1, 0, 8, 3, 3, 2}, 6))
	x := autograd.Variable(tensor.Randn(tensor.Float32, 3, 6, 8))
	y := autograd.Constant(tensor.Rand(tensor.Float32, 4, 6, 8))
	labels := []int32{1, 0, 7, 3, 3, 2}
	weights := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for name, f := range map[string]func(x, y *autograd.Var) *autograd.Var{
		"attention": func(x, _ *autograd.Var) *autograd.Var {
			return attention.Forward(x, x, x, nn.CausalMask(6)).Sum()
		},
		"transformer": func(x, _ *autograd.Var) *autograd.Var {
			return encoder.Forward(x.Reshape(3, 2, 8), bothMasks([]int{2, 1, 2}, 2)).Sin().Sum()
		},
		"lstm": func(x, _ *autograd.Var) *autograd.Var {
			h, c := lstm.Forward(x, nil, nil)
			return h.Add(c).Sum()
		},
		"gru over sequences": func(x, _ *autograd.Var) *autograd.Var {
			out, last := gru.Forward(x.Reshape(3, 2, 8), nil)
			return out.Square().Sum().Add(last.Sum())
		},
		"lstm over sequences": func(x, _ *autograd.Var) *autograd.Var {
			out, h, c := memory.ForwardLengths(x.Reshape(3, 2, 8), []int{1, 3}, nil, nil)
			return out.Square().Sum().Add(h.Mul(c).Sum())
		},
		"embedding": func(x, _ *autograd.Var) *autograd.Var { return embedding.Forward(labels).Mul(x).Sum() },
		"embedding of a tensor": func(x, _ *autograd.Var) *autograd.Var {
			there := near.ToDevice(x.Device())
			return padded.ForwardIndices(near).Add(padded.ForwardIndices(there)).Mul(x).Sum()
		},
		"cross entropy": func(x, _ *autograd.Var) *autograd.Var { return nn.CrossEntropy(x, labels, []int32{1, 4}) },
		"weighted": func(x, _ *autograd.Var) *autograd.Var {
			return autograd.CrossEntropy(x, labels, nil, autograd.ClassWeights(weights), autograd.LabelSmoothing(0.1))
		},
		"bce":   func(x, y *autograd.Var) *autograd.Var { return nn.BCEWithLogits(x, y, nn.PosWeight(2)) },
		"kl":    func(x, y *autograd.Var) *autograd.Var { return nn.KLDiv(x.LogSoftmax(), y) },
		"huber": func(x, y *autograd.Var) *autograd.Var { return nn.Huber(x, y, 0.5) },
	} {
		run := func(d *tensor.Device) (loss float64, gradient []float64) {
			for _, m := range []any{attention, encoder, lstm, gru, memory, embedding, padded} {
				nn.To(m, d)
			}
			in := autograd.Variable(x.Tensor().ToDevice(d))
			out := f(in, y.ToDevice(d))
			out.Backward()
			return out.Tensor().Item(), in.Gradient().Float64s()
		}
		a, da := run(nil)
		b, db := run(d)
		if math.Abs(a-b) > 1e-5*max(1, math.Abs(a)) {
			t.Errorf("%s: %v, on the CPU %v", name, b, a)
		}
		for i := range da {
			if math.Abs(da[i]-db[i]) > 1e-5 {
				t.Errorf("%s: gradient %d: %v, on the CPU %v", name, i, db[i], da[i])
				break
			}
		}
	}
	nn.To(embedding, d)
	nn.GlorotUniform(embedding.Weight, nn.NewRNG(7))
	other := nn.NewEmbedding(9, 8, nn.EmbeddingConfig{}, r)
	nn.GlorotUniform(other.Weight, nn.NewRNG(7))
	if a, b := embedding.Weight.Tensor().At(2, 3), other.Weight.Tensor().At(2, 3); a != b {
		t.Errorf("initialised on a device: %v, want %v", a, b)
	}
}

// Masks may be anywhere; they hide what the numbers that they stand for hide, to the bit.
func TestMasksOfAttentionOnAnyDeviceAreThoseOfNumbers(t *testing.T) {
	d := densetest.Device(t)
	m := nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{}, nn.NewRNG(1))
	x := tensor.Randn(tensor.Float32, 1, 3, 5, 4)
	keys := nn.PaddingMask([]int{5, 2, 4}, 5).Keys
	pairs := tensor.Zeros(tensor.Bool, 6, 5, 5) // of each head
	for i := range 6 {
		pairs.Narrow(0, i, i+1).Narrow(1, i%5, i%5+1).Narrow(2, 1, 1+i%4).Fill(1)
	}
	numbers := func(mask *tensor.Tensor) *tensor.Tensor {
		t := tensor.Zeros(tensor.Float32, mask.Shape()...)
		for i, hidden := range tensor.Data[bool](mask) {
			if hidden {
				tensor.Data[float32](t)[i] = float32(math.Inf(-1))
			}
		}
		return t
	}
	spread := numbers(tensor.Or(pairs, keys.Reshape(3, 1, 1, 5).Expand(3, 2, 5, 5).Reshape(6, 5, 5)))
	run := func(on *tensor.Device, mask nn.AttentionMask) (out, gradient []float64) {
		nn.To(m, on)
		in := autograd.Variable(x.ToDevice(on))
		y := m.Forward(in, in, in, mask)
		y.Sin().Sum().Backward()
		return y.Tensor().Float64s(), in.Gradient().Float64s()
	}
	for _, on := range []*tensor.Device{nil, d} {
		for _, there := range []*tensor.Device{nil, d} {
			for name, c := range map[string]struct{ mask, want nn.AttentionMask }{
				"both":   {nn.AttentionMask{Keys: keys.ToDevice(there), Pairs: pairs.ToDevice(there)}, nn.AttentionMask{Pairs: spread}},
				"causal": {nn.AttentionMask{Pairs: nn.CausalMask(5).Pairs.ToDevice(there)}, nn.AttentionMask{Pairs: numbers(nn.CausalMask(5).Pairs)}},
				"view":   {nn.AttentionMask{Pairs: nn.CausalMask(5).Pairs.ToDevice(there).Transpose()}, nn.AttentionMask{Pairs: numbers(nn.CausalMask(5).Pairs).Transpose()}},
			} {
				out, gradient := run(on, c.mask)
				want, wantGradient := run(on, c.want)
				if !slices.Equal(out, want) || !slices.Equal(gradient, wantGradient) {
					t.Errorf("%s on %v, the layer on %v: %v, want %v", name, there, on, out, want)
				}
			}
		}
	}
}

// A step of a model of sentences is captured: words, masks and gradients that are clipped stay
// on the device, and replays take the words and masks that are there then.
func TestACapturedStepOfSentencesOnADeviceIsTheStep(t *testing.T) {
	d := densetest.Device(t)
	const batches, maxNorm = 5, 0.3
	run := func(captured bool) (norms, weights []float64) {
		r := nn.NewRNG(1)
		words := nn.NewEmbedding(9, 4, nn.EmbeddingConfig{Padding: new(0)}, r)
		attention := nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{}, r)
		params := append(nn.Parameters(words), nn.Parameters(attention)...)
		nn.To(words, d)
		nn.To(attention, d)
		opt := optim.NewAdam(optim.Params(params), optim.AdamConfig{LR: 0.05})
		ids := autograd.Constant(tensor.Zeros(tensor.Int64, 3, 5).ToDevice(d))
		hidden := nn.AttentionMask{Keys: tensor.Zeros(tensor.Bool, 3, 5).ToDevice(d), Pairs: nn.CausalMask(5).Pairs}
		var norm *tensor.Tensor
		step := func() {
			for _, p := range params {
				p.ZeroGrad()
			}
			x := words.ForwardIndices(ids)
			attention.Forward(x, x, x, hidden).Square().Sum().Backward()
			norm = optim.ClipGradNormTensor(params, maxNorm)
		}
		for i := range batches {
			lengths := []int{1 + i, 5 - i, 3}
			numbers := tensor.Zeros(tensor.Int64, 3, 5)
			for b, n := range lengths {
				for k := range n {
					tensor.Data[int64](numbers)[5*b+k] = int64(1 + (3*i+b*k)%8)
				}
			}
			ids.Tensor().CopyFrom(numbers)
			hidden.Keys.CopyFrom(nn.PaddingMask(lengths, 5).Keys)
			if i == 1 && captured {
				step = densetest.Captured(t, d, step)
			}
			step()
			opt.Step()
			norms = append(norms, norm.Item())
		}
		for _, p := range params {
			weights = append(weights, p.Tensor().Float64s()...)
		}
		return norms, weights
	}
	norms, weights := run(false)
	gotNorms, got := run(true)
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(1, math.Abs(b)) }
	if !slices.EqualFunc(gotNorms, norms, same) || !slices.EqualFunc(got, weights, same) {
		t.Errorf("captured: norms %v, weights %v\nwant %v, %v", gotNorms, got, norms, weights)
	}
	if norms[0] < maxNorm || slices.Max(norms) == slices.Min(norms) {
		t.Errorf("norms %v: nothing is clipped, or all batches are one", norms)
	}
}

// After training and a last free nothing is left on the device: closing it in debug mode
// reports no buffer, and the machine saw nothing that a program must not do.
func TestTrainingLeavesNoMemoryBehind(t *testing.T) {
	d, machine := densetest.Open(t, device.Options{}, driver.DeviceOptions{Debug: true})
	x, labels := spirals(8)
	m := deep()
	nn.To(m, d)
	opt := adamOf(m)
	far := x.Tensor().ToDevice(d)
	steps(m, opt, autograd.Constant(far), labels, 2)
	for _, s := range opt.State() {
		if s.Device() == d {
			s.Free()
		}
	}
	opt.ZeroGrad()
	for _, s := range nn.State(m) {
		s.Var.Tensor().Free()
	}
	far.Free()
	tensor.TrimMemory() // collects what a step leaves to the collector
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil { // a *driver.LeakError, if buffers are alive
		t.Error(err)
	}
	if faults := machine.Driver().Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestOutOfMemoryNamesTheLargestBuffers(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{Memory: 64 << 20}, driver.DeviceOptions{})
	kept := tensor.ZerosOn(d, tensor.Float32, 8<<20)
	failure := autograd.Try(func() {
		one := tensor.Exp(kept)
		two := tensor.Exp(one)
		two.At(0)
	})
	var full *driver.OutOfMemoryError
	if !errors.As(failure, &full) || len(full.Largest) == 0 || full.Largest[0].Bytes != 32<<20 {
		t.Fatalf("%v", failure)
	}
	if got := kept.At(7); got != 0 { // the device goes on
		t.Errorf("element %v, want 0", got)
	}
}
