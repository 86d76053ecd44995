// GML, the graph modelling language (Himsolt 1995): nested lists of keys and
// values.
//
//	graph [ directed 0 node [ id 1 label "a" ] edge [ source 1 target 1 weight 0.5 ] ]

package data

import (
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// LoadGML reads the graph of a GML file, compressed with gzip or not. Vertices
// are numbered as they come, their names are their labels or, if any has none,
// their ids; Values are their values, if all have one. The weight of an edge is
// its weight or else its value, if all have one. Every edge of an undirected
// graph gets its reverse right after it; self-loops have none. Other keys are
// left out.
func LoadGML(path string) (g *NamedGraph, err error) {
	err = readText(path, func(r io.Reader) error {
		g, err = parseGML(path, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return g, nil
}

// gml reads the lists of a file.
type gml struct {
	*scanner
	directed bool
	index    map[string]int32 // of vertices, by id
	ids      []string
	labels   []string // "" without
	values   []string
	edges    []gmlEdge
}

type gmlEdge struct {
	line           int
	source, target string
	weight         string // "" without
}

// gmlItem is what a list may say that is read, and where it begins.
type gmlItem struct {
	line int
	keys map[string]string
}

func parseGML(file string, r io.Reader) (*NamedGraph, error) {
	p := &gml{scanner: newScanner(file, r), index: make(map[string]int32)}
	graphs := 0
	err := p.list(0, func(key string, depth int) error {
		if key != "graph" {
			_, err := p.value(depth)
			return err
		}
		if graphs++; graphs > 1 {
			return p.errorf("a second graph")
		}
		return p.graph(depth)
	})
	if err != nil {
		return nil, err
	}
	if graphs == 0 {
		return nil, p.errorf("no graph")
	}
	return p.build()
}

// list reads keys up to the end of the text or, below depth 0, a bracket, which
// is read too; f reads the value of each.
func (p *gml) list(depth int, f func(key string, depth int) error) error {
	if depth > maxNesting {
		return p.errorf("nested deeper than %d", maxNesting)
	}
	start := p.line
	for {
		p.skip()
		if p.atEnd() {
			if depth > 0 || p.err != nil {
				return p.errorf("the list that begins in line %d has no end", start)
			}
			return nil
		}
		if p.peek(0) == ']' && depth > 0 {
			p.take()
			return nil
		}
		key, err := p.takeWhile(func(c byte) bool { return isName(c) })
		if err != nil {
			return err
		}
		if key == "" || !isLetter(key[0]) && key[0] != '_' {
			return p.errorf("%.40q is not a key", key+string(rune(p.peek(0))))
		}
		p.skip()
		if err := f(key, depth); err != nil {
			return err
		}
	}
}

// value reads a value; that of a list is "".
func (p *gml) value(depth int) (string, error) {
	switch c := p.peek(0); {
	case c == '[':
		p.take()
		return "", p.list(depth+1, func(_ string, depth int) error {
			_, err := p.value(depth)
			return err
		})
	case c == '"':
		p.take()
		start := p.line
		text, err := p.takeWhile(func(c byte) bool { return c != '"' })
		if err != nil {
			return "", err
		}
		if p.take() != '"' {
			return "", p.errorf("the string that begins in line %d has no end", start)
		}
		return entity.ReplaceAllStringFunc(text, unescape), nil
	}
	text, err := p.takeWhile(func(c byte) bool { return isName(c) || c == '.' || c == '+' })
	if err == nil {
		if text == "" && p.atEnd() {
			return "", p.errorf("the text ends within a list")
		}
		if _, bad := strconv.ParseFloat(text, 64); bad != nil {
			err = p.errorf("%.40q is not a value", text+string(rune(p.peek(0))))
		}
	}
	return text, err
}

// entity is a character by its name or number. What has no semicolon is none: in
// "?a=1&copy=2" every character stands for itself.
var entity = regexp.MustCompile(`&(#[0-9]+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]+);`)

// unescape returns the character of an entity, or the text itself if it is none that is known.
func unescape(entity string) string {
	if text := html.UnescapeString(entity); !strings.HasSuffix(text, ";") {
		return text
	}
	return entity
}

// open reads the bracket of a list.
func (p *gml) open(key string) error {
	if p.peek(0) != '[' {
		return p.errorf("%s is not a list", key)
	}
	p.take()
	return nil
}

func (p *gml) graph(depth int) error {
	if err := p.open("graph"); err != nil {
		return err
	}
	directed := ""
	return p.list(depth+1, func(key string, depth int) error {
		switch key {
		case "node":
			item, err := p.item(key, depth)
			if err != nil {
				return err
			}
			return p.node(item)
		case "edge":
			item, err := p.item(key, depth)
			if err != nil {
				return err
			}
			return p.edge(item)
		}
		value, err := p.value(depth)
		if err == nil && key == "directed" {
			if directed != "" || value != "0" && value != "1" {
				return p.errorf("directed is there twice or is neither 0 nor 1")
			}
			directed = value
			p.directed = value == "1"
		}
		return err
	})
}

// gmlKeys are the keys of vertices and edges that are read.
var gmlKeys = []string{"id", "label", "value", "source", "target", "weight"}

// item reads the list of a vertex or an edge.
func (p *gml) item(key string, depth int) (gmlItem, error) {
	item := gmlItem{line: p.line, keys: make(map[string]string)}
	if err := p.open(key); err != nil {
		return item, err
	}
	return item, p.list(depth+1, func(key string, depth int) error {
		value, err := p.value(depth)
		if err != nil || !slices.Contains(gmlKeys, key) {
			return err
		}
		if _, again := item.keys[key]; again {
			return p.errorf("%s is there twice", key)
		}
		item.keys[key] = value
		return nil
	})
}

// fault returns a fault of a vertex or an edge.
func (p *gml) fault(line int, format string, args ...any) error {
	return &FileError{File: p.file, Line: line, Err: fmt.Errorf(format, args...)}
}

func (p *gml) node(item gmlItem) error {
	id := item.keys["id"]
	if id == "" {
		return p.fault(item.line, "a node without an id")
	}
	if _, again := p.index[id]; again {
		return p.fault(item.line, "node %.40s is there twice", id)
	}
	p.index[id] = int32(len(p.ids))
	p.ids = append(p.ids, id)
	p.labels = append(p.labels, item.keys["label"])
	p.values = append(p.values, item.keys["value"])
	return nil
}

func (p *gml) edge(item gmlItem) error {
	e := gmlEdge{item.line, item.keys["source"], item.keys["target"], item.keys["weight"]}
	if e.source == "" || e.target == "" {
		return p.fault(item.line, "an edge without source or target")
	}
	if e.weight == "" {
		e.weight = item.keys["value"]
	}
	p.edges = append(p.edges, e)
	return nil
}

// build makes the graph; nodes may stand behind edges.
func (p *gml) build() (*NamedGraph, error) {
	g := &NamedGraph{Names: p.labels, Values: p.values}
	if slices.Contains(p.labels, "") {
		g.Names = p.ids
	}
	if slices.Contains(p.values, "") || len(p.values) == 0 {
		g.Values = nil
	}
	weighted := len(p.edges) > 0 && !slices.ContainsFunc(p.edges, func(e gmlEdge) bool { return e.weight == "" })
	if len(p.edges) > math.MaxInt32/2 {
		return nil, fileError(p.file, "too many edges")
	}
	var src, dst []int32
	for _, e := range p.edges {
		u, ok := p.index[e.source]
		if !ok {
			return nil, p.fault(e.line, "an edge from node %.40s, which is not there", e.source)
		}
		v, ok := p.index[e.target]
		if !ok {
			return nil, p.fault(e.line, "an edge to node %.40s, which is not there", e.target)
		}
		ends := [][2]int32{{u, v}}
		if !p.directed && u != v {
			ends = append(ends, [2]int32{v, u})
		}
		for _, end := range ends {
			src, dst = append(src, end[0]), append(dst, end[1])
			if weighted {
				w, err := strconv.ParseFloat(e.weight, 32)
				if err != nil || math.IsInf(w, 0) || math.IsNaN(w) {
					return nil, p.fault(e.line, "weight %.40q is not a finite number", e.weight)
				}
				g.Weights = append(g.Weights, float32(w))
			}
		}
	}
	var err error
	if g.Graph, err = graph.New(len(p.ids), src, dst); err != nil {
		return nil, &FileError{File: p.file, Err: err}
	}
	return g, nil
}
