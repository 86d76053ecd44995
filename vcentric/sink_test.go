package vcentric_test

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A vertex that nobody reads has gradient 0 whatever its derivative would be:
// degree^-1/2 and log 0 are infinite at a vertex without out-edges, and 0 times
// infinity must not reach the weights. The gradients are those of the same
// program computed edge by edge.
func TestVerticesThatNobodyReadDoNotSpoilGradients(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 2, 0}, []int32{1, 1, 2}) // vertex 1 has no out-edges
	programs := map[string][2]func(v vc.Vertex) vc.Value{
		"degree^-1/2": {
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(u.Feature("h").MatMul(vc.Param("W")).Mul(u.OutDegree().Rsqrt()))
			},
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.AtEdges(u.Feature("h")).MatMul(vc.Param("W")).Mul(vc.AtEdges(u.OutDegree()).Rsqrt()))
			},
		},
		"log": {
			func(v vc.Vertex) vc.Value {
				return vc.Sum(v.InNeighbors().Feature("h").Log().MatMul(vc.Param("W")))
			},
			func(v vc.Vertex) vc.Value {
				return vc.Sum(vc.AtEdges(v.InNeighbors().Feature("h")).Log().MatMul(vc.Param("W")))
			},
		},
		"log of a scaled feature": {
			func(v vc.Vertex) vc.Value {
				return vc.Sum(v.InNeighbors().Feature("h").Mul(vc.Param("a")).Log())
			},
			func(v vc.Vertex) vc.Value {
				return vc.Sum(vc.AtEdges(v.InNeighbors().Feature("h")).Mul(vc.Param("a")).Log())
			},
		},
	}
	for name, forms := range programs {
		t.Run(name, func(t *testing.T) {
			var grads [2]map[string][]float64
			for i, f := range forms {
				in := map[string]*autograd.Var{
					"h": autograd.Variable(tensor.FromSlice([]float64{1, 2, 0, 0, 3, 4}, 3, 2)),
					"W": autograd.Variable(tensor.FromSlice([]float64{1, -2, 3, 5}, 2, 2)),
					"a": autograd.Variable(tensor.FromSlice([]float64{2, 3}, 2)),
				}
				out := vc.Compile(name, f).Run(g, vc.VertexFeature("h", in["h"]), vc.ParamValue("W", in["W"]), vc.ParamValue("a", in["a"]))
				out.BackwardWith(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2))
				grads[i] = make(map[string][]float64)
				for k, x := range in {
					if x.Gradient() != nil {
						grads[i][k] = x.Gradient().Float64s()
					}
				}
			}
			for k, got := range grads[0] {
				for j, x := range got {
					if want := grads[1][k][j]; !(math.Abs(x-want) <= 1e-12*(1+math.Abs(want))) {
						t.Errorf("gradient of %s[%d] is %v, edge by edge it is %v", k, j, x, want)
					}
				}
			}
		})
	}
}
