// The targets of classification losses.

package autograd

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// classTargets is the distribution over the classes that each row looked at
// should have: one-hot, unless it is smoothed or weighted.
type classTargets struct {
	labels    []int32 // of the rows looked at
	classes   int
	weights   []float64 // of the classes; nil: all 1
	smoothing float64
	total     float64 // what the sum of the losses is divided by; NaN instead of 0

	column *tensor.Tensor // labelsOn
}

// newClassTargets checks the operands of a loss.
func newClassTargets(op string, x *tensor.Tensor, labels, rows []int32, opts []CrossEntropyOption) *classTargets {
	if x.Rank() != 2 {
		misuse(op, "takes a matrix", x.Shape())
	}
	t := &classTargets{classes: x.Shape()[1]}
	for i, o := range opts {
		wantOption(op, i, o != nil)
		o(t)
	}
	if t.weights != nil && len(t.weights) != t.classes {
		misuse(op, fmt.Sprintf("%d class weights for %d classes", len(t.weights), t.classes), x.Shape())
	}
	if !(t.smoothing >= 0 && t.smoothing <= 1) {
		misuse(op, fmt.Sprintf("label smoothing %v is outside [0, 1]", t.smoothing), x.Shape())
	}
	t.labels = selectLabels(op, x, labels, rows)
	t.total = float64(len(t.labels))
	if t.weights != nil {
		t.total = 0
		for _, l := range t.labels {
			t.total += t.weights[l]
		}
	}
	if t.total == 0 { // there is no mean, also where smoothing adds losses of other classes
		t.total = math.NaN()
	}
	return t
}

// selectLabels returns the label of every row in rows.
func selectLabels(op string, x *tensor.Tensor, labels, rows []int32) []int32 {
	n, classes := x.Shape()[0], x.Shape()[1]
	if len(labels) != n {
		misuse(op, fmt.Sprintf("%d labels for %d rows", len(labels), n), x.Shape())
	}
	check := func(r int) {
		if l := labels[r]; l < 0 || int(l) >= classes {
			misuse(op, fmt.Sprintf("label %d of row %d is outside [0, %d)", l, r, classes), x.Shape())
		}
	}
	if rows == nil {
		for r := range labels {
			check(r)
		}
		return labels
	}
	picked := make([]int32, len(rows))
	for i, r := range rows {
		if r < 0 || int(r) >= n {
			misuse(op, fmt.Sprintf("row %d is outside [0, %d)", r, n), x.Shape())
		}
		check(int(r))
		picked[i] = labels[r]
	}
	return picked
}

// undefined reports whether there is no mean.
func (t *classTargets) undefined() bool { return math.IsNaN(t.total) }

// plain reports whether the targets are one-hot.
func (t *classTargets) plain() bool { return t.weights == nil && t.smoothing == 0 }

func (t *classTargets) weight(class int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[class]
}

// loss returns -1/total Σ_i Σ_c q[i, c] x[i, c] for log-probabilities x, added up
// in float64 on the CPU.
func (t *classTargets) loss(x *tensor.Tensor) *tensor.Tensor {
	if x.Device() != nil {
		return t.lossOnDevice(x)
	}
	sum := 0.0
	if x = x.Contiguous(); x.DType() == tensor.Float32 {
		sum = weighedSum(t, tensor.Data[float32](x))
	} else {
		sum = weighedSum(t, tensor.Data[float64](x))
	}
	return tensor.Full(x.DType(), -sum/t.total)
}

func weighedSum[T tensor.Float](t *classTargets, x []T) float64 {
	sum := 0.0
	for i, l := range t.labels {
		sum += (1 - t.smoothing) * t.weight(int(l)) * float64(x[i*t.classes+int(l)])
	}
	if t.smoothing == 0 {
		return sum
	}
	for i := range t.labels {
		for c, v := range x[i*t.classes : (i+1)*t.classes] {
			sum += t.smoothing / float64(t.classes) * t.weight(c) * float64(v)
		}
	}
	return sum
}

// lossOnDevice is loss for what is on a device: nothing waits for it.
func (t *classTargets) lossOnDevice(x *tensor.Tensor) *tensor.Tensor {
	own := x
	if t.smoothing == 0 { // x is not looked at elsewhere: -Inf times 0 would be NaN
		own = tensor.Gather(x, 1, t.labelsOn(x.Device()))
		defer own.Free()
	}
	if !t.plain() {
		q := t.factors(x.DType(), x.Device())
		defer q.Free()
		own = tensor.Mul(own, q)
		defer own.Free()
	}
	sum := tensor.Sum(own, false)
	defer sum.Free()
	return tensor.Scale(sum, -1/t.total)
}

// factors returns what the log-probabilities that are looked at are weighed by: of each row's own
// class, as a column, or with smoothing of all.
func (t *classTargets) factors(dt tensor.DType, d *tensor.Device) *tensor.Tensor {
	if t.smoothing > 0 {
		return t.matrix(dt, d)
	}
	w := make([]float64, len(t.labels))
	for i, l := range t.labels {
		w[i] = t.weight(int(l))
	}
	return tensor.FromSlice(w, len(w), 1).To(dt).ToDevice(d)
}

// labelsOn returns the labels as a column on a device. They are copied once.
func (t *classTargets) labelsOn(d *tensor.Device) *tensor.Tensor {
	if t.column == nil {
		t.column = tensor.Indices(d, t.labels, t.classes).Unsqueeze(1)
	}
	return t.column
}

// matrix returns the distributions, a row each.
func (t *classTargets) matrix(dt tensor.DType, d *tensor.Device) *tensor.Tensor {
	if d != nil && t.plain() {
		return tensor.OneHot(t.labelsOn(d).Squeeze(1), t.classes, dt)
	}
	q := tensor.Zeros(dt, len(t.labels), t.classes)
	if dt == tensor.Float32 {
		setTargets(t, tensor.Data[float32](q))
	} else {
		setTargets(t, tensor.Data[float64](q))
	}
	return q.ToDevice(d)
}

func setTargets[T tensor.Float](t *classTargets, q []T) {
	for i, l := range t.labels {
		row := q[i*t.classes : (i+1)*t.classes]
		if t.smoothing > 0 {
			for c := range row {
				row[c] = T(t.smoothing / float64(t.classes) * t.weight(c))
			}
		}
		row[l] += T((1 - t.smoothing) * t.weight(int(l)))
	}
}
