// Misuse of the package.

package data

import (
	"context"
	"fmt"

	"github.com/asterias-ml/asterias/graph"
)

// Error reports a misuse of a function of this package by a program; what is
// wrong with files is returned as an error. Functions panic with it;
// autograd.Try turns it into an error.
type Error struct{ Op, Detail string }

// Error returns, for example,
// "data: RandomSplit: vertex 5: label 7 out of range [0, 3)".
func (e *Error) Error() string { return "data: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}

// ofSet is an error of a dataset, by its name if it has one.
func ofSet(name string, err error) error {
	if name == "" {
		return fmt.Errorf("data: %w", err)
	}
	return fmt.Errorf("data: %s: %w", name, err)
}

// wantGraph panics if there is no graph.
func wantGraph(op string, g *graph.Graph) {
	if g == nil {
		misuse(op, "the graph is nil")
	}
}

// needHomogeneous panics if there is no graph or it is bipartite.
func needHomogeneous(op string, g *graph.Graph) {
	wantGraph(op, g)
	if g.IsBipartite() {
		panic(&graph.BipartiteError{Op: op})
	}
}

// wantContext panics if there is no context.
func wantContext(op string, ctx context.Context) {
	if ctx == nil {
		misuse(op, "the context is nil")
	}
}

func misuse(op, format string, args ...any) {
	panic(&Error{Op: op, Detail: fmt.Sprintf(format, args...)})
}
