package vcentric_test

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// A vertex that nobody reads has gradient 0 whatever its derivative would be:
// degree^-1/2 and log 0 are infinite at a vertex without out-edges, and 0 times
// infinity must not reach the weights. The gradients are those of the same
// program computed edge by edge.
func TestVerticesThatNobodyReadDoNotSpoilGradients(t *testing.T) {
	// Vertex 1 has no out-edges, vertex 0 no in-edges.
	g, err := graph.New(3, []int32{0, 2, 0}, []int32{1, 1, 2}, graph.WithEdgeTypes([]int32{0, 1, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
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
		"the square root of a negative number": {
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(u.Feature("h").Mul(u.OutDegree().AddScalar(-1).Sqrt()).MatMul(vc.Param("W")))
			},
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.AtEdges(u.Feature("h")).Mul(vc.AtEdges(u.OutDegree()).AddScalar(-1).Sqrt()).MatMul(vc.Param("W")))
			},
		},
		"an infinite number": {
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.Select(u.OutDegree(), u.Feature("h"), vc.Number(math.Inf(-1))).MatMul(vc.Param("W")))
			},
			func(v vc.Vertex) vc.Value {
				return vc.Sum(vc.AtEdges(v.InNeighbors().Feature("h")).MatMul(vc.Param("W")))
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
		"degree^-1/2 and a matrix for each type": {
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(u.Feature("h").Mul(u.OutDegree().Rsqrt()).MatMul(v.InEdges().Type("T")))
			},
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.AtEdges(u.Feature("h")).Mul(vc.AtEdges(u.OutDegree()).Rsqrt()).MatMul(v.InEdges().Type("T")))
			},
		},
		"the destination's degree^-1/2 and a matrix for each type": {
			func(v vc.Vertex) vc.Value {
				return vc.Sum(v.Feature("h").Mul(v.InDegree().Rsqrt()).MatMul(v.InEdges().Type("T")))
			},
			func(v vc.Vertex) vc.Value {
				return vc.Sum(vc.AtEdges(v.Feature("h")).Mul(vc.AtEdges(v.InDegree()).Rsqrt()).MatMul(v.InEdges().Type("T")))
			},
		},
		"degree^-1/2 and a matrix that meets both ends": { // its gradient sums over the edges at first
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(u.Feature("h").Mul(u.OutDegree().Rsqrt()).Mul(v.Feature("h")).MatMul(vc.Param("W")).Tanh())
			},
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.AtEdges(u.Feature("h")).Mul(vc.AtEdges(u.OutDegree()).Rsqrt()).Mul(v.Feature("h")).MatMul(vc.Param("W")).Tanh())
			},
		},
		"matrices of the columns of each end": {
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.Concat(u.Feature("h").Mul(u.OutDegree().Rsqrt()), v.Feature("h").Mul(v.InDegree().Rsqrt())).Tanh().MatMul(vc.Param("W2")).Tanh())
			},
			func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				return vc.Sum(vc.Concat(vc.AtEdges(u.Feature("h")).Mul(vc.AtEdges(u.OutDegree()).Rsqrt()), vc.AtEdges(v.Feature("h")).Mul(vc.AtEdges(v.InDegree()).Rsqrt())).Tanh().MatMul(vc.Param("W2")).Tanh())
			},
		},
	}
	// Rows of vertices are gone over in other ways if features ask for a gradient.
	ask := map[string]func(*tensor.Tensor) *autograd.Var{"": autograd.Variable, ", of weights alone": autograd.Constant}
	for name, forms := range programs {
		for of, feature := range ask {
			t.Run(name+of, func(t *testing.T) {
				var grads [2]map[string][]float64
				for i, f := range forms {
					in := map[string]*autograd.Var{
						"h":  feature(tensor.FromSlice([]float64{1, 2, 0, 0, 3, 4}, 3, 2)),
						"W":  autograd.Variable(tensor.FromSlice([]float64{1, -2, 3, 5}, 2, 2)),
						"T":  autograd.Variable(tensor.FromSlice([]float64{1, -2, 3, 5, -1, 4, 2, 6}, 2, 2, 2)),
						"W2": autograd.Variable(tensor.FromSlice([]float64{1, -2, 3, 5, -1, 4, 2, 6}, 4, 2)),
						"a":  autograd.Variable(tensor.FromSlice([]float64{2, 3}, 2)),
					}
					out := vc.Compile(name, f).Run(g, vc.VertexFeature("h", in["h"]), vc.ParamValue("W", in["W"]),
						vc.ParamValue("a", in["a"]), vc.ParamValue("W2", in["W2"]), vc.EdgeTypeFeature("T", in["T"]))
					out.BackwardWith(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2))
					grads[i] = make(map[string][]float64)
					for k, x := range in {
						if x.Gradient() != nil {
							grads[i][k] = x.Gradient().Float64s()
						}
					}
				}
				if len(grads[0]) != len(grads[1]) {
					t.Errorf("gradients of %d inputs, edge by edge of %d", len(grads[0]), len(grads[1]))
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
}

// What attention's scores send back is 0 at a vertex without edges, where the gradient of its
// result may be infinite, as that of a norm is, or NaN.
func TestScoresOfVerticesWithoutEdgesHaveGradientZero(t *testing.T) {
	// All of the vertices 0 to 2 see each other, vertex 3 sees nothing.
	g := mustGraph(t, 4, []int32{0, 1, 2, 0, 1, 2, 0, 1, 2}, []int32{0, 0, 0, 1, 1, 1, 2, 2, 2})
	attention := func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(vc.Softmax(e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2)).Mul(e.Src("h")))
	}
	for name, f := range map[string]func(vc.Vertex) vc.Value{
		"norm": func(v vc.Vertex) vc.Value { return attention(v).Square().SumLast().Sqrt() },
		"log":  func(v vc.Vertex) vc.Value { return attention(v).AddScalar(3).Mul(v.InDegree()).SumLast().Log() },
		"1/x": func(v vc.Vertex) vc.Value {
			return attention(v).SumLast().Square().AddScalar(1).Mul(v.InDegree()).Recip()
		},
	} {
		p := vc.Compile(name, f)
		ins := []input{vertex("h", 4), vertex("el", 1), vertex("er", 1)}
		grads := func(p *vc.Program) map[string][]float64 {
			out := make(map[string][]float64)
			xs := variables(g, tensor.Float64, ins)
			p.Run(g, bindAll(ins, xs)...).Sum().Backward()
			for i, in := range ins {
				out[in.name] = xs[i].Gradient().Float64s()
			}
			return out
		}
		walks := func(p *vc.Program) (n int) {
			for _, s := range p.Compiled(g, bindAll(ins, variables(g, tensor.Float64, ins))...).Backward.Steps {
				if k, ok := s.(*plan.Kernel); ok {
					n += len(k.Loops)
				}
			}
			return n
		}
		if with, without := walks(p), walks(p.Without("dot-out-of-sum")); with >= without {
			t.Errorf("%s: %d walks over the edges, %d without the rule", name, with, without)
		}
		got, want := grads(p), grads(p.Without("reuse-sum", "dot-out-of-sum"))
		for _, in := range ins {
			near(t, name+": gradient of "+in.name, got[in.name], want[in.name], 1e-12)
		}
		if x := got["er"][3]; x != 0 {
			t.Errorf("%s: the gradient of er[3] is %v", name, x)
		}
	}
}
