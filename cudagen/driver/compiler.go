// NVRTC, the compiler from CUDA C to a GPU's machine code, as an interface.

package driver

import (
	"fmt"
	"strings"
)

// Source is a text to compile.
type Source struct {
	Name    string            // of the program in messages, e.g. "gat.cu"
	Text    string            // CUDA C
	Headers map[string]string // what #include "name" finds
	Options []string          // beside the architecture, e.g. "--std=c++17"
	SM      int               // the GPU's compute capability as in sm_90
}

// Compiler is NVRTC. Its methods may be called from several goroutines; they
// need neither a GPU nor a context.
type Compiler interface {
	Version() (major, minor int, err error)
	// Architectures lists what can be compiled for, e.g. 75, 80, 90.
	Architectures() ([]int, error)
	// Compile returns machine code (a cubin) and the compiler's messages. Errors
	// in the text are a [*CompileError].
	Compile(s Source) (cubin []byte, log string, err error)
}

// CompileError is a text that does not compile.
type CompileError struct {
	Source Source
	Log    string // the compiler's messages
	Err    error  // the failed call
}

// Error returns the program's name, the options and the messages.
func (e *CompileError) Error() string {
	return fmt.Sprintf("%s does not compile for sm_%d (options %q): %v\n%s",
		e.Source.Name, e.Source.SM, e.Source.Options, e.Err, strings.TrimSpace(e.Log))
}

// Unwrap returns the failed call.
func (e *CompileError) Unwrap() error { return e.Err }
