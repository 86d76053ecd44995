// Checkpoints: the same gradients, less memory.

package autograd

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// A block of a network whose weights are captured.
func block(w, b *Var) func(xs ...*Var) *Var {
	return func(xs ...*Var) *Var { return Dropout(xs[0].MatMul(w).Add(b).ELU(1), 0.3, 4) }
}

// plain calls f without a checkpoint.
func plain(f func(xs ...*Var) *Var, xs ...*Var) *Var { return f(xs...) }

func TestCheckpointGivesTheSameGradientsBitForBit(t *testing.T) {
	type run func(f func(xs ...*Var) *Var, xs ...*Var) *Var
	for name, model := range map[string]func(check run, x, w, b *Var) *Var{
		"block after block": func(check run, x, w, b *Var) *Var {
			return check(block(w, b), check(block(w, b), x))
		},
		"constant input": func(check run, x, w, b *Var) *Var {
			return check(block(w, b), x.Detach()).Mul(x)
		},
		"several inputs": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]).Add(xs[2]).Tanh() }, x, w, b)
		},
		"nested": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return check(block(w, b), xs[0].Square()).Tanh() }, x.Exp())
		},
		"input handed on": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return xs[0] }, x.MatMul(w)).Exp()
		},
		"view of the input": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return xs[0].Transpose().AddScalar(1) }, x.MatMul(w)).Tanh()
		},
		"gradient handed to a captured leaf": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return xs[0].Add(w) }, x.Tanh().Scale(0.5)).Scale(3)
		},
		"view of the gradient handed to a captured leaf": func(check run, x, w, b *Var) *Var {
			return check(func(xs ...*Var) *Var { return xs[0].Add(w.Reshape(side*side).Reshape(side, side)) }, x.Tanh().Scale(0.5)).Scale(3)
		},
		"gradient handed on in a nested one": func(check run, x, w, b *Var) *Var {
			inner := func(xs ...*Var) *Var { return xs[0].Add(w) }
			return check(func(xs ...*Var) *Var { return check(inner, xs[0]).AddScalar(2) }, x.Tanh().Scale(0.5)).Scale(3)
		},
		"input used twice outside": func(check run, x, w, b *Var) *Var {
			h := x.Tanh()
			return check(block(w, b), h).Add(h)
		},
	} {
		t.Run(name, func(t *testing.T) {
			grads := func(check run, backward func(y *Var, xs []*Var) []*tensor.Tensor) [][]float64 {
				x := Variable(randomTensor(1, nonzero, side, side).To(tensor.Float32))
				w := Variable(tensor.Scale(randomTensor(2, nonzero, side, side), 0.1).To(tensor.Float32))
				b := Variable(randomTensor(3, nonzero, side).To(tensor.Float32))
				y := model(check, x, w, b)
				out := [][]float64{y.Tensor().Float64s()}
				for _, g := range backward(y.Square().Mean(), []*Var{x, w, b}) {
					out = append(out, nil)
					if g != nil {
						out[len(out)-1] = g.Float64s()
					}
				}
				return out
			}
			accumulated := func(y *Var, xs []*Var) (gs []*tensor.Tensor) {
				y.Backward()
				churn()
				for _, x := range xs {
					gs = append(gs, x.Gradient())
				}
				return gs
			}
			returned := func(y *Var, xs []*Var) (gs []*tensor.Tensor) {
				for _, g := range Grad(y, xs) {
					if g == nil {
						gs = append(gs, nil)
						continue
					}
					gs = append(gs, g.Tensor())
				}
				churn()
				return gs
			}
			hooked := func(y *Var, xs []*Var) []*tensor.Tensor {
				for _, x := range xs {
					x.RegisterHook(func(*Var) *Var { return nil })
				}
				return accumulated(y, xs)
			}
			want := grads(plain, accumulated)
			for how, backward := range map[string]func(y *Var, xs []*Var) []*tensor.Tensor{"Backward": accumulated, "Backward with hooks": hooked, "Grad": returned} {
				if got := grads(Checkpoint, backward); !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%s: value or gradients differ from those without a checkpoint", how)
				}
			}
		})
	}
}

func TestCheckpointRunsTheFunctionAgainInTheBackwardPassOnly(t *testing.T) {
	calls := 0
	f := func(xs ...*Var) *Var { calls++; return xs[0].Exp() }
	x := vec(1)
	y := Checkpoint(f, x)
	if calls != 1 {
		t.Fatalf("%d calls in the forward pass", calls)
	}
	y.Backward(RetainGraph())
	y.Backward()
	if calls != 3 {
		t.Errorf("%d calls after two backward passes, want 3", calls)
	}
	Checkpoint(f, x.Detach())
	Checkpoint(f, NoGrad(x))
	if calls != 5 {
		t.Errorf("%d calls after two that nothing is differentiated of, want 5", calls)
	}
}

func TestCheckpointOfConstantsIsAConstant(t *testing.T) {
	c := Constant(tensor.FromSlice([]float64{1}, 1))
	if Checkpoint(func(xs ...*Var) *Var { return xs[0].Exp() }, c).RequiresGrad() {
		t.Error("requires a gradient")
	}
	w := vec(2)
	y := Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(w) }, c)
	if !y.RequiresGrad() {
		t.Fatal("a captured parameter was not noticed")
	}
	y.Backward()
	wantGrad(t, w, 1)
}

func TestCheckpointThatUsesCapturedParametersAlonePassesTheirGradientOn(t *testing.T) {
	c := Constant(tensor.FromSlice([]float64{1}, 1))
	for name, inputs := range map[string][]*Var{"no input": nil, "a constant that is not used": {c}} {
		w := vec(3)
		y := Checkpoint(func(...*Var) *Var { return w.Square() }, inputs...)
		if !y.RequiresGrad() {
			t.Fatalf("%s: the parameter was not noticed", name)
		}
		y.Scale(2).Backward()
		wantGrad(t, w, 2*2*3)
	}
}

func TestCheckpointUnderGradFindsCapturedParameters(t *testing.T) {
	x, w, idle := vec(2), vec(3), vec(4)
	y := Checkpoint(func(xs ...*Var) *Var { return xs[0].Square().Mul(w) }, x)
	gs := Grad(y.Mul(w), []*Var{w, idle, x})
	wantValues(t, "dw", gs[0], 2*4*3)
	wantValues(t, "dx", gs[2], 2*2*9)
	if gs[1] != nil || x.Gradient() != nil || w.Gradient() != nil {
		t.Error("a gradient nobody asked for, or Gradient changed")
	}
}

func TestCheckpointHooks(t *testing.T) {
	x, w := vec(2), vec(3)
	seenX, _ := recordHook(x)
	seenW, _ := recordHook(w) // captured, used inside and outside
	var inside [][]float64
	y := Checkpoint(func(xs ...*Var) *Var {
		h := xs[0].Mul(w)
		for _, v := range []*Var{h, xs[0]} {
			if v.RequiresGrad() {
				v.RegisterHook(func(g *Var) *Var { inside = append(inside, g.Tensor().Float64s()); return nil })
			}
		}
		return h.Add(h)
	}, x)
	seenY, _ := recordHook(y)
	y.Add(w).Backward()
	wantSeen(t, seenY, []float64{1})
	wantSeen(t, &inside, []float64{2}, []float64{6})
	wantSeen(t, seenX, []float64{6})
	wantSeen(t, seenW, []float64{5})
	wantGrad(t, w, 5)
	wantGrad(t, x, 6)
}

// What a hook inside got is held although the pass through the checkpoint hands
// the same gradient out.
func TestCheckpointKeepsWhatAHookInsideHolds(t *testing.T) {
	x := Variable(randomTensor(1, nonzero, side, side).To(tensor.Float32))
	var h held
	y := Checkpoint(func(xs ...*Var) *Var {
		a := xs[0].AddScalar(1)
		if a.RequiresGrad() {
			a.RegisterHook(func(g *Var) *Var { h.keep("a gradient", g.Tensor()); return nil })
		}
		b := a.Scale(2)
		if b.RequiresGrad() { // that of the result, which the pass outside owns
			b.RegisterHook(func(g *Var) *Var { h.keep("the cotangent", g.Tensor()); return nil })
		}
		return b
	}, x.Scale(3))
	h.keep("the result", Grad(y.Square().Sum(), []*Var{x})[0].Tensor())
	churn()
	if err := h.check(); err != nil {
		t.Error(err)
	}
}

// So is the gradient of a stand-in, should a hook inside look at it.
func TestCheckpointKeepsTheGradientOfAnInputThatWasLookedAt(t *testing.T) {
	x := Variable(randomTensor(1, nonzero, side, side).To(tensor.Float32))
	var h held
	y := Checkpoint(func(xs ...*Var) *Var {
		a, b := xs[0].Scale(2), xs[0].Scale(3)
		for _, v := range []*Var{a, b} { // one runs after the other's gradient has arrived
			if v.RequiresGrad() {
				v.RegisterHook(func(*Var) *Var {
					if g := xs[0].Gradient(); g != nil {
						h.ts = append(h.ts, g)
					}
					return nil
				})
			}
		}
		return a.Add(b)
	}, x.Scale(3))
	y.Sum().Backward()
	churn()
	if len(h.ts) != 1 {
		t.Fatalf("the hooks saw %d gradients, want 1", len(h.ts))
	}
	for _, g := range bits32(h.ts[0]) {
		if g != 3 { // of the use before the hook saw it
			t.Fatalf("the gradient became %v, want 3", g)
		}
	}
}

func TestCheckpointOfIntegersIsConstant(t *testing.T) {
	x := vec(1, 2)
	index := func(xs ...*Var) *Var {
		return Custom("index", xs, []*tensor.Tensor{tensor.Argmax(xs[0].Tensor())}, nil)[0]
	}
	if Checkpoint(index, x).RequiresGrad() {
		t.Error("an integer result requires a gradient")
	}
}

func TestCheckpointMisuse(t *testing.T) {
	x := vec(1, 2)
	wantMisuse(t, "autograd: Checkpoint: the function uses a result of Exp that is not among its inputs: [2]", func() {
		h := x.Exp()
		Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(h) }, x).Add(h).Sum().Backward()
	})
	wantMisuse(t, "autograd: Checkpoint: the function uses a result of Exp that is not among its inputs: [2]", func() {
		h := x.Exp()
		inner := func(xs ...*Var) *Var { return xs[0].Mul(h) }
		Checkpoint(func(xs ...*Var) *Var { return Checkpoint(inner, xs...) }, x).Add(h).Sum().Backward()
	})
	wantMisuse(t, "autograd: Checkpoint: the function uses a result of Exp that is not among its inputs: [2]", func() {
		h := x.Exp()
		Grad(Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(h) }, x).Add(h).Sum(), []*Var{x}, CreateGraph())
	})
	wantMisuse(t, "autograd: Checkpoint: an operand is nil", func() { Checkpoint(nil, nil) })
	wantMisuse(t, "autograd: Checkpoint: an operand is nil", func() { Checkpoint(func(...*Var) *Var { return nil }, x) })
	calls := 0
	wantMisuse(t, "autograd: Checkpoint: the function gives another shape the second time: [2] x []", func() {
		Checkpoint(func(xs ...*Var) *Var {
			if calls++; calls > 1 {
				return xs[0].Sum()
			}
			return xs[0].Exp()
		}, x).Sum().Backward()
	})
}

// Checkpoints in chains and in each other, whose inputs depend on each other, with captured
// parameters, have the gradients of gradients of what they compute.
func TestGradientsOfGradientsGoThroughCheckpoints(t *testing.T) {
	w := vec(0.3, -0.7)
	cube := func(xs ...*Var) *Var { return xs[0].Square().Mul(xs[0]).Mul(w) }
	mix := func(xs ...*Var) *Var { return xs[0].Tanh().Mul(xs[1]).Add(cube(xs[1])) }
	same := func(xs ...*Var) *Var { return xs[0] }
	build := func(wrap func(f func(xs ...*Var) *Var, xs ...*Var) *Var, x *Var) *Var {
		a := wrap(cube, x)
		b := wrap(mix, a, x)
		c := wrap(func(xs ...*Var) *Var { return wrap(mix, xs[0].Exp(), wrap(cube, xs[1])) }, b, a)
		return wrap(same, c).Add(b).Add(wrap(same, x))
	}
	plain := func(f func(xs ...*Var) *Var, xs ...*Var) *Var { return f(xs...) }
	penalty := func(wrap func(f func(xs ...*Var) *Var, xs ...*Var) *Var) func(xs ...*Var) *Var {
		return func(xs ...*Var) *Var {
			gs := Grad(build(wrap, xs[0]).Sum(), xs, CreateGraph())
			return gs[0].Square().Add(gs[1].Mul(gs[0]))
		}
	}
	x := vec(0.4, -0.6)
	got, want := penalty(Checkpoint)(x, w), penalty(plain)(x, w)
	wantNear(t, "first gradients", got.Tensor().Float64s(), want.Tensor().Float64s(), 1e-14)
	if err := Gradcheck(penalty(Checkpoint), []*Var{x, w}, GradcheckTolerance(1e-5, 1e-6)); err != nil {
		t.Error(err)
	}
}

// A deep chain of blocks: with a checkpoint a block, only the inputs of blocks
// and the inside of one block live at a time.
func TestCheckpointLowersThePeakOfMemory(t *testing.T) {
	const n, depth, blocks = 64, 8, 8
	x := Variable(randomTensor(1, nonzero, n, n).To(tensor.Float32))
	deep := func(xs ...*Var) *Var {
		y := xs[0]
		for range depth {
			y = y.Scale(0.5).Tanh()
		}
		return y
	}
	settle := func() int64 { // until what nothing holds has returned
		for before := int64(-1); ; {
			tensor.TrimMemory()
			if now := tensor.MemoryStats().Live; now == before {
				return now
			} else {
				before = now
			}
		}
	}
	peak := func(run func(f func(xs ...*Var) *Var, xs ...*Var) *Var) int64 {
		base := settle()
		tensor.ResetPeakMemory()
		y := x
		for range blocks {
			y = run(deep, y)
			y.RegisterHook(func(*Var) *Var { settle(); return nil })
			settle()
		}
		y.Sum().Backward()
		x.ZeroGrad()
		return tensor.MemoryStats().Peak - base
	}
	const buffer = n * n * 4
	without, with := peak(plain), peak(Checkpoint)
	if without < 2*depth*blocks*buffer {
		t.Errorf("without checkpoints the peak is %d bytes: fewer than the results of all operations", without)
	}
	if with > without/2 {
		t.Errorf("peak %d bytes with checkpoints, %d without", with, without)
	}
}
