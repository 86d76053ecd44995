package systems

// Gather and scatter: a tensor of a row for each edge between any two operations, as
// frameworks without fused kernels have it.

import (
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// GatherScatter returns a system that gathers the rows of vertices to a tensor
// [E H F], computes with it as a whole, and reduces it over compressed sparse rows, as
// PyTorch Geometric does without fused kernels. All three are parallel; gathering and
// computing are operations of package tensor, which make their results: those of edges
// are copied to the caller's output.
func GatherScatter() system.System { return gatherScatter{} }

type gatherScatter struct{}

func (gatherScatter) Name() string           { return "gatherscatter" }
func (gatherScatter) Device() *tensor.Device { return nil }
func (gatherScatter) Close() error           { return nil }

func (gatherScatter) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := newRowsGraph(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	return &messages{rowsGraph: g}, nil
}

type messages struct {
	*rowsGraph
	held, peak int64 // bytes of tensors of edges: now, and at most
}

func (g *messages) Close() error { return nil }

// Memory counts as workspace the most that tensors of edges have taken in a call.
func (g *messages) Memory() system.Memory {
	return system.Memory{Graph: g.bytes(), Workspace: g.peak}
}

// take counts a tensor as workspace; drop frees it.
func (g *messages) take(t *tensor.Tensor) *tensor.Tensor {
	g.held += t.Bytes()
	g.peak = max(g.peak, g.held)
	return t
}

func (g *messages) drop(t *tensor.Tensor) {
	g.held -= t.Bytes()
	t.Free()
}

func (g *messages) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	m := g.take(tensor.IndexSelect(x, from))
	g.scatter(out, g.normalised(m, f), f)
	return nil
}

func (g *messages) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	gathered := g.take(tensor.IndexSelect(x, from))
	m := g.take(together(f.Op, gathered, w))
	g.drop(gathered)
	g.scatter(out, g.normalised(m, f), f)
	return nil
}

func (g *messages) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	g.reduce(out, w, f)
	return nil
}

func (g *messages) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	from, to := g.ends(f)
	a := g.take(tensor.IndexSelect(x, from))
	b := g.take(tensor.IndexSelect(y, to))
	m := g.take(together(f.Op, a, b))
	g.drop(a)
	g.drop(b)
	if f.Op == system.OpDot {
		products := m
		m = g.take(tensor.Sum(products, true, 2))
		g.drop(products)
	}
	out.CopyFrom(m)
	g.drop(m)
	return nil
}

func (g *messages) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	m := g.take(tensor.IndexSelect(x, from))
	if f.Op != system.OpCopy {
		gathered := m
		m = g.take(together(f.Op, w, gathered))
		g.drop(gathered)
	}
	out.CopyFrom(m)
	g.drop(m)
	return nil
}

// together is a ⊗ b, element by element, where w may have width 1.
func together(op system.Op, a, b *tensor.Tensor) *tensor.Tensor {
	switch op {
	case system.OpAdd:
		return tensor.Add(a, b)
	case system.OpSub:
		return tensor.Sub(a, b)
	case system.OpDiv:
		return tensor.Div(a, b)
	}
	return tensor.Mul(a, b)
}

// normalised is m times the coefficients; m is dropped.
func (g *messages) normalised(m *tensor.Tensor, f system.Flags) *tensor.Tensor {
	c := g.coefficients(f.Norm)
	if c == nil {
		return m
	}
	scaled := g.take(tensor.Mul(m, tensor.FromSlice(c, len(c), 1, 1)))
	g.drop(m)
	return scaled
}

// scatter reduces m and drops it.
func (g *messages) scatter(out, m *tensor.Tensor, f system.Flags) {
	g.reduce(out, m, f)
	g.drop(m)
}

// reduce writes the reduction of the rows of m over each vertex's edges.
func (g *messages) reduce(out, m *tensor.Tensor, f system.Flags) {
	csr := g.into(f)
	result, n := rowsOf(out)
	values, _ := rowsOf(m)
	sum := kern.For[float32]().GatherSum
	forRows(csr, n, func(v int) {
		row := result[v*n : (v+1)*n]
		clear(row)
		switch _, ids := csr.Row(v); {
		case len(ids) == 0:
		case f.Reduce == system.Sum:
			sum(row, values, n, ids)
		default:
			copy(row, values[int(ids[0])*n:])
			for _, e := range ids[1:] {
				extremes(f.Reduce, row, values[int(e)*n:])
			}
		}
	})
}

// extremes puts into row what of it and other is the extreme.
func extremes(r system.Reduce, row, other []float32) {
	if r == system.Max {
		for i := range row {
			row[i] = max(row[i], other[i])
		}
		return
	}
	for i := range row {
		row[i] = min(row[i], other[i])
	}
}
