// Package gorgonianode is the room for the bridge between the tape and
// Gorgonia's graphs: an op or a compiled program as a Gorgonia node, and a
// Gorgonia op on the tape. It holds no code yet; what already meets Gorgonia is
// elsewhere: tensors store gorgonia.org/tensor values, parameters are
// gorgonia.ValueGrad, optimisers give a gorgonia.Solver.
package gorgonianode
