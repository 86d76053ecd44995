// What recording an operation costs in allocations.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestRecordedSmallOperationsAllocateLittle(t *testing.T) {
	x := Variable(tensor.Full(tensor.Float32, 1, 4))
	y := Constant(tensor.Full(tensor.Float32, 2, 4))
	m := Variable(tensor.Full(tensor.Float32, 0.5, 4, 4))
	for name, op := range map[string]func(){
		"Add":       func() { x.Add(y) },
		"Mul":       func() { x.Mul(y) },
		"ReLU":      func() { x.ReLU() },
		"Scale":     func() { x.Scale(2) },
		"MatMul":    func() { m.MatMul(m) },
		"Reshape":   func() { m.Reshape(2, 8) },
		"Transpose": func() { m.Transpose() },
		"Slice":     func() { m.Slice(0, 1, 3) },
		"AddRow":    func() { m.Add(x) },
		"Exp":       func() { m.Exp() },
		"AddScalar": func() { m.AddScalar(1) },
	} {
		if n := numtest.Allocations(100, op); n > 4 {
			t.Errorf("%s: %v allocations, want at most 4", name, n)
		}
	}
}
