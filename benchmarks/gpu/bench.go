// Who takes part in a case, whether all agree, times.

package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	ours      = "asterias"
	oursTuned = "asterias tuned" // kernels cut as cudagen.Tune finds best
	oursGraph = "asterias graph" // a training step as a CUDA graph
)

// A bench is one run of the command.
type bench struct {
	opts   options
	card   *card
	gpu    *gpu
	copied float64 // bytes a second of copies on the device
	peer   *peer
	sparse *sparse
	before int64 // bytes of the device's memory before the graph came
	until  time.Time
}

// timing is that of the flags. The load of the processors is not looked at: the
// device's clock is read.
func (b *bench) timing() harness.Timing {
	t := b.opts.Timing
	t.Load = func() func() float64 { return func() float64 { return -1 } }
	return t
}

// A lane is a system that can be timed.
type lane struct {
	entry *entry
	harness.Contender
	close func() error
}

// run measures a task with everybody, but for tuned kernels. Only what keeps ours from
// running is an error.
func (b *bench) run(t *task) (r *result, err error) {
	r = b.newResult(t)
	var w *work
	var got []float32
	failure := autograd.Try(func() {
		w = t.on(b.gpu.Device)
		if got, err = w.output(); err == nil {
			err = b.sameOnCPU(t, got)
		}
	})
	if err = errors.Join(err, failure); err != nil {
		return nil, err
	}
	own := &entry{System: ours}
	if t.pass == epoch {
		if own.Peak, err = b.peak(w); err != nil {
			return nil, err
		}
	}
	r.Entries = append(r.Entries, own)
	lanes := []lane{{entry: own, Contender: w.contender(b.gpu)}}
	lanes = append(lanes, b.others(t, r, got)...)
	lanes = append(lanes, b.peers(t, w, r, got)...)
	if b.peer != nil {
		defer b.peer.clear()
	}
	defer func() {
		for _, l := range lanes {
			if l.close != nil {
				err = errors.Join(err, l.close())
			}
		}
	}()
	if err := b.measure(lanes); err != nil {
		return nil, err
	}
	r.judge(b.copied)
	return r, nil
}

// peak is by how much the second step of training raises the device's memory at most,
// from what was there before the graph came.
func (b *bench) peak(w *work) (int64, error) {
	for range 2 {
		b.gpu.backend.Device().ResetPeak()
		var err error
		failure := autograd.Try(func() { err = errors.Join(w.step(), b.gpu.Synchronize()) })
		if err = errors.Join(err, failure); err != nil {
			return 0, err
		}
	}
	return b.gpu.MemoryStats().Peak - b.before, nil
}

// sameOnCPU compares what the device has computed.
func (b *bench) sameOnCPU(t *task, got []float32) error {
	want, err := t.on(tensor.CPU).output()
	if err == nil {
		err = t.agree(got, want)
	}
	if err != nil {
		return fmt.Errorf("on the CPU it is something else: %w", err)
	}
	return nil
}

// others are ours as a CUDA graph, and cuSPARSE. Those that fail or compute something
// else are in the result with the reason.
func (b *bench) others(t *task, r *result, got []float32) (lanes []lane) {
	add := func(system string, set func() (*work, error)) {
		e := &entry{System: system}
		r.Entries = append(r.Entries, e)
		var w *work
		var err error
		failure := autograd.Try(func() {
			if w, err = set(); err != nil || w.output == nil {
				return
			}
			var same []float32
			if same, err = w.output(); err == nil {
				err = t.agree(same, got)
			}
		})
		if err = errors.Join(err, failure); err != nil {
			e.Status = harness.Status(err)
			return
		}
		lanes = append(lanes, lane{e, w.contender(b.gpu), w.close})
	}
	if t.pass == epoch && t.captured {
		add(oursGraph, func() (*work, error) { return t.capturedOn(b.gpu.Device) })
	}
	if t.pass == kernel && t.name == "sum" && b.sparse != nil {
		for _, a := range sparseAlgorithms {
			add(a.name, func() (*work, error) { return b.sparse.work(t, b.gpu, a.algorithm) })
		}
	}
	return lanes
}

// peers sets up the peer's forms and adds them to the result. It returns those that
// can be timed: a form that is missing, fails or computes something else is in the
// result with the reason.
func (b *bench) peers(t *task, w *work, r *result, got []float32) (lanes []lane) {
	if b.peer == nil || len(t.forms()) == 0 {
		return nil
	}
	err := b.peer.open(t, w)
	for _, form := range t.forms() {
		e := &entry{System: form}
		r.Entries = append(r.Entries, e)
		if err != nil {
			e.Status = harness.Status(err)
			continue
		}
		c, peak, err := b.peer.enter(t, form)
		if err == nil {
			var want []float32
			if want, err = c.Output(); err == nil {
				err = t.agree(got, want)
			}
		}
		if err != nil {
			e.Status = harness.Status(err)
			continue
		}
		e.Peak = peak
		lanes = append(lanes, lane{entry: e, Contender: c})
	}
	return lanes
}

// measure times lanes in turns, and those that are left when one fails.
func (b *bench) measure(lanes []lane) error {
	own := lanes[0].entry
	for {
		contenders := make([]harness.Contender, len(lanes))
		for i, l := range lanes {
			run := l.Run
			contenders[i] = harness.Contender{Run: func(reps int) (time.Duration, error) {
				d, err := run(reps)
				if err != nil {
					l.entry.Status = harness.Status(err)
				}
				return d, err
			}}
		}
		m, err := b.timing().Measure(contenders...)
		if err == nil {
			for i, l := range lanes {
				l.entry.spread = spreadOf(m.Seconds[i])
				l.entry.Ratio = harness.MedianRatio(m.Seconds[i], m.Seconds[0])
			}
			return nil
		}
		before := len(lanes)
		lanes = slices.DeleteFunc(slices.Clone(lanes), func(l lane) bool { return l.entry.Status != "" })
		if own.Status != "" || len(lanes) == before {
			return err
		}
	}
}

// tune times tuned kernels in turns with the usual ones and adds them to the result.
func (b *bench) tune(t *task, r *result, tuned *gpu) error {
	var lanes []lane
	var outputs [2][]float32
	var err error
	failure := autograd.Try(func() {
		for i, g := range []*gpu{b.gpu, tuned} {
			w := t.on(g.Device)
			var failed error
			outputs[i], failed = w.output()
			err = errors.Join(err, failed)
			lanes = append(lanes, lane{entry: &entry{}, Contender: w.contender(g)})
		}
	})
	if err = errors.Join(err, failure); err != nil {
		return err
	}
	if err := t.agree(outputs[1], outputs[0]); err != nil {
		return err
	}
	if err := b.measure(lanes); err != nil {
		return err
	}
	e := *lanes[1].entry
	e.System = oursTuned
	r.Entries = slices.Insert(r.Entries, 1, &e)
	return nil
}

// tuned opens the device once more, with tuning on.
func (b *bench) tuned(folder string) (*gpu, error) {
	g, err := b.card.open()
	if err != nil {
		return nil, err
	}
	if err := cudagen.Tune(g.Device, folder); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// release gives back what a case has left to the collector: the next case's memory is
// counted from before the graph came. It is called when nothing of the case is on the stack.
func (b *bench) release() {
	for range 2 { // what a freed closure held is found by the second
		tensor.TrimMemory()
		_ = b.gpu.Synchronize() // frees what was collected; a failure is the next case's
	}
}

// late tells whether no case should begin any more.
func (b *bench) late() bool { return time.Now().After(b.until) }
