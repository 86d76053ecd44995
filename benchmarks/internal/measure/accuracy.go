package measure

// Whether training gives the same accuracy.

import (
	"errors"
	"fmt"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// accuracy trains all models, in a quick run the first, from a few seeds.
func (b *Bench) accuracy() error {
	models := b.Plan.Models
	if b.Plan.Quick {
		models = models[:1]
	}
	for _, spec := range b.Plan.AccuracyTasks {
		t, err := b.task(spec)
		if err != nil {
			return err
		}
		for _, c := range models {
			for _, e := range b.entrants {
				a := b.accuracyOf(e, c, t)
				b.log("  accuracy of %s on %s, %s: %.3f %s", c.Model, t.Name, e.name, a.Test, a.Status)
				b.Results.Accuracy = append(b.Results.Accuracy, a)
			}
		}
	}
	return nil
}

// accuracyLimit is how long an entrant may train for one row. A slow one gets fewer
// seeds, or is left out.
const accuracyLimit = time.Minute

func (b *Bench) accuracyOf(e *entrant, c workflow.Config, t *workflow.Task) report.Accuracy {
	a := report.Accuracy{System: e.name, Model: string(c.Model), Task: t.Name}
	epoch, err := b.epochTime(e, c, t)
	switch {
	case err != nil:
		a.Status = harness.Status(err)
		return a
	case epoch*time.Duration(b.Plan.Epochs) > accuracyLimit:
		a.Status = fmt.Sprintf("left out: an epoch takes %s", harness.Seconds(epoch.Seconds()))
		return a
	}
	start := time.Now()
	for seed := range b.Plan.Seeds {
		if seed > 0 && time.Since(start) > accuracyLimit/2 {
			break
		}
		c.Seed = uint64(seed + 1)
		test, err := b.train(e, c, t)
		if err != nil {
			a.Status = harness.Status(err)
			break
		}
		a.Test = append(a.Test, test)
	}
	return a
}

// epochTime is about that of a step and an evaluation.
func (b *Bench) epochTime(e *entrant, c workflow.Config, t *workflow.Task) (time.Duration, error) {
	l := b.stepLane("", e, c, t, report.Real)
	if l.err != nil {
		return 0, l.err
	}
	const steps = 2
	_, err := l.Run(1) // compiles
	if err == nil {
		var d time.Duration
		if d, err = l.Run(steps); err == nil {
			return 3 * d / steps / 2, l.close()
		}
	}
	return 0, errors.Join(err, l.close())
}

// train trains from one seed and returns the test accuracy.
func (b *Bench) train(e *entrant, c workflow.Config, t *workflow.Task) (float64, error) {
	if e.peer != nil {
		slot, done, err := b.openTask(e, c, t)
		if err != nil {
			return 0, err
		}
		r, err := e.peer.Do("train", slot, map[string]any{"epochs": b.Plan.Epochs, "seed": c.Seed})
		return r.Test, errors.Join(err, done())
	}
	there := t.On(e.device)
	m, err := workflow.New(c, there, e.form)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", e.name, err)
	}
	defer m.Close()
	best, err := workflow.NewTrainer(m, there).Train(b.Plan.Epochs)
	return best.Test, err
}
