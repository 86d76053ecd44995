// Anomaly detection: the operation and the line that made the first NaN.

package autograd

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// here returns the file and line of its call.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line)
}

func wantAnomaly(t *testing.T, err error, op, text, where string) {
	t.Helper()
	var a *AnomalyError
	if !errors.As(err, &a) {
		t.Errorf("error %v, want an AnomalyError", err)
		return
	}
	if a.Op != op || !strings.Contains(a.Error(), text) || a.Where != where {
		t.Errorf("error %q (op %s at %s),\nwant %q of %s at %s", a, a.Op, a.Where, text, op, where)
	}
}

func TestAnomalyNamesTheOperationAndItsLine(t *testing.T) {
	x := DetectAnomaly(vec(1, 0, -1))
	var where string
	err := Try(func() { where = here(); x.Scale(2).Log().Sum() })
	wantAnomaly(t, err, "Log", "autograd: Log: the result has a NaN at element 2 and the operands have none: [3] ("+where+")", where)
}

func TestAnomalyInTheBackwardPassNamesTheForwardLine(t *testing.T) {
	x := DetectAnomaly(vec(0, 1))
	y, where := x.Sqrt(), here()
	z := y.Mul(Constant(tensor.FromSlice([]float64{0, 1}, 2))).Sum()
	wantAnomaly(t, Try(func() { z.Backward() }), "Sqrt",
		"in the backward pass, the gradient of operand 0 has a NaN at element 0 and the result's gradient has none: [2]", where)
}

func TestAnomalyOfAnOperandFromOutsideNamesIt(t *testing.T) {
	x := DetectAnomaly(vec(1, 2))
	bad := Constant(tensor.FromSlice([]float64{0, math.NaN()}, 2))
	var where string
	err := Try(func() { where = here(); x.Add(bad) })
	wantAnomaly(t, err, "Add", "autograd: Add: element 1 of operand 1 (constant f64[2]) is NaN: [2] x [2]", where)
	wantAnomaly(t, Try(func() { DetectAnomaly(bad) }), "DetectAnomaly", "autograd: DetectAnomaly: element 1 is NaN: [2]", "")
}

func TestAnomalyOfCustomOperations(t *testing.T) {
	x := DetectAnomaly(vec(1))
	nan := tensor.Full(tensor.Float64, math.NaN(), 1)
	var where string
	err := Try(func() { where = here(); Custom("mine", []*Var{x}, []*tensor.Tensor{nan}, nil) })
	wantAnomaly(t, err, "mine", "the result has a NaN at element 0", where)

	back := func([]*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{nan} }
	y, where := Custom("mine", []*Var{x}, []*tensor.Tensor{x.Tensor()}, back)[0], here()
	wantAnomaly(t, Try(func() { y.Backward() }), "mine", "in the backward pass, the gradient of operand 0 has a NaN", where)
}

func TestAnomalyReachesThroughCheckpointsSparseInputsAndDropout(t *testing.T) {
	var where string
	f := func(xs ...*Var) *Var { where = here(); return xs[0].Log() }
	wantAnomaly(t, Try(func() { Checkpoint(f, DetectAnomaly(vec(-1))) }), "Log", "a NaN at element 0", where)

	f = func(xs ...*Var) *Var { where = here(); return xs[0].Sqrt() }
	y := Checkpoint(f, DetectAnomaly(vec(0)))
	wantAnomaly(t, Try(func() { y.Scale(0).Backward() }), "Sqrt", "in the backward pass", where)

	s, w := DetectAnomaly(SparseConstant(exampleSparse())), zeros(3, 1)
	err := Try(func() { where = here(); Dropout(s, 0.5, 1).MatMul(w).AddScalar(-1).Log() })
	wantAnomaly(t, err, "Log", "a NaN at element 0", where)
	s.MatMul(w).Sum().Backward()
	if w.Gradient() == nil {
		t.Error("no gradient arrived through the sparse operand")
	}
	bad := zeros(3, 1)
	bad.Tensor().Fill(math.NaN())
	err = Try(func() { where = here(); s.MatMul(bad) })
	wantAnomaly(t, err, "SparseMatMul", "is NaN", where)
}

func TestAnomalyDetectionLetsNumbersAndInfinitiesPass(t *testing.T) {
	x := vec(0, 1)
	DetectAnomaly(x).Log().Sum().Backward() // -Inf, 1/0
	wantGrad(t, x, math.Inf(1), 1)
	wantMisuse(t, "autograd: DetectAnomaly: an operand is nil", func() { DetectAnomaly(nil) })
}

func TestNoAnomalyIsReportedOutsideTheRegion(t *testing.T) {
	x := vec(-1)
	DetectAnomaly(x)
	if y := x.Log(); !math.IsNaN(y.Tensor().Item()) {
		t.Errorf("Log(-1) = %v", y)
	}
}

// The line is the user's, not one of the packages that run operations for others.
func TestCallerSkipsThePackagesInBetween(t *testing.T) {
	for _, c := range []struct {
		function, file string
		skipped        bool
	}{
		{"github.com/asterias-ml/asterias/autograd.(*Var).Log", "ops_unary.go", true},
		{"github.com/asterias-ml/asterias/nn.(*Linear).Forward", "linear.go", true},
		{"github.com/asterias-ml/asterias/vcentric.(*Program).Run", "run.go", true},
		{"github.com/asterias-ml/asterias/nn.TestX", "linear_test.go", false},
		{"github.com/asterias-ml/asterias/gnn.GCN", "gcn.go", false},
		{"example.com/nn.Model", "model.go", false},
	} {
		if got := runsForOthers(c.function, c.file); got != c.skipped {
			t.Errorf("%s in %s: skipped %v", c.function, c.file, got)
		}
	}
}

// steep is v with a gradient of its own, whatever arrives.
func steep(v *Var, gradient float64) *Var {
	return Custom("steep", []*Var{v}, []*tensor.Tensor{v.Tensor()}, func([]*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{tensor.FullLike(v.Tensor(), gradient)}
	})[0]
}

// torn has the gradient +Inf - Inf.
func torn(v *Var) *Var { return steep(v, math.Inf(1)).Add(steep(v, math.Inf(-1))).Sum() }

// No operation made the NaN.
func TestAnomalyInASumOfGradientsIsNotTheNextOperations(t *testing.T) {
	const sum = "in the backward pass, the gradient of the result has a NaN at element 0 that arose in the sum over its uses: [1]"
	h, where := DetectAnomaly(vec(1)).Scale(2), here()
	wantAnomaly(t, Try(func() { torn(h).Backward() }), "Scale", sum, where)
	h, where = DetectAnomaly(vec(1)), here()
	wantAnomaly(t, Try(func() { torn(h).Backward() }), "Reshape", sum, where)
	h, where = Checkpoint(func(xs ...*Var) *Var { return xs[0].Exp() }, DetectAnomaly(vec(1))), here()
	wantAnomaly(t, Try(func() { torn(h).Backward() }), "Checkpoint", sum, where)

	none := func([]*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{nil} }
	outs, where := Custom("two", []*Var{DetectAnomaly(vec(1))}, []*tensor.Tensor{vec(1).Tensor(), vec(2).Tensor()}, none), here()
	wantAnomaly(t, Try(func() { torn(outs[1]).Backward() }), "two", "the gradient of result 1 has a NaN at element 0 that arose in the sum", where)
}

func TestAnomalyInTheGradientOfALeafIsFound(t *testing.T) {
	const added = "the gradient of a leaf (parameter f64[1]) has a NaN at element 0 after this operation's, which has none, was added: [1]"
	one := func() *Var { return Parameter(tensor.Ones(tensor.Float64, 1)) }
	var where string
	beside := func(w *Var, gradient float64) (y *Var) { // w is outside the region, the operation is not
		x := DetectAnomaly(vec(1))
		back := func([]*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{nil, tensor.FullLike(w.Tensor(), gradient)}
		}
		y, where = Custom("steep", []*Var{x, w}, []*tensor.Tensor{x.Tensor()}, back)[0], here()
		return y
	}
	loss := func(w *Var) *Var { return beside(w, math.Inf(1)).Add(beside(w, math.Inf(-1))).Sum() }
	w := one()
	y := loss(w)
	wantAnomaly(t, Try(func() { y.Backward(RetainGraph()) }), "steep", added, where)
	wantAnomaly(t, Try(func() { Grad(y, []*Var{w}) }), "steep", added, where)
	w = one()
	w.RegisterHook(func(*Var) *Var { return nil })
	y = loss(w)
	wantAnomaly(t, Try(func() { y.Backward() }), "steep", added, where)
	w = one()
	w.SetGradient(tensor.Full(tensor.Float64, math.Inf(1), 1)) // of an earlier pass
	y = beside(w, math.Inf(-1))
	wantAnomaly(t, Try(func() { y.Backward() }), "steep", added, where)
}

func TestAnomalyOfAHookOrACotangentNamesIt(t *testing.T) {
	nan := Constant(tensor.Full(tensor.Float64, math.NaN(), 1))
	h, where := DetectAnomaly(vec(1)).Scale(2), here()
	h.RegisterHook(func(*Var) *Var { return nan })
	wantAnomaly(t, Try(func() { h.Exp().Backward() }), "Scale", "in the backward pass, the gradient of the result has a NaN at element 0 that a hook returned: [1]", where)

	w := Parameter(tensor.Ones(tensor.Float64, 1))
	w.RegisterHook(func(*Var) *Var { return nan })
	err := Try(func() { DetectAnomaly(vec(1)).Mul(w).Backward() })
	wantAnomaly(t, err, "RegisterHook", "a hook returned a gradient of a leaf (parameter f64[1]) with a NaN at element 0: [1]", "")

	y := DetectAnomaly(vec(1)).Exp()
	err = Try(func() { where = here(); y.BackwardWith(nan.Tensor(), RetainGraph()) })
	wantAnomaly(t, err, "Backward", "autograd: Backward: element 0 of the cotangent is NaN: [1]", where)
	err = Try(func() { where = here(); GradWith(y, nan, []*Var{y}) })
	wantAnomaly(t, err, "Backward", "element 0 of the cotangent is NaN", where)
}
