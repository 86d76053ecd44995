// Command gomlx is GoMLX as a peer, on its backend in pure Go; with -tags xla, which
// needs cgo, and a PJRT plug-in, GOMLX_BACKEND=xla:cpu takes XLA. GoMLX has no sparse
// matrices: sums over edges are gathers and scatters. A module of its own, so that
// nothing else depends on GoMLX.
//
//	main.go   what it is
//	model.go  the models as GoMLX's computation graphs
//	train.go  a training
package main

import (
	"fmt"
	"os"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/simplego"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

func main() { serve.Main(open) }

func open(threads int) (*serve.Framework, error) {
	config := os.Getenv(backends.ConfigEnvVar)
	if config == "" {
		config = fmt.Sprintf("go:parallelism=%d", threads)
	}
	backend, err := backends.NewWithConfig(config)
	if err != nil {
		return nil, err
	}
	return &serve.Framework{
		Name:    "gomlx",
		Version: "GoMLX " + serve.ModuleVersion("github.com/gomlx/gomlx"),
		Backend: backend.Name() + ", gather and scatter",
		Open: func(t *serve.Task, dropout float64, seed uint64) (serve.Trainer, error) {
			return newTrainer(backend, t, dropout, seed)
		},
	}, nil
}
