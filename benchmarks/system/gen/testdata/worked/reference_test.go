//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// What spmm_scaled is to compute, filled in.

import (
	"math/rand/v2"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

func reference(N, E, H, F int, src, dst []int32, x, w []float64, args arguments) (out []float64, err error) {
	out = make([]float64, N*H*F)
	for e := range E {
		u, v := int(src[e]), int(dst[e])
		if args.transpose {
			u, v = v, u
		}
		for h := range H {
			for f := range F {
				a, b := x[(u*H+h)*F+f], w[e*H+h]
				y := map[system.Op]float64{system.OpMul: a * b, system.OpAdd: a + b, system.OpSub: a - b, system.OpDiv: a / b}[args.op]
				out[(v*H+h)*F+f] += float64(args.scale) * y
			}
		}
	}
	return out, nil
}

type arguments struct {
	op        system.Op
	scale     float32
	transpose bool
}

func allArguments() []arguments {
	var list []arguments
	for _, op := range []system.Op{system.OpMul, system.OpAdd, system.OpSub, system.OpDiv} {
		for _, transpose := range []bool{false, true} {
			list = append(list, arguments{op, 0.75, transpose})
		}
	}
	return list
}

func draw(r *rand.Rand) float32 {
	x := 0.5 + r.Float32()
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}
