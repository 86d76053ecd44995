// Package measure runs the benchmark platform: who takes part, who is right, and what
// they take.
//
//	plan.go      which models, graphs and sizes: quick or full
//	bench.go     a run: entrants take turns at cases
//	entrants.go  systems, plug-ins and peers; the pitfall detector
//	peers.go     peers: tasks as files, their losses
//	accuracy.go  whether training gives the same accuracy
//	steps.go     training steps, and what of them is overhead
//	kernels.go   the calls of the System API, alone and by size
//	memory.go    what a step takes, each in a process of its own
package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// Options say who takes part in what.
type Options struct {
	Plan    Plan
	Timing  harness.Timing // without Load
	Anyway  bool           // count rounds that other processes disturb, too
	Threads int
	Data    string   // folder of the datasets; "" for none
	Systems []string // names; nil for all
	Plugins []string // shared libraries
	Peers   []PeerSpec
	Planted bool // show that planted pitfalls are caught
	Log     io.Writer
}

// A Bench is one run. Its methods add to Results.
type Bench struct {
	Options
	Results *report.Results

	entrants []*entrant
	folder   string // of tasks for peers
	folders  map[folderKey]string
	compared map[comparison]error // losses of peers
	loaded   map[TaskSpec]*workflow.Task
}

// New returns a run that has measured nothing. [Bench.Close] ends its processes.
func New(o Options) (*Bench, error) {
	folder, err := os.MkdirTemp("", "asterias-benchmarks-")
	if err != nil {
		return nil, err
	}
	return &Bench{
		Options: o, Results: &report.Results{Threads: o.Threads, Quick: o.Plan.Quick},
		folder: folder, folders: map[folderKey]string{}, compared: map[comparison]error{}, loaded: map[TaskSpec]*workflow.Task{},
	}, nil
}

// Close ends the peers and removes their tasks.
func (b *Bench) Close() error {
	var errs []error
	for _, e := range b.entrants {
		errs = append(errs, e.close())
	}
	return errors.Join(append(errs, os.RemoveAll(b.folder))...)
}

// Run measures everything with the options' threads; save is called whenever there is
// more.
func (b *Bench) Run(save func(*report.Results) error) error {
	return harness.WithThreads(b.Threads, func() error {
		for _, phase := range []struct {
			name string
			run  func() error
		}{
			{"systems", b.Enter},
			{"accuracy", b.accuracy},
			{"training steps", b.steps},
			{"calls", b.kernels},
			{"memory", b.memory},
			{"scaling", b.scaling},
		} {
			start := time.Now()
			if err := phase.run(); err != nil {
				return fmt.Errorf("%s: %w", phase.name, err)
			}
			b.log("%s: %.1f s", phase.name, time.Since(start).Seconds())
			if err := save(b.Results); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Bench) log(format string, args ...any) { fmt.Fprintf(b.Log, format+"\n", args...) }

// task loads a task, once.
func (b *Bench) task(s TaskSpec) (*workflow.Task, error) {
	if t := b.loaded[s]; t != nil {
		return t, nil
	}
	t, err := s.load(b.Data)
	if err == nil {
		b.loaded[s] = t
	}
	return t, err
}

// A lane is an entrant at a case: its timing to be, and how it runs.
type lane struct {
	timing report.Timing
	harness.Contender
	close func() error
	err   error // why there are no numbers
}

// fail says so in place of numbers.
func (l *lane) fail(err error) { l.err, l.timing.Status = err, harness.Status(err) }

// patience is how long once may take in a quick run.
const patience = time.Second

// contest times lanes in turns and adds their timings to the results, in order. One
// that fails is a row with the reason, and the others are timed without it.
func (b *Bench) contest(lanes []*lane) (err error) {
	defer func() {
		for _, l := range lanes {
			if l.close != nil {
				err = errors.Join(err, l.close())
			}
		}
	}()
	for {
		var running []*lane
		var contenders []harness.Contender
		for _, l := range lanes {
			if l.err != nil {
				continue
			}
			running = append(running, l)
			contenders = append(contenders, harness.Contender{Run: func(reps int) (time.Duration, error) {
				d, err := l.Run(reps)
				if each := d / time.Duration(reps); err == nil && b.Plan.Quick && each > patience {
					err = fmt.Errorf("left out of a quick run: %s a time", harness.Seconds(each.Seconds()))
				}
				if err != nil {
					l.fail(err)
				}
				return d, err
			}})
		}
		if len(running) == 0 {
			break
		}
		m, err := b.timing().Measure(contenders...)
		if err == nil {
			for i, l := range running {
				l.timing.Seconds, l.timing.Load, l.timing.Disturbed = m.Seconds[i], m.Load, m.Disturbed
			}
			break
		}
		if !slices.ContainsFunc(running, func(l *lane) bool { return l.err != nil }) {
			return err
		}
	}
	for _, l := range lanes {
		b.Results.Timings = append(b.Results.Timings, l.timing)
	}
	return nil
}

// timing is that of the options, with load as far as it is to count.
func (b *Bench) timing() harness.Timing {
	t := b.Timing
	t.Load = func() func() float64 { return harness.NewLoadMeter().Cores }
	if b.Anyway {
		t.Load = func() func() float64 { return func() float64 { return -1 } }
	}
	return t
}
