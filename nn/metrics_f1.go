// F1 scores of one class or of many, for one label a row or several.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
)

// F1Score has, for each class, the counts that its F1 score is made of,
//
//	2 TP / (2 TP + FP + FN),
//
// the harmonic mean of precision and recall, and 0 for a class that neither occurs nor
// is predicted. Of no rows all scores are NaN. Scores of batches add up: [F1Score.Add].
type F1Score struct {
	TruePos, FalsePos, FalseNeg []int // of each class

	labels  bool // several labels a row
	trueNeg int  // of all classes, where there are several labels a row: they, too, are rows
}

// F1 counts the rows in rows (nil: all) for logits [N C] and labels [N], a row being
// predicted to be of the class of its largest logit, the first of equal ones. A row
// with a NaN is predicted to be of none. It panics with *[Error] for a label outside
// [0, C). With two classes, Class(1) is the F1 score of binary classification.
func F1(logits *autograd.Var, labels, rows []int32) *F1Score {
	const op = "F1"
	rows = wantRows(op, logits, labels, rows)
	classes := logits.Shape()[1]
	s := newF1Score(classes, false)
	x := logits.Tensor().Float64s()
	for _, r := range rows {
		truth := int(labels[r])
		if truth < 0 || truth >= classes {
			misuse(op, fmt.Sprintf("row %d: label %d is outside [0, %d)", r, truth, classes))
		}
		guess := largest(x[int(r)*classes:][:classes])
		if guess == truth {
			s.TruePos[truth]++
			continue
		}
		s.FalseNeg[truth]++
		if guess >= 0 {
			s.FalsePos[guess]++
		}
	}
	return s
}

// MultiLabelF1 counts all elements for logits [N C], of which those above 0 are
// predictions (a probability above one half), and targets of the same shape, 0 or 1, as
// [BCEWithLogits] takes them. A vector of logits [N] is one class: the F1 score of binary
// classification. A NaN is a wrong prediction. It panics with *[Error] for other targets.
func MultiLabelF1(logits, target *autograd.Var) *F1Score {
	const op = "MultiLabelF1"
	x, truth, classes := columnsOf(op, logits, target)
	s := newF1Score(classes, true)
	for i, x := range x {
		c := i % classes
		switch guess := x > 0; {
		case truth[i] && guess:
			s.TruePos[c]++
		case truth[i]:
			s.FalseNeg[c]++
		case guess || x != x:
			s.FalsePos[c]++
		default:
			s.trueNeg++
		}
	}
	return s
}

func newF1Score(classes int, labels bool) *F1Score {
	return &F1Score{TruePos: make([]int, classes), FalsePos: make([]int, classes), FalseNeg: make([]int, classes), labels: labels}
}

// Add adds the counts of t, of as many classes and the same function.
func (s *F1Score) Add(t *F1Score) {
	wantThere("F1Score.Add", "the score", s != nil)
	wantThere("F1Score.Add", "the score to add", t != nil)
	if len(s.TruePos) != len(t.TruePos) || s.labels != t.labels {
		misuse("F1Score.Add", fmt.Sprintf("counts of %d and of %d classes, several labels a row: %v and %v", len(s.TruePos), len(t.TruePos), s.labels, t.labels))
	}
	for c := range s.TruePos {
		s.TruePos[c] += t.TruePos[c]
		s.FalsePos[c] += t.FalsePos[c]
		s.FalseNeg[c] += t.FalseNeg[c]
	}
	s.trueNeg += t.trueNeg
}

// Class returns the score of one class.
func (s *F1Score) Class(c int) float64 {
	wantThere("F1Score.Class", "the score", s != nil)
	if c < 0 || c >= len(s.TruePos) {
		misuse("F1Score.Class", fmt.Sprintf("class %d is outside [0, %d)", c, len(s.TruePos)))
	}
	return s.ofRows(f1(s.TruePos[c], s.FalsePos[c], s.FalseNeg[c]))
}

// Micro returns the score of the counts of all classes together. With one label a row,
// and no NaN, it is the accuracy.
func (s *F1Score) Micro() float64 {
	wantThere("F1Score.Micro", "the score", s != nil)
	return s.ofRows(f1(s.sums()))
}

// Macro returns the mean of the classes' scores. With one label a row, classes that
// neither occur nor are predicted are left out; with several, they count as 0: both as
// scikit-learn's f1_score.
func (s *F1Score) Macro() float64 {
	wantThere("F1Score.Macro", "the score", s != nil)
	sum, n := 0.0, 0
	for c := range s.TruePos {
		if s.labels || s.TruePos[c]+s.FalsePos[c]+s.FalseNeg[c] > 0 {
			sum += s.Class(c)
			n++
		}
	}
	return s.ofRows(sum / float64(n))
}

// sums returns the counts of all classes together.
func (s *F1Score) sums() (tp, fp, fn int) {
	for c := range s.TruePos {
		tp, fp, fn = tp+s.TruePos[c], fp+s.FalsePos[c], fn+s.FalseNeg[c]
	}
	return tp, fp, fn
}

// ofRows returns a score, NaN if no row has been counted.
func (s *F1Score) ofRows(score float64) float64 {
	if tp, fp, fn := s.sums(); tp+fp+fn+s.trueNeg == 0 {
		return math.NaN()
	}
	return score
}

func f1(tp, fp, fn int) float64 {
	if tp == 0 {
		return 0
	}
	return 2 * float64(tp) / float64(2*tp+fp+fn)
}

// largest returns where the largest number is, the first of equal ones; -1 if one is
// NaN or there are none.
func largest(row []float64) int {
	best := -1
	for k, x := range row {
		switch {
		case x != x:
			return -1
		case best < 0 || x > row[best]:
			best = k
		}
	}
	return best
}
