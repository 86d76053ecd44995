// Package pass holds the passes over the IR, one a file; pipeline.go has their
// order and the reason for it.
//
//	softmax    recognises exp(x)/Σexp(x); lower writes the stable form out
//	fold       constants and algebra
//	cse        one value for equal computations
//	reorder    moves work from edges to vertices, and out of sums
//	dce        drops what no output needs
//	grad       appends the gradient of a program to it
//	inline     scales rows where edges read them, without a table
//	recompute  splits forward from backward: what is saved, what is recomputed
package pass
