// Planetoid: the citation graphs of Yang et al. (2016), "Revisiting
// semi-supervised learning with graph embeddings", with their public split.

package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// planetoidParts are the files of a set that are read. (x is the beginning of
// allx.) Rows 0, 1, … of allx, ally are the first vertices; row i of tx, ty is
// the vertex that line i of test.index names.
var planetoidParts = []string{"y", "tx", "ty", "allx", "ally", "graph", "test.index"}

// planetoidVal is the number of validation vertices of the public split.
const planetoidVal = 500

// maxPickle bounds the size of a file that is read whole.
const maxPickle = 64 << 20

// LoadPlanetoid reads the set of the given name, such as "cora", from the
// files ind.NAME.{y,tx,ty,allx,ally,graph,test.index} in dir. The graph is
// symmetric and without duplicates; self-loops of the file stay, which PyTorch Geometric
// drops (see graph.Graph.RemoveSelfLoops). Features are sparse float32, as in the
// files (see Dataset.RowNormalize). Vertices that test.index leaves out
// (Citeseer has 15) have no features and no label. The split is the public
// one: the labelled training vertices (20 a class), the next 500, and the
// vertices of test.index.
func LoadPlanetoid(dir, name string) (*Dataset, error) {
	files := make(map[string]string, len(planetoidParts))
	for _, part := range planetoidParts {
		files[part] = filepath.Join(dir, "ind."+name+"."+part)
	}
	return readPlanetoid(name, files)
}

// readPlanetoid reads a set whose parts are in the given files.
func readPlanetoid(name string, files map[string]string) (*Dataset, error) {
	d, err := (&planetoid{files: files}).read()
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d.Name = name
	return d, d.Validate()
}

// planetoid reads parts until the first error, which it keeps.
type planetoid struct {
	files map[string]string
	err   error
}

func (p *planetoid) fail(part string, err error) {
	if p.err == nil && err != nil {
		p.err = &FileError{File: p.files[part], Err: err}
	}
}

func (p *planetoid) file(part string) []byte {
	if p.err != nil {
		return nil
	}
	b, err := readFile(p.files[part], maxPickle)
	if errors.Is(err, fs.ErrNotExist) && part == "allx" {
		err = fmt.Errorf("%w: allx holds the features of all vertices but the test ones, nothing can be trained without it", err)
	}
	if err != nil {
		p.err = err
	}
	return b
}

func (p *planetoid) matrix(part string) *csr {
	file := p.file(part)
	if p.err != nil {
		return nil
	}
	m, err := unpickleCSR(file)
	if err == nil {
		var f Features
		if f, err = m.features(); err == nil {
			err = f.checkFinite()
		}
	}
	p.fail(part, err)
	return m
}

// oneHot reads a matrix of one-hot rows: the label of each row, NoLabel for a
// row of zeros.
func (p *planetoid) oneHot(part string) (labels []int32, classes int) {
	file := p.file(part)
	if p.err != nil {
		return nil, 0
	}
	a, err := unpickleArray(file)
	if err != nil {
		p.fail(part, err)
		return nil, 0
	}
	if len(a.shape) != 2 || a.ints == nil || a.shape[1] < 1 || a.shape[1] > maxColumns {
		p.fail(part, fmt.Errorf("not a matrix of integers (shape %v)", a.shape))
		return nil, 0
	}
	classes = a.shape[1]
	labels = make([]int32, a.shape[0])
	for r := range labels {
		labels[r] = NoLabel
		for c, x := range a.ints[r*classes : (r+1)*classes] {
			if x == 0 {
				continue
			}
			if x != 1 || labels[r] != NoLabel {
				p.fail(part, fmt.Errorf("row %d is not one-hot", r))
				return nil, 0
			}
			labels[r] = int32(c)
		}
	}
	return labels, classes
}

// labelled refuses rows, of vertices of the split, that have no label.
func (p *planetoid) labelled(part string, labels []int32) {
	if r := slices.Index(labels, NoLabel); r >= 0 {
		p.fail(part, fmt.Errorf("row %d has no label", r))
	}
}

func (p *planetoid) graph() (n int, g *graph.Graph) {
	file := p.file("graph")
	if p.err != nil {
		return 0, nil
	}
	n, src, dst, err := unpickleAdjacency(file)
	if err == nil {
		g, err = undirected(n, src, dst)
	}
	p.fail("graph", err)
	return n, g
}

// testIndex reads the vertices of the test rows: each in [first, n), once.
func (p *planetoid) testIndex(first, n int) []int32 {
	const part = "test.index"
	file := p.file(part)
	if p.err != nil {
		return nil
	}
	text, err := io.ReadAll(newText(bytes.NewReader(file)))
	if err != nil {
		p.fail(part, err)
		return nil
	}
	out := []int32{} // not nil if there are none, see Dataset
	seen := make([]bool, n)
	for i, line := range strings.Fields(string(text)) {
		v, err := strconv.Atoi(line)
		switch {
		case err != nil:
			p.fail(part, fmt.Errorf("line %d: %.40q is not a vertex", i+1, line))
		case v < first || v >= n:
			p.fail(part, fmt.Errorf("line %d: vertex %d out of range [%d, %d)", i+1, v, first, n))
		case seen[v]:
			p.fail(part, fmt.Errorf("line %d: vertex %d comes twice", i+1, v))
		}
		if p.err != nil {
			return nil
		}
		seen[v] = true
		out = append(out, int32(v))
	}
	return out
}

func (p *planetoid) read() (*Dataset, error) {
	n, g := p.graph()
	allx, tx := p.matrix("allx"), p.matrix("tx")
	y, classes := p.oneHot("y")
	ally, allyClasses := p.oneHot("ally")
	ty, tyClasses := p.oneHot("ty")
	if p.err != nil {
		return nil, p.err
	}
	switch {
	case allx.cols != tx.cols:
		p.fail("tx", fmt.Errorf("allx has %d columns, tx %d", allx.cols, tx.cols))
	case allx.rows != len(ally):
		p.fail("ally", fmt.Errorf("allx has %d rows, ally %d", allx.rows, len(ally)))
	case tx.rows != len(ty):
		p.fail("ty", fmt.Errorf("tx has %d rows, ty %d", tx.rows, len(ty)))
	case classes != allyClasses || classes != tyClasses:
		p.fail("y", fmt.Errorf("y, ally and ty have %d, %d and %d classes", classes, allyClasses, tyClasses))
	case len(y) > allx.rows || allx.rows > n:
		p.fail("graph", fmt.Errorf("%d training rows, %d rows of allx, %d vertices of graph", len(y), allx.rows, n))
	}
	if p.err != nil {
		return nil, p.err
	}
	val := min(len(y)+planetoidVal, allx.rows)
	p.labelled("ally", ally[:val])
	p.labelled("ty", ty)
	test := p.testIndex(allx.rows, n)
	if len(test) != tx.rows {
		p.fail("test.index", fmt.Errorf("test.index names %d vertices, tx has %d rows", len(test), tx.rows))
	}
	if p.err != nil {
		return nil, p.err
	}

	labels := make([]int32, n)
	for v := range labels {
		labels[v] = NoLabel
	}
	copy(labels, ally)
	testRow := make(map[int32]int, len(test))
	for i, v := range test {
		labels[v] = ty[i]
		testRow[v] = i
	}

	all := &csr{rows: n, cols: allx.cols, indptr: make([]int32, 1, n+1)}
	for v := range n {
		from, row := allx, v
		if v >= allx.rows {
			i, ok := testRow[int32(v)]
			if !ok {
				all.indptr = append(all.indptr, int32(len(all.indices)))
				continue
			}
			from, row = tx, i
		}
		lo, hi := from.indptr[row], from.indptr[row+1]
		all.indices = append(all.indices, from.indices[lo:hi]...)
		all.values = append(all.values, from.values[lo:hi]...)
		all.indptr = append(all.indptr, int32(len(all.indices)))
	}
	features, err := all.features()
	if err != nil {
		return nil, err
	}
	slices.Sort(test)
	return &Dataset{
		Graph: g, Features: features, Labels: labels, NumClasses: classes,
		Train: vertexRange(0, len(y)), Val: vertexRange(len(y), val), Test: test,
	}, nil
}

func vertexRange(lo, hi int) []int32 {
	out := make([]int32, hi-lo)
	for i := range out {
		out[i] = int32(lo + i)
	}
	return out
}

// readFile reads a file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readAll(f, limit)
	if err != nil {
		return nil, &FileError{File: path, Err: err}
	}
	return b, nil
}
