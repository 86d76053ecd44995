package check

// Dense matrices in float64.

import "math"

type matrix struct {
	rows, cols int
	v          []float64
}

func newMatrix(rows, cols int) *matrix { return &matrix{rows, cols, make([]float64, rows*cols)} }

func (m *matrix) at(i, j int) *float64 { return &m.v[i*m.cols+j] }
func (m *matrix) row(i int) []float64  { return m.v[i*m.cols : (i+1)*m.cols] }
func (m *matrix) get(i, j int) float64 { return m.v[i*m.cols+j] }

// times returns m n.
func (m *matrix) times(n *matrix) *matrix {
	out := newMatrix(m.rows, n.cols)
	for i := range m.rows {
		for k, a := range m.row(i) {
			for j, b := range n.row(k) {
				out.v[i*n.cols+j] += a * b
			}
		}
	}
	return out
}

func (m *matrix) transposed() *matrix {
	out := newMatrix(m.cols, m.rows)
	for i := range m.rows {
		for j := range m.cols {
			*out.at(j, i) = m.get(i, j)
		}
	}
	return out
}

// plus returns m + c n.
func (m *matrix) plus(c float64, n *matrix) *matrix {
	out := newMatrix(m.rows, m.cols)
	for i := range m.v {
		out.v[i] = m.v[i] + c*n.v[i]
	}
	return out
}

// plusRow returns m with a vector added to each row.
func (m *matrix) plusRow(b *matrix) *matrix {
	out := newMatrix(m.rows, m.cols)
	for i := range m.v {
		out.v[i] = m.v[i] + b.v[i%m.cols]
	}
	return out
}

// columnSums are a vector.
func (m *matrix) columnSums() *matrix {
	out := newMatrix(1, m.cols)
	for i, x := range m.v {
		out.v[i%m.cols] += x
	}
	return out
}

// dot is the inner product of all elements.
func (m *matrix) dot(n *matrix) float64 {
	sum := 0.0
	for i, x := range m.v {
		sum += x * n.v[i]
	}
	return sum
}

// largest is the largest magnitude.
func (m *matrix) largest() float64 {
	most := 0.0
	for _, x := range m.v {
		most = max(most, math.Abs(x))
	}
	return most
}
