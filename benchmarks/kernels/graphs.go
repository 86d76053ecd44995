// The graphs.

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// edgeTypes is the number of edge types of R-GCN.
const edgeTypes = 4

// graphNames in the order of the tables, and those that run only when asked for.
var (
	graphNames      = []string{"rmat200k", "rmat30k", "star", "physics"}
	extraGraphNames = []string{"physics-reordered"}
)

var errNoData = errors.New("needs -data")

// buildGraph returns a graph by its name. The folder of datasets may be "", which
// leaves out what is no generator's.
func buildGraph(name, dataDir string) (*graph.Graph, error) {
	switch name {
	case "rmat200k":
		return data.RMAT(data.RMATConfig{Vertices: 200_000, Edges: 4_000_000, Seed: 1})
	case "rmat30k":
		return data.RMAT(data.RMATConfig{Vertices: 30_000, Edges: 1_000_000, Seed: 1})
	case "star":
		return star(200_000)
	case "physics", "physics-reordered":
		if dataDir == "" {
			return nil, errNoData
		}
		d, err := data.Load(context.Background(), "coauthor-physics", data.Options{Dir: dataDir})
		if err != nil {
			return nil, err
		}
		if name == "physics-reordered" {
			d, _ = d.Reorder()
		}
		return d.Graph, nil
	}
	return nil, fmt.Errorf("no graph %q", name)
}

// star is a hub, vertex 0, with an edge from each leaf and one to each: all work
// in one row in either direction.
func star(leaves int) (*graph.Graph, error) {
	src, dst := make([]int32, 2*leaves), make([]int32, 2*leaves)
	for i := range leaves {
		src[2*i], dst[2*i+1] = int32(i+1), int32(i+1)
	}
	return graph.New(leaves+1, src, dst)
}

// withTypes returns the graph with a random type of n for every edge.
func withTypes(g *graph.Graph, n int) *graph.Graph {
	types := make([]int32, g.NumEdges())
	for e := range types {
		types[e] = int32(rng.Hash(7, uint64(e)) % uint64(n))
	}
	typed, err := graph.New(g.NumVertices(), slices.Clone(g.Src()), slices.Clone(g.Dst()), graph.WithEdgeTypes(types, n))
	if err != nil {
		panic("BUG: kernels: " + err.Error())
	}
	return typed
}
