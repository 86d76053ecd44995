package autograd

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/tensor"
)

// casesOnDevice lists the cases of every row with their constants on a device.
func casesOnDevice(d *tensor.Device) []gradCase {
	casesOn = d
	defer func() { casesOn = nil }()
	return gradCases()
}

// A deviceRun is what a case gives: its result and the gradients of its inputs.
type deviceRun struct{ result, gradients []*tensor.Tensor }

// runOn runs a case on a device in an element type, from the same inputs.
func (c gradCase) runOn(d *tensor.Device, dt tensor.DType) (r deviceRun, err error) {
	casesOn = d
	defer func() { casesOn = nil }()
	err = Try(func() {
		xs := c.inputs()
		for i, x := range xs {
			xs[i] = Variable(x.value.To(dt).ToDevice(d))
		}
		y := c.f(xs...)
		r.result = append(r.result, y.Tensor())
		cotangent := randomTensor(9, nonzero, y.Shape()...).To(y.DType()).ToDevice(d)
		for _, g := range GradWith(y, Constant(cotangent), xs) {
			if g == nil {
				r.gradients = append(r.gradients, nil)
			} else {
				r.gradients = append(r.gradients, g.Tensor())
			}
		}
	})
	return r, err
}

// sameOn compares tensors of a device with those of the CPU, relative to the largest.
func sameOn(d *tensor.Device, got, want *tensor.Tensor, tolerance float64) error {
	switch {
	case (got == nil) != (want == nil):
		return fmt.Errorf("%v, on the CPU %v", got, want)
	case got == nil:
		return nil
	case got.Device() != d:
		return fmt.Errorf("is on %v", got.Device())
	case got.DType() != want.DType() || !got.Shape().Equal(want.Shape()):
		return fmt.Errorf("%v, on the CPU %v", got, want)
	}
	a, b := got.Float64s(), want.Float64s()
	scale := 1e-30
	for _, v := range b {
		if v-v == 0 {
			scale = max(scale, math.Abs(v))
		}
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance*scale) && a[i] != b[i] && !(a[i] != a[i] && b[i] != b[i]) {
			return fmt.Errorf("element %d is %v, on the CPU %v", i, a[i], b[i])
		}
	}
	return nil
}

// Every row of the op table computes on a device what it computes on the CPU, values and
// gradients.
func TestEveryOpOnADeviceIsThatOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	near, far := gradCases(), casesOnDevice(d)
	for _, k := range []struct {
		dt        tensor.DType
		tolerance float64
	}{{tensor.Float64, 1e-13}, {tensor.Float32, 2e-6}} {
		ran := 0
		for i, c := range far {
			if testing.Short() && i%11 != int(k.dt) { // a kernel takes its time to compile
				ran++
				continue
			}
			want, err := near[i].runOn(nil, k.dt)
			if err != nil {
				if k.dt == tensor.Float64 {
					t.Errorf("%v on the CPU: %v", c, err)
				}
				continue // a constant of the case is Float64
			}
			ran++
			got, err := c.runOn(d, k.dt)
			if err != nil {
				t.Errorf("%v %v: %v", c, k.dt, err)
				continue
			}
			if err := sameOn(d, got.result[0], want.result[0], k.tolerance); err != nil {
				t.Errorf("%v %v: %v", c, k.dt, err)
			}
			for j := range want.gradients {
				if err := sameOn(d, got.gradients[j], want.gradients[j], k.tolerance); err != nil {
					t.Errorf("%v %v: gradient %d: %v", c, k.dt, j, err)
				}
			}
		}
		if ran < len(far)*9/10 {
			t.Errorf("%v: %d of %d cases ran", k.dt, ran, len(far))
		}
	}
}

// What a scope puts off is one kernel on a device, whatever its size, and gives the same.
func TestChainsOfAScopeAreOneKernelOnADevice(t *testing.T) {
	d, machine := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	near := NoGrad(Constant(randomTensor(3, nonzero, 5, 4)))
	far := near.ToDevice(d)
	chain := func(xs ...*Var) *Var { return xs[0].Scale(2).SiLU().Mul(xs[0]).AddScalar(1).Tanh() }
	run := func() *tensor.Tensor { return Scope(chain, far).Tensor() }
	if err := sameOn(d, run(), chain(near).Tensor(), 1e-13); err != nil { // compiles
		t.Error(err)
	}
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	before := machine.Driver().Count("cuLaunchKernel")
	run()
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if n := machine.Driver().Count("cuLaunchKernel") - before; n != 1 {
		t.Errorf("%d kernels, want 1", n)
	}
}

func TestGradcheckOnADevice(t *testing.T) {
	d := densetest.Device(t)
	x, w := Variable(randomTensor(1, nonzero, 3, 2).ToDevice(d)), Variable(randomTensor(2, nonzero, 2, 2).ToDevice(d))
	if err := Gradcheck(func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]).Tanh() }, []*Var{x, w}); err != nil {
		t.Error(err)
	}
	wrong := func(xs ...*Var) *Var { // whose gradient is half of what it should be
		half := xs[0].Scale(0.5)
		return half.Add(half.Detach())
	}
	if Gradcheck(wrong, []*Var{x}) == nil {
		t.Error("a wrong gradient passes")
	}
}

// Gradients flow from device to device, and a leaf that is moved takes its own along.
func TestVarsMoveBetweenDevices(t *testing.T) {
	d := densetest.Device(t)
	x := Variable(randomTensor(1, nonzero, 4))
	y := x.ToDevice(d).Square()
	z := y.ToDevice(tensor.CPU).Sum()
	if y.Device() != d || z.Device() != nil || x.ToDevice(nil) != x {
		t.Fatalf("%v %v", y.Device(), z.Device())
	}
	z.Backward()
	wantNear(t, "gradient", x.Gradient().Float64s(), tensor.Scale(x.Tensor(), 2).Float64s(), 1e-14)
	cube := x.ToDevice(d).Square().Mul(x.ToDevice(d)).ToDevice(tensor.CPU)
	slope := Grad(cube.Sum(), []*Var{x}, CreateGraph())[0]
	second := Grad(slope.Sum(), []*Var{x})[0]
	wantNear(t, "second derivative", second.Tensor().Float64s(), tensor.Scale(x.Tensor(), 6).Float64s(), 1e-13)
	x.MoveTo(d)
	if x.Device() != d || x.Gradient().Device() != d {
		t.Errorf("moved to %v, its gradient to %v", x.Device(), x.Gradient().Device())
	}
	x.Sum().Backward()
	wantNear(t, "sum of gradients", x.Gradient().Float64s(), tensor.AddScalar(tensor.Scale(x.Tensor(), 2), 1).Float64s(), 1e-14)
	g := x.Gradient().Clone()
	x.SetGradient(g)
	x.Sum().Backward()
	wantNear(t, "gradient that was set", x.Gradient().Float64s(), tensor.AddScalar(g, 1).Float64s(), 1e-14)
	var misuse *Error
	err := Try(func() { x.SetTensor(tensor.Ones(tensor.Float64, 4)) })
	if !errors.As(err, &misuse) || misuse.Op != "SetTensor" || !strings.Contains(misuse.Detail, "the tensor is on cpu, the value on cuda:0") {
		t.Errorf("SetTensor: %v", err)
	}
	for name, f := range map[string]func(){
		"gradient":        func() { x.SetGradient(tensor.Ones(tensor.Float64, 4)) },
		"two devices":     func() { x.Add(Constant(tensor.Zeros(tensor.Float64, 4))) },
		"cotangent":       func() { x.Exp().BackwardWith(tensor.Ones(tensor.Float64, 4)) },
		"a result":        func() { x.Exp().MoveTo(nil) },
		"Gorgonia's eyes": func() { x.Value() },
	} {
		if Try(f) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := x.Grad(); err == nil {
		t.Error("Grad: no error")
	}
}

func TestAnomaliesAreFoundOnADevice(t *testing.T) {
	d := densetest.Device(t)
	x := DetectAnomaly(Variable(tensor.FromSlice([]float64{1, -1}, 2).ToDevice(d)))
	var found *AnomalyError
	if err := Try(func() { x.Log() }); !errors.As(err, &found) || found.Op != "Log" {
		t.Errorf("%v", err)
	}
}

// A row's other classes, whose log-probabilities may be -Inf, have no part in its loss.
func TestClassWeightsOnADeviceLookAtTheOwnClassAlone(t *testing.T) {
	d := densetest.Device(t)
	inf := math.Inf(-1)
	x := tensor.FromSlice([]float64{-0.5, inf, -1, inf, 0, inf, -2, -0.25, inf}, 3, 3)
	labels, rows := []int32{0, 1, 1}, []int32{2, 0, 1}
	for name, f := range map[string]func(x *Var, labels, rows []int32, opts ...CrossEntropyOption) *Var{"CrossEntropy": CrossEntropy, "NLL": NLL} {
		for _, rows := range [][]int32{nil, rows} {
			run := func(d *tensor.Device) (*tensor.Tensor, *tensor.Tensor) {
				v := Variable(x.ToDevice(d))
				y := f(v, labels, rows, ClassWeights([]float64{0.5, 2, 3}))
				y.Backward()
				return y.Tensor(), v.Gradient()
			}
			want, wantGradient := run(nil)
			got, gradient := run(d)
			if v := want.Item(); v-v != 0 {
				t.Fatalf("%s on the CPU: %v", name, v)
			}
			if err := sameOn(d, got, want, 1e-13); err != nil {
				t.Errorf("%s, rows %v: %v", name, rows, err)
			}
			if err := sameOn(d, gradient, wantGradient, 1e-13); err != nil {
				t.Errorf("%s, rows %v: gradient: %v", name, rows, err)
			}
		}
	}
}

func TestGradientOfAbsOnADeviceIsZeroAtZeroWhateverArrives(t *testing.T) {
	d := densetest.Device(t)
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		x := Variable(tensor.Zeros(dt, 3).ToDevice(d))
		x.Abs().Sum().Sqrt().Backward()
		wantFull(t, dt.String(), x.Gradient(), 0)
	}
}

// lookUp returns the rows of a table that numbers name, and the table's gradient.
func lookUp(table, index *Var, padding *int, cotangent *tensor.Tensor) (rows, gradient *tensor.Tensor) {
	y := Embedding(table, index, padding)
	table.ZeroGrad()
	y.BackwardWith(cotangent)
	return y.Tensor(), table.Gradient()
}

// A captured look-up of numbers on the device is that of the numbers that are there when it
// is replayed, and those have to be in range. What arrives at padding is not added to anything.
func TestLookUpsOnADeviceAreCaptured(t *testing.T) {
	d := densetest.Device(t)
	for _, dt := range []tensor.DType{tensor.Int32, tensor.Int64} {
		for _, padding := range []*int{nil, new(2)} {
			g := randomTensor(3, nonzero, 4, 3, 5)
			near := Variable(randomTensor(1, nonzero, 7, 5))
			far, cotangent := Variable(near.Tensor().ToDevice(d)), g.Clone().ToDevice(d)
			index := Constant(tensor.Zeros(dt, 4, 3).ToDevice(d))
			var rows, gradient *tensor.Tensor
			step := func() { rows, gradient = lookUp(far, index, padding, cotangent) }
			step()
			captured, err := dense.Capture(d, step)
			if err != nil {
				t.Fatal(err)
			}
			for _, numbers := range [][]int32{{0, 1, 2, 3, 4, 5, 6, 2, 2, 6, 0, 2}, {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}, {2, 1, 2, 1, 0, 1, 2, 1, 2, 1, 1, 1}} {
				h := g.Clone()
				for i, r := range numbers {
					if padding != nil && int(r) == *padding {
						h.Reshape(12, 5).Narrow(0, i, i+1).Fill(math.NaN())
					}
				}
				ids := tensor.FromSlice(numbers, 4, 3)
				index.Tensor().CopyFrom(ids.To(dt))
				cotangent.CopyFrom(h)
				if err := captured.Replay(); err != nil {
					t.Fatal(err)
				}
				wantRows, wantGradient := lookUp(near, Constant(ids), padding, h)
				if err := sameOn(d, rows, wantRows, 0); err != nil {
					t.Errorf("%v %v: %v", dt, numbers, err)
				}
				if err := sameOn(d, gradient, wantGradient, 0); err != nil {
					t.Errorf("%v %v: gradient: %v", dt, numbers, err)
				}
			}
			for _, bad := range []float64{7, -1} {
				index.Tensor().Narrow(0, 1, 2).Fill(bad)
				var out *tensor.IndexError
				if err := Try(func() { _ = captured.Replay() }); !errors.As(err, &out) || out.At != 3 || out.Index != int(bad) || out.Limit != 7 {
					t.Errorf("a replay with number %v: %v", bad, err)
				}
			}
			if err := captured.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Where the table and the numbers are apart, the result is where the table is.
func TestLookUpsAcrossDevices(t *testing.T) {
	d := densetest.Device(t)
	table, index := randomTensor(1, nonzero, 4, 3), tensor.FromSlice([]int64{3, 0, 3, 1}, 2, 2)
	g := randomTensor(2, nonzero, 2, 2, 3)
	rows, gradient := lookUp(Variable(table), Constant(index), new(1), g)
	for _, on := range [][2]*tensor.Device{{nil, d}, {d, nil}, {d, d}} {
		far, farGradient := lookUp(Variable(table.ToDevice(on[0])), Constant(index.ToDevice(on[1])), new(1), g.ToDevice(on[0]))
		if err := errors.Join(sameOn(on[0], far, rows, 0), sameOn(on[0], farGradient, gradient, 0)); err != nil {
			t.Errorf("table on %v, numbers on %v: %v", on[0], on[1], err)
		}
	}
}

// Second derivatives go through the gradient of a look-up, in which padding has no part.
func TestLookUpsOnADeviceHaveSecondDerivatives(t *testing.T) {
	d := densetest.Device(t)
	for _, s := range []tensor.Shape{{4}, {4, 2}, {4, 2, 2}} {
		for _, index := range []*tensor.Tensor{tensor.FromSlice([]int64{3, 0, 3, 1}, 2, 2), tensor.FromSlice([]int32{2}), tensor.Zeros(tensor.Int32, 2, 0)} {
			for _, padding := range []*int{nil, new(3), new(0)} {
				gradient := func(on *tensor.Device) (x, slope *Var) {
					x = Variable(randomTensor(1, nonzero, s...).ToDevice(on))
					y := Embedding(x, Constant(index.ToDevice(on)), padding)
					return x, Grad(y.Sin().Sum(), []*Var{x}, CreateGraph())[0]
				}
				near, want := gradient(nil)
				far, got := gradient(d)
				want.Exp().Sum().Backward()
				got.Exp().Sum().Backward()
				if err := errors.Join(sameOn(d, got.Tensor(), want.Tensor(), 1e-14), sameOn(d, far.Gradient(), near.Gradient(), 1e-13)); err != nil {
					t.Errorf("table %v, numbers %v, padding %v: %v", s, index, padding, err)
				}
			}
		}
	}
}

// Gradients of several look-ups in a table are added up, and to what was there.
func TestGradientsOfLookUpsOnADeviceAddUp(t *testing.T) {
	d := densetest.Device(t)
	run := func(on *tensor.Device) *tensor.Tensor {
		x := Variable(randomTensor(1, nonzero, 4, 2).ToDevice(on))
		first, second := tensor.FromSlice([]int64{2, 0, 2, 1, 0, 3}, 2, 3), tensor.FromSlice([]int32{0, 3}, 2)
		for range 2 {
			a, b := Embedding(x, Constant(first.ToDevice(on)), new(0)), Embedding(x, Constant(second.ToDevice(on)), nil)
			a.Sin().Sum().Add(b.Exp().Sum()).Add(x.Sum()).Add(x.IndexSelect([]int32{2}).Sum()).Backward()
		}
		return x.Gradient()
	}
	if err := sameOn(d, run(d), run(nil), 1e-14); err != nil {
		t.Error(err)
	}
}

func TestMisuseOfLookUpsOnADevice(t *testing.T) {
	d := densetest.Device(t)
	table := Variable(tensor.Ones(tensor.Float64, 3, 2).ToDevice(d))
	on := func(t *tensor.Tensor) *Var { return Constant(t.ToDevice(d)) }
	wantMisuse(t, "tensor: TakeRows: index 1 is 3, out of range [0, 3)", func() { Embedding(table, on(tensor.FromSlice([]int32{0, 3}, 2)), nil) })
	wantMisuse(t, "tensor: TakeRows: index 0 is 4294967296, out of range [0, 3)", func() { Embedding(table, on(tensor.Full(tensor.Int64, 1<<32, 1)), nil) })
	wantMisuse(t, "tensor: Embedding: element type f64, want i32 or i64", func() { Embedding(table, table, nil) })
	wantMisuse(t, "autograd: Embedding: padding row 3 is outside [0, 3)", func() { Embedding(table, on(tensor.Zeros(tensor.Int32, 1)), new(3)) })
	for want, change := range map[string]func(index *Var){
		"autograd: Embedding: backward: operand 1 was changed after the forward pass": (*Var).MarkChanged,
		"autograd: Embedding: operand 1 has been freed before the backward pass":      func(index *Var) { index.Tensor().Free() },
	} {
		index := on(tensor.FromSlice([]int32{1, 2}, 2))
		loss := Embedding(table, index, nil).Sum().Add(table.IndexSelect([]int32{0}).Sum())
		change(index)
		wantMisuse(t, want, func() { loss.Backward() })
	}
}
