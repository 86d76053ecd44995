package pass_test

// What the pipeline as a whole promises.

import (
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// Seastar's exp(x)/Σexp(x) overflows for these scores, in float64 too; the
// stable softmax that it becomes does not, forward and backward.
func TestSeastarSoftmaxIsStable(t *testing.T) {
	b := ir.NewBuilder("softmax", ir.F64, false)
	e := b.Exp(b.Input("x", ir.Edge, ir.Shape{}))
	b.Output("out", b.Div(e, b.Sum(ir.In, e)))
	s := &ir.Structure{NumSrc: 3, NumDst: 3, Src: []int32{0, 1, 2, 0}, Dst: []int32{1, 1, 1, 2}}
	in := tensors{"x@edge": {1e4, 1e4 - math.Log(3), -1e4, -1e4}, ir.CotangentPrefix + "out@edge": {1, 2, 3, 4}}
	want := tensors{"out": {0.75, 0.25, 0, 1}, "grad edge x": {-0.1875, 0.1875, 0, 0}}

	forward, log := pass.Forward(b.Program(), pass.Options{})
	if log["softmax"] != 1 || log["lower-softmax"] != 1 {
		t.Errorf("fired: %v", log)
	}
	out, err := ir.Interpret(forward, s, in, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := irtest.Diff(out, tensors{"out": want["out"]}, 1e-12); d != "" {
		t.Error(d)
	}

	forward, backward, _ := pass.Training(b.Program(), pass.Options{Want: wantAll})
	if out, err = ir.Interpret(forward, s, in, 0); err != nil {
		t.Fatal(err)
	}
	c := &irtest.Case{Program: b.Program(), Graph: irtest.Graph{Structure: *s}}
	saved, err := backwardInputs(c, backward, out)
	if err != nil {
		t.Fatal(err)
	}
	saved["x@edge"], saved[ir.CotangentPrefix+"out@edge"] = in["x@edge"], in[ir.CotangentPrefix+"out@edge"]
	grad, err := ir.Interpret(backward, s, saved, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := irtest.Diff(grad, tensors{"grad edge x": want["grad edge x"]}, 1e-11); d != "" {
		t.Error(d)
	}
}

// A vertex without edges sums to 0 whatever its own factor is, and its gradient
// is 0 too.
func TestInfiniteFactorOfARowWithoutEdgesCountsForNothing(t *testing.T) {
	b := ir.NewBuilder("norm", ir.F64, false)
	norm := b.Op(ir.OpRsqrt, ir.Attr{}, b.Degree(ir.In, ir.Dst))
	b.Output("out", b.Sum(ir.In, b.Mul(b.Input("h", ir.Src, ir.Shape{2}), norm)))
	for _, g := range irtest.Graphs(false) {
		c := &irtest.Case{Program: b.Program(), Graph: g}
		if err := try(func() error { _, err := follow(c); return err }); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
		p, _ := pass.Forward(b.Program(), pass.Options{})
		if out, err := eval(c, p, c.Inputs(p)); err != nil || !irtest.Finite(out) {
			t.Errorf("%s: %v %v", g.Name, out, err)
		}
	}
}

// Backward recomputes what lives on edges: the usual layers save none of it.
func TestLayersSaveNothingOfTheEdges(t *testing.T) {
	for _, p := range irtest.Layers() {
		forward, backward, _ := pass.Training(p, pass.Options{Want: wantAll})
		for _, o := range forward.Outputs {
			if o.Value.Res == ir.Edge {
				t.Errorf("%s saves %v", p.Name, o.Value)
			}
		}
		for _, v := range backward.Values {
			if v.Op.Info().Class == ir.Dense && (v.Res == ir.Edge || v.Attr.Res == ir.Edge) {
				t.Errorf("%s has a matrix product on edges: %v", backward.Name, v)
			}
		}
		for _, v := range backward.Inputs() {
			if strings.HasPrefix(v.Attr.Name, ir.SavedPrefix) && v.Res == ir.Edge {
				t.Errorf("%s reads %v", backward.Name, v)
			}
		}
	}
}

// Long programs take time in proportion to their length, and settle: shared
// operands are not walked once a path, and products of many factors are left or taken
// apart at once.
func TestLongProgramsSettle(t *testing.T) {
	const n = 300
	for name, build := range map[string]func(b *ir.Builder, src, dst *ir.Value) *ir.Value{
		"squares of a vertex value": func(b *ir.Builder, src, _ *ir.Value) *ir.Value {
			for range n {
				src = b.Op(ir.OpTanh, ir.Attr{}, b.Mul(src, src))
			}
			return b.Sum(ir.In, src)
		},
		"squares seen from the other side": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			for range n {
				src = b.Op(ir.OpTanh, ir.Attr{}, b.Mul(src, src))
			}
			return b.Add(b.View(src, ir.Dst), dst)
		},
		"a sum of both sides in turn": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Add(src, dst)
			for i := range n {
				y := b.Op(ir.OpPow, ir.Attr{Num: 2 + float64(i)}, []*ir.Value{src, dst}[i%2])
				x = b.Add(x, y)
			}
			return b.Sum(ir.In, x)
		},
		"a product of both sides in turn": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Mul(src, dst)
			for i := range n {
				y := b.Op(ir.OpPow, ir.Attr{Num: 2 + float64(i)}, []*ir.Value{src, dst}[i%2])
				x = b.Mul(x, y)
			}
			return b.Sum(ir.In, x)
		},
		"edges seen by aggregates seen by edges": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			for range n / 4 {
				dst = b.Op(ir.OpTanh, ir.Attr{}, b.Sum(ir.In, b.Mul(src, dst)))
			}
			return dst
		},
		"squares of an edge value": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Mul(src, dst)
			for range n {
				x = b.Mul(x, x)
			}
			return b.Sum(ir.In, x)
		},
		"a few squares of an edge value": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Mul(src, dst)
			for range 6 {
				x = b.Mul(x, x)
			}
			return b.Sum(ir.In, x)
		},
		"numbers in turn": func(b *ir.Builder, src, _ *ir.Value) *ir.Value {
			for i := range n {
				src = b.Mul(src, b.Const(1+1/float64(i+2)))
			}
			return b.Sum(ir.In, src)
		},
		"matrices in turn": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x, w := b.Mul(src, dst), b.Input("w", ir.Param, ir.Shape{2, 2})
			for range n {
				x = b.MatMul(x, w)
			}
			return b.Sum(ir.In, x)
		},
		"softmaxes in turn": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Mul(src, dst)
			for range n / 4 {
				x = b.Mul(b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, x), x)
			}
			return b.Sum(ir.In, x)
		},
		"dropout of numbers and rows in turn": func(b *ir.Builder, src, dst *ir.Value) *ir.Value {
			x := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(src, dst))
			for i := range n / 4 { // rows of two shapes and sides in turn: none meets its like
				y := b.Op(ir.OpPow, ir.Attr{Num: 2 + float64(i)}, []*ir.Value{src, dst}[i%2])
				x = b.Mul(x, b.ReduceTo(y, ir.Shape{1 + i/2%2}))
			}
			return b.Sum(ir.In, b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Res: ir.Edge}, x))
		},
		"layouts": func(b *ir.Builder, src, _ *ir.Value) *ir.Value {
			for range n {
				src = b.Neg(b.Reshape(b.Reshape(src, ir.Shape{1, 2}), ir.Shape{2}))
			}
			return b.Sum(ir.In, src)
		},
	} {
		b := ir.NewBuilder("long", ir.F64, false)
		b.Output("out", build(b, b.Input("x", ir.Src, ir.Shape{2}), b.Input("x", ir.Dst, ir.Shape{2})))
		err := try(func() error {
			p, log := pass.Forward(b.Program(), pass.Options{})
			if len(p.Values) > 20*n {
				t.Errorf("%s: %d values", name, len(p.Values))
			}
			f, g, training := pass.Training(b.Program(), pass.Options{Want: wantAll})
			if log[pass.Unsettled]+training[pass.Unsettled] > 0 {
				t.Errorf("%s: rules do not settle: %v, %v", name, log, training)
			}
			if len(f.Values)+len(g.Values) > 100*n {
				t.Errorf("%s: %d and %d values", name, len(f.Values), len(g.Values))
			}
			return nil
		})
		if err != nil {
			msg := err.Error()
			t.Errorf("%s: %s", name, msg[:min(len(msg), 300)])
		}
	}
}
