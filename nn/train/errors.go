// Misuse, and the ways a run ends early.

package train

import (
	"fmt"
	"reflect"
)

// Error reports a misuse of the package, such as a config without a model. It is
// what [Run] panics with; autograd.Try turns it into an error.
type Error struct {
	Op     string // the function
	Detail string // what is wrong
}

// Error returns, for example, "train: Run: the config has no model".
func (e *Error) Error() string { return "train: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}

func misuse(op, format string, args ...any) {
	panic(&Error{Op: op, Detail: fmt.Sprintf(format, args...)})
}

// wantThere panics if something that op needs is nil.
func wantThere(op, what string, there bool) {
	if !there {
		misuse(op, "%s is nil", what)
	}
}

// isNil tells whether there is nothing, or a nil pointer, in an interface.
func isNil(x any) bool {
	v := reflect.ValueOf(x)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Interrupted is the error of a run whose context ended. It wraps the context's
// error and its cause, so errors.Is(err, context.Canceled) holds after Ctrl-C. An error
// of Train, of batches or of Evaluate that is neither of these is joined with it.
type Interrupted struct {
	Epoch int    // complete epochs, saved if there is a folder
	Step  int    // steps of the next one that are made, and saved too
	Path  string // the checkpoint to go on from; "" without a folder
	Cause error  // of the context's end

	err error // the context's
}

// Error returns, for example, "train: interrupted after epoch 12: context
// canceled; the run is saved in runs/gcn/last.safetensors".
func (e *Interrupted) Error() string {
	s := fmt.Sprintf("train: interrupted after %s: %v", position(e.Epoch, e.Step), e.Cause)
	if e.Path != "" {
		s += "; the run is saved in " + e.Path
	}
	return s
}

// Unwrap returns the context's error and its cause.
func (e *Interrupted) Unwrap() []error { return []error{e.err, e.Cause} }

// Diverged is the error of a run with a loss that is no finite number. The step
// was not made.
type Diverged struct {
	Epoch int // counted from 1
	Loss  float64
}

func (e *Diverged) Error() string {
	return fmt.Sprintf("train: the loss is %v in epoch %d", e.Loss, e.Epoch)
}
