// Where a run is, as a part of its checkpoint.

package train

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// progress is an [nn.Stateful]: the position in the run, its history, and the
// best weights.
type progress struct {
	model     any
	monitored string // Config.Monitor
	maximize  bool
	step      int  // of the present epoch, made in a loop of Steps or Batches
	trained   bool // the present epoch's training is over, its evaluation is not
	lossSum   float64
	lossSteps int // in lossSum
	window    window

	history *History
	best    best
}

// best is the epoch with the best monitored metric.
type best struct {
	epoch   int // 0: none so far
	value   float64
	bad     int // evaluations since then
	weights map[string]*tensor.Tensor
}

// loss returns the mean over the steps of the epoch so far.
func (p *progress) loss() float64 { return p.lossSum / float64(p.lossSteps) }

// nextEpoch ends an epoch.
func (p *progress) nextEpoch(m Metrics) {
	p.history.add(m)
	p.step, p.trained, p.lossSum, p.lossSteps = 0, false, 0, 0
}

// monitor takes the monitored metric of an evaluation. NaN is never better.
func (p *progress) monitor(epoch int, x, minDelta float64) {
	gain := p.best.value - x
	if p.maximize {
		gain = -gain
	}
	if math.IsNaN(x) || p.best.epoch != 0 && !(gain > minDelta) {
		p.best.bad++
		return
	}
	p.best = best{epoch: epoch, value: x, weights: map[string]*tensor.Tensor{}}
	for _, s := range nn.State(p.model) {
		p.best.weights[s.Name] = s.Var.Tensor().Clone()
	}
}

// neverBest is an error if the monitored metric was NaN in every evaluation of the run.
func (p *progress) neverBest() error {
	if p.best.epoch == 0 && p.best.bad > 0 {
		return fmt.Errorf("train: Run: no epoch is the best: the monitored metric %q was NaN in all %d evaluations; the part that it is of may be empty", p.monitored, p.best.bad)
	}
	return nil
}

// restore gives the model its best weights, as nn.Load does.
func (p *progress) restore() {
	for _, s := range nn.State(p.model) {
		w := p.best.weights[s.Name]
		switch to := s.Var.Tensor(); {
		case w == nil:
		case to.Overlaps():
			s.Var.SetTensor(w.ToDevice(to.Device()))
		default:
			to.CopyFrom(w)
		}
	}
}

// The names of the state.
const (
	positionKey   = "position" // step, trained, lossSteps, epochs, best epoch, bad
	sumsKey       = "sums"     // lossSum, best value
	weightsPrefix = "best."
	monitorPrefix = "monitor." // and the monitor's name: 1 to maximize it, 0 to minimize it
	seriesPrefix  = "history."
	epochsSuffix  = ".epochs"
	valuesSuffix  = ".values"
)

// State implements [nn.Stateful].
func (p *progress) State() map[string]*tensor.Tensor {
	state := map[string]*tensor.Tensor{
		positionKey: ints(p.step, bit(p.trained), p.lossSteps, p.history.epochs, p.best.epoch, p.best.bad),
		sumsKey:     tensor.FromSlice([]float64{p.lossSum, p.best.value}, 2),
	}
	p.window.put(state)
	for name, w := range p.best.weights {
		state[weightsPrefix+name] = w
	}
	if p.monitored != "" {
		state[monitorPrefix+p.monitored] = ints(bit(p.maximize))
	}
	for name, s := range p.history.series {
		state[seriesPrefix+name+epochsSuffix] = ints(s.epochs...)
		state[seriesPrefix+name+valuesSuffix] = tensor.FromSlice(slices.Clone(s.values), len(s.values))
	}
	return state
}

// LoadState implements [nn.Stateful]. The best epoch by one metric is no epoch to go
// back to by another: a state with another monitor is refused, and without a monitor
// the best epoch is forgotten. A state may lack the record of its monitor, as those of
// earlier versions do.
func (p *progress) LoadState(state map[string]*tensor.Tensor) error {
	position, err := intsOf(state, positionKey)
	if err != nil {
		return err
	}
	sums, err := floatsOf(state, sumsKey)
	if err != nil {
		return err
	}
	if len(position) != 6 || len(sums) != 2 || slices.Min(position) < 0 || position[1] > 1 || position[4] > position[3] {
		return fmt.Errorf("the position %v, %v makes no sense", position, sums)
	}
	n := progress{
		model: p.model, monitored: p.monitored, maximize: p.maximize, step: position[0], trained: position[1] == 1, lossSum: sums[0], lossSteps: position[2],
		history: newHistory(), best: best{epoch: position[4], value: sums[1], bad: position[5]},
	}
	n.history.epochs = position[3]
	if n.best.epoch > 0 {
		if n.best.weights, err = p.weightsOf(state); err != nil {
			return err
		}
	}
	var gradients map[int]*tensor.Tensor
	if n.window, gradients, err = p.window.take(state); err != nil {
		return err
	}
	left := 2 + len(n.best.weights) + len(gradients)
	if n.window.batches > 0 {
		left++
	}
	for _, key := range slices.Sorted(maps.Keys(state)) {
		name, ok := strings.CutPrefix(key, seriesPrefix)
		if monitor, is := strings.CutPrefix(key, monitorPrefix); is {
			if err := p.sameMonitor(state, monitor); err != nil {
				return err
			}
			left++
		}
		if name, isEpochs := strings.CutSuffix(name, epochsSuffix); ok && isEpochs {
			if n.history.series[name], err = seriesOf(state, seriesPrefix+name, n.history.epochs); err != nil {
				return err
			}
			left += 2
		}
	}
	if longest := n.history.longest(); longest != n.history.epochs {
		return fmt.Errorf("the series end with epoch %d, the history with %d", longest, n.history.epochs)
	}
	if left != len(state) {
		return fmt.Errorf("%d tensors, %d belong to nothing", len(state), len(state)-left)
	}
	if p.monitored == "" {
		n.best = best{}
	}
	*p = n
	p.window.give(gradients)
	return nil
}

// sameMonitor is an error if the monitor that a state records is not the run's.
func (p *progress) sameMonitor(state map[string]*tensor.Tensor, name string) error {
	record, err := intsOf(state, monitorPrefix+name)
	if err != nil {
		return err
	}
	if len(record) != 1 || record[0] != 0 && record[0] != 1 {
		return fmt.Errorf("the monitor %q with %v makes no sense", name, record)
	}
	if maximize := record[0] == 1; p.monitored != "" && (name != p.monitored || maximize != p.maximize) {
		return fmt.Errorf("the best epoch so far is that of the %s %q, which does not go on with the %s %q as Monitor", extreme(maximize), name, extreme(p.maximize), p.monitored)
	}
	return nil
}

func extreme(maximize bool) string {
	if maximize {
		return "largest"
	}
	return "smallest"
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// weightsOf returns copies of the best weights in a state.
func (p *progress) weightsOf(state map[string]*tensor.Tensor) (map[string]*tensor.Tensor, error) {
	weights := map[string]*tensor.Tensor{}
	for _, s := range nn.State(p.model) {
		w := state[weightsPrefix+s.Name]
		switch {
		case w == nil:
			return nil, fmt.Errorf("the best weights lack %s", s.Name)
		case w.DType() != s.Var.DType() || !w.Shape().Equal(s.Var.Shape()):
			return nil, fmt.Errorf("the best %s is %v %v, want %v %v", s.Name, w.DType(), w.Shape(), s.Var.DType(), s.Var.Shape())
		}
		weights[s.Name] = w.Clone()
	}
	return weights, nil
}

// seriesOf returns one metric of a state, for a history of so many epochs.
func seriesOf(state map[string]*tensor.Tensor, name string, epochs int) (*series, error) {
	es, err := intsOf(state, name+epochsSuffix)
	if err != nil {
		return nil, err
	}
	values, err := floatsOf(state, name+valuesSuffix)
	if err != nil {
		return nil, err
	}
	if len(es) != len(values) {
		return nil, fmt.Errorf("%s has %d epochs and %d values", name, len(es), len(values))
	}
	last := 0
	for _, e := range es {
		if e <= last || e > epochs {
			return nil, fmt.Errorf("%s has epoch %d after %d of %d", name, e, last, epochs)
		}
		last = e
	}
	return &series{es, values}, nil
}

func ints(xs ...int) *tensor.Tensor {
	out := make([]int64, len(xs))
	for i, x := range xs {
		out[i] = int64(x)
	}
	return tensor.FromSlice(out, len(out))
}

func intsOf(state map[string]*tensor.Tensor, name string) ([]int, error) {
	t := state[name]
	if t == nil || t.DType() != tensor.Int64 || t.Rank() != 1 {
		return nil, fmt.Errorf("%s is no list of I64", name)
	}
	out := make([]int, t.Size())
	for i, x := range tensor.Data[int64](t.Contiguous()) {
		out[i] = int(x)
	}
	return out, nil
}

func floatsOf(state map[string]*tensor.Tensor, name string) ([]float64, error) {
	t := state[name]
	if t == nil || t.DType() != tensor.Float64 || t.Rank() != 1 {
		return nil, fmt.Errorf("%s is no list of F64", name)
	}
	return t.Float64s(), nil
}
