// EntityDataset: RDF triples as a graph whose entities are classified, as in
// Ristoski and Paulheim (2016) and Schlichtkrull et al. (2018), "Modeling
// relational data with graph convolutional networks".

package data

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// EntityDataset is one graph of RDF triples for the classification of some of
// its entities.
type EntityDataset struct {
	Name string

	// Graph has an edge from subject to object of every triple, whose type is
	// the relation. See AddInverse for the other direction.
	Graph *graph.Graph

	Entities  []string // by vertex: an IRI, _:name for a blank node, or a literal as N-Triples writes it
	Relations []string // by edge type: an IRI
	Classes   []string // by label, ascending

	Labels      []int32 // the class of each entity, NoLabel where it has none
	Train, Test []int32 // the public split
}

// RDFOptions say how LoadRDF reads triples.
type RDFOptions struct {
	// Name is the dataset's; "" stands for the path of the triples.
	Name string

	// Drop names relations, by their IRIs, whose triples are left out: those
	// that the labels were made of. One that no triple has is an error.
	Drop []string
}

// LoadRDF reads triples from a file of N-Triples, of Turtle or of the Turtle
// part of N3, compressed with gzip or not, and the split from two tables of
// tab-separated columns with a header: the label is in the column whose name
// begins with "label", the entity in the first other one that is not called id.
// Entities and relations are numbered as they come in the triples; a triple
// that comes again is left out, since RDF is a set of triples. It is an error
// if an entity of the tables is not in the triples, has no label or is there twice.
func LoadRDF(triples, train, test string, opts RDFOptions) (*EntityDataset, error) {
	if opts.Name == "" {
		opts.Name = triples
	}
	d, err := readRDF(triples, train, test, opts)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", opts.Name, err)
	}
	d.Name = opts.Name
	return d, d.Validate()
}

func readRDF(triples, train, test string, opts RDFOptions) (d *EntityDataset, err error) {
	err = readSized(triples, func(r io.Reader, size int64) error {
		d, err = parseRDF(triples, r, opts.Drop, textLimit(size))
		return err
	})
	if err != nil {
		return nil, err
	}
	l := &entityLabels{ids: make(map[string]int32, len(d.Entities)), class: make(map[int32]string)}
	for v, name := range d.Entities {
		l.ids[name] = int32(v)
	}
	if d.Train, err = l.read(train); err != nil {
		return nil, err
	}
	if d.Test, err = l.read(test); err != nil {
		return nil, err
	}
	d.Labels, d.Classes = l.labels(len(d.Entities))
	return d, nil
}

// names numbers strings as they come.
type names struct {
	ids   map[string]int32
	list  []string
	bytes int64 // what they take, about
}

// What a name takes beside its bytes and what a triple takes, in maps and lists
// that grow by doubling.
const (
	nameBytes   = 64
	tripleBytes = 40
)

func newNames() *names { return &names{ids: make(map[string]int32), list: []string{}} }

func (n *names) id(name string) int32 {
	id, ok := n.ids[name]
	if !ok {
		id = int32(len(n.list))
		n.ids[name] = id
		n.list = append(n.list, name)
		n.bytes += int64(len(name)) + nameBytes
	}
	return id
}

// idOf is id for a name that will change; it copies only a new one.
func (n *names) idOf(name []byte) int32 {
	if id, ok := n.ids[string(name)]; ok {
		return id
	}
	return n.id(string(name))
}

// parseRDF reads the graph, without labels, whose names and triples may take as many
// bytes as limit says: a short text can name long IRIs and many blank nodes.
func parseRDF(file string, r io.Reader, drop []string, limit int64) (*EntityDataset, error) {
	entities, relations := newNames(), newNames()
	var src, dst, types []int32
	seen, dropped := make(map[Triple]bool), make(map[string]bool)
	err := eachTriple(file, r, func(s, p, o string) error {
		if slices.Contains(drop, p) {
			dropped[p] = true
			return nil
		}
		t := Triple{Head: entities.id(s), Relation: relations.id(p), Tail: entities.id(o)}
		if seen[t] {
			return nil
		}
		if len(src) == math.MaxInt32 {
			return errors.New("too many triples")
		}
		if entities.bytes+relations.bytes+int64(len(src)+1)*tripleBytes > limit {
			return fmt.Errorf("names and triples take more than %d bytes", limit)
		}
		seen[t] = true
		src, dst, types = append(src, t.Head), append(dst, t.Tail), append(types, t.Relation)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, relation := range drop {
		if !dropped[relation] {
			return nil, fileError(file, "no triple has the relation %.200q, which is to be dropped", relation)
		}
	}
	g, err := graph.New(len(entities.list), src, dst, graph.WithEdgeTypes(types, len(relations.list)))
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	return &EntityDataset{Graph: g, Entities: entities.list, Relations: relations.list}, nil
}

// entityLabels reads tables of labels.
type entityLabels struct {
	ids   map[string]int32 // of the entities
	class map[int32]string // of those that are labelled
}

// read reads one table and returns its entities.
func (t *entityLabels) read(path string) (members []int32, err error) {
	err = readLines(path, func(l *lineReader) error {
		members, err = t.parse(l)
		return err
	})
	return members, err
}

func (t *entityLabels) parse(l *lineReader) ([]int32, error) {
	members := []int32{}
	entity, label := -1, -1
	err := l.eachRow('\t', 0, func(fields [][]byte) error {
		if entity < 0 {
			for i, field := range fields {
				switch name := string(field); {
				case strings.HasPrefix(name, "label") && label < 0:
					label = i
				case name != "id" && entity < 0:
					entity = i
				}
			}
			if entity < 0 || label < 0 {
				return l.errorf("the header has no column of entities or of labels")
			}
			return nil
		}
		v, ok := t.ids[string(fields[entity])]
		if !ok {
			return l.errorf("%.200q is in no triple", fields[entity])
		}
		if _, again := t.class[v]; again {
			return l.errorf("%.200q is labelled twice", fields[entity])
		}
		if len(fields[label]) == 0 {
			return l.errorf("%.200q has no label", fields[entity])
		}
		t.class[v] = string(fields[label])
		members = append(members, v)
		return nil
	})
	if err == nil && entity < 0 {
		err = fileError(l.file, "no header")
	}
	slices.Sort(members)
	return members, err
}

// labels numbers the classes in ascending order of their names.
func (t *entityLabels) labels(n int) (labels []int32, classes []string) {
	for _, c := range t.class {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	labels = make([]int32, n)
	for v := range labels {
		labels[v] = NoLabel
		if c, ok := t.class[int32(v)]; ok {
			at, _ := slices.BinarySearch(classes, c)
			labels[v] = int32(at)
		}
	}
	return labels, classes
}

// Validate returns an error that names the fault unless the graph is there,
// homogeneous and with the given relations as edge types, entities have a name
// and a label or NoLabel each, and the members of the split exist, have labels
// and are in one part only, once.
func (d *EntityDataset) Validate() error {
	err := func() error {
		switch {
		case d.Graph == nil || d.Graph.IsBipartite():
			return errors.New("no homogeneous graph")
		case d.Graph.NumVertices() != len(d.Entities):
			return fmt.Errorf("%d names for %d entities", len(d.Entities), d.Graph.NumVertices())
		case d.Graph.NumEdgeTypes() != len(d.Relations):
			return fmt.Errorf("%d names for %d relations", len(d.Relations), d.Graph.NumEdgeTypes())
		}
		return checkLabels(d.Labels, len(d.Entities), len(d.Classes), d.Train, nil, d.Test)
	}()
	if err != nil {
		return ofSet(d.Name, err)
	}
	return nil
}

// checkLabels refuses labels out of range and parts of a split that overlap or
// have members without a label.
func checkLabels(labels []int32, n, classes int, train, val, test []int32) error {
	if len(labels) != n {
		return fmt.Errorf("%d labels for %d vertices", len(labels), n)
	}
	for v, c := range labels {
		if c != NoLabel && (c < 0 || int(c) >= classes) {
			return fmt.Errorf("vertex %d: label %d out of range [0, %d)", v, c, classes)
		}
	}
	if err := checkSplit("vertex", n, train, val, test); err != nil {
		return err
	}
	for _, v := range slices.Concat(train, val, test) {
		if labels[v] == NoLabel {
			return fmt.Errorf("vertex %d of the split has no label", v)
		}
	}
	return nil
}
