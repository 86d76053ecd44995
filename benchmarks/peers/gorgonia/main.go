// Command gorgonia is stock Gorgonia as a peer: its standard engine, tape machine and
// Adam. It has no sparse operations, so the graph is a dense matrix, and there is
// nothing that gathers rows for the heads of GAT: it trains GCN and GIN on small graphs.
//
//	main.go   what it is, what it refuses
//	model.go  the models as Gorgonia's expressions
//	train.go  a training
package main

import (
	"fmt"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

// maxVertices is above Cora's 2708: at 5000 the matrix has 100 MB.
const maxVertices = 5000

func main() { serve.Main(open) }

func open(int) (*serve.Framework, error) {
	return &serve.Framework{
		Name:    "gorgonia",
		Version: "Gorgonia " + serve.ModuleVersion("gorgonia.org/gorgonia"),
		Backend: fmt.Sprintf("dense adjacency, tape machine, %T", gt.WhichBLAS()),
		Open:    newTrainer,
	}, nil
}
