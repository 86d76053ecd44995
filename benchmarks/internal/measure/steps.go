package measure

// Training steps, and what of them is overhead.

import (
	"slices"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/nulldevice"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// steps times training steps of all models on all tasks, with the variants that tell
// what the framework takes.
func (b *Bench) steps() error {
	for _, spec := range b.Plan.Tasks {
		t, err := b.task(spec)
		if err != nil {
			return err
		}
		for _, c := range b.Plan.Models {
			b.log("  step of %v on %s", c, t.Name)
			if err := b.stepsOf(c, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// stepsOf times one model on one task, and on next to nothing, all in turns.
func (b *Bench) stepsOf(c workflow.Config, t *workflow.Task) error {
	tiny, err := b.task(shrunk)
	if err != nil {
		return err
	}
	var lanes []*lane
	add := func(e *entrant, c workflow.Config, t *workflow.Task, variant string) {
		lanes = append(lanes, b.stepLane(report.StepTable, e, c, t, variant))
	}
	for _, e := range b.entrants {
		add(e, c, t, report.Real)
		add(e, workflow.ShrunkConfig(c), tiny, report.Shrunk)
		if e.about.Fused && e.device == nil {
			null := *e
			null.device = nulldevice.New()
			add(&null, c, t, report.NullDevice)
		}
	}
	if slices.ContainsFunc(b.entrants, func(e *entrant) bool { return e.system != nil }) {
		null := systems.Null() // in the place of all systems
		add(&entrant{name: null.Name(), form: workflow.OverSystem(null)}, c, t, report.NullKernels)
	}
	return b.contest(lanes)
}

// stepLane is an entrant's training step.
func (b *Bench) stepLane(table string, e *entrant, c workflow.Config, t *workflow.Task, variant string) *lane {
	l := &lane{timing: report.Timing{
		Table: table, Case: string(c.Model), Task: t.Name, Vertices: t.Graph.NumVertices(), Edges: t.Graph.NumEdges(),
		Heads: c.Heads, Width: c.Hidden, System: e.name, Variant: variant,
	}}
	var err error
	if e.peer != nil {
		l.Contender, l.close, err = b.peerSteps(e, c, t)
	} else {
		l.Contender, l.close, err = formSteps(e, c, t)
	}
	if err != nil {
		l.fail(err)
	}
	return l
}

func (b *Bench) peerSteps(e *entrant, c workflow.Config, t *workflow.Task) (harness.Contender, func() error, error) {
	slot, done, err := b.openTask(e, c, t)
	if err != nil {
		return harness.Contender{}, nil, err
	}
	return e.peer.Steps(slot), done, nil
}

// formSteps is the contender that makes steps in this process.
func formSteps(e *entrant, c workflow.Config, t *workflow.Task) (harness.Contender, func() error, error) {
	there := t.On(e.device)
	m, err := workflow.New(c, there, e.form)
	if err != nil {
		return harness.Contender{}, nil, err
	}
	tr := workflow.NewTrainer(m, there)
	run := func(reps int) (d time.Duration, err error) {
		start := time.Now()
		err = autograd.Try(func() {
			for range reps {
				tr.Step()
			}
		})
		if err == nil {
			err = e.device.Synchronize()
		}
		return time.Since(start), err
	}
	return harness.Contender{Run: run}, m.Close, nil
}
