// Batches: many graphs as one graph of separate parts.

package graph

import (
	"errors"
	"fmt"
)

// BatchInfo tells which part of a batched graph each of its graphs is.
type BatchInfo struct {
	VertexOffsets []int32 // graph i owns vertices [VertexOffsets[i], VertexOffsets[i+1])
	EdgeOffsets   []int32 // and edges [EdgeOffsets[i], EdgeOffsets[i+1])
	GraphOf       []int32 // the graph of every vertex
}

// NumGraphs returns the number of graphs in the batch; 0 of the zero BatchInfo.
func (b *BatchInfo) NumGraphs() int { return max(0, len(b.VertexOffsets)-1) }

// Batch returns the disjoint union of homogeneous graphs: vertices and edges
// of the first, then those of the second, and so on. Either all graphs have
// edge types (and vertex types), with the same number of types, or none has.
// It is an error if they do not agree, if one is bipartite or nil, or if the
// sums exceed math.MaxInt32. A batch of no graphs is an empty graph.
// O(V + E) of all.
func Batch(gs ...*Graph) (*Graph, *BatchInfo, error) {
	info := &BatchInfo{VertexOffsets: make([]int32, len(gs)+1), EdgeOffsets: make([]int32, len(gs)+1)}
	var vertices, edges int64
	for i, g := range gs {
		if g == nil {
			return nil, nil, fmt.Errorf("graph: Batch: graph %d is nil", i)
		}
		if g.bipartite {
			return nil, nil, fmt.Errorf("graph: Batch: graph %d: %w", i, &BipartiteError{Op: "Batch"})
		}
		if err := sameTypes(gs[0], g); err != nil {
			return nil, nil, fmt.Errorf("graph: Batch: graphs 0 and %d: %w", i, err)
		}
		vertices += int64(g.numSrc)
		edges += int64(len(g.src))
		if err := checkCount("vertices", vertices); err != nil {
			return nil, nil, fmt.Errorf("graph: Batch: %w", err)
		}
		if err := checkCount("edges", edges); err != nil {
			return nil, nil, fmt.Errorf("graph: Batch: %w", err)
		}
		info.VertexOffsets[i+1] = int32(vertices)
		info.EdgeOffsets[i+1] = int32(edges)
	}

	out := &Graph{numSrc: int(vertices), numDst: int(vertices), src: padded(int(edges)), dst: padded(int(edges))}
	if len(gs) > 0 {
		out.numEdgeTypes, out.numSrcTypes, out.numDstTypes = gs[0].numEdgeTypes, gs[0].numSrcTypes, gs[0].numDstTypes
		if gs[0].edgeTypes != nil {
			out.edgeTypes = padded(int(edges))
		}
		if gs[0].srcTypes != nil {
			out.srcTypes = padded(int(vertices))
			out.dstTypes = out.srcTypes
		}
	}
	info.GraphOf = make([]int32, vertices)
	for i, g := range gs {
		v0, e0 := info.VertexOffsets[i], info.EdgeOffsets[i]
		for e, u := range g.src {
			out.src[int(e0)+e], out.dst[int(e0)+e] = u+v0, g.dst[e]+v0
		}
		if g.edgeTypes != nil {
			copy(out.edgeTypes[e0:], g.edgeTypes)
		}
		if g.srcTypes != nil {
			copy(out.srcTypes[v0:], g.srcTypes)
		}
		for v := range g.numSrc {
			info.GraphOf[int(v0)+v] = int32(i)
		}
	}
	return out.withLazyParts(), info, nil
}

// sameTypes tells, as an error, in which types two graphs do not agree.
func sameTypes(a, b *Graph) error {
	if (a.edgeTypes == nil) != (b.edgeTypes == nil) || a.numEdgeTypes != b.numEdgeTypes {
		return fmt.Errorf("%d and %d edge types", a.numEdgeTypes, b.numEdgeTypes)
	}
	if (a.srcTypes == nil) != (b.srcTypes == nil) || a.numSrcTypes != b.numSrcTypes {
		return fmt.Errorf("%d and %d vertex types", a.numSrcTypes, b.numSrcTypes)
	}
	return nil
}

// Unbatch splits a batched graph into its graphs, the inverse of Batch. It is
// an error if the offsets do not cover the graph in order or if an edge leaves
// its part. O(V + E).
func Unbatch(g *Graph, info *BatchInfo) ([]*Graph, error) {
	switch {
	case g == nil:
		return nil, errors.New("graph: Unbatch: the graph is nil")
	case info == nil:
		return nil, errors.New("graph: Unbatch: the batch's parts are nil")
	case g.bipartite:
		return nil, fmt.Errorf("graph: Unbatch: %w", &BipartiteError{Op: "Unbatch"})
	}
	if len(info.VertexOffsets) != len(info.EdgeOffsets) {
		return nil, fmt.Errorf("graph: Unbatch: %d vertex offsets but %d edge offsets", len(info.VertexOffsets), len(info.EdgeOffsets))
	}
	if err := checkOffsets("vertex", info.VertexOffsets, g.numSrc); err != nil {
		return nil, err
	}
	if err := checkOffsets("edge", info.EdgeOffsets, len(g.src)); err != nil {
		return nil, err
	}
	out := make([]*Graph, info.NumGraphs())
	for i := range out {
		v0, v1 := info.VertexOffsets[i], info.VertexOffsets[i+1]
		e0, e1 := info.EdgeOffsets[i], info.EdgeOffsets[i+1]
		n := int(v1 - v0)
		part := &Graph{
			numSrc: n, numDst: n,
			src: padded(int(e1 - e0)), dst: padded(int(e1 - e0)),
			numEdgeTypes: g.numEdgeTypes, numSrcTypes: g.numSrcTypes, numDstTypes: g.numDstTypes,
		}
		for e := e0; e < e1; e++ {
			u, v := g.src[e], g.dst[e]
			if u < v0 || u >= v1 || v < v0 || v >= v1 {
				return nil, fmt.Errorf("graph: Unbatch: edge %d (%d, %d) leaves graph %d with vertices [%d, %d)", e, u, v, i, v0, v1)
			}
			part.src[e-e0], part.dst[e-e0] = u-v0, v-v0
		}
		if g.edgeTypes != nil {
			part.edgeTypes = paddedCopy(g.edgeTypes[e0:e1])
		}
		if g.srcTypes != nil {
			part.srcTypes = paddedCopy(g.srcTypes[v0:v1])
			part.dstTypes = part.srcTypes
		}
		out[i] = part.withLazyParts()
	}
	return out, nil
}

func checkOffsets(what string, offsets []int32, total int) error {
	if len(offsets) == 0 || offsets[0] != 0 || int(offsets[len(offsets)-1]) != total {
		return fmt.Errorf("graph: Unbatch: %s offsets do not run from 0 to %d", what, total)
	}
	for i := 1; i < len(offsets); i++ {
		if offsets[i] < offsets[i-1] {
			return fmt.Errorf("graph: Unbatch: %s offset %d is %d after %d", what, i, offsets[i], offsets[i-1])
		}
	}
	return nil
}
