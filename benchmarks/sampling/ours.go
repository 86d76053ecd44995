// Our contender.

package main

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
)

// ours is a loader of all vertices, shuffled, with as many workers as threads. Its
// epochs follow each other without end until stop.
func ours(g *graph.Graph, o options, threads int) (c harness.Contender, stop func(), err error) {
	seeds := make([]int32, g.NumVertices())
	for v := range seeds {
		seeds[v] = int32(v)
	}
	loader, err := data.NewNeighborLoader(g, seeds, data.NeighborConfig{
		Loading: data.Loading{BatchSize: o.batch, Shuffle: true, Seed: 1, Workers: threads},
		Fanout:  data.Fanout{Hops: o.fanouts},
	})
	if err != nil {
		return c, nil, err
	}
	next, stop := iter.Pull2(func(yield func(*data.Batch, error) bool) {
		for epoch := 0; ; epoch++ {
			for b, err := range loader.Epoch(context.Background(), epoch) {
				if !yield(b, err) {
					return
				}
			}
		}
	})
	return harness.Contender{
		Run: func(reps int) (time.Duration, error) {
			start := time.Now()
			for range reps {
				if _, err, _ := next(); err != nil {
					return 0, err
				}
			}
			return time.Since(start), nil
		},
		Output: func() ([]float32, error) {
			return meanSizes(func() (edges, vertices int, err error) {
				b, err, _ := next()
				if err != nil {
					return 0, 0, err
				}
				for _, block := range b.Blocks {
					edges += block.NumEdges()
				}
				return edges, len(b.Vertices), nil
			})
		},
	}, stop, nil
}

// outputBatches is how many batches the compared means are of; peers.py has it too.
const outputBatches = 50

func meanSizes(next func() (edges, vertices int, err error)) ([]float32, error) {
	var edges, vertices int
	for i := range outputBatches {
		e, v, err := next()
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", i, err)
		}
		edges, vertices = edges+e, vertices+v
	}
	return []float32{float32(edges) / outputBatches, float32(vertices) / outputBatches}, nil
}
