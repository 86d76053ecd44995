package cpu

import (
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

var residencies = []ir.Residency{ir.Param, ir.Src, ir.Dst, ir.Edge}

// opCase builds uses of an op whose operands live at a level or below; none if
// the op has no meaning there.
type opCase func(b *ir.Builder, level ir.Residency) []*ir.Value

var shapes = []ir.Shape{{}, {1}, {7}, {3, 4}}

// below are the residencies that can be read at a level.
func below(level ir.Residency) []ir.Residency {
	var out []ir.Residency
	for _, r := range residencies {
		if r.Within(level) {
			out = append(out, r)
		}
	}
	return out
}

func input(b *ir.Builder, r ir.Residency, s ir.Shape) *ir.Value {
	return b.Input(fmt.Sprintf("x%d", len(b.Program().Values)), r, s)
}

func onUnary(op ir.Op, attr ir.Attr) opCase {
	return func(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
		for _, s := range shapes {
			x := input(b, level, s)
			if op == ir.OpLog || op == ir.OpSqrt || op == ir.OpRsqrt || op == ir.OpRecip || op == ir.OpPow {
				x = b.Add(b.Square(x), b.Const(0.5))
			}
			out = append(out, b.Op(op, attr, x))
		}
		return out
	}
}

// onClamp has bounds that are NaN, which are none, and bounds of 0, which keep the sign of a
// zero: its reciprocal tells it.
func onClamp(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	nan := math.NaN()
	for _, a := range []ir.Attr{{Num: -0.5, Num2: 1}, {Num: nan, Num2: 0.5}, {Num: -0.5, Num2: nan}, {Num: 0, Num2: 1}, {Num: -1, Num2: 0}, {Num: math.Copysign(0, -1), Num2: 1}} {
		out = append(out, onUnary(ir.OpClamp, a)(b, level)...)
		zeros := b.Mul(input(b, level, ir.Shape{7}), b.Const(0))
		out = append(out, b.Op(ir.OpRecip, ir.Attr{}, b.Op(ir.OpClamp, a, zeros)))
	}
	return out
}

// onBinary covers every pair of residencies that meet at the level, equal
// shapes, numbers against rows, heads against heads of columns, and constants.
func onBinary(op ir.Op) opCase {
	return func(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
		pairs := [][2]ir.Shape{
			{{}, {}}, {{5}, {5}}, {{17}, {17}}, {{5}, {1}}, {{1}, {5}}, {{}, {3}}, {{3, 4}, {3, 1}}, {{3, 1}, {3, 4}},
			{{2, 9}, {2, 1}}, {{2, 1}, {2, 9}}, {{3, 4}, {4}}, {{2, 3, 2}, {2, 1, 2}}, {{3, 1}, {1, 4}}, {{2, 16}, {16}},
		}
		for _, r := range below(level) {
			for _, q := range below(level) {
				if ir.Join(r, q) != level {
					continue
				}
				for _, pair := range pairs {
					x, y := input(b, r, pair[0]), input(b, q, pair[1])
					if op == ir.OpDiv {
						y = b.Add(b.Square(y), b.Const(0.5))
					}
					if op == ir.OpPowOf {
						x = b.Add(b.Square(x), b.Const(0.5))
					}
					out = append(out, b.Op(op, ir.Attr{}, x, y))
				}
			}
		}
		x := input(b, level, ir.Shape{6})
		if op == ir.OpPowOf {
			x = b.Add(b.Square(x), b.Const(0.5))
		}
		return append(out, b.Op(op, ir.Attr{}, x, b.Const(0.5)), b.Op(op, ir.Attr{}, b.Const(1.5), b.Add(b.Square(x), b.Const(0.5))))
	}
}

func onSelect(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, r := range below(level) {
		c := b.Gt(input(b, r, ir.Shape{3, 1}), b.Const(0))
		x, y := input(b, level, ir.Shape{3, 5}), input(b, r, ir.Shape{5})
		gt := b.Gt(y, b.Const(0.25)) // slopes of rectifiers: with a reader of its own, and without
		out = append(out, b.Select(gt, b.Const(2), b.Const(-1)), b.Add(gt, x))
		out = append(out, b.Mul(x, b.Select(b.Gt(y, b.Const(0.25)), b.Const(2), b.Const(-1))))
		out = append(out, b.Select(b.Gt(b.Neg(x), b.Const(0)), b.Const(1), b.Const(0.2)), b.Gt(b.Const(0), x))
		out = append(out, b.Select(c, x, y), b.Select(c, x, b.Const(0)), b.Select(x, b.Const(2), y))
	}
	return out
}

func onDropout(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	if level == ir.Param {
		return nil
	}
	for i, p := range []float64{0, 0.25, 1} {
		for _, r := range below(level) {
			out = append(out, b.Op(ir.OpDropout, ir.Attr{Num: p, Site: i, Res: level}, input(b, r, ir.Shape{5})))
		}
	}
	return out
}

func onReshape(b *ir.Builder, level ir.Residency) []*ir.Value {
	x := input(b, level, ir.Shape{12})
	y := b.Reshape(b.Neg(x), ir.Shape{3, 4})
	return []*ir.Value{b.Reshape(x, ir.Shape{2, 6}), y, b.Mul(y, b.Reshape(x, ir.Shape{3, 4})), b.Reshape(y, ir.Shape{12})}
}

func onExpand(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, s := range []ir.Shape{{}, {1}, {4}, {3, 1}, {1, 4}} {
		out = append(out, b.Expand(input(b, level, s), ir.Shape{3, 4}), b.Expand(b.Neg(input(b, level, s)), ir.Shape{2, 3, 4}))
	}
	return out
}

func onReduceTo(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, s := range []ir.Shape{{}, {1}, {4}, {3, 1}, {1, 4}, {2, 1, 1}, {2, 1, 4}} {
		x := input(b, level, ir.Shape{2, 3, 4})
		out = append(out, b.ReduceTo(x, s), b.ReduceTo(b.Neg(x), s))
		for _, r := range below(level) { // products inside, of every pair of residencies
			out = append(out, b.ReduceTo(b.Mul(x, input(b, r, ir.Shape{2, 3, 4})), s))
			for _, q := range below(level) {
				out = append(out, b.ReduceTo(b.Mul(input(b, r, ir.Shape{2, 3, 4}), input(b, q, ir.Shape{2, 3, 4})), s))
			}
		}
	}
	return out
}

func onConcat(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, r := range below(level) {
		x, y := input(b, level, ir.Shape{2, 3}), input(b, r, ir.Shape{2, 4})
		out = append(out, b.Op(ir.OpConcat, ir.Attr{}, x, y, b.Neg(x)), b.Op(ir.OpConcat, ir.Attr{}, y))
	}
	return out
}

func onSlice(b *ir.Builder, level ir.Residency) []*ir.Value {
	x := input(b, level, ir.Shape{2, 5})
	return []*ir.Value{
		b.Op(ir.OpSlice, ir.Attr{Lo: 1, Hi: 4}, x), b.Op(ir.OpSlice, ir.Attr{Lo: 0, Hi: 5}, b.Neg(x)), b.Op(ir.OpSlice, ir.Attr{Lo: 2, Hi: 2}, x),
	}
}

func onPad(b *ir.Builder, level ir.Residency) []*ir.Value {
	x := input(b, level, ir.Shape{2, 3})
	return []*ir.Value{b.Op(ir.OpPad, ir.Attr{Lo: 2, Hi: 1}, x), b.Op(ir.OpPad, ir.Attr{Hi: 2}, b.Neg(x)), b.Op(ir.OpPad, ir.Attr{}, x)}
}

func onPermute(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, order := range []ir.Shape{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}} {
		x := input(b, level, ir.Shape{2, 3, 4})
		out = append(out, b.Op(ir.OpPermute, ir.Attr{Shape: order}, x), b.Op(ir.OpPermute, ir.Attr{Shape: order}, b.Neg(x)))
	}
	return append(out, b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 0}}, input(b, level, ir.Shape{0, 3})))
}

func onLast(op ir.Op) opCase {
	return func(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
		for _, s := range []ir.Shape{{1}, {9}, {2, 17}, {0, 3}} {
			x := input(b, level, s)
			out = append(out, b.Op(op, ir.Attr{}, x), b.Op(op, ir.Attr{}, b.Neg(x)))
		}
		return out
	}
}

func onProduct(op ir.Op) opCase {
	return func(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
		for _, d := range [][3]int{{1, 3, 4}, {2, 70, 5}, {1, 5, 70}, {1, 0, 3}, {1, 3, 0}, {0, 3, 2}, {1, 200, 2}} {
			x, w := input(b, level, ir.Shape{d[0], d[1]}), input(b, ir.Param, ir.Shape{d[1], d[2]})
			if op == ir.OpMatMulT {
				w = input(b, ir.Param, ir.Shape{d[2], d[1]})
			}
			out = append(out, b.Op(op, ir.Attr{}, x, w), b.Op(op, ir.Attr{}, b.Neg(x), b.Neg(w)))
		}
		return out
	}
}

func onOuter(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, r := range below(level) {
		for _, q := range below(level) {
			x, y := input(b, r, ir.Shape{2, 3}), input(b, q, ir.Shape{2, 70})
			out = append(out, b.Op(ir.OpOuter, ir.Attr{Res: level}, x, y), b.Op(ir.OpOuter, ir.Attr{Res: level}, b.Neg(x), y))
		}
	}
	x := input(b, level, ir.Shape{0, 3})
	return append(out, b.Op(ir.OpOuter, ir.Attr{Res: level}, x, b.Op(ir.OpSlice, ir.Attr{Lo: 1, Hi: 3}, x)))
}

// onAggregate covers what the row kernels take on: operands of every place, and
// products with a weight for each row, head or column.
func onAggregate(op ir.Op) opCase {
	return func(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			agg := func(x *ir.Value) { out = append(out, b.Op(op, ir.Attr{Dir: d}, x)) }
			for _, s := range []ir.Shape{{}, {1}, {9}, {2, 5}} {
				x := input(b, level, s)
				agg(x)
				agg(b.Neg(x))
				if op == ir.OpArgmax {
					continue
				}
				for _, r := range residencies {
					agg(b.Mul(x, input(b, r, s)))
					agg(b.Mul(input(b, r, ir.Shape{}), x))
				}
			}
			if op != ir.OpSum {
				continue
			}
			h := input(b, level, ir.Shape{3, 8})
			for _, r := range residencies {
				for _, s := range []ir.Shape{{3, 1}, {1, 8}, {8}, {1}, {3, 8}} {
					agg(b.Mul(h, input(b, r, s)))
					agg(b.Reshape(b.Mul(b.Neg(input(b, r, s)), h), ir.Shape{24}))
				}
			}
			agg(b.Const(0.5))
		}
		return out
	}
}

func onWinner(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, s := range []ir.Shape{{}, {5}} {
			arg := b.Op(ir.OpArgmax, ir.Attr{Dir: d}, input(b, level, s))
			y := input(b, d.Rows(), s)
			for _, y := range []*ir.Value{y, b.Neg(y), input(b, ir.Param, s)} {
				win := b.Op(ir.OpWinner, ir.Attr{Dir: d}, arg, y)
				out = append(out, win, b.Sum(ir.In, win), b.Sum(ir.Out, win))
			}
			saved := b.InputOf(fmt.Sprintf("saved%d", len(b.Program().Values)), arg)
			out = append(out, saved, b.Op(ir.OpWinner, ir.Attr{Dir: d}, saved, y))
		}
	}
	return out
}

func onTotal(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	for _, l := range []ir.Residency{ir.Src, ir.Dst} {
		if !level.Within(l) {
			continue
		}
		for _, s := range shapes {
			x := input(b, level, s)
			out = append(out, b.Total(x, l), b.Total(b.Neg(x), l))
		}
		out = append(out, b.Total(b.Const(0.25), l))
	}
	return out
}

func onDegree(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	if level != ir.Src && level != ir.Dst {
		return nil
	}
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		deg := b.Degree(d, level)
		out = append(out, deg, b.Op(ir.OpMul, ir.Attr{}, deg, input(b, ir.Edge, ir.Shape{2})), b.Sum(ir.Out, deg), b.Sum(ir.In, deg))
	}
	return out
}

func onView(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	if level == ir.Edge {
		return nil
	}
	for _, to := range []ir.Residency{ir.Src, ir.Dst} {
		x := input(b, level, ir.Shape{3})
		for _, x := range []*ir.Value{x, b.Neg(x)} {
			v := b.View(x, to)
			out = append(out, v, b.Exp(v), b.Sum(ir.In, v), b.Sum(ir.Out, v), b.Mul(v, x))
		}
	}
	return out
}

func onAt(b *ir.Builder, level ir.Residency) (out []*ir.Value) {
	if level == ir.Edge {
		return nil
	}
	x, y := input(b, level, ir.Shape{2, 8}), input(b, level, ir.Shape{2, 8})
	for _, x := range []*ir.Value{x, b.Neg(x), b.Mul(x, y), b.Const(3)} {
		e := b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x)
		out = append(out, e, b.Exp(e), b.Sum(ir.In, e), b.Sum(ir.Out, b.Reshape(e, append(ir.Shape{1}, x.Shape...))))
		if len(x.Shape) > 0 {
			out = append(out, b.ReduceTo(e, ir.Shape{2, 1}))
		}
	}
	return out
}

var opCases = map[ir.Op]opCase{
	ir.OpInput:  func(b *ir.Builder, l ir.Residency) []*ir.Value { return []*ir.Value{input(b, l, ir.Shape{3})} },
	ir.OpConst:  func(b *ir.Builder, _ ir.Residency) []*ir.Value { return []*ir.Value{b.Const(1.5)} },
	ir.OpDegree: onDegree,

	ir.OpNeg: onUnary(ir.OpNeg, ir.Attr{}), ir.OpExp: onUnary(ir.OpExp, ir.Attr{}), ir.OpLog: onUnary(ir.OpLog, ir.Attr{}),
	ir.OpSqrt: onUnary(ir.OpSqrt, ir.Attr{}), ir.OpRsqrt: onUnary(ir.OpRsqrt, ir.Attr{}), ir.OpAbs: onUnary(ir.OpAbs, ir.Attr{}),
	ir.OpSign: onUnary(ir.OpSign, ir.Attr{}), ir.OpSquare: onUnary(ir.OpSquare, ir.Attr{}), ir.OpRecip: onUnary(ir.OpRecip, ir.Attr{}),
	ir.OpPow: onUnary(ir.OpPow, ir.Attr{Num: 1.5}), ir.OpClamp: onClamp,
	ir.OpRelu: onUnary(ir.OpRelu, ir.Attr{}), ir.OpLeakyRelu: onUnary(ir.OpLeakyRelu, ir.Attr{Num: 0.2}),
	ir.OpElu: onUnary(ir.OpElu, ir.Attr{Num: 1.25}), ir.OpErf: onUnary(ir.OpErf, ir.Attr{}), ir.OpGelu: onUnary(ir.OpGelu, ir.Attr{}),
	ir.OpSilu: onUnary(ir.OpSilu, ir.Attr{}), ir.OpSigmoid: onUnary(ir.OpSigmoid, ir.Attr{}), ir.OpTanh: onUnary(ir.OpTanh, ir.Attr{}),
	ir.OpSoftplus: onUnary(ir.OpSoftplus, ir.Attr{}), ir.OpSin: onUnary(ir.OpSin, ir.Attr{}), ir.OpCos: onUnary(ir.OpCos, ir.Attr{}),

	ir.OpAdd: onBinary(ir.OpAdd), ir.OpSub: onBinary(ir.OpSub), ir.OpMul: onBinary(ir.OpMul), ir.OpDiv: onBinary(ir.OpDiv),
	ir.OpMaxOf: onBinary(ir.OpMaxOf), ir.OpMinOf: onBinary(ir.OpMinOf), ir.OpPowOf: onBinary(ir.OpPowOf),
	ir.OpGt: onBinary(ir.OpGt), ir.OpGe: onBinary(ir.OpGe), ir.OpEq: onBinary(ir.OpEq),
	ir.OpSelect: onSelect, ir.OpDropout: onDropout, ir.OpAt: onAt,

	ir.OpReshape: onReshape, ir.OpExpand: onExpand, ir.OpReduceTo: onReduceTo,
	ir.OpConcat: onConcat, ir.OpSlice: onSlice, ir.OpPad: onPad,
	ir.OpPermute: onPermute, ir.OpMaxLast: onLast(ir.OpMaxLast), ir.OpFirstMax: onLast(ir.OpFirstMax),

	ir.OpMatMul: onProduct(ir.OpMatMul), ir.OpMatMulT: onProduct(ir.OpMatMulT), ir.OpOuter: onOuter,

	ir.OpSum: onAggregate(ir.OpSum), ir.OpMax: onAggregate(ir.OpMax), ir.OpArgmax: onAggregate(ir.OpArgmax),
	ir.OpWinner: onWinner, ir.OpTotal: onTotal, ir.OpView: onView,

	ir.OpSoftmax: nil, // lowered before planning: see TestSoftmaxLoweredByHand
	ir.OpPick:    nil, // these need types: see TestEveryTypedOp
	ir.OpStack:   nil,
	ir.OpUnstack: nil,
}

const lastOp = ir.OpUnstack

func TestEveryOpHasACase(t *testing.T) {
	for op := ir.Op(0); op <= lastOp; op++ {
		if _, ok := opCases[op]; !ok {
			t.Errorf("no case for %v", op)
		}
	}
	defer func() {
		if recover() == nil {
			t.Errorf("the op table goes on after %v: this test must too", lastOp)
		}
	}()
	_ = (lastOp + 1).Info()
}

func TestEveryOpAgreesWithTheInterpreterAtEveryLevel(t *testing.T) {
	for op := ir.Op(0); op <= lastOp; op++ {
		homogeneous := op == ir.OpView || op == ir.OpDegree
		once := op%2 == 1 && !homogeneous // the kind of graph of short tests
		for _, level := range residencies {
			for _, bipartite := range []bool{false, true} {
				if opCases[op] == nil || bipartite && homogeneous || testing.Short() && bipartite != once {
					continue
				}
				b := ir.NewBuilder(fmt.Sprintf("%v-%v", op, level), ir.F64, bipartite)
				for i, v := range opCases[op](b, level) {
					b.Output(fmt.Sprint(i), v)
				}
				if len(b.Program().Outputs) == 0 {
					continue
				}
				on := graphs()
				if bipartite {
					on = bipartiteGraphs()
				}
				for _, e := range on {
					rowwise := op.Info().Class == ir.Elementwise && level != ir.Edge
					if e.name == "star" && rowwise {
						continue // the hub is no different from other rows there
					}
					if testing.Short() && e.name != "unsorted" && e.name != "one pair" {
						continue
					}
					mustAgree(t, b.Program(), e, 11)
				}
			}
		}
	}
}
