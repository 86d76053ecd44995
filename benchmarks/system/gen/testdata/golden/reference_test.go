//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// What spmm_scaled is to compute: to be written. And what it is tested with.

import (
	"errors"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// reference is the kernel in float64, as simple as can be: arrays are row-major, in the
// shapes of the signature.
//
//	status spmm_scaled(graph_t g, const array_t x[N][H][F], const array_t w[E][H][1], array_t out[N][H][F], op_t op, float scale, bool transpose)
func reference(N, E, H, F int, src, dst []int32, x, w []float64, args arguments) (out []float64, err error) {
	return nil, errors.New("not written yet")
}

// arguments are what the kernel takes besides arrays.
type arguments struct {
	op        system.Op
	scale     float32
	transpose bool
}

// allArguments are those that are tested: leave out what the kernel does not have.
func allArguments() []arguments {
	var list []arguments
	for _, op := range []system.Op{system.OpMul, system.OpAdd, system.OpSub, system.OpDiv} {
		for _, scale := range []float32{0.75} {
			for _, transpose := range []bool{false, true} {
				list = append(list, arguments{op, scale, transpose})
			}
		}
	}
	return list
}

// draw returns an element of an input: of either sign, and far enough from 0 to divide
// by. Change it if the kernel takes a logarithm, or has kinks.
func draw(r *rand.Rand) float32 {
	x := 0.5 + r.Float32()
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}
