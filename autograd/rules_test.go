// What gradient rules and hooks may return, and what they may share.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// withRule records out as the result of an operation with a gradient rule of the
// test's own, which stands in the table until the test ends.
func withRule(t *testing.T, r rule, out *tensor.Tensor, inputs ...*Var) *Var {
	kept := table[opDropout]
	t.Cleanup(func() { table[opDropout] = kept })
	table[opDropout].grad = r
	return record(opDropout, out, attrs{}, inputs...)
}

func wantFull(t *testing.T, what string, got *tensor.Tensor, want float64) {
	t.Helper()
	for i, v := range got.Float64s() {
		if v != want {
			t.Fatalf("%s: element %d is %v, want %v", what, i, v, want)
		}
	}
}

// What a rule has in common for several inputs is read after it became the gradient
// of one of them, to which more is added in place.
func TestWhatARuleSharesMayBeAGradientToo(t *testing.T) {
	operands := map[string]func(x *Var) *Var{
		"leaf":   func(x *Var) *Var { return x },
		"result": func(x *Var) *Var { return x.AddScalar(0) },
	}
	for name, operand := range operands {
		t.Run(name, func(t *testing.T) {
			x, w := Variable(tensor.Full(tensor.Float32, 1, side, side)), Variable(tensor.Full(tensor.Float32, 1, side, side))
			a, b := operand(x), operand(w)
			y := withRule(t, func(c *context, g *Var, i int) *Var {
				switch i {
				case 0:
					c.shared = g.Scale(2)
					return c.shared
				case 1:
					return g.Scale(3)
				default:
					return c.shared.Scale(5)
				}
			}, tensor.Full(tensor.Float32, 1, side, side), a, a, b)
			y.BackwardWith(tensor.Full(tensor.Float32, 1, side, side))
			wantFull(t, "2g + 3g", x.Gradient(), 5)
			wantFull(t, "5·2g", w.Gradient(), 10)
		})
	}
}

// The operands that a rule sees are overwritten for the next node, but a rule may
// return one: here d(a·b)/da = b where the cotangent is 1.
func TestARuleMayReturnAnOperand(t *testing.T) {
	x, w := Variable(tensor.Full(tensor.Float32, 2, side, side)), Variable(tensor.Full(tensor.Float32, 3, side, side))
	a, b := x.Scale(1), w.Exp().Log() // whose rules run in between
	y := withRule(t, func(c *context, _ *Var, i int) *Var { return c.in[1-i] }, tensor.Mul(a.Tensor(), b.Tensor()), a, b)
	y.BackwardWith(tensor.Full(tensor.Float32, 1, side, side))
	wantFull(t, "gradient of x", x.Gradient(), b.Tensor().At(0, 0))
	for i, v := range w.Gradient().Float64s() {
		if v < 1.99 || v > 2.01 {
			t.Fatalf("gradient of w: element %d is %v, want 2", i, v)
		}
	}
}

// What a hook returns is the user's, whatever it requires and however it is
// computed; what the rules make of it belongs to the pass and returns to the pool.
func TestRulesAfterAHookGiveTheirMemoryBack(t *testing.T) {
	const hooks = 20
	x := Variable(tensor.Full(tensor.Float32, 1, side, side))
	given := Variable(tensor.Full(tensor.Float32, 7, side, side))
	y := x
	for range hooks {
		y = y.Neg()
		y.RegisterHook(func(*Var) *Var { return given })
		y = y.Neg()
	}
	cotangent := tensor.Full(tensor.Float32, 1, side, side)
	before := tensor.MemoryStats().Live
	y.BackwardWith(cotangent)
	const buffer = 7 << 10 // of side² float32, as the pool rounds it up
	// The pass keeps what the hooks saw; the leaf, its gradient.
	if more := tensor.MemoryStats().Live - before; more > (hooks+4)*buffer {
		t.Errorf("%d bytes more after a pass with %d hooks, or %d gradients", more, hooks, more/buffer)
	}
	wantFull(t, "gradient of x", x.Gradient(), -7)
	if given.Gradient() != nil {
		t.Error("a gradient arrived at what a hook returned")
	}
}
