// The gradients of several batches, for one step of the optimiser.

package train

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// window is what came after the optimiser's last step: the parameters have the
// sum of the gradients of so many batches. They are divided by their number at the
// end, when it is known: the last window of an epoch may be short. A checkpoint
// that falls into a window has the sums, since neither the batches nor the random
// numbers of their passes can be had again. The model's parameters that the optimiser
// does not have count, too: AfterBackward may clip by the norm of all.
type window struct {
	model     any
	optimizer optim.Optimizer
	batches   int
}

// params returns the parameters of all groups, then the model's others.
func (w *window) params() []*autograd.Var {
	var ps []*autograd.Var
	seen := map[*autograd.Var]bool{}
	for _, g := range w.optimizer.Groups() {
		ps = append(ps, g.Params...)
	}
	for _, p := range ps {
		seen[p] = true
	}
	others := slices.DeleteFunc(nn.Parameters(w.model), func(p *autograd.Var) bool { return seen[p] })
	return append(ps, others...)
}

// add is the backward pass of one batch.
func (w *window) add(loss *autograd.Var) {
	if w.batches == 0 {
		w.optimizer.ZeroGrad()
		nn.ZeroGrad(w.model)
	}
	loss.Backward()
	w.batches++
}

// close leaves the mean of the gradients.
func (w *window) close() {
	if n := w.batches; n > 1 {
		for _, p := range w.params() {
			p.Update(func(_, g *tensor.Tensor) {
				mean := tensor.Scale(g, 1/float64(n))
				g.CopyFrom(mean)
				mean.Free()
			})
		}
	}
	w.batches = 0
}

// The names of an open window's state.
const (
	windowKey       = "window"    // batches
	gradientsPrefix = "gradient." // and the number of the parameter, if it has one
)

// put adds an open window to a state.
func (w *window) put(state map[string]*tensor.Tensor) {
	if w.batches == 0 {
		return
	}
	state[windowKey] = ints(w.batches)
	for i, p := range w.params() {
		if g := p.Gradient(); g != nil {
			state[gradientsPrefix+strconv.Itoa(i)] = g.ToDevice(tensor.CPU)
		}
	}
}

// take returns the window of a state and its gradients by parameter, which give
// sets; it is closed if the state has none.
func (w *window) take(state map[string]*tensor.Tensor) (window, map[int]*tensor.Tensor, error) {
	taken := window{model: w.model, optimizer: w.optimizer}
	if state[windowKey] == nil {
		return taken, nil, nil
	}
	batches, err := intsOf(state, windowKey)
	if err != nil {
		return taken, nil, err
	}
	if len(batches) != 1 || batches[0] < 1 {
		return taken, nil, fmt.Errorf("the window %v makes no sense", batches)
	}
	taken.batches = batches[0]
	params, gradients := w.params(), map[int]*tensor.Tensor{}
	for name, g := range state {
		number, ok := strings.CutPrefix(name, gradientsPrefix)
		if !ok {
			continue
		}
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(params) || strconv.Itoa(i) != number {
			return taken, nil, fmt.Errorf("%s is of none of %d parameters", name, len(params))
		}
		if p := params[i]; g.DType() != p.DType() || !g.Shape().Equal(p.Shape()) {
			return taken, nil, fmt.Errorf("%s is %v %v, want %v %v", name, g.DType(), g.Shape(), p.DType(), p.Shape())
		}
		gradients[i] = g
	}
	return taken, gradients, nil
}

// give sets the gradients of an open window.
func (w *window) give(gradients map[int]*tensor.Tensor) {
	if w.batches == 0 {
		return // the next batch forgets what there is
	}
	for i, p := range w.params() {
		if g := gradients[i]; g != nil {
			p.SetGradient(g.ToDevice(p.Device()))
		} else {
			p.ZeroGrad()
		}
	}
}
