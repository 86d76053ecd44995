// One case: who is there, whether all agree, times.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
)

// A bench is one run of the command, with the peers of one number of threads.
type bench struct {
	opts    options
	threads int
	peers   []peer
}

func (b *bench) close() {
	for _, p := range b.peers {
		p.close()
	}
}

// timing is that of the flags, with load as far as it is to count.
func (b *bench) timing() harness.Timing {
	t := b.opts.Timing
	t.Load = func() func() float64 { return harness.NewLoadMeter().Cores }
	if b.opts.anyway {
		t.Load = func() func() float64 { return func() float64 { return -1 } }
	}
	return t
}

// A lane is a peer's form that can be timed.
type lane struct {
	result *peerResult
	harness.Contender
}

// run measures a task.
func (b *bench) run(t *task) (*result, error) {
	r := &result{Program: t.title(), Graph: t.graphName, Width: t.width, Threads: b.threads}
	ours := t.ours()
	got, err := ours.Output()
	if err != nil {
		return nil, err
	}
	var lanes []lane
	for _, p := range b.peers {
		lanes = append(lanes, b.entries(t, p, r, got)...)
		defer p.clear()
	}
	got = nil // it may be large
	tensor.TrimMemory()
	for {
		contenders := []harness.Contender{ours, t.roofline()}
		for _, l := range lanes {
			contenders = append(contenders, l.Contender)
		}
		m, err := b.timing().Measure(contenders...)
		if err == nil {
			r.fill(m, lanes)
			return r, nil
		}
		// Only peers' runs fail: ours would panic. The others are timed without.
		before := len(lanes)
		lanes = slices.DeleteFunc(lanes, func(l lane) bool { return l.result.Status != "" })
		if len(lanes) == before {
			return nil, err
		}
	}
}

// fill takes the times of ours, the gather, and the lanes.
func (r *result) fill(m harness.Measurement, lanes []lane) {
	ours, gather := m.Seconds[0], m.Seconds[1]
	r.Ours, r.Gather = harness.Median(ours), harness.Median(gather)
	r.Roofline = harness.MedianRatio(gather, ours)
	for i, l := range lanes {
		seconds := m.Seconds[i+2]
		l.result.Seconds, l.result.Speedup = harness.Median(seconds), harness.MedianRatio(seconds, ours)
	}
	r.Load, r.Disturbed = m.Load, m.Disturbed
}

// entries sets up the forms of a peer and adds them to the result. It returns
// those that can be timed: a form that is missing, fails or computes something
// else is in the result with the reason.
func (b *bench) entries(t *task, p peer, r *result, got []float32) (lanes []lane) {
	if t.pass == backward {
		return nil
	}
	var opened bool
	var err error
	for _, form := range p.forms() {
		if !slices.Contains(t.peers, form) || !slices.Contains(b.opts.peers, form) {
			continue
		}
		if !opened {
			opened, err = true, p.open(t)
		}
		row := &peerResult{Form: form}
		r.Peers = append(r.Peers, row)
		if err != nil {
			row.Status = harness.Status(err)
			continue
		}
		c, err := checked(t, p, form, got)
		if err != nil {
			row.Status = harness.Status(err)
			continue
		}
		run := c.Run
		c.Run = func(reps int) (time.Duration, error) {
			d, err := run(reps)
			if err != nil {
				row.Status = harness.Status(err)
			}
			return d, err
		}
		lanes = append(lanes, lane{row, c})
	}
	return lanes
}

// checked is a peer's contender, after it has computed what ours does.
func checked(t *task, p peer, form string, got []float32) (harness.Contender, error) {
	c, err := p.enter(t, form)
	if err != nil {
		return c, err
	}
	want, err := c.Output()
	if err != nil {
		return c, err
	}
	return c, t.agree(got, want)
}

const (
	// usualTolerance is how far values may differ, measured against the largest of
	// their tensor,
	usualTolerance = 1e-4
	// or against this share of the largest of all: the gradient of a score that a
	// softmax shares is what its summands' rounding leaves.
	leastScale = 1e-2
)

// agree compares outputs, tensor by tensor.
func (t *task) agree(got, want []float32) error {
	if len(got) != len(want) {
		return fmt.Errorf("not the same work: %d values, the peer has %d", len(got), len(want))
	}
	least := leastScale * largest(want)
	if math.IsInf(least, 0) {
		return errors.New("not the same work: the peer has infinite values")
	}
	tolerance := cmp.Or(t.tolerance, usualTolerance)
	for i, size := range t.outputSizes() {
		if err := agreeBut(got[:size], want[:size], tolerance*max(least, largest(want[:size])), int(t.strays*float64(size))); err != nil {
			return fmt.Errorf("not the same work: output %d: %w", i, err)
		}
		got, want = got[size:], want[size:]
	}
	return nil
}

// largest is the largest magnitude; NaN if there is one.
func largest(xs []float32) float64 {
	m := 0.0
	for _, x := range xs {
		m = max(m, math.Abs(float64(x)))
	}
	return m
}

// agreeBut returns an error if more values than may stray differ by more than
// within.
func agreeBut(got, want []float32, within float64, strays int) (err error) {
	for i := range want {
		// Negated, so that a NaN on either side is a difference.
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= within) {
			if strays--; strays < 0 {
				return fmt.Errorf("value %d is %v, the peer's %v; they may differ by %.3g", i, got[i], want[i], within)
			}
		}
	}
	return nil
}
