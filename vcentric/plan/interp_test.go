package plan_test

// An interpreter of plans: buffers in memory, kernels row by row with a map for
// their registers, every op in its plainest form on float64. It shares with the
// IR's interpreter only the element-wise functions of the op table, and reads
// nothing that the plan does not say is there: buffers start as NaN, and a
// value that is in no register and no buffer is a fault.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

//
// Buffers lie in the slots of the plan. A buffer is NaN again when its turn in
// the slot begins, and what lived there before is lost.

type machine struct {
	p     *plan.Plan
	s     *ir.Structure
	seed  uint64
	mem   map[*plan.Buffer][]float64
	edges map[ir.Dir][][]int // of each row, in id order
}

// execute runs a plan. Inputs are by ir.InputKey; the result is by output name.
func execute(p *plan.Plan, s *ir.Structure, inputs map[string][]float64, seed uint64) map[string][]float64 {
	m := &machine{p: p, s: s, seed: seed, mem: make(map[*plan.Buffer][]float64)}
	slots := make([][]float64, len(p.Slots))
	for _, b := range p.Buffers {
		n := s.Rows(b.Res) * b.Width()
		switch {
		case b.Slot < 0:
			m.mem[b] = make([]float64, n)
		case slots[b.Slot] == nil:
			slots[b.Slot] = make([]float64, n)
			fallthrough
		default:
			if m.mem[b] = slots[b.Slot]; len(slots[b.Slot]) != n {
				panic(fmt.Sprintf("buffer %d has %d numbers in a slot of %d", b.Index, n, len(slots[b.Slot])))
			}
		}
	}
	for _, v := range p.Program.Inputs() {
		copy(m.mem[p.BufferOf(v)], inputs[ir.InputKey(v)])
	}
	m.edges = map[ir.Dir][][]int{ir.In: make([][]int, s.NumDst), ir.Out: make([][]int, s.NumSrc)}
	for e := range s.Src {
		m.edges[ir.In][s.Dst[e]] = append(m.edges[ir.In][s.Dst[e]], e)
		m.edges[ir.Out][s.Src[e]] = append(m.edges[ir.Out][s.Src[e]], e)
	}
	for i, step := range p.Steps {
		for _, b := range p.Buffers {
			if b.First == i {
				fill(m.mem[b], math.NaN())
			}
		}
		switch step := step.(type) {
		case *plan.Kernel:
			m.kernel(step)
		case *plan.Product:
			m.product(step)
		case *plan.Total:
			m.total(step)
		}
	}
	out := make(map[string][]float64)
	for i, o := range p.Program.Outputs {
		out[o.Name] = m.mem[p.Outputs[i]]
	}
	return out
}

// frame is what one row of a kernel, or one edge of it, can see.
type frame struct {
	m         *machine
	rows      ir.Residency
	row, edge int // edge is -1 outside of loops
	regs      map[*ir.Value][]float64
	outer     *frame // an edge's frame sees its row's registers
}

// index is the row of a tensor of residency r that the frame reads.
func (f *frame) index(r ir.Residency) int {
	switch {
	case r == ir.Param:
		return 0
	case r == f.rows:
		return f.row
	case r == ir.SrcType:
		return int(f.m.s.SrcTypes[f.index(ir.Src)])
	case r == ir.DstType:
		return int(f.m.s.DstTypes[f.index(ir.Dst)])
	case f.edge < 0:
		panic(fmt.Sprintf("a %v value at a %v row outside of a loop", r, f.rows))
	case r == ir.Src:
		return int(f.m.s.Src[f.edge])
	case r == ir.Dst:
		return int(f.m.s.Dst[f.edge])
	case r == ir.EdgeType:
		return int(f.m.s.EdgeTypes[f.edge])
	}
	return f.edge
}

func (f *frame) get(v *ir.Value) []float64 {
	v = plan.Row(v)
	if isNumber(v) {
		for v.Op != ir.OpConst {
			v = v.Args[0]
		}
		return []float64{v.Attr.Num}
	}
	for g := f; g != nil; g = g.outer {
		if x, ok := g.regs[v]; ok {
			return x
		}
	}
	return f.m.read(v, f.index(v.Res))
}

func (m *machine) read(v *ir.Value, i int) []float64 {
	b := m.p.BufferOf(v)
	if b == nil {
		panic(fmt.Sprintf("%v is in no register and no buffer", v))
	}
	w := v.Width() // a stack of types is one row of many
	return m.mem[b][i*w : (i+1)*w]
}

func (m *machine) store(f *frame, s plan.Store) {
	x, w := f.get(s.Value), s.Buffer.Width()
	copy(m.mem[s.Buffer][f.index(s.Buffer.Res)*w:][:w], x)
}

func (m *machine) kernel(k *plan.Kernel) {
	sums := append([]plan.Sum(nil), k.Totals...)
	for _, lp := range k.Loops {
		sums = append(sums, lp.Totals...)
	}
	for _, s := range sums {
		fill(m.mem[s.Out], 0)
	}
	for row := range m.s.Rows(k.Rows) {
		m.row(k, row)
	}
}

func (m *machine) row(k *plan.Kernel, row int) {
	f := &frame{m: m, rows: k.Rows, row: row, edge: -1, regs: make(map[*ir.Value][]float64)}
	for _, v := range k.Pre {
		f.regs[v] = f.eval(v)
	}
	for _, lp := range k.Loops {
		acc := make([]*aggregate, len(lp.Reduce))
		for i, v := range lp.Reduce {
			acc[i] = newAggregate(v)
		}
		for _, e := range m.edges[ir.Over(k.Rows)][row] {
			ef := &frame{m: m, rows: k.Rows, row: row, edge: e, regs: make(map[*ir.Value][]float64), outer: f}
			for _, v := range lp.Edge {
				ef.regs[v] = ef.eval(v)
			}
			for _, a := range acc {
				a.add(ef.get(a.v.Args[0]), e, m.typeOf(a.v, e))
			}
			for _, s := range lp.Totals {
				ef.sum(s)
			}
			for _, s := range lp.Stores {
				m.store(ef, s)
			}
		}
		for _, a := range acc {
			f.regs[a.v] = a.result()
		}
		for _, v := range lp.Post {
			f.regs[v] = f.eval(v)
		}
	}
	for _, s := range k.Totals {
		f.sum(s)
	}
	for _, s := range k.Stores {
		m.store(f, s)
	}
}

// typeOf is the type of edge e if v is an op for each type, else 0.
func (m *machine) typeOf(v *ir.Value, e int) int {
	if v.Attr.Typed || v.Op == ir.OpPick {
		return int(m.s.EdgeTypes[e])
	}
	return 0
}

// sum adds what the frame sees to a total.
func (f *frame) sum(s plan.Sum) {
	v := s.Value
	to := f.m.mem[s.Out][f.index(v.Res)*v.Width():][:v.Width()]
	x := f.get(v.Args[0])
	if v.Op == ir.OpTotal {
		addTo(to, x)
	} else {
		outer(to, v, x, f.get(v.Args[1]))
	}
}

func addTo(to, x []float64) {
	for k := range to {
		to[k] += x[k]
	}
}

// outer adds the products of x's and y's columns, of each head or of all.
func outer(to []float64, v *ir.Value, x, y []float64) {
	n, c, heads := last(v.Args[0]), last(v.Args[1]), 1
	if v.Attr.Heads {
		heads = v.Shape[0]
	}
	for j := range x {
		for k := range c {
			head := j / n % heads
			to[(head*n+j%n)*c+k] += x[j] * y[j/n*c+k]
		}
	}
}

// product is one row x times a matrix, or one for each head.
func product(v *ir.Value, x, w []float64) []float64 {
	out := make([]float64, v.Width())
	n, c := last(v.Args[0]), last(v)
	heads := 1
	if len(v.Args[1].Shape) == 3 {
		heads = v.Args[1].Shape[0]
	}
	for k := range out {
		m := w[k/c%heads*n*c:]
		for j := range n {
			if v.Op == ir.OpMatMul {
				out[k] += x[k/c*n+j] * m[j*c+k%c]
			} else {
				out[k] += x[k/c*n+j] * m[k%c*n+j]
			}
		}
	}
	return out
}

func last(v *ir.Value) int { return v.Shape[len(v.Shape)-1] }

func fill(x []float64, a float64) {
	for i := range x {
		x[i] = a
	}
}

// eval computes a row of v.
func (f *frame) eval(v *ir.Value) []float64 {
	out := make([]float64, v.Width())
	args := make([][]float64, len(v.Args))
	for i, a := range v.Args {
		args[i] = f.get(a)
	}
	arg := func(i, k int) float64 { return args[i][ir.BroadcastIndex(v.Args[i].Shape, v.Shape)[k]] }
	info := v.Op.Info()
	if info.Class == ir.Dense {
		return product(v, args[0], args[1])
	}
	cols := 1
	if n := len(v.Shape); n > 0 {
		cols = v.Shape[n-1]
	}
	for k := range out {
		switch {
		case info.Unary != nil:
			out[k] = info.Unary(&v.Attr, args[0][k])
		case info.Binary != nil:
			out[k] = info.Binary(arg(0, k), arg(1, k))
		case v.Op == ir.OpSelect && arg(0, k) != 0:
			out[k] = arg(1, k)
		case v.Op == ir.OpSelect:
			out[k] = arg(2, k)
		case v.Op == ir.OpDropout:
			id := uint64(f.index(v.Attr.Res)*len(out) + k)
			if rng.Keep(ir.DropoutSeed(f.m.seed, v.Attr.Site), id, rng.Threshold(v.Attr.Num)) {
				out[k] = args[0][k] * ir.DropoutScale(v.Attr.Num)
			}
		case v.Op == ir.OpReshape:
			out[k] = args[0][k]
		case v.Op == ir.OpExpand:
			out[k] = arg(0, k)
		case v.Op == ir.OpReduceTo:
			for j, to := range ir.BroadcastIndex(v.Shape, v.Args[0].Shape) {
				if to == k {
					out[k] += args[0][j]
				}
			}
		case v.Op == ir.OpConcat:
			c := k % cols
			for i, a := range v.Args {
				n := a.Shape[len(a.Shape)-1]
				if c < n {
					out[k] = args[i][k/cols*n+c]
					break
				}
				c -= n
			}
		case v.Op == ir.OpSlice:
			n := v.Args[0].Shape[len(v.Shape)-1]
			out[k] = args[0][k/cols*n+k%cols+v.Attr.Lo]
		case v.Op == ir.OpPad:
			n := v.Args[0].Shape[len(v.Shape)-1]
			if c := k%cols - v.Attr.Lo; c >= 0 && c < n {
				out[k] = args[0][k/cols*n+c]
			}
		case v.Op == ir.OpPermute:
			out[k] = args[0][ir.PermuteIndex(v.Args[0].Shape, v.Attr.Shape)[k]]
		case v.Op == ir.OpMaxLast:
			n := last(v.Args[0])
			out[k] = args[0][k*n+firstMax(args[0][k*n:(k+1)*n])]
		case v.Op == ir.OpFirstMax:
			if firstMax(args[0][k/cols*cols:(k/cols+1)*cols]) == k%cols {
				out[k] = 1
			}
		case v.Op == ir.OpDegree:
			for _, e := range f.m.edges[v.Attr.Dir][f.index(v.Res)] {
				if f.m.typeOf(v, e) == k {
					out[k]++
				}
			}
		case v.Op == ir.OpPick:
			out[k] = args[0][f.m.typeOf(v, f.edge)*len(out)+k]
		case v.Op == ir.OpWinner:
			at := f.m.typeOf(v, f.edge)*len(out) + k
			if args[0][at] == float64(f.edge) {
				out[k] = args[1][at]
			}
		default:
			panic("no kernel computes " + v.String())
		}
	}
	return out
}

// aggregate is an accumulator of one row.
type aggregate struct {
	v        *ir.Value
	acc, arg []float64
}

func newAggregate(v *ir.Value) *aggregate {
	a := &aggregate{v: v, acc: make([]float64, v.Width()), arg: make([]float64, v.Width())}
	for k := range a.arg {
		a.arg[k] = -1
	}
	return a
}

// add takes in the value x of edge e, at the place of its type.
func (a *aggregate) add(x []float64, e, typ int) {
	for i := range x {
		k := typ*len(x) + i
		switch {
		case a.v.Op == ir.OpSum:
			a.acc[k] += x[i]
		case a.arg[k] < 0, x[i] > a.acc[k], math.IsNaN(x[i]) && !math.IsNaN(a.acc[k]):
			a.acc[k], a.arg[k] = x[i], float64(e)
		}
	}
}

func (a *aggregate) result() []float64 {
	if a.v.Op == ir.OpArgmax {
		return a.arg
	}
	return a.acc
}

// firstMax is where x is largest first, or first NaN.
func firstMax(x []float64) int {
	for i, a := range x {
		if math.IsNaN(a) {
			return i
		}
	}
	best := 0
	for i, a := range x {
		if a > x[best] {
			best = i
		}
	}
	return best
}

// level is what row i of a level sees.
func (m *machine) level(level ir.Residency, i int) *frame {
	f := &frame{m: m, rows: level, row: i, edge: -1}
	if level == ir.Edge {
		f.edge = i
	}
	return f
}

// at is the row of v, which lies in b, that the frame sees.
func (f *frame) at(b *plan.Buffer, v *ir.Value) []float64 {
	w, r := v.Width(), f.index(v.Res)
	return f.m.mem[b][r*w : (r+1)*w]
}

func (m *machine) total(t *plan.Total) {
	fill(m.mem[t.Out], 0)
	for i := range m.s.Rows(t.Level) {
		f := m.level(t.Level, i)
		addTo(f.at(t.Out, t.Value), f.at(t.In, t.Value.Args[0]))
	}
}

func (m *machine) product(p *plan.Product) {
	v := p.Value
	if v.Op == ir.OpOuter {
		fill(m.mem[p.Out], 0)
	}
	for i := range m.s.Rows(p.Level) {
		f := m.level(p.Level, i)
		x, y := f.at(p.A, v.Args[0]), f.at(p.B, v.Args[1])
		if v.Op == ir.OpOuter {
			outer(f.at(p.Out, v), v, x, y)
		} else {
			copy(f.at(p.Out, v), product(v, x, y))
		}
	}
}
