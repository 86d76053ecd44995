// Hooks and RetainGrad.

package autograd

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// recordHook registers a hook that notes the gradients it sees.
func recordHook(v *Var) (seen *[][]float64, remove func()) {
	seen = new([][]float64)
	return seen, v.RegisterHook(func(g *Var) *Var {
		*seen = append(*seen, g.Tensor().Float64s())
		return nil
	})
}

func wantSeen(t *testing.T, seen *[][]float64, want ...[]float64) {
	t.Helper()
	if !slices.EqualFunc(*seen, want, slices.Equal) {
		t.Errorf("the hook saw %v, want %v", *seen, want)
	}
}

// A hook sees the sum of all contributions, once a pass.
func TestHookSeesTheWholeGradientOnce(t *testing.T) {
	x := vec(1, 2)
	y := x.Scale(2)
	leaf, _ := recordHook(x)
	inner, _ := recordHook(y)
	// y is used three times, x four times.
	y.Add(y.Scale(10)).Add(x.Scale(100)).Mul(Constant(y.Tensor())).Add(x.Mul(Constant(x.Tensor()))).Sum().Backward()
	wantSeen(t, inner, []float64{22, 44})
	wantSeen(t, leaf, []float64{2*22 + 200 + 1, 2*44 + 400 + 2})
	wantGrad(t, x, 245, 490)
}

func TestHookReplacesTheGradient(t *testing.T) {
	for name, onLeaf := range map[string]bool{"leaf": true, "result": false} {
		x := vec(1, 2)
		y := x.Scale(2)
		at := y
		if onLeaf {
			at = x
		}
		at.RegisterHook(func(g *Var) *Var { return g.Clamp(-0.5, 0.5) })
		y.Scale(3).Add(y).Sum().Backward()
		want := 1.0 // 2·0.5
		if onLeaf {
			want = 0.5
		}
		t.Run(name, func(t *testing.T) { wantGrad(t, x, want, want) })
	}
}

func TestHooksRunInOrderEachOnWhatTheOneBeforeReturned(t *testing.T) {
	x := vec(3)
	y := x.Scale(1)
	y.RegisterHook(func(g *Var) *Var { return g.Scale(10) })
	y.RegisterHook(func(g *Var) *Var { return g.AddScalar(1) })
	y.RegisterHook(func(g *Var) *Var { return g })
	y.Backward()
	wantGrad(t, x, 11)
}

func TestRemovedHookIsNotCalled(t *testing.T) {
	x := vec(1)
	seen, remove := recordHook(x)
	y := x.Scale(2)
	seenY, removeY := recordHook(y)
	y.Backward(RetainGraph())
	remove()
	removeY()
	y.Backward()
	wantSeen(t, seen, []float64{2})
	wantSeen(t, seenY, []float64{1})
	wantGrad(t, x, 4)
}

// A parameter that gets a hook in every step must not keep them all, and what they hold.
func TestRemovedHooksOfALeafAreForgotten(t *testing.T) {
	x := vec(1)
	var removeSecond func()
	removeFirst := x.RegisterHook(func(g *Var) *Var {
		removeSecond() // while a pass goes through them
		return g.Scale(3)
	})
	removeSecond = x.RegisterHook(func(g *Var) *Var { return g.Scale(5) })
	x.RegisterHook(func(g *Var) *Var { return g.Scale(7) })
	x.Scale(2).Backward()
	wantGrad(t, x, 2*3*7)
	removeFirst()
	removeFirst()
	if len(x.hooks) != 1 {
		t.Errorf("the leaf has %d hooks, want 1", len(x.hooks))
	}
}

func TestHooksOfCustomResultsSeeTheirOwnGradient(t *testing.T) {
	x := vec(2)
	outs := Custom("double and triple", []*Var{x}, []*tensor.Tensor{tensor.Scale(x.Tensor(), 2), tensor.Scale(x.Tensor(), 3)},
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{tensor.Add(tensor.Scale(gs[0], 2), tensor.Scale(gs[1], 3))}
		})
	first, _ := recordHook(outs[0])
	outs[1].RegisterHook(func(g *Var) *Var { return g.Scale(-1) })
	outs[0].Add(outs[1].Scale(10)).Backward()
	wantSeen(t, first, []float64{1})
	wantGrad(t, x, 2-30)
}

func TestHooksRunUnderGrad(t *testing.T) {
	x, other := vec(2), vec(5)
	y := x.Square()
	for _, v := range []*Var{x, y} {
		v.RegisterHook(func(g *Var) *Var { return g.Scale(3) })
	}
	idle, _ := recordHook(other)
	gs := Grad(y.Mul(other).Sum(), []*Var{x, y})
	if got := []float64{gs[0].Tensor().Item(), gs[1].Tensor().Item()}; !slices.Equal(got, []float64{9 * 4 * 5, 3 * 5}) {
		t.Errorf("gradients %v, want [180 15]", got)
	}
	wantSeen(t, idle) // its gradient was not asked for
}

func TestHooksUnderCreateGraphAreDifferentiatedThrough(t *testing.T) {
	x := vec(2)
	y := x.Square().Mul(x)                                            // x^3
	remove := x.RegisterHook(func(g *Var) *Var { return g.Square() }) // (3x^2)^2 = 9x^4
	g := Grad(y.Sum(), []*Var{x}, CreateGraph())[0]
	if got := g.Tensor().Item(); got != 144 {
		t.Fatalf("gradient %v, want 144", got)
	}
	remove()
	g.Sum().Backward()
	wantGrad(t, x, 36*8)
}

// What a hook keeps is never written again, by the pass that goes on, by later
// passes, or by operations that take memory from the pool.
func TestHookMayKeepTheGradient(t *testing.T) {
	type kept struct {
		g    *Var
		want []float64
	}
	var all []kept
	keep := func(g *Var) *Var {
		all = append(all, kept{g, g.Tensor().Float64s()})
		return nil
	}
	x := Variable(randomTensor(1, nonzero, 50, 60).To(tensor.Float32))
	w := Variable(randomTensor(2, nonzero, 60, 50).To(tensor.Float32))
	x.RegisterHook(keep)
	for step := range 4 {
		h := x.MatMul(w)
		v := h.Add(x.Transpose().Reshape(50, 60).MatMul(w)) // views
		y := v.ReLU().Add(h).Add(h)
		for _, r := range []*Var{h, v, y} {
			r.RegisterHook(keep)
		}
		y.Square().Sum().Backward()
		if step%2 == 1 {
			x.ZeroGrad()
		}
		churn()
	}
	for i, k := range all {
		if !slices.Equal(k.g.Tensor().Float64s(), k.want) {
			t.Fatalf("gradient %d changed after the hook kept it", i)
		}
	}
}

func TestHookMisuse(t *testing.T) {
	wantMisuse(t, "autograd: RegisterHook: v does not require a gradient: [1]", func() {
		Constant(tensor.Zeros(tensor.Float64, 1)).RegisterHook(func(*Var) *Var { return nil })
	})
	for want, wrong := range map[string]*Var{
		"autograd: RegisterHook: the hook returned a gradient of another shape: [3] x [2]": zeros(3),
		"autograd: RegisterHook: the hook returned a gradient of type f32, want f64":       Constant(tensor.Zeros(tensor.Float32, 2)),
		"autograd: RegisterHook: takes dense operands only":                                SparseConstant(exampleSparse()),
		"autograd: RegisterHook: an operand is nil":                                        {},
	} {
		x := vec(1, 2)
		x.RegisterHook(func(*Var) *Var { return wrong })
		wantMisuse(t, want, func() { x.Sum().Backward() })
	}
	for _, v := range []*Var{nil, {}} {
		wantMisuse(t, "autograd: RegisterHook: an operand is nil", func() { v.RegisterHook(nil) })
		wantMisuse(t, "autograd: RetainGrad: an operand is nil", func() { v.RetainGrad() })
	}
	wantMisuse(t, "autograd: RegisterHook: the function is nil", func() { vec(1).RegisterHook(nil) })
}

func TestRetainGradKeepsTheGradientOfAResult(t *testing.T) {
	x := vec(1, 2)
	y := x.Square()
	y.RetainGrad()
	y.RetainGrad() // once is enough
	z := y.Scale(3).Sum()
	z.Backward(RetainGraph())
	wantGrad(t, y, 3, 3)
	z.Backward()
	wantGrad(t, y, 6, 6)
	y.ZeroGrad()
	if y.Gradient() != nil {
		t.Error("a gradient remains after ZeroGrad")
	}
	if z.Gradient() != nil {
		t.Error("a result that was not asked for keeps its gradient")
	}
	x.RetainGrad()
	wantGrad(t, x, 12, 24)
}

// As in PyTorch, whenever RetainGrad was called.
func TestRetainGradSeesTheGradientAfterAllHooks(t *testing.T) {
	x := vec(1)
	y := x.Scale(2)
	y.RetainGrad()
	y.RegisterHook(func(g *Var) *Var { return g.Scale(7) })
	y.Backward()
	wantGrad(t, y, 7)
	wantGrad(t, x, 14)
}

// The hook comes before what RetainGrad has registered, and is for the next pass. Whether
// the list of hooks has room for it depends on how many there are.
func TestAHookRegisteredWhileAPassRunsHooksIsForTheNextPass(t *testing.T) {
	for others := range 9 {
		x := vec(1)
		y := x.Scale(2)
		added := false
		y.RegisterHook(func(g *Var) *Var {
			if !added {
				added = true
				y.RegisterHook(func(g *Var) *Var { return g.Scale(3) })
			}
			return nil
		})
		for range others {
			y.RegisterHook(func(g *Var) *Var { return g.Neg() })
		}
		y.RetainGrad()
		sign := float64(1 - others%2*2)
		y.Backward(RetainGraph())
		if y.Gradient() == nil {
			t.Errorf("%d other hooks: RetainGrad missed the pass", others)
			continue
		}
		wantGrad(t, y, sign)
		wantGrad(t, x, 2*sign)
		y.Backward()
		wantGrad(t, y, 4*sign)
		wantGrad(t, x, 8*sign)
	}
}
