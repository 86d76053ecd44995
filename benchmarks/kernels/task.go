// A task: a program on a graph at a width, with its numbers.

package main

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// An input is one of a program's tensors.
type input struct {
	name    string
	bind    func(name string, x *autograd.Var) vc.Binding
	t       *tensor.Tensor
	perEdge bool // a row for each edge
	given   bool // to peers alone, of which it comes ready; ours has it from the graph
}

func vertexInput(name string, t *tensor.Tensor) input {
	return input{name: name, bind: vc.VertexFeature, t: t}
}
func edgeInput(name string, t *tensor.Tensor) input {
	return input{name: name, bind: vc.EdgeFeature, t: t, perEdge: true}
}
func paramInput(name string, t *tensor.Tensor) input {
	return input{name: name, bind: vc.ParamValue, t: t}
}

// A task is everything a case needs, whoever computes it.
type task struct {
	program
	graphName string
	graph     *graph.Graph
	width     int
	data      []input
	cotangent *tensor.Tensor // of the result; nil if forward
}

// newTask draws the numbers of a task, and types of the graph's edges if the program has
// some. A result is [N width], but for GAT's,
// which is [N heads width/heads] like its features.
func newTask(p program, graphName string, g *graph.Graph, width int) *task {
	if p.types > 0 {
		g = withTypes(g, p.types)
	}
	t := &task{program: p, graphName: graphName, graph: g, width: width, data: p.inputs(g, width)}
	if p.pass != forward {
		shape := tensor.Shape{g.NumVertices(), width}
		if p.form == "gat" {
			shape = t.data[0].t.Shape()
		}
		t.cotangent = harness.Numbers(100, shape...)
	}
	return t
}

// needsGrad tells whether the gradient of an input is wanted.
func (t *task) needsGrad(name string) bool {
	return t.pass != forward && slices.Contains(t.wanted, name)
}

// bindings are the inputs as a run takes them, and those whose gradients are
// wanted, in the order of wanted.
func (t *task) bindings() (bindings []vc.Binding, wanted []*autograd.Var) {
	leaves := make(map[string]*autograd.Var)
	for _, in := range t.data {
		if in.given {
			continue
		}
		x := autograd.Constant(in.t)
		if t.needsGrad(in.name) {
			x = autograd.Variable(in.t)
			leaves[in.name] = x
		}
		bindings = append(bindings, in.bind(in.name, x))
	}
	if t.pass != forward {
		for _, name := range t.wanted {
			wanted = append(wanted, leaves[name])
		}
	}
	return bindings, wanted
}

func features(seed uint64, g *graph.Graph, shape ...int) *tensor.Tensor {
	return harness.Numbers(seed, append([]int{g.NumVertices()}, shape...)...)
}

// gcnInputs has the factor 1/√degree of a vertex, for the peers: they make weights of edges of it
// before they are timed.
func gcnInputs(g *graph.Graph, width int) []input {
	norm := make([]float32, g.NumVertices())
	for v, d := range g.InDegrees() {
		norm[v] = float32(1 / math.Sqrt(float64(max(d, 1))))
	}
	return []input{
		vertexInput("h", features(1, g, width)),
		{name: "norm", t: tensor.FromSlice(norm, len(norm)), given: true},
	}
}

func appnpInputs(g *graph.Graph, width int) []input {
	return []input{
		vertexInput("h", features(1, g, width)),
		vertexInput("x", features(2, g, width)),
		edgeInput("w", harness.Numbers(3, g.NumEdges())),
	}
}

func poolInputs(g *graph.Graph, width int) []input {
	return []input{vertexInput("h", features(1, g, width))}
}

func gatInputs(heads int) func(g *graph.Graph, width int) []input {
	return func(g *graph.Graph, width int) []input {
		return []input{
			vertexInput("h", features(1, g, heads, width/heads)),
			vertexInput("el", features(2, g, heads, 1)),
			vertexInput("er", features(3, g, heads, 1)),
		}
	}
}

func rgcnInputs(g *graph.Graph, width int) []input {
	return []input{
		vertexInput("h", features(1, g, width)),
		{name: "W", bind: vc.EdgeTypeFeature, t: weight(4, edgeTypes, width, width)},
	}
}

func edgeConvInputs(g *graph.Graph, width int) []input {
	return []input{
		vertexInput("h", features(1, g, width)),
		paramInput("W1", weight(4, 2*width, width)),
		paramInput("b1", harness.Numbers(5, width)),
		paramInput("W2", weight(6, width, width)),
		paramInput("b2", harness.Numbers(7, width)),
	}
}

// weight is a matrix, or several, that keep the size of what they multiply.
func weight(seed uint64, shape ...int) *tensor.Tensor {
	rows := shape[len(shape)-2]
	return tensor.Scale(harness.Numbers(seed, shape...), 1/math.Sqrt(float64(rows)))
}
