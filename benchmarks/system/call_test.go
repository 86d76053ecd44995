package system_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

const vertices, edges = 5, 7

func zeros(shape ...int) *tensor.Tensor { return tensor.Zeros(tensor.Float32, shape...) }

// fitting returns a call that fits the graph, of 2 heads and width 3.
func fitting(k system.Kind, f system.Flags) system.Call {
	c := system.Call{Kind: k, Flags: f}
	if k != system.SpMMe {
		c.X = zeros(vertices, 2, 3)
	}
	if k == system.SDDMMvv {
		c.Y = zeros(vertices, 2, 3)
	}
	if k == system.SpMMve || k == system.SpMMe || k == system.SDDMMve && f.Op != system.OpCopy {
		c.W = zeros(edges, 2, 3)
	}
	c.Out = zeros(c.Shape(vertices, edges)...)
	return c
}

func TestCheckAcceptsWhatFits(t *testing.T) {
	for k := range system.NumKinds {
		for _, f := range k.Flags() {
			c := fitting(k, f)
			if err := c.Check(vertices, edges); err != nil {
				t.Error(err)
			}
			if c.W == nil || k == system.SpMMe {
				continue
			}
			if c.W = zeros(edges, 2, 1); c.Check(vertices, edges) != nil {
				t.Errorf("%v(%v): w of width 1: %v", k, f, c.Check(vertices, edges))
			}
		}
	}
	nothing := system.Call{Kind: system.SpMMv, X: zeros(0, 1, 3), Out: zeros(0, 1, 3)}
	if err := nothing.Check(0, 0); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesWhatDoesNotFit(t *testing.T) {
	view := zeros(vertices, 3, 2).Transpose(0, 2, 1)
	for _, c := range []struct {
		name, want string
		kind       system.Kind
		flags      system.Flags
		change     func(c *system.Call)
	}{
		{"a kind", "system: call 9", 9, system.Flags{}, func(*system.Call) {}},
		{"flags", "system: SpMMv(add, sum): the call does not have these flags", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Flags.Op = system.OpAdd }},
		{"a norm of a maximum", "SpMMv(mul, max, both): the call does not have these flags", system.SpMMv, system.Flags{Reduce: system.Max}, func(c *system.Call) { c.Flags.Norm = system.NormBoth }},
		{"x missing", "SpMMv(mul, sum): operand x: present false, want true", system.SpMMv, system.Flags{}, func(c *system.Call) { c.X, c.Out = nil, c.X }},
		{"y missing", "operand y: present false, want true", system.SDDMMvv, system.Flags{}, func(c *system.Call) { c.Y = nil }},
		{"w missing", "operand w: present false, want true", system.SDDMMve, system.Flags{}, func(c *system.Call) { c.W = nil }},
		{"x too much", "operand x: present true, want false", system.SpMMe, system.Flags{}, func(c *system.Call) { c.X = zeros(vertices, 2, 3) }},
		{"y too much", "operand y: present true, want false", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Y = c.X }},
		{"w too much", "operand w: present true, want false", system.SDDMMve, system.Flags{Op: system.OpCopy}, func(c *system.Call) { c.W = zeros(edges, 2, 3) }},
		{"no out", "no out", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Out = nil }},
		{"rows of x", "x has shape [7 2 3], want [5 heads width]", system.SpMMv, system.Flags{}, func(c *system.Call) { c.X = zeros(edges, 2, 3) }},
		{"rows of w", "w has shape [5 2 3], want [7 heads width]", system.SpMMe, system.Flags{}, func(c *system.Call) { c.W = zeros(vertices, 2, 3) }},
		{"axes of y", "y has shape [5 6], want [5 heads width]", system.SDDMMvv, system.Flags{}, func(c *system.Call) { c.Y = zeros(vertices, 6) }},
		{"type of x", "x is f64, want f32", system.SpMMv, system.Flags{}, func(c *system.Call) { c.X = tensor.Zeros(tensor.Float64, vertices, 2, 3) }},
		{"a view", "x is not contiguous", system.SpMMv, system.Flags{}, func(c *system.Call) { c.X = view }},
		{"a view as out", "out is not contiguous", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Out = view }},
		{"rows of out", "out has shape [7 2 3], want [5 heads width]", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Out = zeros(edges, 2, 3) }},
		{"rows of out at edges", "out has shape [5 2 3], want [7 heads width]", system.SDDMMve, system.Flags{}, func(c *system.Call) { c.Out = zeros(vertices, 2, 3) }},
		{"width of out", "out has shape [5 2 4], want [5 2 3]", system.SpMMv, system.Flags{}, func(c *system.Call) { c.Out = zeros(vertices, 2, 4) }},
		{"width of dot", "out has shape [7 2 3], want [7 2 1]", system.SDDMMvv, system.Flags{Op: system.OpDot}, func(c *system.Call) { c.Out = zeros(edges, 2, 3) }},
		{"y beside x", "y has shape [5 2 4], x [5 2 3]", system.SDDMMvv, system.Flags{}, func(c *system.Call) { c.Y = zeros(vertices, 2, 4) }},
		{"width of w", "w has shape [7 2 2] beside x [5 2 3]: want its heads, and its width or 1", system.SpMMve, system.Flags{}, func(c *system.Call) { c.W = zeros(edges, 2, 2) }},
		{"heads of w", "w has shape [7 1 3] beside x [5 2 3]", system.SDDMMve, system.Flags{}, func(c *system.Call) { c.W = zeros(edges, 1, 3) }},
	} {
		call := system.Call{}
		if c.kind < system.NumKinds {
			call = fitting(c.kind, c.flags)
		}
		call.Kind = c.kind
		c.change(&call)
		err := call.Check(vertices, edges)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "system: ") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// recorder is a graph that says which call arrived with what.
type recorder struct{ got system.Call }

var errRecorded = errors.New("recorded")

func (r *recorder) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	r.got = system.Call{Kind: system.SpMMv, X: x, Out: out, Flags: f}
	return errRecorded
}

func (r *recorder) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	r.got = system.Call{Kind: system.SpMMve, X: x, W: w, Out: out, Flags: f}
	return errRecorded
}

func (r *recorder) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	r.got = system.Call{Kind: system.SpMMe, W: w, Out: out, Flags: f}
	return errRecorded
}

func (r *recorder) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	r.got = system.Call{Kind: system.SDDMMvv, X: x, Y: y, Out: out, Flags: f}
	return errRecorded
}

func (r *recorder) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	r.got = system.Call{Kind: system.SDDMMve, X: x, W: w, Out: out, Flags: f}
	return errRecorded
}

func (r *recorder) Memory() system.Memory { return system.Memory{} }
func (r *recorder) Close() error          { return nil }

func TestCallsReachTheirMethods(t *testing.T) {
	for k := range system.NumKinds {
		for _, f := range k.Flags() {
			c, r := fitting(k, f), &recorder{}
			if err := c.On(r); err != errRecorded || r.got != c {
				t.Errorf("%v(%v) arrived as %v(%v), error %v", k, f, r.got.Kind, r.got.Flags, err)
			}
		}
	}
}

func TestShapesOfOutputs(t *testing.T) {
	for _, c := range []struct {
		kind  system.Kind
		flags system.Flags
		want  tensor.Shape
	}{
		{system.SpMMv, system.Flags{}, tensor.Shape{5, 2, 3}},
		{system.SpMMve, system.Flags{}, tensor.Shape{5, 2, 3}},
		{system.SpMMe, system.Flags{}, tensor.Shape{5, 2, 3}},
		{system.SDDMMvv, system.Flags{}, tensor.Shape{7, 2, 3}},
		{system.SDDMMvv, system.Flags{Op: system.OpDot}, tensor.Shape{7, 2, 1}},
		{system.SDDMMve, system.Flags{}, tensor.Shape{7, 2, 3}},
		{system.SDDMMve, system.Flags{Op: system.OpCopy, Transpose: true}, tensor.Shape{7, 2, 3}},
	} {
		if got := fitting(c.kind, c.flags).Shape(vertices, edges); !slices.Equal(got, c.want) {
			t.Errorf("%v(%v): %v, want %v", c.kind, c.flags, got, c.want)
		}
	}
}
