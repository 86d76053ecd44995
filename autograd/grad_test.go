// Grad, GradWith, and gradients of gradients.

package autograd

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func wantValues(t *testing.T, what string, v *Var, want ...float64) {
	t.Helper()
	if v == nil {
		t.Fatalf("%s: nil, want %v", what, want)
	}
	if got := v.Tensor().Float64s(); !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func wantNear(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		near := math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i])) && !math.IsInf(want[i], 0)
		if !near && got[i] != want[i] {
			t.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestGradOfLeavesAndResultsLeavesGradientsAlone(t *testing.T) {
	x, w, idle := vec(1, 2), vec(3, 4), vec(5)
	h := x.Mul(w)
	y := h.Square().Sum()
	y.Backward(RetainGraph())
	before := x.Gradient().Float64s()
	h.RetainGrad()
	gs := Grad(y, []*Var{x, w, h, idle, y, x})
	wantValues(t, "dx", gs[0], 2*3*3, 2*8*4)
	wantValues(t, "dw", gs[1], 2*3*1, 2*8*2)
	wantValues(t, "dh", gs[2], 6, 16)
	if gs[3] != nil {
		t.Errorf("the gradient of what y does not depend on is %v, want nil", gs[3])
	}
	wantValues(t, "dy", gs[4], 1)
	wantValues(t, "dx again", gs[5], 2*3*3, 2*8*4)
	wantGrad(t, x, before...)
	if idle.Gradient() != nil || h.Gradient() != nil {
		t.Error("Grad changed a Gradient")
	}
	for i, g := range gs {
		if g != nil && g.RequiresGrad() {
			t.Errorf("gradient %d requires a gradient without CreateGraph", i)
		}
	}
}

func TestGradOfALeafItself(t *testing.T) {
	x := vec(3)
	wantValues(t, "dx/dx", Grad(x, []*Var{x})[0], 1)
}

func TestGradFreesTheGraphUnlessAskedNotTo(t *testing.T) {
	x := vec(1)
	y := x.Exp()
	Grad(y, []*Var{x}, RetainGraph())
	Grad(y, []*Var{x})
	wantMisuse(t, "already freed", func() { Grad(y, []*Var{x}) })
}

// Rules for inputs that nobody asked for do not run.
func TestGradSkipsWhatIsNotAskedFor(t *testing.T) {
	x, w := vec(1), vec(2)
	other := Custom("other", []*Var{w}, []*tensor.Tensor{w.Tensor()}, func([]*tensor.Tensor) []*tensor.Tensor {
		t.Error("went back to what nobody asked for")
		return []*tensor.Tensor{nil}
	})[0]
	wantValues(t, "dx", Grad(x.Mul(other), []*Var{x})[0], 2)
}

func TestGradOfACustomResult(t *testing.T) {
	x := vec(2)
	outs := Custom("two", []*Var{x}, []*tensor.Tensor{tensor.Scale(x.Tensor(), 2), tensor.Scale(x.Tensor(), 3)},
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{tensor.Add(tensor.Scale(gs[0], 2), tensor.Scale(gs[1], 3))}
		})
	gs := Grad(outs[0].Add(outs[1].Scale(5)), []*Var{outs[1], x, outs[0]})
	wantValues(t, "second result", gs[0], 5)
	wantValues(t, "x", gs[1], 2+15)
	wantValues(t, "first result", gs[2], 1)
}

func TestGradRejectsMisuse(t *testing.T) {
	x := vec(1, 2)
	c := Constant(tensor.FromSlice([]float64{1, 2}, 2))
	for want, f := range map[string]func(){
		"autograd: Grad: needs a result of one element; give a cotangent to GradWith: [2]": func() { Grad(x.Exp(), []*Var{x}) },
		"autograd: Grad: input 1 does not require a gradient: [2]":                         func() { Grad(x.Sum(), []*Var{x, c}) },
		"autograd: Grad: the result does not require a gradient":                           func() { Grad(c.Sum(), []*Var{x}) },
		"autograd: Grad: an operand is nil":                                                func() { Grad(x.Sum(), []*Var{nil}) },
		"another shape than the result: [2] x [1 2]":                                       func() { GradWith(x.Reshape(1, 2), c, []*Var{x}) },
		"CreateGraph is an option of Grad":                                                 func() { x.Sum().Backward(CreateGraph()) },
	} {
		wantMisuse(t, want, f)
	}
}

// d^k/dx^k of x^5 - 2x^3 + x at a few points.
func TestThirdDerivativeOfAPolynomial(t *testing.T) {
	x := vec(-1.5, 0.25, 2)
	y := x.Pow(5).Sub(x.Square().Mul(x).Scale(2)).Add(x)
	d1 := Grad(y.Sum(), []*Var{x}, CreateGraph())[0]
	d2 := Grad(d1.Sum(), []*Var{x}, CreateGraph())[0]
	d3 := Grad(d2.Sum(), []*Var{x}, CreateGraph())[0]
	d4 := Grad(d3.Sum(), []*Var{x})[0]
	var w1, w2, w3, w4 []float64
	for _, a := range []float64{-1.5, 0.25, 2} {
		w1 = append(w1, 5*math.Pow(a, 4)-6*a*a+1)
		w2 = append(w2, 20*math.Pow(a, 3)-12*a)
		w3 = append(w3, 60*a*a-12)
		w4 = append(w4, 120*a)
	}
	for i, d := range []*Var{d1, d2, d3, d4} {
		wantNear(t, "derivative", d.Tensor().Float64s(), [][]float64{w1, w2, w3, w4}[i], 1e-12)
	}
	if x.Gradient() != nil {
		t.Error("Grad changed a Gradient")
	}
}

// mlpLoss is a two-layer network with a cross-entropy loss.
func mlpLoss(x, w1, b1, w2 *Var) *Var {
	return CrossEntropy(x.MatMul(w1).Add(b1).Tanh().MatMul(w2), []int32{0, 2, 1, 1}, nil)
}

// H v = d(g·v)/dw, against the central difference of gradients along v.
func TestHessianVectorProductOfAnMLPMatchesDifferencesOfGradients(t *testing.T) {
	x := Constant(randomTensor(1, nonzero, 4, 5))
	ws := []*Var{
		Variable(randomTensor(2, nonzero, 5, 6)), Variable(randomTensor(3, nonzero, 6)), Variable(randomTensor(4, nonzero, 6, 3)),
	}
	var vs []*tensor.Tensor
	for i, w := range ws {
		vs = append(vs, randomTensor(uint64(10+i), nonzero, w.Shape()...))
	}
	loss := func() *Var { return mlpLoss(x, ws[0], ws[1], ws[2]) }

	gs := Grad(loss(), ws, CreateGraph())
	dot := gs[0].Mul(Constant(vs[0])).Sum()
	for i := 1; i < 3; i++ {
		dot = dot.Add(gs[i].Mul(Constant(vs[i])).Sum())
	}
	hv := Grad(dot, ws)

	const h = 1e-5
	shifted := func(by float64) []*Var {
		for i, w := range ws {
			tensor.AddInto(w.Tensor(), tensor.Scale(vs[i], by))
		}
		return Grad(loss(), ws)
	}
	above := shifted(h)
	below := shifted(-2 * h)
	for i := range ws {
		want := tensor.Scale(tensor.Sub(above[i].Tensor(), below[i].Tensor()), 1/(2*h))
		wantNear(t, "Hv", hv[i].Tensor().Float64s(), want.Float64s(), 1e-7)
	}
}

// Rows of the Jacobian are vector-Jacobian products with unit vectors.
func TestJacobianRowByRow(t *testing.T) {
	x := vec(0.3, -0.7, 1.1)
	y := x.Softmax()
	p := y.Tensor().Float64s()
	for i := range 3 {
		e := tensor.Zeros(tensor.Float64, 3)
		tensor.Data[float64](e)[i] = 1
		row := GradWith(y, Constant(e), []*Var{x}, RetainGraph())[0]
		want := make([]float64, 3)
		for j := range want {
			want[j] = -p[i] * p[j]
			if i == j {
				want[j] += p[i]
			}
		}
		wantNear(t, "row", row.Tensor().Float64s(), want, 1e-12)
	}
}

// The vector-Jacobian product is linear in the cotangent; its own derivative
// gives Jacobian-vector products.
func TestJacobianVectorProductByDifferentiatingTwice(t *testing.T) {
	x := vec(0.5, 1.5)
	u := vec(0, 0)
	y := x.Exp().Mul(Constant(tensor.FromSlice([]float64{2, 3}, 2)))
	vjp := GradWith(y, u, []*Var{x}, CreateGraph())[0]
	v := Constant(tensor.FromSlice([]float64{10, 100}, 2))
	jvp := GradWith(vjp, v, []*Var{u})[0]
	wantNear(t, "J v", jvp.Tensor().Float64s(), []float64{20 * math.Exp(0.5), 300 * math.Exp(1.5)}, 1e-12)
}

func TestGradientPenaltyTrainsThroughTheGradient(t *testing.T) {
	x, w := vec(1, 2), vec(0.5, -1)
	y := x.Square().Mul(w).Sum()
	g := Grad(y, []*Var{x}, CreateGraph())[0] // 2xw
	g.Square().Sum().Backward()               // of Σ 4x²w²
	wantGrad(t, w, 8*1*0.5, 8*4*-1)
	wantGrad(t, x, 8*1*0.25, 8*2*1)
}

func TestCustomIsNotDifferentiatedTwice(t *testing.T) {
	x := vec(3)
	square := Custom("square", []*Var{x}, []*tensor.Tensor{tensor.Square(x.Tensor())}, func(gs []*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{tensor.Scale(tensor.Mul(gs[0], x.Tensor()), 2)}
	})[0]
	g := Grad(square, []*Var{x}, CreateGraph())[0]
	wantValues(t, "first derivative", g, 6)
	wantMisuse(t, "autograd: square: a gradient of its gradient is asked for, which this operation does not define", func() { g.Backward() })
}

func TestGradientsMayBeWrittenWithoutChangingEachOther(t *testing.T) {
	a, b := vec(1), vec(2)
	cotangent := Constant(tensor.FromSlice([]float64{1}, 1))
	sum := a.Add(b)
	doubled := sum.Scale(2)
	// The gradients of sum, a and b are one tensor on their way, that of doubled is
	// the cotangent.
	gs := GradWith(doubled, cotangent, []*Var{a, sum, b, doubled})
	for i, g := range gs {
		g.Tensor().Fill(float64(10 * i))
	}
	for i, g := range gs {
		wantValues(t, "gradient", g, float64(10*i))
	}
	wantValues(t, "the cotangent", cotangent, 1)
}

// Sqrt's gradient is infinite at 0. As in torch 2.9.1 nothing of it reaches what another
// operand or a bound stands for, nor does it become NaN there.
func TestInfiniteGradientsEndWhereTheOtherOperandOrABoundWins(t *testing.T) {
	zero := Constant(tensor.FromSlice([]float64{0}, 1))
	for name, f := range map[string]func(x *Var) *Var{
		"Maximum":  func(x *Var) *Var { return x.Maximum(zero).Sqrt() },
		"Minimum":  func(x *Var) *Var { return x.Neg().Minimum(zero).Neg().Sqrt() },
		"Clamp":    func(x *Var) *Var { return x.Clamp(0, 9).Sqrt() },
		"Hardtanh": func(x *Var) *Var { return x.Hardtanh(0, 9).Sqrt() },
	} {
		x := vec(-2, 4, -1)
		f(x).Sum().Backward()
		wantGrad(t, x, 0, 0.25, 0)
		g := Grad(f(x).Sum(), []*Var{x}, CreateGraph())[0]
		wantValues(t, name+", to be differentiated again", g, 0, 0.25, 0)
		second := Grad(g.Slice(0, 1, 2).Sum(), []*Var{x})[0]
		if got := second.Tensor().At(1); math.Abs(got+1./32) > 1e-15 {
			t.Errorf("%s: second derivative %v, want -1/32", name, got)
		}
	}
}

func TestPReLUsSlopeHasNoGradientFromPositiveElements(t *testing.T) {
	x, slope := vec(math.Inf(1), -2, 3), vec(0.5)
	x.PReLU(slope).Sum().Backward()
	wantGrad(t, x, 1, 0.5, 1)
	wantGrad(t, slope, -2)
}

func TestPReLUsSlopeHasNoGradientFromInfiniteOnesOfPositiveElements(t *testing.T) {
	x, slope, g := vec(1, -2, 3), vec(0.5), tensor.FromSlice([]float64{math.Inf(1), 1, math.NaN()}, 3)
	x.PReLU(slope).BackwardWith(g)
	wantGrad(t, slope, -2)
	again := GradWith(x.PReLU(slope), Constant(g), []*Var{slope}, CreateGraph())[0]
	wantValues(t, "to be differentiated again", again, -2)
}
