// The Open Graph Benchmark (Hu et al. 2020) in the layout of its raw files:
//
//	raw/edge.csv.gz, num-node-list.csv.gz, num-edge-list.csv.gz
//	raw/node-feat.csv.gz, edge-feat.csv.gz                   one row a vertex or edge, may be missing
//	raw/node-label.csv.gz or raw/graph-label.csv.gz          one row a vertex or graph
//	split/SCHEME/train.csv.gz, valid.csv.gz, test.csv.gz     one vertex or graph a line

package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// OGBOptions say how a set of the benchmark is read.
type OGBOptions struct {
	// Scheme is the folder below split; "" stands for the only one there.
	Scheme string

	// Inverse adds the reverse of every edge right after it, with the same
	// features, as the benchmark does for sets whose graphs are undirected:
	// ogbn-products, ogbn-proteins and all of ogbg-mol*.
	Inverse bool
}

// LoadOGB reads a set for vertex classification with one class a vertex, such as
// ogbn-arxiv, from its folder. Labels that are missing ("nan") are NoLabel.
// Features of edges are left out.
func LoadOGB(dir string, opts OGBOptions) (*Dataset, error) { return newOGB(dir, opts).dataset() }

func (r *ogb) dataset() (*Dataset, error) {
	t, err := r.vertexSet()
	if err != nil {
		return nil, r.wrap(err)
	}
	d := &Dataset{Name: r.name, Graph: t.graph, Features: t.features, Train: t.split[0], Val: t.split[1], Test: t.split[2]}
	if d.Labels, d.NumClasses, err = t.labels.classes(); err != nil {
		return nil, r.wrap(fileError(r.raw("node-label"), "%w", err))
	}
	return d, d.Validate()
}

// LoadOGBMultiLabel reads a set for vertex classification with many yes-or-no
// labels a vertex, such as ogbn-proteins, from its folder.
func LoadOGBMultiLabel(dir string, opts OGBOptions) (*MultiLabelDataset, error) {
	r := newOGB(dir, opts)
	t, err := r.vertexSet()
	if err != nil {
		return nil, r.wrap(err)
	}
	d := &MultiLabelDataset{
		Name: r.name, Graph: t.graph, Features: t.features, EdgeFeatures: t.edgeFeatures,
		Labels: make([][]int32, t.labels.rows()), NumClasses: t.labels.cols,
		Train: t.split[0], Val: t.split[1], Test: t.split[2],
	}
	for v := range d.Labels {
		for c, x := range t.labels.row(v) {
			if x != 0 && x != 1 {
				return nil, r.wrap(fileError(r.raw("node-label"), "vertex %d: label %d is %v, want 0 or 1", v, c, x))
			}
			if x == 1 {
				d.Labels[v] = append(d.Labels[v], int32(c))
			}
		}
	}
	return d, d.Validate()
}

// LoadOGBGraphs reads a set of graphs, such as ogbg-molhiv, from its folder. One
// column of whole numbers from 0, each below the number of graphs plus 4096, gives
// Labels; anything else, and also one column, gives Targets.
func LoadOGBGraphs(dir string, opts OGBOptions) (*GraphDataset, error) {
	r := newOGB(dir, opts)
	t, err := r.tables()
	if err != nil {
		return nil, r.wrap(err)
	}
	labels, err := r.numbers("graph-label", int64(len(t.vertices)))
	if err != nil {
		return nil, r.wrap(err)
	}
	rows, _ := t.features.Dims()
	if err := checkGraphs(int64(len(t.vertices)), int64(rows+len(t.src))); err != nil {
		return nil, r.wrap(fileError(r.raw("num-node-list"), "%w", err))
	}
	d := &GraphDataset{Name: r.name, Features: t.features, EdgeFeatures: t.edgeFeatures}
	if ids, n, err := labels.classes(); err == nil {
		d.Labels, d.NumClasses = ids, n
	}
	d.Targets = tensor.FromSlice(labels.data, labels.rows(), labels.cols)
	first := int32(0)
	for i, n := range t.vertices {
		edges := t.edges[i]
		g, err := graph.New(int(n), t.src[first:first+edges], t.dst[first:first+edges])
		if err != nil {
			return nil, r.wrap(fileError(r.raw("edge"), "graph %d: %w", i, err))
		}
		d.Graphs = append(d.Graphs, g)
		first += edges
	}
	split, err := r.split(len(d.Graphs))
	if err != nil {
		return nil, r.wrap(err)
	}
	d.Train, d.Val, d.Test = split[0], split[1], split[2]
	return d, d.Validate()
}

// ogb reads the files of a folder.
type ogb struct {
	dir, name string // for messages
	files     fs.FS  // the folder
	opts      OGBOptions
}

func newOGB(dir string, opts OGBOptions) *ogb {
	return &ogb{dir: dir, name: filepath.Base(filepath.Clean(dir)), files: os.DirFS(dir), opts: opts}
}

func (r *ogb) wrap(err error) error { return fmt.Errorf("data: %s: %w", r.name, err) }

// csv returns the path of a file in the folder, compressed or not.
func (r *ogb) csv(name string) string {
	if info, err := fs.Stat(r.files, name+".csv"); err == nil && info.Mode().IsRegular() {
		return name + ".csv"
	}
	return name + ".csv.gz"
}

// path is the name that faults of a file go by.
func (r *ogb) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// raw is the name that faults of a raw file go by.
func (r *ogb) raw(part string) string { return r.path(r.csv("raw/" + part)) }

// readLines calls read with the lines of a file in the folder.
func (r *ogb) readLines(name string, read func(l *lineReader) error) error {
	name = r.csv(name)
	path := r.path(name)
	f, err := r.files.Open(name)
	if err != nil {
		return &FileError{File: path, Err: err}
	}
	return readOpened(path, f, func(in io.Reader, _ int64) error { return read(newLineReader(path, in)) })
}

// ogbTables are the edges and features of all graphs.
type ogbTables struct {
	vertices, edges        []int32 // of each graph, edges with their reverses
	src, dst               []int32 // numbered in each graph
	features, edgeFeatures Features
}

func (r *ogb) tables() (*ogbTables, error) {
	t := &ogbTables{}
	copies := int32(1) // of each edge
	if r.opts.Inverse {
		copies = 2
	}
	numVertices, err := r.counts("num-node-list", &t.vertices)
	if err != nil {
		return nil, err
	}
	numEdges, err := r.counts("num-edge-list", &t.edges)
	if err != nil {
		return nil, err
	}
	if len(t.vertices) != len(t.edges) {
		return nil, fileError(r.raw("num-edge-list"), "%d graphs, num-node-list has %d", len(t.edges), len(t.vertices))
	}
	if numEdges*int64(copies) > math.MaxInt32 {
		return nil, fileError(r.raw("num-edge-list"), "too many edges: %d", numEdges)
	}
	if err := r.readEdges(t, numEdges); err != nil {
		return nil, err
	}
	if t.features, err = r.features("node-feat", numVertices, 1); err != nil {
		return nil, err
	}
	if t.edgeFeatures, err = r.features("edge-feat", numEdges, int(copies)); err != nil {
		return nil, err
	}
	// Only vertices of a graph without features are not listed anywhere.
	if err := checkVertices(numVertices, numEdges); t.features.IsZero() && err != nil {
		return nil, fileError(r.raw("num-node-list"), "%w", err)
	}
	if !r.opts.Inverse {
		return t, nil
	}
	src, dst, rows := make([]int32, 0, 2*numEdges), make([]int32, 0, 2*numEdges), make([]int32, 0, 2*numEdges)
	for e := range t.src {
		src, dst, rows = append(src, t.src[e], t.dst[e]), append(dst, t.dst[e], t.src[e]), append(rows, int32(e), int32(e))
	}
	t.src, t.dst, t.edgeFeatures = src, dst, t.edgeFeatures.Rows(rows)
	for i := range t.edges {
		t.edges[i] *= copies
	}
	return t, nil
}

// counts reads one number a line and returns their sum.
func (r *ogb) counts(part string, to *[]int32) (sum int64, err error) {
	err = r.readLines("raw/"+part, func(l *lineReader) error {
		return l.eachRow(',', 1, func(fields [][]byte) error {
			n, err := l.int(fields[0], "count", 0, math.MaxInt32)
			if sum += n; err == nil && sum > math.MaxInt32 {
				err = l.errorf("the counts add up to more than %d", math.MaxInt32)
			}
			*to = append(*to, int32(n))
			return err
		})
	})
	return sum, err
}

// readEdges reads the edges of all graphs, each line within its graph.
func (r *ogb) readEdges(t *ogbTables, want int64) error {
	graphs, left := -1, int32(0) // the current graph and its edges to come
	err := r.readLines("raw/edge", func(l *lineReader) error {
		return l.eachRow(',', 2, func(fields [][]byte) error {
			for left == 0 {
				if graphs++; graphs == len(t.edges) {
					return l.errorf("more than the %d edges of num-edge-list", want)
				}
				left = t.edges[graphs]
			}
			left--
			n := int(t.vertices[graphs])
			u, err := l.id(fields[0], "vertex", n)
			if err != nil {
				return err
			}
			v, err := l.id(fields[1], "vertex", n)
			t.src, t.dst = append(t.src, u), append(t.dst, v)
			return err
		})
	})
	if err == nil && int64(len(t.src)) < want {
		return fileError(r.raw("edge"), "%d edges, num-edge-list says %d", len(t.src), want)
	}
	return err
}

// features reads a matrix of n rows, each of which there will be some copies of; zero if
// there is no such file.
func (r *ogb) features(part string, n int64, copies int) (Features, error) {
	var b *rowBuilder
	err := r.readLines("raw/"+part, func(l *lineReader) error {
		return l.eachRow(',', 0, func(fields [][]byte) error {
			if b == nil {
				b = newRowBuilder(len(fields))
				b.most /= copies
			}
			if int64(b.rows()) == n {
				return l.errorf("more than %d rows", n)
			}
			return b.parse(l, fields)
		})
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Features{}, nil
	case err != nil:
		return Features{}, err
	case b == nil && n == 0:
		return Features{}, nil
	case b == nil || int64(b.rows()) < n:
		return Features{}, fileError(r.raw(part), "fewer rows than the %d of the counts", n)
	}
	return b.features(), nil
}

// numbers is a matrix in which NaN stands for what is missing.
type numbers struct {
	cols int
	data []float32
}

func (m *numbers) rows() int           { return len(m.data) / m.cols }
func (m *numbers) row(i int) []float32 { return m.data[i*m.cols : (i+1)*m.cols] }
func isMissing(field string) bool      { return field == "" || strings.EqualFold(field, "nan") }

// numbers reads a matrix of n rows.
func (r *ogb) numbers(part string, n int64) (*numbers, error) {
	m := &numbers{}
	rows := int64(0)
	err := r.readLines("raw/"+part, func(l *lineReader) error {
		return l.eachRow(',', 0, func(fields [][]byte) error {
			if rows++; rows > n {
				return l.errorf("more than %d rows", n)
			}
			m.cols = len(fields)
			for _, field := range fields {
				x := float32(math.NaN())
				if !isMissing(string(field)) {
					var err error
					if x, err = l.float(field, "label"); err != nil {
						return err
					}
				}
				m.data = append(m.data, x)
			}
			return nil
		})
	})
	if err == nil && (rows < n || m.cols == 0) {
		err = fileError(r.raw(part), "%d rows, want %d", rows, n)
	}
	return m, err
}

// classes returns a single column as classes.
func (m *numbers) classes() (labels []int32, classes int, err error) {
	if m.cols != 1 {
		return nil, 0, fmt.Errorf("%d columns, one class has 1", m.cols)
	}
	labels = make([]int32, len(m.data))
	for v, x := range m.data {
		switch {
		case math.IsNaN(float64(x)):
			labels[v] = NoLabel
		case x < 0 || x >= float32(mostClasses(len(labels))) || x >= 1<<24 || x != float32(int32(x)):
			return nil, 0, fmt.Errorf("row %d: %v is not a class", v+1, x)
		default:
			labels[v] = int32(x)
			classes = max(classes, int(x)+1)
		}
	}
	return labels, classes, nil
}

// ogbVertexSet is a set of one graph.
type ogbVertexSet struct {
	graph                  *graph.Graph
	features, edgeFeatures Features
	labels                 *numbers
	split                  [3][]int32
}

func (r *ogb) vertexSet() (*ogbVertexSet, error) {
	t, err := r.tables()
	if err != nil {
		return nil, err
	}
	if len(t.vertices) != 1 {
		return nil, fileError(r.raw("num-node-list"), "%d graphs, want 1: LoadOGBGraphs reads sets of graphs", len(t.vertices))
	}
	n := int(t.vertices[0])
	g, err := graph.New(n, t.src, t.dst)
	if err != nil {
		return nil, &FileError{File: r.raw("edge"), Err: err}
	}
	s := &ogbVertexSet{graph: g, features: t.features, edgeFeatures: t.edgeFeatures}
	if s.labels, err = r.numbers("node-label", int64(n)); err != nil {
		return nil, err
	}
	s.split, err = r.split(n)
	return s, err
}

// split reads the public split of n things.
func (r *ogb) split(n int) (parts [3][]int32, err error) {
	scheme := r.opts.Scheme
	if scheme == "" {
		if scheme, err = r.onlyScheme(); err != nil {
			return parts, err
		}
	}
	part := make([]string, n)
	for i, name := range []string{"train", "valid", "test"} {
		parts[i] = []int32{}
		err = r.readLines(path.Join("split", scheme, name), func(l *lineReader) error {
			return l.eachRow(',', 1, func(fields [][]byte) error {
				v, err := l.id(fields[0], "index", n)
				if err != nil {
					return err
				}
				if part[v] != "" {
					return l.errorf("index %d is in %s already", v, part[v])
				}
				part[v] = name
				parts[i] = append(parts[i], v)
				return nil
			})
		})
		if err != nil {
			return parts, err
		}
		parts[i] = sortedSet(parts[i])
	}
	return parts, nil
}

// onlyScheme returns the name of the one folder below split.
func (r *ogb) onlyScheme() (string, error) {
	entries, err := fs.ReadDir(r.files, "split")
	if err != nil {
		return "", err
	}
	name := ""
	for _, e := range entries {
		if e.IsDir() && name != "" {
			return "", fileError(r.path("split"), "several schemes of splits, such as %s and %s: choose one", name, e.Name())
		}
		if e.IsDir() {
			name = e.Name()
		}
	}
	if name == "" {
		return "", fileError(r.path("split"), "no folder with a split")
	}
	return name, nil
}
