package vcentric_test

// Products of rows and matrices of which one has a head where the other has several.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// weight is a matrix by the way that it is bound, and how it is read at an edge.
type weight struct {
	in   func(name string, row ...int) input
	read func(e vc.Edge) vc.Value
}

var weights = map[string]weight{
	"param":          {param, func(vc.Edge) vc.Value { return vc.Param("W") }},
	"type of edge":   {edgeType, func(e vc.Edge) vc.Value { return e.Type("W") }},
	"type of vertex": {vertexType, func(e vc.Edge) vc.Value { return e.SrcType("W") }},
	"edge":           {edge, func(e vc.Edge) vc.Value { return e.Feature("W") }},
	"vertex":         {vertex, func(e vc.Edge) vc.Value { return e.Src("W") }},
}

// The same product with the rows repeated by hand: ones is [H 1].
func TestOneRowAndOneMatrixAreThoseOfAllHeads(t *testing.T) {
	g := typed(t, messy(t), 0)
	for name, w := range weights {
		for _, c := range []struct{ row, matrix, ones []int }{
			{[]int{1, 3}, []int{4, 3, 2}, []int{4, 1}},
			{[]int{5, 1, 3}, []int{4, 3, 2}, []int{4, 1}},
			{[]int{4, 3}, []int{1, 3, 2}, []int{4, 1, 1}},
			{[]int{5, 4, 3}, []int{1, 3, 2}, []int{4, 1, 1}},
			{[]int{1, 3}, []int{1, 3, 2}, []int{1, 1}},
		} {
			ins := []input{vertex("x", c.row...), w.in("W", c.matrix...), param("one", c.ones...)}
			ins[2].fn = func(float64) float64 { return 1 }
			what := fmt.Sprintf("%s: %v times %v", name, c.row, c.matrix)
			broadcast := vc.Compile(what, func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				return vc.AtEdges(e.Src("x").MatMul(w.read(e)))
			})
			repeated := vc.Compile(what, func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				x, m := e.Src("x"), w.read(e)
				if len(c.ones) == 2 {
					x = x.Mul(vc.Param("one"))
				} else {
					m = m.Mul(vc.Param("one"))
				}
				return vc.AtEdges(x.MatMul(m))
			})
			xs := variables(g, tensor.Float64, ins)
			want, got := runBoth(repeated, g, ins, xs), runBoth(broadcast, g, ins, xs)
			near(t, what, got.out, want.out, 1e-13)
			near(t, what+": grad x", got.grads[0], want.grads[0], 1e-13)
			near(t, what+": grad W", got.grads[1], want.grads[1], 1e-13)
		}
	}
}

// What is one row at the vertices is multiplied there by one matrix as wide as all heads.
func TestOneRowTimesHeadsIsOneProductOfVertices(t *testing.T) {
	g := messy(t)
	ins := []input{vertex("x", 1, 3), param("W", 4, 3, 2), vertex("a", 4, 1)}
	program := vc.Compile("heads", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		z := e.Src("x").MatMul(vc.Param("W"))
		if s := fmt.Sprint(z.Shape()); s != "[4 2]" {
			t.Errorf("the product has row shape %s, want [4 2]", s)
		}
		return vc.Sum(z.Mul(e.Src("a")))
	})
	plan := fmt.Sprint(program.Compiled(g, bindAll(ins, variables(g, tensor.Float32, ins))...).Forward)
	if !strings.Contains(plan, "matmul level=src") || strings.Contains(plan, "expand") {
		t.Errorf("the plan is\n%s", plan)
	}
}

func TestGradientsOfGradientsOfOneRowTimesHeads(t *testing.T) {
	second(t, messy(t), layer{"heads", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("x").Reshape(1, 3).MatMul(vc.Param("W")).Tanh().Mul(e.Feature("f")))
	}, []input{vertex("x", 3), param("W", 4, 3, 2), edge("f", 4, 1)}})
}
