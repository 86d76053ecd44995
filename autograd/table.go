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
	opFloorDiv
	opRemainder

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
	opSign
	opFloor
	opCeil
	opRound
	opTrunc

	opExpm1
	opLog1p
	opLog2
	opLog10
	opPowVar
	opErfc

	opSin
	opCos
	opTan
	opAsin
	opAcos
	opAtan
	opAtan2
	opSinh
	opCosh

	opWhere

	opRelu
	opLeakyRelu
	opPReLU
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
	opVecDot
	opSparseMatMul
	opLinear
	opTranspose

	opReshape
	opBroadcastTo
	opSumTo
	opSum
	opMax
	opMin
	opVariance
	opStd
	opLogSumExp
	opNorm
	opCumSum
	opFlip
	opTril
	opTriu
	opIndexSelect
	opEmbedding
	opScatterAddRows
	opGather
	opScatterAdd
	opConcat
	opSlice
	opUnslice

	opSoftmax
	opLogSoftmax
	opLayerNorm
	opBatchNorm
	opCrossEntropy
	opNLL
	opBCEWithLogits
	opSquaredError
	opHuberError
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
		opAdd:       {"Add", gradAdd, "y = a + b"},
		opSub:       {"Sub", gradSub, "y = a - b"},
		opMul:       {"Mul", gradMul, "y = a b"},
		opDiv:       {"Div", gradDiv, "y = a / b"},
		opMaximum:   {"Maximum", gradMaximum, "y = max(a, b); where equal, each gets half of the gradient"},
		opMinimum:   {"Minimum", gradMinimum, "y = min(a, b); where equal, each gets half of the gradient"},
		opFloorDiv:  {"FloorDiv", gradFlat, "y = a / b rounded down; gradient 0"},
		opRemainder: {"Remainder", gradRemainder, "y = a - b FloorDiv(a, b)"},

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
		opSign:      {"Sign", gradFlat, "y = -1, 0 or 1 by the sign of x; gradient 0"},
		opFloor:     {"Floor", gradFlat, "y = x rounded down; gradient 0"},
		opCeil:      {"Ceil", gradFlat, "y = x rounded up; gradient 0"},
		opRound:     {"Round", gradFlat, "y = x rounded to the nearest, of two the even; gradient 0"},
		opTrunc:     {"Trunc", gradFlat, "y = x rounded towards 0; gradient 0"},

		opExpm1:  {"Expm1", gradExpm1, "y = e^x - 1"},
		opLog1p:  {"Log1p", gradLog1p, "y = ln(1 + x)"},
		opLog2:   {"Log2", gradLog2, "y = ln x / ln 2"},
		opLog10:  {"Log10", gradLog10, "y = ln x / ln 10"},
		opPowVar: {"PowVar", gradPowVar, "y = a^b; no gradient to a where b = 0, none to b where a = 0 and b >= 0"},
		opErfc:   {"Erfc", gradErfc, "y = 1 - erf x"},

		opSin:   {"Sin", gradSin, "y = sin x"},
		opCos:   {"Cos", gradCos, "y = cos x"},
		opTan:   {"Tan", gradTan, "y = tan x"},
		opAsin:  {"Asin", gradAsin, "y = arcsin x"},
		opAcos:  {"Acos", gradAcos, "y = arccos x"},
		opAtan:  {"Atan", gradAtan, "y = arctan x"},
		opAtan2: {"Atan2", gradAtan2, "y = the angle of the point (b, a)"},
		opSinh:  {"Sinh", gradSinh, "y = sinh x"},
		opCosh:  {"Cosh", gradCosh, "y = cosh x"},

		opWhere: {"Where", gradWhere, "y = b where the mask a is true, c elsewhere"},

		opRelu:      {"ReLU", gradRelu, "y = max(x, 0); gradient 0 at 0"},
		opLeakyRelu: {"LeakyReLU", gradLeakyRelu, "y = x where x > 0, scalar x elsewhere"},
		opPReLU:     {"PReLU", gradPReLU, "y = a where a > 0, b a elsewhere, for one number b"},
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
		opVecDot:       {"VecDot", gradVecDot, "y = sum(a b) over the last axis"},
		opLinear:       {"Linear", gradLinear, "Y = X W + b, if relu then max(Y, 0)"},
		opSparseMatMul: {"SparseMatMul", gradSparseMatMul, "Y = S X for the constant sparse matrix S, transposed first if transA"},
		opTranspose:    {"Transpose", gradTranspose, "the axes in another order"},

		opReshape:        {"Reshape", gradReshape, "the same elements in another shape"},
		opBroadcastTo:    {"BroadcastTo", gradBroadcastTo, "x repeated to a larger shape by NumPy's rule"},
		opSumTo:          {"SumTo", gradSumTo, "sums over the dimensions that broadcasting back to x would repeat"},
		opSum:            {"Sum", gradSum, "sums over axes"},
		opMax:            {"Max", gradExtreme, "maxima over axes; winners share the gradient evenly"},
		opMin:            {"Min", gradExtreme, "minima over axes; winners share the gradient evenly"},
		opVariance:       {"Variance", gradVariance, "squared distances from the mean over axes, summed, over n - scalar"},
		opStd:            {"Std", gradStd, "y = sqrt(Variance); gradient 0 at 0"},
		opLogSumExp:      {"LogSumExp", gradLogSumExp, "y = ln sum(e^x) over axes, max-shifted"},
		opNorm:           {"Norm", gradNorm, "y = (sum |x|^scalar)^(1/scalar) over axes; gradient 0 at 0"},
		opCumSum:         {"CumSum", gradCumSum, "sums up to each element along axis"},
		opFlip:           {"Flip", gradFlip, "the elements of axes in reverse order"},
		opTril:           {"Tril", gradTril, "zeros above diagonal from"},
		opTriu:           {"Triu", gradTriu, "zeros below diagonal from"},
		opIndexSelect:    {"IndexSelect", gradIndexSelect, "row i of y is row rows[i] of x"},
		opEmbedding:      {"Embedding", gradEmbedding, "row i of y is row rows[i] of a, rows being the elements of b; no gradient to row padding"},
		opScatterAddRows: {"ScatterAddRows", gradScatterAddRows, "row r of y is the sum of the rows i of x with rows[i] = r"},
		opGather:         {"Gather", gradGather, "elements of a at the indices b along axis"},
		opScatterAdd:     {"ScatterAdd", gradScatterAdd, "a with the elements of c added at the indices b along axis"},
		opConcat:         {"Concat", gradConcat, "the inputs one after another along axis"},
		opSlice:          {"Slice", gradSlice, "indices from, from+1, ... of axis"},
		opUnslice:        {"Unslice", gradUnslice, "x at the indices from, from+1, ... of axis, zeros elsewhere"},

		opSoftmax:       {"Softmax", gradSoftmax, "y = e^x / sum(e^x) over the last axis, max-shifted"},
		opLayerNorm:     {"LayerNorm", gradLayerNorm, "y = (a - mean) / sqrt(variance + scalar) over the last axis, times b plus c if there"},
		opBatchNorm:     {"BatchNorm", gradBatchNorm, "LayerNorm over the first axis"},
		opLogSoftmax:    {"LogSoftmax", gradLogSoftmax, "y = x - ln sum(e^x) over the last axis, max-shifted"},
		opCrossEntropy:  {"CrossEntropy", gradCrossEntropy, "mean over rows r of -LogSoftmax(x)[r, labels[r]]"},
		opNLL:           {"NLL", gradNLL, "mean over rows r of -x[r, labels[r]]"},
		opBCEWithLogits: {"BCEWithLogits", gradBCEWithLogits, "y = Softplus(a) - a b, of logits a and targets b"},
		opSquaredError:  {"SquaredError", gradSquaredError, "y = scalar sum((a - b)^2)"},
		opHuberError:    {"HuberError", gradHuberError, "y = scalar sum(c (a - b - c/2)) with a - b clamped to [-upper, upper] as c"},
		opDropout:       {"Dropout", gradDropout, "y = x/(1-scalar) where the mask keeps, 0 elsewhere"},
	}
}
