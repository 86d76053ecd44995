// Anomaly detection: which operation made the first NaN.

package autograd

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// AnomalyError is what [DetectAnomaly] panics with: the operation that made the
// first NaN out of operands, or an incoming gradient, without one. In the backward
// pass it may also arise where gradients are added up, in a hook, or be in the cotangent.
type AnomalyError struct {
	Op     string         // the operation
	Detail string         // what had the NaN: the result, the gradient of an operand or of the result
	Shapes []tensor.Shape // shapes of the operands
	Where  string         // file and line of the operation's call; empty if unknown
}

// Error returns, for example,
// "autograd: Log: the result has a NaN at element 3 and the operands have none: [4] (model.go:12)".
func (e *AnomalyError) Error() string {
	s := (&Error{Op: e.Op, Detail: e.Detail, Shapes: e.Shapes}).Error()
	if e.Where != "" {
		s += " (" + e.Where + ")"
	}
	return s
}

// Misuse marks the error for [Try].
func (*AnomalyError) Misuse() {}

// DetectAnomaly returns v for computing with a check of every operation: those on
// it, and on what is computed from it, panic with an *[AnomalyError] when their
// result, or in the backward pass the gradient of an operand, is the first to
// hold a NaN. The error names the operation and the line that called it. The
// check reads every result once more and looks up the caller: it is for finding
// faults. It shares v's memory.
func DetectAnomaly(v *Var) *Var {
	v.check("DetectAnomaly")
	if i := firstNaN(v); i >= 0 {
		panic(&AnomalyError{Op: "DetectAnomaly", Detail: fmt.Sprintf("element %d is NaN", i), Shapes: []tensor.Shape{v.Shape()}})
	}
	reg := v.region.join(&region{anomaly: true})
	if v.sparse != nil {
		return &Var{sparse: v.sparse, region: reg}
	}
	w := v.Reshape(v.Shape()...)
	w.region = reg
	if w.node != nil {
		w.node.where = caller() // gradients of all that is computed from w are added up there
	}
	return w
}

// checkForward panics if a result has a NaN. Operands from outside the region
// were not checked yet.
func checkForward(op string, out *tensor.Tensor, operands []*Var) {
	at := nanAt(out)
	if at < 0 {
		return
	}
	e := &AnomalyError{Op: op, Where: caller(), Detail: fmt.Sprintf("the result has a NaN at element %d and the operands have none", at)}
	for i, v := range operands {
		e.Shapes = append(e.Shapes, v.Shape())
		if k := firstNaN(v); k >= 0 {
			e.Detail = fmt.Sprintf("element %d of operand %d (%v) is NaN", k, i, v)
		}
	}
	panic(e)
}

// checkBackward panics if the gradient d of operand i has a NaN.
func checkBackward(n *node, d *tensor.Tensor, i int) {
	at := nanAt(d)
	if at < 0 {
		return
	}
	e := &AnomalyError{Op: n.name(), Where: n.where, Detail: fmt.Sprintf("in the backward pass, the gradient of operand %d has a NaN at element %d and the result's gradient has none", i, at)}
	for _, v := range n.inputs {
		e.Shapes = append(e.Shapes, v.Shape())
	}
	panic(e)
}

// checkGathered panics if the gradient of result k has a NaN; what it came from was checked
// before, so it says how it arose since.
func checkGathered(n *node, k int, g *Var, how string) {
	at := nanAt(g.dense(n.name()))
	if at < 0 {
		return
	}
	result := "the result"
	if len(n.others) > 0 {
		result = fmt.Sprintf("result %d", k)
	}
	e := &AnomalyError{Op: n.name(), Where: n.where, Detail: fmt.Sprintf("in the backward pass, the gradient of %s has a NaN at element %d that %s", result, at, how)}
	for _, v := range n.inputs {
		e.Shapes = append(e.Shapes, v.Shape())
	}
	panic(e)
}

// checkSum panics if the gradient of a leaf has a NaN after that of the operation at work,
// which was checked before, was added to it. A sum in a graph is checked as it is recorded.
func (p *pass) checkSum(leaf *Var, sum *tensor.Tensor) {
	if p.at == nil || p.at.where == "" || p.create {
		return
	}
	if at := nanAt(sum); at >= 0 {
		panic(&AnomalyError{Op: p.at.name(), Where: p.at.where, Shapes: []tensor.Shape{leaf.Shape()},
			Detail: fmt.Sprintf("in the backward pass, the gradient of a leaf (%v) has a NaN at element %d after this operation's, which has none, was added", leaf, at)})
	}
}

// checkHook panics if the hooks of a leaf made a NaN of a gradient without one.
func checkHook(leaf, given, g *Var) {
	const op = "RegisterHook"
	if at := nanAt(g.dense(op)); at >= 0 && nanAt(given.dense(op)) < 0 {
		panic(&AnomalyError{Op: op, Shapes: []tensor.Shape{leaf.Shape()}, Detail: fmt.Sprintf("a hook returned a gradient of a leaf (%v) with a NaN at element %d", leaf, at)})
	}
}

// checkCotangentNaN panics if what a backward pass begins with has a NaN.
func checkCotangentNaN(g *Var) {
	const op = "Backward"
	if at := nanAt(g.dense(op)); at >= 0 {
		panic(&AnomalyError{Op: op, Where: caller(), Shapes: []tensor.Shape{g.Shape()}, Detail: fmt.Sprintf("element %d of the cotangent is NaN", at)})
	}
}

func firstNaN(v *Var) int {
	if v.sparse != nil {
		return nanAt(v.sparse.Values())
	}
	return nanAt(v.value)
}

// nanAt returns the first NaN's place, -1 if there is none.
func nanAt(t *tensor.Tensor) int {
	if !t.DType().IsFloat() || tensor.AllFinite(t) {
		return -1
	}
	for i, x := range t.Float64s() {
		if math.IsNaN(x) {
			return i
		}
	}
	return -1
}

// caller returns the file and line of the innermost call from outside the
// packages that run operations for others, or of the outermost frame known.
func caller() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || !runsForOthers(f.Function, f.File) {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}

// runsForOthers reports whether a function is this package's, package nn's or package
// vcentric's: a user looks for the line that called those. Their tests are users.
func runsForOthers(function, file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	const module = "github.com/asterias-ml/asterias/"
	return strings.HasPrefix(function, module+"autograd.") || strings.HasPrefix(function, module+"nn.") || strings.HasPrefix(function, module+"vcentric.")
}
