// What the tape has put off when a step writes to the parameters, or clipping to their gradients.

package optim

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestWhatWasPutOffIsOfTheParametersBeforeAStep(t *testing.T) {
	const n = 1 << 15
	writes := map[string]func(p *autograd.Var){
		"clipping by norm":  func(p *autograd.Var) { ClipGradNorm([]*autograd.Var{p}, 0.1) },
		"by a tensor":       func(p *autograd.Var) { ClipGradNormTensor([]*autograd.Var{p}, 0.1) },
		"clipping by value": func(p *autograd.Var) { ClipGradValue([]*autograd.Var{p}, 0.1) },
		"an average": func(p *autograd.Var) {
			a := NewAverage([]*autograd.Var{p}, AverageConfig{Decay: 0.5})
			a.Update()
			p.Tensor().Fill(3)
			a.Update()
			a.Assign()
		},
	}
	for name, o := range everyOptimizer() {
		writes[name] = func(p *autograd.Var) { o(Params([]*autograd.Var{p})).Step() }
	}
	for name, write := range writes {
		p := autograd.Parameter(tensor.Randn(tensor.Float32, 1, n))
		p.SetGradient(tensor.Randn(tensor.Float32, 2, n))
		value, gradient := p.Tensor().Clone(), p.Gradient().Clone()
		twice, half := autograd.NoGrad(p).Scale(2), autograd.Constant(p.Gradient()).Scale(0.5)
		write(p)
		if !numtest.SameBits(twice.Tensor().Float64s(), tensor.Scale(value, 2).Float64s()) {
			t.Errorf("%s: twice the parameter is of another value", name)
		}
		if !numtest.SameBits(half.Tensor().Float64s(), tensor.Scale(gradient, 0.5).Float64s()) {
			t.Errorf("%s: half the gradient is of another value", name)
		}
		if numtest.SameBits(p.Tensor().Float64s(), value.Float64s()) && numtest.SameBits(p.Gradient().Float64s(), gradient.Float64s()) {
			t.Errorf("%s: nothing was written", name)
		}
	}
}
