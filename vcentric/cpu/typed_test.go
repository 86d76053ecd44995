package cpu

// Everything that depends on the types of vertices and edges.

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

var someTypes = ir.Types{Src: 3, Dst: 3, Edge: 4}

var typeResidencies = []ir.Residency{ir.SrcType, ir.DstType, ir.EdgeType}

// typedCases builds uses of an op, of rows of about the given width.
var typedCases = map[string]func(b *ir.Builder, width int) []*ir.Value{
	"reads": func(b *ir.Builder, n int) (out []*ir.Value) {
		s := ir.Shape{n}
		for _, t := range typeResidencies {
			x := input(b, t, s)
			for _, r := range residencies {
				y := b.Mul(x, input(b, r, s))
				out = append(out, y)
				if y.Res == ir.Edge {
					out = append(out, b.Sum(ir.In, y), b.Sum(ir.Out, y), b.Max(ir.In, y), b.Sum(ir.Out, b.ReduceTo(y, ir.Shape{1})))
				}
			}
			out = append(out, b.Exp(x), b.Sum(ir.In, x), b.Sum(ir.Out, b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x)))
			for _, r := range typeResidencies {
				out = append(out, b.Add(x, input(b, r, ir.Shape{1})))
			}
		}
		return out
	},
	"at": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, t := range typeResidencies {
			for _, to := range []ir.Residency{ir.Src, ir.Dst, ir.Edge, t} {
				if t.Within(to) {
					v := b.Op(ir.OpAt, ir.Attr{Res: to}, input(b, t, ir.Shape{n}))
					out = append(out, v, b.Exp(v))
				}
			}
			out = append(out, b.Op(ir.OpAt, ir.Attr{Res: t}, input(b, ir.Param, ir.Shape{n})))
		}
		return out
	},
	"aggregates": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			typed := ir.Attr{Dir: d, Typed: true}
			for _, r := range append(typeResidencies, residencies...) {
				x := input(b, r, ir.Shape{n})
				for _, op := range []ir.Op{ir.OpSum, ir.OpMax, ir.OpArgmax} {
					out = append(out, b.Op(op, typed, x), b.Op(op, typed, b.Neg(x)))
					if op != ir.OpSum { // ids are those of the least edge, whatever the order of types
						out = append(out, b.Op(op, ir.Attr{Dir: d}, x))
					}
				}
				heads := b.Mul(b.Reshape(x, ir.Shape{1, n}), input(b, ir.Edge, ir.Shape{3, 1}))
				out = append(out, b.Op(ir.OpSum, typed, heads))
				out = append(out, b.Op(ir.OpSum, typed, b.Mul(x, input(b, ir.Edge, ir.Shape{}))))
				out = append(out, b.Op(ir.OpSum, typed, b.Mul(x, input(b, ir.EdgeType, ir.Shape{n}))))
			}
			deg := b.Op(ir.OpDegree, ir.Attr{Dir: d, Res: d.Rows(), Typed: true})
			out = append(out, deg, b.Exp(deg), b.Op(ir.OpPick, ir.Attr{}, deg))
		}
		return out
	},
	"picks": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, r := range []ir.Residency{ir.Param, ir.Src, ir.Dst, ir.SrcType, ir.DstType} {
			x := input(b, r, ir.Shape{someTypes.Edge, n})
			for _, x := range []*ir.Value{x, b.Neg(x), b.Reshape(b.Reshape(x, ir.Shape{1, someTypes.Edge * n}), ir.Shape{someTypes.Edge, n})} {
				p := b.Op(ir.OpPick, ir.Attr{}, x)
				out = append(out, p, b.Exp(p), b.Reshape(p, ir.Shape{1, n}))
				for _, d := range []ir.Dir{ir.In, ir.Out} {
					out = append(out, b.Sum(d, p), b.Max(d, p), b.Sum(d, b.Mul(p, input(b, ir.Edge, ir.Shape{1}))))
					dots := b.ReduceTo(b.Mul(p, input(b, d.Rows(), ir.Shape{n})), ir.Shape{1})
					out = append(out, dots, b.Sum(d, dots), b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, p))
				}
				for _, q := range residencies {
					out = append(out, b.ReduceTo(b.Mul(p, input(b, q, ir.Shape{n})), ir.Shape{}))
				}
			}
		}
		return out
	},
	"picks of what is read whole too": func(b *ir.Builder, _ int) (out []*ir.Value) {
		for _, r := range []ir.Residency{ir.Src, ir.Dst} {
			x := input(b, r, ir.Shape{someTypes.Edge})
			p := b.Op(ir.OpPick, ir.Attr{}, x)
			out = append(out, b.Op(ir.OpMinOf, ir.Attr{}, x, p), b.Sum(ir.In, b.Mul(b.Exp(b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x)), p)))
		}
		return out
	},
	"winners": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			typed := ir.Attr{Dir: d, Typed: true}
			x := input(b, ir.Edge, ir.Shape{n})
			arg, first := b.Op(ir.OpArgmax, typed, x), b.Op(ir.OpArgmax, ir.Attr{Dir: d}, x)
			for _, r := range []ir.Residency{d.Rows(), ir.Param, d.Rows().TypeOf()} {
				y := input(b, r, ir.Shape{someTypes.Edge, n})
				win := b.Op(ir.OpWinner, typed, arg, y)
				out = append(out, win, b.Sum(d, win), b.Op(ir.OpWinner, typed, arg, b.Neg(y)))
				out = append(out, b.Op(ir.OpWinner, ir.Attr{Dir: d}, first, input(b, r, ir.Shape{n})))
			}
		}
		return out
	},
	"stacks": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, t := range typeResidencies {
			x := input(b, t, ir.Shape{n})
			y := input(b, ir.Param, ir.Shape{someTypes.Of(t), n})
			for _, s := range []*ir.Value{b.Op(ir.OpStack, ir.Attr{}, x), b.Op(ir.OpStack, ir.Attr{}, b.Neg(x))} {
				out = append(out, s, b.Exp(s), b.Mul(s, input(b, ir.Edge, ir.Shape{n})), b.Op(ir.OpUnstack, ir.Attr{Res: t}, s))
			}
			for _, u := range []*ir.Value{b.Op(ir.OpUnstack, ir.Attr{Res: t}, y), b.Op(ir.OpUnstack, ir.Attr{Res: t}, b.Neg(y))} {
				out = append(out, u, b.Exp(u), b.Sum(ir.In, u), b.Mul(u, input(b, ir.Src, ir.Shape{n})))
			}
		}
		return out
	},
	"views": func(b *ir.Builder, n int) (out []*ir.Value) {
		x := input(b, ir.SrcType, ir.Shape{n})
		for _, x := range []*ir.Value{x, b.Neg(x)} {
			v := b.View(x, ir.DstType)
			out = append(out, v, b.Exp(v), b.Sum(ir.In, v), b.Sum(ir.Out, b.Mul(v, x)))
		}
		return out
	},
	"products": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, r := range append(typeResidencies, residencies...) {
			for _, t := range append(typeResidencies, ir.Param) {
				for _, d := range [][4]int{{1, 1, n, 5}, {2, 1, 5, n}, {1, 3, n, 2}, {2, 2, 3, 4}, {1, 1, 0, 2}, {1, 2, 2, 0}} {
					lead, heads, in, cols := d[0], d[1], d[2], d[3]
					x := input(b, r, ir.Shape{lead, heads, in})
					w, wT := input(b, t, ir.Shape{heads, in, cols}), input(b, t, ir.Shape{heads, cols, in})
					if heads == 1 {
						w, wT = input(b, t, ir.Shape{in, cols}), input(b, t, ir.Shape{cols, in})
					}
					y := b.MatMul(x, w)
					out = append(out, y, b.Op(ir.OpMatMulT, ir.Attr{}, b.Neg(x), wT))
					if y.Res == ir.Edge {
						out = append(out, b.Sum(ir.In, y), b.Op(ir.OpMax, ir.Attr{Dir: ir.Out, Typed: true}, y))
					}
				}
			}
		}
		return out
	},
	"sums over all": func(b *ir.Builder, n int) (out []*ir.Value) {
		for _, level := range append(typeResidencies, ir.Src, ir.Dst, ir.Edge) {
			for _, to := range append(typeResidencies, ir.Param) {
				if !to.Within(level) {
					continue
				}
				for _, r := range append(typeResidencies, residencies...) {
					if !r.Within(level) {
						continue
					}
					x, y := input(b, r, ir.Shape{2, n}), input(b, level, ir.Shape{2, 3})
					for _, heads := range []bool{false, true} {
						attr := ir.Attr{Res: level, To: to, Heads: heads}
						out = append(out, b.Op(ir.OpOuter, attr, x, y), b.Op(ir.OpOuter, attr, b.Neg(y), x))
					}
					if level != ir.Edge {
						attr := ir.Attr{Res: level, To: to}
						out = append(out, b.Op(ir.OpTotal, attr, x), b.Op(ir.OpTotal, attr, b.Neg(x)))
						out = append(out, b.Op(ir.OpTotal, attr, b.Const(0.25)))
					}
				}
			}
		}
		return out
	},
}

func TestEveryTypedOpAgreesWithTheInterpreter(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(typedCases)) {
		build, once := typedCases[name], i%2 == 1 && name != "views" // the kind of graph of short tests
		for w, width := range []int{1, 3, 8, 16, 33, 64, 257} {
			for _, bipartite := range []bool{false, true} {
				if bipartite && name == "views" || testing.Short() && (width != 8 || bipartite != once || i%3 != 0) {
					continue
				}
				if width != 8 && name != "views" && bipartite == ((i+w)%2 == 0) {
					continue // the other widths have one kind of graph each, not the same for all ops
				}
				b := ir.NewBuilder(strings.ReplaceAll(name, " ", ""), ir.F64, bipartite)
				b.SetTypes(someTypes)
				for i, v := range build(b, width) {
					b.Output(fmt.Sprint(i), v)
				}
				on := graphs()
				if bipartite {
					on = bipartiteGraphs()
				}
				for _, e := range on {
					if len(e.from) > 500 && width != 8 || len(e.from) > 50 && width > 33 || testing.Short() && e.name != "duplicates" {
						continue // the interpreter is slow
					}
					e = e.withTypes(someTypes)
					p := b.Program()
					in := inputsOf(p, e.structure(), 12)
					mustAgreeAs(t, separate, p, e, in, 12, 1e-4)
					if width == 3 || width == 64 {
						mustAgreeOn(t, p, e, in, 12)
					}
					if width == 8 && len(e.from) < 500 && !testing.Short() {
						poison(in)
						mustAgreeAs(t, separate, p, e, in, 12, 1e-4)
					}
				}
			}
		}
	}
}

// TestTypedHubsAgreeWithTheInterpreter runs rows that do not fit the registers: a
// type's edges go on from one sub-tile to the next.
func TestTypedHubsAgreeWithTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter is slow on hubs")
	}
	e := hub().withTypes(someTypes)
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		p := aggregateFirst(someTypes, 5, 3, d)
		mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 5), 5, 1e-4)
		p = edgeNetwork(3, 4, 5, d)
		mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 5), 5, 1e-4)
	}
}

// TestTypesThatBeginAndGoOnWithASubTile has a row of two types whose maxima are
// their first edges, below 0: type 1 begins with the second sub-tile and goes on in
// the third.
func TestTypesThatBeginAndGoOnWithASubTile(t *testing.T) {
	b := ir.NewBuilder("subtiles", ir.F64, true)
	b.SetTypes(ir.Types{Edge: 2})
	x := b.Input("x", ir.Edge, ir.Shape{2})
	typed := ir.Attr{Dir: ir.In, Typed: true}
	b.Output("max", b.Op(ir.OpMax, typed, x))
	b.Output("scalar", b.Op(ir.OpMax, typed, b.ReduceTo(x, ir.Shape{1})))
	b.Output("arg", b.Op(ir.OpArgmax, typed, x))
	b.Output("sum", b.Op(ir.OpSum, typed, x))
	pl := together(ir.Dst)(b.Program())
	whole := Compile[float64](pl).steps[0].(*kernel[float64]).wholeEdges
	e := edges{name: "one row", src: 1, dst: 1, bipartite: true, types: ir.Types{Edge: 2}}
	in := make(map[string][]float64)
	for i := range 3 * whole {
		e.from, e.to = append(e.from, 0), append(e.to, 0)
		e.ofTypes = append(e.ofTypes, min(int32(i/whole), 1))
		in["x@edge"] = append(in["x@edge"], -1-float64(i)/8, -2-float64(i)/8)
	}
	mustAgreeAs(t, together(ir.Dst), b.Program(), e, in, 1, 1e-4)
}

// TestManyChunksOfSumsAgreeWithTheInterpreter has more work than one chunk, so
// that partial sums are merged.
func TestManyChunksOfSumsAgreeWithTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter is slow on a large graph")
	}
	e := random("large", rand.New(rng.NewStream(6)), 2000, 2000, 20_000, false).withTypes(someTypes)
	p := edgeNetwork(16, 32, 8, ir.In)
	mustAgreeAs(t, together(ir.Dst), p, e, inputsOf(p, e.structure(), 6), 6, 1e-4)
	k := Compile[float64](together(ir.Dst)(p)).steps[0].(*kernel[float64])
	if n := k.cost.chunks(e.build(t).In(), e.dst); n < 3 {
		t.Errorf("%d chunks", n)
	}
	p = aggregateFirst(someTypes, 16, 8, ir.Out)
	mustAgreeAs(t, together(ir.Src), p, e, inputsOf(p, e.structure(), 6), 6, 1e-4)
}

func TestPartialSumsAreFewAndSmall(t *testing.T) {
	for _, size := range []int{1, 1 << 10, 1 << 20, 1 << 23} {
		k := &kernel[float32]{cost: cost{row: 1000}, totals: []total{{size: size}}}
		r := &run[float32]{prog: &Program[float32]{}}
		for _, hubs := range []int{0, 3, 1000} {
			c, p := k.partials(r, nil, 10_000_000, hubs)
			n, most := c.chunks(nil, 10_000_000), max(partSize, size)
			if hubs > 0 {
				n, most = n+p.hubs, 2*most
			}
			if n < 1 || p.chunks > maxParts || p.hubs > min(maxParts, hubs) || (hubs > 0) != (p.hubs > 0) || len(p.sums) < n*size || len(p.sums) > most {
				t.Errorf("%d partial sums of %d elements in %d", n, size, len(p.sums))
			}
		}
	}
}

func TestTiesOnTypedGraphsGoToTheLeastEdge(t *testing.T) {
	e := edges{src: 2, dst: 2, from: []int32{0, 1, 0, 1}, to: []int32{1, 1, 1, 1}, types: ir.Types{Edge: 3}, ofTypes: []int32{2, 0, 2, 0}}
	b := ir.NewBuilder("ties", ir.F64, false)
	b.SetTypes(e.types)
	x := b.Input("x", ir.Edge, ir.Shape{3})
	b.Output("first", b.Op(ir.OpArgmax, ir.Attr{Dir: ir.In}, x))
	b.Output("typed", b.Op(ir.OpArgmax, ir.Attr{Dir: ir.In, Typed: true}, x))
	nan := math.NaN()
	in := map[string][]float64{"x@edge": {1, nan, 0, 1, 1, nan, 1, 2, nan, 1, nan, nan}}
	mustAgreeAs(t, separate, b.Program(), e, in, 1, 1e-4)
	s := e.structure()
	got := prepare[float64](separate(b.Program()), e.build(t), s, in)(Options{})
	if want := []float64{-1, -1, -1, 0, 0, 1}; fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("winners %v, want %v", got[0], want)
	}
}

// TestProductsWithTheMatricesOfBothEndsOfAnEdge reads one buffer by the types of both.
func TestProductsWithTheMatricesOfBothEndsOfAnEdge(t *testing.T) {
	b := ir.NewBuilder("ends", ir.F64, false)
	b.SetTypes(someTypes)
	x, w := b.Input("x", ir.Edge, ir.Shape{2}), b.Input("w", ir.DstType, ir.Shape{2, 3})
	sum := b.Add(b.MatMul(x, b.View(w, ir.SrcType)), b.MatMul(x, w))
	b.Output("out", sum)
	p := b.Program()
	for _, e := range graphs() {
		e = e.withTypes(someTypes)
		mustAgreeAs(t, together(ir.Dst), p, e, inputsOf(p, e.structure(), 3), 3, 1e-4)
	}
}

func TestAGraphWithOtherTypesIsABug(t *testing.T) {
	p := aggregateFirst(someTypes, 2, 2, ir.In)
	pl := separate(p)
	x := Compile[float64](pl)
	e := graphs()[6]
	for _, types := range []ir.Types{{}, {Src: 3, Dst: 3, Edge: 5}, {Src: 2, Dst: 2, Edge: 4}} {
		g := e
		if types != (ir.Types{}) {
			g = e.withTypes(types)
		}
		s := e.withTypes(someTypes).structure()
		mem := memoryOf[float64](pl, s, inputsOf(p, s, 1))
		mustPanic(t, "types, the graph has", func() { x.Run(g.build(t), mem, Options{}) })
	}
}
