package gnn_test

// A classifier of graphs, as an example.

import (
	"context"
	"fmt"
	"log"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// classifier has a GraphNorm after each of its layers, and tells the classes of graphs
// from what all layers have computed.
type classifier struct {
	Convs []*gnn.GINConv
	Norms []*gnn.GraphNorm
	Jump  *gnn.JumpingKnowledge
	Out   *nn.Linear
}

func newClassifier(in, hidden, classes, layers int, r *nn.RNG) *classifier {
	m := &classifier{
		Jump: gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKCat}, r),
		Out:  nn.NewLinear(layers*hidden, classes, r),
	}
	for range layers {
		m.Convs = append(m.Convs, gnn.NewGINConv(nn.NewMLP([]int{in, hidden, hidden}, nn.MLPConfig{}, r), gnn.GINConfig{}))
		m.Norms = append(m.Norms, gnn.NewGraphNorm(hidden, gnn.GraphNormConfig{}))
		in = hidden
	}
	return m
}

func (m *classifier) Forward(b *data.GraphBatch) *autograd.Var {
	h := autograd.Constant(b.Features)
	var layers []*autograd.Var
	for i, conv := range m.Convs {
		h = m.Norms[i].Forward(b.Info, conv.Forward(b.Graph, h)).ReLU()
		layers = append(layers, h)
	}
	return m.Out.Forward(gnn.Readout(b.Info, m.Jump.Forward(layers...), gnn.ReduceMean))
}

// wheels are rings, of class 0, and rings with a hub, of class 1, the edges both ways.
func wheels(sizes int) *data.GraphDataset {
	d := &data.GraphDataset{Name: "wheels", NumClasses: 2}
	for n := 5; n < 5+sizes; n++ {
		for class := range int32(2) {
			var src, dst []int32
			join := func(u, v int) {
				src, dst = append(src, int32(u), int32(v)), append(dst, int32(v), int32(u))
			}
			rim := n - int(class)
			for v := range rim {
				if join(v, (v+1)%rim); class == 1 {
					join(v, rim)
				}
			}
			g, err := graph.New(n, src, dst)
			if err != nil {
				log.Fatal(err)
			}
			d.Graphs, d.Labels = append(d.Graphs, g), append(d.Labels, class)
		}
	}
	return d.WithDegreeFeatures(4)
}

// A classifier of graphs with GraphNorm and JumpingKnowledge is trained on mini-batches of
// rings and wheels, and tells larger ones apart.
func ExampleJumpingKnowledge() {
	d := wheels(20)
	var seen, larger []int32
	for i := range d.Graphs {
		if i < 24 {
			seen = append(seen, int32(i))
		} else {
			larger = append(larger, int32(i))
		}
	}
	loader, err := data.NewGraphLoader(d, seen, data.Loading{BatchSize: 8, Shuffle: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	m := newClassifier(d.Features.Cols(), 8, d.NumClasses, 3, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.01})
	for epoch := range 20 {
		for b, err := range loader.Epoch(context.Background(), epoch) {
			if err != nil {
				log.Fatal(err)
			}
			opt.ZeroGrad()
			nn.CrossEntropy(m.Forward(b), b.Labels, nil).Backward()
			opt.Step()
		}
	}
	nn.Eval(m)
	test := d.Batch(larger)
	fmt.Printf("%d larger graphs, accuracy %.2f\n", test.Info.NumGraphs(), nn.Accuracy(m.Forward(test), test.Labels, nil))
	// Output: 16 larger graphs, accuracy 1.00
}

// The vertices of each graph look at each other, not at those of other graphs.
func ExampleToDenseBatch() {
	b := wheels(2).Batch([]int32{0, 1, 3}) // of 5, 5 and 6 vertices
	r := nn.NewRNG(1)
	in, attention := nn.NewLinear(5, 8, r), nn.NewMultiheadAttention(8, 2, nn.AttentionConfig{}, r)

	h := in.Forward(autograd.Constant(b.Features))
	dense, mask := gnn.ToDenseBatch(b.Info, h, gnn.DenseConfig{})
	seen := attention.Forward(dense, dense, dense, gnn.PaddingMask(mask))
	h = h.Add(gnn.FromDenseBatch(b.Info, seen))
	fmt.Println(dense.Shape(), h.Shape(), gnn.ToDenseAdj(b.Graph, b.Info, nil, 0).Shape())
	// Output: [3 6 8] [16 8] [3 6 6]
}
