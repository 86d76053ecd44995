// Misuse: the typed error operations panic with, and Try, which catches it.

package autograd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// Error reports a misuse of the API: shapes that do not fit, a gradient asked of
// a constant, a backward pass over a freed graph. Operations panic with it; see
// [Try].
type Error struct {
	Op     string         // the operation, as in the op table
	Detail string         // what is wrong
	Shapes []tensor.Shape // shapes of the operands, where they matter
}

// Error returns, for example,
// "autograd: MatMul: inner dimensions differ: [3 4] x [5 6]".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("autograd: " + e.Op + ": " + e.Detail)
	for i, s := range e.Shapes {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(" x ")
		}
		b.WriteString(s.String())
	}
	return b.String()
}

// Misuse marks the error as the caller's fault; see [Try].
func (*Error) Misuse() {}

// misuse panics with an *Error.
func misuse(op, detail string, shapes ...tensor.Shape) {
	panic(&Error{Op: op, Detail: detail, Shapes: shapes})
}

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

// Try runs f and returns the misuse error it panicked with, or nil. Misuse is
// an error with a method Misuse(), found as by errors.As: those of this package
// and of package tensor have one. Every other panic passes through.
func Try(f func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			if !isMisuse(v) {
				panic(v)
			}
			err = v
		default:
			panic(v)
		}
	}()
	wantThere("Try", "the function", f != nil)
	f()
	return nil
}

func isMisuse(err error) bool {
	var marked interface {
		error
		Misuse()
	}
	return errors.As(err, &marked)
}
