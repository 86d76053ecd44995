package check

// What training reached.

import (
	"fmt"
	"math"
)

// A Sample is a number measured with several seeds.
type Sample struct {
	Mean float64 `json:"mean"`
	Std  float64 `json:"std"` // of the single values, with n-1; 0 for one
	N    int     `json:"n"`
}

// SampleOf summarises values, of which there is at least one.
func SampleOf(values []float64) Sample {
	s := Sample{N: len(values)}
	for _, x := range values {
		s.Mean += x / float64(s.N)
	}
	if s.N > 1 {
		squares := 0.0
		for _, x := range values {
			squares += (x - s.Mean) * (x - s.Mean)
		}
		s.Std = math.Sqrt(squares / float64(s.N-1))
	}
	return s
}

// accuracySlack is added to the spread, since few seeds can lie close together.
const accuracySlack = 0.01

// Accuracy compares accuracies in [0, 1], one of each seed, with those of a reference.
// They are equal within their spread if the means differ by no more than three standard
// errors of the difference and a hundredth:
//
//	|m - m_ref| <= 3 sqrt(s²/n + s_ref²/n_ref) + 0.01
//
// else, or if there are none, there is a finding.
func Accuracy(got []float64, reference Sample) []Finding {
	if len(got) == 0 {
		return []Finding{{WrongAccuracy, "training", 1, 1, "nothing was trained"}}
	}
	s := SampleOf(got)
	variance := s.Std*s.Std/float64(s.N) + reference.Std*reference.Std/float64(max(reference.N, 1))
	allowed := 3*math.Sqrt(variance) + accuracySlack
	if math.Abs(s.Mean-reference.Mean) <= allowed { // false for NaN
		return nil
	}
	return []Finding{{WrongAccuracy, "training", 1, 1, fmt.Sprintf(
		"%.4f ± %.4f over %d seeds, the reference %.4f ± %.4f over %d: farther apart than %.4f",
		s.Mean, s.Std, s.N, reference.Mean, reference.Std, reference.N, allowed)}}
}
