//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// The kernel as an operation with gradients.

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// Error is the panic of SpmmScaled when the kernel or its gradient fails.
// autograd.Try returns it as an error.
type Error struct{ Err error }

// Error returns what failed.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what failed.
func (e *Error) Unwrap() error { return e.Err }

// Misuse marks the error as one that autograd.Try returns.
func (*Error) Misuse() {}

// SpmmScaled is [Graph.Run] with gradients of x and w. It panics with an
// *[Error] when that fails.
func SpmmScaled(g *Graph, x, w *autograd.Var, op system.Op, scale float32, transpose bool) *autograd.Var {
	results, err := g.results(x.Tensor(), w.Tensor())
	if err == nil {
		err = g.Run(x.Tensor(), w.Tensor(), results[0], op, scale, transpose)
	}
	if err != nil {
		panic(&Error{err})
	}
	return autograd.Custom("spmm_scaled", []*autograd.Var{x, w}, results, func(gradients []*tensor.Tensor) []*tensor.Tensor {
		gradX, gradW, err := backward(g, x.Tensor(), w.Tensor(), op, scale, transpose, results[0], gradients[0])
		if err != nil {
			panic(&Error{fmt.Errorf("spmm_scaled: backward: %w", err)})
		}
		return []*tensor.Tensor{gradX, gradW}
	})[0]
}

// results returns tensors for the outputs, with any content.
func (g *Graph) results(ins ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	sizes, err := g.sizes(ins)
	if err != nil {
		return nil, fmt.Errorf("spmm_scaled: %w", err)
	}
	list := make([]*tensor.Tensor, len(outputs))
	for i, o := range outputs {
		list[i] = tensor.Empty(tensor.Float32, o.shape(sizes)...)
	}
	return list, nil
}
