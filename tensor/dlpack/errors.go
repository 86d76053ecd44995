package dlpack

// What misuse panics with.

// Error reports a misuse of the package. Functions panic with it; autograd.Try turns it
// into an error.
type Error struct {
	Op     string // the function
	Detail string // what is wrong
}

// Error returns "dlpack: Borrow: the function is nil".
func (e *Error) Error() string { return "dlpack: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}
