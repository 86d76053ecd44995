package render

// Kernels of one thread an element: those over params and types, whose rows may be
// whole weights. A thread computes what its element needs, and sums over columns
// itself.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const flatBlock = 256 // threads

// flat is such an entry point being written.
type flat struct {
	*renderer
	level    ir.Residency // the rows
	computed map[*ir.Value]bool
	buffers  map[*ir.Value]*plan.Buffer // of operands of a step, which may be constants

	params []string
	args   []Arg
	known  map[string]bool

	text  *code
	names map[flatNumber]string // in the text and those around it
	count int
}

// flatNumber is the element of a value that an expression names.
type flatNumber struct {
	value *ir.Value
	at    string
}

func (r *renderer) newFlat(level ir.Residency) *flat {
	return &flat{
		renderer: r, level: level,
		computed: make(map[*ir.Value]bool), buffers: make(map[*ir.Value]*plan.Buffer),
		known: make(map[string]bool), names: make(map[flatNumber]string),
		text: &code{depth: 1},
	}
}

// flatKernel writes a kernel over a param or types.
func (r *renderer) flatKernel(k *plan.Kernel) {
	if len(k.Loops) > 0 || len(k.Totals) > 0 {
		refuse("a kernel over %v rows with loops or sums", k.Rows)
	}
	f := r.newFlat(k.Rows)
	for _, v := range k.Pre {
		f.computed[v] = true
	}
	f.elements(k.Stores)
}

// elements writes an entry point that computes and stores values.
func (f *flat) elements(stores []plan.Store) {
	width := 0
	for _, s := range stores {
		width = max(width, s.Value.Width())
	}
	if width == 0 {
		return
	}
	rows := f.param(Arg{Kind: CountArg, Count: Count{{Of: Rows, Res: f.level}}}, "int rows", "rows")
	f.text.line("const i64 i = (i64)blockIdx.x * %d + threadIdx.x;", flatBlock)
	for _, s := range stores {
		w := s.Value.Width()
		if w == 0 {
			continue
		}
		f.nested(fmt.Sprintf("if (i < (i64)%s * %d)", rows, w), func() {
			if f.level != ir.Param {
				f.text.line("const int r = (int)(i / %d);", w)
			}
			f.text.line("const int k = (int)(i %% %d);", w)
			x := f.get(s.Value, "k")
			to := f.param(Arg{Kind: BufferArg, Index: s.Buffer.Index}, "T *AST_RESTRICT out"+fmt.Sprint(s.Buffer.Index), "out"+fmt.Sprint(s.Buffer.Index))
			f.text.line("%s[%s] = %s;", to, f.element("r", f.level, w, "k"), x)
		})
	}
	f.finish("", Count{{Of: Rows, Res: f.level, Times: width, Per: flatBlock}}, flatBlock)
}

// inOrder is C for the row that comes n-th: in order of types, if there is an
// operand that types have.
func (f *flat) inOrder(n string) string {
	for v := range f.buffers {
		if v.Res.IsType() && (f.level == ir.Edge || f.level.IsVertex()) && v.Res == f.level.TypeOf() {
			return fmt.Sprintf("%s[%s]", f.array(Array{Name: ByType, Res: f.level}), n)
		}
	}
	return n
}

// finish adds the entry point to the text and the launch to the step.
func (f *flat) finish(part string, grid Count, block int) {
	name := f.entry(part)
	fmt.Fprintf(&f.unit, "\nAST_KERNEL(%s)(%s) {\n%s}\n", name, strings.Join(f.params, ", "), f.text.b.String())
	f.out.Launches = append(f.out.Launches, Launch{Name: name, Grid: grid, Block: block, Args: f.args})
}

func (f *flat) param(a Arg, declaration, name string) string {
	if !f.known[name] {
		f.known[name] = true
		f.params = append(f.params, declaration)
		f.args = append(f.args, a)
	}
	return name
}

func (f *flat) array(a Array) string {
	name := arrayNames[a.Name] + "_" + a.Res.String()
	return f.param(Arg{Kind: ArrayArg, Array: a}, "const int *AST_RESTRICT "+name, name)
}

// nested writes a block, whose names end with it.
func (f *flat) nested(head string, write func()) {
	names := make(map[flatNumber]string, len(f.names))
	for n, s := range f.names {
		names[n] = s
	}
	f.text.open("%s", head)
	write()
	f.text.close()
	f.names = names
}

// row is C for the row of a tensor with the residency.
func (f *flat) row(res ir.Residency) string {
	switch {
	case res == ir.Param:
		return "0"
	case res == f.level:
		return "r"
	case f.level == ir.Edge && res.IsVertex():
		return f.array(Array{Name: End, Res: res}) + "[r]"
	case f.level.IsVertex() && res == f.level.TypeOf():
		return f.array(Array{Name: TypeOf, Res: f.level}) + "[r]"
	case f.level == ir.Edge && res == ir.EdgeType:
		return f.array(Array{Name: TypeOf, Res: ir.Edge}) + "[r]"
	case f.level == ir.Edge && res == ir.SrcType:
		return fmt.Sprintf("%s[%s]", f.array(Array{Name: TypeOf, Res: ir.Src}), f.row(ir.Src))
	case f.level == ir.Edge && res == ir.DstType:
		return fmt.Sprintf("%s[%s]", f.array(Array{Name: TypeOf, Res: ir.Dst}), f.row(ir.Dst))
	}
	panic(fmt.Sprintf("BUG: render: a %v value at %v rows", res, f.level))
}

// element is C for the place of an element in a tensor.
func (f *flat) element(row string, res ir.Residency, width int, at string) string {
	if res == ir.Param {
		return at
	}
	return fmt.Sprintf("(i64)%s * %d + %s", row, width, at)
}

// tensor is the name of the parameter for the memory of v.
func (f *flat) tensor(v *ir.Value) string {
	b := f.buffers[v]
	if b == nil {
		b = f.plan.BufferOf(v)
	}
	if b == nil {
		panic(fmt.Sprintf("BUG: render: %v is in no buffer", v))
	}
	name := fmt.Sprintf("b%d", b.Index)
	return f.param(Arg{Kind: BufferArg, Index: b.Index}, "const T *AST_RESTRICT "+name, name)
}

// get is C for an element of v.
func (f *flat) get(v *ir.Value, at string) string {
	v = rowOrNumber(v)
	if v.Op == ir.OpConst && f.buffers[v] == nil {
		return literal(v.Attr.Num)
	}
	n := flatNumber{v, at}
	if name, ok := f.names[n]; ok {
		return name
	}
	if !f.computed[v] {
		return f.declare(n, fmt.Sprintf("%s[%s]", f.tensor(v), f.element(f.row(v.Res), v.Res, v.Width(), at)))
	}
	if v.Op.Info().Class == ir.Elementwise && v.Op != ir.OpDropout {
		args := make([]string, len(v.Args))
		for i, a := range v.Args {
			args[i] = f.get(a, f.broadcast(a.Shape, v.Shape, at))
		}
		return f.declare(n, expression(v, args))
	}
	switch v.Op {
	case ir.OpExpand:
		return f.get(v.Args[0], f.broadcast(v.Args[0].Shape, v.Shape, at))
	case ir.OpPermute:
		return f.get(v.Args[0], f.index(permuted(v, at)))
	case ir.OpConcat, ir.OpSlice, ir.OpPad:
		return f.columns(n)
	case ir.OpReduceTo, ir.OpMaxLast, ir.OpFirstMax:
		return f.overColumns(n)
	}
	refuse("%v in a kernel over %v rows", v, f.level)
	return ""
}

func (f *flat) declare(n flatNumber, text string) string {
	f.count++
	name := fmt.Sprintf("v%d_%d", n.value.ID, f.count)
	f.names[n] = name
	f.text.line("T %s = %s;", name, text)
	return name
}

// index names an index.
func (f *flat) index(text string) string {
	if !strings.ContainsAny(text, " ") {
		return text
	}
	n := flatNumber{nil, text}
	if name, ok := f.names[n]; ok {
		return name
	}
	f.count++
	name := fmt.Sprintf("k%d", f.count)
	f.names[n] = name
	f.text.line("const int %s = %s;", name, text)
	return name
}

// digits is C for a sum of digits of at, which counts through a shape, times
// strides.
func digits(s ir.Shape, strides []int, at string) string {
	text, rest := "", 1
	for d := len(s) - 1; d >= 0; d-- {
		if strides[d] != 0 && s[d] != 1 {
			digit := at
			if rest > 1 {
				digit = fmt.Sprintf("%s / %d", digit, rest)
			}
			if d > 0 && s[:d].Size() > 1 {
				digit = fmt.Sprintf("%s %% %d", digit, s[d])
			}
			if strides[d] != 1 {
				digit = fmt.Sprintf("%s * %d", digit, strides[d])
			}
			text = joinSum(digit, orZero(text))
		}
		rest *= s[d]
	}
	return orZero(text)
}

func orZero(text string) string {
	if text == "" {
		return "0"
	}
	return text
}

// stridesIn are, for each dimension of a shape, the strides of what broadcasts to
// it; 0 where that has one element.
func stridesIn(from, to ir.Shape) []int {
	out := make([]int, len(to))
	stride := 1
	for d := len(from) - 1; d >= 0; d-- {
		if from[d] != 1 {
			out[d+len(to)-len(from)] = stride
		}
		stride *= from[d]
	}
	return out
}

// broadcast is C for the element that broadcasting reads.
func (f *flat) broadcast(from, to ir.Shape, at string) string {
	if from.Size() == to.Size() {
		return at
	}
	return f.index(digits(to, stridesIn(from, to), at))
}

// permuted is C for the element of its operand that an element of a permutation is.
func permuted(v *ir.Value, at string) string {
	x, order := v.Args[0].Shape, v.Attr.Shape
	stride := make([]int, len(x))
	for d, n := len(x)-1, 1; d >= 0; d-- {
		stride[d] = n
		n *= x[d]
	}
	strides := make([]int, len(order))
	for i, d := range order {
		strides[i] = stride[d]
	}
	return digits(v.Shape, strides, at)
}

// columns is an element of a concatenation, slice or padding.
func (f *flat) columns(n flatNumber) string {
	v := n.value
	cols := v.Shape[len(v.Shape)-1]
	text := ""
	for i, a := range v.Args {
		w := a.Shape[len(a.Shape)-1]
		lo := columnsBefore(v, i)
		if w == 0 {
			continue
		}
		if v.Op == ir.OpSlice {
			return f.get(a, f.index(fmt.Sprintf("%s / %d * %d + %s %% %d + %d", n.at, cols, w, n.at, cols, -lo)))
		}
		column := f.index(fmt.Sprintf("%s %% %d - %d", n.at, cols, lo))
		mine := fmt.Sprintf("%[1]s >= 0 && %[1]s < %[2]d", column, w)
		x := f.get(a, f.index(fmt.Sprintf("%s ? %s / %d * %d + %s : 0", mine, n.at, cols, w, column)))
		text += fmt.Sprintf("%s ? %s : ", mine, x)
	}
	return f.declare(n, text+"(T)0")
}

// overColumns is an element of a sum or maximum over columns.
func (f *flat) overColumns(n flatNumber) string {
	v := n.value
	x := v.Args[0]
	cols := x.Shape[len(x.Shape)-1]
	if v.Op == ir.OpReduceTo {
		out := make(ir.Shape, len(x.Shape)) // v's shape, and what is summed
		reduced := make(ir.Shape, len(x.Shape))
		for d := range x.Shape {
			out[d], reduced[d] = 1, x.Shape[d]
			if o := d - (len(x.Shape) - len(v.Shape)); o >= 0 && (v.Shape[o] != 1 || x.Shape[d] == 1) {
				out[d], reduced[d] = x.Shape[d], 1
			}
		}
		strides := stridesIn(x.Shape, x.Shape)
		name := f.declare(n, "0")
		base := f.index(digits(out, strides, n.at))
		j := f.loopName()
		f.nested(fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++)", j, reduced.Size()), func() {
			f.text.line("%s += %s;", name, f.get(x, f.index(joinSum(base, digits(reduced, strides, j)))))
		})
		return name
	}
	base := f.index(fmt.Sprintf("%s * %d", n.at, cols))
	at := "0"
	if v.Op == ir.OpFirstMax {
		base = f.index(fmt.Sprintf("%s / %d * %d", n.at, cols, cols))
		at = f.index(fmt.Sprintf("%s %% %d", n.at, cols))
	}
	f.count++
	best, first := fmt.Sprintf("best%d", f.count), fmt.Sprintf("first%d", f.count)
	f.text.line("T %s = 0;", best)
	f.text.line("int %s = -1;", first)
	j := f.loopName()
	f.nested(fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++)", j, cols), func() {
		f.text.line("ast_argmax(&%s, &%s, %s, %s);", best, first, f.get(x, f.index(base+" + "+j)), j)
	})
	if v.Op == ir.OpMaxLast {
		return f.declare(n, best)
	}
	return f.declare(n, fmt.Sprintf("%s == %s ? (T)1 : (T)0", first, at))
}

func (f *flat) loopName() string {
	f.count++
	return fmt.Sprintf("j%d", f.count)
}
