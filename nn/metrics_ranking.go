// How well scores put true things before false ones.

package nn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
)

// ROCAUC returns the area under the receiver operating characteristic: the chance that
// a true element has a larger score than a false one, ties counting half. Scores [N] and
// targets [N] of 0 and 1 give one area; [N C] the mean of the areas of the columns in
// which both occur, as OGB has it. It is NaN if there are none, or if a score of such
// a column is NaN, and exact up to the last division: it depends neither on the scale of
// the scores nor on the order of the rows. It panics with *[Error] for other targets.
func ROCAUC(scores, target *autograd.Var) float64 {
	return meanOfColumns("ROCAUC", scores, target, rocAUC)
}

// AveragePrecision returns the area under the steps of precision over recall,
//
//	Σ_t (R_t - R_{t-1}) P_t
//
// t going down the distinct scores, as scikit-learn's average_precision_score: elements of
// one score are found together. Scores [N] and targets [N] of 0 and 1 give one area;
// [N C] the mean of the columns that have a true element. It is NaN if there are none,
// or if a score of such a column is NaN. It panics with *[Error] for other targets.
func AveragePrecision(scores, target *autograd.Var) float64 {
	return meanOfColumns("AveragePrecision", scores, target, averagePrecision)
}

// scored is an element to rank.
type scored struct {
	score float64
	truth bool
}

// meanOfColumns is the mean of f over the columns for which it is defined. f is given
// the elements of a column, the largest scores first, and how many are true.
func meanOfColumns(op string, scores, target *autograd.Var, f func(column []scored, pos int) (value float64, ok bool)) float64 {
	x, truth, cols := columnsOf(op, scores, target)
	column := make([]scored, len(x)/max(cols, 1))
	sum, n := 0.0, 0
	for c := range cols {
		hasNaN, pos := false, 0
		for i := range column {
			column[i] = scored{x[i*cols+c], truth[i*cols+c]}
			hasNaN = hasNaN || math.IsNaN(column[i].score)
			if column[i].truth {
				pos++
			}
		}
		slices.SortFunc(column, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		if value, ok := f(column, pos); ok {
			if hasNaN {
				return math.NaN()
			}
			sum += value
			n++
		}
	}
	return sum / float64(n) // NaN of none
}

// eachTie calls f with the numbers of true and false elements of each distinct score.
func eachTie(column []scored, f func(pos, neg int)) {
	for from := 0; from < len(column); {
		pos, to := 0, from
		for ; to < len(column) && column[to].score == column[from].score; to++ {
			if column[to].truth {
				pos++
			}
		}
		if to == from { // NaN, equal to nothing
			return
		}
		f(pos, to-from-pos)
		from = to
	}
}

func rocAUC(column []scored, pos int) (area float64, ok bool) {
	neg := len(column) - pos
	// Half pairs, so that ties are whole numbers.
	var halves, before uint64
	eachTie(column, func(pos, neg int) {
		halves += uint64(neg) * (2*before + uint64(pos))
		before += uint64(pos)
	})
	return float64(halves) / 2 / float64(pos) / float64(neg), pos > 0 && neg > 0
}

func averagePrecision(column []scored, pos int) (area float64, ok bool) {
	found, seen, sum := 0, 0, 0.0
	eachTie(column, func(pos, neg int) {
		found, seen = found+pos, seen+pos+neg
		sum += float64(pos) * float64(found) / float64(seen)
	})
	return sum / float64(pos), pos > 0
}

// columnsOf returns scores [N] or [N C] and their targets, row by row, and C. It panics
// unless they are dense, of one shape, and all targets 0 or 1.
func columnsOf(op string, scores, target *autograd.Var) (x []float64, truth []bool, cols int) {
	wantVars(op, scores, target)
	switch s := scores.Shape(); {
	case scores.Sparse() != nil || target.Sparse() != nil:
		misuse(op, "takes dense operands only")
	case !s.Equal(target.Shape()):
		misuse(op, fmt.Sprintf("shapes differ: %v and %v", s, target.Shape()))
	case len(s) == 1:
		cols = 1
	case len(s) == 2:
		cols = s[1]
	default:
		misuse(op, fmt.Sprintf("takes vectors or matrices, got %v", s))
	}
	x, targets := scores.Tensor().Float64s(), target.Tensor().Float64s()
	truth = make([]bool, len(targets))
	for i, t := range targets {
		if t != 0 && t != 1 {
			misuse(op, fmt.Sprintf("target %d is %v; want 0 or 1", i, t))
		}
		truth[i] = t == 1
	}
	return x, truth, cols
}
