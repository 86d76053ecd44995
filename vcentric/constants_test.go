package vcentric_test

// Numbers as rows, matrices and biases of products.

import (
	"os/exec"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestNumbersAsMatricesAndBiasesOfProducts(t *testing.T) {
	native := []string{""}
	if _, err := exec.LookPath("cc"); err == nil {
		native = append(native, "cc")
	}
	g := typed(t, messy(t), 0)
	matrix := func(x float64) vc.Value { return vc.Number(x).Reshape(1, 1) }
	h, f := vertex("h", 7), edge("f", 1)
	w, typ := param("W", 7, 1), edgeType("T", 1, 3)
	for _, c := range []struct {
		name string
		ins  []input
		f    func(v vc.Vertex) vc.Value
	}{
		{"bias of vertices", []input{h, w}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Src("h").Mul(v.Feature("h")).Tanh()).MatMul(vc.Param("W")).Add(vc.Number(0.1).Reshape(1))
		}},
		{"bias of edges", []input{h, w}, func(v vc.Vertex) vc.Value {
			x := v.InEdges().Src("h").Mul(v.Feature("h"))
			return vc.Sum(vc.Number(0.1).Reshape(1).Add(x.MatMul(vc.Param("W"))).Tanh())
		}},
		{"matrix", []input{f}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Feature("f").MatMul(matrix(2)).Tanh())
		}},
		{"matrices", []input{f}, func(v vc.Vertex) vc.Value {
			x := v.InEdges().Feature("f")
			return vc.Sum(x.MatMul(matrix(2)).Tanh().Mul(x.MatMul(matrix(-3)).Tanh()))
		}},
		{"matrix and bias", []input{f}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Feature("f").MatMul(matrix(2)).Add(vc.Number(0.1).Reshape(1)).Tanh())
		}},
		{"matrix of a head", []input{f}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Feature("f").Reshape(1, 1).MatMul(vc.Number(2).Reshape(1, 1, 1)).Tanh())
		}},
		{"matrix of vertices", []input{vertex("x", 1)}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("x").Tanh()).MatMul(matrix(2)).Tanh()
		}},
		{"row", []input{f, typ}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(vc.Number(2).Reshape(1).MatMul(e.Type("T")).Mul(e.Feature("f")).Tanh())
		}},
	} {
		for _, dt := range []tensor.DType{tensor.Float64, tensor.Float32} {
			for _, compiler := range native {
				p, tol := vc.Compile(c.name, c.f), 1e-12
				if dt == tensor.Float32 {
					tol = 1e-4
				}
				if compiler != "" {
					p = p.Native(compiler)
				}
				xs := variables(g, dt, c.ins)
				want := interpretGradients(t, p.Compiled(g, bindAll(c.ins, xs)...).Traced, g, c.ins, xs)
				got := runBoth(p, g, c.ins, xs)
				near(t, c.name, got.out, want.out, tol)
				for i, in := range c.ins {
					near(t, c.name+": gradient of "+in.name, got.grads[i], want.grads[i], tol)
				}
				for i, x := range xs {
					xs[i] = autograd.Constant(x.Tensor())
				}
				near(t, c.name+" without gradients", p.Run(g, bindAll(c.ins, xs)...).Tensor().Float64s(), want.out, tol)
			}
		}
	}
}
