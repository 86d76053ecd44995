//go:build linux && !android && (amd64 || arm64)

package plugin

// What calls are to give: the formulas of the header, in float64.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// reference returns the output of a call.
func reference(c system.Call, e edges) []float64 {
	shape := c.Shape(e.vertices, len(e.src))
	heads, width := shape[1], shape[2]
	in, out := map[int32]float64{}, map[int32]float64{}
	for i := range e.src {
		in[e.dst[i]]++
		out[e.src[i]]++
	}
	result := make([]float64, shape.Size())
	seen := make([]bool, len(result))
	for i := range e.src {
		u, v := int(e.src[i]), int(e.dst[i])
		if c.Flags.Transpose {
			u, v = v, u
		}
		norm := map[system.Norm]float64{
			system.NormNone: 1,
			system.NormMean: 1 / in[e.dst[i]],
			system.NormLeft: 1 / out[e.src[i]],
			system.NormBoth: 1 / math.Sqrt(in[e.dst[i]]*out[e.src[i]]),
		}[c.Flags.Norm]
		for h := range heads {
			for f := range width {
				at := func(row int) *float64 { return &result[(row*heads+h)*width+f] }
				var value float64
				switch c.Kind {
				case system.SpMMv:
					value = norm * element(c.X, u, h, f)
				case system.SpMMve:
					value = norm * apply(c.Flags.Op, element(c.X, u, h, f), element(c.W, i, h, f))
				case system.SpMMe:
					value = element(c.W, i, h, f)
				case system.SDDMMve:
					if *at(i) = element(c.X, u, h, f); c.Flags.Op != system.OpCopy {
						*at(i) = apply(c.Flags.Op, element(c.W, i, h, f), *at(i))
					}
					continue
				case system.SDDMMvv:
					if c.Flags.Op != system.OpDot {
						*at(i) = apply(c.Flags.Op, element(c.X, u, h, f), element(c.Y, v, h, f))
						continue
					}
					for k := range c.X.Shape()[2] {
						*at(i) += element(c.X, u, h, k) * element(c.Y, v, h, k)
					}
					continue
				}
				first := !seen[(v*heads+h)*width+f]
				seen[(v*heads+h)*width+f] = true
				switch {
				case c.Flags.Reduce == system.Sum:
					*at(v) += value
				case first, c.Flags.Reduce == system.Max && value > *at(v), c.Flags.Reduce == system.Min && value < *at(v):
					*at(v) = value
				}
			}
		}
	}
	return result
}

// element reads a tensor whose last dimension may be one number for all.
func element(t *tensor.Tensor, row, head, feature int) float64 {
	s := t.Shape()
	return float64(tensor.Data[float32](t)[(row*s[1]+head)*s[2]+feature%s[2]])
}

func apply(op system.Op, a, b float64) float64 {
	return map[system.Op]float64{system.OpMul: a * b, system.OpAdd: a + b, system.OpSub: a - b, system.OpDiv: a / b}[op]
}
