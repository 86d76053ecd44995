package ir

// The op table has no holes.

import (
	"strings"
	"testing"
)

func TestOpTableIsComplete(t *testing.T) {
	names := make(map[string]Op)
	for o := range numOps {
		info := o.Info()
		if info.Name == "" || strings.ContainsAny(info.Name, " %=\"#") {
			t.Errorf("op %d has the name %q", o, info.Name)
			continue
		}
		if first, twice := names[info.Name]; twice {
			t.Errorf("ops %d and %d are both named %q", first, o, info.Name)
		}
		names[info.Name] = o
		if found, ok := opByName(info.Name); !ok || found != o {
			t.Errorf("%v is not found by its name", o)
		}
		if info.Infer == nil {
			t.Errorf("%v has no shape rule", o)
		}
		if (info.Grad != nil) == info.NoGrad {
			t.Errorf("%v: has a gradient rule: %v, says it has none: %v", o, info.Grad != nil, info.NoGrad)
		}
		meanings := 0
		for _, has := range []bool{info.Unary != nil, info.Binary != nil, o == OpSelect, o == OpDropout} {
			if has {
				meanings++
			}
		}
		if want := b2f(info.Class == Elementwise); float64(meanings) != want {
			t.Errorf("%v of class %d has %d element-wise meanings", o, info.Class, meanings)
		}
		if info.Unary != nil && info.Arity != 1 || info.Binary != nil && info.Arity != 2 {
			t.Errorf("%v has %d operands, not those of its meaning", o, info.Arity)
		}
		if info.Class == Leaf && info.Arity != 0 {
			t.Errorf("leaf %v has %d operands", o, info.Arity)
		}
	}
}

// What an op does with an attribute that it does not print would be lost in the
// text form; what it prints must come back.
func TestEveryAttributePrintsAndParses(t *testing.T) {
	full := Attr{Num: -0.1, Num2: 1e300, Name: "a \"b\" #c\n]", Dir: Out, Res: Edge, To: EdgeType, Typed: true, Heads: true, Shape: Shape{2, 1, 3}, Lo: 1, Hi: 4, Site: 7}
	for o := range numOps {
		v := &Value{Op: o, Attr: full}
		fields := splitFields(v.AttrString())
		w := &Value{Op: o}
		if err := w.parseAttrs(fields); err != nil {
			t.Errorf("%v: %v in %q", o, err, v.AttrString())
			continue
		}
		if got, want := w.AttrString(), v.AttrString(); got != want {
			t.Errorf("%v: attributes %q come back as %q", o, want, got)
		}
	}
}

func TestJoinIsALattice(t *testing.T) {
	var all []Residency
	for r := range numResidencies {
		all = append(all, r)
	}
	for _, a := range all {
		for _, b := range all {
			j := Join(a, b)
			if j != Join(b, a) || Join(a, a) != a || Join(a, Param) != a || Join(a, Edge) != Edge {
				t.Errorf("Join(%v, %v) = %v", a, b, j)
			}
			if !a.Within(j) || !b.Within(j) {
				t.Errorf("%v and %v are not within their join %v", a, b, j)
			}
			for _, c := range all {
				if Join(j, c) != Join(a, Join(b, c)) {
					t.Errorf("Join is not associative at %v %v %v", a, b, c)
				}
			}
		}
	}
	for _, c := range []struct{ a, b, want Residency }{
		{Src, Dst, Edge}, {SrcType, Src, Src}, {DstType, Dst, Dst}, {SrcType, Dst, Edge}, {SrcType, DstType, Edge}, {EdgeType, Src, Edge}, {EdgeType, Edge, Edge},
	} {
		if got := Join(c.a, c.b); got != c.want {
			t.Errorf("%v and %v meet on %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestBroadcastShapes(t *testing.T) {
	for _, c := range []struct {
		a, b, want Shape // want nil: an error
	}{
		{Shape{}, Shape{}, Shape{}},
		{Shape{3}, Shape{}, Shape{3}},
		{Shape{2, 1}, Shape{3}, Shape{2, 3}},
		{Shape{2, 1, 4}, Shape{5, 1}, Shape{2, 5, 4}},
		{Shape{1}, Shape{0}, Shape{0}},
		{Shape{0}, Shape{0}, Shape{0}},
		{Shape{2}, Shape{0}, nil},
		{Shape{2}, Shape{3}, nil},
		{Shape{2, 3}, Shape{2}, nil},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.a, c.b
			if swapped {
				a, b = b, a
			}
			got, err := BroadcastShapes(a, b)
			if (err != nil) != (c.want == nil) || err == nil && !got.Equal(c.want) {
				t.Errorf("%v and %v broadcast to %v, %v; want %v", a, b, got, err, c.want)
			}
		}
	}
}
