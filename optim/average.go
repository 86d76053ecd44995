// Averages of weights over the steps of a run.

package optim

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// AverageConfig are the settings of an [Average]. The zero value is the plain mean.
type AverageConfig struct {
	Decay float64 // share of the old average at an update, such as 0.999; 0: all updates count the same
}

// Average keeps averages of weights, with which a model often does better than with those of
// the last step, as torch.optim.swa_utils.AveragedModel does: with a Decay exponential ones
// (Polyak and Juditsky 1992), else the mean, for stochastic weight averaging (Izmailov et al.
// 2018). The first update copies the weights, update n > 1 moves the averages towards them:
//
//	average ← average + (1 - decay)·(weight - average)
//	average ← average + (weight - average) / n            without Decay
//
// It is updated after steps of the optimiser, and swapped in to evaluate or save the model:
//
//	average := optim.NewAverage(nn.Parameters(model), optim.AverageConfig{Decay: 0.999})
//	for range epochs {
//		opt.ZeroGrad()
//		loss(model).Backward()
//		opt.Step()
//		average.Update()
//	}
//	back := average.Swap()
//	... // the model has the averages
//	back()
//
// Package nn/train does so if its Config has one. Buffers, such as those of nn.NamedBuffers,
// are averaged if they are among the Vars, too; else the model keeps those of training. The
// estimates of a batch normalisation are then not of the averaged weights:
// nn.UpdateBatchNorm makes such.
//
// The averages are where the weights are, also after these have moved to a device. An update
// is one pass over their memory, with the same bits for any number of threads.
type Average struct {
	vars    []*autograd.Var
	decay   float64
	updates int
	values  []*tensor.Tensor // the averages, nil before the first update; while swapped in, what is trained
	swapped bool
}

// NewAverage returns averages of parameters and other dense leaves; of integers and booleans
// they are the values of the last update. It panics with *[Error] if Decay is out of range,
// there are no Vars, one is given twice, or one is no dense leaf.
func NewAverage(vars []*autograd.Var, c AverageConfig) *Average {
	const op = "NewAverage"
	checkFraction(op, "Decay", c.Decay)
	if len(vars) == 0 {
		misuse(op, noParameters)
	}
	seen := map[*autograd.Var]bool{}
	for i, v := range vars {
		switch {
		case v == nil || v.Tensor() == nil:
			misuse(op, "parameter %d is not a dense Var", i)
		case !v.IsLeaf():
			misuse(op, "parameter %d is a result of an operation: only leaves can be averaged", i)
		case seen[v]:
			misuse(op, "parameter %d appears twice", i)
		}
		seen[v] = true
	}
	return &Average{vars: append([]*autograd.Var(nil), vars...), decay: c.Decay}
}

// Vars returns what is averaged. The caller must not change the list.
func (a *Average) Vars() []*autograd.Var { return a.vars }

// Updates counts the updates so far.
func (a *Average) Updates() int { return a.updates }

// Update takes the weights of now into the averages. It panics with *[Error] while these are
// swapped in; and within a captured step the first time and without Decay, since a replay does
// what was recorded.
func (a *Average) Update() {
	const op = "Update"
	a.wantOut(op)
	weight := 1 - a.decay
	if a.decay == 0 {
		weight = 1 / float64(a.updates+1)
	}
	for _, v := range a.vars {
		if v.Device().Capturing() && (a.updates == 0 || a.decay == 0) {
			misuse(op, "a captured step repeats what it records: it needs a Decay, and an Update before")
		}
	}
	var values []*tensor.Tensor
	var far farStep
	for i, v := range a.vars {
		x := v.Tensor()
		if a.updates == 0 {
			values = append(values, x.Clone())
			continue
		}
		mean := beside(v, a.values[i])
		values = append(values, mean)
		switch {
		case !x.DType().IsFloat():
			mean.CopyFrom(x)
		case x.Device() != nil:
			far.put(mean, "sgd", []float64{-weight, -1}, mean, x.Contiguous()) // see approach
		case x.DType() == tensor.Float32:
			approach[float32](mean, x, weight)
		default:
			approach[float64](mean, x, weight)
		}
	}
	far.run()
	a.values = values
	a.updates++
}

// approach moves mean towards x by a share of the way: mean - lr·(x + decay·mean), a step of
// SGD, is mean + weight·(x - mean) for these numbers.
func approach[T tensor.Float](mean, x *tensor.Tensor, weight float64) {
	to, from := tensor.Data[T](mean), tensor.Data[T](x.Contiguous())
	args := kern.SGDArgs{LR: -weight, WeightDecay: -1}
	parallel(len(to), func(lo, hi int) { kern.For[T]().SGD(to[lo:hi], from[lo:hi], nil, args) })
}

// beside returns t where v is, and of its type.
func beside(v *autograd.Var, t *tensor.Tensor) *tensor.Tensor {
	return t.To(v.DType()).ToDevice(v.Device())
}

// Swap gives the Vars the averages in place of what is trained, until back is called, without
// a copy. Before the first Update there are no averages, and nothing changes. Swap between two
// steps: a backward pass that is still to come would find its values changed. To call back
// again does nothing. It panics with *[Error] if the averages are swapped in already.
func (a *Average) Swap() (back func()) {
	a.wantOut("Swap")
	if a.updates == 0 {
		return func() {}
	}
	a.exchange()
	a.swapped = true
	done := false
	return func() {
		if !done {
			done = true
			a.exchange()
			a.swapped = false
		}
	}
}

// exchange gives the Vars values, and keeps theirs.
func (a *Average) exchange() {
	for i, v := range a.vars {
		t := v.Tensor()
		v.SetTensor(beside(v, a.values[i]).Contiguous())
		a.values[i] = t
	}
}

// Assign gives the Vars the averages for good, by copying, such as at the end of a run.
// Before the first Update nothing changes. It panics with *[Error] while they are swapped in.
func (a *Average) Assign() {
	a.wantOut("Assign")
	if a.updates == 0 {
		return
	}
	for i, v := range a.vars {
		mean := beside(v, a.values[i])
		if to := v.Tensor(); to.Overlaps() {
			v.SetTensor(mean.Clone())
		} else {
			to.CopyFrom(mean)
			v.MarkChanged()
		}
	}
}

// Reset forgets the averages, as if no update had been made. It panics with *[Error] while
// they are swapped in.
func (a *Average) Reset() {
	a.wantOut("Reset")
	a.updates, a.values = 0, nil
}

// State returns the averages as named tensors: average.updates, an i64 scalar, and from the
// first update on average.params.0, ..., numbered as the Vars. The next update changes them.
// It panics with *[Error] while they are swapped in: a file of the run would have them as
// what is trained.
func (a *Average) State() map[string]*tensor.Tensor {
	a.wantOut("State")
	state := map[string]*tensor.Tensor{averageKind + ".updates": scalar(int64(a.updates))}
	for i, mean := range a.values {
		state[fmt.Sprintf("%s.params.%d", averageKind, i)] = mean
	}
	return state
}

// averageKind is the first part of the names of a State.
const averageKind = "average"

// LoadState takes over a State of as many Vars of the same shapes and types, by copying. The
// Decay is not part of it. The error names the tensors that do not fit; the averages are then
// as before. It panics with *[Error] while they are swapped in.
func (a *Average) LoadState(state map[string]*tensor.Tensor) error {
	a.wantOut("LoadState")
	l := newLoader(averageKind, state)
	updates := l.count("updates", 0)
	var values []*tensor.Tensor
	for i, v := range a.vars {
		if updates == 0 {
			break
		}
		if t := l.take(fmt.Sprintf("params.%d", i), v.DType(), v.Shape()); t != nil {
			values = append(values, copyTo(v.Device(), t))
		}
	}
	if err := l.err(); err != nil {
		return err
	}
	a.updates, a.values = updates, values
	return nil
}

// wantOut panics if the averages are swapped in.
func (a *Average) wantOut(op string) {
	if a.swapped {
		misuse(op, "the averages are swapped in: call what Swap returned first")
	}
}
