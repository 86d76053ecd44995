package planted

// A plain system: a list of edges, loops, sums in float64.

import (
	"errors"
	"fmt"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// plain is a system with a fault.
type plain struct {
	name string
	fault
}

// newPlain fills in what the fault leaves right.
func newPlain(name string, f fault) *plain {
	if f.store == nil {
		f.store = stored
	}
	asAsked := func(f system.Flags) bool { return f.Transpose }
	if f.turnSpMM == nil {
		f.turnSpMM = asAsked
	}
	if f.turnSDDMM == nil {
		f.turnSDDMM = asAsked
	}
	if f.divisor == nil {
		f.divisor = rightDivisor
	}
	if f.weight == nil {
		f.weight = func(w *matrix, _ *graph, e, head int) int { return e*w.heads + head }
	}
	return &plain{name, f}
}

func (s *plain) Name() string           { return s.name }
func (s *plain) Device() *tensor.Device { return nil }
func (s *plain) Close() error           { return nil }

func (s *plain) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g := s.store(vertices, src, dst)
	if g == nil {
		return nil, errors.New("no edges")
	}
	return &plainGraph{graph: g, fault: s.fault}, nil
}

// A graph is a list of edges; the i-th has the number ids[i].
type graph struct {
	vertices int
	src, dst []int32
	ids      []int
	in, out  []int // degrees
}

func (g *graph) add(src, dst int32, id int) {
	g.src, g.dst, g.ids = append(g.src, src), append(g.dst, dst), append(g.ids, id)
}

// count sets the degrees.
func (g *graph) count() {
	g.in, g.out = make([]int, g.vertices), make([]int, g.vertices)
	for i := range g.src {
		g.out[g.src[i]]++
		g.in[g.dst[i]]++
	}
}

func stored(vertices int, src, dst []int32) *graph {
	g := &graph{vertices: vertices}
	for e := range src {
		g.add(src[e], dst[e], e)
	}
	g.count()
	return g
}

// plainGraph makes calls with a fault.
type plainGraph struct {
	*graph
	fault
	calls int
}

func (g *plainGraph) Memory() system.Memory {
	return system.Memory{Graph: int64(16*len(g.src) + 16*g.vertices)}
}

func (g *plainGraph) Close() error { return nil }

func (g *plainGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	return g.call(x, out, func() { g.aggregate(matrixOf(x), nil, matrixOf(out), f) })
}

func (g *plainGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.call(x, out, func() { g.aggregate(matrixOf(x), matrixOf(w), matrixOf(out), f) })
}

func (g *plainGraph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	return g.call(w, out, func() { g.aggregate(nil, matrixOf(w), matrixOf(out), f) })
}

func (g *plainGraph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	return g.call(x, out, func() { g.combine(matrixOf(x), matrixOf(y), nil, matrixOf(out), f) })
}

func (g *plainGraph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.call(x, out, func() { g.combine(matrixOf(x), nil, matrixOf(w), matrixOf(out), f) })
}

// call surrounds a call by what the fault does before and after.
func (g *plainGraph) call(operand, out *tensor.Tensor, work func()) error {
	if g.before != nil {
		if err := g.before(operand, out); err != nil {
			return err
		}
	}
	g.calls++
	work()
	if g.after != nil {
		g.after(operand, out)
	}
	return nil
}

// A matrix is the elements of an operand, by row, head and feature.
type matrix struct {
	data         []float32
	heads, width int
}

func matrixOf(t *tensor.Tensor) *matrix {
	if t == nil {
		return nil
	}
	return &matrix{tensor.Data[float32](t), t.Shape()[1], t.Shape()[2]}
}

func (m *matrix) at(row, head, feature int) float64 {
	return float64(m.data[(row*m.heads+head)*m.width+feature])
}

// ends returns what the i-th edge reads and writes.
func (g *plainGraph) ends(i int, turn bool) (from, to int) {
	if turn {
		return int(g.dst[i]), int(g.src[i])
	}
	return int(g.src[i]), int(g.dst[i])
}

// ofEdge is w of the i-th edge; a matrix of one feature repeats it.
func (g *plainGraph) ofEdge(w *matrix, i, head, feature int) float64 {
	return float64(w.data[g.weight(w, g.graph, g.ids[i], head)*w.width+feature%w.width])
}

// aggregate is the SpMM calls.
func (g *plainGraph) aggregate(x, w, out *matrix, f system.Flags) {
	for h := range out.heads {
		rows := make([]result, g.vertices)
		for v := range rows {
			rows[v].value = make([]float64, out.width)
		}
		for i := range g.src {
			from, to := g.ends(i, g.turnSpMM(f))
			g.reduce(&rows[to], x, w, i, from, h, f)
		}
		for v, r := range rows {
			if r.edges == 0 && f.Reduce != system.Sum {
				for k := range r.value {
					r.value[k] = g.empty
				}
			}
			g.write(out, r, v, h, out.width, f)
		}
	}
}

// reduce puts the i-th edge into a row.
func (g *plainGraph) reduce(r *result, x, w *matrix, i, from, head int, f system.Flags) {
	c := 1 / g.divisor(g.graph, f.Norm, int(g.src[i]), int(g.dst[i]), f.Transpose)
	for k, so := range r.value {
		var term float64
		switch {
		case w == nil:
			term = x.at(from, head, k)
		case x == nil:
			term = g.ofEdge(w, i, head, k)
		default:
			term = operate(f.Op, x.at(from, head, k), g.ofEdge(w, i, head, k))
		}
		if g.value != nil {
			term = g.value(term)
		}
		switch {
		case f.Reduce == system.Sum:
			r.value[k] = so + c*term
		case r.edges == 0:
			r.value[k] = term
		case f.Reduce == system.Max:
			r.value[k] = max(so, term)
		default:
			r.value[k] = min(so, term)
		}
	}
	r.edges++
}

// combine is the SDDMM calls.
func (g *plainGraph) combine(x, y, w, out *matrix, f system.Flags) {
	for i := range g.src {
		from, to := g.ends(i, g.turnSDDMM(f))
		for h := range out.heads {
			r := result{edges: 1, value: make([]float64, out.width)}
			for k := range x.width {
				at, v := k, x.at(from, h, k)
				switch {
				case f.Op == system.OpDot:
					at, v = 0, r.value[0]+v*y.at(to, h, k)
				case y != nil:
					v = operate(f.Op, v, y.at(to, h, k))
				case w != nil:
					v = operate(f.Op, g.ofEdge(w, i, h, k), v)
				}
				if g.value != nil {
					v = g.value(v)
				}
				r.value[at] = v
			}
			g.write(out, r, g.ids[i], h, x.width, f)
		}
	}
}

// write rounds a row into the output; width is that of the operands.
func (g *plainGraph) write(out *matrix, r result, row, head, width int, f system.Flags) {
	if g.finish != nil {
		g.finish(g.calls, f, r)
	}
	for k, v := range r.value {
		if g.keep != nil && !g.keep(r, head, k, width) {
			continue
		}
		at := &out.data[(row*out.heads+head)*out.width+k]
		if g.fault.add {
			v += float64(*at)
		}
		*at = float32(v)
	}
}

func operate(op system.Op, a, b float64) float64 {
	switch op {
	case system.OpMul:
		return a * b
	case system.OpAdd:
		return a + b
	case system.OpSub:
		return a - b
	case system.OpDiv:
		return a / b
	}
	panic(fmt.Sprintf("BUG: planted: operator %v", op))
}
