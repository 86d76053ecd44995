package systems

// CSR: loops over compressed sparse rows, with gonum's vector kernels inside.

import (
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// CSR returns a system that goes over the rows of the graph by destination, or by
// source if transposed, in parallel, and adds and multiplies rows of features by
// gonum's Axpy and Dot in float32 (gonum has no sparse product of its own). What these
// cannot do, such as extremes and products element by element, is plain loops.
func CSR() system.System { return csr{} }

type csr struct{}

func (csr) Name() string           { return "csr" }
func (csr) Device() *tensor.Device { return nil }
func (csr) Close() error           { return nil }

func (csr) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := newRowsGraph(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	return &csrGraph{g}, nil
}

type csrGraph struct{ *rowsGraph }

func (g *csrGraph) Close() error { return nil }

func (g *csrGraph) Memory() system.Memory { return system.Memory{Graph: g.bytes()} }

func (g *csrGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	g.rows(x, out, f, func(u, _ int32) int { return int(u) })
	return nil
}

func (g *csrGraph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	g.rows(w, out, f, func(_, e int32) int { return int(e) })
	return nil
}

// rows reduces the rows of x that at finds for a neighbour and its edge.
func (g *csrGraph) rows(x, out *tensor.Tensor, f system.Flags, at func(u, e int32) int) {
	values, n := rowsOf(x)
	g.reduce(out, f, func(row []float32, u, e int32, c float32, first bool) {
		other := values[at(u, e)*n:][:n]
		switch {
		case f.Reduce == system.Sum:
			axpy(c, other, row)
		case first:
			copy(row, other)
		default:
			extremes(f.Reduce, row, other)
		}
	})
}

func (g *csrGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	values, n := rowsOf(x)
	weights, m := rowsOf(w)
	width, wide := x.Shape()[2], w.Shape()[2]
	scales := f.Reduce == system.Sum && wide == 1 && (f.Op == system.OpMul || f.Op == system.OpDiv)
	g.reduce(out, f, func(row []float32, u, e int32, c float32, first bool) {
		a, b := values[int(u)*n:][:n], weights[int(e)*m:][:m]
		if !scales {
			fold(row, a, b, width, wide, c, f, first)
			return
		}
		for h, weight := range b {
			if f.Op == system.OpDiv {
				weight = 1 / weight
			}
			axpy(c*weight, a[h*width:(h+1)*width], row[h*width:(h+1)*width])
		}
	})
	return nil
}

// reduce calls add for each edge of each row, which is 0 before the first: with the
// neighbour, the edge and its coefficient.
func (g *csrGraph) reduce(out *tensor.Tensor, f system.Flags, add func(row []float32, u, e int32, c float32, first bool)) {
	rows, coefficients := g.into(f), g.coefficients(f.Norm)
	result, n := rowsOf(out)
	forRows(rows, n, func(v int) {
		row := result[v*n : (v+1)*n]
		clear(row)
		neighbours, ids := rows.Row(v)
		for k, u := range neighbours {
			e, c := ids[k], float32(1)
			if coefficients != nil {
				c = coefficients[e]
			}
			add(row, u, e, c, k == 0)
		}
	})
}

// fold adds c (a ⊗ b) to a row, or puts the extreme of both there; b has the width of
// a's heads or 1.
func fold(row, a, b []float32, width, wide int, c float32, f system.Flags, first bool) {
	for i := range row {
		j := i
		if wide != width {
			j = i / width
		}
		x := each(f.Op, a[i], b[j])
		switch {
		case f.Reduce == system.Sum:
			row[i] += c * x
		case first:
			row[i] = x
		case f.Reduce == system.Max:
			row[i] = max(row[i], x)
		default:
			row[i] = min(row[i], x)
		}
	}
}

// each is a ⊗ b.
func each(op system.Op, a, b float32) float32 {
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

func (g *csrGraph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	from, to := g.ends(f)
	xs, n := rowsOf(x)
	ys, _ := rowsOf(y)
	result, m := rowsOf(out)
	width := x.Shape()[2]
	forEdges(len(from), n, func(lo, hi int) {
		for e := lo; e < hi; e++ {
			a, b, row := xs[int(from[e])*n:][:n], ys[int(to[e])*n:][:n], result[e*m:(e+1)*m]
			for i := range row {
				if f.Op == system.OpDot {
					row[i] = dot(a[i*width:(i+1)*width], b[i*width:(i+1)*width])
				} else {
					row[i] = each(f.Op, a[i], b[i])
				}
			}
		}
	})
	return nil
}

func (g *csrGraph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	from, _ := g.ends(f)
	xs, n := rowsOf(x)
	result, _ := rowsOf(out)
	if f.Op == system.OpCopy {
		forEdges(len(from), n, func(lo, hi int) {
			for e := lo; e < hi; e++ {
				copy(result[e*n:(e+1)*n], xs[int(from[e])*n:])
			}
		})
		return nil
	}
	weights, m := rowsOf(w)
	width := x.Shape()[2]
	forEdges(len(from), n, func(lo, hi int) {
		for e := lo; e < hi; e++ {
			a, b, row := xs[int(from[e])*n:][:n], weights[e*m:(e+1)*m], result[e*n:(e+1)*n]
			for i := range row {
				j := i
				if m != n {
					j = i / width
				}
				row[i] = each(f.Op, b[j], a[i])
			}
		}
	})
	return nil
}

var vectors gonum.Implementation

// axpy is y += c x.
func axpy(c float32, x, y []float32) {
	if c == 0 { // gonum leaves y as it is, also if x is not finite
		for i := range y {
			y[i] += c * x[i]
		}
		return
	}
	vectors.Saxpy(len(y), c, x, 1, y, 1)
}

func dot(x, y []float32) float32 { return vectors.Sdot(len(x), x, 1, y, 1) }
