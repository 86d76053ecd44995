// The typed errors of package graph.

package graph

import (
	"fmt"
	"math"
)

// A BipartiteError reports an operation that needs a homogeneous graph and was
// given a bipartite one.
type BipartiteError struct {
	Op string // the operation, such as "AddSelfLoops"
}

func (e *BipartiteError) Error() string {
	return fmt.Sprintf("graph: %s: the graph is bipartite, a homogeneous one is needed", e.Op)
}

// Misuse marks the error as wrong use of the API.
func (e *BipartiteError) Misuse() {}

// A SizeError reports a count of vertices or edges that is negative or does
// not fit int32.
type SizeError struct {
	What  string // what was counted, such as "edges"
	Count int64
}

func (e *SizeError) Error() string {
	if e.Count < 0 {
		return fmt.Sprintf("graph: negative number of %s: %d", e.What, e.Count)
	}
	return fmt.Sprintf("graph: %d %s exceed the limit of %d", e.Count, e.What, math.MaxInt32)
}

// Misuse marks the error as one that a panic brings too: a transform was asked for a
// graph that ids cannot number.
func (e *SizeError) Misuse() {}

// checkCount refuses a count that does not fit int32. It is asked before
// anything of that size is allocated.
func checkCount(what string, n int64) error {
	if n < 0 || n > math.MaxInt32 {
		return &SizeError{What: what, Count: n}
	}
	return nil
}

// mustCount is checkCount for transforms, whose results can be too large only
// when the input was close to the limit.
func mustCount(what string, n int64) {
	if err := checkCount(what, n); err != nil {
		panic(err)
	}
}
