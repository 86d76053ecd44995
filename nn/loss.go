// Losses over a subset of the rows.

package nn

import "github.com/asterias-ml/asterias/autograd"

// CrossEntropy returns the mean over the vertices r in rows (nil: all) of
// -ln softmax(logits[r])[labels[r]], for logits [N C] and labels [N]; see
// autograd.CrossEntropy. [Rows] turns a mask into rows.
func CrossEntropy(logits *autograd.Var, labels, rows []int32) *autograd.Var {
	return autograd.CrossEntropy(logits, labels, rows)
}

// Rows returns the numbers of the rows that a mask selects, ascending, never
// nil: an empty mask selects nothing, not everything.
func Rows(mask []bool) []int32 {
	rows := []int32{}
	for r, on := range mask {
		if on {
			rows = append(rows, int32(r))
		}
	}
	return rows
}
