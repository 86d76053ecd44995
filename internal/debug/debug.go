// Package debug prints to standard error what programs run on, how long their steps take,
// what was decided for them and what their kernels are, as far as the environment variable
// ASTERIAS_DEBUG asks for it. A level prints what those below it print, too.
package debug

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// The levels.
const (
	Devices   = 1 // what is compiled, for what
	Times     = 2 // of the steps of every run
	Decisions = 3 // rules that fired, plans, what a tuner measured
	Source    = 4 // of kernels
)

// Variable names the environment variable.
const Variable = "ASTERIAS_DEBUG"

var (
	level atomic.Int32
	mu    sync.Mutex
	out   io.Writer = os.Stderr
)

func init() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > Source {
		fmt.Fprintf(out, "asterias: %s=%s is not a level from 0 to %d\n", Variable, text, Source)
		return
	}
	level.Store(int32(n))
}

// On tells whether what belongs to a level is printed.
func On(l int) bool { return int32(l) <= level.Load() }

// Printf prints a line, or several, if its level is on.
func Printf(l int, format string, args ...any) {
	if !On(l) {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	fmt.Fprintf(out, "asterias: "+format+"\n", args...)
}

// Capture sets a level, and where to print, until restore is called. It is for tests.
func Capture(l int, w io.Writer) (restore func()) {
	mu.Lock()
	defer mu.Unlock()
	before, at := level.Load(), out
	level.Store(int32(l))
	out = w
	return func() {
		mu.Lock()
		defer mu.Unlock()
		level.Store(before)
		out = at
	}
}
