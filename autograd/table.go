// The op table: one row an operation.

package autograd

// opcode numbers the rows of the table.
type opcode uint8

const (
	opCustom opcode = iota // not a row: see Custom

	opAdd
	opSub
	opMul
	opDiv
	opMaximum
	opMinimum

	opNeg
	opExp
	opLog
	opSqrt
	opRsqrt
	opRecip
	opAbs
	opSquare
	opPow
	opClamp
	opScale
	opAddScalar

	opRelu
	opLeakyRelu
	opGate
	opElu
	opEluGrad
	opGelu
	opErf
	opSilu
	opSigmoid
	opTanh
	opSoftplus

	opMatMul
	opSparseMatMul
	opLinear
	opTranspose

	opReshape
	opBroadcastTo
	opSumTo
	opIndexSelect
	opScatterAddRows
	opConcat
	opSlice
	opUnslice

	opSoftmax
	opLogSoftmax
	opCrossEntropy
	opNLL
	opDropout

	numOps
)

// A rule returns the gradient of input i, given the gradient g of the result. It
// is written over Var operations on the context's inputs and result, so that a
// gradient of it is defined too. It is called only for inputs that require a
// gradient; nil means that none flows.
type rule func(c *context, g *Var, i int) *Var

// A row describes one operation. The forward computation is the method or
// function of that name; record ties a result to its row.
type row struct {
	name string
	grad rule
	doc  string // meaning; a, b, x are inputs, y is the result
}

var table [numOps]row

func init() { // not an initialiser: the rules use operations, which look their names up
	table = [numOps]row{
		opAdd:     {"Add", gradAdd, "y = a + b"},
		opSub:     {"Sub", gradSub, "y = a - b"},
		opMul:     {"Mul", gradMul, "y = a b"},
		opDiv:     {"Div", gradDiv, "y = a / b"},
		opMaximum: {"Maximum", gradMaximum, "y = max(a, b); where equal, each gets half of the gradient"},
		opMinimum: {"Minimum", gradMinimum, "y = min(a, b); where equal, each gets half of the gradient"},

		opNeg:       {"Neg", gradNeg, "y = -x"},
		opExp:       {"Exp", gradExp, "y = e^x"},
		opLog:       {"Log", gradLog, "y = ln x"},
		opSqrt:      {"Sqrt", gradSqrt, "y = sqrt(x)"},
		opRsqrt:     {"Rsqrt", gradRsqrt, "y = 1 / sqrt(x)"},
		opRecip:     {"Recip", gradRecip, "y = 1 / x"},
		opAbs:       {"Abs", gradAbs, "y = |x|; gradient 0 at 0"},
		opSquare:    {"Square", gradSquare, "y = x^2"},
		opPow:       {"Pow", gradPow, "y = x^scalar"},
		opClamp:     {"Clamp", gradClamp, "y = min(max(x, lower), upper); the bounds pass the gradient"},
		opScale:     {"Scale", gradScale, "y = scalar x"},
		opAddScalar: {"AddScalar", gradAddScalar, "y = x + scalar"},

		opRelu:      {"ReLU", gradRelu, "y = max(x, 0); gradient 0 at 0"},
		opLeakyRelu: {"LeakyReLU", gradLeakyRelu, "y = x where x > 0, scalar x elsewhere"},
		opGate:      {"Gate", gradGate, "y = a where b > 0, scalar a elsewhere: how gradients pass ReLU and LeakyReLU"},
		opElu:       {"ELU", gradElu, "y = x where x > 0, scalar (e^x - 1) elsewhere"},
		opEluGrad:   {"ELUGrad", gradEluGrad, "y = a where b > 0, a (b + scalar) elsewhere: how gradients a pass ELU with result b"},
		opGelu:      {"GELU", gradGelu, "y = x P(Z <= x) for a standard normal Z, the exact (erf) form"},
		opErf:       {"Erf", gradErf, "y = erf x, the error function"},
		opSilu:      {"SiLU", gradSilu, "y = x Sigmoid(x)"},
		opSigmoid:   {"Sigmoid", gradSigmoid, "y = 1 / (1 + e^-x)"},
		opTanh:      {"Tanh", gradTanh, "y = tanh x"},
		opSoftplus:  {"Softplus", gradSoftplus, "y = ln(1 + e^x)"},

		opMatMul:       {"MatMul", gradMatMul, "Y = A B, over the last two axes"},
		opLinear:       {"Linear", gradLinear, "Y = X W + b, if relu then max(Y, 0)"},
		opSparseMatMul: {"SparseMatMul", gradSparseMatMul, "Y = S X for the constant sparse matrix S, transposed first if transA"},
		opTranspose:    {"Transpose", gradTranspose, "the axes in another order"},

		opReshape:        {"Reshape", gradReshape, "the same elements in another shape"},
		opBroadcastTo:    {"BroadcastTo", gradBroadcastTo, "x repeated to a larger shape by NumPy's rule"},
		opSumTo:          {"SumTo", gradSumTo, "sums over the dimensions that broadcasting back to x would repeat"},
		opIndexSelect:    {"IndexSelect", gradIndexSelect, "row i of y is row rows[i] of x"},
		opScatterAddRows: {"ScatterAddRows", gradScatterAddRows, "row r of y is the sum of the rows i of x with rows[i] = r"},
		opConcat:         {"Concat", gradConcat, "the inputs one after another along axis"},
		opSlice:          {"Slice", gradSlice, "indices from, from+1, ... of axis"},
		opUnslice:        {"Unslice", gradUnslice, "x at the indices from, from+1, ... of axis, zeros elsewhere"},

		opSoftmax:      {"Softmax", gradSoftmax, "y = e^x / sum(e^x) over the last axis, max-shifted"},
		opLogSoftmax:   {"LogSoftmax", gradLogSoftmax, "y = x - ln sum(e^x) over the last axis, max-shifted"},
		opCrossEntropy: {"CrossEntropy", gradCrossEntropy, "mean over rows r of -LogSoftmax(x)[r, labels[r]]"},
		opNLL:          {"NLL", gradNLL, "mean over rows r of -x[r, labels[r]]"},
		opDropout:      {"Dropout", gradDropout, "y = x/(1-scalar) where the mask keeps, 0 elsewhere"},
	}
}
