// How good a prediction is.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Accuracy returns the fraction of the rows in rows (nil: all) whose largest
// logit, the first of equal ones, is at the label: logits [N C], labels [N]. A
// row with a NaN is wrong. Of no rows it is NaN, which is no best metric of a training. It
// panics with *[Error] for a label outside [0, C) of one of the rows, as [F1] and
// [CrossEntropy] do.
func Accuracy(logits *autograd.Var, labels, rows []int32) float64 {
	rows = wantRows("Accuracy", logits, labels, rows)
	s := logits.Shape()
	switch {
	case len(rows) == 0:
		return math.NaN()
	case s[1] == 0:
		return 0
	}
	for _, r := range rows {
		if l := labels[r]; l < 0 || int(l) >= s[1] {
			misuse("Accuracy", fmt.Sprintf("row %d: label %d is outside [0, %d)", r, l, s[1]))
		}
	}
	var correct func(r int) bool
	switch t := logits.Tensor().ToDevice(tensor.CPU).Contiguous(); t.DType() {
	case tensor.Float32:
		correct = correctRow(tensor.Data[float32](t), s[1], labels)
	default:
		correct = correctRow(tensor.Data[float64](t), s[1], labels)
	}
	hits := 0
	for _, r := range rows {
		if correct(int(r)) {
			hits++
		}
	}
	return float64(hits) / float64(len(rows))
}

// wantRows panics unless logits [N C], labels [N] and rows fit, and returns the rows,
// which nil stands for all of.
func wantRows(op string, logits *autograd.Var, labels, rows []int32) []int32 {
	wantVars(op, logits)
	s := logits.Shape()
	if logits.Sparse() != nil {
		misuse(op, "takes dense logits")
	}
	if len(s) != 2 || len(labels) != s[0] {
		misuse(op, fmt.Sprintf("logits of shape %v and %d labels do not fit", s, len(labels)))
	}
	if rows == nil {
		rows = make([]int32, s[0])
		for r := range rows {
			rows[r] = int32(r)
		}
		return rows
	}
	for _, r := range rows {
		if r < 0 || int(r) >= s[0] {
			misuse(op, fmt.Sprintf("row %d is outside [0, %d)", r, s[0]))
		}
	}
	return rows
}

// correctRow returns the test whether row r is largest at labels[r].
func correctRow[T tensor.Float](data []T, classes int, labels []int32) func(r int) bool {
	return func(r int) bool {
		row, l := data[r*classes:(r+1)*classes], int(labels[r])
		for k, x := range row {
			if !(x < row[l] || x == row[l] && k >= l) {
				return false
			}
		}
		return true
	}
}
