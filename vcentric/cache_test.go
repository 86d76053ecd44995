package vcentric_test

// Programs compile once for each signature, and may run concurrently.

import (
	"fmt"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestProgramCompilesOnceForEachSignature(t *testing.T) {
	traced := 0
	p := vc.Compile("conv", func(v vc.Vertex) vc.Value {
		traced++
		return vc.Sum(v.InNeighbors().Feature("h")).Mul(vc.Param("w"))
	})
	g, b := messy(t), messyBipartite(t)
	type binder = func(string, *autograd.Var) vc.Binding
	run := func(g *graph.Graph, bind binder, rows, width int, dt tensor.DType, grad bool, more ...vc.Binding) func() {
		return func() {
			h := autograd.Constant(tensor.Zeros(dt, rows, width))
			h.SetRequiresGrad(grad)
			bindings := append([]vc.Binding{bind("h", h), vc.ParamValue("w", autograd.Constant(tensor.Zeros(dt, width)))}, more...)
			out := p.Run(g, bindings...)
			if want := (tensor.Shape{g.NumDst(), width}); !out.Shape().Equal(want) {
				t.Errorf("the result has shape %v, want %v", out.Shape(), want)
			}
			if out.RequiresGrad() != grad {
				t.Errorf("the result's need of a gradient is %v, want %v", out.RequiresGrad(), grad)
			}
		}
	}
	const f32, f64 = tensor.Float32, tensor.Float64
	star := mustGraph(t, 3, []int32{0, 1}, []int32{2, 2})
	for i, c := range []struct {
		what string
		run  func()
		want int // traces so far
	}{
		{"the first run", run(g, vc.VertexFeature, 6, 4, f32, false), 1},
		{"the same again", run(g, vc.VertexFeature, 6, 4, f32, false), 1},
		{"another graph", run(star, vc.VertexFeature, 3, 4, f32, false), 1},
		{"an empty graph", run(mustGraph(t, 0, nil, nil), vc.VertexFeature, 0, 4, f32, false), 1},
		{"another width", run(g, vc.VertexFeature, 6, 5, f32, false), 2},
		{"another type", run(g, vc.VertexFeature, 6, 4, f64, false), 3},
		{"a gradient", run(g, vc.VertexFeature, 6, 4, f32, true), 4},
		{"training", run(g, vc.VertexFeature, 6, 4, f32, true, vc.Training(1)), 5},
		{"training with another seed", run(g, vc.VertexFeature, 6, 4, f32, true, vc.Training(2)), 5},
		{"two vertex sets", run(b, vc.SrcFeature, 4, 4, f32, false), 6},
		{"none of them new", run(g, vc.VertexFeature, 6, 5, f32, false), 6},
	} {
		c.run()
		if traced != c.want {
			t.Errorf("%d: after %s the function has run %d times, want %d", i, c.what, traced, c.want)
			traced = c.want
		}
	}
}

// A program that meets ever new shapes forgets those that were used longest ago, and no others.
func TestProgramKeepsTheSignaturesThatWereUsedLast(t *testing.T) {
	const kept = 64
	traced := 0
	p := vc.Compile("twice", func(v vc.Vertex) vc.Value {
		traced++
		return v.Feature("h").Scale(2)
	})
	g := messy(t)
	run := func(width int) {
		p.Run(g, vc.VertexFeature("h", autograd.Constant(tensor.Zeros(tensor.Float32, 6, width))))
	}
	for width := 1; width <= 2*kept; width++ {
		run(width)
		run(1) // which stays
	}
	for _, c := range []struct {
		what     string
		from, to int // widths
		more     int // traces
	}{
		{"those used last", kept + 2, 2 * kept, 0},
		{"the one always used", 1, 1, 0},
		{"one that is forgotten", kept + 1, kept + 1, 1},
		{"it again", kept + 1, kept + 1, 0},
	} {
		before := traced
		for width := c.from; width <= c.to; width++ {
			run(width)
		}
		if more := traced - before; more != c.more {
			t.Errorf("%s: traced %d times, want %d", c.what, more, c.more)
		}
	}
}

// Signatures that look alike when written one after the other are different:
// width 1 in training is not width 15, a name is not a name and a type.
func TestSignaturesThatLookAlikeAreDifferent(t *testing.T) {
	g := messy(t)
	p := vc.Compile("twice", func(v vc.Vertex) vc.Value { return v.Feature("h").Scale(2) })
	for _, width := range []int{1, 15, 155, 5} {
		x := autograd.Constant(randn(tensor.Float32, 1, 6, width))
		for _, more := range [][]vc.Binding{nil, {vc.Training(1)}} {
			for _, bindings := range [][]vc.Binding{
				append([]vc.Binding{vc.VertexFeature("h", x)}, more...),
				append(more, vc.VertexFeature("h", x)),
			} {
				if got := p.Run(g, bindings...).Shape(); !got.Equal(tensor.Shape{6, width}) {
					t.Errorf("width %d, training %v: the result has shape %v", width, more != nil, got)
				}
			}
		}
	}
	names := vc.Compile("names", func(v vc.Vertex) vc.Value { return v.Feature("a").Add(v.Feature("b")) })
	x := autograd.Constant(randn(tensor.Float32, 1, 6, 2))
	names.Run(g, vc.VertexFeature("a", x), vc.VertexFeature("b", x))
	if err := autograd.Try(func() { names.Run(g, vc.VertexFeature(`a" 2;0"b`, x)) }); err == nil {
		t.Error("a name with quotes passed for two bindings")
	}
}

// The order of the bindings is of no consequence.
func TestBindingsMayComeInAnyOrder(t *testing.T) {
	g := messy(t)
	p := vc.Compile("order", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("a").Div(v.Feature("b"))).Mul(vc.Param("w"))
	})
	ins := []input{vertex("a", 3), vertex("b", 3).positive(), param("w", 3)}
	xs := variables(g, tensor.Float32, ins)
	want := runBoth(p, g, ins, xs)
	got := runBoth(p, g, []input{ins[2], ins[0], ins[1]}, []*autograd.Var{xs[2], xs[0], xs[1]})
	if !(results{got.out, [][]float64{got.grads[1], got.grads[2], got.grads[0]}}).sameBits(want) {
		t.Error("another order of the bindings gives another result")
	}
}

// The same Compiled serves equal signatures, and finding it costs next to nothing.
func TestSecondRunIsALookUp(t *testing.T) {
	g := messy(t)
	p := vc.Compile("gat", gatVertex(3))
	ins := []input{vertex("h", 3, 5), param("al", 3, 5), param("ar", 3, 5)}
	bindings := bindAll(ins, variables(g, tensor.Float32, ins))
	first := p.Compiled(g, bindings...)
	if p.Compiled(g, bindings...) != first {
		t.Error("the second look-up gave another Compiled")
	}
	if first.Backward == nil || first.Forward == nil || first.Traced == nil {
		t.Error("Compiled lacks a plan")
	}
	if allocs := numtest.Allocations(100, func() { p.Compiled(g, bindings...) }); allocs > 10 {
		t.Errorf("a look-up makes %v allocations", allocs)
	}
}

func TestProgramRunsConcurrently(t *testing.T) {
	g := hub(t, 3, 50, 1000)
	const workers = 8
	inputs := func(width int) []input {
		return []input{vertex("h", 3, width), param("al", 3, width), param("ar", 3, width)}
	}
	var want [workers]results
	for i := range want {
		ins := inputs(1 + i%3)
		want[i] = runBoth(vc.Compile("gat", gatVertex(3)), g, ins, variables(g, tensor.Float32, ins))
	}
	p := vc.Compile("gat", gatVertex(3))
	fresh := hub(t, 3, 50, 1000) // whose edge lists are still to be built
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			ins := inputs(1 + i%3)
			for range 3 {
				if got := runBoth(p, fresh, ins, variables(fresh, tensor.Float32, ins)); !got.sameBits(want[i]) {
					errs[i] = fmt.Errorf("width %d: another result than alone", 1+i%3)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

// Backward runs of one forward pass, and forward runs between them, do not
// disturb each other.
func TestRunsOfOneProgramInOneTapeAreIndependent(t *testing.T) {
	g := messy(t)
	p := vc.Compile("smooth", func(v vc.Vertex) vc.Value {
		return vc.Max(v.InNeighbors().Feature("h")).Tanh().Mul(vc.Mean(v.InNeighbors().Feature("h")))
	})
	x := autograd.Variable(randn(tensor.Float64, 1, 6, 3))
	err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var {
		h := p.Run(g, vc.VertexFeature("h", xs[0]))
		h = p.Run(g, vc.VertexFeature("h", h.Add(xs[0])))
		return h.Mul(p.Run(g, vc.VertexFeature("h", xs[0])))
	}, []*autograd.Var{x})
	if err != nil {
		t.Error(err)
	}
}

// One tensor bound by two names gets the sum of both gradients.
func TestOneTensorBoundTwiceGetsBothGradients(t *testing.T) {
	g := messy(t)
	p := vc.Compile("product", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("a").Mul(v.Feature("b"))).Mul(vc.Param("a"))
	})
	x, w := autograd.Variable(randn(tensor.Float64, 1, 6, 3)), autograd.Variable(randn(tensor.Float64, 2, 3))
	err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var {
		return p.Run(g, vc.VertexFeature("a", xs[0]), vc.VertexFeature("b", xs[0]), vc.ParamValue("a", xs[1]), vc.VertexFeature("unused", xs[0]))
	}, []*autograd.Var{x, w})
	if err != nil {
		t.Error(err)
	}
}

// Numbers have the type of what is bound, read or not, as the documentation of the package says.
func TestProgramsWithoutBindingsAreOfFloat32(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1}, []int32{1, 2})
	p := vc.Compile("degrees", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().OutDegree()) })
	unread := vc.VertexFeature("unread", autograd.Constant(tensor.Zeros(tensor.Float64, 3)))
	for _, c := range []struct {
		bound []vc.Binding
		want  tensor.DType
	}{{nil, tensor.Float32}, {[]vc.Binding{vc.Training(1)}, tensor.Float32}, {[]vc.Binding{unread}, tensor.Float64}} {
		if got := p.Run(g, c.bound...).DType(); got != c.want {
			t.Errorf("with %d bindings: %v, want %v", len(c.bound), got, c.want)
		}
	}
}
