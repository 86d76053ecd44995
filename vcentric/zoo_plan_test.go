package vcentric_test

// What the zoo compiles to: no tensor with an edge dimension, and the rewrites
// that each layer is known for.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// ofDegree is a graph of 4 edge types and 3 vertex types whose vertices have so
// many in-edges on average; the cost model goes by it.
func ofDegree(t *testing.T, degree int) *graph.Graph {
	return typed(t, hub(t, 3, 100, 100*degree), 0)
}

func sizesOf(g *graph.Graph) plan.Sizes {
	return plan.Sizes{
		NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges(),
		Types: ir.Types{Src: g.NumSrcTypes(), Dst: g.NumDstTypes(), Edge: g.NumEdgeTypes()},
	}
}

// edgeTensors are the buffers of a plan that have a row per edge and that nobody
// asked for: neither bound nor the gradient of what is bound. Those that the plan
// says it keeps are listed apart.
func edgeTensors(p *plan.Plan, result string) (all, kept []string) {
	chosen := make(map[string]bool)
	for _, d := range p.Decisions {
		if d.Rule == plan.KeepEdgeValue && d.Taken {
			chosen[fmt.Sprintf("%%%d", d.Value.ID)] = true
		}
	}
	for _, b := range p.Buffers {
		asked := b.Role == plan.Input || b.Role == plan.Output && b.Name != result
		switch {
		case b.Res != ir.Edge || asked:
		case b.Role == plan.Temp && chosen[b.Name]:
			kept = append(kept, b.Name)
		default:
			all = append(all, b.Name)
		}
	}
	return all, kept
}

// A training step of a layer whose result belongs to vertices allocates nothing
// with an edge dimension, whatever the degrees of the graph, but a number for each edge
// where vertices have so few that a row of columns for each vertex costs more.
func TestZooNeedsNoEdgeTensors(t *testing.T) {
	checked, keeping := 0, 0
	for _, z := range zoo {
		for _, d := range []dims{smallDims, goldenDims, wideDims} {
			for _, degree := range []int{1, 8, 60} {
				if testing.Short() && degree > 8 {
					continue
				}
				g := ofDegree(t, degree)
				ins := z.ins(d)
				xs := variables(g, tensor.Float32, ins)
				c := vc.Compile(z.name, z.vertex(d)).Compiled(g, bindAll(ins, xs)...)
				if c.Traced.Outputs[0].Value.Res == ir.Edge {
					continue
				}
				checked++
				for _, p := range []*plan.Plan{c.Forward, c.Backward} {
					extra, kept := edgeTensors(p, "out")
					if len(extra) > 0 || len(kept) > 0 && degree > 1 {
						t.Errorf("%s, in %d, degree %d: edge tensors %v, and %v by decision\n%v\n%s", z.name, d.in, degree, extra, kept, p, p.Report(sizesOf(g)))
					}
					keeping += len(kept)
				}
			}
		}
	}
	if checked == 0 || keeping == 0 {
		t.Errorf("%d layers were checked, %d values kept", checked, keeping)
	}
}

// The rules that make a layer what it is; of those named with a minus none may
// fire.
func TestRulesFireOnTheLayersTheyAreMadeFor(t *testing.T) {
	// A GCN whose projection is narrower or wider than its input.
	gcn := func(in, out int, projectFirst bool) zooLayer {
		return zooLayer{
			name: fmt.Sprintf("gcn %d to %d, W first %v", in, out, projectFirst),
			vertex: sameAt(func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				x := u.Feature("x")
				norm := u.OutDegree().Maximum(vc.Number(1)).Rsqrt()
				if projectFirst {
					return vc.Sum(x.MatMul(vc.Param("W")).Mul(norm))
				}
				return vc.Sum(x.Mul(norm)).MatMul(vc.Param("W"))
			}),
			ins: func(dims) []input { return []input{vertex("x", in), param("W", in, out)} },
		}
	}
	// Kipf and Welling's coefficients where the paper has them: on the edge.
	normOnTheEdge := zooLayer{
		name: "gcn, norm on the edge",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
			return vc.Sum(u.Feature("x").Mul(norm(u.OutDegree()).Mul(norm(v.InDegree()))))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in)} },
	}
	for _, c := range []struct {
		layer  zooLayer
		d      dims
		degree int
		want   []string
		not    []string
	}{
		{gcn(16, 64, true), wideDims, 8, []string{"aggregate-first"}, []string{"transform-first"}},
		{gcn(64, 16, true), wideDims, 8, nil, []string{"aggregate-first", "transform-first"}},
		{gcn(64, 16, false), wideDims, 8, []string{"transform-first"}, []string{"aggregate-first"}},
		{gcn(16, 64, false), wideDims, 8, nil, []string{"aggregate-first", "transform-first"}},
		{normOnTheEdge, wideDims, 8, []string{"factor-out-of-sum", "scale-at-edges"}, nil},
		{zooLayerOf("dot_attention"), wideDims, 8, []string{"softmax", "lower-softmax", "factor-out-of-sum"}, nil},
		{zooLayerOf("gat_concat"), wideDims, 8, []string{"lower-softmax", "factor-out-of-sum"}, []string{"softmax", "scale-at-edges"}},
		{zooLayerOf("gat_of_concat"), wideDims, 8, []string{"matmul-of-concat"}, nil},
		{zooLayerOf("cgat_pairwise"), wideDims, 8, []string{"matmul-of-concat"}, nil},
		{zooLayerOf("edgeconv"), wideDims, 8, []string{"matmul-of-concat", "matmul-of-sum", "sum-of-matmuls"}, nil},
		{zooLayerOf("mpnn"), wideDims, 8, []string{"multiply-out"}, nil},
		{zooLayerOf("rgcn_full"), wideDims, 8, []string{"outer-by-type"}, nil},
		{zooLayerOf("rgcn_full"), wideDims, 60, []string{"aggregate-by-type", "outer-by-type"}, nil},
		{zooLayerOf("rgcn_full"), wideDims, 1, []string{"aggregate-by-type"}, []string{"transform-by-type"}},
		{zooLayerOf("rgcn_basis"), wideDims, 60, []string{"aggregate-by-type"}, nil},
		{zooLayerOf("rgcn_block"), wideDims, 60, []string{"aggregate-by-type"}, nil},
		{zooLayerOf("ggnn"), wideDims, 60, []string{"aggregate-by-type"}, nil},
		{zooLayerOf("hgt"), wideDims, 60, []string{"transform-by-type", "aggregate-by-type", "outer-by-type", "lower-softmax"}, nil},
		{zooLayerOf("hgt"), wideDims, 1, []string{"scale-into-product"}, nil},
		{zooLayerOf("simple_hgn"), wideDims, 8, []string{"lower-softmax"}, []string{"transform-by-type", "aggregate-by-type"}},
	} {
		g := ofDegree(t, c.degree)
		ins := c.layer.ins(c.d)
		xs := variables(g, tensor.Float32, ins)
		fired := vc.Compile(c.layer.name, c.layer.vertex(c.d)).Compiled(g, bindAll(ins, xs)...).Fired
		for _, rule := range c.want {
			if fired[rule] == 0 {
				t.Errorf("%s, degree %d: %s did not fire; fired %v", c.layer.name, c.degree, rule, fired)
			}
		}
		for _, rule := range c.not {
			if fired[rule] != 0 {
				t.Errorf("%s, degree %d: %s fired; fired %v", c.layer.name, c.degree, rule, fired)
			}
		}
	}
}

// Without gradients, where each product is met by itself: what is summed over
// the edges of many types is summed by type, before the product.
func TestMessagesOfRGCNAreAggregatedByTypeFirst(t *testing.T) {
	z := zooLayerOf("rgcn_full")
	g := ofDegree(t, 60)
	ins := z.ins(wideDims)
	xs := variables(g, tensor.Float32, ins)
	for _, x := range xs {
		x.SetRequiresGrad(false)
	}
	c := vc.Compile(z.name, z.vertex(wideDims)).Compiled(g, bindAll(ins, xs)...)
	if c.Fired["aggregate-by-type"] != 1 || c.Fired["transform-by-type"] != 0 {
		t.Errorf("fired %v\n%v", c.Fired, c.Forward)
	}
}

// Which products are on edges in the plans: none of the layers whose weights all
// edges share, or whose types are few for the degree.
func TestProductsOfManyEdgesAreOnVertices(t *testing.T) {
	for _, name := range []string{"gcn", "gcn_both", "gin", "sage_mean", "sage_maxpool", "ggcn", "commnet", "mpgcn", "gat_concat", "gatv2", "dot_attention",
		"rgcn_full", "rgcn_basis", "rgcn_block", "ggnn", "hgt", "simple_hgn"} {
		z := zooLayerOf(name)
		g := ofDegree(t, 60)
		ins := z.ins(wideDims)
		xs := variables(g, tensor.Float32, ins)
		c := vc.Compile(name, z.vertex(wideDims)).Compiled(g, bindAll(ins, xs)...)
		for _, p := range []*plan.Plan{c.Forward, c.Backward} {
			if i := slices.IndexFunc(p.Program.Values, func(v *ir.Value) bool { return v.Op.Info().Class == ir.Dense && onEdges(v) }); i >= 0 {
				t.Errorf("%s: %v multiplies on every edge\n%v", name, p.Program.Values[i], p)
			}
		}
	}
}

// onEdges tells whether a product is of edges, or a sum of products over edges.
func onEdges(v *ir.Value) bool {
	return v.Res == ir.Edge || v.Op == ir.OpOuter && v.Attr.Res == ir.Edge
}

// A program without gradients keeps nothing for a backward pass.
func TestProgramsWithoutGradientsSaveNothing(t *testing.T) {
	g := ofDegree(t, 8)
	for _, z := range zoo {
		ins := z.ins(smallDims)
		xs := variables(g, tensor.Float32, ins)
		for i, x := range xs {
			xs[i] = autograd.Constant(x.Tensor())
		}
		c := vc.Compile(z.name, z.vertex(smallDims)).Compiled(g, bindAll(ins, xs)...)
		if c.Backward != nil {
			t.Errorf("%s: there is a backward plan", z.name)
		}
		for _, b := range c.Forward.Buffers {
			if b.Role == plan.Saved {
				t.Errorf("%s: %s is saved", z.name, b.Name)
			}
		}
	}
}

// With many more types than edges a vertex, a table of sums by vertex and type is nearly
// empty: the gradient of the types' matrices goes over the edges.
func TestFewEdgesOfManyTypesHaveNoTableOfSums(t *testing.T) {
	const n = 100
	p := vc.Compile("rgcn", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("x").MatMul(e.Type("W")))
	})
	fires := func(types int) bool {
		src, dst, edgeTypes := make([]int32, 4*n), make([]int32, 4*n), make([]int32, 4*n)
		for e := range src {
			src[e], dst[e], edgeTypes[e] = int32(e*7%n), int32(e%n), int32(e%types)
		}
		g, err := graph.New(n, src, dst, graph.WithEdgeTypes(edgeTypes, types))
		if err != nil {
			t.Fatal(err)
		}
		return p.Compiled(g,
			vc.VertexFeature("x", autograd.Variable(tensor.Zeros(tensor.Float32, n, 8))),
			vc.EdgeTypeFeature("W", autograd.Variable(tensor.Zeros(tensor.Float32, types, 8, 8))),
		).Fired["outer-by-type"] > 0
	}
	if !fires(4) {
		t.Error("4 types: outer-by-type has not fired")
	}
	if fires(400) {
		t.Error("400 types: outer-by-type has fired")
	}
}
