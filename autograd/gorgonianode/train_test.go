package gorgonianode

// Our functions in training loops, with parameters on either side.

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// A training loop as Gorgonia users write it: one machine, Reset, a solver. The
// same net without our node must follow the same path, which a record of an
// earlier step would not.
func TestTrainingLoopSeesEachStepsOwnForwardPass(t *testing.T) {
	losses := func(layer func(x, w *gorgonia.Node) *gorgonia.Node) (path []float64) {
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", normals(tensor.Float64, 1, 8, 5))
		w := newNode(t, g, "w", normals(tensor.Float64, 2, 5, 3))
		y := newNode(t, g, "y", normals(tensor.Float64, 3, 8, 3))
		diff := gorgonia.Must(gorgonia.Sub(layer(x, w), y))
		cost := gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Square(diff))))
		if _, err := gorgonia.Grad(cost, w); err != nil {
			t.Fatal(err)
		}
		m := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(w))
		defer m.Close()
		solver := gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.3))
		for range 120 {
			bind(t, x, normals(tensor.Float64, uint64(100+len(path)%7), 8, 5)) // another batch each step
			if err := m.RunAll(); err != nil {
				t.Fatal(err)
			}
			path = append(path, floats(t, cost.Value())[0])
			if err := solver.Step(gorgonia.NodesToValueGrads(gorgonia.Nodes{w})); err != nil {
				t.Fatal(err)
			}
			m.Reset()
		}
		return path
	}
	want := losses(func(x, w *gorgonia.Node) *gorgonia.Node {
		return gorgonia.Must(gorgonia.Tanh(gorgonia.Must(gorgonia.Mul(x, w))))
	})
	got := losses(func(x, w *gorgonia.Node) *gorgonia.Node {
		return apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].MatMul(xs[1]).Tanh() }, gorgonia.Nodes{x, w}, WithoutGradient(0))
	})
	numtest.Near(t, "losses", got, want, 1e-9)
	if !(want[119] < want[0]) {
		t.Errorf("the loss went from %v to %v", want[0], want[119])
	}
}

// The lisp machine is made anew for each step; values and dual values stay in
// the nodes, and the gradients of inputs accumulate until they are cleared.
func TestLispMachineAccumulatesAcrossRunsLikeGorgoniasOps(t *testing.T) {
	run := func(layer func(x *gorgonia.Node) *gorgonia.Node) (grads [][]float64) {
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
		weighted(t, layer(x))
		for range 3 {
			m := gorgonia.NewLispMachine(g)
			if err := m.RunAll(); err != nil {
				t.Fatal(err)
			}
			m.Close()
			d, err := x.Grad()
			if err != nil {
				t.Fatal(err)
			}
			grads = append(grads, floats(t, d))
		}
		return grads
	}
	got := run(func(x *gorgonia.Node) *gorgonia.Node {
		return apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, gorgonia.Nodes{x})
	})
	want := run(func(x *gorgonia.Node) *gorgonia.Node { return gorgonia.Must(gorgonia.Tanh(x)) })
	for i := range want {
		numtest.Near(t, fmt.Sprintf("run %d", i), got[i], want[i], 1e-12)
	}
	if got[2][0] == got[0][0] {
		t.Error("the gradients do not accumulate: this test no longer shows anything")
	}
}

// A node keeps the record of its latest run and no other.
func TestRecordsDoNotOutliveTheirStep(t *testing.T) {
	const steps = 20
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
	var gone atomic.Int32
	y := apply(t, func(xs ...*autograd.Var) *autograd.Var {
		runtime.AddCleanup(xs[0], func(n *atomic.Int32) { n.Add(1) }, &gone)
		return xs[0].Tanh()
	}, gorgonia.Nodes{x}, WithOutput(tensor.Float64, 3, 2))
	m := gorgonia.NewTapeMachine(g) // no gradient is taken, which would free the record
	defer m.Close()
	for range steps {
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		m.Reset()
	}
	for try := 0; gone.Load() < steps-1; try++ {
		if try == 100 {
			t.Fatalf("of %d records %d are gone", steps, gone.Load())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(y)
}

func TestGraphWithoutGradientsRunsForward(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float32, 1, 3, 2))
	y := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Scale(2) }, gorgonia.Nodes{x})
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	for step := range 3 {
		bind(t, x, normals(tensor.Float32, uint64(step), 3, 2))
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		got, want := floats(t, y.Value()), floats(t, x.Value())
		for i := range want {
			if got[i] != 2*want[i] {
				t.Fatalf("step %d: %v, want twice %v", step, got, want)
			}
		}
		m.Reset()
	}
}

func TestParametersInsideTheFunctionGetTheirGradients(t *testing.T) {
	for _, m := range machines {
		linear := nn.NewLinear(4, 3, nn.NewRNG(1))
		params := nn.Parameters(linear)
		x := normals(tensor.Float32, 2, 5, 4)
		evaluate(t, m, []*tensor.Tensor{x}, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
			return weighted(t, apply(t, func(xs ...*autograd.Var) *autograd.Var { return linear.Forward(xs[0]).Tanh() }, in))
		})
		var got [][]float64
		for _, p := range params {
			got = append(got, p.Gradient().Float64s())
			p.ZeroGrad()
		}
		linear.Forward(autograd.Constant(x)).Tanh().BackwardWith(normals(tensor.Float32, 99, 5, 3))
		for i, p := range params {
			numtest.Near(t, fmt.Sprintf("%s: parameter %d", m.name, i), got[i], p.Gradient().Float64s(), 1e-6)
		}
	}
}

// One net, half of it ours: our optimiser or a Gorgonia solver trains the
// parameters of our half.
func TestEitherSideTrainsTheParametersInside(t *testing.T) {
	for _, c := range []struct {
		name string
		step func(params []*autograd.Var) func() error
	}{
		{"our optimiser", func(params []*autograd.Var) func() error {
			o := optim.NewAdam(optim.Params(params), optim.AdamConfig{LR: 0.05})
			return func() error {
				o.Step()
				o.ZeroGrad()
				return nil
			}
		}},
		{"a Gorgonia solver", func(params []*autograd.Var) func() error {
			s := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.05))
			var model []gorgonia.ValueGrad
			for _, p := range params {
				model = append(model, p)
			}
			return func() error {
				defer nn.ZeroGrad(params)
				return s.Step(model)
			}
		}},
	} {
		linear := nn.NewLinear(4, 3, nn.NewRNG(1))
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", normals(tensor.Float32, 2, 16, 4))
		y := newNode(t, g, "y", normals(tensor.Float32, 3, 16, 3))
		out := apply(t, func(xs ...*autograd.Var) *autograd.Var { return linear.Forward(xs[0]) }, gorgonia.Nodes{x})
		cost := gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(out, y))))))
		if _, err := gorgonia.Grad(cost, x); err != nil {
			t.Fatal(err)
		}
		m := gorgonia.NewTapeMachine(g)
		defer m.Close()
		step := c.step(nn.Parameters(linear))
		var first, last float64
		for i := range 60 {
			if err := m.RunAll(); err != nil {
				t.Fatal(err)
			}
			if last = floats(t, cost.Value())[0]; i == 0 {
				first = last
			}
			if err := step(); err != nil {
				t.Fatal(err)
			}
			m.Reset()
		}
		if !(last < 0.9*first) {
			t.Errorf("%s: the loss went from %v to %v", c.name, first, last)
		}
	}
}

// Parameters as nodes: gorgonia.Grad and the solver know nothing of us, and the
// module follows.
func TestParametersAsNodesAreTrainedByGorgonia(t *testing.T) {
	linear := nn.NewLinear(4, 3, nn.NewRNG(1))
	params := nn.Parameters(linear)
	before := params[0].Tensor().Float64s()
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float32, 2, 16, 4))
	y := newNode(t, g, "y", normals(tensor.Float32, 3, 16, 3))
	weights, err := Parameters(g, params...)
	if err != nil {
		t.Fatal(err)
	}
	out := apply(t, func(xs ...*autograd.Var) *autograd.Var { return linear.Forward(xs[0]) }, gorgonia.Nodes{x},
		WithParameters(params, weights), WithoutGradient(0))
	cost := gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(out, y))))))
	if _, err := gorgonia.Grad(cost, weights...); err != nil {
		t.Fatal(err)
	}
	m := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(weights...))
	defer m.Close()
	solver := gorgonia.NewRMSPropSolver(gorgonia.WithLearnRate(0.02))
	var path []float64
	for range 60 {
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		path = append(path, floats(t, cost.Value())[0])
		if err := solver.Step(gorgonia.NodesToValueGrads(weights)); err != nil {
			t.Fatal(err)
		}
		m.Reset()
	}
	if !(path[59] < 0.9*path[0]) {
		t.Errorf("the loss went from %v to %v", path[0], path[59])
	}
	if after := params[0].Tensor().Float64s(); slices.Equal(after, before) || !slices.Equal(after, floats(t, weights[0].Value())) {
		t.Error("the module's weights are not the node's")
	}
	for _, p := range params {
		if p.Gradient() != nil {
			t.Error("a gradient is left in a parameter that belongs to a node")
		}
	}
	// A value that shares no memory is taken over.
	fresh := normals(tensor.Float32, 9, params[0].Shape()...)
	bind(t, weights[0], fresh.Clone())
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
	if got := params[0].Tensor().Float64s(); !slices.Equal(got, fresh.Float64s()) {
		t.Error("the module does not see the node's new value")
	}
}

func TestParametersAsNodesHaveTheirGradientsInBothMachines(t *testing.T) {
	scale := autograd.Parameter(normals(tensor.Float64, 5)) // without axes
	shift := autograd.Parameter(normals(tensor.Float64, 6, 3))
	f := func(xs ...*autograd.Var) *autograd.Var { return xs[0].Mul(scale).Add(shift).Tanh() }
	x := normals(tensor.Float64, 7, 4, 3)
	f(autograd.Constant(x)).BackwardWith(normals(tensor.Float64, 99, 4, 3))
	want := [][]float64{scale.Gradient().Float64s(), shift.Gradient().Float64s()}
	scale.ZeroGrad()
	shift.ZeroGrad()
	for _, m := range machines {
		g := gorgonia.NewGraph()
		weights, err := Parameters(g, scale, shift)
		if err != nil {
			t.Fatal(err)
		}
		cost := weighted(t, apply(t, f, gorgonia.Nodes{newNode(t, g, "x", x)}, WithParameters([]*autograd.Var{scale, shift}, weights)))
		if err := m.run(g, cost, weights); err != nil {
			t.Fatal(err)
		}
		for i, n := range weights {
			d, err := n.Grad()
			if err != nil {
				t.Fatal(err)
			}
			numtest.Near(t, fmt.Sprintf("%s: parameter %d", m.name, i), floats(t, d), want[i], 1e-12)
		}
	}
}

func TestMachinesSwitchTheTrainingMode(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 2, 2))
	var modes []bool
	apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Exp() }, gorgonia.Nodes{x},
		WithTraining(func(on bool) { modes = append(modes, on) }))
	gorgonia.NewTapeMachine(g).Close()
	gorgonia.NewTapeMachine(g, gorgonia.EvalMode()).Close()
	gorgonia.NewLispMachine(g).Close()
	if !slices.Equal(modes, []bool{true, false, true}) {
		t.Errorf("the modes were %v", modes)
	}
}

func TestTheFunctionRunsOnceAStepAndNotForADeclaredShape(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
	w := newNode(t, g, "w", normals(tensor.Float64, 2, 2, 2))
	calls := 0
	y := apply(t, func(xs ...*autograd.Var) *autograd.Var {
		calls++
		return xs[0].MatMul(xs[1])
	}, gorgonia.Nodes{x, w}, WithOutput(tensor.Float64, 3, 2))
	if calls != 0 {
		t.Errorf("the function ran %d times while the graph was built", calls)
	}
	if _, err := gorgonia.Grad(weighted(t, y), x, w); err != nil {
		t.Fatal(err)
	}
	m := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(x, w))
	defer m.Close()
	for step := 1; step <= 3; step++ {
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		if calls != step {
			t.Fatalf("the function ran %d times in %d steps", calls, step)
		}
		m.Reset()
	}
}

// A parameter that one node is tied to and another captures, and that has a gradient
// from elsewhere: the tied node's share goes to the parameter's node, all else stays.
func TestTiedParametersKeepTheirOtherGradients(t *testing.T) {
	x := normals(tensor.Float64, 1, 2, 3)
	p := autograd.Parameter(normals(tensor.Float64, 2, 3))
	free := func(xs ...*autograd.Var) *autograd.Var { return xs[0].Mul(p).Exp().Sum() }
	tied := func(xs ...*autograd.Var) *autograd.Var { return xs[0].Add(p).Tanh().Sum() }
	alone := func(f Func) []float64 {
		defer p.ZeroGrad()
		f(autograd.Constant(x)).Backward()
		return p.Gradient().Float64s()
	}
	wantFree, wantTied := alone(free), alone(tied)
	for _, m := range machines {
		for _, earlier := range []bool{false, true} {
			g := gorgonia.NewGraph()
			weights, err := Parameters(g, p)
			if err != nil {
				t.Fatal(err)
			}
			in := gorgonia.Nodes{newNode(t, g, "x", x)}
			cost := gorgonia.Must(gorgonia.Add(apply(t, tied, in, WithParameters([]*autograd.Var{p}, weights)), apply(t, free, in)))
			p.ZeroGrad()
			want := slices.Clone(wantFree)
			held := tensor.Zeros(tensor.Float64, 3)
			if earlier {
				p.Square().Sum().Backward()
				held = p.Gradient()
			}
			before := held.Float64s()
			for i, v := range before {
				want[i] += v
			}
			if err := m.run(g, cost, append(weights, in...)); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, earlier gradient: %v", m.name, earlier)
			d, err := weights[0].Grad()
			if err != nil {
				t.Fatal(err)
			}
			numtest.Near(t, what+": the node's gradient", floats(t, d), wantTied, 1e-12)
			numtest.Near(t, what+": the parameter's gradient", p.Gradient().Float64s(), want, 1e-12)
			if got := held.Float64s(); !slices.Equal(got, before) {
				t.Errorf("%s: the gradient that was there has become %v, it was %v", what, got, before)
			}
		}
	}
}
