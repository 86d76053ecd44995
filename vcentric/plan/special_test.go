package plan_test

// Programs that the generator does not draw: outputs of every kind, values
// seen from both sides at once, params computed along the way.

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestPlansOfSpecialPrograms(t *testing.T) {
	two := ir.Shape{2}
	for name, build := range map[string]func(b *ir.Builder){
		"every kind of output, twice": func(b *ir.Builder) {
			h, f, w := b.Input("h", ir.Src, two), b.Input("f", ir.Edge, two), b.Input("W", ir.Param, ir.Shape{2, 2})
			sum := b.Sum(ir.In, f)
			for i, v := range []*ir.Value{
				h, f, w, b.Const(2), b.Degree(ir.In, ir.Dst), b.Exp(h), b.Exp(f), b.Exp(w), sum, b.Exp(sum),
				b.MatMul(h, w), b.MatMul(f, w), b.MatMul(sum, w), b.MatMul(w, w), b.View(h, ir.Dst), b.View(sum, ir.Src),
				b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, h), b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, b.Const(3)), b.Total(f, ir.Edge), b.Total(h, ir.Src),
			} {
				b.Output(string(rune('a'+i)), v)
				b.Output(string(rune('A'+i)), v)
			}
		},
		"a constant that is also read": func(b *ir.Builder) {
			c := b.Const(2)
			b.Output("c", c)
			b.Output("out", b.Sum(ir.In, b.Mul(b.Input("h", ir.Src, two), c)))
		},
		"a value read at its own row and, from the other side, across the edge": func(b *ir.Builder) {
			sum := b.Sum(ir.In, b.Input("f", ir.Edge, two))
			r := b.Exp(b.Op(ir.OpTanh, ir.Attr{}, sum))
			b.Output("out", b.Sum(ir.In, b.Mul(b.Op(ir.OpSigmoid, ir.Attr{}, b.Sub(r, b.View(r, ir.Src))), b.Input("h", ir.Src, two))))
		},
		"the same with the view first": func(b *ir.Builder) {
			r := b.Exp(b.Op(ir.OpTanh, ir.Attr{}, b.Input("h", ir.Dst, two)))
			for range 3 {
				r = b.Op(ir.OpTanh, ir.Attr{}, b.Sum(ir.In, b.Sub(b.View(r, ir.Src), r)))
				r = b.Add(r, b.Input("h", ir.Dst, two))
			}
			b.Output("out", r)
		},
		"both directions through each other": func(b *ir.Builder) {
			x, y := b.Input("h", ir.Src, two), b.Input("h", ir.Dst, two)
			for range 3 {
				m := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(x, y))
				x, y = b.Max(ir.Out, m), b.Sum(ir.In, m)
			}
			b.Output("src", x)
			b.Output("dst", y)
			b.Output("edge", b.Mul(x, y))
		},
		"a param computed from rows and used on them": func(b *ir.Builder) {
			h := b.Input("h", ir.Dst, two)
			mean := b.Total(h, ir.Dst)
			b.Output("out", b.Sum(ir.In, b.Sub(h, b.Op(ir.OpTanh, ir.Attr{}, mean))))
			b.Output("total", b.Total(b.Mul(mean, mean), ir.Src))
		},
		"edge values stored between loops": func(b *ir.Builder) {
			f := b.Input("f", ir.Edge, two)
			a := b.Exp(b.Sub(f, b.Max(ir.In, f)))
			s := b.Sum(ir.In, a)
			b.Output("a", a)
			b.Output("b", b.MatMul(b.Sub(a, s), b.Input("W", ir.Param, ir.Shape{2, 3})))
			b.Output("c", b.Sum(ir.Out, b.Sub(a, s)))
		},
	} {
		b := ir.NewBuilder("special", ir.F64, false)
		build(b)
		for i, g := range irtest.Graphs(false) {
			c := &irtest.Case{Seed: uint64(i), Program: b.Program(), Graph: g}
			if _, err := agree(c, b.Program(), c.Inputs(b.Program())); err != nil {
				t.Fatalf("%s on %s: %v", name, g.Name, err)
			}
		}
	}
}

// Softmax and the sum that it weighs are one kernel with two edge loops.
func TestSoftmaxAndItsSumAreOneKernel(t *testing.T) {
	b := ir.NewBuilder("attention", ir.F64, false)
	x := b.Input("x", ir.Edge, ir.Shape{1})
	e := b.Exp(b.Sub(x, b.Max(ir.In, x)))
	b.Output("out", b.Mul(b.Sum(ir.In, b.Mul(e, b.Input("h", ir.Src, ir.Shape{4}))), b.Recip(b.Sum(ir.In, e))))
	p := plan.Build(b.Program())
	if len(p.Steps) != 1 {
		t.Fatalf("%d steps\n%v", len(p.Steps), p)
	}
	if k := p.Steps[0].(*plan.Kernel); len(k.Loops) != 2 || len(k.Loops[1].Reduce) != 2 {
		t.Errorf("loops\n%v", p)
	}
}

func TestBuildRefusesWhatIsNotLowered(t *testing.T) {
	for name, build := range map[string]func(b *ir.Builder) *ir.Value{
		"softmax": func(b *ir.Builder) *ir.Value {
			return b.Op(ir.OpSoftmax, ir.Attr{}, b.Input("x", ir.Edge, ir.Shape{}))
		},
		"a matrix of each edge": func(b *ir.Builder) *ir.Value {
			return b.MatMul(b.Input("h", ir.Src, ir.Shape{2}), b.Input("W", ir.Edge, ir.Shape{2, 2}))
		},
	} {
		b := ir.NewBuilder("p", ir.F64, false)
		b.Output("out", build(b))
		err := try(func() error { plan.Build(b.Program()); return nil })
		if err == nil || !strings.Contains(err.Error(), "is not lowered") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestReportCountsBytes(t *testing.T) {
	b := ir.NewBuilder("p", ir.F32, false)
	b.Output("out", b.Sum(ir.In, b.Mul(b.Input("h", ir.Src, ir.Shape{2, 3}), b.Input("w", ir.Edge, ir.Shape{}))))
	p := plan.Build(b.Program())
	sizes := plan.Sizes{NumSrc: 10, NumDst: 10, NumEdges: 100}
	var got []int64
	for _, buf := range p.Buffers {
		got = append(got, buf.Bytes(sizes))
	}
	if len(got) != 3 || got[0] != 240 || got[1] != 400 || got[2] != 240 {
		t.Errorf("bytes %v", got)
	}
	if r := p.Report(sizes); !strings.Contains(r, "3 buffers, 880 B") {
		t.Error(r)
	}
}
