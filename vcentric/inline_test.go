package vcentric_test

// Rows scaled where edges read them are rows scaled beforehand.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestScalingAtTheEdgesChangesNoResult(t *testing.T) {
	programs := []struct {
		name string
		f    func(v vc.Vertex) vc.Value
	}{
		{"in-edges", func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return vc.Sum(u.Feature("x").Mul(u.Feature("c"))).Mul(v.Feature("c"))
		}},
		{"out-edges", func(v vc.Vertex) vc.Value {
			u := v.OutNeighbors()
			return vc.Sum(u.Feature("c").Mul(u.Feature("x")))
		}},
		{"a product's rows", func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return vc.Sum(u.Feature("x").MatMul(vc.Param("W")).Mul(u.Feature("c")))
		}},
	}
	for _, p := range programs {
		for _, ins := range [][]input{
			{vertex("x", 16), vertex("c", 1), param("W", 16, 24)},
			{vertex("x", 32), vertex("c", 1), param("W", 32, 33)},
			{vertex("x", 70), vertex("c", 1), param("W", 70, 40)},
			{vertex("x", 3, 64), vertex("c", 3, 1), param("W", 64, 64)},
		} {
			if p.name != "a product's rows" {
				ins = ins[:2]
			}
			for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
				for _, g := range graphs(t, false) {
					t.Run(fmt.Sprint(p.name, ins[0].row, dt, g.name), func(t *testing.T) {
						program, xs := vc.Compile(p.name, p.f), variables(g.Graph, dt, ins)
						if fired := program.Compiled(g.Graph, bindAll(ins, xs)...).Fired["scale-at-edges"]; fired == 0 {
							t.Fatal("the rule did not fire")
						}
						got, want := runBoth(program, g.Graph, ins, xs), runBoth(program.Without("scale-at-edges"), g.Graph, ins, xs)
						tol := 1e-12
						if dt == tensor.Float32 {
							tol = 1e-5
						}
						near(t, "the result", got.out, want.out, tol)
						for i := range want.grads {
							near(t, "the gradient of "+ins[i].name, got.grads[i], want.grads[i], tol)
						}
					})
				}
			}
		}
	}
}
