// Arrays and CSR matrices as the file formats give them, not yet trusted.

package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// array is a NumPy array in row-major order, of integers or of floats.
type array struct {
	shape  []int
	ints   []int64   // nil if floats
	floats []float32 // nil if ints
}

// maxDims bounds the dimensions of an array, as NumPy does, and so the length of
// messages about its shape.
const maxDims = 64

// checkShape refuses a shape unless it holds exactly size bytes. It cannot
// overflow. One that holds none may have other dimensions up to 2^31-1.
func checkShape(shape []int, itemSize, size int) error {
	if len(shape) > maxDims {
		return fmt.Errorf("a shape of %d dimensions", len(shape))
	}
	bytes := itemSize
	if slices.Contains(shape, 0) {
		bytes = 0
	}
	for _, d := range shape {
		if d < 0 || bytes == 0 && d > math.MaxInt32 || d > 0 && bytes > size/d {
			return fmt.Errorf("shape %v of %d-byte elements does not fit %d bytes", shape, itemSize, size)
		}
		bytes *= d
	}
	if bytes != size {
		return fmt.Errorf("shape %v of %d-byte elements needs %d bytes, there are %d", shape, itemSize, bytes, size)
	}
	return nil
}

// itemSize returns the bytes of an element, 0 for types that are not read.
func itemSize(code string) int {
	switch code {
	case "i1", "u1", "b1":
		return 1
	case "i2", "u2":
		return 2
	case "i4", "u4", "f4":
		return 4
	case "i8", "u8", "f8":
		return 8
	}
	return 0
}

// isFloat tells whether elements of a type that is read are kept as floats.
func isFloat(code string) bool { return code[0] == 'f' }

// decodeArray returns an array of elements of a type that is read, which fill raw.
func decodeArray(shape []int, code string, order binary.ByteOrder, raw []byte) (*array, error) {
	size := itemSize(code)
	n := len(raw) / size
	a := &array{shape: shape}
	if isFloat(code) {
		a.floats = make([]float32, n)
	} else {
		a.ints = make([]int64, n)
	}
	for i := range n {
		b := raw[i*size:]
		switch code {
		case "f4":
			a.floats[i] = math.Float32frombits(order.Uint32(b))
		case "f8":
			a.floats[i] = float32(math.Float64frombits(order.Uint64(b)))
		case "i1":
			a.ints[i] = int64(int8(b[0]))
		case "u1", "b1":
			a.ints[i] = int64(b[0])
		case "i2":
			a.ints[i] = int64(int16(order.Uint16(b)))
		case "u2":
			a.ints[i] = int64(order.Uint16(b))
		case "i4":
			a.ints[i] = int64(int32(order.Uint32(b)))
		case "u4":
			a.ints[i] = int64(order.Uint32(b))
		case "i8":
			a.ints[i] = int64(order.Uint64(b))
		case "u8":
			x := order.Uint64(b)
			if x > math.MaxInt64 {
				return nil, fmt.Errorf("element %d: %d does not fit 63 bits", i, x)
			}
			a.ints[i] = int64(x)
		}
	}
	return a, nil
}

// int32s returns the elements of a vector of integers.
func (a *array) int32s() ([]int32, error) {
	if len(a.shape) != 1 || a.ints == nil {
		return nil, fmt.Errorf("not a vector of integers (shape %v)", a.shape)
	}
	out := make([]int32, len(a.ints))
	for i, x := range a.ints {
		if x < math.MinInt32 || x > math.MaxInt32 {
			return nil, fmt.Errorf("element %d: %d does not fit 32 bits", i, x)
		}
		out[i] = int32(x)
	}
	return out, nil
}

// float32s returns the elements of a vector of numbers.
func (a *array) float32s() ([]float32, error) {
	if len(a.shape) != 1 {
		return nil, fmt.Errorf("not a vector (shape %v)", a.shape)
	}
	return a.numbers(), nil
}

// matrix returns a matrix of numbers.
func (a *array) matrix() (*tensor.Tensor, error) {
	switch {
	case len(a.shape) != 2:
		return nil, fmt.Errorf("not a matrix (shape %v)", a.shape)
	case a.shape[1] > maxColumns:
		return nil, fmt.Errorf("a matrix of %d rows and %d columns", a.shape[0], a.shape[1])
	}
	return tensor.FromSlice(a.numbers(), a.shape...), nil
}

// numbers returns the elements, whatever they are.
func (a *array) numbers() []float32 {
	if a.ints == nil {
		return a.floats
	}
	out := make([]float32, len(a.ints))
	for i, x := range a.ints {
		out[i] = float32(x)
	}
	return out
}

// dims returns the two elements of a matrix shape.
func (a *array) dims() (rows, cols int, err error) {
	v, err := a.int32s()
	if err != nil {
		return 0, 0, err
	}
	if len(v) != 2 || v[0] < 0 || v[1] < 0 {
		return 0, 0, fmt.Errorf("%v is not the shape of a matrix", v)
	}
	return int(v[0]), int(v[1]), nil
}

// csr is a matrix in compressed sparse row form. Columns may come in any order
// within a row and may repeat.
type csr struct {
	rows, cols      int
	indptr, indices []int32
	values          []float32
}

// maxColumns bounds the width of a feature matrix: a wider one is a fault of
// the file, and would only fail later, in the allocation of weights.
const maxColumns = 1 << 24

func newCSR(rows, cols int, indptr, indices, values *array) (*csr, error) {
	m := &csr{rows: rows, cols: cols}
	var err error
	if m.indptr, err = indptr.int32s(); err != nil {
		return nil, fmt.Errorf("indptr: %w", err)
	}
	if m.indices, err = indices.int32s(); err != nil {
		return nil, fmt.Errorf("indices: %w", err)
	}
	if m.values, err = values.float32s(); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return m, m.check()
}

func (m *csr) check() error {
	switch {
	case m.rows < 0 || m.cols < 0 || m.cols > maxColumns:
		return fmt.Errorf("a matrix of %d rows and %d columns", m.rows, m.cols)
	case len(m.indptr) != m.rows+1:
		return fmt.Errorf("indptr has %d entries for %d rows", len(m.indptr), m.rows)
	case len(m.values) != len(m.indices):
		return fmt.Errorf("%d values for %d indices", len(m.values), len(m.indices))
	case m.indptr[0] != 0 || int(m.indptr[m.rows]) != len(m.indices):
		return fmt.Errorf("indptr runs from %d to %d, there are %d indices", m.indptr[0], m.indptr[m.rows], len(m.indices))
	}
	for r := range m.rows {
		if m.indptr[r+1] < m.indptr[r] {
			return fmt.Errorf("indptr falls from %d to %d at row %d", m.indptr[r], m.indptr[r+1], r)
		}
	}
	for i, c := range m.indices {
		if c < 0 || int(c) >= m.cols {
			return fmt.Errorf("entry %d: column %d out of range [0, %d)", i, c, m.cols)
		}
	}
	return nil
}

// features returns the matrix as features; it shares the arrays.
func (m *csr) features() (Features, error) {
	s, err := tensor.NewSparse(m.rows, m.cols, m.indptr, m.indices, tensor.FromSlice(m.values, len(m.values)))
	if err != nil {
		return Features{}, err
	}
	return SparseFeatures(s), nil
}

// undirected returns the graph of a square matrix's entries, whatever their
// values: symmetric and without duplicates.
func (m *csr) undirected() (*graph.Graph, error) {
	if m.rows != m.cols {
		return nil, fmt.Errorf("an adjacency matrix of %d rows and %d columns", m.rows, m.cols)
	}
	src := make([]int32, len(m.indices))
	for r := range m.rows {
		for i := m.indptr[r]; i < m.indptr[r+1]; i++ {
			src[i] = int32(r)
		}
	}
	return undirected(m.rows, src, m.indices)
}

// undirected returns the symmetric graph of the given arcs, each once.
func undirected(n int, src, dst []int32) (*graph.Graph, error) {
	if len(src) > math.MaxInt32/2 {
		return nil, errors.New("too many edges")
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		return nil, err
	}
	g, _ = g.Simplify()
	g, _ = g.Symmetrize()
	return g, nil
}
