// TripleDataset: knowledge graphs for link prediction, in the files that Bordes
// et al. (2013) and Dettmers et al. (2018) published: train.txt, valid.txt and
// test.txt with a line "head TAB relation TAB tail" a triple.

package data

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// Triple is a fact of a knowledge graph: head and tail are entities.
type Triple struct{ Head, Relation, Tail int32 }

// TripleDataset is a knowledge graph for link prediction. Entities and
// relations are numbered as they come in Train, then Val, then Test, so those
// that training does not know are the last.
type TripleDataset struct {
	Name                string
	Entities, Relations []string // their names
	Train, Val, Test    []Triple
}

// tripleParts are the files of a set.
var tripleParts = []string{"train.txt", "valid.txt", "test.txt"}

// LoadKG reads a set from a tar.gz with train.txt, valid.txt and test.txt,
// in folders or not. A triple that comes twice, in one part or in two, is an
// error.
func LoadKG(path string) (*TripleDataset, error) {
	name, _, _ := strings.Cut(filepath.Base(path), ".tar")
	return readKG(name, path)
}

func readKG(name, path string) (d *TripleDataset, err error) {
	err = readText(path, func(r io.Reader) error {
		d, err = parseKG(path, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d.Name = name
	return d, nil
}

func parseKG(file string, r io.Reader) (*TripleDataset, error) {
	entities, relations := newNames(), newNames()
	parts := make(map[string][]Triple)
	seen := make(map[Triple]string) // the part that a triple is in
	err := eachTarMember(file, r, tripleParts, func(part string, l *lineReader) error {
		triples := []Triple{}
		err := l.eachRow('\t', 3, func(fields [][]byte) error {
			for i, what := range []string{"head", "relation", "tail"} {
				if len(fields[i]) == 0 {
					return l.errorf("the %s has no name", what)
				}
			}
			t := Triple{entities.idOf(fields[0]), relations.idOf(fields[1]), entities.idOf(fields[2])}
			if where, again := seen[t]; again {
				return l.errorf("the triple is in %s already", where)
			}
			if len(entities.list) > math.MaxInt32-2 {
				return l.errorf("too many entities")
			}
			seen[t] = part
			triples = append(triples, t)
			return nil
		})
		parts[part] = triples
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, part := range tripleParts {
		if parts[part] == nil {
			return nil, fileError(file, "%s is missing", part)
		}
	}
	d := &TripleDataset{Train: parts[tripleParts[0]], Val: parts[tripleParts[1]], Test: parts[tripleParts[2]]}
	d.number(entities.list, relations.list)
	return d, nil
}

// number gives entities and relations, which are numbered in the order of the
// archive's members, their final numbers.
func (d *TripleDataset) number(entities, relations []string) {
	e, r := newRenumbering(entities), newRenumbering(relations)
	for _, part := range [][]Triple{d.Train, d.Val, d.Test} {
		for i, t := range part {
			part[i] = Triple{e.id(t.Head), r.id(t.Relation), e.id(t.Tail)}
		}
	}
	d.Entities, d.Relations = e.names, r.names
}

// renumbering numbers old numbers as they come.
type renumbering struct {
	old   []string // the names by old number
	ids   []int32  // the new number of each old one, plus 1
	names []string // by new number
}

func newRenumbering(names []string) *renumbering {
	return &renumbering{old: names, ids: make([]int32, len(names))}
}

func (r *renumbering) id(old int32) int32 {
	if r.ids[old] == 0 {
		r.names = append(r.names, r.old[old])
		r.ids[old] = int32(len(r.names))
	}
	return r.ids[old] - 1
}

// Graph returns the graph of the training triples: edge i goes from head to
// tail of Train[i], its type is the relation. See AddInverse for the other
// direction.
func (d *TripleDataset) Graph() (*graph.Graph, error) {
	n := len(d.Train)
	src, dst, types := make([]int32, n), make([]int32, n), make([]int32, n)
	for i, t := range d.Train {
		src[i], dst[i], types[i] = t.Head, t.Tail, t.Relation
	}
	return graph.New(len(d.Entities), src, dst, graph.WithEdgeTypes(types, len(d.Relations)))
}
