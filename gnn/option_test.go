package gnn_test

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// NoBias is of every bias of a layer. Those of the MLP of GIN and GINE are its own, as are
// those of NNConv's network and of the layers of DirGNNConv.
func TestNoBiasLeavesOutEveryBias(t *testing.T) {
	r, bare := nn.NewRNG(1), gnn.NoBias()
	mlp := nn.NewMLP([]int{4, 4}, nn.MLPConfig{NoBias: true}, r)
	h, err := new(graph.HeteroBuilder).Vertices("paper", 2).Vertices("author", 2).Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, layer := range map[string]func(opts ...gnn.Option) any{
		"gcn":  func(o ...gnn.Option) any { return gnn.NewGCNConv(4, 4, r, o...) },
		"sage": func(o ...gnn.Option) any { return gnn.NewSAGEConv(4, 4, gnn.SAGEConfig{}, r, o...) },
		"sage max": func(o ...gnn.Option) any {
			return gnn.NewSAGEConv(4, 4, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, o...)
		},
		"graphconv": func(o ...gnn.Option) any { return gnn.NewGraphConv(4, 4, gnn.ReduceSum, r, o...) },
		"gat":       func(o ...gnn.Option) any { return gnn.NewGATConv(4, 2, 2, gnn.GATConfig{}, r, o...) },
		"gatv2":     func(o ...gnn.Option) any { return gnn.NewGATv2Conv(4, 2, 2, gnn.GATConfig{ProjectBias: true}, r, o...) },
		"gine":      func(o ...gnn.Option) any { return gnn.NewGINEConv(4, 3, mlp, gnn.GINConfig{}, r, o...) },
		"nnconv": func(o ...gnn.Option) any {
			return gnn.NewNNConv(4, 4, 1, mlp, gnn.NNConvConfig{}, r, o...)
		},
		"dirgnn": func(o ...gnn.Option) any {
			return gnn.NewDirGNNConv(4, 4, 0.5, func() gnn.PairConv {
				return gnn.SourcePair(gnn.NewGCNConvNorm(4, 4, gnn.BothDegrees, r, bare))
			}, gnn.DirGNNConfig{}, r, o...)
		},
		"sgc":      func(o ...gnn.Option) any { return gnn.NewSGConv(4, 4, 2, r, o...) },
		"cheb":     func(o ...gnn.Option) any { return gnn.NewChebConv(4, 4, 2, gnn.ChebConfig{}, r, o...) },
		"tag":      func(o ...gnn.Option) any { return gnn.NewTAGConv(4, 4, 2, gnn.TAGConfig{}, r, o...) },
		"mpgcn":    func(o ...gnn.Option) any { return gnn.NewMPGCNConv(4, 4, 4, r, o...) },
		"ggnn":     func(o ...gnn.Option) any { return gnn.NewGGNNConv(4, 4, 2, 1, r, o...) },
		"cgat":     func(o ...gnn.Option) any { return gnn.NewCGATConv(4, 3, 2, 2, gnn.GATConfig{}, r, o...) },
		"edgeconv": func(o ...gnn.Option) any { return gnn.NewEdgeConv([]int{4, 4, 4}, r, o...) },
		"pna":      func(o ...gnn.Option) any { return gnn.NewPNAConv(4, 3, 4, 1, r, o...) },
		"transformer": func(o ...gnn.Option) any {
			return gnn.NewTransformerConv(4, 2, 2, gnn.TransformerConfig{Edge: 3, Gate: true}, r, o...)
		},
		"rgcn": func(o ...gnn.Option) any { return gnn.NewRGCNConv(4, 4, 2, gnn.RGCNConfig{}, r, o...) },
		"rgcn embedding": func(o ...gnn.Option) any {
			return gnn.NewRGCNEmbedding(5, 4, 2, gnn.RGCNConfig{}, r, o...)
		},
		"rgat": func(o ...gnn.Option) any { return gnn.NewRGATConv(4, 2, 2, 2, gnn.RGATConfig{}, r, o...) },
		"hgt":  func(o ...gnn.Option) any { return gnn.NewHGTConv(4, 2, 2, 2, gnn.HGTConfig{Norm: true}, r, o...) },
		"simple-hgn": func(o ...gnn.Option) any {
			return gnn.NewSimpleHGNConv(4, 2, 2, 2, 3, gnn.SimpleHGNConfig{Residual: true}, r, o...)
		},
		"hetero":     func(o ...gnn.Option) any { return gnn.NewHeteroLinear(h, map[string]int{"paper": 3}, 4, r, o...) },
		"gated":      func(o ...gnn.Option) any { return gnn.NewGatedReadout(4, 4, r, o...) },
		"attention":  func(o ...gnn.Option) any { return gnn.NewAttentionReadout(4, r, o...) },
		"set2set":    func(o ...gnn.Option) any { return gnn.NewSet2Set(4, 2, r, o...) },
		"graph norm": func(o ...gnn.Option) any { return gnn.NewGraphNorm(4, gnn.GraphNormConfig{}, o...) },
		"graph layer norm": func(o ...gnn.Option) any {
			return gnn.NewGraphLayerNorm(4, gnn.GraphLayerNormConfig{}, o...)
		},
		"instance norm": func(o ...gnn.Option) any {
			return gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{Affine: true}, o...)
		},
		"group norm": func(o ...gnn.Option) any {
			return gnn.NewDiffGroupNorm(4, 2, gnn.DiffGroupNormConfig{}, r, o...)
		},
		"jumping knowledge": func(o ...gnn.Option) any {
			return gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 4, Layers: 2}, r, o...)
		},
	} {
		biases := func(layer any) (names []string) {
			for _, p := range nn.NamedParameters(layer) {
				if strings.Contains(p.Name, "bias") {
					names = append(names, p.Name)
				}
			}
			return names
		}
		if names := biases(layer()); len(names) == 0 {
			t.Errorf("%s has no biases to leave out", name)
		}
		if names := biases(layer(bare)); len(names) > 0 {
			t.Errorf("%s has %v without biases", name, names)
		}
	}
}
