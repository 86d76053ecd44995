package ir

// The op table: one row an op.

import "math"

// Op names a row of the op table.
type Op uint8

// The ops. The comment is the meaning; x, y, z are the operands.
const (
	OpInput  Op = iota // a tensor bound at run time
	OpConst            // a number
	OpDegree           // number of in-edges (dir=in) or out-edges (dir=out) of the row's vertex

	OpNeg       // -x
	OpExp       // e^x
	OpLog       // ln x
	OpSqrt      // x^(1/2)
	OpRsqrt     // x^(-1/2)
	OpAbs       // |x|
	OpSign      // -1, 0 or 1
	OpSquare    // x^2
	OpRecip     // 1/x
	OpPow       // x^num
	OpClamp     // num if x < num, else x; then num2 if that is > num2
	OpRelu      // max(x, 0)
	OpLeakyRelu // x if x > 0, else num*x
	OpElu       // x if x > 0, else num*(e^x - 1)
	OpErf       // Gauss error function
	OpGelu      // x*(1 + erf(x/sqrt 2))/2
	OpSilu      // x*sigmoid(x)
	OpSigmoid   // 1/(1 + e^-x)
	OpTanh      // tanh x
	OpSoftplus  // ln(1 + e^x)
	OpSin       // sin x, in radians
	OpCos       // cos x, in radians

	OpAdd    // x + y
	OpSub    // x - y
	OpMul    // x * y
	OpDiv    // x / y
	OpMaxOf  // max(x, y)
	OpMinOf  // min(x, y)
	OpPowOf  // x^y
	OpGt     // 1 if x > y, else 0
	OpGe     // 1 if x >= y, else 0
	OpEq     // 1 if x == y, else 0
	OpSelect // y if x != 0, else z

	OpAt      // x read at every row of a residency: a value of its own there
	OpDropout // 0 with probability num, else x/(1-num); the mask is a hash of (seed, site, id, column)

	OpReshape  // the same elements in another row shape
	OpExpand   // broadcast to a row shape
	OpReduceTo // sum over the dimensions that broadcasting to x's shape would add
	OpConcat   // join along the last dimension
	OpSlice    // columns [lo, hi) of the last dimension
	OpPad      // lo zero columns before and hi after
	OpPermute  // the dimensions of the row in the order that shape lists
	OpMaxLast  // maximum over the last dimension, which becomes 1
	OpFirstMax // 1 at the first maximum of the last dimension, 0 elsewhere (the gradient of OpMaxLast)

	OpMatMul  // x·W over the last dimension; W[h] for each head h where W has three
	OpMatMulT // x·Wᵀ over the last dimension
	OpOuter   // Σ over rows of the level: xᵀ·y (the gradient of a weight), for each type or head where to or heads say so

	// With typed, these four have one result for each edge type, in front of the
	// row's dimensions, over the edges of that type; softmax is over the row's edges
	// of the edge's type.
	OpSum     // Σ over the row's edges; 0 over none
	OpMax     // maximum over the row's edges; 0 over none
	OpArgmax  // id of the first edge, in id order, that attains the maximum; -1 over none
	OpWinner  // on edge e: y if x == id(e), else 0 (the gradient of OpMax)
	OpPick    // on edge e: the part of x that belongs to e's type
	OpSoftmax // e^x / Σ e^x over the edges of one row, shifted by their maximum
	OpTotal   // Σ over all rows of the level, for each type where to says so
	OpView    // the same vertices' or vertex types' rows seen from the other side (homogeneous graphs)
	OpStack   // the rows of all types as one param
	OpUnstack // a param's leading dimension as the rows of types

	numOps
)

// Class groups ops that passes and executors treat alike.
type Class uint8

const (
	Leaf        Class = iota
	Elementwise       // one number from the operands' numbers at the same place, with broadcasting
	Layout            // moves or sums numbers within a row
	Dense             // a matrix product: a step of its own
	Aggregate         // reduces the edges of a row
	EdgeNorm          // normalises over the edges of a row; lowered before planning
	EdgePick          // an edge value from its row's values and its id
	Reduction         // reduces all rows to a param
	Alias             // no computation
)

// Info is a row of the table.
type Info struct {
	Name  string
	Class Class
	Arity int      // -1: one or more
	Attrs []string // which attributes it has, in the order they print; one that ends in ? prints unless it is zero

	Unary  func(a *Attr, x float64) float64 // reference meaning of an element-wise op
	Binary func(x, y float64) float64

	Infer  func(p *Program, v *Value) error           // sets Res, Type and Shape
	Grad   func(b *Builder, v, g *Value) []*Cotangent // one per operand; nil where no gradient flows
	NoGrad bool                                       // says in so many words that Grad is nil
}

// Info returns the op's row.
func (o Op) Info() *Info { return &table[o] }

func (o Op) String() string { return table[o].Name }

// Transcendental tells whether an op calls for more than arithmetic: exponentials,
// logarithms, powers and what is made of them.
func (o Op) Transcendental() bool {
	switch o {
	case OpExp, OpLog, OpPow, OpPowOf, OpElu, OpErf, OpGelu, OpSilu, OpSigmoid, OpTanh, OpSoftplus, OpSin, OpCos:
		return true
	}
	return false
}

func b2f(c bool) float64 {
	if c {
		return 1
	}
	return 0
}

// MaxOf is the maximum that every executor uses: NaN wins, as in NumPy.
func maxOf(x, y float64) float64 {
	if x > y || x != x {
		return x
	}
	return y
}

func minOf(x, y float64) float64 {
	if x < y || x != x {
		return x
	}
	return y
}

// clamp knows no bound that is NaN, and between bounds leaves x what it is, -0 at 0 too.
func clamp(a *Attr, x float64) float64 {
	if x < a.Num {
		x = a.Num
	}
	if x > a.Num2 {
		x = a.Num2
	}
	return x
}

func unary(f func(float64) float64) func(*Attr, float64) float64 {
	return func(_ *Attr, x float64) float64 { return f(x) }
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// silu and gelu are 0 at -Inf, their limit, where a product would be NaN.

func silu(x float64) float64 {
	if math.IsInf(x, -1) {
		return 0
	}
	return x * sigmoid(x)
}

func gelu(x float64) float64 { // erfc keeps its digits on the far left, where 1 + erf has none
	if math.IsInf(x, -1) {
		return 0
	}
	return 0.5 * x * math.Erfc(-x/math.Sqrt2)
}

// log knows denormal numbers, which math.Log does not on every machine.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

func softplus(x float64) float64 {
	if x > 0 { // so that e^x does not overflow
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

func leakyRelu(a *Attr, x float64) float64 {
	if x > 0 {
		return x
	}
	return a.Num * x
}

func elu(a *Attr, x float64) float64 {
	if x > 0 {
		return x
	}
	return a.Num * math.Expm1(x)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // keeps NaN
}

var table = [numOps]Info{}

// The table is filled here and not in a composite literal because gradient
// rules build values, and building reads the table.
func init() {
	e1 := func(name string, f func(*Attr, float64) float64, grad gradRule, attrs ...string) Info {
		return Info{Name: name, Class: Elementwise, Arity: 1, Attrs: attrs, Unary: f, Infer: inferElementwise, Grad: grad}
	}
	e2 := func(name string, f func(x, y float64) float64, grad gradRule) Info {
		return Info{Name: name, Class: Elementwise, Arity: 2, Binary: f, Infer: inferElementwise, Grad: grad, NoGrad: grad == nil}
	}
	relu := func(x float64) float64 { return maxOf(x, 0) }

	table = [numOps]Info{
		OpInput:  {Name: "input", Class: Leaf, Attrs: []string{"name"}, Infer: inferGiven, NoGrad: true},
		OpConst:  {Name: "const", Class: Leaf, Attrs: []string{"num"}, Infer: inferConst, NoGrad: true},
		OpDegree: {Name: "degree", Class: Leaf, Attrs: []string{"dir", "res", "typed?"}, Infer: inferDegree, NoGrad: true},

		OpNeg:       e1("neg", unary(func(x float64) float64 { return -x }), gradNeg),
		OpExp:       e1("exp", unary(math.Exp), gradExp),
		OpLog:       e1("log", unary(log), gradLog),
		OpSqrt:      e1("sqrt", unary(math.Sqrt), gradSqrt),
		OpRsqrt:     e1("rsqrt", unary(func(x float64) float64 { return 1 / math.Sqrt(x) }), gradRsqrt),
		OpAbs:       e1("abs", unary(math.Abs), gradAbs),
		OpSign:      e1("sign", unary(sign), gradZero),
		OpSquare:    e1("square", unary(func(x float64) float64 { return x * x }), gradSquare),
		OpRecip:     e1("recip", unary(func(x float64) float64 { return 1 / x }), gradRecip),
		OpPow:       e1("pow", func(a *Attr, x float64) float64 { return math.Pow(x, a.Num) }, gradPow, "num"),
		OpClamp:     e1("clamp", clamp, gradClamp, "num", "num2"),
		OpRelu:      e1("relu", unary(relu), gradRelu),
		OpLeakyRelu: e1("leakyrelu", leakyRelu, gradLeakyRelu, "num"),
		OpElu:       e1("elu", elu, gradElu, "num"),
		OpErf:       e1("erf", unary(math.Erf), gradErf),
		OpGelu:      e1("gelu", unary(gelu), gradGelu),
		OpSilu:      e1("silu", unary(silu), gradSilu),
		OpSigmoid:   e1("sigmoid", unary(sigmoid), gradSigmoid),
		OpTanh:      e1("tanh", unary(math.Tanh), gradTanh),
		OpSoftplus:  e1("softplus", unary(softplus), gradSoftplus),
		OpSin:       e1("sin", unary(math.Sin), gradSin),
		OpCos:       e1("cos", unary(math.Cos), gradCos),

		OpAdd:    e2("add", func(x, y float64) float64 { return x + y }, gradAdd),
		OpSub:    e2("sub", func(x, y float64) float64 { return x - y }, gradSub),
		OpMul:    e2("mul", func(x, y float64) float64 { return x * y }, gradMul),
		OpDiv:    e2("div", func(x, y float64) float64 { return x / y }, gradDiv),
		OpMaxOf:  e2("maxof", maxOf, gradMaxOf),
		OpMinOf:  e2("minof", minOf, gradMinOf),
		OpPowOf:  e2("powof", math.Pow, gradPowOf),
		OpGt:     e2("gt", func(x, y float64) float64 { return b2f(x > y) }, nil),
		OpGe:     e2("ge", func(x, y float64) float64 { return b2f(x >= y) }, nil),
		OpEq:     e2("eq", func(x, y float64) float64 { return b2f(x == y) }, nil),
		OpSelect: {Name: "select", Class: Elementwise, Arity: 3, Infer: inferElementwise, Grad: gradSelect},

		OpAt:      {Name: "at", Class: Elementwise, Arity: 1, Attrs: []string{"res"}, Unary: unary(func(x float64) float64 { return x }), Infer: inferAt, Grad: gradAt},
		OpDropout: {Name: "dropout", Class: Elementwise, Arity: 1, Attrs: []string{"num", "site", "res"}, Infer: inferDropout, Grad: gradDropout},

		OpReshape:  {Name: "reshape", Class: Layout, Arity: 1, Attrs: []string{"shape"}, Infer: inferReshape, Grad: gradReshape},
		OpExpand:   {Name: "expand", Class: Layout, Arity: 1, Attrs: []string{"shape"}, Infer: inferExpand, Grad: gradExpand},
		OpReduceTo: {Name: "reduceto", Class: Layout, Arity: 1, Attrs: []string{"shape"}, Infer: inferReduceTo, Grad: gradReduceTo},
		OpConcat:   {Name: "concat", Class: Layout, Arity: -1, Infer: inferConcat, Grad: gradConcat},
		OpSlice:    {Name: "slice", Class: Layout, Arity: 1, Attrs: []string{"lo", "hi"}, Infer: inferSlice, Grad: gradSlice},
		OpPad:      {Name: "pad", Class: Layout, Arity: 1, Attrs: []string{"lo", "hi"}, Infer: inferPad, Grad: gradPad},
		OpPermute:  {Name: "permute", Class: Layout, Arity: 1, Attrs: []string{"shape"}, Infer: inferPermute, Grad: gradPermute},
		OpMaxLast:  {Name: "maxlast", Class: Layout, Arity: 1, Infer: inferMaxLast, Grad: gradMaxLast},
		OpFirstMax: {Name: "firstmax", Class: Layout, Arity: 1, Infer: inferFirstMax, NoGrad: true},

		OpMatMul:  {Name: "matmul", Class: Dense, Arity: 2, Infer: inferMatMul, Grad: gradMatMul},
		OpMatMulT: {Name: "matmulT", Class: Dense, Arity: 2, Infer: inferMatMulT, Grad: gradMatMulT},
		OpOuter:   {Name: "outer", Class: Dense, Arity: 2, Attrs: []string{"res", "to?", "heads?"}, Infer: inferOuter, Grad: gradOuter},

		OpSum:     {Name: "sum", Class: Aggregate, Arity: 1, Attrs: []string{"dir", "typed?"}, Infer: inferAggregate, Grad: gradSum},
		OpMax:     {Name: "max", Class: Aggregate, Arity: 1, Attrs: []string{"dir", "typed?"}, Infer: inferAggregate, Grad: gradMax},
		OpArgmax:  {Name: "argmax", Class: Aggregate, Arity: 1, Attrs: []string{"dir", "typed?"}, Infer: inferAggregate, NoGrad: true},
		OpWinner:  {Name: "winner", Class: EdgePick, Arity: 2, Attrs: []string{"dir", "typed?"}, Infer: inferWinner, Grad: gradWinner},
		OpPick:    {Name: "pick", Class: EdgePick, Arity: 1, Infer: inferPick, Grad: gradPick},
		OpSoftmax: {Name: "softmax", Class: EdgeNorm, Arity: 1, Attrs: []string{"dir", "typed?"}, Infer: inferSoftmax, Grad: gradSoftmax},
		OpTotal:   {Name: "total", Class: Reduction, Arity: 1, Attrs: []string{"res", "to?"}, Infer: inferTotal, Grad: gradTotal},
		OpView:    {Name: "view", Class: Alias, Arity: 1, Attrs: []string{"res"}, Infer: inferView, Grad: gradView},
		OpStack:   {Name: "stack", Class: Alias, Arity: 1, Infer: inferStack, Grad: gradStack},
		OpUnstack: {Name: "unstack", Class: Alias, Arity: 1, Attrs: []string{"res"}, Infer: inferUnstack, Grad: gradUnstack},
	}
}

// opByName finds an op by the name it prints.
func opByName(name string) (Op, bool) {
	for o := range numOps {
		if table[o].Name == name {
			return o, true
		}
	}
	return 0, false
}
