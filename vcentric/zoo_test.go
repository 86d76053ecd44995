package vcentric_test

// The zoo: the layers of the field as vertex functions, as their papers write
// them. Each is held against golden vectors from another implementation where
// there are any, against the interpreter on every degenerate graph, and its
// gradients against central differences.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// dims are the widths that a layer is made for.
type dims struct {
	in, hidden, out, heads, dim, edge int // dim is the width of a head, edge that of edge features
	blocks, bases                     int // of the weights of R-GCN
}

var (
	goldenDims = dims{in: 12, hidden: 10, out: 8, heads: 3, dim: 5, edge: 4, blocks: 4, bases: 3}
	smallDims  = dims{in: 4, hidden: 3, out: 2, heads: 2, dim: 2, edge: 2, blocks: 2, bases: 2}
	wideDims   = dims{in: 64, hidden: 48, out: 32, heads: 4, dim: 8, edge: 6, blocks: 8, bases: 5}
)

// zooLayer is a layer of the zoo.
type zooLayer struct {
	name        string
	golden      bool // there are golden vectors of its name
	homogeneous bool // only for graphs of one vertex set
	vertex      func(d dims) func(v vc.Vertex) vc.Value
	ins         func(d dims) []input
}

func (z zooLayer) layer(d dims) layer { return layer{z.name, z.vertex(d), z.ins(d)} }

// zoo is every layer, by family.
var zoo = slices.Concat(primitives, convolutions, attentions, typedLayers)

// zooLayerOf is the layer of a name.
func zooLayerOf(name string) zooLayer {
	return zoo[slices.IndexFunc(zoo, func(z zooLayer) bool { return z.name == name })]
}

// zooLayers are the layers in one size.
func zooLayers(d dims) []layer {
	var all []layer
	for _, z := range zoo {
		all = append(all, z.layer(d))
	}
	return all
}

// withGoldenTypes gives a golden case's graph the types that its file has.
func withGoldenTypes(t *testing.T, name string, g *graph.Graph) *graph.Graph {
	file := shared.Golden(t, name)
	out, err := graph.New(g.NumVertices(), g.Src(), g.Dst(),
		graph.WithEdgeTypes(file["etype"].Int32s(), int(file["num_etypes"].I64[0])),
		graph.WithVertexTypes(file["vtype"].Int32s(), int(file["num_vtypes"].I64[0])))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestZooEqualsGolden(t *testing.T) {
	for _, z := range zoo {
		if !z.golden {
			continue
		}
		ins := z.ins(goldenDims)
		program := vc.Compile(z.name, z.vertex(goldenDims))
		golden.Check(t, z.name, func(c *golden.Case) *autograd.Var {
			if len(c.In) != len(ins) {
				t.Errorf("%s: the golden file has %d inputs, the layer %d", z.name, len(c.In), len(ins))
			}
			xs := make([]*autograd.Var, len(ins))
			for i, in := range ins {
				xs[i] = c.In[in.name]
			}
			return program.Run(withGoldenTypes(t, z.name, c.Graph), bindAll(ins, xs)...)
		})
	}
}

// The plain layers need no types, and compile to other plans on graphs without.
func TestUntypedZooEqualsGoldenOnGraphsWithoutTypes(t *testing.T) {
	for _, z := range slices.Concat(primitives, convolutions, attentions) {
		if !z.golden || z.typed() {
			continue
		}
		ins := z.ins(goldenDims)
		program := vc.Compile(z.name, z.vertex(goldenDims))
		golden.Check(t, z.name, func(c *golden.Case) *autograd.Var {
			xs := make([]*autograd.Var, len(ins))
			for i, in := range ins {
				xs[i] = c.In[in.name]
			}
			return program.Run(c.Graph, bindAll(ins, xs)...)
		})
	}
}

func (z zooLayer) typed() bool { return z.layer(smallDims).typed() }

// settings are the graphs and inputs that a layer of the zoo can run on.
func (z zooLayer) settings(t *testing.T, d dims, f func(g namedGraph, ins []input)) {
	t.Helper()
	for _, bipartite := range []bool{false, true} {
		if bipartite && z.homogeneous {
			continue
		}
		ins := z.ins(d)
		if bipartite {
			ins = forBipartite(ins)
		}
		for _, g := range typedGraphs(t, bipartite) {
			f(g, ins)
		}
		if z.typed() {
			continue
		}
		for _, g := range graphs(t, bipartite) {
			f(g, ins)
		}
	}
}

// What a program compiles to computes what the interpreter says it means.
func TestZooEqualsTheInterpreterOnDegenerateGraphs(t *testing.T) {
	for _, z := range zoo {
		t.Run(z.name, func(t *testing.T) {
			for _, d := range []dims{smallDims, goldenDims, wideDims} {
				if testing.Short() && d != smallDims {
					continue
				}
				program := vc.Compile(z.name, z.vertex(d))
				i := 0
				z.settings(t, d, func(g namedGraph, ins []input) {
					if i++; testing.Short() && i%3 != 0 {
						return
					}
					for dt, tol := range tolerance {
						xs := variables(g.Graph, dt, ins)
						c := program.Compiled(g.Graph, bindAll(ins, xs)...)
						want := interpret(t, c.Traced, g.Graph, ins, xs)["out"]
						got := program.Run(g.Graph, bindAll(ins, xs)...)
						near(t, fmt.Sprintf("%s, %v, in %d", g.name, dt, d.in), got.Tensor().Float64s(), want, tol)
					}
				})
			}
		})
	}
}

func TestZooGradientsEqualCentralDifferencesOnDegenerateGraphs(t *testing.T) {
	for _, z := range zoo {
		t.Run(z.name, func(t *testing.T) {
			program := vc.Compile(z.name, z.vertex(smallDims))
			i := 0
			z.settings(t, smallDims, func(g namedGraph, ins []input) {
				if i++; testing.Short() && i%40 != 0 || g.NumEdges() > 200 {
					return
				}
				xs := variables(g.Graph, tensor.Float64, ins)
				err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var {
					return program.Run(g.Graph, bindAll(ins, xs)...)
				}, xs)
				if err != nil {
					t.Errorf("%s: %v", g.name, err)
				}
			})
		})
	}
}
