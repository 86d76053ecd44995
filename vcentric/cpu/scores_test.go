package cpu

import (
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// scoreCounts is how many superinstructions for scores a plan has: in loops that compute all
// they need, and among them softmaxes of whole tiles.
type scoreCounts struct{ withOwn, most, exp, step, softmax int }

func scoresIn(p *plan.Plan) (n scoreCounts) {
	for _, s := range Compile[float32](p).steps {
		k, ok := s.(*kernel[float32])
		if !ok {
			continue
		}
		for _, l := range k.loops {
			for _, i := range l.all {
				switch i.(type) {
				case *withOwn[float32]:
					n.withOwn++
				case *scoreMax[float32]:
					n.most++
				case *expSum[float32]:
					n.exp++
				case *stepSum[float32]:
					n.step++
				}
			}
			for _, i := range l.fresh {
				if _, ok := i.(*softmax[float32]); ok {
					n.softmax++
				}
			}
		}
	}
	return n
}

// scoring is programs over the edges of rows, with the score of the other end and the
// row's own; want is for one head.
var scoring = []struct {
	name    string
	want    scoreCounts
	outputs func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value
}{
	{"attention", scoreCounts{withOwn: 1, most: 1, exp: 1, softmax: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		most, _, sum := softmaxOf(b, d, leaky(b, b.Add(other, own)))
		return []*ir.Value{most, sum}
	}},
	{"the row's own first", scoreCounts{withOwn: 1, most: 1, exp: 1, softmax: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		most, e, sum := softmaxOf(b, d, leaky(b, b.Add(own, other)))
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(e, other)), b.Op(ir.OpRecip, ir.Attr{}, b.Op(ir.OpMaxOf, ir.Attr{}, sum, b.Const(1)))), most}
	}},
	{"no rectifier", scoreCounts{most: 1, exp: 1, softmax: 1, withOwn: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		most, _, sum := softmaxOf(b, d, b.Add(other, own))
		return []*ir.Value{most, sum}
	}},
	{"nothing of the row", scoreCounts{exp: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		most, _, sum := softmaxOf(b, d, leaky(b, weighted(b, other)))
		return []*ir.Value{b.Mul(most, own), sum}
	}},
	{"training", scoreCounts{withOwn: 1, most: 1, exp: 1, step: 1, softmax: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Add(other, own)
		most, e, sum := softmaxOf(b, d, leaky(b, x))
		return []*ir.Value{most, sum, b.Sum(d, b.Mul(e, slopeOf(b, x)))}
	}},
	{"the exponentials are results", scoreCounts{withOwn: 1, most: 1, exp: 1, softmax: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		_, e, sum := softmaxOf(b, d, leaky(b, b.Add(other, own)))
		return []*ir.Value{e, sum}
	}},
	{"the scores are results", scoreCounts{withOwn: 1, most: 1, exp: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		score := leaky(b, b.Add(other, own))
		_, _, sum := softmaxOf(b, d, score)
		return []*ir.Value{score, sum}
	}},
	{"the sums before the rectifier are read", scoreCounts{withOwn: 1, most: 1, exp: 1, softmax: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Add(other, own)
		_, _, sum := softmaxOf(b, d, leaky(b, x))
		return []*ir.Value{b.Sum(d, b.Neg(x)), sum}
	}},
	{"they are read in another shape", scoreCounts{withOwn: 2, exp: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Add(other, own)
		flat := b.Reshape(x, ir.Shape{x.Width()})
		score := leaky(b, flat)
		most := b.Max(d, score)
		return []*ir.Value{b.Sum(d, b.Exp(b.Sub(score, most))), b.Sum(d, b.Neg(flat)), b.Sum(d, b.Square(x))}
	}},
	{"the differences are read", scoreCounts{withOwn: 2, most: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		score := leaky(b, b.Add(other, own))
		less := b.Sub(score, b.Max(d, score))
		return []*ir.Value{b.Sum(d, b.Exp(less)), b.Sum(d, less)}
	}},
	{"two maxima of the same scores", scoreCounts{withOwn: 1, most: 1, exp: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		score := leaky(b, b.Add(other, own))
		most, again := b.Max(d, score), b.Max(d, score)
		return []*ir.Value{b.Sum(d, b.Exp(b.Sub(score, most))), again}
	}},
	{"less the row's own", scoreCounts{withOwn: 1, exp: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Sub(other, own)
		return []*ir.Value{b.Max(d, leaky(b, x)), b.Sum(d, b.Exp(b.Sub(weighted(b, other), own)))}
	}},
	{"the row's own less", scoreCounts{}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		return []*ir.Value{b.Max(d, b.Sub(own, other))}
	}},
	{"a slope", scoreCounts{withOwn: 2, step: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Add(own, other)
		return []*ir.Value{b.Sum(d, b.Mul(slopeOf(b, x), b.Mul(own, x)))}
	}},
	{"a slope that is read twice", scoreCounts{withOwn: 1}, func(b *ir.Builder, d ir.Dir, other, own *ir.Value) []*ir.Value {
		x := b.Add(own, other)
		slope := slopeOf(b, x)
		return []*ir.Value{b.Sum(d, b.Mul(slope, b.Exp(x))), b.Sum(d, slope)}
	}},
}

func leaky(b *ir.Builder, x *ir.Value) *ir.Value { return b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.25}, x) }

// weighted is x times a number of the edge.
func weighted(b *ir.Builder, x *ir.Value) *ir.Value {
	return b.Mul(x, b.Input("weight", ir.Edge, x.Shape))
}

func slopeOf(b *ir.Builder, x *ir.Value) *ir.Value {
	return b.Op(ir.OpSelect, ir.Attr{}, b.Gt(x, b.Const(0)), b.Const(1), b.Const(0.25))
}

// softmaxOf is the softmax of a row's edges, before it is divided by its sum.
func softmaxOf(b *ir.Builder, d ir.Dir, score *ir.Value) (most, e, sum *ir.Value) {
	most = b.Max(d, score)
	e = b.Exp(b.Sub(score, most))
	return most, e, b.Sum(d, e)
}

func TestScoresAgreeWithTheInterpreter(t *testing.T) {
	for _, c := range scoring {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			for _, heads := range []int{1, 3} {
				if testing.Short() && (heads == 1) != (d == ir.In) {
					continue
				}
				b := ir.NewBuilder("scoring", ir.F64, false)
				other, own := ir.Src+ir.Dst-d.Rows(), d.Rows()
				for i, v := range c.outputs(b, d, b.Input("other", other, ir.Shape{heads, 1}), b.Input("own", own, ir.Shape{heads, 1})) {
					b.Output(fmt.Sprint("out", i), v)
				}
				p := b.Program()
				var want scoreCounts
				if heads == 1 {
					want = c.want
				}
				if got := scoresIn(together(own)(typed(t, p, ir.F32))); got != want {
					t.Errorf("%s, %v, %d heads: %+v, want %+v\n%s", c.name, d, heads, got, want, p)
				}
				for _, e := range append(graphs(), bipartiteGraphs()...) {
					p.Bipartite = e.bipartite
					in := inputsOf(p, e.structure(), 61)
					mustAgreeAs(t, together(own), p, e, in, 61, 1e-4)
					mustAgreeOn(t, p, e, in, 61)
				}
				p.Bipartite = false
				if heads == 1 {
					mustAgreeInParts(t, p, star(600), 62)
				}
			}
		}
	}
}

// TestScoresThatAreNoNumbersAgreeWithTheInterpreter has edges and rows whose scores are
// NaN or infinite.
func TestScoresThatAreNoNumbersAgreeWithTheInterpreter(t *testing.T) {
	for _, c := range scoring {
		b := ir.NewBuilder("scoring", ir.F64, false)
		for i, v := range c.outputs(b, ir.In, b.Input("other", ir.Src, ir.Shape{1}), b.Input("own", ir.Dst, ir.Shape{1})) {
			b.Output(fmt.Sprint("out", i), v)
		}
		p, e := b.Program(), graphs()[6]
		for _, special := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			in := inputsOf(p, e.structure(), 63)
			for _, v := range p.Inputs() {
				x := in[ir.InputKey(v)]
				x[3], x[len(x)-1] = special, special
			}
			mustAgreeAs(t, together(ir.Dst), p, e, in, 63, 1e-4)
		}
	}
}
