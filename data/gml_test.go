// Tests of the GML reader.

package data

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

func TestGMLIsRead(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"brackets":   {"graph [ node [ id 1 ]\nnode\n[\nid 2\n]\nedge [ source 1 target 2 ] ]", `2 [0 1] [1 0] ["1" "2"]`},
		"directed":   {"graph [ directed 1 node [ id 7 ] node [ id 3 ] edge [ source 3 target 7 ] ]", `2 [1] [0] ["7" "3"]`},
		"edge first": {"graph [ edge [ source 1 target 1 ] node [ id 1 ] ]", `1 [0] [0] ["1"]`},
		"all": {`Creator "x ]" Version 1.5e0 # comment
			graph [ comment "two
			lines" directed 0 graphics [ w [ x -1 ] ]
			node [ id 0 label "a &amp; b" value "l" graphics [ id 9 x 1 ] ] node [ id 1 label "c" value 2 ]
			edge [ source 0 target 1 value 2.5 label "e" ] edge [ source 1 target 1 weight 7 value 1 ] ]`,
			`2 [0 1 1] [1 0 1] ["a & b" "c"] values ["l" "2"] weights [2.5 2.5 7]`},
		"ampersands": {`graph [ node [ id 1 label "/?a=1&copy=2&lt" ] node [ id 2 label "&copy;&#228;&#xE4;&copyx;&;&#;" ] ]`,
			`2 [] [] ["/?a=1&copy=2&lt" "©ää&copyx;&;&#;"]`},
		"some labels":  {`graph [ node [ id 1 label "a" ] node [ id 2 value 1 ] ]`, `2 [] [] ["1" "2"]`},
		"some weights": {"graph [ node [ id 1 ] edge [ source 1 target 1 weight 1 ] edge [ source 1 target 1 ] ]", `1 [0 0] [0 0] ["1"]`},
		"empty":        {"graph []", "0 [] []"},
	} {
		g, err := LoadGML(write(t, "g.gml", tt.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := describe(g); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// hostileGML is texts that are refused with the given words.
var hostileGML = []struct{ name, text, want string }{
	{"empty", "", "g.gml:1: no graph"},
	{"two graphs", "graph [ ]\ngraph [ ]", "g.gml:2: a second graph"},
	{"cut list", "graph [\nnode [ id 1", "g.gml:2: the list that begins in line 2 has no end"},
	{"cut value", "graph [ node [ id", "g.gml:1: the text ends within a list"},
	{"cut string", "graph [ label \"x\n\n", "g.gml:3: the string that begins in line 1 has no end"},
	{"no list", "graph 1", "g.gml:1: graph is not a list"},
	{"node without list", "graph [ node 1 ]", "g.gml:1: node is not a list"},
	{"brackets", "graph [ ] ]", `g.gml:1: "]" is not a key`},
	{"value", "graph [ x y ]", `g.gml:1: "y " is not a value`},
	{"key", "graph [ 1 2 ]", `is not a key`},
	{"no id", "graph [\nnode [ label \"x\" ] ]", "g.gml:2: a node without an id"},
	{"node twice", "graph [ node [ id 1 ]\nnode [ id 1 ] ]", "g.gml:2: node 1 is there twice"},
	{"key twice", "graph [ node [ id 1\nid 2 ] ]", "g.gml:2: id is there twice"},
	{"no target", "graph [ node [ id 1 ]\nedge [ source 1 ] ]", "g.gml:2: an edge without source or target"},
	{"edge from nowhere", "graph [\nedge [ source 1 target 2 ] ]", "g.gml:2: an edge from node 1, which is not there"},
	{"edge to nowhere", "graph [ node [ id 1 ]\n\nedge [ source 1 target 10000000000 ] ]", "g.gml:3: an edge to node 10000000000, which is not there"},
	{"weight", "graph [ node [ id 1 ] edge [ source 1 target 1 weight \"x\" ] ]", `weight "x" is not a finite number`},
	{"direction", "graph [ directed 2 ]", "g.gml:1: directed is there twice or is neither 0 nor 1"},
	{"nesting", strings.Repeat("graph [ x [ ", 200), "g.gml:1: nested deeper than 64"},
	{"endless", "graph [ label \"" + strings.Repeat("x", maxLine+100), "g.gml:1: a token is longer than"},
}

func TestHostileGMLIsRefused(t *testing.T) {
	for _, tt := range hostileGML {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "g.gml", tt.text)
			refused(t, tt.want, func() error { _, err := LoadGML(path); return err })
		})
	}
	file := gzipBytes(t, []byte("graph [ "+strings.Repeat("x 1\n", 10_000)+"]"))
	refused(t, "unexpected EOF", func() error { _, err := LoadGML(write(t, "g.gml", string(file[:len(file)-9]))); return err })
}

func TestTheKarateClubOfGMLIsTheEmbeddedOne(t *testing.T) {
	g, err := LoadGML(filepath.Join(shared.Dir(t), "datasets", "karate", "karate.gml"))
	if err != nil {
		t.Fatal(err)
	}
	want := Karate().Graph
	arcs := func(src, dst []int32) []uint64 {
		var keys []uint64
		for e := range src {
			keys = append(keys, uint64(src[e])<<32|uint64(dst[e]))
		}
		slices.Sort(keys)
		return keys
	}
	if g.Graph.NumVertices() != 34 || !slices.Equal(arcs(g.Graph.Src(), g.Graph.Dst()), arcs(want.Src(), want.Dst())) {
		t.Errorf("%v differs from %v", g.Graph, want)
	}
}

func FuzzGML(f *testing.F) {
	for _, tt := range hostileGML {
		if len(tt.text) < 5000 {
			f.Add(tt.text)
		}
	}
	f.Add("graph [ directed 1 node [ id 1 label \"&lt;\" value 1 ] edge [ source 1 target 1 weight .5 ] ]")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseGML("g.gml", strings.NewReader(text))
		if err != nil {
			return
		}
		n, e := g.Graph.NumVertices(), g.Graph.NumEdges()
		if len(g.Names) != n || g.Values != nil && len(g.Values) != n || g.Weights != nil && len(g.Weights) != e {
			t.Error(describe(g))
		}
	})
}
