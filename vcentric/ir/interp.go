package ir

// The reference interpreter: every value is a whole float64 tensor and every op
// a plain loop. It is slow on purpose: it defines what a program means, and
// every pass and executor must agree with it.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
)

// Structure is the graph an interpreter runs on: edge e goes from Src[e] to
// Dst[e]. For a homogeneous program NumSrc equals NumDst. Vertices and edges have
// types where Types counts any.
type Structure struct {
	NumSrc, NumDst     int
	Src, Dst           []int32
	Types              Types
	SrcTypes, DstTypes []int32 // of each vertex
	EdgeTypes          []int32 // of each edge
}

// Rows is the leading dimension of a value of residency r.
func (s *Structure) Rows(r Residency) int {
	switch r {
	case Src:
		return s.NumSrc
	case Dst:
		return s.NumDst
	case Edge:
		return len(s.Src)
	case Param:
		return 1
	}
	return s.Types.Of(r)
}

// row is the row of a value of residency r that is read at row i of a level.
func (s *Structure) row(r, level Residency, i int) int {
	switch {
	case r == Param:
		return 0
	case r == level:
		return i
	case level == Edge && r == Src:
		return int(s.Src[i])
	case level == Edge && r == Dst:
		return int(s.Dst[i])
	case level == Edge && r == EdgeType:
		return int(s.EdgeTypes[i])
	case r == SrcType:
		return int(s.SrcTypes[s.row(Src, level, i)])
	case r == DstType:
		return int(s.DstTypes[s.row(Dst, level, i)])
	}
	panic(fmt.Sprintf("BUG: ir: a %v value read at a %v row", r, level))
}

// DropoutSeed is the seed of the mask of one dropout site of a run.
func DropoutSeed(seed uint64, site int) uint64 { return rng.Fold(seed, uint64(site)) }

// Interpret runs the program; inputs are row-major tensors by input name and
// residency, as InputKey forms it. It returns the outputs by name. Ids come as
// numbers.
func Interpret(p *Program, s *Structure, inputs map[string][]float64, seed uint64) (map[string][]float64, error) {
	it := interpreter{s: s, seed: seed, vals: make(map[*Value][]float64, len(p.Values))}
	for _, v := range p.Values {
		if v.Op == OpInput {
			x, ok := inputs[InputKey(v)]
			if !ok {
				return nil, fmt.Errorf("ir: input %s is not bound", InputKey(v))
			}
			if want := s.Rows(v.Res) * v.Width(); len(x) != want {
				return nil, fmt.Errorf("ir: input %s has %d numbers, want %d", InputKey(v), len(x), want)
			}
			it.vals[v] = x
			continue
		}
		it.vals[v] = it.eval(v)
	}
	out := make(map[string][]float64, len(p.Outputs))
	for _, o := range p.Outputs {
		out[o.Name] = it.vals[o.Value]
	}
	return out, nil
}

// InputKey names an input's tensor: the name, and the side it is read from.
func InputKey(v *Value) string { return v.Attr.Name + "@" + v.Res.String() }

type interpreter struct {
	s     *Structure
	seed  uint64
	vals  map[*Value][]float64
	args  []*Value    // of the value at hand: each row reads them
	have  [][]float64 // what they are
	index [3][]int    // where a row of the value at hand reads its arguments, the same in all rows
}

// at returns the row of a, an operand of the value at hand, that is read at row i of a level.
func (it *interpreter) at(a *Value, level Residency, i int) []float64 {
	w := a.Width()
	r := it.s.row(a.Res, level, i)
	return it.have[slices.Index(it.args, a)][r*w : (r+1)*w]
}

func (it *interpreter) eval(v *Value) []float64 {
	w := v.Width()
	out := make([]float64, it.s.Rows(v.Res)*w)
	info := v.Op.Info()
	it.index = [3][]int{}
	it.args, it.have = v.Args, it.have[:0]
	for _, a := range v.Args {
		it.have = append(it.have, it.vals[a])
	}
	switch info.Class {
	case Elementwise, Layout:
		for i := range it.s.Rows(v.Res) {
			it.evalRow(v, i, out[i*w:(i+1)*w])
		}
	case Dense:
		it.evalDense(v, out)
	case Leaf:
		if v.Op == OpConst {
			out[0] = v.Attr.Num
			break
		}
		for e := range it.s.Src {
			out[it.at1(v, e)]++
		}
	case Alias:
		copy(out, it.vals[v.Args[0]])
	case Reduction:
		for i := range it.s.Rows(v.Attr.Res) {
			to := out[it.s.row(v.Attr.To, v.Attr.Res, i)*w:]
			for k, x := range it.at(v.Args[0], v.Attr.Res, i) {
				to[k] += x
			}
		}
	default:
		it.evalEdges(v, out)
	}
	return out
}

// endpoint is the vertex whose edges a direction aggregates edge e into.
func (it *interpreter) endpoint(d Dir, e int) int {
	if d == Out {
		return int(it.s.Src[e])
	}
	return int(it.s.Dst[e])
}

// at1 is the row of a scalar aggregate that edge e belongs to: its vertex, and
// its type if the aggregate is typed.
func (it *interpreter) at1(v *Value, e int) int {
	r := it.endpoint(v.Attr.Dir, e)
	if v.Attr.Typed {
		r = r*it.s.Types.Edge + int(it.s.EdgeTypes[e])
	}
	return r
}

// BroadcastIndex gives, for each element of a row of shape to, the element of a
// row of shape from that broadcasting puts there.
func BroadcastIndex(from, to Shape) []int {
	idx := make([]int, to.Size())
	for k := range idx {
		rest, stride := k, 1
		for d := len(to) - 1; d >= 0; d-- {
			pos := rest % to[d]
			rest /= to[d]
			if f := d - (len(to) - len(from)); f >= 0 {
				if from[f] != 1 {
					idx[k] += pos * stride
				}
				stride *= from[f]
			}
		}
	}
	return idx
}

func (it *interpreter) evalRow(v *Value, i int, out []float64) {
	x := it.at(v.Args[0], v.Res, i)
	info := v.Op.Info()
	index := func(n int, find func(x, y Shape) []int, x, y Shape) []int {
		if it.index[n] == nil {
			it.index[n] = find(x, y)
		}
		return it.index[n]
	}
	operand := func(n int) func(k int) float64 {
		idx := index(n, BroadcastIndex, v.Args[n].Shape, v.Shape)
		row := it.at(v.Args[n], v.Res, i)
		return func(k int) float64 { return row[idx[k]] }
	}
	switch {
	case info.Unary != nil:
		for k := range out {
			out[k] = info.Unary(&v.Attr, x[k])
		}
	case info.Binary != nil:
		a, b := operand(0), operand(1)
		for k := range out {
			out[k] = info.Binary(a(k), b(k))
		}
	case v.Op == OpSelect:
		c, a, b := operand(0), operand(1), operand(2)
		for k := range out {
			if c(k) != 0 {
				out[k] = a(k)
			} else {
				out[k] = b(k)
			}
		}
	case v.Op == OpDropout:
		seed, threshold := DropoutSeed(it.seed, v.Attr.Site), rng.Threshold(v.Attr.Num)
		for k := range out {
			if rng.Keep(seed, uint64(i*len(out)+k), threshold) {
				out[k] = x[k] * DropoutScale(v.Attr.Num)
			}
		}
	case v.Op == OpReshape:
		copy(out, x)
	case v.Op == OpExpand:
		a := operand(0)
		for k := range out {
			out[k] = a(k)
		}
	case v.Op == OpReduceTo:
		for k, j := range index(0, BroadcastIndex, v.Shape, v.Args[0].Shape) {
			out[j] += x[k]
		}
	case v.Op == OpPermute:
		for k, j := range index(0, PermuteIndex, v.Args[0].Shape, v.Attr.Shape) {
			out[k] = x[j]
		}
	case v.Op == OpMaxLast, v.Op == OpFirstMax:
		n := v.Args[0].Shape[len(v.Args[0].Shape)-1]
		for r := range len(x) / n {
			row := x[r*n : (r+1)*n]
			if first := firstMax(row); v.Op == OpMaxLast {
				out[r] = row[first]
			} else {
				out[r*n+first] = 1
			}
		}
	default:
		it.evalColumns(v, i, out)
	}
}

// firstMax is where x has its maximum first; NaN beats every number.
func firstMax(x []float64) int {
	best := 0
	for i, a := range x {
		if a > x[best] || a != a && x[best] == x[best] {
			best = i
		}
	}
	return best
}

// PermuteIndex gives, for each element of a row of shape x whose dimensions are
// put in the given order, where the row has it.
func PermuteIndex(x, order Shape) []int {
	stride := make([]int, len(x)) // of each dimension of x
	for d, n := len(x)-1, 1; d >= 0; d-- {
		stride[d] = n
		n *= x[d]
	}
	idx := make([]int, x.Size())
	for k := range idx {
		rest := k
		for i := len(order) - 1; i >= 0; i-- {
			d := order[i]
			idx[k] += rest % x[d] * stride[d]
			rest /= x[d]
		}
	}
	return idx
}

// DropoutScale is what survivors are multiplied by: 1/(1-p), and 0 where
// nothing survives.
func DropoutScale(p float64) float64 {
	if p >= 1 {
		return 0
	}
	return 1 / (1 - p)
}

// evalColumns is concat, slice and pad: moves of columns of the last dimension.
func (it *interpreter) evalColumns(v *Value, i int, out []float64) {
	cols := v.Shape[len(v.Shape)-1]
	lo := 0
	for _, a := range v.Args {
		x, from, n := it.at(a, v.Res, i), 0, a.Shape[len(a.Shape)-1]
		w := n
		switch v.Op {
		case OpSlice:
			from, n = v.Attr.Lo, cols
		case OpPad:
			lo = v.Attr.Lo
		}
		for r := 0; r*w < len(x) && r*cols < len(out); r++ {
			copy(out[r*cols+lo:r*cols+lo+n], x[r*w+from:r*w+from+n])
		}
		lo += n
	}
}

func (it *interpreter) evalDense(v *Value, out []float64) {
	if v.Op == OpOuter {
		it.evalOuter(v, out)
		return
	}
	w := v.Args[1].Shape[len(v.Args[1].Shape)-2:]
	in, outs, at := w[0], w[1], func(a, c int) int { return a*w[1] + c }
	if v.Op == OpMatMulT {
		in, outs, at = w[1], w[0], func(a, c int) int { return c*w[1] + a }
	}
	for i := range it.s.Rows(v.Res) {
		x, m := it.at(v.Args[0], v.Res, i), it.at(v.Args[1], v.Res, i)
		heads := len(m) / max(w[0]*w[1], 1)
		for r := 0; r < v.Width()/max(outs, 1); r++ {
			head := m[r%max(heads, 1)*w[0]*w[1]:]
			for c := range outs {
				var sum float64
				for a := range in {
					sum += x[r*in+a] * head[at(a, c)]
				}
				out[i*v.Width()+r*outs+c] = sum
			}
		}
	}
}

func (it *interpreter) evalOuter(v *Value, out []float64) {
	level := v.Attr.Res
	n, m, heads := v.Shape[len(v.Shape)-2], v.Shape[len(v.Shape)-1], 1
	if v.Attr.Heads {
		heads = v.Shape[0]
	}
	for i := range it.s.Rows(level) {
		x, y := it.at(v.Args[0], level, i), it.at(v.Args[1], level, i)
		to := out[it.s.row(v.Attr.To, level, i)*v.Width():]
		for r := 0; n*m*heads > 0 && r*n < len(x); r++ {
			for a := range n {
				for c := range m {
					to[(r%heads*n+a)*m+c] += x[r*n+a] * y[r*m+c]
				}
			}
		}
	}
}

func (it *interpreter) evalEdges(v *Value, out []float64) {
	w := v.Args[0].Width()
	rowOf := func(e int) int { return it.at1(v, e) * w }
	x := func(e int) []float64 { return it.at(v.Args[0], Edge, e) }
	ofType := func(a *Value, e int) []float64 { // the part of a's row that belongs to e's type
		row := it.at(a, Edge, e)
		if v.Op != OpPick && !v.Attr.Typed {
			return row
		}
		n := len(row) / it.s.Types.Edge
		return row[int(it.s.EdgeTypes[e])*n:][:n]
	}
	switch v.Op {
	case OpSum:
		for e := range it.s.Src {
			for k, a := range x(e) {
				out[rowOf(e)+k] += a
			}
		}
	case OpMax, OpArgmax:
		best, arg := it.winners(v, len(out))
		for i := range arg {
			switch {
			case v.Op == OpArgmax:
				out[i] = arg[i]
			case arg[i] >= 0:
				out[i] = best[i]
			}
		}
	case OpWinner:
		for e := range it.s.Src {
			y := ofType(v.Args[1], e)
			for k, a := range ofType(v.Args[0], e) {
				if a == float64(e) {
					out[e*len(y)+k] = y[k]
				}
			}
		}
	case OpPick:
		for e := range it.s.Src {
			copy(out[e*v.Width():(e+1)*v.Width()], ofType(v.Args[0], e))
		}
	case OpSoftmax:
		n := it.s.Rows(v.Attr.Dir.Rows()) * w
		if v.Attr.Typed {
			n *= it.s.Types.Edge
		}
		best, _ := it.winners(v, n)
		sum := make([]float64, n)
		for e := range it.s.Src {
			for k, a := range x(e) {
				out[e*w+k] = math.Exp(a - best[rowOf(e)+k])
				sum[rowOf(e)+k] += out[e*w+k]
			}
		}
		for e := range it.s.Src {
			for k := range w {
				out[e*w+k] /= sum[rowOf(e)+k]
			}
		}
	default:
		panic("BUG: ir: no reference meaning for " + v.Op.String())
	}
}

// winners finds the maximum over each row's edges and the first edge that
// attains it; NaN beats every number.
func (it *interpreter) winners(v *Value, n int) (best, arg []float64) {
	best, arg = make([]float64, n), make([]float64, n)
	for i := range arg {
		arg[i] = -1
	}
	w := v.Args[0].Width()
	for e := range it.s.Src {
		base := it.at1(v, e) * w
		for k, a := range it.at(v.Args[0], Edge, e) {
			i := base + k
			if arg[i] < 0 || a > best[i] || a != a && best[i] == best[i] {
				best[i], arg[i] = a, float64(e)
			}
		}
	}
	return best, arg
}
