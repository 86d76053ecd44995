// Misuse of the package.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
)

// Error reports a misuse of the package, such as a module whose parameters have
// no fixed order. Functions panic with it; autograd.Try turns it into an error.
type Error struct {
	Op     string // the function or layer
	Detail string // what is wrong
}

// Error returns, for example, "nn: NamedParameters: layers: a map's keys must be
// strings, ...".
func (e *Error) Error() string { return "nn: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}

func misuse(op, detail string) { panic(&Error{Op: op, Detail: detail}) }

// wantThere panics if something that op needs is nil.
func wantThere(op, what string, there bool) {
	if !there {
		misuse(op, what+" is nil")
	}
}

// wantOption panics if option i of op is nil.
func wantOption(op string, i int, there bool) {
	if !there {
		misuse(op, fmt.Sprintf("option %d is nil", i))
	}
}

// wantVars panics if an operand is nil.
func wantVars(op string, xs ...*autograd.Var) {
	for _, x := range xs {
		wantThere(op, "an operand", x != nil)
	}
}

// wantType panics unless the operands of a layer have the type of its parameter p, nil
// for one that has none.
func wantType(op string, p *autograd.Var, xs ...*autograd.Var) {
	for _, x := range xs {
		if p != nil && x.DType() != p.DType() {
			misuse(op, fmt.Sprintf("input is %v, the layer %v", x.DType(), p.DType()))
		}
	}
}
