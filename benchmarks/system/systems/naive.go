package systems

// Naive: what the formulas say, edge by edge.

import (
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// Naive returns a system that walks the list of edges in the order given, on one
// thread, and adds up in float64: the simplest that is right, and what every other
// system should beat.
func Naive() system.System { return naive{} }

type naive struct{}

func (naive) Name() string           { return "naive" }
func (naive) Device() *tensor.Device { return nil }
func (naive) Close() error           { return nil }

func (naive) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := newEdges(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	return &naiveGraph{edges: g}, nil
}

type naiveGraph struct {
	*edges
	sums []float64 // of the vertices
	seen []bool    // vertices that have a value yet
}

func (g *naiveGraph) Close() error { return nil }

func (g *naiveGraph) Memory() system.Memory {
	return system.Memory{Graph: g.bytes(), Workspace: 8*int64(cap(g.sums)) + int64(cap(g.seen))}
}

func (g *naiveGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	values, n := rowsOf(x)
	g.reduce(out, f, func(e, i int) float64 { return float64(values[int(from[e])*n+i]) })
	return nil
}

func (g *naiveGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	values, n := rowsOf(x)
	weight := ofEdges(w, x)
	g.reduce(out, f, func(e, i int) float64 {
		return apply(f.Op, float64(values[int(from[e])*n+i]), weight(e, i))
	})
	return nil
}

func (g *naiveGraph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	g.reduce(out, f, ofEdges(w, w))
	return nil
}

// reduce writes the reduction of value(e, i) times the coefficient, over the edges e of
// each vertex, for the features i of all heads.
func (g *naiveGraph) reduce(out *tensor.Tensor, f system.Flags, value func(e, i int) float64) {
	result, n := rowsOf(out)
	if cap(g.sums) < len(result) {
		g.sums = make([]float64, len(result))
	}
	if g.seen == nil {
		g.seen = make([]bool, g.vertices)
	}
	sums := g.sums[:len(result)]
	clear(sums)
	clear(g.seen)
	_, to := g.ends(f)
	for e, v := range to {
		c := g.coefficient(f.Norm, g.src[e], g.dst[e])
		row := sums[int(v)*n : (int(v)+1)*n]
		for i := range row {
			switch x := value(e, i); {
			case f.Reduce == system.Sum:
				row[i] += c * x
			case !g.seen[v]:
				row[i] = x
			case f.Reduce == system.Max:
				row[i] = max(row[i], x)
			default:
				row[i] = min(row[i], x)
			}
		}
		g.seen[v] = true
	}
	for i, x := range sums {
		result[i] = float32(x)
	}
}

func (g *naiveGraph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	from, to := g.ends(f)
	xs, n := rowsOf(x)
	ys, _ := rowsOf(y)
	result, m := rowsOf(out)
	for e := range from {
		a, b := xs[int(from[e])*n:][:n], ys[int(to[e])*n:][:n]
		row := result[e*m : (e+1)*m]
		if f.Op == system.OpDot {
			width := x.Shape()[2]
			for h := range row {
				sum := 0.0
				for i := h * width; i < (h+1)*width; i++ {
					sum += float64(a[i]) * float64(b[i])
				}
				row[h] = float32(sum)
			}
			continue
		}
		for i := range row {
			row[i] = float32(apply(f.Op, float64(a[i]), float64(b[i])))
		}
	}
	return nil
}

func (g *naiveGraph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	xs, n := rowsOf(x)
	result, _ := rowsOf(out)
	var weight func(e, i int) float64
	if f.Op != system.OpCopy {
		weight = ofEdges(w, x)
	}
	for e, u := range from {
		for i := range n {
			v := float64(xs[int(u)*n+i])
			if f.Op != system.OpCopy {
				v = apply(f.Op, weight(e, i), v)
			}
			result[e*n+i] = float32(v)
		}
	}
	return nil
}

// apply is a ⊗ b.
func apply(op system.Op, a, b float64) float64 {
	switch op {
	case system.OpAdd:
		return a + b
	case system.OpSub:
		return a - b
	case system.OpDiv:
		return a / b
	}
	return a * b
}

// rowsOf returns the elements of a tensor of the CPU, and how many a row has.
func rowsOf(t *tensor.Tensor) (data []float32, n int) {
	s := t.Shape()
	return tensor.Data[float32](t), s[1] * s[2]
}

// ofEdges reads the value of edge e beside feature i of x's heads, where w has x's
// width or 1.
func ofEdges(w, x *tensor.Tensor) func(e, i int) float64 {
	values, n := rowsOf(w)
	width := x.Shape()[2]
	if w.Shape()[2] == width {
		return func(e, i int) float64 { return float64(values[e*n+i]) }
	}
	return func(e, i int) float64 { return float64(values[e*n+i/width]) }
}
