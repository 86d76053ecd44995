// Tables of vertices: text with a vertex a line, its features and its label in columns.

package data

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// VertexTable is what a file says about the vertices of a graph, in their order.
type VertexTable struct {
	Names        []string // of the vertices; nil if they are numbers
	Features     Features // one row a vertex, one column for each of FeatureNames, float32; zero if there are none
	FeatureNames []string // of columns; COLUMN=VALUE for a value of a categorical one
	Labels       []int32  // the class of each vertex, an index of Classes, NoLabel where it has none
	Classes      []string // the labels as they are written, each once, ascending: as numbers if all are integers
}

// VertexTableOptions say what the columns of a table of vertices are; its first line
// names them. The zero value takes all for features, but the first for the names of
// vertices if these are given.
type VertexTableOptions struct {
	Comma   byte // what separates columns; 0 stands for a comma, ' ' for any blanks
	Comment byte // what lines that are skipped begin with; 0 for none

	// ID is the column that says which vertex a line is of: its name or, if vertices
	// have no names, its number from 0. "" stands for the first column if they have
	// names; if they have none, for no column: the lines are vertices 0, 1, 2, …
	ID string

	// Named says that the table itself tells which vertices there are: their names are
	// what ID has, in the order of lines, for the Names of LoadEdgeList.
	Named bool

	Label string // the column of labels, "" for none

	// Features are the columns of features, in their order; nil stands for all that
	// are neither ID nor Label, in the order of the file, each of which must be named.
	Features []string

	// Categorical are those of the features that are no numbers. Each becomes a column
	// of 0 and 1 for every value that it holds, in the order that Classes has.
	Categorical []string
}

// LoadVertexTable reads features and labels of vertices from a table with a header,
// compressed with gzip or not. Fields may be quoted as in CSV, unless blanks separate them,
// but not run over lines; blank lines are skipped, but not those of empty fields between
// commas or tabs, nor, in a table whose only column is no ID, those that another line
// follows: their field is empty.
// Lines may come in any order, one for every vertex.
//
// names are those of the vertices in the order of the graph, such as the Names of
// LoadEdgeList. If they are nil, vertices are numbers from 0, as EdgeListOptions.Integers
// says it of edge lists, and there are as many as lines, unless the table is Named. Tables
// with vertices that have no edge are read first, so:
//
//	papers, err := data.LoadVertexTable("papers.csv", nil, data.VertexTableOptions{Named: true, Label: "topic"})
//	cites, err := data.LoadEdgeList("cites.csv", data.EdgeListOptions{Header: true, Names: papers.Names})
//
// What else a table says of vertices, such as the part of a split, another call reads as
// its Label, with no Features: []string{}.
//
// A vertex whose label is empty has NoLabel; one whose categorical feature is empty has
// none of its values. Other features must be finite numbers. Features are stored dense
// if at least half of them are not zero. It is an error if a line is of no vertex of the
// graph, or of one that another line is of, if a vertex has no line, or if two of names
// are the same.
func LoadVertexTable(path string, names []string, opts VertexTableOptions) (t *VertexTable, err error) {
	err = readSized(path, func(r io.Reader, size int64) error {
		t, err = parseVertexTable(newLineReader(path, r), names, opts, textLimit(size))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return t, nil
}

// vertexTable reads a table of vertices.
type vertexTable struct {
	opts    VertexTableOptions
	names   []string         // of vertices; nil if they are numbers
	ids     map[string]int32 // the vertices by name
	columns *columns         // nil before the first line

	id, label int // columns, -1 for none
	features  []int
	values    []*names // of each feature; nil for numbers

	vertices []int32       // of each row, if there is a column of ids
	lines    map[int32]int // of vertices that have been read
	classes  *names
	labels   []int32     // the class of each row, as they came
	rows     *rowBuilder // a column a feature, 1 where a categorical one has a value
	codes    []int32     // the values of these entries, as they came
}

// parseVertexTable reads a table whose names of features may take as many bytes as limit
// says: a short text can have a long name of a column and many values there.
func parseVertexTable(l *lineReader, vertices []string, opts VertexTableOptions, limit int64) (*VertexTable, error) {
	r := &vertexTable{opts: opts, names: vertices, id: -1, label: -1, lines: make(map[int32]int), classes: newNames()}
	var err error
	if r.ids, err = vertexIDs(vertices); err != nil {
		return nil, err
	}
	if opts.Named {
		if vertices != nil {
			return nil, fmt.Errorf("%d names of vertices are given for a table that is Named", len(vertices))
		}
		r.ids, r.names = make(map[string]int32), []string{}
	}
	if err := l.eachRecord(opts.Comma, opts.Comment, func(fields [][]byte) error {
		if r.columns == nil {
			return r.header(l, fields)
		}
		if err := r.blankRows(l); err != nil {
			return err
		}
		return r.row(l, fields)
	}); err != nil {
		return nil, err
	}
	if r.columns == nil {
		return nil, fileError(l.file, "no header")
	}
	return r.table(l.file, limit)
}

// header finds the columns by name.
func (r *vertexTable) header(l *lineReader, fields [][]byte) (err error) {
	if r.columns, err = readColumns(l, fields, true); err != nil {
		return err
	}
	roles := make([]string, len(fields)) // "" for columns that are not read
	take := func(name, role string) (int, error) {
		c, err := r.columns.find(l, name)
		if err == nil && roles[c] != "" {
			err = l.errorf("column %q is named as %s and as %s", name, roles[c], role)
		}
		if err != nil {
			return 0, err
		}
		roles[c] = role
		return c, nil
	}
	id := r.opts.ID
	if id != "" || r.names != nil {
		if id == "" {
			id = r.columns.names[0]
		}
		if r.id, err = take(id, "the id"); err != nil {
			return err
		}
	}
	if r.opts.Label != "" {
		if r.label, err = take(r.opts.Label, "the label"); err != nil {
			return err
		}
	}
	for _, name := range r.opts.Features {
		c, err := take(name, "a feature")
		if err != nil {
			return err
		}
		r.features = append(r.features, c)
	}
	if r.opts.Features == nil {
		for c, name := range r.columns.names {
			switch {
			case roles[c] != "":
			case name == "": // often a number of the line
				return l.errorf("column %d has no name: say which ones are features", c)
			default:
				r.features = append(r.features, c)
			}
		}
	}
	r.rows = newRowBuilder(len(r.features))
	r.values = make([]*names, len(r.features))
	for _, name := range r.opts.Categorical {
		c, err := r.columns.find(l, name)
		if err != nil {
			return err
		}
		f := slices.Index(r.features, c)
		if f < 0 {
			return l.errorf("column %q is categorical, but no feature", name)
		}
		r.values[f] = newNames()
	}
	return nil
}

// blankRows reads the blank lines before a line where one can be of a vertex: the vertices
// after it would else get what is of those before them.
func (r *vertexTable) blankRows(l *lineReader) error {
	if len(r.columns.names) != 1 || r.id >= 0 || l.blanks == 0 {
		return nil
	}
	last := l.line
	l.line = l.firstBlank // what is wrong with one is with the first
	for range l.blanks {
		if err := r.row(l, [][]byte{nil}); err != nil {
			return err
		}
	}
	l.line = last
	return nil
}

// row reads the vertex of a line.
func (r *vertexTable) row(l *lineReader, fields [][]byte) error {
	if err := r.columns.checkFields(l, fields); err != nil {
		return err
	}
	if r.rows.rows() >= math.MaxInt32-1 {
		return l.errorf("too many vertices")
	}
	if r.id >= 0 {
		v, err := r.vertex(l, fields[r.id])
		if err != nil {
			return err
		}
		r.vertices = append(r.vertices, v)
	}
	if r.label >= 0 {
		label := NoLabel
		if field := fields[r.label]; len(field) > 0 {
			label = r.classes.idOf(field)
		}
		r.labels = append(r.labels, label)
	}
	for f, c := range r.features {
		field := fields[c]
		if values := r.values[f]; values != nil {
			if len(field) > 0 {
				r.rows.add(f, 1)
				r.codes = append(r.codes, values.idOf(field))
			}
			continue
		}
		x, err := l.float(field, "feature")
		if err != nil {
			return l.errorf("column %.40q: %.40q is not a finite number", r.columns.names[c], field)
		}
		r.rows.add(f, x)
	}
	if err := r.rows.end(); err != nil {
		return l.errorf("%w", err)
	}
	return nil
}

// vertex returns the vertex that a line is of, which no line before may be of.
func (r *vertexTable) vertex(l *lineReader, field []byte) (int32, error) {
	v, ok := r.ids[string(field)]
	if r.opts.Named && !ok {
		if len(field) == 0 {
			return 0, l.errorf("a vertex without a name")
		}
		v, ok = int32(len(r.names)), true
		r.names = append(r.names, string(field))
		r.ids[r.names[v]] = v
	}
	if r.names == nil {
		var err error
		if v, err = l.id(field, "vertex", math.MaxInt32); err != nil {
			return 0, err
		}
	} else if !ok {
		return 0, l.errorf("vertex %.40q is none of the %d of the graph", field, len(r.names))
	}
	if line, again := r.lines[v]; again {
		return 0, l.errorf("vertex %.40q is in line %d already", field, line)
	}
	r.lines[v] = l.line
	return v, nil
}

// table returns what was read in the order of vertices.
func (r *vertexTable) table(file string, limit int64) (*VertexTable, error) {
	if err := r.checkVertices(file); err != nil {
		return nil, err
	}
	t := &VertexTable{Names: slices.Clone(r.names), Labels: make([]int32, r.rows.rows())}
	from := appendRange(nil, 0, int32(len(t.Labels))) // the row of each vertex
	for row, v := range r.vertices {
		from[v] = int32(row)
	}
	var place []int32
	t.Classes, place = ascending(r.classes.list)
	for v, row := range from {
		t.Labels[v] = NoLabel
		if r.label >= 0 && r.labels[row] != NoLabel {
			t.Labels[v] = place[r.labels[row]]
		}
	}
	var err error
	if t.FeatureNames, err = r.spread(file, limit); err != nil {
		return nil, err
	}
	if len(t.FeatureNames) > 0 {
		t.Features = r.rows.features()
		if r.id >= 0 {
			t.Features = t.Features.Rows(from)
		}
	}
	return t, nil
}

// checkVertices refuses rows that are not of all vertices, given that no two are of one.
func (r *vertexTable) checkVertices(file string) error {
	rows := r.rows.rows()
	if r.names == nil {
		for _, v := range r.vertices {
			if int(v) >= rows {
				return &FileError{File: file, Line: r.lines[v], Err: fmt.Errorf("vertex %d out of range [0, %d): that many vertices have a line", v, rows)}
			}
		}
		return nil
	}
	if rows == len(r.names) {
		return nil
	}
	var missing []string
	for v, name := range r.names {
		if _, ok := r.lines[int32(v)]; !ok && len(missing) < 3 {
			missing = append(missing, name)
		}
	}
	return fileError(file, "%d of %d vertices have no line, such as %.40q", len(r.names)-rows, len(r.names), missing)
}

// spread gives every value of categorical features a column and returns the names of all
// columns.
func (r *vertexTable) spread(file string, limit int64) ([]string, error) {
	var width, bytes int64
	for f, c := range r.features {
		if values := r.values[f]; values != nil {
			n := int64(len(values.list))
			width += n
			bytes += values.bytes + n*int64(len(r.columns.names[c])+1)
		} else {
			width++
		}
	}
	if width > maxColumns {
		return nil, fileError(file, "%d columns of features, at most %d fit", width, maxColumns)
	}
	if bytes > limit {
		return nil, fileError(file, "names of features take more than %d bytes", limit)
	}
	var columns []string
	first := make([]int32, len(r.features)) // column of each feature
	places := make([][]int32, len(r.features))
	for f, c := range r.features {
		first[f] = int32(len(columns))
		name := r.columns.names[c]
		if r.values[f] == nil {
			columns = append(columns, name)
			continue
		}
		var values []string
		values, places[f] = ascending(r.values[f].list)
		for _, value := range values {
			columns = append(columns, name+"="+value)
		}
	}
	code := 0
	for e, f := range r.rows.indices {
		if r.rows.indices[e] = first[f]; places[f] != nil {
			r.rows.indices[e] += places[f][r.codes[code]]
			code++
		}
	}
	r.rows.cols = len(columns)
	return columns, nil
}

// ascending returns the texts in ascending order, that of numbers if all are integers,
// and the place of each there.
func ascending(texts []string) (sorted []string, place []int32) {
	numbers := make([]int64, len(texts))
	for i, text := range texts {
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			clear(numbers)
			break
		}
		numbers[i] = x
	}
	order := appendRange(nil, 0, int32(len(texts)))
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(texts[a], texts[b]))
	})
	sorted, place = make([]string, len(texts)), make([]int32, len(texts))
	for i, at := range order {
		sorted[i], place[at] = texts[at], int32(i)
	}
	return sorted, place
}
