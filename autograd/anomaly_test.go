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
