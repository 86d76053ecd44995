package vcentric_test

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Programs with more factors and products one after the other than rules take apart
// at once give what the interpreter gives.
func TestProgramsOfManyFactorsAndProducts(t *testing.T) {
	ins := []input{vertex("x", 2), param("w", 2, 2)}
	for name, f := range map[string]func(y vc.Value) vc.Value{
		"squares": func(y vc.Value) vc.Value {
			for range 6 {
				y = y.Mul(y)
			}
			return y
		},
		"numbers": func(y vc.Value) vc.Value {
			for range 66 {
				y = y.Scale(1.1)
			}
			return y
		},
		"matrices": func(y vc.Value) vc.Value {
			for range 66 {
				y = y.MatMul(vc.Param("w").Tanh())
			}
			return y
		},
		"softmaxes": func(y vc.Value) vc.Value {
			for range 66 {
				y = vc.Softmax(y).Mul(y)
			}
			return y
		},
	} {
		p := vc.Compile(name, func(v vc.Vertex) vc.Value {
			return vc.Sum(f(v.InNeighbors().Feature("x").Mul(v.Feature("x")).Tanh()))
		})
		g := messy(t)
		xs := variables(g, tensor.Float64, ins)
		bindings := bindAll(ins, xs)
		want := interpret(t, p.Compiled(g, bindings...).Traced, g, ins, xs)["out"]
		near(t, name, p.Run(g, bindings...).Tensor().Float64s(), want, 1e-9)
	}
}
