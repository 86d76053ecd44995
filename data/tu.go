// The graph classification sets of TU Dortmund (Morris et al. 2020,
// "TUDataset: a collection of benchmark datasets for learning with graphs"): a
// zip of text files NAME_A.txt, NAME_graph_indicator.txt, …, one line a vertex,
// an edge or a graph, numbered from 1.

package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// LoadTU reads a set from a zip file of the collection. Edges are those of
// NAME_A.txt in its order, both directions as they stand there, without
// duplicates (IMDB-BINARY lists every arc twice); self-loops stay, which PyTorch
// Geometric drops (see graph.Graph.RemoveSelfLoops). The features of vertices are
// their attributes, then their labels, one-hot; a set that has neither has no
// features (see GraphDataset.WithDegreeFeatures). Labels of vertices and edges
// are also the types of the graphs' vertices and edges. Classes and labels are
// numbered from 0 in ascending order of what the files call them.
func LoadTU(path string) (*GraphDataset, error) {
	return readTU(strings.TrimSuffix(filepath.Base(path), ".zip"), path)
}

func readTU(name, path string) (d *GraphDataset, err error) {
	err = readZip(path, func(z *zipArchive) error {
		d, err = parseTU(z)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d.Name = name
	return d, d.Validate()
}

// tuReader is what is read of a set so far.
type tuReader struct {
	z        *zipArchive
	set      string // the beginning of the members' names
	graphOf  []int32
	first    []int32 // the first vertex of each graph, and the number of vertices
	src, dst []int32 // numbered over all graphs
}

func parseTU(z *zipArchive) (*GraphDataset, error) {
	r := &tuReader{z: z}
	for name := range z.members {
		set, ok := strings.CutSuffix(name, "_A.txt")
		if ok && r.set != "" {
			return nil, fileError(z.path, "two sets, %.80s and %.80s", min(set, r.set), max(set, r.set))
		}
		if ok {
			r.set = set
		}
	}
	if r.set == "" {
		return nil, fileError(z.path, "no member is called NAME_A.txt")
	}

	d := &GraphDataset{}
	numGraphs := -1
	if r.has("graph_labels") {
		labels, err := r.labels("graph_labels", -1)
		if err != nil {
			return nil, err
		}
		if labels.width > 1 {
			return nil, fileError(r.file("graph_labels"), "%d labels a graph", labels.width)
		}
		d.Labels, d.NumClasses = labels.compact(0, labels.width)
		numGraphs = len(d.Labels)
	}
	if r.has("graph_attributes") {
		rows, err := r.attributes("graph_attributes", numGraphs)
		if err != nil {
			return nil, err
		}
		d.Targets = rows.Dense()
		numGraphs = d.Targets.Dim(0)
	}
	if numGraphs < 0 {
		return nil, fileError(z.path, "%s_graph_labels.txt is missing", r.set)
	}
	if err := errors.Join(r.indicator(numGraphs), r.edges()); err != nil {
		return nil, err
	}
	if err := checkGraphs(int64(numGraphs), int64(len(r.graphOf)+len(r.src))); err != nil {
		return nil, &FileError{File: z.path, Err: err}
	}
	vertexTypes, err := r.vertexFeatures(d)
	if err != nil {
		return nil, err
	}
	return d, r.split(d, vertexTypes)
}

func (r *tuReader) part(part string) string { return r.set + "_" + part + ".txt" }
func (r *tuReader) file(part string) string { return r.z.member(r.part(part)) }
func (r *tuReader) has(part string) bool    { return r.z.members[r.part(part)] != nil }

// rows reads a part of comma-separated fields, want lines of it unless want is
// negative.
func (r *tuReader) rows(part string, want int, f func(l *lineReader, fields [][]byte) error) error {
	n := 0
	err := r.z.lines(r.part(part), func(l *lineReader) error {
		return l.eachRow(',', 0, func(fields [][]byte) error {
			if n++; n > want && want >= 0 {
				return l.errorf("more than %d lines", want)
			}
			return f(l, fields)
		})
	})
	if err == nil && n < want {
		return fileError(r.file(part), "%d lines, want %d", n, want)
	}
	return err
}

// attributes reads a part of numbers.
func (r *tuReader) attributes(part string, want int) (Features, error) {
	var b *rowBuilder
	err := r.rows(part, want, func(l *lineReader, fields [][]byte) error {
		if b == nil {
			b = newRowBuilder(len(fields))
		}
		return b.parse(l, fields)
	})
	if err != nil {
		return Features{}, err
	}
	if b == nil {
		b = newRowBuilder(0)
	}
	return b.features(), nil
}

// tuLabels is a matrix of integers, row by row.
type tuLabels struct {
	width int
	flat  []int32
}

func (r *tuReader) labels(part string, want int) (*tuLabels, error) {
	m := &tuLabels{}
	err := r.rows(part, want, func(l *lineReader, fields [][]byte) error {
		m.width = len(fields)
		for _, field := range fields {
			x, err := l.int(field, "label", math.MinInt32, math.MaxInt32+1)
			if err != nil {
				return err
			}
			m.flat = append(m.flat, int32(x))
		}
		return nil
	})
	return m, err
}

// compact numbers the distinct values of columns [lo, hi) of the rows in
// ascending order and returns the number of each row and how many there are.
func (m *tuLabels) compact(lo, hi int) (ids []int32, n int) {
	if m.width == 0 {
		return nil, 0
	}
	row := func(i int32) []int32 { return m.flat[int(i)*m.width+lo : int(i)*m.width+hi] }
	order := appendRange(nil, 0, int32(len(m.flat)/m.width))
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(slices.Compare(row(a), row(b)), cmp.Compare(a, b)) })
	ids = make([]int32, len(order))
	for k, i := range order {
		if k == 0 || !slices.Equal(row(order[k-1]), row(i)) {
			n++
		}
		ids[i] = int32(n - 1)
	}
	return ids, n
}

// indicator reads the graph of every vertex.
func (r *tuReader) indicator(numGraphs int) error {
	r.first = make([]int32, 1, numGraphs+1)
	last := int64(1)
	err := r.rows("graph_indicator", -1, func(l *lineReader, fields [][]byte) error {
		if len(fields) != 1 {
			return l.errorf("%d fields, want 1", len(fields))
		}
		g, err := l.int(fields[0], "graph", 1, int64(numGraphs)+1)
		if err != nil {
			return err
		}
		if g < last {
			return l.errorf("graph %d after graph %d", g, last)
		}
		for ; last < g; last++ {
			r.first = append(r.first, int32(len(r.graphOf)))
		}
		r.graphOf = append(r.graphOf, int32(g-1))
		return nil
	})
	for len(r.first) <= numGraphs {
		r.first = append(r.first, int32(len(r.graphOf)))
	}
	return err
}

// edges reads the edges of all graphs.
func (r *tuReader) edges() error {
	n := int64(len(r.graphOf))
	return r.rows("A", -1, func(l *lineReader, fields [][]byte) error {
		if len(fields) != 2 {
			return l.errorf("%d fields, want 2", len(fields))
		}
		u, err := l.int(fields[0], "vertex", 1, n+1)
		if err != nil {
			return err
		}
		v, err := l.int(fields[1], "vertex", 1, n+1)
		if err != nil {
			return err
		}
		if a, b := r.graphOf[u-1], r.graphOf[v-1]; a != b {
			return l.errorf("an edge from graph %d to graph %d", a+1, b+1)
		}
		r.src, r.dst = append(r.src, int32(u-1)), append(r.dst, int32(v-1))
		return nil
	})
}

// vertexFeatures sets the features of vertices and returns their types, none if
// the set has none.
func (r *tuReader) vertexFeatures(d *GraphDataset) (t typed, err error) {
	n := len(r.graphOf)
	var attributes Features
	if r.has("node_attributes") {
		if attributes, err = r.attributes("node_attributes", n); err != nil {
			return t, err
		}
		d.Features = attributes
	}
	if !r.has("node_labels") {
		return t, nil
	}
	labels, err := r.labels("node_labels", n)
	if err != nil {
		return t, err
	}
	t.types, t.n = labels.compact(0, labels.width)
	hot := make([][]int32, labels.width)
	offset := attributes.Cols()
	first := make([]int, labels.width) // the first column of each label
	for c := range hot {
		var size int
		hot[c], size = labels.compact(c, c+1)
		first[c] = offset
		offset += size
	}
	b := newRowBuilder(offset)
	rows := attributes.rowReader()
	for v := range n {
		rows(v, b.add)
		for c := range hot {
			b.add(first[c]+int(hot[c][v]), 1)
		}
		if err := b.end(); err != nil {
			return t, &FileError{File: r.file("node_labels"), Err: err}
		}
	}
	d.Features = b.features()
	return t, nil
}

// rowReader returns a function that calls f with the entries of a row of float32
// features: columns without any are zero, several of one column add up.
func (f Features) rowReader() func(row int, f func(col int, x float32)) {
	switch {
	case f.sparse != nil:
		values := tensor.Data[float32](f.sparse.Values().ToDevice(tensor.CPU))
		return func(row int, add func(int, float32)) {
			for i := f.sparse.Indptr()[row]; i < f.sparse.Indptr()[row+1]; i++ {
				add(int(f.sparse.Indices()[i]), values[i])
			}
		}
	case f.dense != nil:
		values, cols := tensor.Data[float32](f.dense.ToDevice(tensor.CPU)), f.Cols()
		return func(row int, add func(int, float32)) {
			for c, x := range values[row*cols : (row+1)*cols] {
				add(c, x)
			}
		}
	}
	return func(int, func(int, float32)) {}
}

// typed is a list of types, nil for none, and the number of types.
type typed struct {
	types []int32
	n     int
}

// split makes the graphs, after reading what is known of edges.
func (r *tuReader) split(d *GraphDataset, vertexTypes typed) error {
	var edgeTypes typed
	if r.has("edge_labels") {
		labels, err := r.labels("edge_labels", len(r.src))
		if err != nil {
			return err
		}
		edgeTypes.types, edgeTypes.n = labels.compact(0, labels.width)
	}
	var edgeFeatures Features
	if r.has("edge_attributes") {
		var err error
		if edgeFeatures, err = r.attributes("edge_attributes", len(r.src)); err != nil {
			return err
		}
	}
	numGraphs := len(r.first) - 1
	edges := make([][]int32, numGraphs) // of each graph
	for e, u := range r.src {
		edges[r.graphOf[u]] = append(edges[r.graphOf[u]], int32(e))
	}
	var kept []int32 // edges in order of graphs, without duplicates
	for i := range numGraphs {
		lo, hi := r.first[i], r.first[i+1]
		src, dst, types := make([]int32, len(edges[i])), make([]int32, len(edges[i])), make([]int32, len(edges[i]))
		for k, e := range edges[i] {
			src[k], dst[k] = r.src[e]-lo, r.dst[e]-lo
			if edgeTypes.types != nil {
				types[k] = edgeTypes.types[e]
			}
		}
		var opts []graph.Option
		if edgeTypes.types != nil {
			opts = append(opts, graph.WithEdgeTypes(types, edgeTypes.n))
		}
		if vertexTypes.types != nil {
			opts = append(opts, graph.WithVertexTypes(vertexTypes.types[lo:hi], vertexTypes.n))
		}
		g, err := graph.New(int(hi-lo), src, dst, opts...)
		if err != nil {
			return fileError(r.file("A"), "graph %d: %w", i+1, err)
		}
		g, simple := g.Simplify()
		for _, k := range simple {
			kept = append(kept, edges[i][k])
		}
		d.Graphs = append(d.Graphs, g)
	}
	d.EdgeFeatures = edgeFeatures.Rows(kept)
	return nil
}

// LoadFolds reads the fold of each of n things for cross-validation from a text
// file with one number a line.
func LoadFolds(path string, n int) ([]int32, error) {
	var folds []int32
	err := readLines(path, func(l *lineReader) error {
		return l.eachRow(0, 1, func(fields [][]byte) error {
			if len(folds) == n {
				return l.errorf("more than %d folds", n)
			}
			f, err := l.id(fields[0], "fold", n)
			folds = append(folds, f)
			return err
		})
	})
	if err == nil && len(folds) < n {
		err = fileError(path, "%d folds, want %d", len(folds), n)
	}
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return folds, nil
}

// tuFolds reads the folds that lie beside a set, none if there are none.
func tuFolds(path string, n int) ([]int32, error) {
	folds, err := LoadFolds(path, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folds, err
}
