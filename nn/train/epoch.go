// The steps of one epoch.

package train

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/asterias-ml/asterias/autograd"
)

// Epoch is what Train and Evaluate get: one epoch of a run.
type Epoch struct {
	Number int    // counted from 1
	Seed   uint64 // a function of Config.Seed and Number, for the order of batches and the like

	ctx         context.Context
	run         *runner
	training    bool
	looped      bool  // Steps or Batches was called
	interrupted bool  // and stopped between two steps, where the run was saved
	unsaved     error // or not
	late        error // of the batches, when the context had ended
	err         error // what stopped it else
}

// Context returns the run's context, for loaders. A function that makes one step
// an epoch need not look at it.
func (e *Epoch) Context() context.Context { return e.ctx }

// Step trains on a loss, a scalar:
//
//	optimizer.ZeroGrad()
//	nn.ZeroGrad(model) // also what the optimizer leaves alone
//	loss.Backward()
//	// Config.AfterBackward
//	optimizer.Step()
//	// Config.Average
//	// schedules of EachStep
//
// With Config.Accumulate it is one of several calls that lead to a step: the first
// of them forgets the gradients, all add to them, and the last divides them by the
// number of calls and makes the step.
//
// It returns *[Diverged], and has no effect, if the loss is NaN or infinite. It
// panics with *[Error] outside of Train and for a loss that is no scalar.
func (e *Epoch) Step(loss *autograd.Var) error {
	wantThere("Step", "the epoch", e != nil)
	if !e.training {
		misuse("Step", "there are no steps outside of the function Train")
	}
	wantThere("Step", "the loss", loss != nil)
	t := loss.Tensor()
	if t == nil || t.Size() != 1 {
		misuse("Step", "the loss is %v; want one number, such as its mean", loss)
	}
	x := t.Item()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		e.fail(&Diverged{Epoch: e.Number, Loss: x})
		return e.err
	}
	p := e.run.progress
	p.window.add(loss)
	if p.window.batches >= e.run.Accumulate {
		e.update()
	}
	p.lossSum += x
	p.lossSteps++
	return nil
}

// update makes a step of the optimiser with the mean of the window's gradients.
func (e *Epoch) update() {
	c := &e.run.Config
	e.run.progress.window.close()
	if c.AfterBackward != nil {
		c.AfterBackward()
	}
	c.Optimizer.Step()
	c.averageStep()
	for _, s := range c.Schedules {
		if s.afterStep != nil {
			s.afterStep()
		}
	}
}

// Steps counts the steps 0, 1, ..., n-1 of an epoch:
//
//	for i := range e.Steps(len(batches)) {
//		if err := e.Step(loss(batches[i])); err != nil {
//			return err
//		}
//	}
//
// It ends early when the run is interrupted; the run is then saved with the steps
// made, and the resumed one begins with the next. For it to go on with the same
// bits, what is step i must follow from e.Number, e.Seed and i. An epoch has one
// loop of Steps or [Batches]; a second panics with *[Error], as does n below 0.
func (e *Epoch) Steps(n int) iter.Seq[int] {
	if n < 0 {
		misuse("Steps", "the number of steps is %d", n)
	}
	return func(yield func(int) bool) {
		skip := e.begin("Steps")
		if skip > n {
			e.fail(fmt.Errorf("there are %d steps, but %d were made before the run was resumed", n, skip))
		}
		for i := skip; i < n && e.proceeds() && yield(i); i++ {
			e.made(n)
		}
	}
}

// Batches is [Epoch.Steps] over batches from a loader, whose errors end the run:
//
//	for b := range train.Batches(e, loader.Epoch(e.Context(), e.Number)) {
//		if err := e.Step(loss(b)); err != nil {
//			return err
//		}
//	}
//
// A resumed run skips the batches that it had; the sequence must follow from
// e.Number and e.Seed.
func Batches[B any](e *Epoch, batches iter.Seq2[B, error]) iter.Seq[B] {
	wantThere("Batches", "the epoch", e != nil)
	wantThere("Batches", "the sequence of batches", batches != nil)
	return func(yield func(B) bool) {
		skip := e.begin("Batches")
		i := 0
		for b, err := range batches {
			if err != nil {
				if e.late = err; e.ctx.Err() == nil {
					e.fail(err)
				}
				break
			}
			if i++; i <= skip {
				continue
			}
			if !e.proceeds() || !yield(b) {
				return
			}
			e.made(0)
		}
		switch {
		case e.err != nil:
		case e.ctx.Err() != nil: // the loader may have stopped before its end
			e.interrupt()
		case i < skip:
			e.fail(fmt.Errorf("there are %d batches, but %d were taken before the run was resumed", i, skip))
		}
	}
}

// begin starts the loop over steps and returns how many of them were made before
// the run was resumed.
func (e *Epoch) begin(op string) (skip int) {
	if !e.training || e.looped {
		misuse(op, "there is one loop over steps, in the function Train")
	}
	e.looped = true
	return e.run.progress.step
}

// proceeds tells whether the loop goes on with another step.
func (e *Epoch) proceeds() bool {
	if e.err == nil && e.ctx.Err() != nil {
		e.interrupt()
	}
	return e.err == nil && !e.interrupted
}

// interrupt saves the run before what follows the loop draws from its random streams: the
// resumed run comes there again.
func (e *Epoch) interrupt() {
	if !e.interrupted {
		e.interrupted, e.unsaved = true, e.run.saveIfNew()
	}
}

// made counts a step of n; 0 if it is not known how many there are.
func (e *Epoch) made(n int) {
	if e.err != nil {
		return
	}
	p := e.run.progress
	p.step++
	e.run.display.step(e.Number, p.step, n, p.loss())
	if e.run.SaveEvery < 0 { // after epochs only
		return
	}
	if err := e.run.saveIfDue(); err != nil {
		e.fail(err)
	}
}

// fail ends the run with the first of the errors.
func (e *Epoch) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}
