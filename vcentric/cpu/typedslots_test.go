package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// relational is an R-GCN layer (Schlichtkrull et al. 2018) that sums by type first, and
// the gradients that take the same sums, whose edges may have weights, and rows factors.
func relational(types ir.Types, in, out int, d ir.Dir, weighted, ended bool) *ir.Program {
	b := ir.NewBuilder("relational", ir.F64, false)
	b.SetTypes(types)
	rows := d.Rows()
	x := b.Input("h", ir.Src+ir.Dst-rows, ir.Shape{in})
	if weighted {
		x = b.Mul(x, b.Input("norm", ir.Edge, ir.Shape{}))
	}
	sums := b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, x)
	if ended {
		sums = b.Mul(sums, b.Input("by", rows, ir.Shape{types.Edge, 1}))
	}
	sums = b.Reshape(sums, ir.Shape{types.Edge * in})
	b.Output("sum", b.MatMul(sums, b.Input("w", ir.Param, ir.Shape{types.Edge * in, out})))
	b.Output("outer", b.Op(ir.OpOuter, ir.Attr{Res: rows}, b.Input("x", rows, ir.Shape{3}), sums))
	b.Output("outerT", b.Op(ir.OpOuter, ir.Attr{Res: rows}, sums, b.Input("g", rows, ir.Shape{5})))
	return b.Program()
}

func TestProductsOfSumsByTypeAgreeWithTheInterpreter(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for n, numTypes := range []int{1, 2, 7, 40} {
			for i, dims := range [][2]int{{1, 1}, {8, 16}, {16, 33}, {64, 3}} {
				if testing.Short() && (i != n || numTypes > 7 || (n == 1) != (d == ir.In)) {
					continue
				}
				types := ir.Types{Src: 1, Dst: 1, Edge: numTypes}
				p := relational(types, dims[0], dims[1], d, i%2 == 0, i == 1 || i == 2)
				mustTakeSlots(t, together(d.Rows())(typed(t, p, ir.F32)))
				for _, e := range graphs() {
					if e.name == "star" && (testing.Short() || dims[0] > 20 || numTypes > 7) {
						continue
					}
					e = e.withTypes(types)
					mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 6), 6, 1e-4)
				}
			}
		}
	}
}

// mustTakeSlots finds the product by slots, and the sums that share it, in a plan.
func mustTakeSlots(t *testing.T, p *plan.Plan) {
	t.Helper()
	products, outers := 0, 0
	for _, s := range Compile[float32](p).steps {
		k, ok := s.(*kernel[float32])
		if !ok || len(k.loops) == 0 {
			continue
		}
		for _, i := range k.loops[0].ended.post {
			if _, ok := i.(*slotProduct[float32]); ok {
				products++
			}
		}
		for _, i := range k.sums {
			if _, ok := i.(*slotOuter[float32]); ok {
				outers++
			}
		}
	}
	if products != 1 || outers != 2 {
		t.Errorf("%d products and %d outer products by slots, want 1 and 2\n%v", products, outers, p)
	}
}

func TestSlotsAreThePairsWithEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s slots
	for range 200 {
		rows, types := r.IntN(20), 1+r.IntN(6)
		offsets, typeOf := []int32{5}, []int32(nil)
		for range rows {
			edges := make([]int32, r.IntN(2)*r.IntN(9))
			for e := range edges {
				edges[e] = int32(r.IntN(types))
			}
			slices.Sort(edges)
			typeOf = append(typeOf, edges...)
			offsets = append(offsets, 5+int32(len(typeOf)))
		}
		ids := make([]int32, len(typeOf))
		for e := range ids {
			ids[e] = int32(r.IntN(100))
		}
		s.fill(graph.CutByType(nil, offsets, typeOf, types), types, typeOf, ids)
		slot, edge := 0, 0
		byRow := make([][]int32, rows)
		for ty := range types {
			if int(s.ofTypes[ty]) != slot {
				t.Fatalf("type %d begins at slot %d, want %d", ty, s.ofTypes[ty], slot)
			}
			for row := range rows {
				n := 0
				for e := int(offsets[row]) - 5; e < int(offsets[row+1])-5; e++ {
					if int(typeOf[e]) != ty {
						continue
					}
					if int(s.edges[edge]) != e || s.ids[edge] != ids[e] {
						t.Fatalf("edge %d of the slots is %d with id %d, want %d with %d", edge, s.edges[edge], s.ids[edge], e, ids[e])
					}
					edge, n = edge+1, n+1
				}
				if n == 0 {
					continue
				}
				if int(s.rows[slot]) != row || int(s.pairs[slot]) != row*types+ty || int(s.bounds[slot]) != edge-n || int(s.bounds[slot+1]) != edge {
					t.Fatalf("slot %d: row %d, pair %d, edges %v, want row %d of type %d with edges %d to %d",
						slot, s.rows[slot], s.pairs[slot], s.bounds[slot:slot+2], row, ty, edge-n, edge)
				}
				byRow[row] = append(byRow[row], int32(slot))
				slot++
			}
		}
		if len(s.rows) != slot || int(s.ofTypes[types]) != slot || len(s.edges) != edge {
			t.Fatalf("%d slots of %d edges, want %d of %d", len(s.rows), len(s.edges), slot, edge)
		}
		for row, want := range byRow {
			if got := s.byRow[s.ofRows[row]:s.ofRows[row+1]]; !slices.Equal(got, want) {
				t.Fatalf("row %d has slots %v, want %v", row, got, want)
			}
		}
	}
}
