// GraphDataset: many graphs, one label or several targets each.

package data

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// GraphDataset is a list of graphs for graph classification or regression.
type GraphDataset struct {
	Name   string
	Graphs []*graph.Graph // with vertex and edge types where the set labels vertices and edges

	// Features and EdgeFeatures have one row a vertex and one row an edge, those
	// of the first graph first; either may be zero.
	Features, EdgeFeatures Features

	Labels     []int32 // the class of each graph, NoLabel where it has none; nil if graphs have no classes
	NumClasses int

	// Targets are the numbers to be predicted, float32 or float64 [graphs, targets],
	// NaN where one is not known; nil if graphs have none.
	Targets *tensor.Tensor

	// The split into graphs to train on, to choose a model by and to report on;
	// all nil if the set has no public one, see KFold and FractionSplit.
	Train, Val, Test []int32

	// Folds is the published fold of each graph for cross-validation, nil if
	// there is none.
	Folds []int32
}

// GraphBatch is some graphs of a GraphDataset as one.
type GraphBatch struct {
	Graph *graph.Graph     // the disjoint union
	Info  *graph.BatchInfo // which part of it each graph is

	// Features of vertices and edges, of the element type of the set's, nil if there are none.
	Features, EdgeFeatures *tensor.Tensor

	Labels  []int32        // of the graphs, nil if there are none
	Targets *tensor.Tensor // of the graphs, nil if there are none
}

// Batch returns the graphs of the given indices as one graph, with dense
// features; a [GraphLoader] makes all batches of an epoch. A batch of no graphs has the
// types of the set's first graph and features as wide as the set's. It panics with *[Error]
// for an index that is not there and for features, labels or targets of other graphs. O(graphs
// of the set + vertices and edges of the batch).
func (d *GraphDataset) Batch(graphs []int32) *GraphBatch {
	if err := d.checkSizes(); err != nil {
		misuse("Batch", "%v", err)
	}
	for _, i := range graphs {
		if i < 0 || int(i) >= len(d.Graphs) {
			misuse("Batch", "graph %d out of range [0, %d)", i, len(d.Graphs))
		}
	}
	vertices, edges := d.offsets()
	return d.batch(graphs, vertices, edges)
}

// batch is Batch of graphs that are there, given the offsets of all.
func (d *GraphDataset) batch(graphs, vertexOffsets, edgeOffsets []int32) *GraphBatch {
	var parts []*graph.Graph
	var vertices, edges []int32
	for _, i := range graphs {
		parts = append(parts, d.Graphs[i])
		vertices = appendRange(vertices, vertexOffsets[i], vertexOffsets[i+1])
		edges = appendRange(edges, edgeOffsets[i], edgeOffsets[i+1])
	}
	g, info, err := graph.Batch(parts...)
	if len(parts) == 0 && len(d.Graphs) > 0 {
		g, _, err = d.Graphs[0].Subgraph(nil) // empty too, but it knows the set's types
	}
	if err != nil {
		misuse("Batch", "%v", err)
	}
	b := &GraphBatch{Graph: g, Info: info}
	if d.Labels != nil {
		b.Labels = valuesAt(d.Labels, graphs)
	}
	b.Features = d.Features.Rows(vertices).Dense()
	b.EdgeFeatures = d.EdgeFeatures.Rows(edges).Dense()
	if d.Targets != nil {
		b.Targets = tensor.IndexSelect(d.Targets, graphs)
	}
	return b
}

// offsets returns where the vertices and the edges of each graph begin among
// those of all, and at last how many there are.
func (d *GraphDataset) offsets() (vertices, edges []int32) {
	vertices, edges = make([]int32, len(d.Graphs)+1), make([]int32, len(d.Graphs)+1)
	for i, g := range d.Graphs {
		vertices[i+1] = vertices[i] + int32(g.NumVertices())
		edges[i+1] = edges[i] + int32(g.NumEdges())
	}
	return vertices, edges
}

func appendRange(ids []int32, lo, hi int32) []int32 {
	for i := lo; i < hi; i++ {
		ids = append(ids, i)
	}
	return ids
}

// WithDegreeFeatures returns the set with the degrees of vertices as features,
// one-hot, those above limit as limit: the usual features of graphs without any
// (Xu et al. 2019). All else is shared with the old one.
func (d *GraphDataset) WithDegreeFeatures(limit int) *GraphDataset {
	var degrees []int32
	for _, g := range d.Graphs {
		wantGraph("WithDegreeFeatures", g)
		degrees = append(degrees, g.InDegrees()...)
	}
	out := *d
	out.Features = oneHotClipped("WithDegreeFeatures", degrees, limit)
	return &out
}

// Validate returns an error that names the fault unless all graphs are there
// and homogeneous, features (if any) have a row a vertex and a row an edge and
// are finite, there is a label or a row of targets a graph, labels are NoLabel
// or in [0, NumClasses), and the graphs of the split exist and are in one part
// only, once.
func (d *GraphDataset) Validate() error {
	if err := d.validate(); err != nil {
		return ofSet(d.Name, err)
	}
	return nil
}

func (d *GraphDataset) validate() error {
	n := len(d.Graphs)
	if err := d.checkSizes(); err != nil {
		return err
	}
	switch {
	case d.Labels == nil && d.Targets == nil:
		return errors.New("neither labels nor targets")
	case d.Folds != nil && len(d.Folds) != n:
		return fmt.Errorf("%d folds for %d graphs", len(d.Folds), n)
	}
	if i := slices.IndexFunc(d.Labels, func(c int32) bool { return c != NoLabel && (c < 0 || int(c) >= d.NumClasses) }); i >= 0 {
		return fmt.Errorf("graph %d: label %d out of range [0, %d)", i, d.Labels[i], d.NumClasses)
	}
	if err := checkSplit("graph", n, d.Train, d.Val, d.Test); err != nil {
		return err
	}
	if err := d.Features.checkFinite(); err != nil {
		return err
	}
	return d.EdgeFeatures.checkFinite()
}

// checkSizes returns an error unless all graphs are there and homogeneous and what there
// is of features, labels and targets is of as many vertices, edges and graphs.
func (d *GraphDataset) checkSizes() error {
	n := len(d.Graphs)
	for i, g := range d.Graphs {
		if g == nil || g.IsBipartite() {
			return fmt.Errorf("graph %d is missing or bipartite", i)
		}
	}
	vertices, edges := d.offsets()
	if rows, _ := d.Features.Dims(); !d.Features.IsZero() && rows != int(vertices[n]) {
		return fmt.Errorf("%d rows of features for %d vertices", rows, vertices[n])
	}
	if rows, _ := d.EdgeFeatures.Dims(); !d.EdgeFeatures.IsZero() && rows != int(edges[n]) {
		return fmt.Errorf("%d rows of features for %d edges", rows, edges[n])
	}
	switch {
	case d.Labels != nil && len(d.Labels) != n:
		return fmt.Errorf("%d labels for %d graphs", len(d.Labels), n)
	case d.Targets != nil && d.Targets.Rank() != 2:
		return fmt.Errorf("targets of shape %v, want a row for each of %d graphs", d.Targets.Shape(), n)
	case d.Targets != nil && d.Targets.Dim(0) != n:
		return fmt.Errorf("%d rows of targets for %d graphs", d.Targets.Dim(0), n)
	}
	return nil
}

// checkSplit refuses parts with members that are not in [0, n) or are in two
// parts or twice in one.
func checkSplit(what string, n int, train, val, test []int32) error {
	part := make([]string, n)
	for _, s := range []struct {
		name    string
		members []int32
	}{{"train", train}, {"validation", val}, {"test", test}} {
		for _, v := range s.members {
			switch {
			case v < 0 || int(v) >= n:
				return fmt.Errorf("%s %s %d out of range [0, %d)", s.name, what, v, n)
			case part[v] != "":
				return fmt.Errorf("%s %s %d is a %s %s already", s.name, what, v, part[v], what)
			}
			part[v] = s.name
		}
	}
	return nil
}
