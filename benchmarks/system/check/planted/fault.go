package planted

// What can be planted in a system.

import (
	"errors"
	"math"
	"unsafe"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// A fault is what a system does otherwise. The zero fault is none.
type fault struct {
	store     func(vertices int, src, dst []int32) *graph                     // what NewGraph keeps
	turnSpMM  func(f system.Flags) bool                                       // whether edges are turned around,
	turnSDDMM func(f system.Flags) bool                                       // in SDDMM
	divisor   func(g *graph, n system.Norm, u, v int, transpose bool) float64 // 1/c_e of the edge u→v
	weight    func(w *matrix, g *graph, e, head int) (row int)                // which row of w is used
	value     func(v float64) float64                                         // what becomes of a term
	empty     float64                                                         // an extremum over no edges
	finish    func(calls int, f system.Flags, r result)                       // done with a row of the output
	keep      func(r result, head, feature, width int) bool                   // whether an element is written
	add       bool                                                            // results are added to what is there
	before    func(operand, out *tensor.Tensor) error                         // done before a call,
	after     func(operand, out *tensor.Tensor)                               // and after it
}

// A result is a row of the output before it is written.
type result struct {
	edges int // that went into it
	value []float64
}

// divisor is 1/c_e by what each of two degrees divides.
func divisor(n system.Norm, mean, left int) float64 {
	switch n {
	case system.NormMean:
		return float64(mean)
	case system.NormLeft:
		return float64(left)
	case system.NormBoth:
		return math.Sqrt(float64(mean) * float64(left))
	}
	return 1
}

// rightDivisor is 1/c_e.
func rightDivisor(g *graph, n system.Norm, u, v int, _ bool) float64 {
	return divisor(n, max(g.in[v], 1), max(g.out[u], 1))
}

// dividedAfter divides the results of transposed calls by the degrees that divide those
// of plain ones: as if division always came after the product.
func dividedAfter(g *graph, n system.Norm, u, v int, transpose bool) float64 {
	if transpose {
		u, v = v, u
	}
	return rightDivisor(g, n, u, v, transpose)
}

// dividedBefore takes the degrees of the other end for calls that are not transposed.
func dividedBefore(g *graph, n system.Norm, u, v int, transpose bool) float64 {
	return dividedAfter(g, n, u, v, !transpose)
}

func notDivided(*graph, system.Norm, int, int, bool) float64 { return 1 }

// outForIn takes one degree for the other.
func outForIn(g *graph, n system.Norm, u, v int, _ bool) float64 {
	return divisor(n, max(g.out[v], 1), max(g.in[u], 1))
}

// alwaysBoth has one normalisation only.
func alwaysBoth(g *graph, n system.Norm, u, v int, transpose bool) float64 {
	if n == system.NormNone {
		return 1
	}
	return rightDivisor(g, system.NormBoth, u, v, transpose)
}

// zeroByZero divides empty rows by their degree.
func zeroByZero(_ int, f system.Flags, r result) {
	if r.edges == 0 && f.Norm != system.NormNone {
		for k := range r.value {
			r.value[k] = math.NaN()
		}
	}
}

// noisy is what a race looks like.
func noisy(calls int, _ system.Flags, r result) {
	for k := range r.value {
		r.value[k] *= 1 + 0.01*float64(calls%7)
	}
}

// even rounds a width down, as kernels do that take two features at a time.
func even(_ result, _, feature, width int) bool { return feature < width&^1 }

func firstHead(_ result, head, _, _ int) bool { return head == 0 }

func withEdges(r result, _, _, _ int) bool { return r.edges > 0 }

// firstPart leaves wide outputs unwritten behind the width of a block.
func firstPart(_ result, _, feature, _ int) bool { return feature < 2 }

// headZero takes the values of the first head for all.
func headZero(w *matrix, _ *graph, e, _ int) int { return e * w.heads }

// finite is what kernels do that mask by comparing.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// overrun writes one number behind the output.
func overrun(_, out *tensor.Tensor) {
	if d := tensor.Data[float32](out); len(d) > 0 {
		unsafe.Slice(&d[0], len(d)+1)[len(d)] = 0
	}
}

// clobber uses an operand as scratch space.
func clobber(operand, _ *tensor.Tensor) {
	if d := tensor.Data[float32](operand); len(d) > 0 {
		d[0] = 0
	}
}

func refuseOdd(operand, _ *tensor.Tensor) error {
	if operand.Shape()[2]%2 == 1 {
		return errors.New("the width must be even")
	}
	return nil
}

func panicOnHeads(_, out *tensor.Tensor) error {
	if out.Shape()[1] > 1 {
		panic("heads")
	}
	return nil
}

func outOfWorkspace(_, out *tensor.Tensor) error {
	if out.Size() > 100 {
		return errors.New("out of workspace")
	}
	return nil
}

func crash(_, out *tensor.Tensor) error {
	if out.Size() > 100 {
		panic("index out of range")
	}
	return nil
}

func smallOnly(_, out *tensor.Tensor) error {
	if out.Size() > 100 {
		return system.ErrUnsupported
	}
	return nil
}

// withoutRepeats stores a matrix of zeros and ones.
func withoutRepeats(vertices int, src, dst []int32) *graph {
	seen := make(map[[2]int32]bool)
	g := &graph{vertices: vertices}
	for e := range src {
		if ends := [2]int32{src[e], dst[e]}; !seen[ends] {
			seen[ends] = true
			g.add(src[e], dst[e], e)
		}
	}
	g.count()
	return g
}

// sorted stores edges by destination and forgets their numbers.
func sorted(vertices int, src, dst []int32) *graph {
	g := &graph{vertices: vertices}
	for v := range vertices {
		for e := range dst {
			if int(dst[e]) == v {
				g.add(src[e], dst[e], len(g.ids))
			}
		}
	}
	g.count()
	return g
}

// borrowed keeps the caller's slices.
func borrowed(vertices int, src, dst []int32) *graph {
	g := stored(vertices, src, dst)
	g.src, g.dst = src, dst
	return g
}

// reordered sorts the caller's slices.
func reordered(vertices int, src, dst []int32) *graph {
	g := stored(vertices, src, dst)
	copy(src, dst)
	return g
}

// noLoneVertices does not count on a graph without edges.
func noLoneVertices(vertices int, src, dst []int32) *graph {
	if len(src) == 0 {
		return nil
	}
	return stored(vertices, src, dst)
}

// half keeps 11 bits, as half precision does.
func half(v float64) float64 {
	fraction, exponent := math.Frexp(v)
	return math.Ldexp(math.Round(fraction*(1<<11)), exponent-11)
}
