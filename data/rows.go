// Rows of features, as they are read.

package data

import (
	"fmt"
	"math"
)

// rowBuilder collects the rows of a matrix, without zeros: memory grows with
// what is read.
type rowBuilder struct {
	cols    int
	indptr  []int32
	indices []int32
	values  []float32
	most    int // entries that there may be: as many as int32 counts, but in tests
}

func newRowBuilder(cols int) *rowBuilder {
	return &rowBuilder{cols: cols, indptr: []int32{0}, most: math.MaxInt32}
}

// add sets an entry of the current row.
func (b *rowBuilder) add(col int, x float32) {
	if x != 0 {
		b.indices = append(b.indices, int32(col))
		b.values = append(b.values, x)
	}
}

// end ends the current row. It is an error if there are more entries than can be counted,
// after which the builder is of no use.
func (b *rowBuilder) end() error {
	if len(b.indices) > b.most {
		return fmt.Errorf("more than %d features are not zero", b.most)
	}
	b.indptr = append(b.indptr, int32(len(b.indices)))
	return nil
}

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
	if err := b.end(); err != nil {
		return l.errorf("%w", err)
	}
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
