package vcentric_test

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Times of events are large, and differ by little. Weights that decay with the difference have
// gradients with as many digits as the difference has.
func TestGradientsOfWeightsByADifferenceKeepItsDigits(t *testing.T) {
	const n = 11
	var src, dst []int32
	for u := range int32(n - 1) {
		src, dst = append(src, u), append(dst, n-1)
	}
	g := mustGraph(t, n, src, dst)
	decay := vc.Compile("decay", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		w := e.Src("t").Sub(e.Dst("t")).Mul(vc.Param("a")).Exp()
		return vc.Sum(w.Mul(e.Src("h")))
	})
	gradient := func(dt tensor.DType) float64 {
		times, h := make([]float64, n), make([]float64, n*4)
		for i := range times {
			times[i] = 16_000_000 - float64(n-1-i)
		}
		for i := range h {
			h[i] = 1 + float64(i%7)/8
		}
		a := autograd.Variable(tensor.FromSlice([]float64{0.1}, 1).To(dt))
		y := decay.Run(g,
			vc.VertexFeature("t", autograd.Constant(tensor.FromSlice(times, n, 1).To(dt))),
			vc.VertexFeature("h", autograd.Variable(tensor.FromSlice(h, n, 4).To(dt))),
			vc.ParamValue("a", a))
		y.Sum().Backward()
		return tensor.Data[float64](a.Gradient().To(tensor.Float64))[0]
	}
	if got, want := gradient(tensor.Float32), gradient(tensor.Float64); math.Abs(got-want) > 1e-5*math.Abs(want) {
		t.Errorf("the gradient is %v in float32, %v in float64", got, want)
	}
}
