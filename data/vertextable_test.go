// Tests of tables of vertices.

package data

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// describeTable prints all of a table.
func describeTable(t *VertexTable) string {
	s := "no features"
	if !t.Features.IsZero() {
		s = fmt.Sprintf("%q %v", t.FeatureNames, t.Features.Dense().Float64s())
	}
	s += fmt.Sprintf(" %v %q", t.Labels, t.Classes)
	if t.Names != nil {
		s += fmt.Sprintf(" of %q", t.Names)
	}
	return s
}

func TestVertexTablesAreRead(t *testing.T) {
	abc := []string{"a", "b", "c"}
	for name, tt := range map[string]struct {
		text  string
		names []string
		opts  VertexTableOptions
		want  string
	}{
		"lines are vertices":  {"x,y\n1,2\n3,4\n", nil, VertexTableOptions{}, `["x" "y"] [1 2 3 4] [-1 -1] []`},
		"names":               {"x,v\n3,c\n1,a\n2,b\n", abc, VertexTableOptions{ID: "v"}, `["x"] [1 2 3] [-1 -1 -1] [] of ["a" "b" "c"]`},
		"names come first":    {"v,x\nc,3\na,1\nb,2\n", abc, VertexTableOptions{}, `["x"] [1 2 3] [-1 -1 -1] [] of ["a" "b" "c"]`},
		"numbers":             {"x,v\n3,2\n1,0\n2,1\n", nil, VertexTableOptions{ID: "v"}, `["x"] [1 2 3] [-1 -1 -1] []`},
		"labels":              {"v,y,x\nc,dog,3\na,dog,1\nb,cat,2\n", abc, VertexTableOptions{Label: "y"}, `["x"] [1 2 3] [1 0 1] ["cat" "dog"] of ["a" "b" "c"]`},
		"integer labels":      {"y\n10\n9\n-1\n10\n", nil, VertexTableOptions{Label: "y"}, `no features [2 1 0 2] ["-1" "9" "10"]`},
		"not all integers":    {"y\n10\n9\nx\n10\n", nil, VertexTableOptions{Label: "y"}, `no features [0 1 2 0] ["10" "9" "x"]`},
		"one number twice":    {"y\n1\n01\n0\n", nil, VertexTableOptions{Label: "y"}, `no features [2 1 0] ["0" "01" "1"]`},
		"unlabelled":          {"y,x\n,1\nb,2\n\" \",3\n", nil, VertexTableOptions{Label: "y"}, `["x"] [1 2 3] [-1 0 -1] ["b"]`},
		"none is labelled":    {"y,x\n,1\n,2\n", nil, VertexTableOptions{Label: "y"}, `["x"] [1 2] [-1 -1] []`},
		"chosen features":     {"x,v,note,z\n1,0,ok,2\n", nil, VertexTableOptions{ID: "v", Features: []string{"z", "x"}}, `["z" "x"] [2 1] [-1] []`},
		"no features":         {"x,y\n1,b\n", nil, VertexTableOptions{Label: "y", Features: []string{}}, `no features [0] ["b"]`},
		"categorical":         {"v,x,c,z\nb,1,red,4\na,2,blue,5\nc,3,red,6\n", abc, VertexTableOptions{Categorical: []string{"c"}}, `["x" "c=blue" "c=red" "z"] [2 1 0 5 1 0 1 4 3 0 1 6] [-1 -1 -1] [] of ["a" "b" "c"]`},
		"two categorical":     {"c,d\n10,p\n9,\n10,q\n", nil, VertexTableOptions{Categorical: []string{"d", "c"}}, `["c=9" "c=10" "d=p" "d=q"] [0 1 1 0 1 0 0 0 0 1 0 1] [-1 -1 -1] []`},
		"categorical, empty":  {"c\n\"\"\n\"\"\n", nil, VertexTableOptions{Categorical: []string{"c"}}, `no features [-1 -1] []`},
		"zeros":               {"x,y\n0,0\n-0,0.0\n", nil, VertexTableOptions{}, `["x" "y"] [0 0 0 0] [-1 -1] []`},
		"quoted":              {"\"v, w\",x\n\"say \"\"a\"\"\",1\n", []string{`say "a"`}, VertexTableOptions{ID: "v, w"}, `["x"] [1] [-1] [] of ["say \"a\""]`},
		"tabs":                {"v v\tx\na b\t1\n", []string{"a b"}, VertexTableOptions{Comma: '\t'}, `["x"] [1] [-1] [] of ["a b"]`},
		"empty fields":        {"c,y\np,q\n,\nr,s\n", nil, VertexTableOptions{Label: "y", Categorical: []string{"c"}}, `["c=p" "c=r"] [1 0 0 0 0 1] [0 -1 1] ["q" "s"]`},
		"empty between tabs":  {"c\ty\np\tq\n\t\n \n\nr\ts\n \t\r\n", nil, VertexTableOptions{Comma: '\t', Label: "y", Categorical: []string{"c"}}, `["c=p" "c=r"] [1 0 0 0 0 1 0 0] [0 -1 1 -1] ["q" "s"]`},
		"blanks and comments": {"# towns\nv  x\n\na 1\n#b 7\nb   2\n", abc[:2], VertexTableOptions{Comma: ' ', Comment: '#'}, `["x"] [1 2] [-1 -1] [] of ["a" "b"]`},
		"Windows":             {"v,x\r\na,1\r\nb,2\r\n", abc[:2], VertexTableOptions{}, `["x"] [1 2] [-1 -1] [] of ["a" "b"]`},
		"blank labels":        {"\n# animals\ny\n\ncat\n\n \r\n# and\ndog\n\n\n", nil, VertexTableOptions{Comment: '#', Label: "y"}, `no features [-1 0 -1 -1 1] ["cat" "dog"]`},
		"blank category":      {"c\np\n\nq\n", nil, VertexTableOptions{Comma: '\t', Categorical: []string{"c"}}, `["c=p" "c=q"] [1 0 0 0 0 1] [-1 -1 -1] []`},
		"blank between ids":   {"v\n\n1\n\n0\n", nil, VertexTableOptions{ID: "v"}, `no features [-1 -1] []`},
		"blank between names": {"v\na\n\nb\n", nil, VertexTableOptions{Named: true, ID: "v"}, `no features [-1 -1] [] of ["a" "b"]`},
		"header only":         {"x,y\n", nil, VertexTableOptions{Label: "y"}, `["x"] [] [] []`},
		"no vertices":         {"v,x", []string{}, VertexTableOptions{}, `["x"] [] [] [] of []`},
		"named":               {"v,x,y\nc,3,p\na,1,q\n", nil, VertexTableOptions{Named: true, Label: "y"}, `["x"] [3 1] [0 1] ["p" "q"] of ["c" "a"]`},
		"named by a column":   {"x,v\n3,c\n1,a\n", nil, VertexTableOptions{Named: true, ID: "v"}, `["x"] [3 1] [-1 -1] [] of ["c" "a"]`},
		"named, no line":      {"v,x\n", nil, VertexTableOptions{Named: true}, `["x"] [] [] [] of []`},
	} {
		for _, file := range []string{tt.text, byteOrderMark + tt.text, string(gzipBytes(t, []byte(byteOrderMark+tt.text)))} {
			table, err := LoadVertexTable(write(t, "table", file), tt.names, tt.opts)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := describeTable(table); got != tt.want {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	}
}

// hostileVertexTables is tables that are refused with the given words.
var hostileVertexTables = []struct {
	name, text string
	names      []string
	opts       VertexTableOptions
	want       string
}{
	{"empty", "", nil, VertexTableOptions{}, "table: no header"},
	{"cut", "x,y\n1,2\n1", nil, VertexTableOptions{}, "table:3: 1 fields, want 2"},
	{"more", "x,y\n\n1,2,3\n", nil, VertexTableOptions{}, "table:3: 3 fields, want 2"},
	{"word", "x,y\n1,2\n3,\"n, a\"\n", nil, VertexTableOptions{}, `table:3: column "y": "n, a" is not a finite number`},
	{"no number", "x,y\n1,\n", nil, VertexTableOptions{}, `table:2: column "y": "" is not a finite number`},
	{"NaN", "x\n1\nNaN\n", nil, VertexTableOptions{}, `table:3: column "x": "NaN" is not a finite number`},
	{"blank number", "x\n1\n\n\n2\n", nil, VertexTableOptions{}, `table:3: column "x": "" is not a finite number`},
	{"infinite", "x\n1\n-inf\n", nil, VertexTableOptions{}, `table:3: column "x": "-inf" is not a finite number`},
	{"beyond float32", "x\n1e39\n", nil, VertexTableOptions{}, `table:2: column "x": "1e39" is not a finite number`},
	{"column twice", "x,y,x\n", nil, VertexTableOptions{}, `table:1: two columns are called "x"`},
	{"no column", "x,y\n", nil, VertexTableOptions{Label: "kind"}, `table:1: no column is called "kind", there are ["x" "y"]`},
	{"no id", "x,y\n", nil, VertexTableOptions{ID: "v"}, `table:1: no column is called "v", there are ["x" "y"]`},
	{"no feature", "x,y\n", nil, VertexTableOptions{Features: []string{"x", "z"}}, `table:1: no column is called "z", there are ["x" "y"]`},
	{"no category", "x,y\n", nil, VertexTableOptions{Categorical: []string{"z"}}, `table:1: no column is called "z", there are ["x" "y"]`},
	{"category no feature", "x,y\n", nil, VertexTableOptions{Features: []string{"x"}, Categorical: []string{"y"}}, `table:1: column "y" is categorical, but no feature`},
	{"id and label", "x,y\n", []string{"a"}, VertexTableOptions{Label: "x"}, `table:1: column "x" is named as the id and as the label`},
	{"label and feature", "x,y\n", nil, VertexTableOptions{Label: "x", Features: []string{"y", "x"}}, `table:1: column "x" is named as the label and as a feature`},
	{"feature twice", "x,y\n", nil, VertexTableOptions{Features: []string{"y", "y"}}, `table:1: column "y" is named as a feature and as a feature`},
	{"no name", "x,,y\n1,2,3\n", nil, VertexTableOptions{}, "table:1: column 1 has no name: say which ones are features"},
	{"unknown", "v,x\na,1\nd,2\n", []string{"a", "b"}, VertexTableOptions{}, `table:3: vertex "d" is none of the 2 of the graph`},
	{"nameless", "v,x\n,1\n", []string{"a", "b"}, VertexTableOptions{}, `table:2: vertex "" is none of the 2 of the graph`},
	{"twice", "v,x\na,1\nb,2\na,1\n", []string{"a", "b"}, VertexTableOptions{}, `table:4: vertex "a" is in line 2 already`},
	{"number twice", "v,x\n0,1\n1,2\n01,1\n", nil, VertexTableOptions{ID: "v"}, `table:4: vertex "01" is in line 3 already`},
	{"missing", "v,x\nb,1\n", []string{"a", "b", "c", "d", "e"}, VertexTableOptions{}, `table: 4 of 5 vertices have no line, such as ["a" "c" "d"]`},
	{"all are missing", "v,x\n", []string{"a"}, VertexTableOptions{}, `table: 1 of 1 vertices have no line, such as ["a"]`},
	{"number is missing", "v,x\n0,1\n3,1\n1,1\n", nil, VertexTableOptions{ID: "v"}, "table:3: vertex 3 out of range [0, 3): that many vertices have a line"},
	{"words for numbers", "v,x\na,1\n", nil, VertexTableOptions{ID: "v"}, `table:2: vertex "a" is not an integer`},
	{"negative", "v,x\n-1,1\n", nil, VertexTableOptions{ID: "v"}, "table:2: vertex -1 out of range [0, 2147483647)"},
	{"8 GB", "v,x\n2000000000,1\n", nil, VertexTableOptions{ID: "v"}, "table:2: vertex 2000000000 out of range [0, 1): that many vertices have a line"},
	{"named twice", "v,x\na,1\nb,2\na,1\n", nil, VertexTableOptions{Named: true}, `table:4: vertex "a" is in line 2 already`},
	{"named nothing", "v,x\na,1\n,2\n", nil, VertexTableOptions{Named: true}, "table:3: a vertex without a name"},
	{"open quote", "v,x\n\"0,1\n", nil, VertexTableOptions{ID: "v"}, `table:2: extraneous or missing " in quoted-field`},
	{"bare quote", "v,x\n0\",1\n", nil, VertexTableOptions{ID: "v"}, `table:2: bare " in non-quoted-field`},
}

func TestHostileVertexTablesAreRefused(t *testing.T) {
	for _, tt := range hostileVertexTables {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "table", tt.text)
			refused(t, tt.want, func() error {
				_, err := LoadVertexTable(path, tt.names, tt.opts)
				if err != nil && !strings.HasSuffix(err.Error(), tt.want) {
					t.Errorf("error %v, want its end to be %q", err, tt.want)
				}
				return err
			})
		})
	}
	file := gzipBytes(t, []byte(strings.Repeat("1\n", 10_000)))
	refused(t, "unexpected EOF", func() error {
		_, err := LoadVertexTable(write(t, "table", string(file[:len(file)-9])), nil, VertexTableOptions{})
		return err
	})
}

// A name of a column that is long and has many values makes long names of features.
func TestNamesOfFeaturesAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Repeat("c", 1000) + "\n")
	for v := range 1000 {
		fmt.Fprintln(&text, v)
	}
	opts := VertexTableOptions{Categorical: []string{strings.Repeat("c", 1000)}}
	refused(t, "names of features take more than 100000 bytes", func() error {
		_, err := parseVertexTable(linesOf(text.String()), nil, opts, 100_000)
		return err
	})
	table, err := parseVertexTable(linesOf(text.String()), nil, opts, textLimit(0))
	if err != nil || table.Features.Cols() != 1000 || table.Features.Sparse() == nil {
		t.Errorf("%v, %v", table, err)
	}
}

// Faults that are not the file's.
func TestVertexTablesNeedAFileAndDistinctNames(t *testing.T) {
	if _, err := LoadVertexTable(t.TempDir()+"/none", nil, VertexTableOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	_, err := LoadVertexTable(write(t, "table", "v,x\na,1\nb,1\n"), []string{"a", "b", "a"}, VertexTableOptions{})
	if want := `data: vertices 0 and 2 are both called "a"`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = LoadVertexTable(write(t, "table", "v,x\na,1\n"), []string{"a"}, VertexTableOptions{Named: true})
	if want := "data: 1 names of vertices are given for a table that is Named"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A dataset that is written as two files, the vertices in another order, reads back the same.
func TestTwoFilesMakeADataset(t *testing.T) {
	d := Karate()
	n := d.Graph.NumVertices()
	features := make([]float32, 2*n)
	for i := range features {
		features[i] = 1 / float32(i+1)
	}
	d.Features = DenseFeatures(tensor.FromSlice(features, n, 2))
	d.Labels[5] = NoLabel
	d.Train, d.Val, d.Test = RandomSplit(d.Labels, d.NumClasses, 2, 1, 3)

	names := make([]string, n)
	lines := make([]string, n)
	for v := range n {
		names[v] = "member " + strconv.Itoa(v)
		label := ""
		if d.Labels[v] != NoLabel {
			label = strconv.Itoa(int(d.Labels[v]))
		}
		lines[v] = fmt.Sprintf("%s,%v,%v,%s\n", label, features[2*v], features[2*v+1], names[v])
	}
	slices.Reverse(lines)
	edges, vertices := write(t, "edges", ""), write(t, "vertices", "club,x,y,who\n"+strings.Join(lines, ""))
	if err := WriteEdgeList(edges, &NamedGraph{Graph: d.Graph, Names: names}); err != nil {
		t.Fatal(err)
	}
	g, err := LoadEdgeList(edges, EdgeListOptions{Header: true})
	if err != nil {
		t.Fatal(err)
	}
	table, err := LoadVertexTable(vertices, g.Names, VertexTableOptions{ID: "who", Label: "club"})
	if err != nil {
		t.Fatal(err)
	}
	got := &Dataset{Name: "club", Graph: g.Graph, Features: table.Features, Labels: table.Labels, NumClasses: len(table.Classes)}
	got.Train, got.Val, got.Test = RandomSplit(got.Labels, got.NumClasses, 2, 1, 3)
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if got.NumClasses != d.NumClasses || len(got.Train) != len(d.Train) || len(got.Test) != len(d.Test) {
		t.Errorf("%d classes, %d and %d vertices", got.NumClasses, len(got.Train), len(got.Test))
	}
	rows := tensor.Data[float32](got.Features.Dense())
	for v, name := range g.Names {
		u := slices.Index(names, name)
		if got.Labels[v] != d.Labels[u] || !slices.Equal(rows[2*v:2*v+2], features[2*u:2*u+2]) {
			t.Errorf("%s: label %d, features %v", name, got.Labels[v], rows[2*v:2*v+2])
		}
	}
}

func FuzzVertexTable(f *testing.F) {
	for _, tt := range hostileVertexTables {
		f.Add(tt.text, strings.Join(tt.names, " "), tt.opts.ID, tt.opts.Label, strings.Join(tt.opts.Categorical, " "), tt.opts.Comma)
	}
	f.Add("v,c,x\nb,p,1\na,q,0\n", "a b", "", "x", "c", byte(0))
	f.Add("v\tc\tx\n1\t9\t1\n0\t10\t0\n", "", "v", "", "c", byte('\t'))
	f.Fuzz(func(t *testing.T, text, names, id, label, categorical string, comma byte) {
		opts := VertexTableOptions{ID: id, Label: label, Comma: comma, Comment: '#', Categorical: strings.Fields(categorical)}
		table, err := parseVertexTable(linesOf(text), strings.Fields(names), opts, textLimit(int64(len(text))))
		if err == nil {
			checkTable(t, table, len(strings.Fields(names)))
		}
		opts.Features = opts.Categorical
		table, err = parseVertexTable(linesOf(text), nil, opts, textLimit(int64(len(text))))
		if err == nil {
			checkTable(t, table, len(table.Labels))
		}
	})
}

// checkTable checks that the parts of a table of n vertices fit each other.
func checkTable(t *testing.T, table *VertexTable, n int) {
	t.Helper()
	g, err := graph.New(n, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &Dataset{
		Graph: g, Features: table.Features, Labels: table.Labels, NumClasses: len(table.Classes),
		Train: []int32{}, Val: []int32{}, Test: []int32{},
	}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	used := map[int32]bool{NoLabel: true}
	for _, label := range table.Labels {
		used[label] = true
	}
	distinct := func(texts []string) bool {
		return len(slices.Compact(slices.Sorted(slices.Values(texts)))) == len(texts)
	}
	if len(used) != len(table.Classes)+1 || !distinct(table.Classes) || slices.Contains(table.Classes, "") || table.Features.Cols() != len(table.FeatureNames) {
		t.Errorf("%s", describeTable(table))
	}
}
