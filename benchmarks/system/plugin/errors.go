package plugin

// What can go wrong.

import (
	"fmt"
	"path/filepath"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// Kind is what a library did.
type Kind uint8

// What libraries do.
const (
	NotALibrary   Kind = iota // missing, or the system does not load it
	MissingSymbol             // it lacks functions
	BadVersion                // it was compiled with another header
	Unsupported               // it returned that it lacks the call or a flag
	Failed                    // it returned an error
	OutOfBounds               // it touched memory beside an operand
	WroteInput                // it wrote to an operand that is to be read
	Crashed                   // a signal ended it
	Exited                    // it ended its process
	TimedOut                  // it did not return in time
	GivenUp                   // it did such things too often
	numKinds
)

var kindNames = [numKinds]string{
	"not a library", "missing symbols", "another version", "not supported", "error",
	"out of bounds", "wrote to an input", "crashed", "ended its process", "no answer in time", "given up",
}

func (k Kind) String() string {
	if k >= numKinds {
		return "invalid"
	}
	return kindNames[k]
}

// An Error is what a library did instead of its work.
type Error struct {
	Library string // the path it was opened with
	Call    string // "open", "create graph", "SpMMv(mul, sum)"
	Kind    Kind
	Detail  string // what is known besides; may be empty
	Cause   *Error // of GivenUp: what happened last
}

func (e *Error) Error() string {
	s := fmt.Sprintf("plugin: %s: %s: %v", filepath.Base(e.Library), e.Call, e.Kind)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Cause != nil {
		s += fmt.Sprintf("; last, %s: %v", e.Cause.Call, e.Cause.Kind)
		if e.Cause.Detail != "" {
			s += ": " + e.Cause.Detail
		}
	}
	return s
}

// Is makes Unsupported the [system.ErrUnsupported] of every system.
func (e *Error) Is(target error) bool {
	return e.Kind == Unsupported && target == system.ErrUnsupported
}

// ServeError is the panic of Open in a program that does not call Serve: its library
// would run the whole program again.
type ServeError struct{}

func (*ServeError) Error() string {
	return "plugin: Open: plugin.Serve must be called first thing in main, or in TestMain"
}

// Misuse marks the error as the caller's mistake.
func (*ServeError) Misuse() {}
