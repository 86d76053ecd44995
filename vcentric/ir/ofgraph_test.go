package ir_test

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestValuesOfDegreesAloneAreOfTheGraph(t *testing.T) {
	b := ir.NewBuilder("p", ir.F32, false)
	b.SetTypes(ir.Types{Edge: 3})
	degree := b.Degree(ir.In, ir.Src)
	norm := b.Op(ir.OpRsqrt, ir.Attr{}, b.MaxOf(degree, b.Const(1)))
	squares, few := degree, ""
	for n := range 60 { // written out they are 2^60 degrees
		squares = b.Mul(squares, squares)
		if text, ok := squares.OfGraph(); ok != (n < 5) {
			t.Fatalf("a product of 2^%d degrees is of the graph: %v, %q", n+1, ok, text)
		} else if ok {
			few = text
		}
	}
	if n := strings.Count(few, "degree"); n != 32 {
		t.Errorf("a product of 32 degrees is one of %d", n)
	}
	for _, c := range []struct {
		what string
		v    *ir.Value
		text string // "" for a value that is not of the graph
	}{
		{"a degree", degree, "(degree dir=in res=src)"},
		{"1/√d", norm, "(rsqrt (maxof (degree dir=in res=src) (const num=1)))"},
		{"another number", b.MaxOf(degree, b.Const(0.5)), "(maxof (degree dir=in res=src) (const num=0.5))"},
		{"the other side", b.Recip(b.Degree(ir.Out, ir.Dst)), "(recip (degree dir=out res=dst))"},
		{"a choice", b.Select(degree, norm, b.Const(0)), "(select (degree dir=in res=src) (rsqrt (maxof (degree dir=in res=src) (const num=1))) (const num=0))"},
		{"a feature", b.Input("x", ir.Src, nil), ""},
		{"a product with a feature", b.Mul(norm, b.Input("x", ir.Src, nil)), ""},
		{"a number", b.Const(1), ""},
		{"a degree by type", b.TypeDegree(ir.In), ""},
		{"an edge's", b.Mul(norm, b.Degree(ir.In, ir.Dst)), ""},
		{"dropped", b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Res: ir.Src}, norm), ""},
	} {
		text, ok := c.v.OfGraph()
		if text != c.text || ok != (c.text != "") {
			t.Errorf("%s: %q, %v; want %q", c.what, text, ok, c.text)
		}
	}
}
