package check

// Making a call and judging it.

import (
	"errors"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// A trial is a call and what came of it. It outlives its operands.
type trial struct {
	graph   *graph
	kind    system.Kind
	flags   system.Flags
	sizes   sizes
	special bool // operands have NaN, Inf and 0
	size    int

	failed       bool
	unsupported  bool
	explanations []explanation // what the failure may be; empty: not diagnosed
	detail       string
	varies       bool // right, but other bits at another run
}

// An explanation is the mistakes that together give a result.
type explanation []Pitfall

// A result is what a call left behind.
type result struct {
	values   []float32
	err      error
	panicked bool
	overrun  bool   // a guard zone of the output was written to
	changed  string // an input that is not as it was
}

// call makes the call with an output that holds a value beforehand.
func (p *problem) call(g system.Graph, d *tensor.Device, before float32) result {
	shape := p.shape()
	out := guard(d, shape, filled(shape.Size(), before))
	c := system.Call{Kind: p.kind, Out: out.view, Flags: p.flags}
	var inputs []*guarded
	input := func(values []float32, rows, width int) *tensor.Tensor {
		if values == nil {
			inputs = append(inputs, nil)
			return nil
		}
		t := guard(d, tensor.Shape{rows, p.heads, width}, values)
		inputs = append(inputs, t)
		return t.view
	}
	c.X = input(p.x, p.g.vertices, p.width)
	c.Y = input(p.y, p.g.vertices, p.width)
	c.W = input(p.w, len(p.g.src), p.wWidth)

	r := result{}
	r.err, r.panicked = protected(func() error { return c.On(g) })
	if r.err != nil {
		return r
	}
	values, intact := out.read()
	r.values, r.overrun = values, !intact
	for i, t := range inputs {
		if t != nil && !t.unchanged() {
			r.changed = string("xyw"[i])
		}
	}
	return r
}

// protected makes a panic of f an error.
func protected(f func() error) (err error, panicked bool) {
	defer func() {
		if e := recover(); e != nil {
			err, panicked = fmt.Errorf("panic: %v", e), true
		}
	}()
	return f(), false
}

// judge makes the call twice and compares it with the reference. With diagnosis, a
// failure is explained.
func (p *problem) judge(g system.Graph, d *tensor.Device, diagnosis bool) trial {
	t := trial{graph: p.g, kind: p.kind, flags: p.flags, sizes: p.sizes, size: p.size()}
	fail := func(pitfall Pitfall, format string, args ...any) trial {
		t.failed = true
		t.explanations = []explanation{{pitfall}}
		t.detail = p.String() + ": " + fmt.Sprintf(format, args...)
		return t
	}
	first := p.call(g, d, poison)
	second := first
	if first.err == nil {
		second = p.call(g, d, prefill)
	}
	switch {
	case errors.Is(second.err, system.ErrUnsupported):
		t.unsupported = true
		return t
	case second.panicked:
		return fail(CallPanics, "%v", second.err)
	case second.err != nil:
		return fail(CallFails, "%v", second.err)
	case first.overrun || second.overrun:
		return fail(OutOfBounds, "memory before or behind the output was overwritten")
	case first.changed+second.changed != "":
		return fail(InputsChanged, "operand %.1s is not what it was", first.changed+second.changed)
	}
	want := p.forward(mistake{})
	if want.worst(first.values) < 0 && want.worst(second.values) < 0 {
		t.varies = !sameBits(first.values, second.values)
		return t
	}
	t.failed = true
	shown := first.values
	if want.worst(shown) < 0 {
		shown = second.values
	}
	t.detail = p.String() + ": " + p.describe(want, shown)
	if diagnosis {
		third := p.call(g, d, poison)
		t.explanations = p.diagnose(want, first.values, second.values, third.values)
	}
	return t
}

// worst returns the element that is off the most, or -1 if all agree.
func (s *sums) worst(got []float32) int {
	worst, most := -1, math.Inf(-1)
	for i, v := range got {
		if s.agrees(i, float64(v)) {
			continue
		}
		off := math.Abs(float64(v)-s.value[i]) / s.bound(i)
		if math.IsNaN(off) {
			off = math.MaxFloat64
		}
		if off > most {
			worst, most = i, off
		}
	}
	return worst
}

// describe shows the element that is off the most.
func (p *problem) describe(want *sums, got []float32) string {
	s, i, row := p.shape(), want.worst(got), "vertex"
	if p.onEdges() {
		row = "edge"
	}
	shown := fmt.Sprint(got[i])
	if math.Float32bits(got[i]) == math.Float32bits(poison) {
		shown = "nothing written"
	}
	return fmt.Sprintf("%s %d, head %d, feature %d: got %s, want %.6g",
		row, i/(s[1]*s[2]), i/s[2]%s[1], i%s[2], shown, want.value[i])
}
