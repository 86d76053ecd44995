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
	for _, b := range p.Buffers {
		x := make([]float64, s.Rows(b.Res)*b.Width())
		for i := range x {
			x[i] = math.NaN()
		}
		m.mem[b] = x
	}
	for _, v := range p.Program.Inputs() {
		copy(m.mem[p.BufferOf(v)], inputs[ir.InputKey(v)])
	}
	m.edges = map[ir.Dir][][]int{ir.In: make([][]int, s.NumDst), ir.Out: make([][]int, s.NumSrc)}
	for e := range s.Src {
		m.edges[ir.In][s.Dst[e]] = append(m.edges[ir.In][s.Dst[e]], e)
		m.edges[ir.Out][s.Src[e]] = append(m.edges[ir.Out][s.Src[e]], e)
	}
	for _, step := range p.Steps {
		switch step := step.(type) {
		case *plan.Kernel:
			for row := range s.Rows(step.Rows) {
				m.row(step, row)
			}
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
	case f.edge < 0:
		panic(fmt.Sprintf("a %v value at a %v row outside of a loop", r, f.rows))
	case r == ir.Src:
		return int(f.m.s.Src[f.edge])
	case r == ir.Dst:
		return int(f.m.s.Dst[f.edge])
	}
	return f.edge
}

func (f *frame) get(v *ir.Value) []float64 {
	v = plan.Row(v)
	if v.Op == ir.OpConst {
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
	w := b.Width()
	return m.mem[b][i*w : (i+1)*w]
}

func (m *machine) store(f *frame, s plan.Store) {
	x, w := f.get(s.Value), s.Buffer.Width()
	copy(m.mem[s.Buffer][f.index(s.Buffer.Res)*w:][:w], x)
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
				a.add(ef.get(a.v.Args[0]), e)
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
	for _, s := range k.Stores {
		m.store(f, s)
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
		case v.Op == ir.OpDegree:
			out[k] = float64(len(f.m.edges[v.Attr.Dir][f.index(v.Res)]))
		case v.Op == ir.OpWinner:
			if args[0][k] == float64(f.edge) {
				out[k] = args[1][k]
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

func (a *aggregate) add(x []float64, e int) {
	for k := range a.acc {
		switch {
		case a.v.Op == ir.OpSum:
			a.acc[k] += x[k]
		case a.arg[k] < 0, x[k] > a.acc[k], math.IsNaN(x[k]) && !math.IsNaN(a.acc[k]):
			a.acc[k], a.arg[k] = x[k], float64(e)
		}
	}
}

func (a *aggregate) result() []float64 {
	if a.v.Op == ir.OpArgmax {
		return a.arg
	}
	return a.acc
}

func (m *machine) at(b *plan.Buffer, v *ir.Value, level ir.Residency, i int) []float64 {
	f := frame{m: m, rows: level, row: i, edge: -1}
	if level == ir.Edge {
		f.edge = i
	}
	w, r := b.Width(), f.index(v.Res)
	return m.mem[b][r*w : (r+1)*w]
}

func (m *machine) total(t *plan.Total) {
	sum := make([]float64, t.Out.Width())
	for i := range m.s.Rows(t.Level) {
		for k, x := range m.at(t.In, t.Value.Args[0], t.Level, i) {
			sum[k] += x
		}
	}
	copy(m.mem[t.Out], sum)
}

func (m *machine) product(p *plan.Product) {
	v := p.Value
	last := func(v *ir.Value) int { return v.Shape[len(v.Shape)-1] }
	if v.Op == ir.OpOuter {
		n, c := last(v.Args[0]), last(v.Args[1])
		sum := make([]float64, n*c)
		for i := range m.s.Rows(p.Level) {
			x, y := m.at(p.A, v.Args[0], p.Level, i), m.at(p.B, v.Args[1], p.Level, i)
			for j := range x {
				for k := range c {
					sum[j%n*c+k] += x[j] * y[j/n*c+k]
				}
			}
		}
		copy(m.mem[p.Out], sum)
		return
	}
	w, n, c := m.mem[p.B], last(v.Args[0]), last(v)
	for i := range m.s.Rows(p.Level) {
		x := m.at(p.A, v.Args[0], p.Level, i)
		out := m.mem[p.Out][i*p.Out.Width():][:p.Out.Width()]
		for k := range out {
			out[k] = 0
			for j := range n {
				if v.Op == ir.OpMatMul {
					out[k] += x[k/c*n+j] * w[j*c+k%c]
				} else {
					out[k] += x[k/c*n+j] * w[k%c*n+j]
				}
			}
		}
	}
}
