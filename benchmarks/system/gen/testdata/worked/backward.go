//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// The gradients of spmm_scaled, filled in.

import (
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

func backward(g *Graph, x, w *tensor.Tensor, op system.Op, scale float32, transpose bool, out, gradOut *tensor.Tensor) (gradX, gradW *tensor.Tensor, err error) {
	gradX, gradW = tensor.ZerosLike(x), tensor.ZerosLike(w)
	from, to := g.Src, g.Dst
	if transpose {
		from, to = to, from
	}
	heads, width := x.Dim(1), x.Dim(2)
	xs, ws, gs := tensor.Data[float32](x), tensor.Data[float32](w), tensor.Data[float32](gradOut)
	dx, dw := tensor.Data[float32](gradX), tensor.Data[float32](gradW)
	for e := range from {
		for h := range heads {
			weight := e*heads + h
			for f := range width {
				at := (int(from[e])*heads+h)*width + f
				d := scale * gs[(int(to[e])*heads+h)*width+f]
				switch a, b := xs[at], ws[weight]; op {
				case system.OpMul:
					dx[at] += d * b
					dw[weight] += d * a
				case system.OpAdd:
					dx[at] += d
					dw[weight] += d
				case system.OpSub:
					dx[at] += d
					dw[weight] -= d
				case system.OpDiv:
					dx[at] += d / b
					dw[weight] -= d * a / (b * b)
				}
			}
		}
	}
	return gradX, gradW, nil
}
