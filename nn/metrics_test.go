// F1, ROC-AUC and average precision against their definitions.

package nn_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// sampled are scores of few distinct values, so that many are equal, and 0 or 1.
func sampled(r *rand.Rand, n int) (scores, targets []float64) {
	for range n {
		scores = append(scores, float64(r.IntN(7))-3)
		targets = append(targets, float64(r.IntN(2)))
	}
	return scores, targets
}

func vectorOf(x []float64) *autograd.Var {
	return autograd.Constant(tensor.FromSlice(x, len(x)))
}

// matrixOf is the matrix of the given width.
func matrixOf(x []float64, cols int) *autograd.Var {
	return autograd.Constant(tensor.FromSlice(x, len(x)/cols, cols))
}

func TestROCAUCIsTheShareOfPairsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		scores, targets := sampled(r, 1+r.IntN(30))
		pairs, ordered := 0, 0.0
		for i, a := range targets {
			for j, b := range targets {
				if a == 1 && b == 0 {
					pairs++
					if scores[i] > scores[j] {
						ordered++
					} else if scores[i] == scores[j] {
						ordered += 0.5
					}
				}
			}
		}
		want := ordered / float64(pairs) // NaN of no pairs
		if got := nn.ROCAUC(vectorOf(scores), vectorOf(targets)); math.Abs(got-want) > 1e-15 || math.IsNaN(got) != math.IsNaN(want) {
			t.Fatalf("scores %v of %v: %v, want %v", scores, targets, got, want)
		}
	}
}

func TestAveragePrecisionIsTheMeanPrecisionAtTrueElements(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		scores, targets := sampled(r, 1+r.IntN(30))
		sum, positives := 0.0, 0.0
		for i, target := range targets {
			if target == 0 {
				continue
			}
			positives++
			found, seen := 0.0, 0.0 // with at least this score
			for j, s := range scores {
				if s >= scores[i] {
					seen++
					found += targets[j]
				}
			}
			sum += found / seen
		}
		want := sum / positives
		if got := nn.AveragePrecision(vectorOf(scores), vectorOf(targets)); math.Abs(got-want) > 1e-14 || math.IsNaN(got) != math.IsNaN(want) {
			t.Fatalf("scores %v of %v: %v, want %v", scores, targets, got, want)
		}
	}
}

// The examples of scikit-learn's documentation.
func TestRankingMetricsOfKnownExamples(t *testing.T) {
	scores, targets := vectorOf([]float64{0.1, 0.4, 0.35, 0.8}), vectorOf([]float64{0, 0, 1, 1})
	if got := nn.ROCAUC(scores, targets); got != 0.75 {
		t.Errorf("ROC-AUC is %v, want 0.75", got)
	}
	if got := nn.AveragePrecision(scores, targets); math.Abs(got-(1+2.0/3)/2) > 1e-15 {
		t.Errorf("average precision is %v, want 0.8333", got)
	}
}

func TestRankingMetricsOfColumnsAreMeansOfThoseThatHaveOne(t *testing.T) {
	scores := matrixOf([]float64{
		1, 5, 1,
		2, 5, 2,
		3, 5, 3,
	}, 3)
	targets := matrixOf([]float64{ // areas of 1; one half, all being equal; none, all being true
		0, 1, 1,
		0, 0, 1,
		1, 0, 1,
	}, 3)
	if got := nn.ROCAUC(scores, targets); got != 0.75 {
		t.Errorf("ROC-AUC is %v, want 0.75", got)
	}
	if got := nn.AveragePrecision(scores, targets); math.Abs(got-(1+1.0/3+1)/3) > 1e-15 {
		t.Errorf("average precision is %v, want 0.7778", got)
	}
}

func TestRankingMetricsAreNaNWhereTheyAreUndefined(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func(scores, target *autograd.Var) float64{"ROC-AUC": nn.ROCAUC, "average precision": nn.AveragePrecision} {
		for what, c := range map[string][2][]float64{
			"of nothing":         {{}, {}},
			"of false ones only": {{1, 2}, {0, 0}},
			"of a NaN":           {{1, nan, 2}, {1, 0, 0}},
			"of true NaN":        {{1, nan, 2}, {0, 1, 0}},
		} {
			if got := f(vectorOf(c[0]), vectorOf(c[1])); !math.IsNaN(got) {
				t.Errorf("%s %s is %v, want NaN", name, what, got)
			}
		}
		if got := f(vectorOf([]float64{math.Inf(1), math.Inf(-1), 0}), vectorOf([]float64{1, 0, 0})); got != 1 {
			t.Errorf("%s of infinite scores in order is %v, want 1", name, got)
		}
	}
}

func TestF1OfClasses(t *testing.T) {
	// scikit-learn's example: labels 0 1 2 0 1 2, predicted 0 2 1 0 0 1.
	logits := make([]float64, 6*4) // and a fourth class that never comes
	for row, guess := range []int{0, 2, 1, 0, 0, 1} {
		logits[row*4+guess] = 1
	}
	x, labels := matrixOf(logits, 4), []int32{0, 1, 2, 0, 1, 2}
	s := nn.F1(x, labels, nil)
	for name, c := range map[string][2]float64{
		"macro": {s.Macro(), 0.8 / 3}, "micro": {s.Micro(), 1.0 / 3}, "class 0": {s.Class(0), 0.8},
		"class 1": {s.Class(1), 0}, "class 3": {s.Class(3), 0}, "accuracy": {s.Micro(), nn.Accuracy(x, labels, nil)},
	} {
		if math.Abs(c[0]-c[1]) > 1e-15 {
			t.Errorf("%s is %v, want %v", name, c[0], c[1])
		}
	}
	if got := nn.F1(x, labels, []int32{0, 3}); got.Macro() != 1 || got.Micro() != 1 {
		t.Errorf("rows 0 and 3, which are right, have %v and %v", got.Macro(), got.Micro())
	}
	parts := nn.F1(x, labels, []int32{5, 0, 1})
	parts.Add(nn.F1(x, labels, []int32{2, 3, 4}))
	if parts.Macro() != s.Macro() || parts.Micro() != s.Micro() {
		t.Errorf("two parts have %v and %v, the whole %v and %v", parts.Macro(), parts.Micro(), s.Macro(), s.Micro())
	}
}

func TestF1OfNoRowsIsNaN(t *testing.T) {
	x := matrixOf([]float64{-1, -2, -3, -4}, 2)
	oneLabel, several := nn.F1(x, []int32{0, 1}, []int32{}), nn.MultiLabelF1(matrixOf(nil, 2), matrixOf(nil, 2))
	for name, s := range map[string]*nn.F1Score{"one label": oneLabel, "several labels": several} {
		if !math.IsNaN(s.Class(0)) || !math.IsNaN(s.Micro()) || !math.IsNaN(s.Macro()) {
			t.Errorf("%s a row: %v, %v and %v, want NaN", name, s.Class(0), s.Micro(), s.Macro())
		}
	}
	oneLabel.Add(nn.F1(x, []int32{1, 1}, nil))
	several.Add(nn.MultiLabelF1(x, matrixOf(make([]float64, 4), 2))) // rows without a label that are predicted to have none
	for name, s := range map[string]*nn.F1Score{"one label": oneLabel, "several labels": several} {
		if s.Class(0) != 0 || s.Micro() != 0 || s.Macro() != 0 {
			t.Errorf("%s a row, with rows added: %v, %v and %v, want 0", name, s.Class(0), s.Micro(), s.Macro())
		}
	}
}

func TestF1OfEqualLogitsAndNaN(t *testing.T) {
	nan := math.NaN()
	s := nn.F1(matrixOf([]float64{1, 1, nan, 5, 5, nan}, 2), []int32{0, 1, 0}, nil)
	if s.TruePos[0] != 1 || s.FalseNeg[0] != 1 || s.FalseNeg[1] != 1 || s.FalsePos[0]+s.FalsePos[1] != 0 {
		t.Errorf("counts are %+v: the first of equal ones is right, NaN predicts nothing", s)
	}
	m := nn.MultiLabelF1(vectorOf([]float64{nan, nan, 1}), vectorOf([]float64{0, 1, 1}))
	if m.TruePos[0] != 1 || m.FalsePos[0] != 1 || m.FalseNeg[0] != 1 {
		t.Errorf("counts are %+v: a NaN is wrong either way", m)
	}
}

func TestF1OfSeveralLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, cols = 40, 3
	logits, targets := sampled(r, rows*cols)
	for i := range rows {
		logits[i*cols+2], targets[i*cols+2] = -1, 0 // a class that never comes counts as 0
	}
	s := nn.MultiLabelF1(matrixOf(logits, cols), matrixOf(targets, cols))
	macro, all := 0.0, [3]float64{}
	for c := range cols {
		var tp, fp, fn float64
		for i := c; i < len(logits); i += cols {
			guess := logits[i] > 0
			switch {
			case guess && targets[i] == 1:
				tp++
			case guess:
				fp++
			case targets[i] == 1:
				fn++
			}
		}
		want := 0.0
		if tp > 0 {
			precision, recall := tp/(tp+fp), tp/(tp+fn)
			want = 2 * precision * recall / (precision + recall)
		}
		if got := s.Class(c); math.Abs(got-want) > 1e-14 {
			t.Errorf("class %d has %v, want %v", c, got, want)
		}
		macro += want / cols
		all[0], all[1], all[2] = all[0]+tp, all[1]+fp, all[2]+fn
	}
	micro := 2 * all[0] / (2*all[0] + all[1] + all[2])
	if math.Abs(s.Macro()-macro) > 1e-14 || math.Abs(s.Micro()-micro) > 1e-14 {
		t.Errorf("macro %v and micro %v, want %v and %v", s.Macro(), s.Micro(), macro, micro)
	}
	binary := nn.MultiLabelF1(vectorOf([]float64{2, 3, -1, -2}), vectorOf([]float64{1, 0, 1, 0}))
	if binary.Class(0) != 0.5 || binary.Macro() != 0.5 || binary.Micro() != 0.5 {
		t.Errorf("one of two, predicted twice: %v, %v and %v, want 0.5", binary.Class(0), binary.Macro(), binary.Micro())
	}
}

func TestMetricsRejectWhatDoesNotFit(t *testing.T) {
	two := matrixOf([]float64{1, 2, 3, 4}, 2)
	for want, f := range map[string]func(){
		"nn: F1: row 1: label 2 is outside [0, 2)":              func() { nn.F1(two, []int32{0, 2}, nil) },
		"nn: F1: row 0: label -1 is outside [0, 2)":             func() { nn.F1(two, []int32{-1, 0}, nil) },
		"nn: F1: logits of shape [2 2] and 1 labels do not fit": func() { nn.F1(two, []int32{0}, nil) },
		"nn: F1: row 2 is outside [0, 2)":                       func() { nn.F1(two, []int32{0, 1}, []int32{2}) },
		"nn: MultiLabelF1: target 3 is 4; want 0 or 1":          func() { nn.MultiLabelF1(two, matrixOf([]float64{0, 1, 0, 4}, 2)) },
		"nn: MultiLabelF1: shapes differ: [2 2] and [1]":        func() { nn.MultiLabelF1(two, vectorOf([]float64{1})) },
		"nn: ROCAUC: target 0 is NaN; want 0 or 1":              func() { nn.ROCAUC(vectorOf([]float64{1}), vectorOf([]float64{math.NaN()})) },
		"nn: ROCAUC: takes vectors or matrices, got [1 1 1]":    func() { x := vectorOf([]float64{1}).Reshape(1, 1, 1); nn.ROCAUC(x, x) },
		"nn: AveragePrecision: an operand is nil":               func() { nn.AveragePrecision(nil, two) },
		"nn: F1Score.Class: class 2 is outside [0, 2)":          func() { nn.F1(two, []int32{0, 1}, nil).Class(2) },
		"nn: F1Score.Add: counts of 2 and of 1 classes, several labels a row: false and true": func() {
			nn.F1(two, []int32{0, 1}, nil).Add(nn.MultiLabelF1(vectorOf([]float64{1}), vectorOf([]float64{1})))
		},
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
