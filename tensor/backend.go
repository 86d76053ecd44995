// What a device is asked to do: a few families of operations, not one method an
// operation.

package tensor

// Storage is memory of a device, as its [Backend] has it. What nobody refers to any
// more returns by itself.
type Storage interface {
	// Free gives the memory back after what was handed over to the device before.
	Free()
}

// View is elements in a device's memory.
type View struct {
	Memory  Storage
	Offset  int // of the first element, in elements
	DType   DType
	Shape   Shape
	Strides []int // in elements; 0 where an axis is broadcast, negative where it is reversed
}

// Size returns the number of elements.
func (v View) Size() int { return v.Shape.Size() }

// Contiguous reports whether the elements lie in row-major order one after the other.
func (v View) Contiguous() bool {
	step := 1
	for k := len(v.Shape) - 1; k >= 0; k-- {
		if v.Shape[k] != 1 && v.Strides[k] != step {
			return false
		}
		step *= v.Shape[k]
	}
	return true
}

// A Program is an element-wise function: what is done with one element of every
// operand to get that of the result.
type Program struct {
	Steps []ProgramStep // the last one's is the result; none: operand 0 is
}

// A ProgramStep is one operation of a [Program]. A value i >= 0 is the result of step
// i, an earlier one; ^i is operand i.
type ProgramStep struct {
	Op   string // a name of ProgramOps
	Args [3]int // as many as the operation takes
	Type DType  // of the result
	C, D float64
	U, V uint64
}

// A ProgramOp is what there is to know about an operation of programs. Its meaning is
// that of the function of its name, unless Doc says more.
type ProgramOp struct {
	Name    string
	Args    int    // how many values it takes
	Numbers string // which of C, D, U, V it uses
	Doc     string
}

// ProgramOps are the operations of programs. Arithmetic is done in the type of the
// arguments; integers wrap around, and none is divided by 0.
var ProgramOps = []ProgramOp{
	{"Const", 0, "C", "the number C"},
	{"Coordinate", 0, "UV", "(index/U)%V of the element's row-major index, as Int64"},
	{"Cast", 1, "", "To the step's type"},
	{"Rand", 0, "U", "Rand of seed U at the element's index"},
	{"Dropout", 1, "CUV", "Dropout of scale C, seed U, threshold V"},

	{"Add", 2, "", ""}, {"Sub", 2, "", ""}, {"Mul", 2, "", ""}, {"Div", 2, "", ""},
	{"Maximum", 2, "", ""}, {"Minimum", 2, "", ""},
	{"PowT", 2, "", ""}, {"Atan2", 2, "", ""}, {"Hypot", 2, "", ""}, {"FloorDiv", 2, "", ""}, {"Remainder", 2, "", ""},

	{"Equal", 2, "", ""}, {"NotEqual", 2, "", ""}, {"Less", 2, "", ""}, {"LessEqual", 2, "", ""},
	{"Greater", 2, "", ""}, {"GreaterEqual", 2, "", ""},
	{"And", 2, "", ""}, {"Or", 2, "", ""}, {"Xor", 2, "", ""}, {"Not", 1, "", ""},
	{"IsNaN", 1, "", ""}, {"IsInf", 1, "", ""}, {"IsFinite", 1, "", ""},
	{"Where", 3, "", ""},

	{"Neg", 1, "", ""}, {"Abs", 1, "", ""}, {"Sign", 1, "", ""}, {"Step", 1, "", ""},
	{"Square", 1, "", ""}, {"Cube", 1, "", "x³"}, {"Recip", 1, "", ""}, {"Sqrt", 1, "", ""}, {"Rsqrt", 1, "", ""},
	{"Pow", 1, "C", ""}, {"Clamp", 1, "CD", ""}, {"Scale", 1, "C", ""}, {"AddScalar", 1, "C", ""},
	{"Floor", 1, "", ""}, {"Ceil", 1, "", ""}, {"Round", 1, "", ""}, {"Trunc", 1, "", ""},

	{"Exp", 1, "", ""}, {"Expm1", 1, "", ""}, {"Log", 1, "", ""}, {"Log1p", 1, "", ""}, {"Log2", 1, "", ""}, {"Log10", 1, "", ""},
	{"Sin", 1, "", ""}, {"Cos", 1, "", ""}, {"Tan", 1, "", ""}, {"Asin", 1, "", ""}, {"Acos", 1, "", ""}, {"Atan", 1, "", ""},
	{"Sinh", 1, "", ""}, {"Cosh", 1, "", ""}, {"Tanh", 1, "", ""}, {"Asinh", 1, "", ""}, {"Acosh", 1, "", ""}, {"Atanh", 1, "", ""},
	{"Erf", 1, "", ""}, {"Erfc", 1, "", ""},

	{"ReLU", 1, "", ""}, {"LeakyReLU", 1, "C", ""}, {"ELU", 1, "C", ""}, {"GELU", 1, "", ""},
	{"Sigmoid", 1, "", ""}, {"SiLU", 1, "", ""}, {"Softplus", 1, "", ""},

	{"GateReLU", 2, "", ""}, {"GateLeakyReLU", 2, "C", ""}, {"ELUGrad", 2, "C", ""}, {"SigmoidGrad", 2, "", ""},
	{"TanhGrad", 2, "", ""}, {"SoftplusGrad", 2, "", ""}, {"SiLUGrad", 2, "", ""}, {"GELUGrad", 2, "", ""},
	{"ErfGrad", 2, "", ""}, {"AbsGrad", 2, "", ""}, {"SqrtGrad", 2, "", ""}, {"ClampGrad", 2, "CD", ""},
}

// A Capturer is a [Backend] that can record what it is handed, to do it again and again.
type Capturer interface {
	// Capturing reports whether it records now.
	Capturing() bool
	// BeforeReplay says what to call each time before what it records now is done again.
	BeforeReplay(f func())
}

// Backend computes on a device. Operations are handed over and done in order, later;
// an error may be that of an earlier one. Results do not depend on timing: the same
// inputs give the same bits. Shapes and types fit, and indices are in range: callers
// have checked. Results are contiguous unless it is said that they need not be, and
// overlap operands only in Map, element for element.
type Backend interface {
	// Alloc returns memory for bytes, with any content; op names it in reports.
	Alloc(op string, bytes int) (Storage, error)
	// Upload copies from Go's memory, Download to it; the second waits.
	Upload(dst Storage, offset int, src []byte) error
	Download(dst []byte, src Storage, offset int) error
	Synchronize() error
	Close() error
	MemoryStats() Memory

	// Map writes a program of operands of dst's shape. dst may be strided.
	Map(dst View, p *Program, xs ...View) error
	// Reduce folds x over axes to dst, which has the elements of the other axes in
	// order. op is Sum, Prod, Max, Min, SumSquares, SumAbs, Any or All, or of one axis
	// ArgMax or ArgMin, whose dst is Int64.
	Reduce(op string, dst, x View, axes []bool) error
	// Rows computes along the last axis of contiguous operands, a row at a time:
	// Softmax and LogSoftmax of x; SoftmaxGrad and LogSoftmaxGrad of the result's
	// gradient and the result; LayerNorm of x, with means and 1/deviations as results
	// too; LayerNormGrad of the gradient, x, means and 1/deviations.
	Rows(op string, eps float64, dst, xs []View) error
	// Scan writes the running Sum or Prod along an axis of a contiguous x.
	Scan(op string, dst, x View, axis int) error
	// Gather is the function of the name; ids has dst's shape.
	Gather(dst, x View, axis int, ids View) error
	// Scatter puts the elements of src, of the shape of ids, into dst, or adds them.
	Scatter(dst View, axis int, ids, src View, add bool) error
	// SegmentSum writes to row i of dst the sum of the rows order[offsets[i]] to
	// order[offsets[i+1]-1] of a contiguous x, each times its value if there are
	// values: values[valueOrder[e]] for entry e, or values[e] without valueOrder.
	// The order is that of the entries. Indices are Int32.
	SegmentSum(dst, x, offsets, order View, values, valueOrder *View) error
	// Offsets writes to element i of dst, Int32, how many elements of sorted, Int32 or Int64
	// of one axis in ascending order, are less than i: where segments begin.
	Offsets(dst, sorted View) error
	// Compact writes the elements of x where mask is true, all of one axis. before counts,
	// for each element, the true ones up to it and itself.
	Compact(dst, x, mask, before View) error
	// Sort writes the first elements of each row of the last axis of a contiguous x in
	// order, and where they were, as many as dst has.
	Sort(values, indices, x View, descending bool) error
	// MatMul writes the products of the matrices of the last two axes, or adds them.
	// All operands have the same axes before these. In a and b one of the last two
	// axes has elements side by side; in dst, whose rows may be parts of longer ones,
	// the last.
	MatMul(dst, a, b View, add bool) error
	// Update makes an optimiser's step with the numbers of its rule: row k of tensors
	// is a parameter, its gradient, its buffers, all contiguous and of one type.
	Update(rule string, numbers []float64, tensors [][]View) error
}
