package op

// Degrees: what they divide, and where they are 0.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// degrees are how many edges each vertex has at one side, in the forms that
// gradients need, made when first needed: [N 1 1] on the device.
type degrees struct {
	device  *tensor.Device
	counts  []int32
	isolate bool // there is a vertex without

	inverse, root *tensor.Tensor // 1/d and 1/√d with 0 as 1
	none          *tensor.Tensor // Bool: d = 0
}

func count(d *tensor.Device, vertices int, ends []int32) degrees {
	counts := make([]int32, vertices)
	for _, v := range ends {
		counts[v]++
	}
	deg := degrees{device: d, counts: counts}
	for _, n := range counts {
		deg.isolate = deg.isolate || n == 0
	}
	return deg
}

// values are a number of each degree.
func (d *degrees) values(of func(n float64) float64) *tensor.Tensor {
	out := make([]float32, len(d.counts))
	for v, n := range d.counts {
		out[v] = float32(of(float64(max(n, 1))))
	}
	return tensor.FromSlice(out, len(out), 1, 1).ToDevice(d.device)
}

func (d *degrees) inverses() *tensor.Tensor {
	if d.inverse == nil {
		d.inverse = d.values(func(n float64) float64 { return 1 / n })
	}
	return d.inverse
}

func (d *degrees) roots() *tensor.Tensor {
	if d.root == nil {
		d.root = d.values(func(n float64) float64 { return 1 / math.Sqrt(n) })
	}
	return d.root
}

// clear returns x, which it frees, with 0 in the rows of vertices without edges.
func (d *degrees) clear(x *tensor.Tensor) *tensor.Tensor {
	if !d.isolate {
		return x
	}
	if d.none == nil {
		none := make([]bool, len(d.counts))
		for v, n := range d.counts {
			none[v] = n == 0
		}
		d.none = tensor.FromSlice(none, len(none), 1, 1).ToDevice(d.device)
	}
	defer x.Free()
	return tensor.MaskedFill(x, d.none, 0)
}

// factors are the factors of c_e = a_u b_v for an edge u→v, nil for 1.
func (o *Ops) factors(n system.Norm) (a, b *tensor.Tensor) {
	switch n {
	case system.NormMean:
		b = o.in.inverses()
	case system.NormLeft:
		a = o.out.inverses()
	case system.NormBoth:
		a, b = o.out.roots(), o.in.roots()
	}
	return a, b
}

// scaled is x with its rows scaled, if by anything.
func scaled(x, rows *tensor.Tensor) *tensor.Tensor {
	if rows == nil {
		return x
	}
	return tensor.Mul(x, rows)
}
