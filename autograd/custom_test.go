// Operations from outside the table.

package autograd

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestCustomTakesPartInTheBackwardPass(t *testing.T) {
	a, b := vec(2, 3), vec(4, 5)
	c := Constant(tensor.FromSlice([]float64{1, 1}, 2))
	f := func(xs ...*Var) *Var {
		x, y := xs[0].Tensor(), xs[1].Tensor()
		outs := Custom("mul and sum", []*Var{xs[0], xs[1], c}, []*tensor.Tensor{tensor.Mul(x, y), tensor.Add(x, y)},
			func(gs []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{
					tensor.Add(tensor.Mul(gs[0], y), gs[1]),
					tensor.Add(tensor.Mul(gs[0], x), gs[1]),
					nil,
				}
			})
		return outs[0].Exp().Add(outs[1].Square())
	}
	if err := Gradcheck(f, []*Var{a, b}, GradcheckTolerance(1e-6, 1e-3)); err != nil {
		t.Error(err)
	}
}

// cubeAndSum has a backward function that can be differentiated: x³y and x + y.
func cubeAndSum(x, y *Var) (cube, sum *Var) {
	outs := CustomVars("cube and sum", []*Var{x, y}, []*tensor.Tensor{tensor.Mul(tensor.Pow(x.Tensor(), 3), y.Tensor()), tensor.Add(x.Tensor(), y.Tensor())},
		func(gs []*Var) []*Var {
			zero := Constant(tensor.ZerosLike(x.Tensor()))
			for i := range gs {
				if gs[i] == nil {
					gs[i] = zero
				}
			}
			return []*Var{gs[0].Mul(x.Square()).Mul(y).Scale(3).Add(gs[1]), gs[0].Mul(x.Square().Mul(x)).Add(gs[1])}
		})
	return outs[0], outs[1]
}

func TestCustomVarsAreDifferentiatedAnyNumberOfTimes(t *testing.T) {
	x, y := vec(2, 3), vec(-1, 0.5)
	first := func(xs ...*Var) *Var {
		cube, sum := cubeAndSum(xs[0], xs[1])
		return cube.Tanh().Add(sum.Square())
	}
	if err := Gradcheck(first, []*Var{x, y}); err != nil {
		t.Error(err)
	}
	second := func(xs ...*Var) *Var {
		gs := Grad(first(xs...).Sum(), xs, CreateGraph())
		return gs[0].Mul(gs[1]).Add(gs[0])
	}
	if err := Gradcheck(second, []*Var{x, y}, GradcheckTolerance(1e-5, 1e-6)); err != nil {
		t.Error(err)
	}
	cube, _ := cubeAndSum(x, y)
	g := Grad(cube.Sum(), []*Var{x}, CreateGraph())[0]
	g = Grad(g.Sum(), []*Var{x}, CreateGraph())[0]
	wantNear(t, "third derivative", Grad(g.Sum(), []*Var{x})[0].Tensor().Float64s(), tensor.Scale(y.Tensor(), 6).Float64s(), 1e-13)
}

// What backward computes in a pass that makes no graph is recorded for nobody.
func TestCustomVarsRecordNothingUnderBackward(t *testing.T) {
	x := vec(2)
	var made *Var
	y := CustomVars("twice", []*Var{x}, []*tensor.Tensor{tensor.Scale(x.Tensor(), 2)}, func(gs []*Var) []*Var {
		made = gs[0].Mul(x).Div(x).Scale(2)
		return []*Var{made}
	})[0]
	y.Sum().Backward()
	if made.RequiresGrad() {
		t.Error("the gradient requires a gradient")
	}
	wantNear(t, "gradient", x.Gradient().Float64s(), []float64{2}, 0)
}

// A pass that makes a graph says which gradients it looks at.
func TestCustomSavingIsToldWhatIsWanted(t *testing.T) {
	x, y, c := vec(2), vec(3), Constant(vec(4).Tensor())
	var seen [][]bool
	product := CustomSaving("product", []*Var{x, y, c}, []*tensor.Tensor{tensor.Mul(x.Tensor(), y.Tensor())}, nil,
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{tensor.Mul(gs[0], y.Tensor()), tensor.Mul(gs[0], x.Tensor()), nil}
		},
		func(gs []*Var, wanted []bool) []*Var {
			seen = append(seen, slices.Clone(wanted))
			return []*Var{gs[0].Mul(y), gs[0].Mul(x), nil}
		})[0]
	for _, xs := range [][]*Var{{x}, {y}, {y, x}} {
		Grad(product, xs, CreateGraph())
	}
	Grad(product, []*Var{x})
	if want := [][]bool{{true, false, false}, {false, true, false}, {true, true, false}}; !slices.EqualFunc(seen, want, slices.Equal) {
		t.Errorf("wanted %v, want %v", seen, want)
	}
}

// productAndSum is x·y and x + y as one operation; called counts the calls of its operations.
func productAndSum(x, y *Var, called *int) []*Var {
	f := func(xs ...*Var) []*Var { *called++; return []*Var{xs[0].Mul(xs[1]), xs[0].Add(xs[1])} }
	a, b := x.Tensor(), y.Tensor()
	return CustomFused("product and sum", f, []*Var{x, y}, []*tensor.Tensor{tensor.Mul(a, b), tensor.Add(a, b)}, nil,
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			dx, dy := tensor.ZerosLike(a), tensor.ZerosLike(b)
			if gs[0] != nil {
				tensor.AddInto(dx, tensor.Mul(gs[0], b))
				tensor.AddInto(dy, tensor.Mul(gs[0], a))
			}
			if gs[1] != nil {
				tensor.AddInto(dx, gs[1])
				tensor.AddInto(dy, gs[1])
			}
			return []*tensor.Tensor{dx, dy}
		})
}

func TestCustomFusedIsDifferentiatedAgainByItsOperations(t *testing.T) {
	for name, f := range map[string]func(product, sum *Var) *Var{
		"both":       func(product, sum *Var) *Var { return product.Tanh().Mul(sum.Square()) },
		"the first":  func(product, _ *Var) *Var { return product.Tanh() },
		"the second": func(_, sum *Var) *Var { return sum.Tanh() },
	} {
		x, y := vec(0.2, 0.3), vec(-1, 0.5)
		called := 0
		first := func(xs ...*Var) *Var {
			outs := productAndSum(xs[0].Exp(), xs[1], &called)
			return f(outs[0], outs[1])
		}
		if err := Gradcheck(first, []*Var{x, y}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if called > 0 {
			t.Errorf("%s: the operations were called for a gradient that is not differentiated", name)
		}
		second := func(xs ...*Var) *Var {
			gs := Grad(first(xs...).Sum(), xs, CreateGraph())
			return gs[0].Mul(gs[1]).Add(gs[0])
		}
		if err := Gradcheck(second, []*Var{x, y}, GradcheckTolerance(1e-5, 1e-6)); err != nil {
			t.Errorf("%s, second derivatives: %v", name, err)
		}
	}
}

// An operation may hand an input on.
func TestCustomFusedMayReturnItsInputs(t *testing.T) {
	x, y := vec(2), vec(3)
	h := x.Square()
	outs := CustomFused("op", func(xs ...*Var) []*Var { return []*Var{xs[0], xs[1], xs[0].Mul(xs[1])} }, []*Var{h, y},
		[]*tensor.Tensor{h.Tensor().Clone(), y.Tensor().Clone(), tensor.Mul(h.Tensor(), y.Tensor())}, nil,
		func([]*tensor.Tensor) []*tensor.Tensor { return nil })
	g := Grad(outs[0].Scale(10).Add(outs[1].Scale(100)).Add(outs[2]), []*Var{x, y}, CreateGraph())
	wantNear(t, "gradients", []float64{g[0].Tensor().Item(), g[1].Tensor().Item()}, []float64{40 + 12, 100 + 4}, 0)
}

func TestCustomFusedRejectsMisuse(t *testing.T) {
	backward := func(f func(x *Var) []*Var, change bool) func() {
		return func() {
			x := vec(2, 3)
			y := CustomFused("op", func(xs ...*Var) []*Var { return f(xs[0]) }, []*Var{x}, []*tensor.Tensor{x.Tensor().Clone()}, nil,
				func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{gs[0].Clone()} })[0].Sum()
			if change {
				x.MarkChanged()
			}
			Grad(y, []*Var{x}, CreateGraph())
		}
	}
	wantMisuse(t, "autograd: op: the function is nil", func() { CustomFused("op", nil, nil, nil, nil, nil) })
	wantMisuse(t, "autograd: op: the function gives 2 results, the operation 1", backward(func(x *Var) []*Var { return []*Var{x, x} }, false))
	wantMisuse(t, "autograd: op: the function gives another shape the second time: [2] x []", backward(func(x *Var) []*Var { return []*Var{x.Sum()} }, false))
	wantMisuse(t, "autograd: op: backward: operand 0 was changed after the forward pass", backward(func(x *Var) []*Var { return []*Var{x.Exp()} }, true))
}

// One temporary, or a view of it, is the gradient of several inputs: none of them may write to
// it while another still reads it.
func TestCustomVarsMayGiveOneGradientToSeveralInputs(t *testing.T) {
	const n = 1000 // of the pool
	same := func(g *Var) []*Var { s := g.Scale(2); return []*Var{s, s} }
	for _, c := range []struct {
		what     string
		backward func(g *Var) []*Var
		inputs   func(w, h *Var) []*Var
		want     float64
	}{
		{"leaf and result", same, func(w, h *Var) []*Var { return []*Var{w, h} }, 2 + 20},
		{"result and leaf", same, func(w, h *Var) []*Var { return []*Var{h, w} }, 20 + 2},
		{"leaf twice", same, func(w, h *Var) []*Var { return []*Var{w, w} }, 4},
		{"a view for the result", func(g *Var) []*Var { s := g.Scale(2); return []*Var{s, s.Reshape(1, n).Reshape(n)} }, func(w, h *Var) []*Var { return []*Var{w, h} }, 2 + 20},
		{"a view for the leaf", func(g *Var) []*Var { s := g.Scale(2); return []*Var{s.Reshape(1, n).Reshape(n), s} }, func(w, h *Var) []*Var { return []*Var{w, h} }, 2 + 20},
		{"another one in between, that is added in place", func(g *Var) []*Var { s := g.Scale(2); return []*Var{s, g.Scale(5), s} },
			func(w, h *Var) []*Var { return []*Var{h, h, w} }, 20 + 50 + 2},
	} {
		w := Variable(tensor.Ones(tensor.Float32, n))
		inputs := c.inputs(w, w.Scale(3).Add(w.Scale(7)))
		y := CustomVars("2(a+b)", inputs, []*tensor.Tensor{tensor.Ones(tensor.Float32, n)}, func(gs []*Var) []*Var { return c.backward(gs[0]) })[0]
		y.Sum().Backward()
		wantFull(t, c.what, w.Gradient(), c.want)
	}
}

// A gradient that is added to a view of itself, whose elements lie elsewhere.
func TestCustomVarsMayGiveATransposedGradientToTheSameInput(t *testing.T) {
	const n = 32
	for name, x := range map[string]func(w *Var) *Var{
		"leaf": func(w *Var) *Var { return w }, "result": func(w *Var) *Var { return w.AddScalar(0) },
		"leaf with a hook": func(w *Var) *Var { w.RegisterHook(func(*Var) *Var { return nil }); return w },
	} {
		w := Variable(tensor.Zeros(tensor.Float32, n, n))
		in := x(w)
		cotangent := tensor.Randn(tensor.Float32, 1, n, n)
		CustomVars("2(x+xᵀ)", []*Var{in, in}, []*tensor.Tensor{tensor.Zeros(tensor.Float32, n, n)}, func(gs []*Var) []*Var {
			g := gs[0].Scale(2)
			return []*Var{g, g.Transpose()}
		})[0].BackwardWith(cotangent)
		twice := tensor.Scale(cotangent, 2)
		wantSameBits(t, name, w.Gradient(), tensor.Add(twice, twice.Transpose()))
	}
}

// What the last input gets, a leaf may keep, and the rest is given back.
func TestCustomVarsLeaveNoMemoryBehind(t *testing.T) {
	w := Parameter(tensor.Ones(tensor.Float32, side, side))
	var made *Var
	y := CustomVars("2(a+b)", []*Var{w.Scale(3), w.Scale(7), w}, []*tensor.Tensor{tensor.Ones(tensor.Float32, side, side)},
		func(gs []*Var) []*Var {
			made = gs[0].Tanh().Exp()
			return []*Var{gs[0].Scale(2), gs[0].Scale(2), made}
		})[0]
	loss := y.Sum()
	made = nil
	before := tensor.MemoryStats().Live
	loss.Backward()
	const buffer = 7 << 10 // of side² float32, as the pool rounds it up
	if more := tensor.MemoryStats().Live - before; more > buffer {
		t.Errorf("%d bytes are left of the pass, more than the gradient's %d", more, buffer)
	}
	v := Parameter(tensor.Ones(tensor.Float32, side, side))
	CustomVars("twice", []*Var{v}, []*tensor.Tensor{v.Tensor()}, func(gs []*Var) []*Var { made = gs[0].Scale(2); return []*Var{made} })[0].Sum().Backward()
	if v.grad != made.value {
		t.Error("the gradient of a leaf is a copy of what nobody else has")
	}
}

func TestCustomVarsMisuse(t *testing.T) {
	x := vec(1, 2)
	run := func(backward func(gs []*Var) []*Var) func() {
		return func() { CustomVars("wrong", []*Var{x}, []*tensor.Tensor{x.Tensor()}, backward)[0].Sum().Backward() }
	}
	wantMisuse(t, "autograd: wrong: backward returned 2 gradients for 1 inputs", run(func(gs []*Var) []*Var { return []*Var{gs[0], nil} }))
	wantMisuse(t, "autograd: wrong: backward: gradient of input 0 has another shape than the input: [1] x [2]", run(func(gs []*Var) []*Var { return []*Var{gs[0].Sum().Reshape(1)} }))
	wantMisuse(t, "autograd: wrong: the backward function is nil", run(nil))
}

func TestCustomGetsNilForResultsWithoutGradient(t *testing.T) {
	x := vec(1)
	var seen []*tensor.Tensor
	outs := Custom("two", []*Var{x}, []*tensor.Tensor{tensor.Zeros(tensor.Float64, 1), tensor.Zeros(tensor.Float64, 1)},
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			seen = gs
			return []*tensor.Tensor{nil}
		})
	outs[1].Backward()
	if seen[0] != nil || seen[1] == nil {
		t.Errorf("gradients %v, want only the second", seen)
	}
	if x.Gradient() != nil {
		t.Error("x got a gradient that backward did not give")
	}
}

// The gradient lies in the memory of the one that backward was given, but is no view of it.
func TestCustomGradientMayBeASliceOfTheOneGiven(t *testing.T) {
	const n = 1000 // of the pool
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(i)
	}
	w := tensor.FromSlice(weights, n/10, 10)
	x := Variable(tensor.Zeros(tensor.Float64, n))
	for name, flat := range map[string]func(g *tensor.Tensor) *tensor.Tensor{
		"FromSlice": func(g *tensor.Tensor) *tensor.Tensor { return tensor.FromSlice(tensor.Data[float64](g), n) },
		"FromDense": func(g *tensor.Tensor) *tensor.Tensor {
			same, err := tensor.FromDense(g.Dense())
			if err != nil {
				t.Fatal(err)
			}
			return same.Reshape(n)
		},
	} {
		x.ZeroGrad()
		rows := Custom("rows", []*Var{x.Flip(0)}, []*tensor.Tensor{tensor.Zeros(tensor.Float64, n/10, 10)},
			func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{flat(gs[0])} })[0]
		rows.Mul(Constant(w)).Sum().Backward()
		for i, g := range x.Gradient().Float64s() {
			if want := weights[n-1-i]; g != want {
				t.Fatalf("%s: gradient %d is %v, want %v", name, i, g, want)
			}
		}
	}
}

func TestCustomIntegerOutputIsConstant(t *testing.T) {
	outs := Custom("argmax", []*Var{vec(1)}, []*tensor.Tensor{tensor.Zeros(tensor.Int64, 1)}, nil)
	if outs[0].RequiresGrad() {
		t.Error("an integer result requires a gradient")
	}
}

func TestCustomRejectsGradientsThatDoNotFit(t *testing.T) {
	run := func(gs ...*tensor.Tensor) func() {
		return func() {
			Custom("spmm", []*Var{vec(1, 2)}, []*tensor.Tensor{tensor.Zeros(tensor.Float64)},
				func([]*tensor.Tensor) []*tensor.Tensor { return gs })[0].Backward()
		}
	}
	wantMisuse(t, "autograd: spmm: backward returned 2 gradients for 1 inputs", run(nil, nil))
	wantMisuse(t, "autograd: spmm: backward: gradient of input 0 has another shape than the input: [3] x [2]", run(tensor.Zeros(tensor.Float64, 3)))
	wantMisuse(t, "gradient of input 0 is f32, want f64", run(tensor.Zeros(tensor.Float32, 2)))
}
