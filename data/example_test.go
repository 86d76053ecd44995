package data_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/tensor"
)

// A graph of one's own, from a file of edges, becomes a dataset to train on.
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

	// What is known of vertices is put in the order of Names.
	city := map[string]int32{"Oslo": 1, "Bergen": 1, "Moss": 0, "Halden": 0}
	people := map[string]float32{"Oslo": 7.2, "Bergen": 2.9, "Moss": 0.5, "Halden": 0.3}
	d := &data.Dataset{Name: "roads", Graph: roads.Graph, NumClasses: 2}
	var column []float32
	for _, name := range roads.Names {
		d.Labels = append(d.Labels, city[name])
		column = append(column, people[name])
	}
	d.Features = data.DenseFeatures(tensor.FromSlice(column, len(column), 1))
	d.Train, d.Val, d.Test = data.RandomSplit(d.Labels, d.NumClasses, 1, 0, 7)
	fmt.Println(len(d.Train), len(d.Val), len(d.Test), d.Validate())
	// Output:
	// [Oslo Bergen Moss Halden] [0 1 0 2 2 3] [1 0 2 0 3 2]
	// km of each edge: [463 463 60 60 55 55]
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
