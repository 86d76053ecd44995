package vcentric_test

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/golden"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// bind binds the golden inputs: w and s live on the edges, the rest on the
// vertices.
func bind(c *golden.Case) []vc.Binding {
	var out []vc.Binding
	for name, x := range c.In {
		if name == "w" || name == "s" {
			out = append(out, vc.EdgeFeature(name, x))
		} else {
			out = append(out, vc.VertexFeature(name, x))
		}
	}
	return out
}

func checkPrograms(t *testing.T, programs map[string]func(v vc.Vertex) vc.Value) {
	for name, f := range programs {
		program := vc.Compile(name, f)
		golden.Check(t, name, func(c *golden.Case) *autograd.Var { return program.Run(c.Graph, bind(c)...) })
	}
}

var reducers = map[string]func(vc.Value) vc.Value{"sum": vc.Sum, "mean": vc.Mean, "max": vc.Max, "min": vc.Min}

func TestSpMMProgramsEqualGolden(t *testing.T) {
	programs := map[string]func(v vc.Vertex) vc.Value{
		"spmm_add_max": func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Max(e.Feature("w").Add(e.Src("x")))
		},
		"spmm_heads_sum": func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Feature("w").Reshape(3, 1).Mul(e.Src("x")))
		},
	}
	for name, reduce := range reducers {
		programs["spmm_"+name] = func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return reduce(e.Feature("w").Mul(e.Src("x")))
		}
		programs["spmm_copy_"+name] = func(v vc.Vertex) vc.Value { return reduce(v.InNeighbors().Feature("x")) }
	}
	checkPrograms(t, programs)
}

func TestSDDMMProgramsEqualGolden(t *testing.T) {
	checkPrograms(t, map[string]func(v vc.Vertex) vc.Value{
		"sddmm_add":       func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Add(v.Feature("y")) },
		"sddmm_sub":       func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Sub(v.Feature("y")) },
		"sddmm_mul":       func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Mul(v.Feature("y")) },
		"sddmm_dot":       func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Dot(v.Feature("y")) },
		"sddmm_dot_heads": func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Dot(v.Feature("y")) },
	})
}

func TestEdgeSoftmaxProgramsEqualGolden(t *testing.T) {
	softmax := func(v vc.Vertex) vc.Value { return vc.Softmax(v.InEdges().Feature("s")) }
	checkPrograms(t, map[string]func(v vc.Vertex) vc.Value{"edge_softmax": softmax, "edge_softmax_scalar_large": softmax})
}
