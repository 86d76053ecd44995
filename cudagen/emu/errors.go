package emu

// What can go wrong.

import (
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is returned by what is asked of a closed machine.
var ErrClosed = errors.New("emu: closed")

// NoCompilerError says that there is no C++ compiler.
type NoCompilerError struct {
	Tried []string
}

func (e *NoCompilerError) Error() string {
	return fmt.Sprintf("emu: no C++ compiler found (tried %s): install one, or name it in the environment variable CXX", strings.Join(e.Tried, ", "))
}

// CompileError is what the compiler says about a text.
type CompileError struct {
	Command string
	Output  string
}

func (e *CompileError) Error() string { return fmt.Sprintf("emu: %s: %s", e.Command, e.Output) }

// Kind says which rule a kernel has broken.
type Kind uint32

// The kinds, numbered as in host/runtime.cc.
const (
	Other      Kind = iota
	Address         // an access outside of buffers or arrays, or a misaligned one
	Barrier         // a barrier that not all threads reach, or not the same one
	Warp            // a warp function that not all lanes reach that it names
	Time            // the time limit
	Arithmetic      // overflow of signed integers, division by zero
	Stack           // too much local memory
	Race            // accesses that nothing orders, or a read before any write
)

// String returns e.g. "address".
func (k Kind) String() string {
	names := [...]string{"other", "address", "barrier", "warp", "time", "arithmetic", "stack", "race"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// Fault is a rule that a kernel has broken.
type Fault struct {
	Kind          Kind
	Kernel        string
	Block, Thread Dim3 // as blockIdx and threadIdx
	Unplaced      bool // block and thread are not known
	Line          int  // of the text, 0 if unknown
	Seed          uint64
	Text          string
}

// Error returns e.g. "emu: kernel gat: block (1,0,0), thread (7,0,0), line 12:
// divergent __shfl_sync: … (seed 2)".
func (e *Fault) Error() string {
	where := fmt.Sprintf("block %s, thread %s: ", e.Block, e.Thread)
	if e.Line > 0 {
		where = fmt.Sprintf("block %s, thread %s, line %d: ", e.Block, e.Thread, e.Line)
	}
	if e.Unplaced {
		where = ""
	}
	return fmt.Sprintf("emu: kernel %s: %s%s (seed %d)", e.Kernel, where, e.Text, e.Seed)
}

// MisuseError is the panic of a call that is wrong whatever the kernel does.
type MisuseError struct {
	Op   string // e.g. "Launch"
	Text string
}

func (e *MisuseError) Error() string { return "emu: " + e.Op + ": " + e.Text }

// Misuse marks the error as the caller's mistake.
func (e *MisuseError) Misuse() {}

func misuse(op, format string, args ...any) {
	panic(&MisuseError{Op: op, Text: fmt.Sprintf(format, args...)})
}
