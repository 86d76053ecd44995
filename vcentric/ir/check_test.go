package ir_test

// The checker finds planted damage, and misuse is reported in words.

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
)

func TestCheckFindsPlantedDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(p *ir.Program)
		want   string
	}{
		{"none", func(*ir.Program) {}, ""},
		{"wrong shape", func(p *ir.Program) { p.Values[2].Shape = ir.Shape{4} }, "inferred edge f32[3]"},
		{"wrong residency", func(p *ir.Program) { p.Values[2].Res = ir.Src }, "inferred edge f32[3]"},
		{"wrong type", func(p *ir.Program) { p.Values[3].Type = ir.F64 }, "inferred dst f32[3]"},
		{"wrong attribute", func(p *ir.Program) { p.Values[3].Attr.Dir = ir.Out }, "inferred src f32[3]"},
		{"operand below", func(p *ir.Program) { p.Values[2].Args[0] = p.Values[3] }, "operand %3 is not above it"},
		{"operand itself", func(p *ir.Program) { p.Values[2].Args[0] = p.Values[2] }, "operand %2 is not above it"},
		{"foreign operand", func(p *ir.Program) { p.Values[2].Args[1] = planted().Values[1] }, "operand %1 is not above it"},
		{"too few operands", func(p *ir.Program) { p.Values[2].Args = p.Values[2].Args[:1] }, "1 operands, want 2"},
		{"operands of a leaf", func(p *ir.Program) { p.Values[1].Args = p.Values[:1] }, "1 operands, want 0"},
		{"bad numbering", func(p *ir.Program) { p.Values[1].ID = 5 }, "value 1 is numbered 5"},
		{"swapped values", func(p *ir.Program) { p.Values[2], p.Values[3] = p.Values[3], p.Values[2]; p.Renumber() }, "is not above it"},
		{"duplicate output", func(p *ir.Program) { p.Outputs = append(p.Outputs, p.Outputs[0]) }, `two outputs are named "out"`},
		{"foreign output", func(p *ir.Program) { p.Outputs[0].Value = planted().Values[3] }, `output "out" is no value`},
		{"two shapes of a tensor", func(p *ir.Program) { p.Values[1].Attr.Name, p.Values[1].Shape = "x", ir.Shape{1} }, "vertex x has rows"},
		{"operand that does not fit", func(p *ir.Program) { p.Values[0].Shape = ir.Shape{2} }, "do not broadcast"},
	} {
		p := planted()
		c.damage(p)
		switch err := ir.Check(p); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func planted() *ir.Program {
	b := ir.NewBuilder("planted", ir.F32, false)
	x, y := b.Input("x", ir.Src, ir.Shape{3}), b.Input("y", ir.Dst, ir.Shape{3})
	b.Output("out", b.Sum(ir.In, b.Mul(x, y)))
	return b.Program()
}

func TestMisuseNamesOpShapesAndLine(t *testing.T) {
	type in struct {
		res   ir.Residency
		shape ir.Shape
	}
	scalar, three := in{ir.Dst, ir.Shape{}}, in{ir.Dst, ir.Shape{3}}
	for _, c := range []struct {
		op   ir.Op
		attr ir.Attr
		args []in
		want string
	}{
		{ir.OpAdd, ir.Attr{}, []in{three, {ir.Edge, ir.Shape{2, 4}}}, "add: row shapes [3] and [2 4] do not broadcast"},
		{ir.OpSelect, ir.Attr{}, []in{three, {ir.Dst, ir.Shape{2}}, three}, "select: row shapes [3] and [2] and [3] do not broadcast"},
		{ir.OpMul, ir.Attr{}, []in{three, {ir.Edge, ir.Shape{3, 4}}}, "mul: row shapes [3] and [3 4] do not broadcast: their last dimensions are aligned; Reshape [3] to [3 1] to align the first"},
		{ir.OpMul, ir.Attr{}, []in{{ir.Edge, ir.Shape{3, 4, 2}}, three}, "mul: row shapes [3 4 2] and [3] do not broadcast: their last dimensions are aligned; Reshape [3] to [3 1 1] to align the first"},
		{ir.OpAdd, ir.Attr{}, []in{three}, "add: 1 operands, want 2"},
		{ir.OpConcat, ir.Attr{}, nil, "concat: 0 operands"},
		{ir.OpConcat, ir.Attr{}, []in{scalar, scalar}, "concat: scalars cannot be joined"},
		{ir.OpConcat, ir.Attr{}, []in{{ir.Src, ir.Shape{2, 3}}, {ir.Dst, ir.Shape{1, 3}}}, "concat: row shapes [2 3] and [1 3] differ before the last dimension"},
		{ir.OpExpand, ir.Attr{Shape: ir.Shape{4}}, []in{three}, "expand: row shape [3] does not broadcast to [4]"},
		{ir.OpReduceTo, ir.Attr{Shape: ir.Shape{2}}, []in{three}, "reduceto: row shape [3] is no broadcast of [2]"},
		{ir.OpReduceTo, ir.Attr{Shape: ir.Shape{1, 3}}, []in{three}, "reduceto: row shape [3] is no broadcast of [1 3]"},
		{ir.OpSlice, ir.Attr{Lo: 2, Hi: 1}, []in{three}, "slice: columns [2, 1) of row shape [3]"},
		{ir.OpSlice, ir.Attr{}, []in{scalar}, "slice: columns [0, 0) of row shape []"},
		{ir.OpPad, ir.Attr{Lo: -1}, []in{three}, "pad: -1 columns before"},
		{ir.OpMatMul, ir.Attr{}, []in{three, {ir.Param, ir.Shape{4, 2}}}, "matmul: inner dimensions differ: row shape [3] and matrix [4 2]"},
		{ir.OpMatMulT, ir.Attr{}, []in{three, {ir.Param, ir.Shape{3, 2}}}, "matmulT: inner dimensions differ: row shape [3] and matrix [3 2]"},
		{ir.OpMatMul, ir.Attr{}, []in{scalar, {ir.Param, ir.Shape{1, 2}}}, "matmul: inner dimensions differ: row shape []"},
		{ir.OpMatMul, ir.Attr{}, []in{three, three}, "matmul: the right operand has row shape [3]; want a matrix, or one for each head"},
		{ir.OpOuter, ir.Attr{Res: ir.Src}, []in{three, three}, "outer: a dst operand at level src"},
		{ir.OpOuter, ir.Attr{Res: ir.Dst}, []in{three, {ir.Dst, ir.Shape{2, 3}}}, "outer: row shapes [3] and [2 3]"},
		{ir.OpDropout, ir.Attr{Num: -0.5, Res: ir.Edge}, []in{three}, "dropout: probability -0.5 outside [0, 1]"},
		{ir.OpDropout, ir.Attr{Res: ir.Src}, []in{three}, "dropout: a dst value has no mask per src"},
		{ir.OpDropout, ir.Attr{Res: ir.Param}, []in{{ir.Param, ir.Shape{}}}, "dropout: a param value has no mask per param"},
		{ir.OpSoftmax, ir.Attr{Dir: ir.In}, []in{three}, "softmax: a dst value is the same on all in-edges of a vertex"},
		{ir.OpSoftmax, ir.Attr{Dir: ir.Out}, []in{{ir.Param, ir.Shape{}}}, "softmax: a param value is the same on all out-edges"},
		{ir.OpSoftmax, ir.Attr{Typed: true}, []in{{ir.Edge, ir.Shape{}}}, "softmax: the graph's edges have no types"},
		{ir.OpTotal, ir.Attr{Res: ir.Edge}, []in{three}, "total: a dst value at level edge"},
		{ir.OpWinner, ir.Attr{}, []in{three, three}, "winner: wants the ids of a maximum"},
		{ir.OpView, ir.Attr{Res: ir.Edge}, []in{three}, "view: a dst value seen as edge"},
		{ir.OpDegree, ir.Attr{Res: ir.Edge}, nil, "degree: only vertices have a degree, not a edge value"},
	} {
		err := misuse(func() {
			b := ir.NewBuilder("p", ir.F32, false)
			var args []*ir.Value
			for i, a := range c.args {
				args = append(args, b.Input(fmt.Sprint(i), a.res, a.shape))
			}
			b.At("model.go:7")
			b.Op(c.op, c.attr, args...)
		})
		var typed *ir.Error
		if !errors.As(err, &typed) || !strings.HasPrefix(err.Error(), "model.go:7: vcentric: "+c.want) {
			t.Errorf("%v: error %v, want %q", c.op, err, c.want)
		}
	}
}

func misuse(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

func TestInterpretRefusesWrongInputs(t *testing.T) {
	p := planted()
	s := &irtest.Graphs(false)[4].Structure
	in := irtest.Inputs(1, p, s, false)
	delete(in, "y@dst")
	if _, err := ir.Interpret(p, s, in, 0); err == nil || !strings.Contains(err.Error(), "input y@dst is not bound") {
		t.Errorf("without an input: %v", err)
	}
	in["y@dst"] = make([]float64, 2)
	if _, err := ir.Interpret(p, s, in, 0); err == nil || !strings.Contains(err.Error(), "input y@dst has 2 numbers, want 9") {
		t.Errorf("with a short input: %v", err)
	}
}
