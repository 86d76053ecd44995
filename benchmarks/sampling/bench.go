// One number of threads: who is there, whether all agree, times.

package main

import (
	"slices"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
)

// A bench is the contenders with one number of threads.
type bench struct {
	options
	graph   *graph.Graph
	threads int
	peers   []*peer
}

func (b *bench) close() {
	for _, p := range b.peers {
		p.close()
	}
}

// timing is that of the flags, with load as far as it is to count.
func (b *bench) timing() harness.Timing {
	t := b.Timing
	t.Load = func() func() float64 { return harness.NewLoadMeter().Cores }
	if b.anyway {
		t.Load = func() func() float64 { return func() float64 { return -1 } }
	}
	return t
}

// run measures ours and the forms that are there. The first result is ours.
func (b *bench) run() ([]result, error) {
	c, stop, err := ours(b.graph, b.options, b.threads)
	if err != nil {
		return nil, err
	}
	defer stop()
	sizes, err := c.Output()
	if err != nil {
		return nil, err
	}
	base := result{Vertices: b.vertices, Edges: b.edges, Fanouts: b.fanouts, Batch: b.batch, Threads: b.threads}
	results := []result{base}
	results[0].Form, results[0].BatchEdges, results[0].BatchVertices = formOurs, sizes[0], sizes[1]
	lanes := []lane{{0, c}}
	for _, p := range b.peers {
		wanted := slices.DeleteFunc(slices.Clone(p.forms), func(form string) bool { return !slices.Contains(b.options.peers, form) })
		if len(wanted) == 0 {
			continue
		}
		opened := p.open(b.graph)
		for _, form := range wanted {
			r := base
			r.Form = form
			err := opened
			var c harness.Contender
			if err == nil {
				c, err = p.enter(form, b.options, b.threads, sizes)
			}
			if err != nil {
				r.Status = harness.Status(err)
			} else {
				lanes = append(lanes, lane{len(results), c})
			}
			results = append(results, r)
		}
	}
	return results, b.measure(results, lanes)
}

// A lane is a contender and the place of its result.
type lane struct {
	row int
	harness.Contender
}

// measure times the lanes, ours first. A peer that fails meanwhile is a row with the
// reason, and the others are timed without it.
func (b *bench) measure(results []result, lanes []lane) error {
	for {
		var contenders []harness.Contender
		for _, l := range lanes {
			run := l.Run
			l.Run = func(reps int) (time.Duration, error) {
				d, err := run(reps)
				if err != nil {
					results[l.row].Status = harness.Status(err)
				}
				return d, err
			}
			contenders = append(contenders, l.Contender)
		}
		m, err := b.timing().Measure(contenders...)
		if err == nil {
			for i, l := range lanes {
				r := &results[l.row]
				r.Seconds, r.Speedup = harness.Median(m.Seconds[i]), harness.MedianRatio(m.Seconds[i], m.Seconds[0])
				r.Load, r.Disturbed = m.Load, m.Disturbed
			}
			return nil
		}
		if results[0].Status != "" {
			return err
		}
		lanes = slices.DeleteFunc(lanes, func(l lane) bool { return results[l.row].Status != "" })
	}
}
