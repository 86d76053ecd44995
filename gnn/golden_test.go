package gnn_test

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
)

func TestGCNConvEqualsGolden(t *testing.T) {
	for name, norm := range map[string]gnn.Norm{"gcn": gnn.RenormLoops, "gcn_both": gnn.BothDegrees} {
		golden.Check(t, name, func(c *golden.Case) *autograd.Var {
			l := gnn.NewGCNConvNorm(12, 8, norm, nn.NewRNG(1), gnn.WithDType(c.DType))
			l.Weight, l.Bias = c.In["W"], c.In["b"]
			return l.Forward(c.Graph, c.In["x"])
		})
	}
}

func TestAPPNPEqualsGolden(t *testing.T) {
	golden.Check(t, "appnp", func(c *golden.Case) *autograd.Var {
		return gnn.NewAPPNP(gnn.APPNPConfig{}, nn.NewRNG(1)).Forward(c.Graph, c.In["x"])
	})
}

func TestGINConvEqualsGolden(t *testing.T) {
	golden.Check(t, "gin", func(c *golden.Case) *autograd.Var {
		mlp := nn.NewMLP([]int{12, 10, 8}, nn.MLPConfig{DType: c.DType}, nn.NewRNG(1))
		return ginOfCase(c, mlp)
	})
	golden.Check(t, "gin_bn", func(c *golden.Case) *autograd.Var {
		norm := nn.NewBatchNorm1d(10, nn.BatchNormConfig{DType: c.DType})
		norm.Weight, norm.Bias = c.In["gamma"], c.In["beta"]
		mlp := nn.NewMLP([]int{12, 10, 8}, nn.MLPConfig{DType: c.DType, Norm: func(int) nn.Layer { return norm }}, nn.NewRNG(1))
		return ginOfCase(c, mlp)
	})
}

func ginOfCase(c *golden.Case, mlp *nn.MLP) *autograd.Var {
	mlp.Layers[0].Weight, mlp.Layers[0].Bias = c.In["W1"], c.In["b1"]
	mlp.Layers[1].Weight, mlp.Layers[1].Bias = c.In["W2"], c.In["b2"]
	l := gnn.NewGINConv(mlp, gnn.GINConfig{}, gnn.WithDType(c.DType))
	l.Eps = c.In["eps"]
	return l.Forward(c.Graph, c.In["x"])
}

func TestSAGEConvEqualsGolden(t *testing.T) {
	golden.Check(t, "sage_mean", func(c *golden.Case) *autograd.Var {
		l := gnn.NewSAGEConv(12, 8, gnn.SAGEConfig{}, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.WeightSelf, l.WeightNeigh, l.Bias = c.In["Wself"], c.In["Wneigh"], c.In["b"]
		return l.Forward(c.Graph, c.In["x"])
	})
	golden.Check(t, "sage_maxpool", func(c *golden.Case) *autograd.Var {
		l := gnn.NewSAGEConv(12, 8, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool, Pool: 10}, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.WeightSelf, l.WeightNeigh, l.Bias = c.In["Wself"], c.In["Wneigh"], c.In["b"]
		l.WeightPool, l.BiasPool = c.In["Wpool"], c.In["bpool"]
		return l.Forward(c.Graph, c.In["x"])
	})
}

func TestLayersOfNGraEqualGolden(t *testing.T) {
	golden.Check(t, "ggcn", func(c *golden.Case) *autograd.Var {
		l := gnn.NewGGCNConv(12, 8, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.WeightSrc, l.WeightDst, l.Weight = c.In["WH"], c.In["WC"], c.In["W"]
		return l.Forward(c.Graph, c.In["x"])
	})
	golden.Check(t, "commnet", func(c *golden.Case) *autograd.Var {
		l := gnn.NewCommNetConv(12, 8, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.WeightSelf, l.WeightNeigh = c.In["WH"], c.In["WC"]
		return l.Forward(c.Graph, c.In["x"])
	})
	golden.Check(t, "mpgcn", func(c *golden.Case) *autograd.Var {
		l := gnn.NewMPGCNConv(12, 10, 8, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.WeightPool, l.BiasPool, l.Weight = c.In["Wpool"], c.In["b"], c.In["W"]
		return l.Forward(c.Graph, c.In["x"])
	})
	golden.Check(t, "ggnn", func(c *golden.Case) *autograd.Var {
		l := gnn.NewGGNNConv(12, 12, 4, 1, nn.NewRNG(1), gnn.WithDType(c.DType))
		l.Weight = c.In["A"]
		l.GRU.WeightIH, l.GRU.WeightHH = c.In["Wih"].Transpose(), c.In["Whh"].Transpose() // PyTorch's layout
		l.GRU.BiasIH, l.GRU.BiasHH = c.In["bih"], c.In["bhh"]
		types := shared.Golden(t, "ggnn")["etype"].Int32s()
		g, err := graph.New(c.Graph.NumVertices(), c.Graph.Src(), c.Graph.Dst(), graph.WithEdgeTypes(types, 4))
		if err != nil {
			t.Fatal(err)
		}
		return l.Forward(g, c.In["h"])
	})
}

func TestCGATConvEqualsGolden(t *testing.T) {
	golden.Check(t, "cgat_pairwise", func(c *golden.Case) *autograd.Var {
		l := gnn.NewCGATConv(12, 4, 5, 3, gnn.GATConfig{}, nn.NewRNG(1), gnn.WithDType(c.DType), gnn.NoBias())
		l.Weight, l.Attn, l.WeightValue = c.In["W"], c.In["a"], c.In["V"]
		return l.Forward(c.Graph, c.In["x"], c.In["f"])
	})
}

func TestSparseOpsEqualGolden(t *testing.T) {
	reduces := map[string]gnn.Reduce{"sum": gnn.ReduceSum, "mean": gnn.ReduceMean, "max": gnn.ReduceMax, "min": gnn.ReduceMin}
	for name, reduce := range reduces {
		golden.Check(t, "spmm_copy_"+name, func(c *golden.Case) *autograd.Var {
			return gnn.SpMM(c.Graph, c.In["x"], reduce)
		})
		golden.Check(t, "spmm_"+name, func(c *golden.Case) *autograd.Var {
			return gnn.SpMMEdge(c.Graph, c.In["x"], c.In["w"], gnn.OpMul, reduce)
		})
	}
	golden.Check(t, "spmm_heads_sum", func(c *golden.Case) *autograd.Var {
		return gnn.SpMMEdge(c.Graph, c.In["x"], c.In["w"], gnn.OpMul, gnn.ReduceSum)
	})
	golden.Check(t, "spmm_add_max", func(c *golden.Case) *autograd.Var {
		return gnn.SpMMEdge(c.Graph, c.In["x"], c.In["w"], gnn.OpAdd, gnn.ReduceMax)
	})
	for name, op := range map[string]gnn.EdgeOp{"add": gnn.OpAdd, "sub": gnn.OpSub, "mul": gnn.OpMul, "dot": gnn.OpDot, "dot_heads": gnn.OpDot} {
		golden.Check(t, "sddmm_"+name, func(c *golden.Case) *autograd.Var {
			return gnn.SDDMM(c.Graph, c.In["x"], c.In["y"], op)
		})
	}
	for _, name := range []string{"edge_softmax", "edge_softmax_scalar_large"} {
		golden.Check(t, name, func(c *golden.Case) *autograd.Var { return gnn.EdgeSoftmax(c.Graph, c.In["s"]) })
	}
	golden.Check(t, "segment_readout", func(c *golden.Case) *autograd.Var {
		file := shared.Golden(t, "segment_readout")
		segments, err := gnn.Segments(file["vtype"].Int32s(), int(file["num_vtypes"].I64[0]))
		if err != nil {
			t.Fatal(err)
		}
		reduced := func(r gnn.Reduce) *autograd.Var { return gnn.SegmentReduce(segments, c.In["x"], r) }
		return autograd.Concat(1, reduced(gnn.ReduceSum), reduced(gnn.ReduceMean), reduced(gnn.ReduceMax))
	})
}

func TestGATConvEqualsGolden(t *testing.T) {
	for name, mean := range map[string]bool{"gat_concat": false, "gat_mean": true} {
		golden.Check(t, name, func(c *golden.Case) *autograd.Var {
			l := gnn.NewGATConv(12, 5, 3, gnn.GATConfig{Mean: mean}, nn.NewRNG(1), gnn.WithDType(c.DType))
			l.Weight, l.AttnSrc, l.AttnDst, l.Bias = c.In["W"], c.In["al"], c.In["ar"], c.In["b"]
			return l.Forward(c.Graph, c.In["x"])
		})
	}
}
