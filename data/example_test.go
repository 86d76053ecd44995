package data_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// Vertices of a file of edges are numbered as they come; see LoadVertexTable for what is
// known of them.
func ExampleLoadEdgeList() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "roads.csv")
	if err := os.WriteFile(path, []byte("from,to,km\nOslo,Bergen,463\nOslo,Moss,60\nMoss,Halden,55\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	roads, err := data.LoadEdgeList(path, data.EdgeListOptions{
		Header: true, Source: "from", Target: "to", Features: []string{"km"}, Undirected: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(roads.Names, roads.Graph.Src(), roads.Graph.Dst())
	fmt.Println("km of each edge:", roads.EdgeFeatures.Dense().Float64s())
	// Output:
	// [Oslo Bergen Moss Halden] [0 1 0 2 2 3] [1 0 2 0 3 2]
	// km of each edge: [463 463 60 60 55 55]
}

// A graph of one's own, from a file of edges and one of vertices, becomes a dataset to
// train on.
func ExampleLoadVertexTable() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	edges, vertices := filepath.Join(dir, "roads.csv"), filepath.Join(dir, "towns.csv")
	for path, text := range map[string]string{
		edges:    "from,to,km\nOslo,Bergen,463\nOslo,Moss,60\nMoss,Halden,55\n",
		vertices: "town,people,coast,kind\nBergen,2.75,west,city\nHalden,0.25,south,town\nMoss,0.5,south,town\nOslo,7.25,south,city\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}

	roads, err := data.LoadEdgeList(edges, data.EdgeListOptions{Header: true, Undirected: true})
	if err != nil {
		log.Fatal(err)
	}
	towns, err := data.LoadVertexTable(vertices, roads.Names, data.VertexTableOptions{
		ID: "town", Label: "kind", Categorical: []string{"coast"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(roads.Names, towns.FeatureNames, towns.Features.Dense().Float64s())
	fmt.Println("labels", towns.Labels, "of", towns.Classes)

	d := &data.Dataset{Name: "roads", Graph: roads.Graph, Features: towns.Features, Labels: towns.Labels, NumClasses: len(towns.Classes)}
	d.Train, d.Val, d.Test = data.RandomSplit(d.Labels, d.NumClasses, 1, 0, 7)
	fmt.Println(len(d.Train), len(d.Val), len(d.Test), d.Validate())
	// Output:
	// [Oslo Bergen Moss Halden] [people coast=south coast=west] [7.25 1 0 2.75 0 1 0.5 1 0 0.25 1 0]
	// labels [0 0 1 1] of [city town]
	// 2 0 2 <nil>
}

// Two layers of GraphSAGE read at most 5 neighbours of a vertex and 3 of each of these.
func ExampleNeighborLoader() {
	d := data.Karate()
	loader, err := data.NewNeighborLoader(d.Graph, d.Train, data.NeighborConfig{
		Loading: data.Loading{BatchSize: 3, Features: d.Features},
		Fanout:  data.Fanout{Hops: []int{5, 3}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for b, err := range loader.Epoch(context.Background(), 1) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("classes of vertices", b.Seeds, "are", b.Labels(d.Labels))
		for _, block := range b.Blocks {
			fmt.Println("from", block.NumSrc(), "to", block.NumDst(), "vertices")
		}
	}
	// Output:
	// classes of vertices [0 4 8] are [0 1 2]
	// from 21 to 14 vertices
	// from 14 to 3 vertices
	// classes of vertices [23] are [3]
	// from 13 to 6 vertices
	// from 6 to 1 vertices
}

// Every edge gets a false link, others in every epoch, for a loss over the whole graph.
func ExampleNegativeLinks() {
	g := data.Karate().Graph
	for epoch := range uint64(2) {
		negatives, err := data.NegativeLinks(g, g.NumEdges(), data.NegativeConfig{Seed: epoch})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(negatives.Src), "links, the first from", negatives.Src[0], "to", negatives.Dst[0])
	}
	// Output:
	// 156 links, the first from 32 to 19
	// 156 links, the first from 22 to 20
}

// Atoms in two molecules are joined to those that are closer than 2 to them.
func ExampleRadius() {
	x := tensor.FromSlice([]float32{0, 0, 1.5, 0, 2.5, 0, 0, 0, 1, 1}, 5, 2)
	molecules := &graph.BatchInfo{VertexOffsets: []int32{0, 3, 5}, GraphOf: []int32{0, 0, 0, 1, 1}}
	g, batch := data.Radius(x, 2, data.RadiusConfig{}, molecules)
	fmt.Println(g.Src(), g.Dst(), batch.EdgeOffsets)
	// Output: [1 2 0 1 4 3] [0 1 1 2 3 4] [0 4 6]
}

// Vertices of a ring with a tail are told apart by walks that return, and by eigenvectors.
func ExampleRandomWalkEncoding() {
	g, err := graph.New(4, []int32{0, 1, 1, 2, 2, 0, 2, 3}, []int32{1, 0, 2, 1, 0, 2, 3, 2})
	if err != nil {
		log.Fatal(err)
	}
	walks := data.RandomWalkEncoding(g, 3)
	laplacian, err := data.LaplacianEncoding(g, 2)
	if err != nil {
		log.Fatal(err)
	}
	both := walks.Append(laplacian.FlipSigns(1)) // other signs in every step
	fmt.Println(both.Dims())
	for v := range 4 {
		fmt.Printf("%.3f\n", walks.Rows([]int32{int32(v)}).Dense().Float64s())
	}
	// Output:
	// 4 5
	// [0.000 0.417 0.167]
	// [0.000 0.417 0.167]
	// [0.000 0.667 0.167]
	// [0.000 0.333 0.000]
}

// Graphs without features get some that they have by themselves.
func ExampleGraphDataset_AddDegreeProfile() {
	path, err := graph.New(3, []int32{0, 1, 1, 2}, []int32{1, 0, 2, 1})
	if err != nil {
		log.Fatal(err)
	}
	pair, err := graph.New(2, []int32{0, 1}, []int32{1, 0})
	if err != nil {
		log.Fatal(err)
	}
	d := &data.GraphDataset{Graphs: []*graph.Graph{path, pair}, Labels: []int32{0, 1}, NumClasses: 2}
	d = d.AddConstantFeature(1).AddDegreeProfile()
	fmt.Println(d.Features.Dims())
	b := d.Batch([]int32{0})
	fmt.Println(b.Features.Float64s())
	fmt.Println(d.AddVirtualVertex().Batch([]int32{0, 1}).Graph)
	// Output:
	// 5 6
	// [1 1 2 2 2 0 1 2 1 1 1 0 1 1 2 2 2 0]
	// graph(7 vertices, 16 edges)
}
