// HeteroDataset: one graph with several types of vertices and edges.

package data

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// HeteroDataset is one graph with named types of vertices and edges, some of
// whose vertices are to be classified.
type HeteroDataset struct {
	Name string

	// Graph is homogeneous with vertex and edge types; its ids are those of the
	// file. Vertices of a type are Graph.SrcByType().OfType(t).
	Graph *graph.Graph

	VertexTypes, EdgeTypes []string   // names by type
	EdgeEnds               [][2]int32 // by edge type: the types of its sources and destinations, -1 if it has no edge

	// Features of each vertex type: row i belongs to the type's i-th vertex in
	// order of ids. Widths differ; a type without features has zero Features.
	Features []Features

	Weights []float32 // of edges; nil if all are 1

	// Target is the type of the vertices that have labels. Labels is the class
	// of each vertex of the graph, NoLabel where it has none. If vertices have
	// several classes, LabelSets has those of each vertex, ascending, and Labels
	// is nil; otherwise LabelSets is nil.
	Target     int
	Labels     []int32
	LabelSets  [][]int32
	NumClasses int

	// The split, as ids of the graph; no part is nil.
	Train, Val, Test []int32
}

// MultiHot returns the classes of the given vertices as ones in a float32
// matrix of a row a vertex and a column a class. It panics with *[Error] if a
// vertex or a class is out of range, or if there are less than 0 or more than 2^24
// classes.
func MultiHot(sets [][]int32, numClasses int, vertices []int32) *tensor.Tensor {
	const op = "MultiHot"
	if numClasses < 0 || numClasses > maxColumns {
		misuse(op, "%d classes, want 0 to %d", numClasses, maxColumns)
	}
	out := make([]float32, len(vertices)*numClasses)
	for i, v := range vertices {
		if v < 0 || int(v) >= len(sets) {
			misuse(op, "vertex %d out of range [0, %d)", v, len(sets))
		}
		for _, c := range sets[v] {
			if c < 0 || int(c) >= numClasses {
				misuse(op, "vertex %d: class %d out of range [0, %d)", v, c, numClasses)
			}
			out[i*numClasses+int(c)] = 1
		}
	}
	return tensor.FromSlice(out, len(vertices), numClasses)
}

// Validate returns an error that names the fault unless the graph is there,
// homogeneous and of the named types, EdgeEnds are vertex types, or -1 twice, and every
// edge goes between those of its type, features (if any) have a row for each vertex of their type and
// are finite, labels are in range and on vertices of the target type, no part of the split
// is nil, and its vertices exist, have labels and are in one part only, once.
// O(V + E + features).
func (d *HeteroDataset) Validate() error {
	if err := d.validate(); err != nil {
		return ofSet(d.Name, err)
	}
	return nil
}

func (d *HeteroDataset) validate() error {
	g := d.Graph
	if g == nil || g.IsBipartite() {
		return errors.New("no homogeneous graph")
	}
	n := g.NumVertices()
	switch {
	case g.VertexTypes() == nil || g.NumVertexTypes() != len(d.VertexTypes):
		return fmt.Errorf("%d names for %d vertex types", len(d.VertexTypes), g.NumVertexTypes())
	case g.EdgeTypes() == nil || g.NumEdgeTypes() != len(d.EdgeTypes):
		return fmt.Errorf("%d names for %d edge types", len(d.EdgeTypes), g.NumEdgeTypes())
	case len(d.Features) != len(d.VertexTypes):
		return fmt.Errorf("features of %d vertex types of %d", len(d.Features), len(d.VertexTypes))
	case d.Weights != nil && len(d.Weights) != g.NumEdges():
		return fmt.Errorf("%d weights for %d edges", len(d.Weights), g.NumEdges())
	case d.Target < 0 || d.Target >= len(d.VertexTypes):
		return fmt.Errorf("target type %d out of range [0, %d)", d.Target, len(d.VertexTypes))
	}
	if err := d.checkEnds(); err != nil {
		return err
	}
	types := g.VertexTypes()
	for e, t := range g.EdgeTypes() {
		if ends := [2]int32{types[g.Src()[e]], types[g.Dst()[e]]}; ends != d.EdgeEnds[t] {
			return fmt.Errorf("edge %d of type %s goes from vertex type %d to %d, want %v", e, d.EdgeTypes[t], ends[0], ends[1], d.EdgeEnds[t])
		}
	}
	for t, f := range d.Features {
		if rows, _ := f.Dims(); !f.IsZero() && rows != len(g.SrcByType().OfType(t)) {
			return fmt.Errorf("%d rows of features for %d vertices of type %s", rows, len(g.SrcByType().OfType(t)), d.VertexTypes[t])
		}
		if err := f.checkFinite(); err != nil {
			return fmt.Errorf("vertex type %s: %w", d.VertexTypes[t], err)
		}
	}
	labels := d.Labels
	if labels == nil {
		var err error
		if labels, err = firstLabels(d.LabelSets, d.NumClasses); err != nil {
			return err
		}
	}
	if err := checkPartsThere(d.Train, d.Val, d.Test); err != nil {
		return err
	}
	if err := checkLabels(labels, n, d.NumClasses, d.Train, d.Val, d.Test); err != nil {
		return err
	}
	for v, c := range labels {
		if c != NoLabel && int(types[v]) != d.Target {
			return fmt.Errorf("vertex %d has a label and is of type %s, not %s", v, d.VertexTypes[types[v]], d.VertexTypes[d.Target])
		}
	}
	return nil
}

// checkEnds refuses ends of edge types that are no vertex types.
func (d *HeteroDataset) checkEnds() error {
	if len(d.EdgeEnds) != len(d.EdgeTypes) {
		return fmt.Errorf("ends of %d edge types of %d", len(d.EdgeEnds), len(d.EdgeTypes))
	}
	n := uint(len(d.VertexTypes))
	for t, ends := range d.EdgeEnds {
		if (uint(ends[0]) >= n || uint(ends[1]) >= n) && ends != [2]int32{-1, -1} {
			return fmt.Errorf("edges of type %s go from vertex type %d to %d, there are %d types", d.EdgeTypes[t], ends[0], ends[1], n)
		}
	}
	return nil
}

// firstLabels returns the first label of every set, after checking that sets
// are ascending and in range.
func firstLabels(sets [][]int32, classes int) ([]int32, error) {
	labels := make([]int32, len(sets))
	for v, set := range sets {
		labels[v] = NoLabel
		for i, c := range set {
			if c < 0 || int(c) >= classes || i > 0 && c <= set[i-1] {
				return nil, fmt.Errorf("vertex %d: labels %v are not ascending in [0, %d)", v, set, classes)
			}
		}
		if len(set) > 0 {
			labels[v] = set[0]
		}
	}
	return labels, nil
}

// MultiLabelDataset is one graph whose vertices have any number of classes
// each.
type MultiLabelDataset struct {
	Name         string
	Graph        *graph.Graph
	Features     Features  // one row a vertex, may be zero
	EdgeFeatures Features  // one row an edge, may be zero
	Labels       [][]int32 // the classes of each vertex, ascending; see MultiHot
	NumClasses   int

	// The split into vertices to train on, to choose a model by and to report
	// on; all nil if there is no public one, see FractionSplit.
	Train, Val, Test []int32
}

// Validate returns an error that names the fault unless the graph is there and
// homogeneous, features (if any) have a row a vertex and a row an edge and are
// finite, every vertex has a list of labels that ascends in [0, NumClasses),
// and the vertices of the split exist and are in one part only, once.
func (d *MultiLabelDataset) Validate() error {
	err := d.checkSizes()
	if err == nil {
		err = errors.Join(d.Features.checkFinite(), d.EdgeFeatures.checkFinite())
	}
	if err != nil {
		return ofSet(d.Name, err)
	}
	return nil
}

// checkSizes is Validate without the values of features.
func (d *MultiLabelDataset) checkSizes() error {
	if d.Graph == nil || d.Graph.IsBipartite() {
		return errors.New("no homogeneous graph")
	}
	n := d.Graph.NumVertices()
	if rows, _ := d.Features.Dims(); !d.Features.IsZero() && rows != n {
		return fmt.Errorf("%d rows of features for %d vertices", rows, n)
	}
	if rows, _ := d.EdgeFeatures.Dims(); !d.EdgeFeatures.IsZero() && rows != d.Graph.NumEdges() {
		return fmt.Errorf("%d rows of features for %d edges", rows, d.Graph.NumEdges())
	}
	if len(d.Labels) != n {
		return fmt.Errorf("%d label sets for %d vertices", len(d.Labels), n)
	}
	if _, err := firstLabels(d.Labels, d.NumClasses); err != nil {
		return err
	}
	return checkSplit("vertex", n, d.Train, d.Val, d.Test)
}

// sortedSet returns the distinct ids of a list, ascending.
func sortedSet(ids []int32) []int32 {
	slices.Sort(ids)
	return slices.Compact(ids)
}
