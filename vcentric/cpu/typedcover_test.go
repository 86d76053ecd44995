package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// leaves is a graph whose rows, in a direction, have one edge or two, from few hubs.
func leaves(d ir.Dir, hubs, n int) edges {
	r := rand.New(rng.NewStream(91))
	e := edges{name: fmt.Sprintf("leaves of %d hubs", hubs), src: hubs + n, dst: hubs + n}
	for leaf := range n {
		for range 1 + leaf%2 {
			e.from, e.to = append(e.from, int32(r.IntN(hubs))), append(e.to, int32(hubs+leaf))
		}
	}
	if d == ir.Out {
		e.from, e.to = e.to, e.from
	}
	return e
}

// What a layer in the layout may have.
type features struct {
	weight ir.Residency // of the edges: EdgeType for a number of each type of the other end; Edge for none
	ended  bool         // with a number of each row and type
	outers int
	bias   bool // of the product
}

// laidOut is an R-GCN layer (Schlichtkrull et al. 2018) as relational, whose edges have
// weights of their other ends.
func laidOut(types ir.Types, in, out int, d ir.Dir, f features) *ir.Program {
	b := ir.NewBuilder("laid out", ir.F64, false)
	b.SetTypes(types)
	rows := d.Rows()
	other := rows.Other()
	x := b.Input("h", other, ir.Shape{in})
	switch f.weight {
	case other:
		x = b.Mul(x, b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, b.Input("norm", other, ir.Shape{})))
	case ir.EdgeType:
		x = b.Mul(x, b.Op(ir.OpPick, ir.Attr{}, b.Input("norm", other, ir.Shape{types.Edge})))
	}
	sums := b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, x)
	if f.ended {
		sums = b.Mul(sums, b.Input("by", rows, ir.Shape{types.Edge, 1}))
	}
	sums = b.Reshape(sums, ir.Shape{types.Edge * in})
	y := b.MatMul(sums, b.Input("w", ir.Param, ir.Shape{types.Edge * in, out}))
	if f.bias {
		y = b.Add(y, b.Input("b", ir.Param, ir.Shape{out}))
	}
	b.Output("sum", b.Add(y, b.Input("root", rows, ir.Shape{out})))
	if f.outers > 0 {
		b.Output("outer", b.Op(ir.OpOuter, ir.Attr{Res: rows}, b.Input("x", rows, ir.Shape{3}), sums))
	}
	if f.outers > 1 {
		b.Output("outerT", b.Op(ir.OpOuter, ir.Attr{Res: rows}, sums, b.Input("g", rows, ir.Shape{5})))
		b.Output("total", b.Op(ir.OpTotal, ir.Attr{Res: rows}, b.Input("x", rows, ir.Shape{3})))
	}
	return b.Program()
}

// kernelLaidOut compiles the only kernel of a program that runs on rows.
func kernelLaidOut(t *testing.T, p *ir.Program, rows ir.Residency) (*Program[float32], *kernel[float32]) {
	t.Helper()
	x := Compile[float32](together(rows)(typed(t, p, ir.F32)))
	return x, x.steps[0].(*kernel[float32])
}

func TestLaidOutProductsAgreeWithTheInterpreter(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, numTypes := range []int{4, 1, 7} {
			if testing.Short() && numTypes != 4 {
				continue
			}
			types := ir.Types{Src: 1, Dst: 1, Edge: numTypes}
			for i, f := range []features{
				{ir.Edge, false, 0, true}, {ir.Edge, true, 0, false}, {ir.EdgeType, false, 2, false}, {d.Rows().Other(), false, 1, true}, {ir.EdgeType, true, 0, true},
			} {
				if testing.Short() && (i%2 == 0) != (d == ir.In) {
					continue
				}
				dims := [][2]int{{1, 1}, {8, 16}, {16, 33}, {64, 3}, {16, 5}}[i]
				p := laidOut(types, dims[0], dims[1], d, f)
				if _, k := kernelLaidOut(t, p, d.Rows()); k.covered == nil || len(k.covered.covering.outers) != f.outers {
					t.Fatalf("%+v is not laid out\n%s", f, p)
				}
				for _, e := range append(graphs(), leaves(d, 3, 300), leaves(d, 40, 300)) {
					if e.name == "star" && (testing.Short() || dims[0] > 20) {
						continue
					}
					e = e.withTypes(types)
					mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 6), 6, 1e-4)
				}
			}
		}
	}
}

func TestLaidOutProductsOnTwoSetsOfVertices(t *testing.T) {
	types := ir.Types{Src: 1, Dst: 2, Edge: 3}
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		p := laidOut(types, 8, 5, d, features{ir.EdgeType, false, 2, true})
		p.Bipartite = true
		for _, e := range bipartiteGraphs() {
			e = e.withTypes(types)
			mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 6), 6, 1e-4)
		}
	}
}

func TestWeightsOfATypeAreCopiedSideBySideWhereEdgesAreMany(t *testing.T) {
	types := ir.Types{Src: 1, Dst: 1, Edge: 3}
	r := rand.New(rng.NewStream(95))
	many, few := random("many edges", r, 50, 50, 900, false).withTypes(types), random("few edges", r, 50, 50, 200, false).withTypes(types)
	for _, f := range []features{{ir.EdgeType, true, 0, true}, {ir.EdgeType, false, 2, false}} {
		for _, c := range []struct {
			edges
			in, weights int
		}{{many, 16, 150}, {few, 16, 0}, {many, 64, 0}} {
			for _, d := range []ir.Dir{ir.In, ir.Out} {
				p := laidOut(types, c.in, 5, d, f)
				x, _ := kernelLaidOut(t, p, d.Rows())
				x.layout = layoutDirect
				if got, want := x.Workspace(c.build(t)), int64(4*c.weights); got != want {
					t.Errorf("%s, %d columns: %d bytes of workspace, want %d", c.name, c.in, got, want)
				}
				mustAgreeAs(t, together(d.Rows()), p, c.edges, inputsOf(p, c.structure(), 6), 6, 1e-4)
			}
		}
	}
}

// longRows is a graph with rows, in either direction, of more edges than any block has: one
// that is a hub to the kernel, and one, of few columns, that is none.
func longRows() edges {
	e := edges{name: "long rows", src: 60000, dst: 60000}
	for i := range int32(59990) {
		e.from, e.to = append(e.from, i+10, 0), append(e.to, 0, i+10)
		if i < graph.LongRow+100 {
			e.from, e.to = append(e.from, i+10, 1), append(e.to, 1, i+10)
		}
	}
	return e
}

func TestLaidOutProductsOfLongRows(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter takes long for long rows")
	}
	types := ir.Types{Src: 1, Dst: 1, Edge: 2}
	e := longRows().withTypes(types)
	for i, f := range []features{{ir.Edge, true, 0, true}, {ir.EdgeType, false, 2, false}} {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			p := laidOut(types, 8+i*8, 2, d, f)
			_, k := kernelLaidOut(t, p, d.Rows())
			if n := len(k.covered.hubRows(csrOf(e.build(t), d.Rows()), graph.LongRow)); n == 0 {
				t.Errorf("%d edges make no hub", k.covered.hubEdges(graph.LongRow))
			}
			mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 6), 6, 1e-3)
		}
	}
}

func TestWhatIsNotOfATypeAndTheOtherEndIsNotLaidOut(t *testing.T) {
	types := ir.Types{Src: 1, Dst: 1, Edge: 3}
	for what, p := range map[string]*ir.Program{
		"edges with weights of their own": relational(types, 4, 4, ir.In, true, false),
		"outer products of scaled sums":   relational(types, 4, 4, ir.In, false, true),
	} {
		if _, k := kernelLaidOut(t, p, ir.Dst); k.covered != nil {
			t.Errorf("%s are laid out", what)
		}
	}
}

func TestGraphsAreLaidOutWhereThatHasFewerProducts(t *testing.T) {
	r := rand.New(rng.NewStream(93))
	few := leaves(ir.In, 5, coveredEdges)
	sparse := random("sparse", r, coveredEdges, coveredEdges, 3*coveredEdges/2, false)
	dense := random("dense", r, coveredEdges/8, coveredEdges/8, coveredEdges, false)
	full := random("full", r, coveredEdges/64, coveredEdges/64, coveredEdges, false)
	small := leaves(ir.In, 5, 1000)
	apart := random("apart", r, coveredEdges, coveredEdges, 3*coveredEdges/2, true)
	nearly := random("nearly full", r, coveredEdges/5, coveredEdges/5, coveredEdges, false)
	for _, c := range []struct {
		edges
		numTypes, in int
		laidOut      bool
		sources      bool
	}{
		{few, 4, 16, true, true},
		{sparse, 4, 64, true, true},
		{dense, 4, 64, true, false},
		{nearly, 2, 64, true, false},
		{nearly, 2, 4, false, false},
		{full, 2, 64, false, false},
		{small, 4, 64, false, false},
		{apart, 4, 64, false, false},
	} {
		types := ir.Types{Edge: c.numTypes}
		p := laidOut(types, c.in, 8, ir.In, features{weight: ir.Edge})
		p.Bipartite = c.bipartite
		x, k := kernelLaidOut(t, p, ir.Dst)
		g := c.withTypes(types).build(t)
		v, _ := k.coverOf(x, g)
		if (v != nil) != c.laidOut || v != nil && (len(v.Sources) > 0) != c.sources {
			t.Errorf("%s with %d columns: laid out %v", c.name, c.in, v != nil)
		}
		want := int64(0)
		if c.sources {
			want = int64(len(v.Sources)) * 8 * 4
		}
		if got := x.Workspace(g); got != want {
			t.Errorf("%s with %d columns: %d bytes of workspace, want %d", c.name, c.in, got, want)
		}
	}
}

func TestWorkersHaveNoRoomForLayoutsThatAreNone(t *testing.T) {
	b := ir.NewBuilder("gcn", ir.F32, false)
	sum := b.Op(ir.OpSum, ir.Attr{Dir: ir.In}, b.Input("h", ir.Src, ir.Shape{1433}))
	b.Output("y", b.MatMul(sum, b.Input("w", ir.Param, ir.Shape{1433, 64})))
	x, k := kernelLaidOut(t, b.Program(), ir.Dst)
	if k.covered != nil {
		t.Fatal("laid out")
	}
	if s, rows := x.size, max(k.tileRows, 1); s.rows > rows || s.row > 1497*rows {
		t.Errorf("a worker has registers of %d rows, %d numbers; the kernel's tiles have %d rows", s.rows, s.row, rows)
	}
}

func TestWorkersHaveRoomForTheRowsOfParametersThatThereAre(t *testing.T) {
	const width = 100_000
	for _, c := range []struct {
		rows ir.Residency
		want int
	}{{ir.Param, 1}, {ir.EdgeType, 3}, {ir.SrcType, 2}} {
		b := ir.NewBuilder("wide", ir.F32, false)
		b.SetTypes(ir.Types{Src: 2, Dst: 2, Edge: 3})
		w := b.Op(ir.OpTanh, ir.Attr{}, b.Input("w", c.rows, ir.Shape{width}))
		y := b.Reshape(b.ReduceTo(w, ir.Shape{1}), ir.Shape{})
		b.Output("y", b.Mul(w, y))
		x := Compile[float32](plan.Build(b.Program()))
		if got := max(x.size.row, x.size.scratch); got == 0 || got > 2*c.want*width {
			t.Errorf("%v: registers of %d numbers and scratch of %d for %d rows of %d", c.rows, x.size.row, x.size.scratch, c.want, width)
		}
	}
}

func TestWorkersHaveNoRoomForTheSumsOfBlocks(t *testing.T) {
	for _, f := range []features{{weight: ir.Edge}, {weight: ir.Edge, ended: true}, {weight: ir.EdgeType, outers: 2}} {
		x, k := kernelLaidOut(t, laidOut(ir.Types{Edge: 474}, 64, 64, ir.In, f), ir.Dst)
		if k.covered == nil {
			t.Fatalf("%+v is not laid out", f)
		}
		if mb := 4 * (x.size.row + 4*x.size.scratch) >> 20; mb > 32 {
			t.Errorf("%+v: %d MiB a worker", f, mb)
		}
	}
}

func TestBlocksOfManyTypesHaveSeveralPairsOfEach(t *testing.T) {
	const types = 300
	e := random("many types", rand.New(rng.NewStream(94)), 3000, 3000, 300_000, false).withTypes(ir.Types{Edge: types})
	v := e.build(t).In().Cover(false)
	if each := len(v.PairRows) / (v.NumBlocks() * types); each < graph.CoverTypePairs-1 {
		t.Errorf("%d pairs of a type in a block", each)
	}
}
