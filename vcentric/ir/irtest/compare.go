package irtest

// Comparing results.

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Diff says where two sets of tensors differ by more than tol, relative to the
// largest finite number of the tensor and at least to 1; it is empty if they
// agree. NaN equals NaN. Only the tensors of want are looked at.
func Diff(got, want map[string][]float64, tol float64) string {
	for name, w := range want {
		g, ok := got[name]
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%q has %d numbers, want %d", name, len(g), len(w))
		}
		for i := range differences(g, w, tol) {
			return fmt.Sprintf("%q[%d] = %v, want %v", name, i, g[i], w[i])
		}
	}
	return ""
}

// differences yields where two tensors differ by more than Diff lets pass.
func differences(got, want []float64, tol float64) iter.Seq[int] {
	scale := 1.0
	for _, x := range want {
		if a := math.Abs(x); a < math.Inf(1) {
			scale = max(scale, a)
		}
	}
	return func(yield func(int) bool) {
		for i, x := range want {
			same := got[i] == x || math.IsNaN(got[i]) && math.IsNaN(x)
			if !same && !(math.Abs(got[i]-x) <= tol*scale) && !yield(i) {
				return
			}
		}
	}
}

// Unsettled finds what rounding decides: the results of p that differ from want by
// more than tol, as in Diff, once the inputs change by some units in the last place.
// A difference of equal products is an example, where it is compared with 0 and one
// of the products is fused with the subtraction. Ids of edges among the inputs stay.
func Unsettled(p *ir.Program, s *ir.Structure, in, want map[string][]float64, seed uint64, tol float64) (map[string][]bool, error) {
	unsettled := make(map[string][]bool)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 8 {
		moved := make(map[string][]float64)
		for _, v := range p.Inputs() {
			x := append([]float64(nil), in[ir.InputKey(v)]...)
			for i := range x {
				if v.Type != ir.I32 {
					x[i] += x[i] * (r.Float64() - 0.5) * 0x1p-48
				}
			}
			moved[ir.InputKey(v)] = x
		}
		got, err := ir.Interpret(p, s, moved, seed)
		if err != nil {
			return nil, err
		}
		for name, w := range want {
			if unsettled[name] == nil {
				unsettled[name] = make([]bool, len(w))
			}
			for i := range differences(got[name], w, tol) {
				unsettled[name][i] = true
			}
		}
	}
	return unsettled, nil
}

// Finite tells whether all numbers are.
func Finite(ts map[string][]float64) bool {
	for _, t := range ts {
		for _, x := range t {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}
