//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// The gradients of spmm_scaled: to be written.

import (
	"errors"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// backward returns the gradients of x and w, given what the kernel was called
// with, what it returned, and the gradients of that. A gradient has the shape of its
// input. nil means that there is none. No argument is kept or written to.
func backward(g *Graph, x, w *tensor.Tensor, op system.Op, scale float32, transpose bool, out, gradOut *tensor.Tensor) (gradX, gradW *tensor.Tensor, err error) {
	return nil, nil, errors.New("not written yet")
}
