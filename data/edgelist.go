// Edge lists: text with an edge a line, in columns.

package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode"

	"github.com/asterias-ml/asterias/graph"
)

// NamedGraph is a graph with what its file says about vertices and edges.
type NamedGraph struct {
	Graph        *graph.Graph
	Names        []string  // of vertices; nil if ids are numbers from 0 or the graph is bipartite
	Values       []string  // of vertices, such as their communities; nil if there are none
	Weights      []float32 // of edges; nil if there are none
	EdgeFeatures Features  // one row an edge; zero if there are none
}

// EdgeListOptions say what the columns of an edge list are. The zero value
// reads "source,target" with names for vertices and no header.
type EdgeListOptions struct {
	Comma   byte // what separates columns; 0 stands for a comma, ' ' for any blanks
	Comment byte // what lines that are skipped begin with; 0 for none
	Header  bool // the first line names the columns

	// The columns of the ends of edges, by their names or, without a header, by
	// their numbers from 0. "" stands for the first and the second.
	Source, Target string

	Weight   string   // the column of weights, "" for none
	Features []string // the columns of edge features

	// Integers says that vertices are numbers from 0. NumVertices is how many
	// there are; 0 stands for one more than the largest. NumTargets, unless 0, is how
	// many there are that edges lead to, if those of NumVertices are only the ones that
	// they leave and both are numbered from 0: the graph is bipartite.
	Integers    bool
	NumVertices int
	NumTargets  int

	// Names are the vertices in their order, such as the Names of a VertexTable;
	// some may have no edge. nil stands for those of the file, as they come.
	Names []string
	// TargetNames are the vertices that edges lead to, if those of Names are only
	// the ones that they leave: the graph is bipartite, such as users and items or
	// another relation of a heterogeneous graph.
	TargetNames []string

	// Undirected adds the reverse of every edge right after it, with the same
	// weight and features; self-loops have none. A file that lists both directions
	// does not need it: every edge would be there twice (graph.Graph.Simplify
	// removes duplicates).
	Undirected bool
}

// LoadEdgeList reads a graph from an edge list, compressed with gzip or not.
// Fields may be quoted as in CSV, unless blanks separate them, but not run over lines.
// Vertices are numbered as they come, even those that are called 0, 1, ..., unless Integers
// is set or opts has their names: then it is an error if an edge has another end. Duplicate
// edges stay. Options that contradict each other, or that nothing would read, are errors.
func LoadEdgeList(path string, opts EdgeListOptions) (g *NamedGraph, err error) {
	err = readLines(path, func(l *lineReader) error {
		g, err = parseEdgeList(l, opts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return g, nil
}

// edgeList reads an edge list.
type edgeList struct {
	opts     EdgeListOptions
	columns  *columns // nil before the first line
	ends     [2]int   // the columns of source and target
	weight   int      // -1 for none
	features []int
	names    *names
	known    [2]map[string]int32 // of source and target, if the names are given
	largest  int32               // vertex, or source of a bipartite graph; -1 before the first
	src, dst []int32
	weights  []float32
	rows     *rowBuilder
	from     []int32 // the line of the list that each edge of the result comes from
}

func parseEdgeList(l *lineReader, opts EdgeListOptions) (*NamedGraph, error) {
	r, err := newEdgeList(opts)
	if err != nil {
		return nil, err
	}
	return r.read(l)
}

func newEdgeList(opts EdgeListOptions) (*edgeList, error) {
	r := &edgeList{opts: opts, weight: -1, names: newNames(), largest: -1, rows: newRowBuilder(len(opts.Features))}
	if opts.Undirected {
		r.rows.most /= 2 // every row comes twice
	}
	return r, r.take(opts)
}

func (r *edgeList) read(l *lineReader) (*NamedGraph, error) {
	opts := r.opts
	if err := l.eachRecord(opts.Comma, opts.Comment, func(fields [][]byte) error {
		if r.columns == nil {
			if err := r.header(l, fields); err != nil || opts.Header {
				return err
			}
		}
		return r.edge(l, fields)
	}); err != nil {
		return nil, err
	}
	if r.columns == nil && opts.Header {
		return nil, fileError(l.file, "no header")
	}
	g := &NamedGraph{}
	n := len(r.names.list)
	switch {
	case opts.TargetNames != nil:
		n = len(opts.Names)
	case opts.Names != nil:
		n, g.Names = len(opts.Names), slices.Clone(opts.Names)
	case opts.Integers:
		if n = opts.NumVertices; n == 0 {
			n = int(r.largest) + 1
			if err := checkVertices(int64(n), int64(len(r.src))); err != nil {
				return nil, fileError(l.file, "%w: say how many in NumVertices", err)
			}
		}
	default:
		g.Names = r.names.list
	}
	var err error
	switch {
	case opts.TargetNames != nil:
		g.Graph, err = graph.NewBipartite(n, len(opts.TargetNames), r.src, r.dst)
	case opts.NumTargets != 0:
		g.Graph, err = graph.NewBipartite(n, opts.NumTargets, r.src, r.dst)
	default:
		g.Graph, err = graph.New(n, r.src, r.dst)
	}
	if err != nil {
		return nil, &FileError{File: l.file, Err: err}
	}
	if r.weight >= 0 {
		g.Weights = r.weights
	}
	if len(opts.Features) > 0 {
		g.EdgeFeatures = r.rows.features().Rows(r.from)
	}
	return g, nil
}

// take takes over the names that are given.
func (r *edgeList) take(opts EdgeListOptions) (err error) {
	switch {
	case opts.Names != nil && (opts.Integers || opts.NumVertices != 0 || opts.NumTargets != 0):
		return errors.New("vertices have names or are numbers: give either Names or Integers with NumVertices")
	case opts.Names == nil && opts.TargetNames != nil:
		return errors.New("TargetNames without Names")
	case !opts.Integers && opts.NumVertices != 0:
		return errors.New("NumVertices without Integers")
	case !opts.Integers && opts.NumTargets != 0:
		return errors.New("NumTargets without Integers")
	case opts.TargetNames != nil && opts.Undirected:
		return errors.New("a bipartite graph has no reverse edges: give either TargetNames or Undirected")
	case opts.NumTargets != 0 && opts.Undirected:
		return errors.New("a bipartite graph has no reverse edges: give either NumTargets or Undirected")
	}
	if r.known[0], err = vertexIDs(opts.Names); err != nil {
		return err
	}
	if r.known[1] = r.known[0]; opts.TargetNames != nil {
		r.known[1], err = vertexIDs(opts.TargetNames)
	}
	return err
}

// vertexIDs are the places of names, which must differ; nil of nil.
func vertexIDs(names []string) (map[string]int32, error) {
	if names == nil {
		return nil, nil
	}
	ids := make(map[string]int32, len(names))
	for v, name := range names {
		if u, again := ids[name]; again {
			return nil, fmt.Errorf("vertices %d and %d are both called %.40q", u, v, name)
		}
		ids[name] = int32(v)
	}
	return ids, nil
}

// eachRecord calls f with the fields of every line that does not begin with comment.
// They are valid until f returns. Meanwhile l.blanks counts the blank lines before.
func (l *lineReader) eachRecord(comma, comment byte, f func(fields [][]byte) error) error {
	switch comma {
	case ' ':
		comma = 0
	case 0:
		comma = ','
	}
	l.sep = comma
	var fields [][]byte
	return l.each(func(line []byte) (err error) {
		if comment != 0 && line[0] == comment {
			return nil
		}
		if fields, err = splitRecord(fields[:0], l, line); err != nil {
			return err
		}
		err = f(fields)
		l.blanks = 0
		return err
	})
}

// splitRecord appends the trimmed fields of a line, without their quotes unless blanks
// separate them.
func splitRecord(fields [][]byte, l *lineReader, line []byte) ([][]byte, error) {
	if l.sep == 0 || bytes.IndexByte(line, '"') < 0 {
		return splitFields(fields, line, l.sep), nil
	}
	r := csv.NewReader(bytes.NewReader(line))
	r.Comma = rune(l.sep)
	r.TrimLeadingSpace = !unicode.IsSpace(r.Comma) // which would be taken for a blank before a field
	record, err := r.Read()
	if err != nil {
		if parse, ok := err.(*csv.ParseError); ok {
			err = parse.Err // without the line, which is always 1
		}
		return nil, l.errorf("%w", err)
	}
	for _, field := range record {
		fields = append(fields, bytes.TrimSpace([]byte(field)))
	}
	return fields, nil
}

// columns are the names of the columns of a file, each once.
type columns struct {
	names []string
	at    map[string]int
}

// readColumns takes the names from the fields of a line or, without a header, from
// their number.
func readColumns(l *lineReader, fields [][]byte, header bool) (*columns, error) {
	if len(fields) > maxColumns {
		return nil, l.errorf("%d columns", len(fields))
	}
	c := &columns{names: make([]string, len(fields)), at: make(map[string]int, len(fields))}
	for i, field := range fields {
		if c.names[i] = string(field); !header {
			c.names[i] = strconv.Itoa(i)
		}
		if _, again := c.at[c.names[i]]; again {
			return nil, l.errorf("two columns are called %.40q", c.names[i])
		}
		c.at[c.names[i]] = i
	}
	return c, nil
}

// find returns where the column of a name is.
func (c *columns) find(l *lineReader, name string) (int, error) {
	i, ok := c.at[name]
	if !ok {
		const few = 5
		more := ""
		if n := len(c.names) - few; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		return 0, l.errorf("no column is called %q, there are %.40q%s", name, c.names[:min(few, len(c.names))], more)
	}
	return i, nil
}

// checkFields refuses a line of more or fewer fields than there are columns.
func (c *columns) checkFields(l *lineReader, fields [][]byte) error {
	if len(fields) != len(c.names) {
		return l.errorf("%d fields, want %d", len(fields), len(c.names))
	}
	return nil
}

// header finds the columns by name.
func (r *edgeList) header(l *lineReader, fields [][]byte) (err error) {
	if r.columns, err = readColumns(l, fields, r.opts.Header); err != nil {
		return err
	}
	if len(r.columns.names) < 2 {
		hint := ""
		for _, sep := range []byte{' ', '\t'} { // if there are both, as in a name with blanks, tabs are meant
			if bytes.IndexByte(fields[0], sep) >= 0 {
				hint = fmt.Sprintf(" (Comma: %q)", sep)
			}
		}
		return l.errorf("%d columns, want at least 2%s", len(r.columns.names), hint)
	}
	r.ends = [2]int{0, 1}
	for i, name := range []string{r.opts.Source, r.opts.Target} {
		if name != "" {
			if r.ends[i], err = r.columns.find(l, name); err != nil {
				return err
			}
		}
	}
	if i := r.ends[0]; i == r.ends[1] { // every edge would be a loop
		return l.errorf("column %q is both source and target: name the other one, too", r.columns.names[i])
	}
	if r.opts.Weight != "" {
		if r.weight, err = r.columns.find(l, r.opts.Weight); err != nil {
			return err
		}
	}
	for _, name := range r.opts.Features {
		i, err := r.columns.find(l, name)
		if err != nil {
			return err
		}
		r.features = append(r.features, i)
	}
	return nil
}

// edge reads the edge of a line.
func (r *edgeList) edge(l *lineReader, fields [][]byte) error {
	if err := r.columns.checkFields(l, fields); err != nil {
		return err
	}
	if len(r.src) >= math.MaxInt32-1 {
		return l.errorf("too many edges")
	}
	var ends [2]int32
	for i, column := range r.ends {
		field := fields[column]
		switch {
		case r.opts.Integers:
			n, what := r.opts.NumVertices, "vertex"
			if n == 0 {
				n = math.MaxInt32
			}
			isTarget := i == 1 && r.opts.NumTargets != 0
			if isTarget {
				n, what = r.opts.NumTargets, "target"
			}
			v, err := l.id(field, what, n)
			if err != nil {
				return err
			}
			if ends[i] = v; !isTarget {
				r.largest = max(r.largest, v)
			}
		case len(field) == 0:
			return l.errorf("a vertex without a name")
		case r.known[i] != nil:
			v, ok := r.known[i][string(field)]
			if !ok {
				return l.errorf("vertex %.40q is none of the %d that are named", field, len(r.known[i]))
			}
			ends[i] = v
		default:
			ends[i] = r.names.idOf(field)
		}
	}
	w := float32(0)
	if r.weight >= 0 {
		var err error
		if w, err = l.float(fields[r.weight], "weight"); err != nil {
			return err
		}
	}
	for c, column := range r.features {
		x, err := l.float(fields[column], "feature")
		if err != nil {
			return err
		}
		r.rows.add(c, x)
	}
	if err := r.rows.end(); err != nil {
		return l.errorf("%w", err)
	}
	r.add(ends[0], ends[1], w)
	if r.opts.Undirected && ends[0] != ends[1] {
		r.add(ends[1], ends[0], w)
	}
	return nil
}

func (r *edgeList) add(u, v int32, w float32) {
	r.src, r.dst = append(r.src, u), append(r.dst, v)
	if r.weight >= 0 {
		r.weights = append(r.weights, w)
	}
	if len(r.features) > 0 {
		r.from = append(r.from, int32(r.rows.rows()-1))
	}
}

// firstDuplicate returns the first edge whose ends are those of an edge before
// it, -1 if there is none.
func firstDuplicate(src, dst []int32) int {
	order := appendRange(nil, 0, int32(len(src)))
	key := func(e int32) uint64 { return uint64(uint32(src[e]))<<32 | uint64(uint32(dst[e])) }
	slices.SortFunc(order, func(a, b int32) int {
		switch ka, kb := key(a), key(b); {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		}
		return int(a) - int(b)
	})
	first := -1
	for i := 1; i < len(order); i++ {
		if e := int(order[i]); key(order[i-1]) == key(order[i]) && (first < 0 || e < first) {
			first = e
		}
	}
	return first
}
