// Benchmarks of the tape: what recording an operation and walking back costs.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func BenchmarkTape(b *testing.B) {
	x := Variable(tensor.Full(tensor.Float32, 1, 4))
	y := Constant(tensor.Full(tensor.Float32, 2, 4))
	m := Variable(tensor.Full(tensor.Float32, 0.5, 4, 4))
	for name, op := range map[string]func() *Var{
		"Add":    func() *Var { return x.Add(y) },
		"Mul":    func() *Var { return x.Mul(y) },
		"ReLU":   func() *Var { return x.ReLU() },
		"Scale":  func() *Var { return x.Scale(2) },
		"MatMul": func() *Var { return m.MatMul(m) },
		"AddRow": func() *Var { return m.Add(x) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op()
			}
		})
	}
}

// BenchmarkChain is the time of an operation of a long chain, forward and
// backward.
func BenchmarkChain(b *testing.B) {
	const length = 1000
	x := Variable(tensor.Full(tensor.Float32, 1, 4))
	c := Constant(tensor.Full(tensor.Float32, 1, 4))
	b.ReportAllocs()
	for b.Loop() {
		y := x
		for range length {
			y = y.Mul(c)
		}
		y.BackwardWith(c.Tensor())
		x.ZeroGrad()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/length, "ns/link")
}
