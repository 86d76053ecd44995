// Rows of features, as they are read.

package data

import "math"

// rowBuilder collects the rows of a matrix, without zeros: memory grows with
// what is read.
type rowBuilder struct {
	cols    int
	indptr  []int32
	indices []int32
	values  []float32
}

func newRowBuilder(cols int) *rowBuilder { return &rowBuilder{cols: cols, indptr: []int32{0}} }

// add sets an entry of the current row.
func (b *rowBuilder) add(col int, x float32) {
	if x != 0 {
		b.indices = append(b.indices, int32(col))
		b.values = append(b.values, x)
	}
}

// end ends the current row.
func (b *rowBuilder) end() { b.indptr = append(b.indptr, int32(len(b.indices))) }

func (b *rowBuilder) rows() int { return len(b.indptr) - 1 }

// parse reads a row from fields.
func (b *rowBuilder) parse(l *lineReader, fields [][]byte) error {
	if len(fields) != b.cols {
		return l.errorf("%d features, want %d", len(fields), b.cols)
	}
	for c, field := range fields {
		x, err := l.float(field, "feature")
		if err != nil {
			return err
		}
		b.add(c, x)
	}
	if len(b.indices) > math.MaxInt32-b.cols {
		return l.errorf("more than %d features are not zero", math.MaxInt32)
	}
	b.end()
	return nil
}

// features returns the matrix, stored dense if at least half of it is not zero.
func (b *rowBuilder) features() Features {
	m := &csr{rows: b.rows(), cols: b.cols, indptr: b.indptr, indices: b.indices, values: b.values}
	f, err := m.features()
	if err != nil {
		panic("BUG: data: rows that were read: " + err.Error())
	}
	if size := m.rows * m.cols; size > 0 && 2*len(m.indices) >= size {
		return DenseFeatures(f.Dense())
	}
	return f
}
