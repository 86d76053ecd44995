// MatrixMarket (Boisvert, Pozo and Remington 1996), coordinate form: a header,
// comments, a line "rows columns entries", then a line "row column value" an
// entry, numbered from 1.

package data

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// LoadMatrixMarket reads a sparse matrix as a graph, from a file compressed with
// gzip or not. Entry (i, j) is the edge from i to j, in the order of the file;
// its weight is the entry, none if the matrix is a pattern. A matrix that is not
// square gives a bipartite graph from rows to columns. Of a symmetric or
// skew-symmetric matrix, which lists one triangle, the other one's entry comes
// right after each. Fields real, integer and pattern are read; arrays, complex
// and hermitian matrices are errors, and so are entries that come twice.
func LoadMatrixMarket(path string) (g *NamedGraph, err error) {
	err = readLines(path, func(l *lineReader) error {
		g, err = parseMatrixMarket(l)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return g, nil
}

// matrixMarket reads a file.
type matrixMarket struct {
	l             *lineReader
	pattern       bool
	mirror        bool    // the other triangle is implied
	sign          float32 // of its entries
	rows, cols    int
	entries       int64
	src, dst      []int32
	weights       []float32
	lines         []int32 // the line of each entry
	width         int     // fields of a line
	haveDimension bool
}

func parseMatrixMarket(l *lineReader) (*NamedGraph, error) {
	m := &matrixMarket{l: l, sign: 1, width: 3}
	line, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, fileError(l.file, "the file is empty")
	}
	if err != nil {
		return nil, err
	}
	if err := m.header(strings.Fields(strings.ToLower(string(line)))); err != nil {
		return nil, err
	}
	var fields [][]byte
	read := int64(0)
	if err := l.each(func(line []byte) error {
		if line[0] == '%' {
			return nil
		}
		fields = splitFields(fields[:0], line, 0)
		if !m.haveDimension {
			return m.dimensions(fields)
		}
		if read++; read > m.entries {
			return l.errorf("more than the %d entries that the header says", m.entries)
		}
		return m.entry(fields)
	}); err != nil {
		return nil, err
	}
	if !m.haveDimension || read < m.entries {
		return nil, fileError(l.file, "%d entries, the header says %d", read, m.entries)
	}
	if e := firstDuplicate(m.src, m.dst); e >= 0 {
		return nil, &FileError{File: l.file, Line: int(m.lines[e]), Err: fmt.Errorf("entry (%d, %d) is there twice", m.src[e]+1, m.dst[e]+1)}
	}
	for _, n := range []int{m.rows, m.cols} {
		if err := checkVertices(int64(n), read); err != nil {
			return nil, fileError(l.file, "%w", err)
		}
	}
	g := &NamedGraph{}
	if !m.pattern {
		g.Weights = m.weights
	}
	if m.rows == m.cols {
		g.Graph, err = graph.New(m.rows, m.src, m.dst)
	} else {
		g.Graph, err = graph.NewBipartite(m.rows, m.cols, m.src, m.dst)
	}
	if err != nil {
		return nil, &FileError{File: l.file, Err: err}
	}
	return g, nil
}

// header reads "%%MatrixMarket matrix coordinate FIELD SYMMETRY".
func (m *matrixMarket) header(words []string) error {
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return m.l.errorf("not a MatrixMarket header")
	}
	if words[2] != "coordinate" {
		return m.l.errorf("a matrix in %.40s form, only coordinate is read", words[2])
	}
	switch words[3] {
	case "real", "integer", "double":
	case "pattern":
		m.pattern, m.width = true, 2
	default:
		return m.l.errorf("%.40s entries are not read", words[3])
	}
	switch words[4] {
	case "general":
	case "symmetric":
		m.mirror = true
	case "skew-symmetric":
		if m.pattern { // whose entries have no sign
			return m.l.errorf("a pattern that is skew-symmetric, which the format does not have")
		}
		m.mirror, m.sign = true, -1
	default:
		return m.l.errorf("%.40s matrices are not read", words[4])
	}
	return nil
}

func (m *matrixMarket) dimensions(fields [][]byte) error {
	if len(fields) != 3 {
		return m.l.errorf("%d fields, want rows, columns and entries", len(fields))
	}
	rows, err := m.l.int(fields[0], "number of rows", 0, math.MaxInt32)
	if err != nil {
		return err
	}
	cols, err := m.l.int(fields[1], "number of columns", 0, math.MaxInt32)
	if err != nil {
		return err
	}
	if m.entries, err = m.l.int(fields[2], "number of entries", 0, math.MaxInt32/2); err != nil {
		return err
	}
	if m.mirror && rows != cols {
		return m.l.errorf("a symmetric matrix of %d rows and %d columns", rows, cols)
	}
	m.rows, m.cols, m.haveDimension = int(rows), int(cols), true
	return nil
}

func (m *matrixMarket) entry(fields [][]byte) error {
	if len(fields) != m.width {
		return m.l.errorf("%d fields, want %d", len(fields), m.width)
	}
	r, err := m.l.int(fields[0], "row", 1, int64(m.rows)+1)
	if err != nil {
		return err
	}
	c, err := m.l.int(fields[1], "column", 1, int64(m.cols)+1)
	if err != nil {
		return err
	}
	w := float32(1)
	if !m.pattern {
		if w, err = m.l.float(fields[2], "entry"); err != nil {
			return err
		}
	}
	m.add(r, c, w)
	if m.mirror && r != c {
		m.add(c, r, m.sign*w)
	}
	return nil
}

func (m *matrixMarket) add(r, c int64, w float32) {
	m.src, m.dst = append(m.src, int32(r-1)), append(m.dst, int32(c-1))
	m.weights = append(m.weights, w)
	m.lines = append(m.lines, int32(m.l.line))
}
