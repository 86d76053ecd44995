// Sparse matrices with a constant structure.

package tensor

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// Sparse is a matrix in compressed sparse row form. Its structure is constant;
// its values are a tensor of one element an entry. Entries of one row may come
// in any order and may repeat (they add up).
type Sparse struct {
	pattern *pattern
	values  *Tensor // [nnz]
}

// pattern is where the entries are; matrices that differ in values share it.
type pattern struct {
	rows, cols int
	indptr     []int32 // row r holds the entries indptr[r] to indptr[r+1]
	indices    []int32 // column of each entry

	once      sync.Once // guards transposed
	transpose *transposedPattern

	mu  sync.Mutex
	far map[farKey]*farPattern // the arrays on devices
}

var errNewPattern = errors.New("a sparse matrix that was not multiplied this way before is within a capture: run the step once first")

type farKey struct {
	device    *Device
	transpose bool
}

// farPattern is a pattern, or a transposed one with its order, on a device.
type farPattern struct{ indptr, indices, order *Tensor }

// transposedPattern lists the entries by column: those of column c are
// [indptr[c], indptr[c+1]), in row order; entry e there is entry order[e] of
// the pattern and lies in row indices[e].
type transposedPattern struct {
	indptr, indices, order []int32
}

// NewSparse returns a rows×cols matrix over the given arrays, which it shares.
// indptr has rows+1 entries, does not decrease and ends at len(indices); the
// indices lie in [0, cols); values has shape [len(indices)] and is a float.
// Anything else is an error that names the offending entry.
func NewSparse(rows, cols int, indptr, indices []int32, values *Tensor) (*Sparse, error) {
	switch {
	case rows < 0 || cols < 0 || rows > math.MaxInt32-1 || cols > math.MaxInt32-1:
		return nil, fmt.Errorf("tensor: NewSparse: %d rows, %d columns: out of range", rows, cols)
	case len(indices) > math.MaxInt32:
		return nil, fmt.Errorf("tensor: NewSparse: %d entries: more than int32 counts", len(indices))
	case len(indptr) != rows+1:
		return nil, fmt.Errorf("tensor: NewSparse: indptr has %d entries, want %d for %d rows", len(indptr), rows+1, rows)
	case indptr[0] != 0 || int(indptr[rows]) != len(indices):
		return nil, fmt.Errorf("tensor: NewSparse: indptr spans [%d, %d), want [0, %d)", indptr[0], indptr[rows], len(indices))
	case values == nil || !values.dtype.IsFloat():
		return nil, fmt.Errorf("tensor: NewSparse: values are not float32 or float64")
	case !values.shape.Equal(Shape{len(indices)}):
		return nil, fmt.Errorf("tensor: NewSparse: values have shape %v, want [%d]", values.shape, len(indices))
	}
	for r := range rows {
		if indptr[r+1] < indptr[r] {
			return nil, fmt.Errorf("tensor: NewSparse: indptr decreases at row %d: %d after %d", r, indptr[r+1], indptr[r])
		}
	}
	for e, c := range indices {
		if c < 0 || int(c) >= cols {
			return nil, fmt.Errorf("tensor: NewSparse: entry %d: column %d out of range [0, %d)", e, c, cols)
		}
	}
	return &Sparse{pattern: &pattern{rows: rows, cols: cols, indptr: indptr, indices: indices}, values: values}, nil
}

// Dims returns the numbers of rows and columns.
func (s *Sparse) Dims() (rows, cols int) {
	wantSparse("Dims", s)
	return s.pattern.rows, s.pattern.cols
}

// NNZ returns the number of entries.
func (s *Sparse) NNZ() int {
	wantSparse("NNZ", s)
	return len(s.pattern.indices)
}

// DType returns the element type of the values.
func (s *Sparse) DType() DType {
	wantSparse("DType", s)
	return s.values.dtype
}

// Values returns the entries' values, live.
func (s *Sparse) Values() *Tensor {
	wantSparse("Values", s)
	return s.values
}

// Indptr returns where each row's entries start; read-only.
func (s *Sparse) Indptr() []int32 {
	wantSparse("Indptr", s)
	return s.pattern.indptr
}

// Indices returns each entry's column; read-only.
func (s *Sparse) Indices() []int32 {
	wantSparse("Indices", s)
	return s.pattern.indices
}

// WithValues returns a matrix of the same structure, shared, with other values.
func (s *Sparse) WithValues(v *Tensor) *Sparse {
	const op = "WithValues"
	wantSparse(op, s)
	wantFloat(op, v)
	if !v.shape.Equal(s.values.shape) {
		panic(&ShapeError{Op: op, Detail: "not one value an entry", Shapes: []Shape{v.shape, s.values.shape}})
	}
	return &Sparse{pattern: s.pattern, values: v}
}

// IndexSelect returns the matrix whose row i is row rows[i] of s; rows may repeat. An index out
// of range panics with an *IndexError, more entries than int32 counts with a *ValueError.
func (s *Sparse) IndexSelect(rows []int32) *Sparse {
	const op = "IndexSelect"
	wantSparse(op, s)
	p := s.pattern
	checkIndices(op, rows, p.rows)
	indptr := make([]int32, len(rows)+1)
	total := int64(0)
	for i, r := range rows {
		if total += int64(p.indptr[r+1] - p.indptr[r]); total > math.MaxInt32 {
			panic(&ValueError{Op: op, Detail: fmt.Sprintf("the first %d of %d rows have %d entries, at most %d fit", i+1, len(rows), total, math.MaxInt32)})
		}
		indptr[i+1] = int32(total)
	}
	entries, indices := make([]int32, 0, total), make([]int32, 0, total)
	for _, r := range rows {
		for e := p.indptr[r]; e < p.indptr[r+1]; e++ {
			entries, indices = append(entries, e), append(indices, p.indices[e])
		}
	}
	return &Sparse{pattern: &pattern{rows: len(rows), cols: p.cols, indptr: indptr, indices: indices}, values: IndexSelect(s.values, entries)}
}

// To returns the matrix with values of type dt, a float; the structure is shared.
func (s *Sparse) To(dt DType) *Sparse {
	wantSparse("To", s)
	if !dt.IsFloat() {
		panic(&DTypeError{Op: "To", Got: dt, Want: []DType{Float32, Float64}})
	}
	return &Sparse{pattern: s.pattern, values: s.values.To(dt)}
}

// ToDevice returns the matrix with its values on a device; the structure is shared.
func (s *Sparse) ToDevice(d *Device) *Sparse {
	wantSparse("ToDevice", s)
	return &Sparse{pattern: s.pattern, values: s.values.ToDevice(d)}
}

// Device returns where the values are.
func (s *Sparse) Device() *Device {
	wantSparse("Device", s)
	return s.values.Device()
}

// on returns the arrays of the pattern, transposed if so asked, on a device. They are
// copied at the first call.
func (p *pattern) on(op string, d *Device, transpose bool) *farPattern {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := farKey{d, transpose}
	if f := p.far[key]; f != nil {
		return f
	}
	if d.Capturing() { // what is copied now is there at replays only, and gone with their graph
		d.must(op, errNewPattern)
	}
	f := &farPattern{}
	if transpose {
		t := p.transposed()
		f.indptr, f.indices, f.order = uploadIndices(d, t.indptr), uploadIndices(d, t.indices), uploadIndices(d, t.order)
	} else {
		f.indptr, f.indices = uploadIndices(d, p.indptr), uploadIndices(d, p.indices)
	}
	if p.far == nil {
		p.far = map[farKey]*farPattern{}
	}
	p.far[key] = f
	return f
}

// ToDense returns the matrix as a dense tensor; repeated entries add up. Of a matrix on
// a device it is computed on the CPU and copied.
func (s *Sparse) ToDense() *Tensor {
	wantSparse("ToDense", s)
	if d := s.Device(); d != nil {
		return s.ToDevice(nil).ToDense().ToDevice(d)
	}
	out := zeros(s.values.dtype, Shape{s.pattern.rows, s.pattern.cols})
	if out.dtype == Float32 {
		toDense(elems[float32](out), s.pattern, elems[float32](s.values))
	} else {
		toDense(elems[float64](out), s.pattern, elems[float64](s.values))
	}
	return out
}

func toDense[T Float](dst []T, p *pattern, values []T) {
	for r := range p.rows {
		row := dst[r*p.cols : (r+1)*p.cols]
		for e := p.indptr[r]; e < p.indptr[r+1]; e++ {
			row[p.indices[e]] += values[e]
		}
	}
}

// RowNormalize returns the matrix with each row divided by its sum. Rows whose
// sum is 0, empty ones among them, become 0. It works on the CPU, as ToDense does.
func (s *Sparse) RowNormalize() *Sparse {
	wantSparse("RowNormalize", s)
	if d := s.Device(); d != nil {
		return s.ToDevice(nil).RowNormalize().ToDevice(d)
	}
	out := zeros(s.values.dtype, s.values.shape)
	if out.dtype == Float32 {
		rowNormalize(elems[float32](out), s.pattern, elems[float32](s.values))
	} else {
		rowNormalize(elems[float64](out), s.pattern, elems[float64](s.values))
	}
	return &Sparse{pattern: s.pattern, values: out}
}

func rowNormalize[T Float](dst []T, p *pattern, values []T) {
	for r := range p.rows {
		lo, hi := p.indptr[r], p.indptr[r+1]
		var sum float64
		for _, v := range values[lo:hi] {
			sum += float64(v)
		}
		if sum == 0 {
			continue
		}
		for e := lo; e < hi; e++ {
			dst[e] = T(float64(values[e]) / sum)
		}
	}
}

// transposed returns the entries by column, built at the first call.
func (p *pattern) transposed() *transposedPattern {
	p.once.Do(func() {
		indptr, order := groupByRow(p.indices, p.cols)
		indices := make([]int32, len(order))
		row := make([]int32, len(order))
		for r := range p.rows {
			for e := p.indptr[r]; e < p.indptr[r+1]; e++ {
				row[e] = int32(r)
			}
		}
		for i, e := range order {
			indices[i] = row[e]
		}
		p.transpose = &transposedPattern{indptr: indptr, indices: indices, order: order}
	})
	return p.transpose
}
