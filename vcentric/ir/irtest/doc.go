// Package irtest makes what the tests of the IR, its passes, plans and
// executors run on: random valid programs, graphs with every degenerate shape,
// inputs, and the usual layers as programs. Everything is a function of a seed.
//
// Reading order: case.go (a program, a graph and its inputs), graph.go,
// program.go and ops.go (random programs), scores.go (those of attention),
// layers.go, compare.go.
package irtest
