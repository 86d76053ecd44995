// Gradients of many slices of one operand.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// A recurrence reads a slice for each of its steps: the gradients of all are one tensor of
// the whole's size, to which each adds where it is.
func TestGradientsOfManySlicesShareOneTensor(t *testing.T) {
	const steps, n = 100, 2048
	for name, operand := range map[string]func(x *Var) *Var{
		"a leaf":   func(x *Var) *Var { return x },
		"a result": func(x *Var) *Var { return x.Scale(2) },
	} {
		x := Variable(tensor.Ones(tensor.Float32, steps, n))
		y := operand(x)
		loss := Constant(tensor.Zeros(tensor.Float32, 1, n))
		for k := range steps {
			loss = loss.Add(y.Slice(0, k, k+1))
		}
		loss = loss.Sum()
		before := tensor.MemoryStats().Allocated
		Grad(loss, []*Var{x}, RetainGraph())
		loss.Backward()
		wholes := (tensor.MemoryStats().Allocated - before) / (4 * steps * n)
		if wholes > 12 { // a tensor for each slice makes more than 100
			t.Errorf("%s: backward passes took memory of %d times the operand's", name, wholes)
		}
	}
}

func TestSlicesAddTheirGradientsWhereTheyAre(t *testing.T) {
	values := func(shape ...int) *tensor.Tensor {
		return tensor.Arange(tensor.Float64, 0, float64(tensor.Shape(shape).Size()), 1).Reshape(shape...)
	}
	weigh := func(y *Var) *Var { return y.Mul(Constant(tensor.AddScalar(values(y.Shape()...), 1))).Sum() }
	parts := func(x *Var, last func(x, z *Var) *Var) *Var { // overlapping, along all axes, of views, one of them twice
		a, z := x.Slice(1, 0, 3), x.Tanh()
		loss := weigh(z).Add(weigh(a)).Add(weigh(a.Square())).Add(weigh(x.Slice(0, 1, 2)))
		loss = loss.Add(weigh(x.Slice(2, 1, 3))).Add(weigh(x.Transpose().Slice(1, 1, 2))).Add(weigh(x.Slice(1, 1, 1)))
		loss = loss.Add(weigh(x)).Add(weigh(x.Slice(1, 3, 4).BroadcastTo(2, 4, 3))).Add(weigh(x.Slice(0, 0, 2)))
		return loss.Add(x.Slice(1, 0, 2).Sum()).Add(last(x, z))
	}
	check := func(name string, x, loss *Var) {
		want := Grad(loss, []*Var{x}, CreateGraph())[0].Tensor().Float64s() // adds whole tensors
		numtest.Near(t, name+", Grad", Grad(loss, []*Var{x}, RetainGraph())[0].Tensor().Float64s(), want, 1e-12)
		loss.Backward(RetainGraph())
		numtest.Near(t, name, x.Gradient().Float64s(), want, 1e-12)

		shown := x.Gradient()
		loss.Backward(RetainGraph())
		numtest.Near(t, name+", the gradient that was shown", shown.Float64s(), want, 1e-12)
		twice := tensor.Scale(shown, 2).Float64s()
		numtest.Near(t, name+", twice", x.Gradient().Float64s(), twice, 1e-12)

		x.ZeroGrad()
		loss.Backward(RetainGraph())
		var seen []float64
		x.RegisterHook(func(g *Var) *Var { seen = g.Tensor().Float64s(); return g.Scale(2) })
		loss.Backward()
		numtest.Near(t, name+", what a hook sees", seen, want, 1e-12)
		numtest.Near(t, name+", with a hook", x.Gradient().Float64s(), tensor.Scale(shown, 3).Float64s(), 1e-12)
	}
	for name, operand := range map[string]func(x *Var) *Var{
		"a leaf":          func(x *Var) *Var { return x },
		"a result":        func(x *Var) *Var { return x.Tanh() },
		"a view":          func(x *Var) *Var { return x.Transpose().Transpose() },
		"an expanded one": func(x *Var) *Var { return x.Slice(0, 0, 1).BroadcastTo(2, 4, 3) },
	} {
		for first, last := range map[string]func(x, z *Var) *Var{ // whose gradient arrives first
			"one that z has, too": func(x, z *Var) *Var { return weigh(x.Add(z)) },
			"one number for all":  func(x, _ *Var) *Var { return x.Sum() },
			"a slice's":           func(x, _ *Var) *Var { return weigh(x.Slice(1, 2, 4)) },
		} {
			x := Variable(tensor.Scale(values(2, 4, 3), 0.1))
			check(name+", first "+first, x, parts(operand(x), last))
		}
	}
}
