package cpu

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// endings are programs of sums that are multiplied with numbers of their row, on rows of
// heads of so many columns, and how many sums end so.
var endings = []struct {
	name         string
	sums, paired int
	outputs      func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value
}{
	{"plain", 1, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, norm := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols}), input(b, d.Rows(), ir.Shape{heads, 1})
		return []*ir.Value{b.Mul(norm, b.Sum(d, h))}
	}},
	{"weighted", 1, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols}), input(b, ir.Edge, ir.Shape{heads, 1})
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(w, h)), input(b, d.Rows(), ir.Shape{heads, 1}))}
	}},
	{"weights that sum to one", 1, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols}), b.Exp(input(b, ir.Edge, ir.Shape{heads, 1}))
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(w, h)), b.Op(ir.OpRecip, ir.Attr{}, b.Sum(d, w)))}
	}},
	{"two of the same rows", 0, 1, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols}), b.Exp(input(b, ir.Edge, ir.Shape{heads, 1}))
		by := b.Op(ir.OpRecip, ir.Attr{}, b.Op(ir.OpMaxOf, ir.Attr{}, b.Sum(d, w), b.Const(1)))
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(w, h)), by), b.Mul(by, b.Sum(d, b.Mul(b.Neg(w), h)))}
	}},
	{"two of the same rows that end apart", 0, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols}), b.Exp(input(b, ir.Edge, ir.Shape{heads, 1}))
		x, y := input(b, d.Rows(), ir.Shape{heads, 1}), input(b, d.Rows(), ir.Shape{heads, 1})
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(w, h)), x), b.Mul(b.Sum(d, b.Mul(b.Neg(w), h)), y)}
	}},
	{"by type", 1, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads * cols})
		by := input(b, d.Rows(), ir.Shape{someTypes.Edge, 1})
		return []*ir.Value{b.Mul(b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, h), by)}
	}},
	{"weighted by type", 1, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads * cols}), input(b, ir.Edge, ir.Shape{1})
		by := input(b, d.Rows(), ir.Shape{someTypes.Edge, 1})
		return []*ir.Value{b.Mul(b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, b.Mul(w, h)), by)}
	}},
	{"read twice", 0, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols})
		sum := b.Sum(d, h)
		return []*ir.Value{b.Mul(sum, input(b, d.Rows(), ir.Shape{heads, 1})), b.Neg(sum)}
	}},
	{"a result itself", 0, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{heads, cols})
		sum := b.Sum(d, h)
		return []*ir.Value{b.Mul(sum, input(b, d.Rows(), ir.Shape{heads, 1})), sum}
	}},
	{"one number for groups of other weights", 0, 0, func(b *ir.Builder, d ir.Dir, heads, cols int) []*ir.Value {
		h, w := input(b, ir.Src+ir.Dst-d.Rows(), ir.Shape{2 * heads, cols}), input(b, ir.Edge, ir.Shape{2 * heads, 1})
		return []*ir.Value{b.Mul(b.Sum(d, b.Mul(w, h)), input(b, d.Rows(), ir.Shape{}))}
	}},
}

func TestSumsThatEndWithAProductAgreeWithTheInterpreter(t *testing.T) {
	for _, c := range endings {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			for _, shape := range [][2]int{{1, 8}, {3, 9}, {1, 64}, {8, 16}, {1, 100}} {
				b := ir.NewBuilder("ending", ir.F64, false)
				b.SetTypes(someTypes)
				for i, v := range c.outputs(b, d, shape[0], shape[1]) {
					b.Output(fmt.Sprint("out", i), v)
				}
				p := b.Program()
				sums, pairs := endedIn(together(d.Rows())(typed(t, p, ir.F32)))
				if sums != c.sums || pairs != c.paired {
					t.Errorf("%s, %v columns: %d sums and %d pairs end with a product, want %d and %d\n%s", c.name, shape, sums, pairs, c.sums, c.paired, p)
				}
				for _, e := range graphs() {
					if e.name == "star" && (testing.Short() || shape[1] > 20) {
						continue
					}
					e = e.withTypes(someTypes)
					mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 5), 5, 1e-4)
				}
			}
		}
	}
}

// endedIn counts the sums of a plan that end with a product.
func endedIn(p *plan.Plan) (sums, pairs int) {
	for _, s := range Compile[float32](p).steps {
		k, ok := s.(*kernel[float32])
		if !ok {
			continue
		}
		for _, l := range k.loops {
			for _, i := range l.ended.post {
				switch i.(type) {
				case *endedSum[float32]:
					sums++
				case *endedPair[float32]:
					pairs++
				}
			}
		}
	}
	return sums, pairs
}
