package render

// The C column of the op table.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// functions are the ops that are functions of the prelude, by their own name; the
// op's numbers are arguments.
var functions = map[ir.Op]func(a *ir.Attr) []float64{
	ir.OpExp: none, ir.OpLog: none, ir.OpSqrt: none, ir.OpRsqrt: none, ir.OpAbs: none, ir.OpSign: none, ir.OpRelu: none,
	ir.OpErf: none, ir.OpGelu: none, ir.OpSilu: none, ir.OpSigmoid: none, ir.OpTanh: none, ir.OpSoftplus: none,
	ir.OpSin: none, ir.OpCos: none,
	ir.OpPow: num, ir.OpLeakyRelu: num, ir.OpElu: num,
	ir.OpClamp: func(a *ir.Attr) []float64 { return []float64{a.Num, a.Num2} },
	ir.OpMaxOf: none, ir.OpMinOf: none, ir.OpPowOf: none,
}

func none(*ir.Attr) []float64  { return nil }
func num(a *ir.Attr) []float64 { return []float64{a.Num} }

// forms are the ops that C spells.
var forms = map[ir.Op]string{
	ir.OpNeg: "-%s", ir.OpSquare: "%[1]s * %[1]s", ir.OpRecip: "1 / %s", ir.OpAt: "%s",
	ir.OpAdd: "%s + %s", ir.OpSub: "%s - %s", ir.OpMul: "%s * %s", ir.OpDiv: "%s / %s",
	ir.OpGt: "%s > %s ? (T)1 : (T)0", ir.OpGe: "%s >= %s ? (T)1 : (T)0", ir.OpEq: "%s == %s ? (T)1 : (T)0",
	ir.OpSelect: "%s != 0 ? %s : %s",
}

// expression is an element-wise op on C expressions that bind closely.
func expression(v *ir.Value, args []string) string {
	operands := make([]any, len(args))
	for i, a := range args {
		operands[i] = a
	}
	if form, ok := forms[v.Op]; ok {
		return fmt.Sprintf(form, operands...)
	}
	params, ok := functions[v.Op]
	if !ok {
		refuse("no C for %v", v)
	}
	text := "op_" + v.Op.String() + "(" + args[0]
	for _, a := range args[1:] {
		text += ", " + a
	}
	for _, x := range params(&v.Attr) {
		text += ", " + literal(x)
	}
	return text + ")"
}
