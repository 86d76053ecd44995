package cpu

// Random programs on random graphs against the interpreter.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// generator draws programs. What jumps (comparisons, signs, winners) reads only
// values that every order of summation gives exactly, so that rounding cannot
// change which way it jumps.
type generator struct {
	r     *rand.Rand
	b     *ir.Builder
	exact map[*ir.Value]bool
	depth map[*ir.Value]int // products on the way: they bound the magnitude
}

var randomShapes = []ir.Shape{{}, {1}, {5}, {16}, {3, 1}, {3, 8}, {8}, {2, 3, 1}}

func randomProgram(r *rand.Rand, bipartite bool) *ir.Program {
	g := &generator{r: r, b: ir.NewBuilder("random", ir.F64, bipartite), exact: make(map[*ir.Value]bool), depth: make(map[*ir.Value]int)}
	for range 2 + r.IntN(5) {
		v := g.b.Input(fmt.Sprint("x", len(g.b.Program().Values)), residencies[r.IntN(4)], randomShapes[r.IntN(len(randomShapes))])
		g.exact[v] = true
	}
	for range 4 + r.IntN(30) {
		g.step()
	}
	values := g.b.Program().Values
	n := 0
	for i, v := range values {
		if i == len(values)-1 || r.IntN(5) == 0 {
			g.b.Output(fmt.Sprint("out", n), v)
			n++
		}
	}
	return g.b.Program()
}

// pick draws a number, not an id, recent values more often.
func (g *generator) pick() *ir.Value {
	for {
		values := g.b.Program().Values
		i := g.r.IntN(len(values))
		if j := g.r.IntN(len(values)); g.r.IntN(2) == 0 {
			i = max(i, j)
		}
		if values[i].Type != ir.I32 {
			return values[i]
		}
	}
}

// step appends one value, or none if what it drew does not fit.
func (g *generator) step() {
	defer func() {
		if e := recover(); e != nil {
			if _, misfit := e.(*ir.Error); !misfit {
				panic(e)
			}
		}
	}()
	b, r, x, y := g.b, g.r, g.pick(), g.pick()
	dir := ir.Dir(r.IntN(2))
	num := b.Const(float64(r.IntN(9)-4) / 2)
	g.exact[num] = true
	put := func(exact bool, product bool, v *ir.Value) {
		g.exact[v] = exact
		for _, a := range v.Args {
			exact = exact && g.exact[a]
			d := g.depth[a]
			if product {
				d++
			}
			g.depth[v] = max(g.depth[v], d)
		}
		g.exact[v] = exact
	}
	if g.depth[x]+g.depth[y] > 5 {
		x = b.Op(ir.OpTanh, ir.Attr{}, x)
		y = b.Op(ir.OpTanh, ir.Attr{}, y)
	}
	switch r.IntN(24) {
	case 0:
		put(true, false, b.Neg(x))
	case 1:
		smooth := []ir.Op{ir.OpTanh, ir.OpSigmoid, ir.OpSilu, ir.OpGelu, ir.OpSoftplus, ir.OpErf, ir.OpLeakyRelu, ir.OpElu}
		put(false, false, b.Op(smooth[r.IntN(len(smooth))], ir.Attr{Num: 0.2}, x))
	case 2:
		put(false, true, b.Exp(b.Op(ir.OpClamp, ir.Attr{Num: -2, Num2: 1}, x)))
	case 3, 4:
		put(true, false, b.Add(x, y))
	case 5:
		put(true, false, b.Sub(x, y))
	case 6, 7, 8:
		put(false, true, b.Mul(x, y))
	case 9:
		put(false, true, b.Div(x, b.Add(b.Square(y), b.Const(1))))
	case 10:
		put(true, false, b.Mul(x, num))
	case 11:
		op := []ir.Op{ir.OpMaxOf, ir.OpMinOf}[r.IntN(2)]
		put(true, false, b.Op(op, ir.Attr{}, x, y))
	case 12:
		if op := []ir.Op{ir.OpGt, ir.OpGe, ir.OpEq}[r.IntN(3)]; g.exact[x] && g.exact[y] {
			put(true, false, b.Op(op, ir.Attr{}, x, y))
		}
	case 13:
		if c := g.pick(); g.exact[c] {
			put(true, false, b.Select(b.Gt(c, b.Const(0)), x, y))
		}
	case 14:
		put(false, false, b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Site: r.IntN(3), Res: residencies[1+r.IntN(3)]}, x))
	case 15:
		put(true, false, b.Expand(x, randomShapes[r.IntN(len(randomShapes))]))
	case 16:
		put(false, true, b.ReduceTo(x, randomShapes[r.IntN(len(randomShapes))]))
	case 17:
		put(false, true, b.Sum(dir, x))
	case 18:
		put(true, false, b.Max(dir, x))
	case 19:
		if g.exact[x] {
			arg := b.Op(ir.OpArgmax, ir.Attr{Dir: dir}, x)
			put(true, false, b.Op(ir.OpWinner, ir.Attr{Dir: dir}, arg, b.Max(dir, x)))
		}
	case 20:
		put(true, false, b.View(x, []ir.Residency{ir.Src, ir.Dst}[r.IntN(2)]))
	case 21:
		g.layout(put, x, y)
	case 22: // a weighted sum
		put(false, true, b.Sum(dir, b.Mul(g.like(x, heads(x.Shape)), x)))
	case 23: // dot products
		put(false, true, b.ReduceTo(b.Mul(x, g.like(x, x.Shape)), heads(x.Shape)))
	}
}

// heads is the shape of a number for each row of s's last dimension.
func heads(s ir.Shape) ir.Shape {
	if len(s) == 0 {
		return s
	}
	return append(slices.Clone(s[:len(s)-1]), 1)
}

// like appends an input of a shape that lives anywhere.
func (g *generator) like(x *ir.Value, s ir.Shape) *ir.Value {
	v := g.b.Input(fmt.Sprint("x", len(g.b.Program().Values)), residencies[g.r.IntN(4)], s)
	g.exact[v] = true
	return v
}

func (g *generator) layout(put func(exact, product bool, v *ir.Value), x, y *ir.Value) {
	b, r := g.b, g.r
	last := 0
	if n := len(x.Shape); n > 0 {
		last = x.Shape[n-1]
	}
	switch r.IntN(7) {
	case 0:
		put(true, false, b.Op(ir.OpConcat, ir.Attr{}, x, y))
	case 1:
		lo := r.IntN(last + 1)
		put(true, false, b.Op(ir.OpSlice, ir.Attr{Lo: lo, Hi: lo + r.IntN(last-lo+1)}, x))
	case 2:
		put(true, false, b.Op(ir.OpPad, ir.Attr{Lo: r.IntN(3), Hi: r.IntN(3)}, x))
	case 3:
		put(true, false, b.Reshape(x, ir.Shape{x.Width()}))
	case 4:
		put(false, true, b.Total(x, ir.Residency(1+r.IntN(2))))
	case 5:
		w := b.Input(fmt.Sprint("w", len(b.Program().Values)), ir.Param, ir.Shape{last, 1 + r.IntN(9)})
		if last == 1 && r.IntN(2) == 0 {
			w = b.Reshape(b.Const(float64(r.IntN(9)-4)/2), ir.Shape{1, 1})
		}
		g.exact[w] = true
		put(false, true, b.MatMul(x, w))
	case 6:
		put(false, true, b.Op(ir.OpOuter, ir.Attr{Res: ir.Join(x.Res, y.Res)}, x, y))
	}
}

func randomGraph(r *rand.Rand, bipartite bool) edges {
	src := 1 + r.IntN(30)
	dst := src
	if bipartite {
		dst = 1 + r.IntN(30)
	}
	return random("random", r, src, dst, r.IntN(150), bipartite)
}

func checkRandom(t testing.TB, seed uint64) {
	r := rand.New(rng.NewStream(seed, 77))
	bipartite := r.IntN(3) == 0
	p := randomProgram(r, bipartite)
	mustAgree(t, p, randomGraph(r, bipartite), seed)
}

func TestRandomProgramsAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		checkRandom(t, seed)
	}
}

// readTwice draws a program of two walks over the edges, which both read narrow rows in another
// way than element by element; the first walk reads them so, too.
func readTwice(r *rand.Rand, bipartite bool) *ir.Program {
	b, dir := ir.NewBuilder("twice", ir.F64, bipartite), ir.Dir(r.IntN(2))
	input := func(name string, shape ir.Shape) *ir.Value { return b.Input(name, residencies[1+r.IntN(3)], shape) }
	shape := ir.Shape{1 + r.IntN(4)}
	x, y, z := input("x", shape), input("y", shape), input("z", shape)
	gate := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(x, y))
	var row *ir.Value
	switch r.IntN(4) {
	case 0:
		row = b.Op(ir.OpConcat, ir.Attr{}, x, z)
	case 1:
		row = b.Op(ir.OpConcat, ir.Attr{}, y, x, y)
	case 2:
		row = b.Select(b.Gt(z, b.Const(0)), x, y)
	default:
		row = b.ReduceTo(b.Mul(x, z), ir.Shape{1})
	}
	one := ir.Shape{1}
	first := b.Sum(dir, b.Add(b.ReduceTo(gate, one), b.Op(ir.OpTanh, ir.Attr{}, b.ReduceTo(row, one))))
	b.Output("out", b.Sum(dir, b.Mul(row, b.Op(ir.OpTanh, ir.Attr{}, first))))
	return b.Program()
}

// Rows with more edges than a tile, and hubs, whose edges each walk meets part by part.
func TestNarrowRowsThatTwoWalksReadAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(24)
	if testing.Short() {
		n = 8
	}
	for seed := range n {
		r := rand.New(rng.NewStream(seed, 78))
		bipartite := r.IntN(3) == 0
		p, e := readTwice(r, bipartite), random("hubs", r, 60, 60, 300, bipartite)
		for i := range int32(9000) {
			e.from, e.to = append(e.from, i%55), append(e.to, 7)
			if i%2 == 0 {
				e.from, e.to = append(e.from, 7), append(e.to, i%50)
			}
		}
		mustAgree(t, p, e, seed)
	}
}

func FuzzProgramsAgreeWithTheInterpreter(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, seed) })
}
