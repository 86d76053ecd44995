package cudagen_test

// Readouts and normalisations of graphs, dense batches, decoders of links and models without
// labels on the device.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestReadoutsNormalisationsAndDecodersOnTheDeviceAreThoseOnTheCPU(t *testing.T) {
	device := open(t)
	const dim = 6
	ring, err := graph.New(5, []int32{0, 1, 2, 3, 4}, []int32{1, 2, 3, 4, 0})
	if err != nil {
		t.Fatal(err)
	}
	lone, err := graph.New(1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, batch, err := graph.Batch(ring, lone, ring)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float32, g.NumVertices()*dim)
	for i := range values {
		values[i] = float32(rng.Uniform(7, uint64(i)) - 0.5)
	}
	links := gnn.Links{Src: []int32{0, 4, 5}, Rel: []int32{0, 2, 1}, Dst: []int32{3, 3, 10}}
	untyped := gnn.Links{Src: links.Src, Dst: links.Dst}
	decoder := func(d gnn.LinkDecoder, links gnn.Links) func(h *autograd.Var) *autograd.Var {
		return func(h *autograd.Var) *autograd.Var {
			scores := autograd.Concat(0, d.ScoreTails(h, links), d.ScoreHeads(h, links))
			return scores.Mul(d.Score(h, links).Sum())
		}
	}
	for name, layer := range map[string]func() (any, func(h *autograd.Var) *autograd.Var){
		"sum":  func() (any, func(*autograd.Var) *autograd.Var) { return nil, readout(batch, gnn.ReduceSum) },
		"mean": func() (any, func(*autograd.Var) *autograd.Var) { return nil, readout(batch, gnn.ReduceMean) },
		"max":  func() (any, func(*autograd.Var) *autograd.Var) { return nil, readout(batch, gnn.ReduceMax) },
		"attention": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewAttentionReadout(dim, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h) }
		},
		"gated": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewGatedReadout(dim, 3, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h) }
		},
		"set2set": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewSet2Set(dim, 2, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h) }
		},
		"top-k": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewTopKPool(dim, 0.5, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var {
				p := l.Forward(g, batch, h)
				return gnn.Readout(p.Batch, p.X, gnn.ReduceSum)
			}
		},
		"graph norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewGraphNorm(dim, gnn.GraphNormConfig{})
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h) }
		},
		"graph layer norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewGraphLayerNorm(dim, gnn.GraphLayerNormConfig{})
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h) }
		},
		"instance norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewInstanceNorm(dim, gnn.InstanceNormConfig{Affine: true, TrackRunningStats: true})
			return l, func(h *autograd.Var) *autograd.Var {
				y := l.Forward(batch, h)
				nn.Eval(l)
				return y.Add(l.Forward(batch, h)) // by the estimates that the first pass has moved
			}
		},
		"pair norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l, each := gnn.NewPairNorm(gnn.PairNormConfig{}), gnn.NewPairNorm(gnn.PairNormConfig{ScaleIndividually: true, Eps: 1})
			return nil, func(h *autograd.Var) *autograd.Var { return l.Forward(batch, h).Add(each.Forward(batch, h)) }
		},
		"graph size norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewMessageNorm(gnn.MessageNormConfig{LearnScale: true})
			return l, func(h *autograd.Var) *autograd.Var { return l.Forward(h, gnn.GraphSizeNorm(batch, h)) }
		},
		"group norm": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewDiffGroupNorm(dim, 2, gnn.DiffGroupNormConfig{}, nn.NewRNG(1))
			return l, l.Forward
		},
		"jumping knowledge": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: dim, Layers: 2}, nn.NewRNG(1))
			most := gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKMax}, nil)
			return l, func(h *autograd.Var) *autograd.Var { return most.Forward(l.Forward(h, h.Tanh()), h.Neg()) }
		},
		"dense batch": func() (any, func(*autograd.Var) *autograd.Var) {
			l := nn.NewMultiheadAttention(dim, 2, nn.AttentionConfig{}, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var {
				d, mask := gnn.ToDenseBatch(batch, h, gnn.DenseConfig{Max: 4, Fill: 2})
				y := gnn.FromDenseBatch(batch, l.Forward(d, d, d, gnn.PaddingMask(mask)))
				weights := gnn.SDDMM(g, y, y, gnn.OpDot)
				return gnn.ToDenseAdj(g, batch, weights, 0).MatMul(gnn.ToDenseAdj(g, batch, weights, 0))
			}
		},
		"dense transformer": func() (any, func(*autograd.Var) *autograd.Var) {
			l := nn.NewTransformerEncoder(2, dim, 2, nn.TransformerConfig{Feedforward: 4, NormFirst: true, FinalNorm: true}, nn.NewRNG(1))
			return l, func(h *autograd.Var) *autograd.Var {
				d, mask := gnn.ToDenseBatch(batch, h, gnn.DenseConfig{})
				return gnn.FromDenseBatch(batch, l.Forward(d, gnn.PaddingMask(mask)))
			}
		},
		"self-attention": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewSAGPool(gnn.NewGCNConv(dim, 1, nn.NewRNG(1)), 0.5)
			return l, func(h *autograd.Var) *autograd.Var {
				p := l.Forward(g, batch, h)
				return gnn.Readout(p.Batch, p.X, gnn.ReduceSum)
			}
		},
		"dot": func() (any, func(*autograd.Var) *autograd.Var) { return nil, decoder(gnn.Dot{}, untyped) },
		"DistMult": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewDistMult(3, dim, nn.NewRNG(1))
			return l, decoder(l, links)
		},
		"TransE": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewTransE(3, dim, gnn.TransEL2, nn.NewRNG(1))
			return l, decoder(l, links)
		},
		"TransE L1": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewTransE(3, dim, gnn.TransEL1, nn.NewRNG(1))
			return l, decoder(l, links)
		},
		"node2vec": func() (any, func(*autograd.Var) *autograd.Var) {
			l, w := gnn.NewNode2Vec(5, dim, nn.NewRNG(1)), gnn.Walks{Vertices: []int32{0, 2, 4, 1, 1, 0}, Length: 3}
			return l, func(h *autograd.Var) *autograd.Var { return h.Mul(l.Loss(w, w)) }
		},
		"auto-encoder": func() (any, func(*autograd.Var) *autograd.Var) {
			l := gnn.NewGAE(gnn.NewGCNConv(dim, 3, nn.NewRNG(1)), nil)
			return l, func(h *autograd.Var) *autograd.Var { return l.ReconLoss(l.Forward(g, h), untyped, untyped) }
		},
		"variational auto-encoder": func() (any, func(*autograd.Var) *autograd.Var) {
			r := nn.NewRNG(1)
			l := gnn.NewVGAE(&normal{gnn.NewGCNConv(dim, 3, r), gnn.NewGCNConv(dim, 3, r)}, nil, r)
			return l, func(h *autograd.Var) *autograd.Var {
				z, mu, logstd := l.Forward(g, h)
				return l.ReconLoss(z, untyped, untyped).Add(l.KLLoss(mu, logstd))
			}
		},
		"infomax": func() (any, func(*autograd.Var) *autograd.Var) {
			r := nn.NewRNG(1)
			l := gnn.NewDeepGraphInfomax(3, gnn.NewGCNConv(dim, 3, r), gnn.InfomaxConfig{}, r)
			return l, func(h *autograd.Var) *autograd.Var { return l.Loss(l.Forward(g, h)) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			on := func(d *tensor.Device) (results []*tensor.Tensor) {
				module, forward := layer()
				if module != nil {
					nn.To(module, d)
				}
				h := autograd.Parameter(tensor.FromSlice(values, g.NumVertices(), dim).ToDevice(d))
				out := forward(h)
				out.Square().Sum().Backward()
				if out.Device() != d || h.Gradient().Device() != d {
					t.Errorf("the result is on %v, the gradient on %v; want %v", out.Device(), h.Gradient().Device(), d)
				}
				results = append(results, out.Tensor(), h.Gradient())
				if module != nil {
					for _, p := range nn.Parameters(module) {
						results = append(results, p.Gradient())
					}
				}
				for i, r := range results {
					results[i] = r.ToDevice(tensor.CPU)
				}
				return results
			}
			want := on(nil)
			for i, got := range on(device) {
				g, w := tensor.Data[float32](got), tensor.Data[float32](want[i])
				for k := range w {
					if !(math.Abs(float64(g[k]-w[k])) <= 1e-5+1e-4*math.Abs(float64(w[k]))) {
						t.Fatalf("element %d of tensor %d is %v, on the CPU %v", k, i, g[k], w[k])
					}
				}
			}
		})
	}
}

func readout(batch *graph.BatchInfo, r gnn.Reduce) func(h *autograd.Var) *autograd.Var {
	return func(h *autograd.Var) *autograd.Var { return gnn.Readout(batch, h, r) }
}

// normal is an encoder of a variational auto-encoder.
type normal struct{ Mu, LogStd *gnn.GCNConv }

func (n *normal) Forward(g *graph.Graph, x *autograd.Var) (mu, logstd *autograd.Var) {
	return n.Mu.Forward(g, x), n.LogStd.Forward(g, x)
}
