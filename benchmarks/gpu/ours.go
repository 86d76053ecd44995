// A case as our work on a device.

package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A work is a case set up on a device.
type work struct {
	numbers []nn.Named // weights, and what else the peers need
	prepare func()     // before each step, not timed; may be nil
	step    func() error
	output  func() ([]float32, error) // called before the first step; nil of a captured one, which was compared before
	close   func() error              // may be nil
}

// contender times the work on the device.
func (w *work) contender(g *gpu) harness.Contender {
	return harness.Contender{Run: func(reps int) (total time.Duration, err error) {
		if w.prepare == nil {
			return g.time(func() (err error) {
				for range reps {
					err = errors.Join(err, w.step())
				}
				return err
			})
		}
		for range reps {
			if err := autograd.Try(w.prepare); err != nil {
				return 0, err
			}
			d, err := g.time(w.step)
			if err != nil {
				return 0, err
			}
			total += d
		}
		return total, nil
	}}
}

// values copies a result and frees it.
func values(y *autograd.Var) []float32 {
	out := slices.Clone(tensor.Data[float32](y.Tensor().ToDevice(tensor.CPU)))
	y.Tensor().Free()
	return out
}

// on sets the task up on a device, CPU included.
func (t *task) on(d *tensor.Device) *work {
	switch t.pass {
	case kernel:
		return t.kernelOn(d)
	case epoch:
		return t.epochOn(d)
	}
	return t.layerOn(d)
}

func (t *task) kernelOn(d *tensor.Device) *work {
	w := &work{}
	var bindings []vc.Binding
	for _, in := range t.program.inputs(t.g) {
		w.numbers = append(w.numbers, nn.Named{Name: in.name, Var: autograd.Constant(in.t)})
		bindings = append(bindings, in.bind(in.name, autograd.Constant(in.t.ToDevice(d))))
	}
	p := vc.Compile(t.name, t.program.f)
	w.step = func() error {
		p.Run(t.g, bindings...).Tensor().Free()
		return nil
	}
	w.output = func() ([]float32, error) { return values(p.Run(t.g, bindings...)), nil }
	return w
}

func (t *task) layerOn(d *tensor.Device) *work {
	build := func() layer {
		return t.family.layer(t.features.Shape()[1], t.family.hidden(t.problem), false, 0, nn.NewRNG(1))
	}
	l := build()
	w := &work{numbers: nn.State(build())} // which stay on the CPU
	nn.To(l, d)
	if t.pass == forward {
		x := autograd.NoGrad(autograd.Constant(t.features.ToDevice(d)))
		w.step = func() error {
			l.Forward(t.g, x).Tensor().Free()
			return nil
		}
		w.output = func() ([]float32, error) { return values(l.Forward(t.g, x)), nil }
		return w
	}
	cotangent := harness.Numbers(9, t.g.NumVertices(), t.family.hidden(t.problem))
	w.numbers = append(w.numbers, nn.Named{Name: "cotangent", Var: autograd.Constant(cotangent)})
	x, there := autograd.Variable(t.features.ToDevice(d)), cotangent.ToDevice(d)
	leaves := append(nn.Parameters(l), x)
	var y *autograd.Var
	w.prepare = func() {
		for _, v := range leaves {
			v.ZeroGrad()
		}
		y = l.Forward(t.g, x)
	}
	w.step = func() error {
		y.BackwardWith(there)
		return nil
	}
	w.output = func() ([]float32, error) {
		w.prepare()
		y.BackwardWith(there)
		return slices.Clone(tensor.Data[float32](x.Gradient().ToDevice(tensor.CPU))), nil
	}
	return w
}

// A trainer is a model in training.
type trainer struct {
	t      *task
	d      *tensor.Device
	m      *model
	x      *autograd.Var
	target *autograd.Var // labels, a row's share in the mean included
	opt    *optim.Adam
}

func (t *task) trainerOn(d *tensor.Device) *trainer {
	r := &trainer{t: t, d: d, m: t.family.model(t.problem)}
	nn.To(r.m, d)
	r.x = autograd.Constant(t.features.ToDevice(d))
	r.target = autograd.Constant(tensor.Scale(t.labels(), 1/float64(t.g.NumVertices())).ToDevice(d))
	r.opt = optim.NewAdam(optim.Params(nn.Parameters(r.m)), optim.AdamConfig{LR: rate})
	return r
}

// gradients computes those of the cross entropy of all vertices. Targets are a matrix
// on the device, for a captured step copies nothing.
func (r *trainer) gradients() {
	r.opt.ZeroGrad()
	autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
		loss := r.m.forward(r.t.g, xs[0]).LogSoftmax().Mul(r.target).Sum().Neg()
		loss.Backward()
		return loss
	}, r.x).Tensor().Free()
}

func (r *trainer) step() error {
	r.gradients()
	r.opt.Step()
	return nil
}

// logits are those of the model as it is.
func (r *trainer) logits() ([]float32, error) {
	nn.Eval(r.m)
	defer nn.Train(r.m)
	return values(r.m.forward(r.t.g, autograd.NoGrad(r.x))), nil
}

func (t *task) epochOn(d *tensor.Device) *work {
	r := t.trainerOn(d)
	w := &work{step: r.step, output: r.logits}
	w.numbers = append(nn.State(t.family.model(t.problem)), nn.Named{Name: "cotangent", Var: autograd.Constant(t.labels())})
	return w
}

// capturedOn is a captured training step, of which the replays train to what steps do.
func (t *task) capturedOn(d *tensor.Device) (*work, error) {
	if err := t.sameReplayed(d); err != nil {
		return nil, err
	}
	return t.trainerOn(d).captured()
}

// comparedSteps is how many train the models that are compared.
const comparedSteps = 3

// sameReplayed compares the logits after training by replays and by steps, from the same
// weights and without dropout: masks are others in a replay.
func (t *task) sameReplayed(d *tensor.Device) (err error) {
	stepped, replayed := t.trainerOn(d), t.trainerOn(d)
	nn.Eval(stepped.m)
	nn.Eval(replayed.m)
	w, err := replayed.captured()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for range comparedSteps {
		if err := errors.Join(stepped.step(), w.step()); err != nil {
			return err
		}
	}
	want, err := stepped.logits()
	if err != nil {
		return err
	}
	got, err := replayed.logits()
	if err != nil {
		return err
	}
	if err := t.agree(got, want); err != nil {
		return fmt.Errorf("replays train to something else: %w", err)
	}
	return nil
}

// captured is a training step whose gradients are one CUDA graph; the optimiser, which
// counts its steps, follows it.
func (r *trainer) captured() (*work, error) {
	r.gradients() // compiles
	r.opt.ZeroGrad()
	g, err := dense.Capture(r.d, r.gradients)
	if err != nil {
		return nil, err
	}
	return &work{
		close: g.Close,
		step: func() error {
			err := g.Replay()
			r.opt.Step()
			return err
		},
	}, nil
}
