package cc

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
	ir.OpNeg: "-%s", ir.OpSquare: "%[1]s * %[1]s", ir.OpRecip: "1 / %s",
	ir.OpAdd: "%s + %s", ir.OpSub: "%s - %s", ir.OpMul: "%s * %s", ir.OpDiv: "%s / %s",
}

// comparisons give masks.
var comparisons = map[ir.Op]string{ir.OpGt: "%s > %s", ir.OpGe: "%s >= %s", ir.OpEq: "%s == %s"}

// expression is an element-wise op on vectors; mask is what its first operand says
// if that is a comparison, or empty.
func expression(v *ir.Value, mask string, args ...string) string {
	if params, ok := functions[v.Op]; ok {
		s := "op_" + v.Op.String() + "(" + args[0]
		for _, a := range args[1:] {
			s += ", " + a
		}
		for _, x := range params(&v.Attr) {
			s += ", " + number(x)
		}
		return s + ")"
	}
	if form, ok := forms[v.Op]; ok {
		operands := make([]any, len(args))
		for i, a := range args {
			operands[i] = a
		}
		return fmt.Sprintf(form, operands...)
	}
	if v.Op == ir.OpSelect {
		if mask == "" {
			mask = args[0] + " != 0"
		}
		return fmt.Sprintf("SEL(%s, %s, %s)", mask, args[1], args[2])
	}
	panic(fmt.Sprintf("BUG: cc: no C for %v", v))
}
