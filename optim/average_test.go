// Averages: swapped in and out, assigned, saved, on devices, refused.

package optim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// averagesOf are both kinds.
func averagesOf(ps []*autograd.Var) map[string]*Average {
	return map[string]*Average{"decay": NewAverage(ps, AverageConfig{Decay: 0.9}), "mean": NewAverage(ps, AverageConfig{})}
}

// walk gives all parameters the weights of a step.
func walk(ps []*autograd.Var, step int) {
	for i, p := range ps {
		p.SetTensor(tensor.Randn(p.DType(), uint64(100*step+i), p.Shape()...).ToDevice(p.Device()))
	}
}

// bits are all elements, exactly.
func bits(ps []*autograd.Var) []float64 {
	var all []float64
	for _, p := range ps {
		all = append(all, p.Tensor().Float64s()...)
	}
	return all
}

// averages are the elements of the averages.
func averages(a *Average) []float64 {
	defer a.Swap()()
	return bits(a.Vars())
}

// The definition, element by element.
func TestAveragesAreThoseOfTheirFormulas(t *testing.T) {
	defer tensor.SetThreads(0)
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		var first []float64 // of one thread
		for _, threads := range []int{1, 2, 5} {
			tensor.SetThreads(threads)
			ps := append(parametersOn(nil, dt), autograd.Parameter(tensor.Zeros(dt, 3*grain+5)), autograd.Parameter(tensor.Zeros(dt)))
			exponential, mean := NewAverage(ps, AverageConfig{Decay: 0.75}), NewAverage(ps, AverageConfig{})
			var moving, sum []float64
			for step := range 5 {
				walk(ps, step)
				exponential.Update()
				mean.Update()
				for i, x := range bits(ps) {
					if step == 0 {
						moving, sum = append(moving, x), append(sum, x)
					} else {
						moving[i], sum[i] = 0.75*moving[i]+0.25*x, sum[i]+x
					}
				}
			}
			for i := range sum {
				sum[i] /= 5
			}
			tol := map[tensor.DType]float64{tensor.Float32: 1e-6, tensor.Float64: 1e-15}[dt]
			got := append(averages(exponential), averages(mean)...)
			numtest.Near(t, dt.String(), got, append(moving, sum...), tol)
			if first == nil {
				first = got
			}
			if !numtest.SameBits(got, first) {
				t.Errorf("%v: %d threads have other bits than one", dt, threads)
			}
			if exponential.Updates() != 5 {
				t.Errorf("%d updates", exponential.Updates())
			}
		}
	}
}

func TestAveragesOnADeviceAreThoseOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	for dt, tol := range map[tensor.DType]float64{tensor.Float32: 1e-6, tensor.Float64: 1e-14} {
		here, there, moved := parametersOn(nil, dt), parametersOn(d, dt), parametersOn(nil, dt)
		ours, theirs, other := averagesOf(here), averagesOf(there), averagesOf(moved)
		for name := range ours {
			for step := range 4 {
				if step == 2 {
					for _, p := range moved {
						p.MoveTo(d)
					}
				}
				walk(here, step)
				walk(there, step)
				walk(moved, step)
				ours[name].Update()
				theirs[name].Update()
				other[name].Update()
			}
			want := averages(ours[name])
			numtest.Near(t, fmt.Sprint(name, " ", dt, " on a device"), averages(theirs[name]), want, tol)
			numtest.Near(t, fmt.Sprint(name, " ", dt, " moved"), averages(other[name]), want, tol)
			for _, p := range moved {
				p.MoveTo(nil)
			}
			if err := other[name].LoadState(theirs[name].State()); err != nil { // from a device
				t.Fatal(err)
			}
			theirs[name].Reset()
			if err := theirs[name].LoadState(ours[name].State()); err != nil { // to it
				t.Fatal(err)
			}
			walk(there, 9)
			theirs[name].Assign()
			numtest.Near(t, fmt.Sprint(name, " ", dt, " loaded and assigned"), bits(there), want, 0)
			other[name].Assign()
			numtest.Near(t, fmt.Sprint(name, " ", dt, " loaded back"), bits(moved), want, tol)
		}
	}
}

// What moves while the averages are swapped in comes back where its Var is then.
func TestParametersMayMoveWhileAveragesAreSwappedIn(t *testing.T) {
	d := densetest.Device(t)
	p := autograd.Parameter(tensor.FromSlice([]float32{1, 2}, 2))
	a := NewAverage([]*autograd.Var{p}, AverageConfig{})
	a.Update()
	p.SetTensor(tensor.FromSlice([]float32{3, 6}, 2))
	a.Update()
	back := a.Swap()
	p.MoveTo(d)
	p.ConvertTo(tensor.Float64)
	back()
	if got, want := fmt.Sprintln(p.Device(), p.DType(), p.Tensor().Float64s(), averages(a)), fmt.Sprintln(d, tensor.Float64, []float64{3, 6}, []float64{2, 4}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCapturedStepsUpdateExponentialAverages(t *testing.T) {
	d := densetest.Device(t)
	p := autograd.Parameter(tensor.Zeros(tensor.Float32, 3).ToDevice(d))
	moving, mean := NewAverage([]*autograd.Var{p}, AverageConfig{Decay: 0.5}), NewAverage([]*autograd.Var{p}, AverageConfig{})
	step := func() {
		p.Tensor().CopyFrom(tensor.AddScalar(p.Tensor(), 1))
		moving.Update()
	}
	for _, a := range []*Average{moving, mean} {
		var misuse error
		g, err := dense.Capture(d, func() { misuse = autograd.Try(a.Update) })
		if err == nil {
			g.Close()
		}
		if misuse == nil || !strings.Contains(misuse.Error(), "optim: Update: a captured step repeats what it records") {
			t.Errorf("misuse %v", misuse)
		}
		a.Update()
	}
	g, err := dense.Capture(d, step)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 3 {
		if err := g.Replay(); err != nil {
			t.Fatal(err)
		}
	}
	want := 0.0 // the average of 0, then of what a replay finds
	for x := 1; x <= int(p.Tensor().At(0)); x++ {
		want = 0.5*want + 0.5*float64(x)
	}
	if got := averages(moving)[2]; got != want || p.Tensor().At(0) < 3 {
		t.Errorf("average %v, want %v; the weight is %v", got, want, p.Tensor().At(0))
	}
}

func TestSwapExchangesWithoutACopyAndTwiceIsAsBefore(t *testing.T) {
	ps := parametersOn(nil, tensor.Float32)
	for name, a := range averagesOf(ps) {
		walk(ps, 1)
		initial := bits(ps)
		a.Swap()() // before the first update
		if back := a.Swap(); !slices.Equal(bits(ps), initial) {
			t.Errorf("%s: swapped in before there are averages", name)
		} else {
			back()
		}
		a.Update()
		walk(ps, 2)
		a.Update()
		trained, live := bits(ps), ps[2].Tensor()
		back := a.Swap()
		if slices.Equal(bits(ps), trained) || ps[2].Tensor() == live {
			t.Errorf("%s: the averages are not swapped in", name)
		}
		mean := ps[2].Tensor()
		back()
		back()
		if !slices.Equal(bits(ps), trained) || ps[2].Tensor() != live {
			t.Errorf("%s: what is trained is not back", name)
		}
		second := a.Swap()
		back() // of the first, again
		if ps[2].Tensor() != mean {
			t.Errorf("%s: a copy was made, or an old function swapped out", name)
		}
		second()
		walk(ps, 3)
		a.Update()
		if a.Swap(); ps[2].Tensor() != mean {
			t.Errorf("%s: an update is not in place", name)
		}
	}
}

func TestAssignIsInPlaceAndChangesAreNoticed(t *testing.T) {
	w := autograd.Parameter(tensor.FromSlice([]float64{1, 2}, 2))
	wide := autograd.Constant(tensor.FromSlice([]float64{5}, 1).Expand(3))
	count := autograd.Constant(tensor.FromSlice([]int64{7}))
	a := NewAverage([]*autograd.Var{w, wide, count}, AverageConfig{})
	a.Assign() // nothing yet
	a.Update()
	w.SetTensor(tensor.FromSlice([]float64{3, 6}, 2))
	wide.SetTensor(tensor.FromSlice([]float64{6, 7, 8}, 3))
	count.SetTensor(tensor.FromSlice([]int64{8}))
	a.Update()
	live := w.Tensor()
	y := w.Square().Sum()
	a.Assign()
	if got := bits(a.Vars()); !slices.Equal(got, []float64{2, 4, 5.5, 6, 6.5, 8}) || w.Tensor() != live {
		t.Errorf("assigned %v", got)
	}
	if err := autograd.Try(func() { y.Backward() }); err == nil || !strings.Contains(err.Error(), "was changed after the forward pass") {
		t.Errorf("a backward pass through the old weights: %v", err)
	}
	y = w.Square().Sum()
	a.Swap()()
	if err := autograd.Try(func() { y.Backward() }); err == nil || !strings.Contains(err.Error(), "was changed after the forward pass") {
		t.Errorf("a backward pass through weights swapped in between: %v", err)
	}
	wide.SetTensor(tensor.FromSlice([]float64{5}, 1).Expand(3).Contiguous())
	if a.Reset(); a.Updates() != 0 || len(a.State()) != 1 {
		t.Errorf("after a Reset there are %d updates and %d tensors", a.Updates(), len(a.State()))
	}
}

func TestRestoredAveragesGoOnBitForBit(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		for _, before := range []int{0, 1, 3} {
			ps, qs := parametersOn(nil, dt), parametersOn(nil, dt)
			firsts, seconds := averagesOf(ps), averagesOf(qs)
			for name, first := range firsts {
				second := seconds[name]
				for step := range before {
					walk(ps, step)
					first.Update()
				}
				walk(qs, 77)
				second.Update() // to be forgotten
				old := second.State()
				was := old["average.params.4"].Float64s()
				if err := second.LoadState(first.State()); err != nil {
					t.Fatal(err)
				}
				if got := old["average.params.4"].Float64s(); !slices.Equal(got, was) {
					t.Errorf("LoadState changed a state that was taken before")
				}
				loaded := averages(second)
				for step := before; step < before+3; step++ {
					walk(ps, step)
					first.Update()
				}
				if got := averages(second); !numtest.SameBits(got, loaded) {
					t.Errorf("%s %v: updates of one change the other, which took over its state", name, dt)
				}
				for step := before; step < before+3; step++ {
					walk(qs, step)
					second.Update()
				}
				if !numtest.SameBits(averages(first), averages(second)) || first.Updates() != second.Updates() {
					t.Errorf("%s %v after %d updates: the averages differ", name, dt, before)
				}
			}
		}
	}
}

func TestAveragesRefuseStatesThatDoNotFit(t *testing.T) {
	p := autograd.Parameter(tensor.FromSlice([]float32{1, 2}, 2))
	a := NewAverage([]*autograd.Var{p}, AverageConfig{})
	a.Update()
	n := func(x int64) *tensor.Tensor { return tensor.FromSlice([]int64{x}) }
	for want, state := range map[string]map[string]*tensor.Tensor{
		"average.updates: is missing":                        {},
		"average.updates: is -1":                             {"average.updates": n(-1)},
		"average.params.0: is missing":                       {"average.updates": n(1)},
		"average.params.0: shape [3], want [2]":              {"average.updates": n(1), "average.params.0": tensor.Zeros(tensor.Float32, 3)},
		"average.params.0: element type f64, want f32":       {"average.updates": n(1), "average.params.0": tensor.Zeros(tensor.Float64, 2)},
		"average.params.1: is not part of the state":         {"average.updates": n(1), "average.params.0": tensor.Zeros(tensor.Float32, 2), "average.params.1": n(1)},
		"average.params.0: is not part of the state":         {"average.updates": n(0), "average.params.0": tensor.Zeros(tensor.Float32, 2)},
		"adam.params.0: is not part of the state":            {"average.updates": n(0), "adam.params.0": n(0)},
		"optim: LoadState: average.updates: element type f6": {"average.updates": tensor.FromSlice([]float64{1})},
	} {
		if err := a.LoadState(state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if got := averages(a); !slices.Equal(got, []float64{1, 2}) || a.Updates() != 1 {
			t.Errorf("%s: the averages were changed: %v", want, got)
		}
	}
}

func TestAveragesRejectMisuse(t *testing.T) {
	p := autograd.Parameter(tensor.Zeros(tensor.Float32, 2))
	sparse, err := tensor.NewSparse(1, 1, []int32{0, 1}, []int32{0}, tensor.Zeros(tensor.Float32, 1))
	if err != nil {
		t.Fatal(err)
	}
	in := NewAverage([]*autograd.Var{p}, AverageConfig{})
	in.Update()
	in.Swap()
	const out = "the averages are swapped in: call what Swap returned first"
	list := func(vs ...*autograd.Var) []*autograd.Var { return vs }
	for want, f := range map[string]func(){
		"optim: NewAverage: no parameters: a module's are the Vars made by autograd.Parameter in exported fields": func() { NewAverage(nil, AverageConfig{}) },
		"optim: NewAverage: Decay is 1, want 0 <= Decay < 1":                                                      func() { NewAverage(list(p), AverageConfig{Decay: 1}) },
		"optim: NewAverage: Decay is NaN":                                                                         func() { NewAverage(list(p), AverageConfig{Decay: math.NaN()}) },
		"optim: NewAverage: parameter 1 is not a dense Var":                                                       func() { NewAverage(list(p, nil), AverageConfig{}) },
		"optim: NewAverage: parameter 0 is not a dense Var":                                                       func() { NewAverage(list(autograd.SparseConstant(sparse)), AverageConfig{}) },
		"optim: NewAverage: parameter 0 is a result of an operation: only leaves":                                 func() { NewAverage(list(p.Square()), AverageConfig{}) },
		"optim: NewAverage: parameter 1 appears twice":                                                            func() { NewAverage(list(p, p), AverageConfig{}) },
		"optim: Update: " + out:                                                                                   in.Update,
		"optim: Swap: " + out:                                                                                     func() { in.Swap() },
		"optim: Assign: " + out:                                                                                   in.Assign,
		"optim: Reset: " + out:                                                                                    in.Reset,
		"optim: State: " + out:                                                                                    func() { in.State() },
		"optim: LoadState: " + out:                                                                                func() { in.LoadState(nil) },
	} {
		if err := autograd.Try(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("misuse %v, want %q", err, want)
		}
	}
}

func TestUpdatesOfAveragesAllocateLittle(t *testing.T) {
	defer tensor.SetThreads(0)
	tensor.SetThreads(1)
	ps := parametersOn(nil, tensor.Float32)
	a := NewAverage(ps, AverageConfig{Decay: 0.9})
	a.Update()
	if n := numtest.Allocations(10, a.Update); n > 2*float64(len(ps)) {
		t.Errorf("%v allocations an update of %d parameters", n, len(ps))
	}
}
