package graph_test

import (
	"fmt"
	"log"

	"github.com/asterias-ml/asterias/graph"
)

// Papers 1 and 2 cite paper 0, paper 3 cites paper 1: edge e is position e of the lists.
func Example() {
	g, err := graph.New(4, []int32{1, 3, 2}, []int32{0, 1, 0})
	if err != nil {
		log.Fatal(err)
	}
	from, edges := g.In().Row(0) // the edges that enter paper 0
	fmt.Println("from", from, "by edges", edges)
	fmt.Println("in-degrees", g.InDegrees())

	both, edges := g.Symmetrize() // and the way back
	fmt.Println(both, "of edges", edges)

	_, err = graph.New(4, []int32{1, 3}, []int32{0, 4})
	fmt.Println(err)
	// Output:
	// from [1 2] by edges [0 2]
	// in-degrees [2 1 0 0]
	// graph(4 vertices, 6 edges) of edges [0 1 2 0 1 2]
	// graph: edge 1: destination 4 out of range [0, 4)
}

// Two molecules become one graph, for one pass over both.
func ExampleBatch() {
	bond, err := graph.New(2, []int32{0, 1}, []int32{1, 0})
	if err != nil {
		log.Fatal(err)
	}
	ring, err := graph.New(3, []int32{0, 1, 2}, []int32{1, 2, 0})
	if err != nil {
		log.Fatal(err)
	}
	g, info, err := graph.Batch(bond, ring)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Src(), g.Dst())
	fmt.Println("graph of each vertex", info.GraphOf)
	// Output:
	// [0 1 2 3 4] [1 0 3 4 2]
	// graph of each vertex [0 0 1 1 1]
}

// Each vertex is in one component; a virtual vertex joins them all.
func ExampleGraph_ConnectedComponents() {
	g, err := graph.New(4, []int32{0, 3}, []int32{2, 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.ConnectedComponents())
	joined, edges := g.AddVirtualVertex()
	fmt.Println(joined.Src(), joined.Dst(), edges)
	fmt.Println(joined.ConnectedComponents())
	// Output:
	// [0 1 0 2] 3
	// [0 3 0 1 2 3 4 4 4 4] [2 3 4 4 4 4 0 1 2 3] [0 1 -1 -1 -1 -1 -1 -1 -1 -1]
	// [0 0 0 0 0] 1
}
