package systems

// Compiled: every call is a vertex program, compiled as any user's is.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Compiled returns the system of our compiled vertex programs on a device, nil for the
// CPU.
func Compiled(d *tensor.Device) system.System {
	name := "compiled"
	if d != nil {
		name += "-" + d.Kind()
	}
	return newCompiled(name, d)
}

func newCompiled(name string, d *tensor.Device) *compiled {
	s := &compiled{name: name, device: d, programs: make(map[call]*vc.Program)}
	for k := range system.NumKinds {
		for _, f := range k.Flags() {
			s.programs[call{k, f}] = program(k, f)
		}
	}
	return s
}

type compiled struct {
	name     string
	device   *tensor.Device
	programs map[call]*vc.Program
}

// call is a call without its operands.
type call struct {
	kind  system.Kind
	flags system.Flags
}

func (s *compiled) Name() string           { return s.name }
func (s *compiled) Device() *tensor.Device { return s.device }
func (s *compiled) Close() error           { return nil }

func (s *compiled) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := graph.New(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	return newCompiledGraph(s, g), nil
}

func newCompiledGraph(s *compiled, g *graph.Graph) *compiledGraph {
	reversed, _ := g.Reverse()
	return &compiledGraph{system: s, g: g, reversed: reversed, bytes: graphBytes(g), met: make(map[signature]bool)}
}

type compiledGraph struct {
	system    *compiled
	g         *graph.Graph
	reversed  *graph.Graph // shares the memory of g
	bytes     int64
	workspace int64 // the most that a program has taken
	met       map[signature]bool
}

// signature is what a call is compiled for.
type signature struct {
	call
	heads, width, wide int // of out, and of w
}

func (g *compiledGraph) Close() error { return nil }

func (g *compiledGraph) Memory() system.Memory {
	return system.Memory{Graph: g.bytes, Workspace: g.workspace}
}

func (g *compiledGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	return g.run(call{system.SpMMv, f}, out, 0, vc.VertexFeature("x", autograd.Constant(x)))
}

func (g *compiledGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.run(call{system.SpMMve, f}, out, w.Shape()[2], vc.VertexFeature("x", autograd.Constant(x)), vc.EdgeFeature("w", autograd.Constant(w)))
}

func (g *compiledGraph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	return g.run(call{system.SpMMe, f}, out, 0, vc.EdgeFeature("w", autograd.Constant(w)))
}

func (g *compiledGraph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	return g.run(call{system.SDDMMvv, f}, out, x.Shape()[2], vc.VertexFeature("x", autograd.Constant(x)), vc.VertexFeature("y", autograd.Constant(y)))
}

func (g *compiledGraph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	if f.Op == system.OpCopy {
		return g.run(call{system.SDDMMve, f}, out, 0, vc.VertexFeature("x", autograd.Constant(x)))
	}
	return g.run(call{system.SDDMMve, f}, out, w.Shape()[2], vc.VertexFeature("x", autograd.Constant(x)), vc.EdgeFeature("w", autograd.Constant(w)))
}

// run makes a call. wide is a width that out's does not tell.
func (g *compiledGraph) run(c call, out *tensor.Tensor, wide int, operands ...vc.Binding) error {
	p := g.system.programs[c]
	if p == nil {
		return system.ErrUnsupported
	}
	on := g.g
	if c.flags.Transpose && c.kind < system.SDDMMvv {
		on = g.reversed
	}
	return autograd.Try(func() {
		s := signature{c, out.Shape()[1], out.Shape()[2], wide}
		if !g.met[s] {
			peak, _ := p.Compiled(on, operands...).Peak(on)
			g.workspace = max(g.workspace, peak-out.Bytes())
			g.met[s] = true
		}
		p.RunInto(out, on, operands...)
	})
}

// program is the vertex program of a call. One of a transposed aggregation is for the
// reversed graph.
func program(k system.Kind, f system.Flags) *vc.Program {
	name := k.String() + "(" + f.String() + ")"
	switch k {
	case system.SDDMMvv, system.SDDMMve:
		return vc.Compile(name, func(v vc.Vertex) vc.Value { return onEdges(v.InEdges(), k, f) })
	}
	return vc.Compile(name, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		var x vc.Value
		switch k {
		case system.SpMMv:
			x = e.Src("x")
		case system.SpMMve:
			x = combine(f.Op, e.Src("x"), e.Feature("w"))
		case system.SpMMe:
			x = e.Feature("w")
		}
		switch f.Reduce {
		case system.Max:
			return vc.Max(x)
		case system.Min:
			return vc.Min(x)
		}
		return normalised(x, f, e.SrcVertex(), v)
	})
}

// normalised is Σ c x over the edges from others to the centre, by whose degrees each
// value or all of them are divided.
func normalised(x vc.Value, f system.Flags, other, centre vc.Vertex) vc.Value {
	ofOther, ofCentre := system.NormLeft, system.NormMean
	if f.Transpose {
		ofOther, ofCentre = ofCentre, ofOther
	}
	if d := divisor(f.Norm, ofOther, other.OutDegree); d != nil {
		x = x.Mul(d())
	}
	sum := vc.Sum(x)
	if d := divisor(f.Norm, ofCentre, centre.InDegree); d != nil {
		sum = sum.Mul(d())
	}
	return sum
}

// divisor is what a degree contributes to c, nil for nothing: half of it in NormBoth,
// all of it in the norm that is this degree's own.
func divisor(n, own system.Norm, degree func() vc.Value) func() vc.Value {
	atLeastOne := func() vc.Value { return degree().Maximum(vc.Number(1)) }
	switch n {
	case system.NormBoth:
		return func() vc.Value { return atLeastOne().Rsqrt() }
	case own:
		return func() vc.Value { return atLeastOne().Recip() }
	}
	return nil
}

// onEdges is the value of an edge.
func onEdges(e vc.Edge, k system.Kind, f system.Flags) vc.Value {
	from, to := e.SrcVertex(), e.DstVertex()
	if f.Transpose {
		from, to = to, from
	}
	x := from.Feature("x")
	switch {
	case f.Op == system.OpCopy:
		return vc.AtEdges(x)
	case k == system.SDDMMve:
		return combine(f.Op, e.Feature("w"), x)
	case f.Op == system.OpDot:
		return x.Mul(to.Feature("y")).SumTo(x.Shape()[0], 1)
	}
	return combine(f.Op, x, to.Feature("y"))
}

// combine is a ⊗ b.
func combine(op system.Op, a, b vc.Value) vc.Value {
	switch op {
	case system.OpAdd:
		return a.Add(b)
	case system.OpSub:
		return a.Sub(b)
	case system.OpDiv:
		return a.Div(b)
	}
	return a.Mul(b)
}
