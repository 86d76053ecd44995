package vcentric_test

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// BenchmarkCompile compiles deep programs with their gradients: long chains on edges, and
// layers of attention unrolled in one program. Time is to grow with their length, not with
// powers of it.
func BenchmarkCompile(b *testing.B) {
	g := messy(b)
	ins := []input{vertex("x", 2)}
	for _, c := range []struct {
		name   string
		depths []int
		f      func(v vc.Vertex, n int) vc.Value
	}{
		{"chain", []int{40, 80, 160}, func(v vc.Vertex, n int) vc.Value {
			y := v.InNeighbors().Feature("x").Mul(v.Feature("x"))
			for range n {
				y = y.Mul(y.Add(v.Feature("x")).Tanh())
			}
			return vc.Sum(y)
		}},
		{"attention", []int{40, 80, 160, 320}, func(v vc.Vertex, n int) vc.Value {
			layer := vc.Compile("layer", func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				return vc.Sum(vc.Softmax(e.Src("x").Add(e.Dst("x")).LeakyReLU(0.2)).Mul(e.Src("x")))
			})
			y := v.Feature("x")
			for range n {
				y = layer.Call(v, vc.Let{Name: "x", Value: y})
			}
			return y
		}},
	} {
		for _, n := range c.depths {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				bindings := bindAll(ins, []*autograd.Var{autograd.Variable(randn(tensor.Float32, 1, 6, 2))})
				for b.Loop() {
					vc.Compile(c.name, func(v vc.Vertex) vc.Value { return c.f(v, n) }).Compiled(g, bindings...)
				}
			})
		}
	}
}
