package vcentric_test

// RunInto: the result of a run in the caller's memory.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestRunIntoWritesTheBitsOfRun(t *testing.T) {
	ins := []input{vertex("h", 2, 3), vertex("s", 2, 1), edge("w", 2, 1)}
	programs := map[string]func(v vc.Vertex) vc.Value{
		"aggregate": func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").Mul(v.InEdges().Feature("w"))) },
		"out-edges": func(v vc.Vertex) vc.Value { return vc.Max(v.OutEdges().Dst("h")) },
		"softmax": func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(vc.Softmax(e.Src("s").Add(e.Dst("s")).LeakyReLU(0.2)).Mul(e.Src("h")))
		},
		"edges":     func(v vc.Vertex) vc.Value { return v.InEdges().Src("h").Div(v.InEdges().Dst("s")) },
		"the input": func(v vc.Vertex) vc.Value { return v.Feature("h") },
		"temporaries": func(v vc.Vertex) vc.Value { // of the result's size, before it
			twice := vc.Compile("twice", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
			return twice.Call(v, vc.Let{Name: "h", Value: twice.Call(v, vc.Let{Name: "h", Value: twice.Call(v)})})
		},
	}
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		for _, g := range graphs(t, false) {
			for name, f := range programs {
				p := vc.Compile(name, f)
				xs := variables(g.Graph, dt, ins)
				for i, x := range xs {
					xs[i] = autograd.NoGrad(x)
				}
				bindings := bindAll(ins, xs)
				want := p.Run(g.Graph, bindings...).Tensor()
				out := tensor.Full(dt, math.NaN(), want.Shape()...)
				p.RunInto(out, g.Graph, bindings...)
				if !numtest.SameBits(out.Float64s(), want.Float64s()) {
					t.Errorf("%s of %v on %s: %v, want %v", name, dt, g.name, out, want)
				}
			}
		}
	}
}

type nobody struct{}

func (nobody) Waits() bool { return false }
func (nobody) Run()        {}

// The slices that kernels run on are gone when they return, so operations may wait for what they read and made.
func TestRunsGiveNoMemoryOut(t *testing.T) {
	g := messy(t)
	sum := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Variable(tensor.Randn(tensor.Float64, 1, g.NumVertices(), 4))
	y := sum.Run(g, vc.VertexFeature("h", h))
	y.Sum().Backward()
	for name, x := range map[string]*tensor.Tensor{"the operand": h.Tensor(), "the result": y.Tensor(), "the gradient": h.Gradient()} {
		if !x.WillRead(nobody{}) {
			t.Errorf("%s was given out", name)
		}
	}
}

// What the tape has put off reads what was there before; what a program reads and makes may be put off for.
func TestRunIntoWritesAfterWhatWasPutOff(t *testing.T) {
	const columns = 1 << 13
	g := messy(t)
	sum := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Constant(tensor.Randn(tensor.Float32, 1, g.NumVertices(), columns))
	out := tensor.Randn(tensor.Float32, 2, g.NumVertices(), columns)
	before, want := out.Clone(), tensor.Scale(h.Tensor(), 2)
	twice, twiceH := autograd.Constant(out).Scale(2), h.Scale(2)
	sum.RunInto(out, g, vc.VertexFeature("h", h))
	if !numtest.SameBits(twice.Tensor().Float64s(), tensor.Scale(before, 2).Float64s()) {
		t.Error("what was put off before the run is of the run's result")
	}
	if !numtest.SameBits(twiceH.Tensor().Float64s(), want.Float64s()) {
		t.Error("what was put off of the run's operand is wrong")
	}
	after := autograd.Constant(out).Neg()
	want = tensor.Neg(out)
	sum.RunInto(out, g, vc.VertexFeature("h", h.Scale(3)))
	if !numtest.SameBits(after.Tensor().Float64s(), want.Float64s()) {
		t.Error("what was put off between two runs is of the second one's result")
	}
}

func TestMisuseOfRunInto(t *testing.T) {
	g := messy(t)
	sum := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Constant(tensor.Zeros(tensor.Float32, g.NumVertices(), 2))
	into := func(out *tensor.Tensor, h *autograd.Var) func() {
		return func() { sum.RunInto(out, g, vc.VertexFeature("h", h)) }
	}
	n := g.NumVertices()
	wantMisuse[*vc.BindError](t, "shape", into(tensor.Zeros(tensor.Float32, n, 3), h), "sum: RunInto: out is", "[6 3]", "want contiguous f32[6 2] on cpu")
	wantMisuse[*vc.BindError](t, "type", into(tensor.Zeros(tensor.Float64, n, 2), h), "f64[6 2]")
	wantMisuse[*vc.BindError](t, "view", into(tensor.Zeros(tensor.Float32, 2, n).Transpose(), h), "contiguous")
	wantMisuse[*vc.BindError](t, "gradient", into(tensor.Zeros(tensor.Float32, n, 2), autograd.Variable(h.Tensor())), "requires a gradient")
	wantMisuse[*vc.BindError](t, "nil", into(nil, h), "out is nil")
	// Views of one tensor: only those that overlap are misuse.
	table := tensor.Full(tensor.Float32, 1, 2*n, 2)
	rows := func(lo int) *tensor.Tensor { return table.Narrow(0, lo, lo+n) }
	wantMisuse[*vc.BindError](t, "the input", into(h.Tensor(), h), "sum: RunInto", `overlaps vertex feature "h" [6 2]`)
	wantMisuse[*vc.BindError](t, "a slice of the input", into(tensor.FromSlice(tensor.Data[float32](h.Tensor()), n, 2), h), "overlaps")
	wantMisuse[*vc.BindError](t, "rows of the input", into(rows(1), autograd.Constant(rows(0))), "overlaps")
	into(rows(n), autograd.Constant(rows(0)))()
	for v, d := range g.InDegrees() {
		if got := table.Float64s()[2*(n+v)]; got != float64(d) {
			t.Errorf("row %d is %v, want its degree %d", v, got, d)
		}
	}
	many := vc.CompileMany("many", func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("h"), v.Feature("h")} })
	wantMisuse[*vc.BindError](t, "many", func() { many.RunInto(tensor.Zeros(tensor.Float32, n, 2), g, vc.VertexFeature("h", h)) }, "several results")
}
