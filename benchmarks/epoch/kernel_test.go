package epoch

// The graph kernels alone, through the vertex-centric API: no products, no loss,
// no optimiser. 64 features a vertex, as one row or as 8 heads of 8.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// forwardOnly measures runs without gradients.
func forwardOnly(b *testing.B, p *vc.Program, g *graph.Graph, bindings ...vc.Binding) {
	b.Helper()
	c := p.Compiled(g, bindings...)
	p.Run(g, bindings...)
	b.ReportAllocs()
	b.SetBytes(compulsory(g, c.Forward))
	for b.Loop() {
		p.Run(g, bindings...)
	}
}

// backwardOnly measures the gradients of a run with respect to xs; the run
// itself is not in the time.
func backwardOnly(b *testing.B, p *vc.Program, g *graph.Graph, xs []*autograd.Var, bindings ...vc.Binding) {
	b.Helper()
	c := p.Compiled(g, bindings...)
	out := p.Run(g, bindings...)
	cotangent := tensor.Full(out.DType(), 1, out.Shape()...)
	out.BackwardWith(cotangent)
	b.ReportAllocs()
	b.SetBytes(compulsory(g, c.Backward))
	for b.Loop() {
		b.StopTimer()
		for _, x := range xs {
			x.ZeroGrad()
		}
		out := p.Run(g, bindings...)
		b.StartTimer()
		out.BackwardWith(cotangent)
	}
}

func aggregate(v vc.Vertex) vc.Value {
	u := v.InNeighbors()
	return vc.Sum(u.Feature("h").Mul(u.Feature("norm"))).Mul(v.Feature("norm"))
}

// attention is GAT after its products: features [heads dim], scores [heads 1].
func attention(v vc.Vertex) vc.Value {
	e := v.InEdges()
	score := e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2)
	return vc.Sum(vc.Softmax(score).Mul(e.Src("h")))
}

func uniform(k *task, shape ...int) *autograd.Var {
	return autograd.Constant(tensor.Full(tensor.Float32, 0.1, append([]int{k.graph.NumVertices()}, shape...)...))
}

func BenchmarkAggregateForwardRMAT(b *testing.B) {
	k := rmat(b)
	forwardOnly(b, vc.Compile("aggregate", aggregate), k.graph, vc.VertexFeature("h", k.x), vc.VertexFeature("norm", uniform(k)))
}

// attentionInputs are the inputs for some heads, with gradients or without.
func attentionInputs(k *task, heads int, grad bool) ([]*autograd.Var, []vc.Binding) {
	h := autograd.Constant(k.x.Tensor().Reshape(k.graph.NumVertices(), heads, rmatFeatures/heads))
	xs := []*autograd.Var{h, uniform(k, heads, 1), uniform(k, heads, 1)}
	for _, x := range xs {
		x.SetRequiresGrad(grad)
	}
	return xs, []vc.Binding{vc.VertexFeature("h", xs[0]), vc.VertexFeature("el", xs[1]), vc.VertexFeature("er", xs[2])}
}

func gatForward(b *testing.B, heads int) {
	k := rmat(b)
	_, bindings := attentionInputs(k, heads, false)
	forwardOnly(b, vc.Compile("gat", attention), k.graph, bindings...)
}

func gatBackward(b *testing.B, heads int) {
	k := rmat(b)
	xs, bindings := attentionInputs(k, heads, true)
	backwardOnly(b, vc.Compile("gat", attention), k.graph, xs, bindings...)
}

func BenchmarkGATForwardRMAT1Head(b *testing.B)   { gatForward(b, 1) }
func BenchmarkGATForwardRMAT8Heads(b *testing.B)  { gatForward(b, 8) }
func BenchmarkGATBackwardRMAT1Head(b *testing.B)  { gatBackward(b, 1) }
func BenchmarkGATBackwardRMAT8Heads(b *testing.B) { gatBackward(b, 8) }
