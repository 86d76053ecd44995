// Tests of edge lists, read and written.

package data

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// describe prints all of a graph.
func describe(g *NamedGraph) string {
	s := fmt.Sprintf("%d %v %v", g.Graph.NumVertices(), g.Graph.Src(), g.Graph.Dst())
	if g.Names != nil {
		s += fmt.Sprintf(" %q", g.Names)
	}
	if g.Values != nil {
		s += fmt.Sprintf(" values %q", g.Values)
	}
	if g.Weights != nil {
		s += fmt.Sprint(" weights ", g.Weights)
	}
	if !g.EdgeFeatures.IsZero() {
		s += fmt.Sprint(" features ", g.EdgeFeatures.Dense().Float64s())
	}
	return s
}

func TestEdgeListsAreRead(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		opts EdgeListOptions
		want string
	}{
		"names":       {"a,b\nb,c\na,b\n", EdgeListOptions{}, `3 [0 1 0] [1 2 1] ["a" "b" "c"]`},
		"quoted":      {"\"a, b\",c\nc,\"say \"\"x\"\"\"\n", EdgeListOptions{}, `3 [0 1] [1 2] ["a, b" "c" "say \"x\""]`},
		"integers":    {"0,1\n3,1\n", EdgeListOptions{Integers: true}, "4 [0 3] [1 1]"},
		"isolated":    {"0,1\n", EdgeListOptions{Integers: true, NumVertices: 7}, "7 [0] [1]"},
		"SNAP":        {"# a comment\n0\t1\n2   1\n", EdgeListOptions{Comma: ' ', Comment: '#', Integers: true}, "3 [0 2] [1 1]"},
		"tabs":        {"a b\tc\n", EdgeListOptions{Comma: '\t'}, `2 [0] [1] ["a b" "c"]`},
		"blank lines": {"\n \t\n0 1\n\t\n", EdgeListOptions{Comma: ' ', Integers: true}, "2 [0] [1]"},
		"empty field": {"x\t\ty\n\"a b\"\t\tc\n", EdgeListOptions{Comma: '\t', Target: "2"}, `4 [0 2] [1 3] ["x" "y" "a b" "c"]`},
		"undirected":  {"0,1,5\n1,1,6\n", EdgeListOptions{Integers: true, Undirected: true, Weight: "2", Features: []string{"2"}}, "2 [0 1 1] [1 0 1] weights [5 5 6] features [5 5 6]"},
		"header":      {"w,to,from,x,y\n0.5,b,a,1,2\n1,a,a,0,-1\n", EdgeListOptions{Header: true, Source: "from", Target: "to", Weight: "w", Features: []string{"y", "x"}}, `2 [0 0] [1 0] ["a" "b"] weights [0.5 1] features [2 1 -1 0]`},
		"header only": {"a,b\n", EdgeListOptions{Header: true}, "0 [] [] []"},
		"empty":       {"", EdgeListOptions{Integers: true}, "0 [] []"},
		"given":       {"c,a\na,c\n", EdgeListOptions{Names: []string{"a", "b", "c"}}, `3 [2 0] [0 2] ["a" "b" "c"]`},
		"given none":  {"", EdgeListOptions{Names: []string{}}, "0 [] [] []"},
	} {
		for _, file := range []string{tt.text, string(gzipBytes(t, []byte(tt.text)))} {
			g, err := LoadEdgeList(write(t, "list", file), tt.opts)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := describe(g); got != tt.want {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	}
}

// A relation of a heterogeneous graph is read by the names of both its types.
func TestBipartiteEdgeLists(t *testing.T) {
	path := write(t, "ratings", "user,film,stars\nanna,up,5\nbob,heat,2\nanna,heat,4\n")
	g, err := LoadEdgeList(path, EdgeListOptions{Header: true, Weight: "stars", Names: []string{"eve", "bob", "anna"}, TargetNames: []string{"heat", "up"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := describe(g)+" "+g.Graph.String(), `5 [2 1 2] [1 0 0] weights [5 2 4] graph(3 sources, 2 destinations, 3 edges)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	numbers := write(t, "numbers", "0,1\n4,0\n")
	for want, opts := range map[string]EdgeListOptions{
		"graph(5 sources, 3 destinations, 2 edges)": {Integers: true, NumTargets: 3},
		"graph(9 sources, 2 destinations, 2 edges)": {Integers: true, NumVertices: 9, NumTargets: 2},
	} {
		g, err := LoadEdgeList(numbers, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Graph.String(); got != want || g.Names != nil || !slices.Equal(g.Graph.Src(), []int32{0, 4}) || !slices.Equal(g.Graph.Dst(), []int32{1, 0}) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestEdgeListOptionsThatContradictAreRefused(t *testing.T) {
	path := write(t, "list", "")
	for _, tt := range []struct {
		name string
		opts EdgeListOptions
		want string
	}{
		{"one name twice", EdgeListOptions{Names: []string{"a", "b", "a"}}, `vertices 0 and 2 are both called "a"`},
		{"one target twice", EdgeListOptions{Names: []string{}, TargetNames: []string{"a", "a"}}, `vertices 0 and 1 are both called "a"`},
		{"names and numbers", EdgeListOptions{Names: []string{}, Integers: true}, "give either Names or Integers"},
		{"names and a number of targets", EdgeListOptions{Names: []string{}, NumTargets: 1}, "give either Names or Integers"},
		{"a number of names", EdgeListOptions{NumVertices: 3}, "NumVertices without Integers"},
		{"a number of targets' names", EdgeListOptions{NumTargets: 3}, "NumTargets without Integers"},
		{"a number of targets and reverse edges", EdgeListOptions{Integers: true, NumTargets: 1, Undirected: true}, "a bipartite graph has no reverse edges"},
		{"targets alone", EdgeListOptions{TargetNames: []string{"a"}}, "TargetNames without Names"},
		{"targets and reverse edges", EdgeListOptions{Names: []string{}, TargetNames: []string{"a"}, Undirected: true}, "a bipartite graph has no reverse edges"},
	} {
		if _, err := LoadEdgeList(path, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// hostileEdgeLists is lists that are refused with the given words.
var hostileEdgeLists = []struct {
	name, text string
	opts       EdgeListOptions
	want       string
}{
	{"one column", "a\n", EdgeListOptions{}, "list:1: 1 columns, want at least 2"},
	{"blanks", "a b\n", EdgeListOptions{}, "list:1: 1 columns, want at least 2 (Comma: ' ')"},
	{"tabs", "a\tb c\n", EdgeListOptions{}, "list:1: 1 columns, want at least 2 (Comma: '\\t')"},
	{"cut", "a,b\na", EdgeListOptions{}, "list:2: 1 fields, want 2"},
	{"more", "a,b\na,b,c\n", EdgeListOptions{}, "list:2: 3 fields, want 2"},
	{"no name", "a,\n", EdgeListOptions{}, "list:1: a vertex without a name"},
	{"no names between tabs", "a\tb\n\n\t\n", EdgeListOptions{Comma: '\t'}, "list:3: a vertex without a name"},
	{"tabs that are too many", "a\tb\n\t\t\n", EdgeListOptions{Comma: '\t'}, "list:2: 3 fields, want 2"},
	{"words", "0,1\na,b\n", EdgeListOptions{Integers: true}, `list:2: vertex "a" is not an integer`},
	{"negative", "0,-1\n", EdgeListOptions{Integers: true}, "list:1: vertex -1 out of range"},
	{"10 GB", "0,10000000000\n", EdgeListOptions{Integers: true}, "list:1: vertex 10000000000 out of range"},
	{"2 GB", "0,2000000000\n", EdgeListOptions{Integers: true}, "list: 2000000001 vertices in a file of 1 lines: say how many in NumVertices"},
	{"out of range", "0,1\n0,2\n", EdgeListOptions{Integers: true, NumVertices: 2}, "list:2: vertex 2 out of range [0, 2)"},
	{"target out of range", "2,1\n0,2\n", EdgeListOptions{Integers: true, NumVertices: 3, NumTargets: 2}, "list:2: target 2 out of range [0, 2)"},
	{"source out of range", "2,1\n", EdgeListOptions{Integers: true, NumVertices: 2, NumTargets: 3}, "list:1: vertex 2 out of range [0, 2)"},
	{"2 GB of sources", "2000000000,0\n", EdgeListOptions{Integers: true, NumTargets: 1}, "list: 2000000001 vertices in a file of 1 lines: say how many in NumVertices"},
	{"no such column", "a,b\n", EdgeListOptions{Header: true, Weight: "w"}, `list:1: no column is called "w", there are ["a" "b"]`},
	{"no such column of many", "a" + strings.Repeat("b", 99) + ",b,c,d,e,f,g\n", EdgeListOptions{Header: true, Weight: "w"}, `list:1: no column is called "w", there are ["a` + strings.Repeat("b", 39) + `" "b" "c" "d" "e"] and 2 more`},
	{"no such feature", "a,b\n", EdgeListOptions{Features: []string{"2"}}, `list:1: no column is called "2"`},
	{"column twice", "a,b,a\n", EdgeListOptions{Header: true}, `list:1: two columns are called "a"`},
	{"weight", "a,b,x\n", EdgeListOptions{Weight: "2"}, `list:1: weight "x" is not a finite number`},
	{"feature", "a,b,1\na,b,Inf\n", EdgeListOptions{Features: []string{"2"}}, `list:2: feature "Inf" is not a finite number`},
	{"no header", "", EdgeListOptions{Header: true}, "list: no header"},
	{"unknown", "a,b\na,c\n", EdgeListOptions{Names: []string{"a", "b"}}, `list:2: vertex "c" is none of the 2 that are named`},
	{"unknown target", "a,a\n", EdgeListOptions{Names: []string{"a"}, TargetNames: []string{"x"}}, `list:1: vertex "a" is none of the 1 that are named`},
	{"nameless", "a,\n", EdgeListOptions{Names: []string{"a", ""}}, "list:1: a vertex without a name"},
	{"open quote", "a,b\n\"a,b\n", EdgeListOptions{}, "list:2: "},
	{"bare quote", "a\"b,c\n", EdgeListOptions{}, "list:1: "},
}

func TestHostileEdgeListsAreRefused(t *testing.T) {
	for _, tt := range hostileEdgeLists {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "list", tt.text)
			refused(t, tt.want, func() error { _, err := LoadEdgeList(path, tt.opts); return err })
		})
	}
	file := gzipBytes(t, []byte(strings.Repeat("a,b\n", 10_000)))
	refused(t, "unexpected EOF", func() error {
		_, err := LoadEdgeList(write(t, "list", string(file[:len(file)-9])), EdgeListOptions{})
		return err
	})
}

func TestWrittenEdgeListsReadBackTheSame(t *testing.T) {
	g, err := graph.New(4, []int32{0, 2, 2, 1}, []int32{1, 2, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	bipartite, err := graph.NewBipartite(3, 5, []int32{2, 0, 2}, []int32{3, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	features := DenseFeatures(tensor.FromSlice([]float32{1, .1, 0, 1e-30, -3, 0, 1 << 24, 0}, 4, 2))
	for name, tt := range map[string]struct {
		g    *NamedGraph
		opts EdgeListOptions
	}{
		"plain":     {&NamedGraph{Graph: g}, EdgeListOptions{Integers: true}},
		"names":     {&NamedGraph{Graph: g, Names: []string{"a", "b, \"c\"", "ä", "#"}}, EdgeListOptions{}},
		"all":       {&NamedGraph{Graph: g, Weights: []float32{1, 1. / 3, -0.1, 3e38}, EdgeFeatures: features}, EdgeListOptions{Integers: true, Weight: "weight", Features: []string{"feature0", "feature1"}}},
		"bipartite": {&NamedGraph{Graph: bipartite, Weights: []float32{3, 1, 2}}, EdgeListOptions{Integers: true, NumVertices: 3, NumTargets: 5, Weight: "weight"}},
		"sparse":    {&NamedGraph{Graph: g, EdgeFeatures: IdentityFeatures(4)}, EdgeListOptions{Integers: true, Features: []string{"feature0", "feature1", "feature2", "feature3"}}},
	} {
		path := filepath.Join(t.TempDir(), "list.csv")
		if err := WriteEdgeList(path, tt.g); err != nil {
			t.Fatal(err)
		}
		tt.opts.Header = true
		got, err := LoadEdgeList(path, tt.opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if tt.g.Names != nil { // they are numbered as they come
			for e := range got.Graph.Src() {
				if got.Names[got.Graph.Src()[e]] != tt.g.Names[g.Src()[e]] || got.Names[got.Graph.Dst()[e]] != tt.g.Names[g.Dst()[e]] {
					t.Errorf("%s: edge %d differs", name, e)
				}
			}
			continue
		}
		if describe(got) != describe(tt.g) || got.Graph.String() != tt.g.Graph.String() {
			t.Errorf("%s: got %s of %v, want %s of %v", name, describe(got), got.Graph, describe(tt.g), tt.g.Graph)
		}
	}
}

func TestRepeatedFeaturesOfAnEdgeAreWrittenAsTheirSum(t *testing.T) {
	g, err := graph.New(2, []int32{0, 1}, []int32{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	s, err := tensor.NewSparse(2, 2, []int32{0, 3, 4}, []int32{1, 0, 1, 0}, tensor.FromSlice([]float32{2, 5, 0.5, 1}, 4))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := WriteEdgeList(path, &NamedGraph{Graph: g, EdgeFeatures: SparseFeatures(s)}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "source,target,feature0,feature1\n0,1,5,2.5\n1,0,1,0\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// Row offsets are int32: more entries would wrap round.
func TestMoreFeaturesThanCanBeCountedAreAnError(t *testing.T) {
	const list = "a,b,1,2\nb,a,0,3\n"
	for undirected, most := range map[bool]int{false: math.MaxInt32, true: math.MaxInt32 / 2} {
		for limit, ok := range map[int]bool{most: true, 3: true, 2: false} {
			r, err := newEdgeList(EdgeListOptions{Features: []string{"2", "3"}, Undirected: undirected})
			if err != nil {
				t.Fatal(err)
			}
			if r.rows.most != most {
				t.Errorf("undirected %v: %d features may be not zero, want %d", undirected, r.rows.most, most)
			}
			r.rows.most = limit
			if _, err := r.read(linesOf(list)); (err == nil) != ok || !ok && err.Error() != "f:2: more than 2 features are not zero" {
				t.Errorf("with a limit of %d: error %v", limit, err)
			}
		}
	}
	f := DenseFeatures(tensor.FromSlice([]float32{1, 0, 2, 3}, 2, 2))
	if m, err := f.csr(3); err != nil || !slices.Equal(m.indptr, []int32{0, 1, 3}) {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := f.csr(2); err == nil || err.Error() != "more than 2 features are not zero" {
		t.Errorf("error %v", err)
	}
}

func TestMatricesAreWrittenExactly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csv")
	if err := WriteMatrix(path, []string{"x", "y, z"}, tensor.FromSlice([]float32{1, .1, 1. / 3, -2e30}, 2, 2)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "x,\"y, z\"\n1,0.1\n0.33333334,-2e+30\n" {
		t.Errorf("%q, %v", b, err)
	}
	for want, x := range map[string]*tensor.Tensor{
		"9007199254740993,-9223372036854775808\n1000000,0\n": tensor.FromSlice([]int64{1<<53 + 1, math.MinInt64, 1_000_000, 0}, 2, 2),
		"1000000,2147483647\n":                               tensor.FromSlice([]int32{1_000_000, math.MaxInt32}, 1, 2),
		"1,9007199254740993\n2,3\n":                          tensor.FromSlice([]int64{1, 2, 1<<53 + 1, 3}, 2, 2).Transpose(1, 0),
		"0.1,1e+300\n":                                       tensor.FromSlice([]float64{0.1, 1e300}, 1, 2),
		"1,0\n":                                              tensor.FromSlice([]bool{true, false}, 1, 2),
	} {
		if err := WriteMatrix(path, []string{"x", "y"}, x); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "x,y\n"+want {
			t.Errorf("%v: %q, %v", x.DType(), b, err)
		}
	}
}

func TestWritersRefuseWhatDoesNotFit(t *testing.T) {
	g, err := graph.New(2, []int32{0}, []int32{1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x")
	for want, f := range map[string]func() error{
		"WriteEdgeList: 2 weights for 1 edges":              func() error { return WriteEdgeList(path, &NamedGraph{Graph: g, Weights: []float32{1, 2}}) },
		"WriteEdgeList: 1 names for graph(2 vertices":       func() error { return WriteEdgeList(path, &NamedGraph{Graph: g, Names: []string{"a"}}) },
		"WriteEdgeList: 3 rows of features for 1 edges":     func() error { return WriteEdgeList(path, &NamedGraph{Graph: g, EdgeFeatures: IdentityFeatures(3)}) },
		"WriteMatrix: 1 columns are named, the tensor has ": func() error { return WriteMatrix(path, []string{"x"}, tensor.Zeros(tensor.Float32, 2, 2)) },
		"WriteEdgeList: the graph is nil":                   func() error { return WriteEdgeList(path, &NamedGraph{}) },
		"WriteMatrix: the tensor is nil":                    func() error { return WriteMatrix(path, nil, nil) },
		`WriteNPZ: array "a" is nil`:                        func() error { return WriteNPZ(path, map[string]*tensor.Tensor{"a": nil}) },
		`WriteNPZ: an array called "a/b"`: func() error {
			return WriteNPZ(path, map[string]*tensor.Tensor{"a/b": tensor.Zeros(tensor.Float32, 1)})
		},
	} {
		func() {
			defer func() {
				var misuse *Error
				if err, _ := recover().(error); !errors.As(err, &misuse) || !strings.Contains(err.Error(), want) {
					t.Errorf("panic %v, want %q", err, want)
				}
			}()
			t.Errorf("%s: no panic, error %v", want, f())
		}()
	}
	if isFile(path) {
		t.Error("a file was written")
	}
}

func TestFirstDuplicateIsTheFirstOne(t *testing.T) {
	for _, tt := range []struct {
		src, dst []int32
		want     int
	}{
		{nil, nil, -1}, {[]int32{1}, []int32{1}, -1}, {[]int32{1, 2}, []int32{2, 1}, -1},
		{[]int32{5, 1, 5, 1}, []int32{0, 0, 0, 0}, 2}, {[]int32{1, 5, 5, 1}, []int32{0, 0, 0, 0}, 2}, {[]int32{1, 1, 1}, []int32{0, 0, 0}, 1},
	} {
		if got := firstDuplicate(tt.src, tt.dst); got != tt.want {
			t.Errorf("%v %v: %d, want %d", tt.src, tt.dst, got, tt.want)
		}
	}
}

func FuzzEdgeList(f *testing.F) {
	for _, tt := range hostileEdgeLists {
		f.Add(tt.text, tt.opts.Integers, tt.opts.Header, tt.opts.Weight, tt.opts.Comma)
	}
	f.Add("# x\n0 1 2\n2 3 1\n", true, false, "2", byte(' '))
	f.Fuzz(func(t *testing.T, text string, integers, header bool, weight string, comma byte) {
		opts := EdgeListOptions{Integers: integers, Header: header, Weight: weight, Comma: comma, Comment: '#'}
		g, err := parseEdgeList(linesOf(text), opts)
		if err != nil {
			return
		}
		if (g.Names == nil) != integers || g.Weights != nil && len(g.Weights) != g.Graph.NumEdges() || slices.Contains(g.Names, "") {
			t.Errorf("%s", describe(g))
		}
	})
}

// Source alone may be the second column, which stands for the target if that is not named.
func TestOneColumnIsNotBothEndsOfEdges(t *testing.T) {
	for _, opts := range []EdgeListOptions{
		{Header: true, Source: "to"}, {Header: true, Target: "from"}, {Header: true, Source: "to", Target: "to"}, {Source: "1"},
	} {
		refused(t, "is both source and target", func() error {
			_, err := LoadEdgeList(write(t, "list", "from,to\na,b\n"), opts)
			return err
		})
	}
}
