package vcentric_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// One layer of GAT (Veličković et al. 2018): vertex 2 attends to vertices 0 and
// 1, whose scores are equal, and vertex 0 to vertex 2.
func Example() {
	gat := vc.Compile("gat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		score := e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2) // edge value
		alpha := vc.Softmax(score)                           // over v's in-edges
		return vc.Sum(alpha.Mul(e.Src("h")))                 // vertex value
	})
	g, err := graph.New(3, []int32{0, 1, 2}, []int32{2, 2, 0})
	if err != nil {
		panic(err)
	}
	h := autograd.Variable(tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 3, 2))
	el := autograd.Variable(tensor.FromSlice([]float32{1, 1, 7}, 3))
	er := autograd.Variable(tensor.FromSlice([]float32{0, 0, -3}, 3))
	out := gat.Run(g, vc.VertexFeature("h", h), vc.VertexFeature("el", el), vc.VertexFeature("er", er))
	out.BackwardWith(tensor.FromSlice([]float32{1, 1, 1, 1, 1, 1}, 3, 2))
	fmt.Println(tensor.Data[float32](out.Tensor()))
	fmt.Println(tensor.Data[float32](h.Gradient()))
	// Output:
	// [5 6 0 0 2 3]
	// [0.5 0.5 0.5 0.5 1 1]
}

// The propagation D^(-1/2) A D^(-1/2) x by in-degrees, as PyG has it: what comes from vertex 0,
// which no edge enters, counts as 0, not as infinite.
func ExampleVertex_InDegree() {
	norm := func(v vc.Vertex) vc.Value {
		return v.InDegree().Maximum(vc.Number(1)).Rsqrt().Mul(v.InDegree().Step())
	}
	propagate := vc.Compile("propagate", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		return vc.Sum(u.Feature("x").Mul(norm(u))).Mul(norm(v))
	})
	norms := vc.Compile("norms", norm)
	g, err := graph.New(4, []int32{0, 1, 2, 3, 3, 3}, []int32{1, 2, 3, 1, 1, 1})
	if err != nil {
		panic(err)
	}
	x := autograd.Constant(tensor.FromSlice([]float64{7, 2, 4, 8}, 4, 1))
	fmt.Println(norms.Run(g).Tensor().Float64s())
	fmt.Println(propagate.Run(g, vc.VertexFeature("x", x)).Tensor().Float64s())
	// Output:
	// [0 0.5 1 1]
	// [0 12 1 4]
}

// Springs between atoms: forces are the negative gradient of the energy by the places, and the
// stiffness is fitted to forces that were measured. The gradient of that loss goes through the
// gradient of the program.
func ExampleProgram_Run_forces() {
	springs := vc.Compile("springs", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		stretch := e.Src("x").Sub(e.Dst("x")).Square().SumLast().Sqrt().AddScalar(-1)
		return vc.Sum(stretch.Square().Mul(vc.Param("k")).Scale(0.5))
	})
	g, err := graph.New(3, []int32{0, 1}, []int32{1, 2})
	if err != nil {
		panic(err)
	}
	x := autograd.Variable(tensor.FromSlice([]float64{0, 0, 2, 0, 2, 3}, 3, 2))
	k := autograd.Variable(tensor.FromSlice([]float64{1}, 1))
	measured := autograd.Constant(tensor.FromSlice([]float64{5, 0, -5, 10, 0, -10}, 3, 2))
	for range 20 {
		energy := springs.Run(g, vc.VertexFeature("x", x), vc.ParamValue("k", k)).Sum()
		forces := autograd.Grad(energy, []*autograd.Var{x}, autograd.CreateGraph())[0].Neg()
		k.ZeroGrad()
		forces.Sub(measured).Square().Sum().Backward()
		tensor.AddInto(k.Tensor(), tensor.Scale(k.Gradient(), -0.02))
	}
	fmt.Printf("%.3f\n", k.Tensor().Float64s())
	// Output:
	// [5.000]
}
