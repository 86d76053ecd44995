package irtest

// Random programs of the family of attention: rows of heads, numbers for each head, sums of
// weighed rows, dot products. They meet the instructions that do several of these at once,
// which programs of any ops seldom do.

import (
	"fmt"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// scorer draws a program of scores. It keeps values by what they are: rows [heads cols] and
// numbers [heads 1] of each residency.
type scorer struct {
	r              *rand.Rand
	b              *ir.Builder
	rows, numbers  map[ir.Residency][]*ir.Value
	shape, perHead ir.Shape
	inputs, sites  int
	training       bool
}

var sides = []ir.Residency{ir.Src, ir.Dst}

// Scores draws a program of type f64, for training if its gradient is to be taken: then the
// maxima of softmaxes pass none on. What jumps (maxima's edges, comparisons) reads inputs
// alone. Some of its values may be dead.
func Scores(r *rand.Rand, bipartite, training bool) *ir.Program {
	pick := func(n ...int) int { return n[r.IntN(len(n))] }
	heads, cols := pick(1, 1, 1, 2, 3, 4, 8, 16), pick(1, 2, 3, 4, 5, 8, 16, 17, 32, 64, 128)
	for heads*cols > 128 {
		heads /= 2
	}
	s := &scorer{
		r: r, b: ir.NewBuilder("scores", ir.F64, bipartite),
		rows: make(map[ir.Residency][]*ir.Value), numbers: make(map[ir.Residency][]*ir.Value),
		shape: ir.Shape{heads, cols}, perHead: ir.Shape{heads, 1}, training: training,
	}
	if heads == 1 && r.IntN(2) == 0 {
		s.shape, s.perHead = ir.Shape{cols}, ir.Shape{pick(1, 1)}
	}
	for _, side := range sides {
		s.row(side)
		s.number(side)
	}
	for range 3 + r.IntN(16) {
		s.step()
	}
	values := s.b.Program().Values
	out := 0
	for i, v := range values {
		if v.Res != ir.Param && v.Op != ir.OpInput && (i == len(values)-1 || r.IntN(4) == 0) {
			s.b.Output(fmt.Sprint("out", out), v)
			out++
		}
	}
	if out == 0 {
		s.b.Output("out", s.tanh(s.row(ir.Dst)))
	}
	return s.b.Program()
}

func (s *scorer) input(res ir.Residency, shape ir.Shape) *ir.Value {
	s.inputs++
	return s.b.Input(fmt.Sprint("x", s.inputs), res, shape)
}

// from draws a value of a kind, mostly an old one.
func (s *scorer) from(kind map[ir.Residency][]*ir.Value, res ir.Residency, shape ir.Shape) *ir.Value {
	if n := len(kind[res]); n > 0 && s.r.IntN(6) > 0 {
		return kind[res][s.r.IntN(n)]
	}
	v := s.input(res, shape)
	kind[res] = append(kind[res], v)
	return v
}

func (s *scorer) row(res ir.Residency) *ir.Value    { return s.from(s.rows, res, s.shape) }
func (s *scorer) number(res ir.Residency) *ir.Value { return s.from(s.numbers, res, s.perHead) }

// given draws an input, or the sum of two of numbers.
func (s *scorer) given(shape ir.Shape) *ir.Value {
	x := s.input(s.any(), shape)
	if s.r.IntN(2) == 0 {
		x = s.b.Add(x, s.input(s.any(), shape))
	}
	return x
}

func (s *scorer) tanh(v *ir.Value) *ir.Value { return s.b.Op(ir.OpTanh, ir.Attr{}, v) }

// any draws a residency of vertices or, less often, edges.
func (s *scorer) any() ir.Residency {
	return []ir.Residency{ir.Src, ir.Dst, ir.Src, ir.Dst, ir.Edge}[s.r.IntN(5)]
}

func (s *scorer) put(v *ir.Value) {
	kind := s.numbers
	if v.Shape.Equal(s.shape) && !(s.shape.Equal(s.perHead) && s.r.IntN(2) == 0) {
		kind = s.rows
	}
	kind[v.Res] = append(kind[v.Res], v)
}

// step appends a value or two.
func (s *scorer) step() {
	b, r := s.b, s.r
	dir := ir.Dir(r.IntN(2))
	switch r.IntN(15) {
	case 0, 1: // a dot product, of an edge mostly
		s.put(b.ReduceTo(b.Mul(s.row(s.any()), s.row(s.any())), s.perHead))
	case 2, 3: // a sum of two numbers, through a rectifier
		x, y := s.number(s.any()), s.number(s.any())
		if s.training {
			x, y = s.input(s.any(), s.perHead), s.input(s.any(), s.perHead)
		}
		x = b.Add(x, y)
		if r.IntN(3) == 0 {
			s.put(x)
		}
		s.put(b.Op(ir.OpLeakyRelu, ir.Attr{Num: []float64{0.2, 0, 1}[r.IntN(3)]}, x))
	case 4: // a function of a number
		x := s.tanh(s.number(s.any()))
		s.put([]*ir.Value{x, b.Exp(x), b.Op(ir.OpSigmoid, ir.Attr{}, x), b.Neg(x), b.Square(x)}[r.IntN(5)])
	case 5, 6, 7: // a sum of weighed rows
		m := b.Mul(s.number(s.any()), s.row(s.any()))
		if r.IntN(2) == 0 {
			m = b.Mul(m.Args[1], m.Args[0])
		}
		s.put(s.tanhSometimes(b.Sum(dir, m)))
	case 8: // a sum or maximum of numbers, or of rows
		switch r.IntN(4) {
		case 0:
			s.put(b.Max(dir, s.given([]ir.Shape{s.shape, s.perHead}[r.IntN(2)])))
		case 1:
			s.put(b.Sum(dir, s.tanh(s.row(s.any()))))
		default:
			s.put(b.Sum(dir, s.tanhSometimes(s.number(s.any()))))
		}
	case 9: // numbers combined
		x, y := s.number(s.any()), s.number(s.any())
		s.put(s.tanhSometimes([]*ir.Value{b.Mul(x, y), b.Sub(x, y), b.Div(x, b.Add(b.Square(y), b.Const(1)))}[r.IntN(3)]))
	case 10: // rows scaled
		s.put(b.Mul(s.row(s.any()), s.number(s.any())))
	case 11: // a softmax by hand
		x := s.tanh(s.number(ir.Edge))
		if r.IntN(3) == 0 {
			x = b.Add(s.number(ir.Src), s.number(ir.Dst))
		}
		if s.training {
			s.put(b.Sum(dir, b.Mul(s.dropSometimes(b.Op(ir.OpSoftmax, ir.Attr{Dir: dir}, b.Add(x, s.number(ir.Edge)))), s.row(s.any()))))
			break
		}
		e := b.Exp(b.Sub(x, b.Max(dir, x)))
		by := b.Div(b.Const(1), b.MaxOf(b.Sum(dir, e), b.Const(1)))
		alpha := s.dropSometimes(b.Mul(e, by))
		switch r.IntN(3) {
		case 0:
			s.put(alpha)
		case 1:
			s.put(b.Mul(b.Sum(dir, b.Mul(e, s.row(s.any()))), by))
		}
		s.put(b.Sum(dir, b.Mul(alpha, s.row(s.any()))))
	case 12, 13: // rows weighed by what their own products with rows come to
		x, y := s.row(s.any()), s.row(s.any())
		weight := b.ReduceTo(b.Mul(x, y), s.perHead)
		switch r.IntN(4) {
		case 0:
			weight = s.tanh(weight)
		case 1:
			weight = b.Mul(weight, s.number(s.any()))
		}
		if r.IntN(3) == 0 {
			s.put(weight)
		}
		s.put(s.tanhSometimes(b.Sum(dir, b.Mul(weight, x))))
		if r.IntN(3) == 0 {
			s.put(s.tanhSometimes(b.Sum(1-dir, b.Mul(weight, y))))
		}
	case 14: // the gradient of a rectifier
		x, y := s.given(s.perHead), s.number(s.any())
		s.put(b.Sum(dir, b.Mul(y, b.Select(b.Gt(x, b.Const(0)), b.Const(1), b.Const(0.2)))))
	}
}

func (s *scorer) dropSometimes(v *ir.Value) *ir.Value {
	if s.r.IntN(3) > 0 {
		return v
	}
	s.sites++
	return s.b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Site: s.sites, Res: ir.Edge}, v)
}

func (s *scorer) tanhSometimes(v *ir.Value) *ir.Value {
	if s.r.IntN(2) == 0 {
		return s.tanh(v)
	}
	return v
}
