package gnn_test

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/internal/golden"
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

func TestGATConvEqualsGolden(t *testing.T) {
	for name, mean := range map[string]bool{"gat_concat": false, "gat_mean": true} {
		golden.Check(t, name, func(c *golden.Case) *autograd.Var {
			l := gnn.NewGATConv(12, 5, 3, gnn.GATConfig{Mean: mean}, nn.NewRNG(1), gnn.WithDType(c.DType))
			l.Weight, l.AttnSrc, l.AttnDst, l.Bias = c.In["W"], c.In["al"], c.In["ar"], c.In["b"]
			return l.Forward(c.Graph, c.In["x"])
		})
	}
}
