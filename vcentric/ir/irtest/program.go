package irtest

// Random programs: a pool of values that grows by one random op at a time.
//
// Numbers stay finite and of moderate size by construction: each value carries
// a bound of its magnitude, operands of what would explode are squashed by a
// tanh first, and log, sqrt, division and powers see |x| + 1/2.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

const (
	maxWidth = 48  // of a row
	maxBound = 100 // of an operand; larger ones are squashed
	hubEdges = 25  // more edges than this no row of the graphs has
)

var sizes = []int{1, 2, 3, 5, 8}

type generator struct {
	r     *rand.Rand
	b     *ir.Builder
	dims  []int // the dimensions this program uses: few, so that shapes fit each other
	pool  []*ir.Value
	bound map[*ir.Value]float64
	used  map[*ir.Value]bool
	names int
	sites int
}

// Program draws a valid program of about so many ops, of type f64, for graphs
// with the given types.
func Program(r *rand.Rand, bipartite bool, types ir.Types, ops int) *ir.Program {
	g := &generator{
		r:     r,
		b:     ir.NewBuilder("random", ir.F64, bipartite),
		bound: make(map[*ir.Value]float64),
		used:  make(map[*ir.Value]bool),
	}
	g.b.SetTypes(types)
	for range 2 {
		g.dims = append(g.dims, sizes[r.IntN(len(sizes))])
	}
	g.inputs()
	for range ops {
		if types != (ir.Types{}) && r.IntN(3) == 0 {
			g.typed()
		} else {
			g.step()
		}
	}
	g.outputs()
	if err := ir.Check(g.b.Program()); err != nil {
		panic("BUG: irtest: " + err.Error())
	}
	return g.b.Program()
}

// inputs gives the pool a feature read from both sides (of one tensor on a
// homogeneous graph), an edge feature, and a vertex's degree.
func (g *generator) inputs() {
	shape := g.shape()
	for len(shape) == 0 {
		shape = g.shape()
	}
	g.add(g.b.Input("h", ir.Src, shape), 2)
	g.add(g.b.Input("h", ir.Dst, shape), 2)
	if g.r.IntN(2) == 0 {
		g.add(g.b.Input("f", ir.Edge, g.shape()), 2)
	}
	if g.r.IntN(3) == 0 {
		g.degree()
	}
}

func (g *generator) degree() *ir.Value {
	d := ir.Dir(g.r.IntN(2))
	res := d.Rows()
	if !g.b.Program().Bipartite && g.r.IntN(3) == 0 {
		res = ir.Src + ir.Dst - res
	}
	return g.add(g.b.Degree(d, res), hubEdges)
}

func (g *generator) add(v *ir.Value, bound float64) *ir.Value {
	for _, a := range v.Args {
		g.used[a] = true
	}
	if _, known := g.bound[v]; !known {
		g.pool = append(g.pool, v)
		g.bound[v] = bound
	}
	return v
}

// shape draws a row shape of rank 0 to 3 from the program's dimensions.
func (g *generator) shape() ir.Shape {
	for {
		s := ir.Shape{}
		for range []int{0, 1, 1, 2, 2, 3}[g.r.IntN(6)] {
			d := 1
			if g.r.IntN(4) > 0 {
				d = g.dims[g.r.IntN(len(g.dims))]
			}
			s = append(s, d)
		}
		if s.Size() <= maxWidth {
			return s
		}
	}
}

// narrower is a shape that broadcasts to s: leading dimensions dropped, others
// set to 1.
func (g *generator) narrower(s ir.Shape) ir.Shape {
	t := slices.Clone(s[g.r.IntN(len(s)+1):])
	for i := range t {
		if g.r.IntN(3) == 0 {
			t[i] = 1
		}
	}
	return t
}

// pick draws a value, mostly a recent one that nothing reads yet.
func (g *generator) pick() *ir.Value {
	for range 4 {
		v := g.pool[max(g.r.IntN(len(g.pool)), g.r.IntN(len(g.pool)))]
		if !g.used[v] || g.r.IntN(3) == 0 {
			return v
		}
	}
	return g.pool[g.r.IntN(len(g.pool))]
}

// pickWhere draws a value that satisfies ok, or gives up.
func (g *generator) pickWhere(ok func(*ir.Value) bool) *ir.Value {
	for range 12 {
		if v := g.pick(); ok(v) {
			return v
		}
	}
	return nil
}

// pickFor draws a second operand for an element-wise op with x.
func (g *generator) pickFor(x *ir.Value) *ir.Value {
	if g.r.IntN(8) == 0 {
		c := []float64{0, 1, -1, 0.5, 2, -0.3, 0.7}[g.r.IntN(7)]
		return g.add(g.b.Const(c), 2)
	}
	y := g.pickWhere(func(y *ir.Value) bool {
		s, err := ir.BroadcastShapes(x.Shape, y.Shape)
		return err == nil && s.Size() <= maxWidth && len(s) <= 3
	})
	if y == nil || g.r.IntN(8) == 0 {
		return g.input(ir.Residency(g.r.IntN(4)), g.narrower(x.Shape))
	}
	return y
}

// input adds an input; a param of a shape that exists may be that one.
func (g *generator) input(res ir.Residency, shape ir.Shape) *ir.Value {
	if res == ir.Param && g.r.IntN(2) == 0 {
		for _, v := range g.pool {
			if v.Op == ir.OpInput && v.Res == res && v.Shape.Equal(shape) {
				return v
			}
		}
	}
	g.names++
	return g.add(g.b.Input(fmt.Sprintf("x%d", g.names), res, shape), 2)
}

// squash returns x, or a bounded function of it where x may exceed limit >= 1.
func (g *generator) squash(x *ir.Value, limit float64) *ir.Value {
	if g.bound[x] <= limit {
		return x
	}
	return g.add(g.b.Op(ir.OpTanh, ir.Attr{}, x), 1)
}

// positive is |x| + 1/2.
func (g *generator) positive(x *ir.Value) *ir.Value {
	x = g.squash(x, maxBound)
	abs := g.add(g.b.Op(ir.OpAbs, ir.Attr{}, x), g.bound[x])
	return g.add(g.b.Add(abs, g.b.Const(0.5)), g.bound[x]+0.5)
}

// outputs names one to three results, mostly what nothing reads yet.
func (g *generator) outputs() {
	var open []*ir.Value
	for _, v := range slices.Backward(g.pool) {
		if !g.used[v] && isRows(v) && v.Op != ir.OpInput {
			open = append(open, v)
		}
	}
	for i := range 1 + g.r.IntN(3) {
		var v *ir.Value
		switch {
		case i < len(open):
			v = open[i]
		case i == 0 || g.r.IntN(4) == 0: // also what others read, inputs, and one value twice
			if v = g.pickWhere(isRows); v == nil {
				v = g.pool[0]
			}
		default:
			return
		}
		g.b.Output(fmt.Sprintf("out%d", i), v)
	}
}

// isRows tells whether v can be a result: a value of vertices or edges.
func isRows(v *ir.Value) bool { return v.Res != ir.Param && !v.Res.IsType() }
