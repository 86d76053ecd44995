package op_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/op"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// A problem is a graph.
type problem struct {
	name     string
	vertices int
	src, dst []int32
}

// problems are an asymmetric graph with duplicate edges, a loop, vertices without
// in-edges (0), without out-edges (6) and without any (5), and graphs of nothing.
var problems = []problem{
	{"asymmetric", 7, []int32{0, 0, 0, 1, 2, 2, 3, 3, 4, 1, 0, 3, 3}, []int32{1, 1, 6, 2, 1, 3, 3, 4, 2, 6, 6, 6, 6}},
	{"no edges", 3, nil, nil},
	{"no vertices", 0, nil, nil},
}

func (p problem) ops(t *testing.T, s system.System) *op.Ops {
	t.Helper()
	g, err := s.NewGraph(p.vertices, p.src, p.dst)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return op.New(g, s.Device(), p.vertices, p.src, p.dst)
}

// values are random, in ±[0.5, 2), so that they can divide.
func values(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.Empty(tensor.Float32, shape...)
	for i := range tensor.Data[float32](t) {
		x := 0.5 + 1.5*r.Float32()
		if r.IntN(2) == 0 {
			x = -x
		}
		tensor.Data[float32](t)[i] = x
	}
	return t
}

// call makes a call with the operands it has, x, y, w in this order.
func call(o *op.Ops, k system.Kind, operands []*autograd.Var, f system.Flags) *autograd.Var {
	switch k {
	case system.SpMMv:
		return o.SpMMv(operands[0], f)
	case system.SpMMve:
		return o.SpMMve(operands[0], operands[1], f)
	case system.SpMMe:
		return o.SpMMe(operands[0], f)
	case system.SDDMMvv:
		return o.SDDMMvv(operands[0], operands[1], f)
	}
	if f.Op == system.OpCopy {
		return o.SDDMMve(operands[0], nil, f)
	}
	return o.SDDMMve(operands[0], operands[1], f)
}

// operands are random operands of a call.
func operands(r *rand.Rand, p problem, k system.Kind, f system.Flags, heads, width, wide int) []*tensor.Tensor {
	x := values(r, p.vertices, heads, width)
	w := values(r, len(p.src), heads, wide)
	switch {
	case k == system.SpMMv || f.Op == system.OpCopy:
		return []*tensor.Tensor{x}
	case k == system.SpMMe:
		return []*tensor.Tensor{w}
	case k == system.SDDMMvv:
		return []*tensor.Tensor{x, values(r, p.vertices, heads, width)}
	}
	return []*tensor.Tensor{x, w}
}

// reference is the gradients of the operands of a call whose result has the gradient g,
// by the chain rule for each edge and feature, in float64.
func (p problem) reference(k system.Kind, operands []*tensor.Tensor, g *tensor.Tensor, f system.Flags, heads, width int) [][]float64 {
	var in, out = make([]float64, p.vertices), make([]float64, p.vertices)
	for e := range p.src {
		out[p.src[e]]++
		in[p.dst[e]]++
	}
	grads := make([][]float64, len(operands))
	for i, t := range operands {
		grads[i] = make([]float64, t.Size())
	}
	at := func(t *tensor.Tensor, row, h, i int) int { // features that t lacks are its first
		return (row*heads+h)*t.Shape()[2] + min(i, t.Shape()[2]-1)
	}
	for e := range p.src {
		s, d := int(p.src[e]), int(p.dst[e])
		c := normalise(f.Norm, in[d], out[s])
		if f.Transpose {
			s, d = d, s
		}
		rows, result := []int{s, e}, d // of the operands, and of the result
		switch k {
		case system.SpMMe:
			rows = []int{e}
		case system.SDDMMvv:
			rows, result = []int{s, d}, e
		case system.SDDMMve:
			result = e
		}
		for h := range heads {
			for i := range width {
				up := c * float64(tensor.Data[float32](g)[at(g, result, h, i)])
				var x [2]float64
				for j, t := range operands {
					x[j] = float64(tensor.Data[float32](t)[at(t, rows[j], h, i)])
				}
				partial := partials(k, f.Op, x[0], x[1])
				for j, t := range operands {
					grads[j][at(t, rows[j], h, i)] += up * partial[j]
				}
			}
		}
	}
	return grads
}

func normalise(n system.Norm, in, out float64) float64 {
	return map[system.Norm]float64{
		system.NormNone: 1, system.NormMean: 1 / in, system.NormLeft: 1 / out, system.NormBoth: 1 / math.Sqrt(in*out),
	}[n]
}

// partials are the derivatives of what an edge computes from the operands.
func partials(k system.Kind, op system.Op, a, b float64) [2]float64 {
	switch {
	case k == system.SpMMv || k == system.SpMMe || op == system.OpCopy:
		return [2]float64{1, 0}
	case k == system.SDDMMve: // w ⊗ x, the operands being x, w
		d := partials(system.SpMMve, op, b, a)
		return [2]float64{d[1], d[0]}
	}
	switch op {
	case system.OpAdd:
		return [2]float64{1, 1}
	case system.OpSub:
		return [2]float64{1, -1}
	case system.OpDiv:
		return [2]float64{1 / b, -a / (b * b)}
	}
	return [2]float64{b, a} // products, and their sums
}

func TestGradientsAreThoseOfTheReference(t *testing.T) {
	for _, p := range problems {
		o := p.ops(t, &watched{System: systems.Naive(), t: t})
		for k := range system.NumKinds {
			for _, f := range k.Flags() {
				if f.Reduce != system.Sum {
					continue
				}
				for _, s := range [][3]int{{1, 1, 1}, {1, 3, 3}, {3, 7, 7}, {3, 7, 1}, {1, 3, 1}} {
					checkGradients(t, p, o, k, f, s[0], s[1], s[2])
				}
			}
		}
	}
}

func checkGradients(t *testing.T, p problem, o *op.Ops, k system.Kind, f system.Flags, heads, width, wide int) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(width), uint64(heads)))
	if k == system.SpMMe {
		width = wide
	}
	xs := operands(r, p, k, f, heads, width, wide)
	vs := make([]*autograd.Var, len(xs))
	for i, x := range xs {
		vs[i] = autograd.Variable(x)
	}
	out := call(o, k, vs, f)
	g := values(r, out.Shape()...)
	out.Mul(autograd.Constant(g)).Sum().Backward()
	for i, want := range p.reference(k, xs, g, f, heads, width) {
		what := fmt.Sprintf("%s: %v(%v), heads %d, widths %d, %d: gradient of operand %d", p.name, k, f, heads, width, wide, i)
		got := vs[i].Gradient()
		if got == nil {
			t.Errorf("%s: none", what)
			continue
		}
		numtest.Near(t, what, got.Float64s(), want, 1e-5)
	}
}

func TestGradientsThatNobodyNeedsAreNotComputed(t *testing.T) {
	p := problems[0]
	for k := range system.NumKinds {
		for _, f := range k.Flags() {
			if f.Reduce != system.Sum {
				continue
			}
			xs := operands(rand.New(rand.NewPCG(1, 2)), p, k, f, 2, 3, 3)
			for needed := range xs {
				s := &watched{System: systems.Naive(), t: t}
				o := p.ops(t, s)
				vs := make([]*autograd.Var, len(xs))
				for i, x := range xs {
					vs[i] = autograd.Constant(x)
				}
				vs[needed].SetRequiresGrad(true)
				call(o, k, vs, f).Sum().Backward()
				if s.calls == 0 || s.calls > 2 { // the call and one for its gradient
					t.Errorf("%v(%v): %d calls for the gradient of operand %d alone", k, f, s.calls, needed)
				}
			}
		}
	}
}

// watched is a system whose calls are counted and checked.
type watched struct {
	system.System
	t     *testing.T
	calls int
}

func (s *watched) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := s.System.NewGraph(vertices, src, dst)
	return &watchedGraph{g, s, vertices, len(src)}, err
}

type watchedGraph struct {
	system.Graph
	s               *watched
	vertices, edges int
}

func (g *watchedGraph) make(c system.Call) error {
	g.s.calls++
	if err := c.Check(g.vertices, g.edges); err != nil {
		g.s.t.Error(err)
	}
	return c.On(g.Graph)
}

func (g *watchedGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMv, X: x, Out: out, Flags: f})
}

func (g *watchedGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMve, X: x, W: w, Out: out, Flags: f})
}

func (g *watchedGraph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMe, W: w, Out: out, Flags: f})
}

func (g *watchedGraph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SDDMMvv, X: x, Y: y, Out: out, Flags: f})
}

func (g *watchedGraph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SDDMMve, X: x, W: w, Out: out, Flags: f})
}

func TestVerticesWithoutEdgesHaveNoGradientWhateverTheirValue(t *testing.T) {
	p := problems[0]
	o := p.ops(t, systems.Naive())
	for _, k := range []system.Kind{system.SDDMMvv, system.SDDMMve} {
		for _, transpose := range []bool{false, true} {
			r := rand.New(rand.NewPCG(3, 4))
			x, y, w := values(r, 7, 1, 2), values(r, 7, 1, 2), values(r, len(p.src), 1, 2)
			divisor := x
			if k == system.SDDMMvv {
				divisor = y
			}
			copy(tensor.Data[float32](divisor)[5*2:], []float32{0, 0}) // of vertex 5
			f := system.Flags{Op: system.OpDiv, Transpose: transpose}
			vs := []*autograd.Var{autograd.Variable(x), autograd.Variable(y)}
			if k == system.SDDMMve {
				vs[1] = autograd.Variable(w)
			}
			call(o, k, vs, f).Square().Sum().Backward()
			for i, v := range vs {
				if !tensor.AllFinite(v.Gradient()) {
					t.Errorf("%v(%v): gradient of operand %d is %v", k, f, i, v.Gradient())
				}
			}
		}
	}
}

func TestMisuseAndFailuresAreNamed(t *testing.T) {
	p := problems[0]
	o := p.ops(t, systems.Naive())
	f := system.Flags{}
	vertices := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	grad := autograd.Variable(tensor.Zeros(tensor.Float32, 7, 1, 2))
	for _, c := range []struct {
		name, want string
		f          func()
	}{
		{"rank", "op: SpMMv(mul, sum) of [[7 2]]: an operand has shape [7 2] on cpu", func() { o.SpMMv(vertices(7, 2), f) }},
		{"rows", "x has shape [6 1 2]", func() { o.SpMMv(vertices(6, 1, 2), f) }},
		{"width of w", "w has shape [13 1 3] beside x [7 1 2]", func() { o.SpMMve(vertices(7, 1, 2), vertices(13, 1, 3), f) }},
		{"nil", "an operand is nil or sparse", func() { o.SpMMe(nil, f) }},
		{"nil w", "operand w: present false", func() { o.SDDMMve(vertices(7, 1, 2), nil, f) }},
		{"type", "x is f64", func() { o.SpMMv(autograd.Constant(tensor.Zeros(tensor.Float64, 7, 1, 2)), f) }},
		{"flags", "does not have these flags", func() { o.SpMMv(vertices(7, 1, 2), system.Flags{Op: system.OpAdd}) }},
		{"max", "max has no gradient", func() { o.SpMMv(grad, system.Flags{Reduce: system.Max}) }},
	} {
		err := autograd.Try(c.f)
		var e *op.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestMaximaOfWhatNeedsNoGradientAreComputed(t *testing.T) {
	p := problems[0]
	o := p.ops(t, systems.Naive())
	x := autograd.Variable(values(rand.New(rand.NewPCG(5, 6)), 7, 1, 2))
	for _, v := range []*autograd.Var{x.Detach(), autograd.NoGrad(x)} {
		if out := o.SpMMv(v, system.Flags{Reduce: system.Max}); out.RequiresGrad() {
			t.Error("a maximum requires a gradient")
		}
	}
}

func TestACallThatFailsIsAnErrorOfTry(t *testing.T) {
	for _, backward := range []bool{false, true} {
		p := problems[0]
		o := p.ops(t, &failing{System: systems.Naive(), transpose: backward})
		x := autograd.Variable(tensor.Zeros(tensor.Float32, 7, 1, 2))
		err := autograd.Try(func() { o.SpMMv(x, system.Flags{}).Sum().Backward() })
		var e *op.Error
		if !errors.Is(err, system.ErrUnsupported) || !errors.As(err, &e) || e.Call != system.SpMMv || e.Flags.Transpose != backward {
			t.Errorf("backward %t: %v", backward, err)
		}
	}
}

// failing lacks SpMMv of one direction.
type failing struct {
	system.System
	transpose bool
}

func (s *failing) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := s.System.NewGraph(vertices, src, dst)
	return &failingGraph{g, s.transpose}, err
}

type failingGraph struct {
	system.Graph
	transpose bool
}

func (g *failingGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	if f.Transpose == g.transpose {
		return system.ErrUnsupported
	}
	return g.Graph.SpMMv(x, out, f)
}
