// The loop over epochs.

package train

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// Result is what a run has come to.
type Result struct {
	History *History
	Best    int  // epoch with the best monitored metric, counted from 1; 0: none
	Stopped bool // before all epochs were made, for want of patience
}

// runner is a run under way.
type runner struct {
	Config
	ctx      context.Context
	training *nn.Training
	progress *progress
	display  display
	events   *eventFile // nil without a folder
	now      func() time.Time

	savedAt    time.Time
	savedBest  int // epoch of the best weights in the folder
	savedEpoch int
	savedStep  int
}

// Run trains for Config.Epochs epochs, or fewer if no better one comes for
// Config.Patience evaluations. The model then has the best weights, if a metric is
// monitored, or else the Average if there is one, and is in evaluation mode.
//
// When ctx ends, the run finishes its step, saves, and returns *[Interrupted]
// with the result so far; see [Interruptible]. A function Train with a loop of its
// own goes on to the end of the epoch. Loss of a finite value is needed: see
// [Diverged]. A monitored metric that was NaN in every evaluation is an error, too:
// there is no best epoch, as where the part that it is of is empty. Other errors are
// those of Train, of Evaluate and of files. Misuse panics with *[Error].
//
// The parameters of a run that is resumed are those of the uninterrupted one bit
// for bit, given the same config. More Epochs prolong a run that has ended.
func Run(ctx context.Context, c Config) (*Result, error) {
	return run(ctx, c, time.Now)
}

func run(ctx context.Context, c Config, now func() time.Time) (result *Result, err error) {
	wantThere("Run", "the context", ctx != nil)
	r := &runner{Config: c.checked(), ctx: ctx, now: now}
	r.progress = &progress{model: c.Model, monitored: c.Monitor, maximize: c.Maximize, window: window{model: c.Model, optimizer: c.Optimizer}, history: newHistory()}
	r.training = &nn.Training{Model: c.Model, Parts: r.parts()}
	resumed, err := r.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := r.events.close(); err == nil {
			err = e
		}
	}()
	r.display = newDisplay(r.Output, r.Epochs, r.PrintEvery, r.progress.history.epochs, now)
	if resumed {
		r.display.resumed(r.progress.history.epochs, r.progress.step)
	}
	err = r.epochs()
	interrupted := new(Interrupted)
	switch {
	case err == nil:
		if err = r.saveIfNew(); err == nil {
			err = r.progress.neverBest()
		}
	case errors.As(err, &interrupted):
		result = r.result()
	}
	if err == nil {
		result = r.result()
		if r.Average != nil {
			r.Average.Assign()
		}
		r.progress.restore()
		nn.Eval(r.Model)
	}
	r.display.end(result, r.Monitor)
	return result, err
}

// parts are all that the future of the run depends on, by name.
func (r *runner) parts() map[string]nn.Stateful {
	parts := maps.Clone(r.Parts)
	if parts == nil {
		parts = map[string]nn.Stateful{}
	}
	parts[optimizerPart], parts[progressPart] = r.Optimizer, r.progress
	if r.Average != nil {
		parts[averagePart] = r.Average
	}
	for i, s := range r.Schedules {
		parts[fmt.Sprint(schedulePart, i)] = s.state
	}
	return parts
}

func (r *runner) result() *Result {
	p := r.progress
	return &Result{History: p.history, Best: p.best.epoch, Stopped: r.impatient() && p.history.epochs < r.Epochs}
}

// impatient tells whether there was no better evaluation for too long.
func (r *runner) impatient() bool { return r.Patience > 0 && r.progress.best.bad >= r.Patience }

// epochs makes the epochs that are left.
func (r *runner) epochs() error {
	for r.progress.history.epochs < r.Epochs && !r.impatient() {
		if r.ctx.Err() != nil {
			return r.interrupt()
		}
		if err := r.epoch(); err != nil {
			return err
		}
	}
	return nil
}

// epoch makes one epoch, or the rest of one.
func (r *runner) epoch() error {
	p := r.progress
	number := p.history.epochs + 1
	if !p.trained {
		if err := r.train(number); err != nil {
			return err
		}
		p.trained = true
	}
	m, err := r.evaluate(number)
	if err != nil {
		return err
	}
	for _, s := range r.Schedules {
		if s.afterEpoch != nil {
			s.afterEpoch(m)
		}
	}
	if r.AfterEpoch != nil {
		r.AfterEpoch(r.newEpoch(number), maps.Clone(m))
	}
	p.nextEpoch(m)
	if err := r.events.write(number, m, r.now()); err != nil {
		return err
	}
	r.display.epoch(number, m)
	return r.saveIfDue()
}

func (r *runner) newEpoch(number int) *Epoch {
	return &Epoch{Number: number, Seed: rng.Fold(r.Seed, uint64(number)), ctx: r.ctx, run: r}
}

// train makes the steps of an epoch.
func (r *runner) train(number int) error {
	nn.Train(r.Model)
	e := r.newEpoch(number)
	e.training = true
	defer func() { e.training = false }() // who keeps e makes no steps with it later
	err := r.Config.Train(e)
	switch {
	case e.err != nil:
		return inEpoch(number, e.err)
	case e.interrupted:
		return r.withOthers(r.interrupted(e.unsaved), number, err, e.late)
	case r.ctx.Err() != nil && (err != nil || r.progress.lossSteps == 0):
		return r.withOthers(r.interrupted(nil), number, err) // somewhere in the epoch: what is saved is older
	case err != nil:
		return inEpoch(number, err)
	case r.progress.step > 0 && !e.looped:
		return inEpoch(number, fmt.Errorf("%d steps were made by a loop of Steps or Batches before the run was resumed, but there is none", r.progress.step))
	case r.progress.lossSteps == 0:
		return fmt.Errorf("train: epoch %d made no step", number)
	}
	if r.progress.window.batches > 0 {
		e.update()
	}
	r.averageEpoch(number)
	return nil
}

// evaluate returns all metrics of an epoch.
func (r *runner) evaluate(number int) (Metrics, error) {
	p := r.progress
	m := Metrics{}
	due := r.Evaluate != nil && (number%r.EvaluateEvery == 0 || number == r.Epochs)
	back := r.averaged()
	defer back()
	if due {
		nn.Eval(r.Model)
		before := r.snapshot()
		measured, err := r.Evaluate(r.newEpoch(number))
		switch {
		case err != nil && r.ctx.Err() != nil:
			if e := before.restore(r.Parts); e != nil {
				return nil, r.withOthers(r.interrupted(e), number, err)
			}
			back() // what is saved is what is trained
			return nil, r.withOthers(r.interrupt(), number, err)
		case err != nil:
			return nil, inEpoch(number, err)
		}
		checkMetrics(measured)
		maps.Copy(m, measured)
	}
	for _, own := range []string{lossMetric, lrMetric} {
		if _, taken := m[own]; taken {
			misuse("Run", "the metric %q is the trainer's", own)
		}
	}
	if p.lossSteps > 0 {
		m[lossMetric] = p.loss()
	}
	if groups := r.Optimizer.Groups(); len(groups) > 0 {
		m[lrMetric] = groups[0].LR
	}
	if r.Monitor != "" && (due || r.Monitor == lossMetric) {
		x, ok := m[r.Monitor]
		if !ok {
			misuse("Run", "Monitor is %q, which was not measured in epoch %d; there are %q", r.Monitor, number, slices.Sorted(maps.Keys(m)))
		}
		p.monitor(number, x, r.MinDelta)
	}
	return m, nil
}

// inEpoch says where an error comes from; a *Diverged says so itself.
func inEpoch(number int, err error) error {
	if d := new(Diverged); errors.As(err, &d) {
		return err
	}
	return fmt.Errorf("train: epoch %d: %w", number, err)
}

// snapshot is what an evaluation may change: the state of the config's Parts, and of the model
// the random streams, with which a dropout may estimate uncertainty, and the buffers. One
// that is broken off is made anew, with the same draws.
type snapshot struct {
	parts map[string]map[string]*tensor.Tensor
	model func() // restores it; nil if nothing will be saved
}

func (r *runner) snapshot() snapshot {
	if r.Dir == "" {
		return snapshot{}
	}
	s := snapshot{parts: map[string]map[string]*tensor.Tensor{}, model: nn.Remember(r.Model)}
	for name, part := range r.Parts {
		s.parts[name] = map[string]*tensor.Tensor{}
		for key, x := range part.State() {
			s.parts[name][key] = x.Clone()
		}
	}
	return s
}

func (s snapshot) restore(parts map[string]nn.Stateful) error {
	if s.model != nil {
		s.model()
	}
	for name, state := range s.parts {
		if err := parts[name].LoadState(state); err != nil {
			return fmt.Errorf("train: Run: the part %q: %w", name, err)
		}
	}
	return nil
}

// interrupt saves the run, which is between two steps, and returns the error of an
// interrupted one.
func (r *runner) interrupt() error { return r.interrupted(r.saveIfNew()) }

// withOthers joins the error of an interrupted run with those of the user's in the epoch
// that do not come of the context's end.
func (r *runner) withOthers(interrupted error, number int, errs ...error) error {
	all := []error{interrupted}
	for _, err := range errs {
		if err != nil && !errors.Is(err, r.ctx.Err()) && !errors.Is(err, context.Cause(r.ctx)) {
			all = append(all, inEpoch(number, err))
		}
	}
	if len(all) == 1 {
		return interrupted
	}
	return errors.Join(all...)
}

// interrupted returns the error of a run that goes on from what was saved last, joined with
// that of saving it, if there is one.
func (r *runner) interrupted(unsaved error) error {
	e := &Interrupted{Epoch: r.progress.history.epochs, Step: r.progress.step, Cause: context.Cause(r.ctx), err: r.ctx.Err()}
	if r.Dir != "" {
		e.Epoch, e.Step, e.Path = r.savedEpoch, r.savedStep, r.path(lastFile)
	}
	if unsaved != nil {
		return errors.Join(e, unsaved)
	}
	return e
}
