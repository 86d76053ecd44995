package gnn_test

// The layers over types of vertices and edges against the golden vectors.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
)

// goldenTyped checks a layer on the graph of a golden file with the types it has.
func goldenTyped(t *testing.T, name string, layer func(g *graph.Graph, c *golden.Case) *autograd.Var) {
	t.Helper()
	file := shared.Golden(t, name)
	golden.Check(t, name, func(c *golden.Case) *autograd.Var {
		g, err := graph.New(c.Graph.NumVertices(), c.Graph.Src(), c.Graph.Dst(),
			graph.WithEdgeTypes(file["etype"].Int32s(), int(file["num_etypes"].I64[0])),
			graph.WithVertexTypes(file["vtype"].Int32s(), int(file["num_vtypes"].I64[0])))
		if err != nil {
			t.Fatal(err)
		}
		return layer(g, c)
	})
}

func TestRGCNConvEqualsGolden(t *testing.T) {
	for name, cfg := range map[string]gnn.RGCNConfig{"rgcn_full": {}, "rgcn_basis": {Bases: 3}, "rgcn_block": {Blocks: 4}} {
		goldenTyped(t, name, func(g *graph.Graph, c *golden.Case) *autograd.Var {
			l := gnn.NewRGCNConv(12, 8, 4, cfg, nn.NewRNG(1), gnn.WithDType(c.DType))
			l.Weight, l.Coef, l.Bases, l.Blocks = c.In["W"], c.In["coef"], c.In["V"], c.In["B"]
			l.Self, l.Bias = c.In["W0"], c.In["b"]
			return l.Forward(g, c.In["x"])
		})
	}
}

func TestHGTConvEqualsGolden(t *testing.T) {
	goldenTyped(t, "hgt", func(g *graph.Graph, c *golden.Case) *autograd.Var {
		l := gnn.NewHGTConv(12, 3, 3, 4, gnn.HGTConfig{}, nn.NewRNG(1), gnn.WithDType(c.DType), gnn.NoBias())
		l.Key, l.Query, l.Value, l.Out = c.In["K"], c.In["Q"], c.In["V"], c.In["A"]
		l.Att, l.Msg, l.Prior, l.Skip = c.In["Ratt"], c.In["Rmsg"], c.In["mu"], c.In["skip"]
		return l.Forward(g, c.In["x"])
	})
}

func TestSimpleHGNConvEqualsGolden(t *testing.T) {
	goldenTyped(t, "simple_hgn", func(g *graph.Graph, c *golden.Case) *autograd.Var {
		l := gnn.NewSimpleHGNConv(12, 5, 3, 4, 6, gnn.SimpleHGNConfig{Residual: true}, nn.NewRNG(1), gnn.WithDType(c.DType), gnn.NoBias())
		l.Weight, l.AttnSrc, l.AttnDst, l.AttnEdge = c.In["W"], c.In["al"], c.In["ar"], c.In["ae"]
		l.Embedding, l.EdgeWeight, l.Residual = c.In["r"], c.In["Wr"], c.In["Wres"]
		return l.Forward(g, c.In["x"], c.In["aprev"]).ELU(1)
	})
}

func TestTypedLinearsEqualGolden(t *testing.T) {
	goldenTyped(t, "typed_linear", func(g *graph.Graph, c *golden.Case) *autograd.Var {
		return gnn.TypedLinear(g, c.In["x"], c.In["w"])
	})
	goldenTyped(t, "edge_typed_linear", func(g *graph.Graph, c *golden.Case) *autograd.Var {
		return gnn.EdgeTypedLinear(g, c.In["x"], c.In["w"])
	})
}
