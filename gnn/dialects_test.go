package gnn_test

// GCN, GAT and HGT in the three dialects: the layers of this package are vertex
// functions, and beside them stand the same layers as message passing and as SAGA
// stages. All compile to one plan.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/gnn/message"
	"github.com/asterias-ml/asterias/gnn/saga"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// gcnNorm is the coefficient of a vertex: a loop counts as one more in-edge.
func gcnNorm(inDegree vc.Value) vc.Value { return inDegree.AddScalar(1).Rsqrt() }

var gcnMessage = message.Compile("gcn", message.Layer{
	Message: func(e message.Edges) message.Fields {
		return message.Fields{"m": e.Src("z").Mul(gcnNorm(e.SrcInDegree()))}
	},
	Reduce: func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} },
	Update: func(n message.Nodes) vc.Value {
		loop := n.Data("z").Mul(gcnNorm(n.InDegree()))
		return n.Data("sum").Add(loop).Mul(gcnNorm(n.InDegree())).Add(vc.Param("b"))
	},
})

var gcnSaga = saga.Compile("gcn", saga.Layer{
	ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value {
		return src.Feature("z").Mul(gcnNorm(src.InDegree()))
	},
	Accumulator: saga.Sum,
	ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value {
		loop := v.Feature("z").Mul(gcnNorm(v.InDegree()))
		return acc.Add(loop).Mul(gcnNorm(v.InDegree())).Add(vc.Param("b"))
	},
})

const heads, headDim = 3, 4

var gatMessage = message.Compile("gat", message.Layer{
	Message: func(e message.Edges) message.Fields {
		score := e.Src("z").Dot(vc.Param("al")).Reshape(heads, 1).Add(e.Dst("z").Dot(vc.Param("ar")).Reshape(heads, 1))
		return message.Fields{"s": score.LeakyReLU(0.2), "z": e.Src("z")}
	},
	Reduce: func(n message.Nodes) message.Fields {
		alpha := vc.Softmax(n.Mailbox("s"))
		return message.Fields{"h": vc.Sum(alpha.Mul(n.Mailbox("z")))}
	},
	Update: func(n message.Nodes) vc.Value { return n.Data("h").Reshape(heads * headDim).Add(vc.Param("b")) },
})

var gatSaga = saga.Compile("gat", saga.Layer{
	ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("z") },
	Accumulator: saga.SoftmaxSum(func(src, dst vc.Vertex, e vc.Edge) vc.Value {
		score := func(x vc.Vertex, a string) vc.Value { return x.Feature("z").Dot(vc.Param(a)).Reshape(heads, 1) }
		return score(src, "al").Add(score(dst, "ar")).LeakyReLU(0.2)
	}),
	ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.Reshape(heads * headDim).Add(vc.Param("b")) },
})

// hgtOut is what HGT does with the attended messages t, given the ways to the
// vertex's features and to those of its type.
func hgtOut(t vc.Value, feature, ofType func(name string) vc.Value) vc.Value {
	gate := ofType("skip").Sigmoid()
	h := t.Reshape(heads * headDim).GELU().MatMul(ofType("A"))
	return gate.Mul(h).Add(vc.Number(1).Sub(gate).Mul(feature("x")))
}

// project is a row of HGT's keys, queries or values.
func project(x, w vc.Value) vc.Value { return x.MatMul(w).Reshape(heads, headDim) }

// hgtScore is HGT's score of an edge, given the key, the query and the way to what
// belongs to the edge's type.
func hgtScore(key, query vc.Value, ofType func(name string) vc.Value) vc.Value {
	score := key.MatMul(ofType("att")).Dot(query)
	return score.Mul(ofType("mu")).Scale(1/math.Sqrt(headDim)).Reshape(heads, 1)
}

var hgtMessage = message.Compile("hgt", message.Layer{
	Message: func(e message.Edges) message.Fields {
		key, query := project(e.Src("x"), e.SrcType("K")), project(e.Dst("x"), e.DstType("Q"))
		return message.Fields{
			"s": hgtScore(key, query, e.Type),
			"m": project(e.Src("x"), e.SrcType("V")).MatMul(e.Type("msg")),
		}
	},
	Reduce: func(n message.Nodes) message.Fields {
		return message.Fields{"t": vc.Sum(vc.Softmax(n.Mailbox("s")).Mul(n.Mailbox("m")))}
	},
	Update: func(n message.Nodes) vc.Value { return hgtOut(n.Data("t"), n.Data, n.Type) },
})

var hgtSaga = saga.Compile("hgt", saga.Layer{
	ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value {
		return project(src.Feature("x"), src.Type("V")).MatMul(e.Type("msg"))
	},
	Accumulator: saga.SoftmaxSum(func(src, dst vc.Vertex, e vc.Edge) vc.Value {
		key, query := project(src.Feature("x"), src.Type("K")), project(dst.Feature("x"), dst.Type("Q"))
		return hgtScore(key, query, e.Type)
	}),
	ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return hgtOut(acc, v.Feature, v.Type) },
})

func TestDialectsCompileToThePlansOfTheLayers(t *testing.T) {
	const n, in = 40, 12
	r := nn.NewRNG(1)
	g := random(t, n, 300)
	x := autograd.Variable(randn(tensor.Float64, 1, n, in))
	f64 := gnn.WithDType(tensor.Float64)
	gcn := gnn.NewGCNConv(in, 5, r, f64)
	gat := gnn.NewGATConv(in, headDim, heads, gnn.GATConfig{}, r, f64)
	hgt := gnn.NewHGTConv(in, heads, 3, 4, gnn.HGTConfig{}, r, f64, gnn.NoBias())
	gat.SetTraining(false)
	hgt.SetTraining(false)
	for _, p := range nn.Parameters([]any{gcn, gat, hgt}) { // biases too are away from 0
		copy(tensor.Data[float64](p.Tensor()), tensor.Data[float64](randn(tensor.Float64, 7, p.Shape()...)))
	}

	type layer interface {
		model
		Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled
	}
	for _, c := range []struct {
		name     string
		layer    layer
		g        *graph.Graph
		dialects map[string]*vc.Program
		bindings func() []vc.Binding
	}{
		{"gcn", gcn, g, map[string]*vc.Program{"message": gcnMessage, "saga": gcnSaga}, func() []vc.Binding {
			return []vc.Binding{vc.VertexFeature("z", x.MatMul(gcn.Weight)), vc.ParamValue("b", gcn.Bias)}
		}},
		{"gat", gat, g, map[string]*vc.Program{"message": gatMessage, "saga": gatSaga}, func() []vc.Binding {
			z := x.MatMul(gat.Weight).Reshape(n, heads, headDim)
			return []vc.Binding{vc.VertexFeature("z", z), vc.ParamValue("al", gat.AttnSrc), vc.ParamValue("ar", gat.AttnDst), vc.ParamValue("b", gat.Bias)}
		}},
		{"hgt", hgt, ofTypes(t, g, 4, 3), map[string]*vc.Program{"message": hgtMessage, "saga": hgtSaga}, func() []vc.Binding {
			return []vc.Binding{vc.VertexFeature("x", x),
				vc.VertexTypeFeature("K", hgt.Key), vc.VertexTypeFeature("V", hgt.Value),
				vc.VertexTypeFeature("Q", hgt.Query), vc.VertexTypeFeature("A", hgt.Out), vc.VertexTypeFeature("skip", hgt.Skip),
				vc.EdgeTypeFeature("att", hgt.Att), vc.EdgeTypeFeature("msg", hgt.Msg), vc.EdgeTypeFeature("mu", hgt.Prior)}
		}},
	} {
		leaves := append([]*autograd.Var{x}, nn.Parameters(c.layer)...)
		results := func(out *autograd.Var) (all []float64) {
			for _, v := range leaves {
				v.ZeroGrad()
			}
			out.BackwardWith(randn(tensor.Float64, 3, out.Shape()...))
			all = append(all, out.Tensor().Float64s()...)
			for _, v := range leaves {
				all = append(all, v.Gradient().Float64s()...)
			}
			return all
		}
		want := c.layer.Compiled(c.g, x)
		numbers := results(c.layer.Forward(c.g, x))
		for dialect, program := range c.dialects {
			got := program.Compiled(c.g, c.bindings()...)
			if a, b := got.Forward.String(), want.Forward.String(); a != b {
				t.Errorf("%s as %s: the forward plan is\n%s\nwant\n%s", c.name, dialect, a, b)
			}
			if a, b := got.Backward.String(), want.Backward.String(); a != b {
				t.Errorf("%s as %s: the backward plan is\n%s\nwant\n%s", c.name, dialect, a, b)
			}
			if !sameBits(results(program.Run(c.g, c.bindings()...)), numbers) {
				t.Errorf("%s as %s: results and gradients differ from the layer's", c.name, dialect)
			}
		}
	}
}
