package cpu

// Sums of rows that have a factor each, which kernels read beside the row.

import (
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// factors sums rows of the other end times a number of it, over all edges and by type,
// with and without a factor of the row at the end.
func factors(width int, d ir.Dir, bipartite bool) *ir.Program {
	b := ir.NewBuilder("factors", ir.F64, bipartite)
	b.SetTypes(someTypes)
	other := ir.Src
	if d == ir.Out {
		other = ir.Dst
	}
	x, c := b.Input("x", other, ir.Shape{width}), b.Input("c", other, ir.Shape{1})
	by := b.Input("by", d.Rows(), ir.Shape{1})
	m := func() *ir.Value { return b.Mul(b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x), c) }
	sum := b.Sum(d, m())
	b.Output("ended", b.Mul(sum, by))
	b.Output("typed", b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, m()))
	return b.Program()
}

func TestSumsByFactorsOfTheRowsAgreeWithTheInterpreter(t *testing.T) {
	for _, width := range []int{2, 15, 16, 17, 33, 48, 63, 64, 70, 128, 200} {
		if testing.Short() && width != 16 && width != 33 && width != 64 {
			continue
		}
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			for _, bipartite := range []bool{false, true} {
				on := graphs()
				if bipartite {
					on = bipartiteGraphs()
				}
				for _, e := range on {
					if len(e.from) > 500 && (testing.Short() || width > 33) {
						continue // the interpreter is slow
					}
					e = e.withTypes(someTypes)
					p := factors(width, d, bipartite)
					in := inputsOf(p, e.structure(), 13)
					mustAgreeOn(t, p, e, in, 13)
					mustAgreeAs(t, separate, p, e, in, 13, 1e-4)
				}
			}
		}
	}
	if testing.Short() {
		return
	}
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		e := hub().withTypes(someTypes)
		p := factors(16, d, e.bipartite)
		mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 13), 13, 1e-4)
	}
}

// TestFactorsAreReadBesideTheRows shows that the programs above test what they are for.
func TestFactorsAreReadBesideTheRows(t *testing.T) {
	for _, width := range []int{16, 63, 64, 200} {
		got, want := 0, 2
		for _, s := range Compile[float64](together(ir.Dst)(factors(width, ir.In, false))).steps {
			if k, ok := s.(*kernel[float64]); ok {
				for _, l := range k.loops {
					for _, r := range l.reduce {
						if sum, ok := r.(*scaledSum[float64]); ok && sum.byFactors() {
							got++
						}
					}
				}
			}
		}
		if got != want {
			t.Errorf("%d columns: %d sums read factors beside the rows, want %d", width, got, want)
		}
	}
}
