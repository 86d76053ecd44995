package vcentric_test

// Constants beyond the range of float32.

import (
	"math"
	"os/exec"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestConstantsBeyondFloat32AreInfiniteInFloat32(t *testing.T) {
	compilers := []string{""}
	if _, err := exec.LookPath("cc"); err == nil {
		compilers = append(compilers, "cc")
	}
	g := messy(t)
	h, d, s := vertex("h", 3).positive(), vertex("d"), edge("s")
	masked := func(x float64) func(v vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value { // all edges of some vertices
			e := v.InEdges()
			score := vc.Select(e.Dst("d").Gt(vc.Number(0)), e.Feature("s"), vc.Number(x))
			return vc.Sum(vc.Softmax(score).Mul(e.Src("h")))
		}
	}
	for _, c := range []struct {
		name string
		ins  []input
		f    func(v vc.Vertex) vc.Value
	}{
		{"sum of scaled rows", []input{h}, func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Scale(1e39)) }},
		{"divisor", []input{h}, func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Div(vc.Number(1e-50))) }},
		{"reciprocal", []input{h}, func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Mul(vc.Number(1e-50).Recip())) }},
		{"mask -1e300", []input{h, d, s}, masked(-1e300)},
		{"mask of the least float64", []input{h, d, s}, masked(-math.MaxFloat64)},
		{"mask of the least float32", []input{h, d, s}, masked(-math.MaxFloat32)},
		{"bounds", []input{h}, func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Clamp(-1e300, 1e300)) }},
	} {
		for _, compiler := range compilers {
			p := vc.Compile(c.name, c.f)
			if compiler != "" {
				p = p.Native(compiler)
			}
			xs := variables(g, tensor.Float32, c.ins)
			want := interpretGradients(t, p.Compiled(g, bindAll(c.ins, xs)...).Traced, g, c.ins, xs)
			got := runBoth(p, g, c.ins, xs)
			alike(t, c.name, got.out, want.out)
			for i, in := range c.ins {
				alike(t, c.name+": gradient of "+in.name, got.grads[i], want.grads[i])
			}
			for i, x := range xs {
				xs[i] = autograd.Constant(x.Tensor())
			}
			alike(t, c.name+" without gradients", p.Run(g, bindAll(c.ins, xs)...).Tensor().Float64s(), want.out)
		}
	}
}

// alike is near for numbers that may be infinite or NaN, which are to be so in both.
func alike(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		x := got[i]
		if x != w && !(math.IsNaN(x) && math.IsNaN(w)) && !(math.Abs(x-w) <= 1e-4*(1+math.Abs(w)) && !math.IsInf(w, 0)) {
			t.Errorf("%s[%d] = %v, want %v", what, i, x, w)
			return
		}
	}
}

func TestASumOverNoEdgesIsZeroWhateverTheScale(t *testing.T) {
	g := mustGraph(t, 2, []int32{0}, []int32{1})
	h := autograd.Constant(tensor.FromSlice([]float32{1, 2}, 2, 1))
	p := vc.Compile("scaled", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Scale(1e39)) })
	got := p.Run(g, vc.VertexFeature("h", h)).Tensor().Float64s()
	if got[0] != 0 || !math.IsInf(got[1], 1) {
		t.Errorf("sums are %v, want [0 +Inf]", got)
	}
}
