// Misuse of the package.

package nn

// Error reports a misuse of the package, such as a module whose parameters have
// no fixed order. Functions panic with it; autograd.Try turns it into an error.
type Error struct {
	Op     string // the function or layer
	Detail string // what is wrong
}

// Error returns, for example, "nn: NamedParameters: layers: maps are not
// supported: ...".
func (e *Error) Error() string { return "nn: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}

func misuse(op, detail string) { panic(&Error{Op: op, Detail: detail}) }
