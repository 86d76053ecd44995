package vcentric_test

// The zoo on graphs of many tiles and chunks, one of whose vertices has a large
// share of the edges: results and gradients against the interpreter.

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// interpretGradients runs the traced program and its gradients, before any
// rewrite, by the interpreter; xs get the cotangent of runBoth.
func interpretGradients(t *testing.T, p *ir.Program, g *graph.Graph, ins []input, xs []*autograd.Var) results {
	t.Helper()
	rows := structure(g)
	out := p.Outputs[0].Value
	shape := append([]int{rows.Rows(out.Res)}, out.Shape...)
	cotangent := autograd.Constant(randn(tensor.Float64, 99, shape...))
	with := pass.Grad(p, func(string) bool { return true })
	got := interpret(t, with, g,
		append([]input{{name: ir.CotangentPrefix + "out", from: []ir.Residency{out.Res}}}, ins...),
		append([]*autograd.Var{cotangent}, xs...))
	r := results{out: got["out"]}
	for _, in := range ins {
		var grad []float64
		for _, v := range p.Inputs() {
			if v.Attr.Name == in.name && slices.Contains(in.from, v.Res) {
				grad = got[ir.GradPrefix+p.Binding(v)]
			}
		}
		r.grads = append(r.grads, grad)
	}
	return r
}

func TestZooOnLargeGraphsEqualsTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Cleanup(func() { tensor.SetThreads(0) })
	tensor.SetThreads(2)
	plain := hub(t, 4, 1500, 12_000)
	for _, g := range []*graph.Graph{plain, typed(t, plain, 0)} {
		for _, l := range slices.Concat(layers, mirroredLayers(), bothDirections, zooLayers(smallDims)) {
			if slices.Contains([]string{"mpnn", "matrices of the edges", "weights_of_three_types"}, l.name) {
				continue // products with matrices of edges have a gradient only once they are multiplied out
			}
			if g == plain && l.typed() {
				continue
			}
			t.Run(l.name, func(t *testing.T) {
				xs := variables(g, tensor.Float64, l.ins)
				program := vc.Compile(l.name, l.vertex)
				want := interpretGradients(t, program.Compiled(g, bindAll(l.ins, xs)...).Traced, g, l.ins, xs)
				got := runBoth(program, g, l.ins, xs)
				near(t, "out", got.out, want.out, 1e-11)
				for i := range xs {
					near(t, "grad "+l.ins[i].name, got.grads[i], want.grads[i], 1e-10)
				}
			})
		}
	}
}
