package check

// What a call gives, in float64: right, or by a known mistake.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// roundings is how many rounded operations a term of a sum may have gone through.
const roundings = 8

// sums are values with the bounds of what rounding to float32 may change in them.
type sums struct {
	value     []float64
	magnitude []float64 // of the terms
	terms     []int32
}

func newSums(n int) *sums {
	return &sums{value: make([]float64, n), magnitude: make([]float64, n), terms: make([]int32, n)}
}

func (s *sums) add(i int, term, magnitude float64) {
	s.value[i] += term
	s.magnitude[i] += magnitude
	s.terms[i]++
}

// reduce is add for the other reductions. NaN wins.
func (s *sums) reduce(r system.Reduce, i int, term, magnitude float64) {
	if r == system.Sum {
		s.add(i, term, magnitude)
		return
	}
	first := s.terms[i] == 0
	s.terms[i] = 1
	s.magnitude[i] = max(s.magnitude[i], magnitude)
	switch {
	case first:
		s.value[i] = term
	case r == system.Max:
		s.value[i] = max(s.value[i], term) // NaN if either is
	default:
		s.value[i] = min(s.value[i], term)
	}
}

// agrees tells whether element i may be got.
func (s *sums) agrees(i int, got float64) bool {
	want := s.value[i]
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(want) && math.IsNaN(got)
	}
	return math.Abs(got-want) <= s.bound(i)
}

// bound is how far element i may be off; see the package's comment.
func (s *sums) bound(i int) float64 {
	const eps = 0x1p-23
	return (float64(s.terms[i])+roundings)*eps*s.magnitude[i] + float64(s.terms[i])*math.SmallestNonzeroFloat32
}

// A mistake is what is done otherwise. The zero mistake is none.
type mistake struct {
	flip        bool                              // edges are the other way around
	coefficient coefficient                       // nil: the right one
	once        onlyOnce                          // duplicate edges
	slices      kept                              // the caller's slices
	orderW      order                             // W is read in another order,
	orderOut    order                             // the result written so
	headOfW     func(p *problem, e, head int) int // which row of features W's is, nil: the right one
}

// onlyOnce says what becomes of repeated edges.
type onlyOnce uint8

const (
	countAll    onlyOnce = iota
	firstOnly            // the first counts, in degrees too
	lastOnly             // the last does
	firstDegree          // the first counts, degrees are right
	lastDegree
)

// kept says what a system takes from the slices of NewGraph when they are scrambled.
type kept uint8

const (
	slicesCopied kept = iota // nothing
	slicesRead               // everything
	slicesReadDegreesNot
)

// forward computes the result of the call with a mistake. Parts that the mistake leaves
// unwritten are 0.
func (p *problem) forward(m mistake) *sums {
	q := *p
	if m.flip {
		q.flags.Transpose = !q.flags.Transpose
	}
	if m.slices != slicesCopied {
		q.g = p.g.scrambled()
	}
	degrees, ids := q.g, []int32(nil)
	if m.slices == slicesReadDegreesNot {
		degrees = p.g
	}
	if m.once != countAll {
		q.g, ids = q.g.once(m.once == lastOnly || m.once == lastDegree)
		if m.once == firstOnly || m.once == lastOnly {
			degrees = q.g
		}
	}
	c := m.coefficient
	if c == nil {
		c = coefficientOf
	}
	var atW, atOut []int32
	if m.orderW != nil {
		atW = p.g.positions(m.orderW)
	}
	if m.orderOut != nil {
		atOut = p.g.positions(m.orderOut)
	}
	out := newSums(p.shape().Size())
	for i := range q.g.src {
		e := i // the edge's number
		if ids != nil {
			e = int(ids[i])
		}
		from, to := q.ends(i)
		l := line{x: from, y: to, w: e, out: to, c: 1}
		if atW != nil {
			l.w = int(atW[e])
		}
		if q.onEdges() {
			l.out = e
			if atOut != nil {
				l.out = int(atOut[e])
			}
		} else if q.flags.Norm != system.NormNone {
			l.c = c(degrees, q.flags.Norm, int(q.g.src[i]), int(q.g.dst[i]))
		}
		q.line(out, l, m.headOfW)
	}
	return out
}

// A line is what one edge reads and writes: rows, and its coefficient.
type line struct {
	x, y, w, out int
	c            float64
}

// line adds one edge's part to the result.
func (p *problem) line(out *sums, l line, headOfW func(p *problem, e, head int) int) {
	f := p.flags
	for h := range p.heads {
		wRow := (l.w*p.heads + h) * p.wWidth
		if headOfW != nil {
			wRow = headOfW(p, l.w, h) * p.wWidth
		}
		for k := range p.width {
			at := (l.out*p.heads+h)*p.width + k
			xAt := (l.x*p.heads+h)*p.width + k
			wAt := wRow + k%p.wWidth
			switch p.kind {
			case system.SpMMv:
				x := float64(p.x[xAt])
				out.reduce(f.Reduce, at, l.c*x, l.c*math.Abs(x))
			case system.SpMMve:
				value, magnitude := apply(f.Op, float64(p.x[xAt]), float64(p.w[wAt]))
				out.reduce(f.Reduce, at, l.c*value, l.c*magnitude)
			case system.SpMMe:
				w := float64(p.w[wAt])
				out.reduce(f.Reduce, at, w, math.Abs(w))
			case system.SDDMMvv:
				y := float64(p.y[(l.y*p.heads+h)*p.width+k])
				if f.Op == system.OpDot {
					at = l.out*p.heads + h
				}
				value, magnitude := apply(f.Op, float64(p.x[xAt]), y)
				out.add(at, value, magnitude)
			case system.SDDMMve:
				x := float64(p.x[xAt])
				if f.Op == system.OpCopy {
					out.add(at, x, math.Abs(x))
					continue
				}
				value, magnitude := apply(f.Op, float64(p.w[wAt]), x)
				out.add(at, value, magnitude)
			}
		}
	}
}

// apply is a op b, and the magnitude that its rounding errors go by.
func apply(op system.Op, a, b float64) (value, magnitude float64) {
	switch op {
	case system.OpAdd:
		return a + b, math.Abs(a) + math.Abs(b)
	case system.OpSub:
		return a - b, math.Abs(a) + math.Abs(b)
	case system.OpDiv:
		return a / b, math.Abs(a / b)
	}
	return a * b, math.Abs(a * b)
}
