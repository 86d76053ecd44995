// How each operation of programs is written in C.

package dense

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// spelled has a row for each of tensor.ProgramOps. $1 $2 $3 are the arguments, $C $D $U
// $V the step's numbers, $T its type, $i the element's index.
var spelled = map[string]string{
	"Const":      "$C",
	"Coordinate": "(i64)((u64)$i / $U % $V)",
	"Cast":       "($T)$1",
	"Rand":       "r_uniform(r_seed($U, tick), $i, ($T)0)",
	"Dropout":    "e_dropout($1, r_seed($U, tick), $V, $C, $i)",

	"Add": "$1 + $2", "Sub": "$1 - $2", "Mul": "$1 * $2", "Div": "$1 / $2",
	"Maximum": "e_max($1, $2)", "Minimum": "e_min($1, $2)",
	"PowT": "m_pow($1, $2)", "Atan2": "m_atan2($1, $2)", "Hypot": "m_hypot($1, $2)", "FloorDiv": "e_floordiv($1, $2)", "Remainder": "e_remainder($1, $2)",

	"Equal": "$1 == $2", "NotEqual": "$1 != $2", "Less": "$1 < $2", "LessEqual": "$1 <= $2",
	"Greater": "$1 > $2", "GreaterEqual": "$1 >= $2",
	"And": "$1 && $2", "Or": "$1 || $2", "Xor": "$1 != $2", "Not": "!$1",
	"IsNaN": "$1 != $1", "IsInf": "$1 == $1 && !e_finite($1)", "IsFinite": "e_finite($1)",
	"Where": "$1 ? $2 : $3",

	"Neg": "-$1", "Abs": "m_fabs($1)", "Sign": "e_sign($1)", "Step": "($T)($1 > 0)",
	"Square": "$1 * $1", "Cube": "$1 * $1 * $1", "Recip": "1 / $1", "Sqrt": "m_sqrt($1)", "Rsqrt": "1 / m_sqrt($1)",
	"Pow": "m_pow($1, $C)", "Clamp": "e_clamp($1, $C, $D)", "Scale": "$1 * $C", "AddScalar": "$1 + $C",
	"Floor": "m_floor($1)", "Ceil": "m_ceil($1)", "Round": "m_rint($1)", "Trunc": "m_trunc($1)",

	"Exp": "m_exp($1)", "Expm1": "m_expm1($1)", "Log": "m_log($1)", "Log1p": "m_log1p($1)", "Log2": "m_log2($1)", "Log10": "m_log10($1)",
	"Sin": "m_sin($1)", "Cos": "m_cos($1)", "Tan": "m_tan($1)", "Asin": "m_asin($1)", "Acos": "m_acos($1)", "Atan": "m_atan($1)",
	"Sinh": "m_sinh($1)", "Cosh": "m_cosh($1)", "Tanh": "m_tanh($1)", "Asinh": "m_asinh($1)", "Acosh": "m_acosh($1)", "Atanh": "m_atanh($1)",
	"Erf": "m_erf($1)", "Erfc": "m_erfc($1)",

	"ReLU": "e_max($1, ($T)0)", "LeakyReLU": "$1 >= 0 ? $1 : $C * $1", "ELU": "$1 > 0 ? $1 : $C * m_expm1($1)", "GELU": "e_gelu($1)",
	"Sigmoid": "e_sigmoid($1)", "SiLU": "e_silu($1)", "Softplus": "e_softplus($1)",

	"GateReLU": "$2 <= 0 ? ($T)0 : $1", "GateLeakyReLU": "$C == 0 ? ($2 <= 0 ? ($T)0 : $1) : ($2 > 0 ? $1 : $C * $1)", "ELUGrad": "$2 > 0 ? $1 : $1 * ($2 + $C)",
	"SigmoidGrad": "$1 * ($2 * (1 - $2))", "TanhGrad": "$1 * (1 - $2 * $2)", "SoftplusGrad": "$1 * e_sigmoid($2)",
	"SiLUGrad": "e_silugrad($1, $2)", "GELUGrad": "e_gelugrad($1, $2)", "ErfGrad": "$1 * (($T)1.12837916709551257390 * m_exp(-$2 * $2))",
	"AbsGrad": "e_absgrad($1, $2)", "SqrtGrad": "$1 / ($2 + $2)", "ClampGrad": "$2 >= $C && $2 <= $D ? $1 : ($T)0",
}

// spelledWhole are the operations that integers have in another form: they wrap around, as
// Go's do, where signed ones may not in C++.
var spelledWhole = map[string]string{
	"Add": "($T)((u64)$1 + (u64)$2)", "Sub": "($T)((u64)$1 - (u64)$2)", "Mul": "($T)((u64)$1 * (u64)$2)",
	"FloorDiv": "e_quotient($1, $2)", "Remainder": "e_rest($1, $2)",
	"Neg": "($T)(0 - (u64)$1)", "Abs": "$1 < 0 ? ($T)(0 - (u64)$1) : $1", "Square": "($T)((u64)$1 * (u64)$1)",
}

// spelling returns a step's form in C.
func spelling(s tensor.ProgramStep) string {
	switch s.Type {
	case tensor.Bool:
		if s.Op == "Cast" {
			return "$1 != 0"
		}
	case tensor.Int32, tensor.Int64:
		if form := spelledWhole[s.Op]; form != "" {
			return form
		}
	}
	return spelled[s.Op]
}

// programOps are the rows of tensor.ProgramOps by name.
var programOps = func() map[string]tensor.ProgramOp {
	ops := make(map[string]tensor.ProgramOp, len(tensor.ProgramOps))
	for _, op := range tensor.ProgramOps {
		ops[op.Name] = op
	}
	return ops
}()

// valueType is the type of a value in a kernel: a byte is a truth value there.
func valueType(dt tensor.DType) string {
	if dt == tensor.Bool {
		return "bool"
	}
	return cTypes[dt]
}

// A program is a tensor.Program ready to be written: what the kernel depends on, and the
// numbers, which are arguments.
type program struct {
	*tensor.Program
	types []tensor.DType // of the operands
}

// key names the program's text.
func (p program) key() string {
	b := make([]byte, 0, 128)
	for _, t := range p.types {
		b = append(append(b, t.String()...), ' ')
	}
	for _, s := range p.Steps {
		b = append(append(append(append(b, ';'), s.Op...), ' '), s.Type.String()...)
		for _, a := range s.Args[:programOps[s.Op].Args] {
			b = strconv.AppendInt(append(b, ' '), int64(a), 10)
		}
	}
	return string(b)
}

// random reports whether a step draws numbers.
func (p program) random() bool {
	for _, s := range p.Steps {
		if s.Op == "Rand" || s.Op == "Dropout" {
			return true
		}
	}
	return false
}

// indexed reports whether a step takes the element's index.
func (p program) indexed() bool {
	for _, s := range p.Steps {
		if strings.Contains(spelled[s.Op], "$i") {
			return true
		}
	}
	return false
}

// parameters lists the parameters for the numbers, and their values.
func (p program) parameters() (names []string, values []argument) {
	for i, s := range p.Steps {
		for _, n := range programOps[s.Op].Numbers {
			switch n {
			case 'C':
				names, values = append(names, valueType(s.Type)+" c"+strconv.Itoa(i)), append(values, numberOf(s.Type, s.C))
			case 'D':
				names, values = append(names, valueType(s.Type)+" d"+strconv.Itoa(i)), append(values, numberOf(s.Type, s.D))
			case 'U':
				names, values = append(names, "u64 u"+strconv.Itoa(i)), append(values, s.U)
			case 'V':
				names, values = append(names, "u64 v"+strconv.Itoa(i)), append(values, s.V)
			}
		}
	}
	if p.random() {
		names, values = append(names, "const u64 *tick"), append(values, tick{})
	}
	return names, values
}

// numberOf returns a number as an argument of a type.
func numberOf(dt tensor.DType, c float64) argument {
	switch dt {
	case tensor.Float32:
		return float32(c)
	case tensor.Float64:
		return c
	case tensor.Int32:
		return int32(c)
	case tensor.Int64:
		return int(c)
	}
	if c != 0 {
		return uint32(1) // its first byte is the truth value
	}
	return uint32(0)
}

// statements returns the steps as C, on operands called x0, x1 ..., and the name of the
// result.
func (p program) statements(indent, index string) (text, result string) {
	var b strings.Builder
	result = "x0"
	name := func(a int) string {
		if a < 0 {
			return fmt.Sprintf("x%d", ^a)
		}
		return fmt.Sprintf("t%d", a)
	}
	for i, s := range p.Steps {
		op, ok := programOps[s.Op]
		if !ok {
			panic(fmt.Sprintf("BUG: dense: operation %q of a program", s.Op))
		}
		pairs := []string{"$T", valueType(s.Type), "$i", index}
		for k, a := range s.Args[:op.Args] {
			pairs = append(pairs, fmt.Sprintf("$%d", k+1), name(a))
		}
		for _, n := range op.Numbers {
			pairs = append(pairs, "$"+string(n), fmt.Sprintf("%s%d", strings.ToLower(string(n)), i))
		}
		result = fmt.Sprintf("t%d", i)
		fmt.Fprintf(&b, "%sconst %s %s = %s;\n", indent, valueType(s.Type), result, strings.NewReplacer(pairs...).Replace(spelling(s)))
	}
	return b.String(), result
}
