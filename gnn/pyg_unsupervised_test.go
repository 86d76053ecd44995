package gnn_test

// Models that learn without labels give PyTorch Geometric's losses and gradients
// (testdata/pyg.py).

import (
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// same is the encoder that gives what it is given.
type same struct{}

func (same) Forward(_ *graph.Graph, x *autograd.Var) *autograd.Var { return x }

// normal is an encoder that gives what it has.
type normal struct{ Mu, LogStd *autograd.Var }

func (n normal) Forward(*graph.Graph, *autograd.Var) (mu, logstd *autograd.Var) {
	return n.Mu, n.LogStd
}

// links are those of a tensor [2 links].
func (c pygCase) links(name string) gnn.Links {
	ends := c.ints(name)
	n := len(ends) / 2
	return gnn.Links{Src: ends[:n], Dst: ends[n:]}
}

func (c pygCase) walks(name string) gnn.Walks {
	return gnn.Walks{Vertices: c.ints(name), Length: c[name].Shape()[1]}
}

func TestModelsWithoutLabelsEqualPyG(t *testing.T) {
	kinds := pygCases(t)
	r, with := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	for kind, pass := range map[string]func(c pygCase, xs func(name string) *autograd.Var) (model any, loss *autograd.Var){
		"node2vec": func(c pygCase, _ func(string) *autograd.Var) (any, *autograd.Var) {
			s := c["before.embedding.weight"].Shape()
			m := gnn.NewNode2Vec(s[0], s[1], r, with)
			c.load(t, m)
			return m, m.Loss(c.walks("positive"), c.walks("negative"))
		},
		"gae": func(c pygCase, xs func(string) *autograd.Var) (any, *autograd.Var) {
			m := gnn.NewGAE(same{}, nil)
			z := m.Forward(nil, xs("z"))
			wantTensor(t, "decoded", m.Decode(z, c.links("positive")).Tensor(), c["decoded"])
			return nil, m.ReconLoss(z, c.links("positive"), c.links("negative"))
		},
		"vgae": func(c pygCase, xs func(string) *autograd.Var) (any, *autograd.Var) {
			m := gnn.NewVGAE(normal{}, nil, r)
			return nil, m.KLLoss(xs("mu"), xs("logstd"))
		},
		"infomax": func(c pygCase, xs func(string) *autograd.Var) (any, *autograd.Var) {
			m := gnn.NewDeepGraphInfomax(c["summary"].Shape()[0], same{}, gnn.InfomaxConfig{}, r, with)
			c.load(t, m)
			summary := xs("summary")
			wantTensor(t, "probability", m.Discriminate(xs("negative"), summary).Tensor(), c["probability"])
			return m, m.Loss(xs("positive"), xs("negative"), summary)
		},
	} {
		if len(kinds[kind]) == 0 {
			t.Errorf("no cases of %s", kind)
		}
		for i, c := range kinds[kind] {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				leaves := map[string]*autograd.Var{}
				model, loss := pass(c, func(name string) *autograd.Var {
					if leaves[name] == nil {
						leaves[name] = autograd.Variable(c[name])
					}
					return leaves[name]
				})
				// PyG's 1e-15 beside a probability is 1e-11 of a small one.
				near(t, "loss", []float64{loss.Item()}, c["loss"].Float64s(), 1e-11)
				loss.Backward()
				if model != nil {
					for _, p := range nn.NamedParameters(model) {
						leaves[p.Name] = p.Var
					}
				}
				compared := 0
				for name, want := range c {
					if name, ok := strings.CutPrefix(name, "gradient."); ok {
						if leaves[name] == nil {
							t.Errorf("no leaf %s", name)
							continue
						}
						near(t, "gradient of "+name, leaves[name].Gradient().Float64s(), want.Float64s(), 1e-11)
						compared++
					}
				}
				if compared != len(leaves) {
					t.Errorf("gradients of %d leaves compared, there are %d", compared, len(leaves))
				}
			})
		}
	}
}
