// Recurrent layers over sequences.

package nn_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// sequencer is what GRU and LSTM have in common, for tests of both: the states are h, or h and
// c; so are the last ones.
type sequencer struct {
	module  any
	weights nn.Weights
	states  int
	forward func(x *autograd.Var, lengths []int, states ...*autograd.Var) []*autograd.Var // out, last states
}

// sequencers makes both layers.
func sequencers(in, hidden int, cfg nn.RecurrentConfig) map[string]sequencer {
	g, l := nn.NewGRU(in, hidden, cfg, nn.NewRNG(1)), nn.NewLSTM(in, hidden, cfg, nn.NewRNG(1))
	return map[string]sequencer{
		"GRU": {g, g.Weights, 1, func(x *autograd.Var, lengths []int, states ...*autograd.Var) []*autograd.Var {
			out, h := g.ForwardLengths(x, lengths, states[0])
			return []*autograd.Var{out, h}
		}},
		"LSTM": {l, l.Weights, 2, func(x *autograd.Var, lengths []int, states ...*autograd.Var) []*autograd.Var {
			out, h, c := l.ForwardLengths(x, lengths, states[0], states[1])
			return []*autograd.Var{out, h, c}
		}},
	}
}

// step returns the states after an input x [1 in], by the loops of the cells.
func (s sequencer) step(suffix string, x *autograd.Var, states [][]float64) [][]float64 {
	w := func(name string) *autograd.Var { return s.weights[name+suffix] }
	vars := make([]*autograd.Var, len(states))
	for k, state := range states {
		vars[k] = autograd.Constant(tensor.FromSlice(state, 1, len(state)))
	}
	if s.states == 1 {
		cell := &nn.GRUCell{WeightIH: w("weight_ih"), WeightHH: w("weight_hh"), BiasIH: w("bias_ih"), BiasHH: w("bias_hh")}
		return [][]float64{gruLoop(cell, x, vars[0])}
	}
	cell := &nn.LSTMCell{WeightIH: w("weight_ih"), WeightHH: w("weight_hh"), BiasIH: w("bias_ih"), BiasHH: w("bias_hh")}
	h, c := lstmLoop(cell, x, vars[0], vars[1])
	return [][]float64{h, c}
}

// loop computes what forward does, a sequence, a layer, a direction and a step at a time.
func (s sequencer) loop(x *autograd.Var, lengths []int, cfg nn.RecurrentConfig, hidden int, states []*autograd.Var) [][]float64 {
	steps, n := x.Shape()[0], x.Shape()[1]
	directions := 1
	if cfg.Bidirectional {
		directions = 2
	}
	width := directions * hidden
	results := [][]float64{make([]float64, steps*n*width)}
	for range states {
		results = append(results, make([]float64, cfg.Layers*directions*n*hidden))
	}
	for i := range n {
		var inputs [][]float64
		for t := range lengths[i] {
			inputs = append(inputs, row(x, t*n+i, x.Shape()[2]))
		}
		for layer := range cfg.Layers {
			outputs := make([][]float64, len(inputs))
			for d := range directions {
				cell := layer*directions + d
				suffix := fmt.Sprintf("_l%d", layer)
				if d == 1 {
					suffix += "_reverse"
				}
				now := make([][]float64, len(states))
				for k, state := range states {
					now[k] = row(state, cell*n+i, hidden)
				}
				for t := range inputs {
					if d == 1 {
						t = len(inputs) - 1 - t
					}
					now = s.step(suffix, autograd.Constant(tensor.FromSlice(inputs[t], 1, len(inputs[t]))), now)
					outputs[t] = append(outputs[t], now[0]...)
				}
				for k := range states {
					copy(results[1+k][(cell*n+i)*hidden:], now[k])
				}
			}
			inputs = outputs
		}
		for t, y := range inputs {
			copy(results[0][(t*n+i)*width:], y)
		}
	}
	return results
}

func TestRecurrentLayersAreLoopsOverCells(t *testing.T) {
	const in, hidden = 3, 5
	for _, c := range []struct {
		steps, n int
		lengths  []int // nil: all
		cfg      nn.RecurrentConfig
	}{
		{4, 3, nil, nn.RecurrentConfig{Layers: 1}},
		{4, 3, nil, nn.RecurrentConfig{Layers: 1, Bidirectional: true, NoBias: true}},
		{3, 2, nil, nn.RecurrentConfig{Layers: 3, NoBias: true}},
		{3, 1, []int{3}, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{5, 4, []int{5, 3, 3, 1}, nn.RecurrentConfig{Layers: 1}},
		{5, 4, []int{1, 5, 0, 4}, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{5, 4, []int{3, 2, 3, 0}, nn.RecurrentConfig{Layers: 3, Bidirectional: true, Dropout: 0.5}},
		{5, 2, []int{0, 0}, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{0, 3, nil, nn.RecurrentConfig{Layers: 2}},
		{0, 3, []int{0, 0, 0}, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{4, 0, nil, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{4, 0, []int{}, nn.RecurrentConfig{Layers: 1}},
		{0, 0, nil, nn.RecurrentConfig{Layers: 1}},
	} {
		lengths := c.lengths
		if lengths == nil {
			lengths = slices.Repeat([]int{c.steps}, c.n)
		}
		directions := 1
		if c.cfg.Bidirectional {
			directions = 2
		}
		for dt, tol := range precisions {
			c.cfg.DType = dt
			for name, s := range sequencers(in, hidden, c.cfg) {
				nn.Eval(s.module)
				x := autograd.Constant(normal(1, c.steps, c.n, in).Tensor().To(dt))
				given := make([]*autograd.Var, s.states)
				for k := range given {
					given[k] = autograd.Constant(normal(uint64(2+k), c.cfg.Layers*directions, c.n, hidden).Tensor().To(dt))
				}
				for _, states := range [][]*autograd.Var{make([]*autograd.Var, s.states), given} {
					results := s.forward(x, c.lengths, states...)
					for k, want := range s.loop(x, lengths, c.cfg, hidden, states) {
						shape := tensor.Shape{c.cfg.Layers * directions, c.n, hidden}
						if k == 0 {
							shape = tensor.Shape{c.steps, c.n, directions * hidden}
						}
						what := fmt.Sprintf("%s of %d steps, lengths %v, %+v, result %d", name, c.steps, c.lengths, c.cfg, k)
						if !results[k].Shape().Equal(shape) {
							t.Errorf("%s: shape %v, want %v", what, results[k].Shape(), shape)
						}
						wantNear(t, what, results[k].Tensor(), 4*tol, want...)
					}
				}
			}
		}
	}
}

// joined returns all elements of Vars, one after the other.
func joined(vs []*autograd.Var) *autograd.Var {
	var flat []*autograd.Var
	for _, v := range vs {
		flat = append(flat, v.Reshape(v.Shape().Size()))
	}
	return autograd.Concat(0, flat...)
}

func TestRecurrentGradientsOfAnyOrder(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		cfg     nn.RecurrentConfig
	}{
		{nil, nn.RecurrentConfig{Layers: 1}},
		{nil, nn.RecurrentConfig{Layers: 2, Bidirectional: true, NoBias: true}},
		{[]int{1, 3, 0}, nn.RecurrentConfig{Layers: 2, Bidirectional: true}},
		{[]int{0, 0, 0}, nn.RecurrentConfig{Layers: 1}},
	} {
		c.cfg.DType = tensor.Float64
		for name, s := range sequencers(2, 2, c.cfg) {
			x, cells := normal(1, 3, 3, 2), c.cfg.Layers
			if c.cfg.Bidirectional {
				cells *= 2
			}
			states := make([]*autograd.Var, s.states)
			for k := range states {
				states[k] = normal(uint64(2+k), cells, 3, 2)
			}
			leaves := append(append(nn.Parameters(s.module), x), states...)
			first := func(...*autograd.Var) *autograd.Var { return joined(s.forward(x, c.lengths, states...)) }
			if err := autograd.Gradcheck(first, leaves); err != nil {
				t.Errorf("%s, lengths %v: %v", name, c.lengths, err)
			}
			if c.cfg.Layers > 1 && c.lengths == nil {
				continue // time
			}
			second := func(...*autograd.Var) *autograd.Var {
				return joined(autograd.Grad(first().Square().Sum(), leaves, autograd.CreateGraph()))
			}
			if err := autograd.Gradcheck(second, leaves, autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
				t.Errorf("%s, lengths %v, second derivatives: %v", name, c.lengths, err)
			}
		}
	}
}

// Each result may be the only one that a loss reads, and only some inputs may want a gradient:
// the kernel's gradients are those of the operations that CreateGraph records.
func TestRecurrentGradientsOfSomeResultsToSomeInputs(t *testing.T) {
	for name, s := range sequencers(3, 4, nn.RecurrentConfig{Layers: 2, Bidirectional: true, DType: tensor.Float64}) {
		for k := range 1 + s.states {
			for _, leaf := range []string{"x", "state", "weight_hh_l0", "bias_ih_l1_reverse"} {
				x, states := autograd.Constant(normal(1, 4, 3, 3).Tensor()), make([]*autograd.Var, s.states)
				for i := range states {
					states[i] = autograd.Constant(normal(uint64(2+i), 4, 3, 4).Tensor())
				}
				nn.Freeze(s.module)
				v := map[string]*autograd.Var{"x": x, "state": states[s.states-1]}[leaf]
				if v == nil {
					v = s.weights[leaf]
				}
				v.SetRequiresGrad(true)
				loss := func() *autograd.Var { return s.forward(x, []int{4, 2, 3}, states...)[k].Sin().Sum() }
				got := autograd.Grad(loss(), []*autograd.Var{v})[0]
				want := autograd.Grad(loss(), []*autograd.Var{v}, autograd.CreateGraph())[0]
				wantNear(t, fmt.Sprintf("%s, result %d, %s", name, k, leaf), got.Tensor(), 1e-13, want.Tensor().Float64s()...)
			}
		}
	}
}

// Gradients of several passes add up, each parameter's by itself.
func TestRecurrentGradientsAddUp(t *testing.T) {
	for name, s := range sequencers(2, 3, nn.RecurrentConfig{DType: tensor.Float64}) {
		x := normal(1, 4, 3, 2)
		var once [][]float64
		for pass := range 2 {
			joined(s.forward(x, nil, make([]*autograd.Var, s.states)...)).Sin().Sum().Backward()
			for k, p := range nn.Parameters(s.module) {
				p.Update(func(_, g *tensor.Tensor) {
					if pass == 0 {
						once = append(once, tensor.Scale(g, 2).Float64s())
					} else {
						wantNear(t, fmt.Sprintf("%s, parameter %d", name, k), g, 1e-15, once[k]...)
					}
				})
			}
		}
	}
}

// readCases returns the tensors of a text file in testdata by case and name.
func readCases(t *testing.T, file string) map[string]map[string]*tensor.Tensor {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases := map[string]map[string]*tensor.Tensor{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		var shape []int
		for _, w := range strings.Split(words[2], ",") {
			n, err := strconv.Atoi(w)
			if err != nil {
				t.Fatal(err)
			}
			shape = append(shape, n)
		}
		var values []float64
		for _, w := range words[3:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
		if cases[words[0]] == nil {
			cases[words[0]] = map[string]*tensor.Tensor{}
		}
		cases[words[0]][words[1]] = tensor.FromSlice(values, shape...)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// With a PyTorch state dict, loaded unchanged, results and gradients are PyTorch's.
func TestRecurrentLayersArePyTorchs(t *testing.T) {
	cases := readCases(t, "recurrent.txt")
	if len(cases) != 6 {
		t.Errorf("%d cases in the file", len(cases))
	}
	packed := nn.RecurrentConfig{Layers: 2, Bidirectional: true}
	for name, cfg := range map[string]nn.RecurrentConfig{"": {}, "_packed": packed, "_no_bias": {Layers: 3, NoBias: true}} {
		cfg.DType = tensor.Float64
		for kind, s := range sequencers(2, 3, cfg) {
			v := cases[strings.ToLower(kind)+name]
			dict := map[string]*tensor.Tensor{}
			for key, value := range v {
				if strings.HasPrefix(key, "weight_") || strings.HasPrefix(key, "bias_") {
					dict[key] = value
				}
			}
			var file bytes.Buffer
			if err := nn.SaveTensors(&file, dict, nil); err != nil {
				t.Fatal(err)
			}
			if err := nn.Load(&file, s.module, nn.PyTorchLayout()); err != nil {
				t.Fatal(err)
			}
			inputs := []*autograd.Var{autograd.Variable(v["x"]), autograd.Variable(v["h"])}
			if s.states == 2 {
				inputs = append(inputs, autograd.Variable(v["c"]))
			}
			var lengths []int
			if name == "_packed" {
				lengths = []int{2, 4, 1}
			}
			var loss *autograd.Var
			for k, y := range s.forward(inputs[0], lengths, inputs[1:]...) {
				result := []string{"out", "h_n", "c_n"}[k]
				wantNear(t, kind+name+" "+result, y.Tensor(), 1e-13, v[result].Float64s()...)
				factors := make([]float64, y.Shape().Size())
				for i := range factors {
					factors[i] = math.Sin(1.7*float64(i) + 0.2)
				}
				term := y.Mul(autograd.Constant(tensor.FromSlice(factors, y.Shape()...))).Sum()
				if loss == nil {
					loss = term
				} else {
					loss = loss.Add(term)
				}
			}
			loss.Backward()
			for k, in := range inputs {
				what := "grad_" + []string{"x", "h", "c"}[k]
				wantNear(t, kind+name+" "+what, in.Gradient(), 1e-13, v[what].Float64s()...)
			}
			for _, p := range nn.NamedParameters(s.module) {
				wantNear(t, kind+name+" gradient of "+p.Name, p.Var.Gradient(), 1e-13, v["grad_"+p.Name].Float64s()...)
			}
		}
	}
}

func TestRecurrentLayersHavePyTorchsNamesShapesAndBounds(t *testing.T) {
	for gates, name := range map[int]string{3: "GRU", 4: "LSTM"} {
		s := sequencers(30, 100, nn.RecurrentConfig{Layers: 2, Bidirectional: true})[name]
		want := map[string]tensor.Shape{}
		for _, suffix := range []string{"_l0", "_l0_reverse", "_l1", "_l1_reverse"} {
			want["weight_ih"+suffix] = tensor.Shape{gates * 100, 30}
			if strings.HasPrefix(suffix, "_l1") {
				want["weight_ih"+suffix] = tensor.Shape{gates * 100, 200}
			}
			want["weight_hh"+suffix] = tensor.Shape{gates * 100, 100}
			want["bias_ih"+suffix], want["bias_hh"+suffix] = tensor.Shape{gates * 100}, tensor.Shape{gates * 100}
		}
		params := nn.NamedParameters(s.module)
		if len(params) != len(want) {
			t.Errorf("%s: %d parameters, want %d", name, len(params), len(want))
		}
		for _, p := range params {
			if !p.Var.Shape().Equal(want[p.Name]) {
				t.Errorf("%s: %s has shape %v, want %v", name, p.Name, p.Var.Shape(), want[p.Name])
			}
			values := p.Var.Tensor().Float64s()
			if hi, lo := slices.Max(values), slices.Min(values); hi > 0.1 || hi < 0.09 || lo < -0.1 || lo > -0.09 {
				t.Errorf("%s: %s is in [%v, %v], want U(-0.1, 0.1)", name, p.Name, lo, hi)
			}
		}
		plain := sequencers(3, 2, nn.RecurrentConfig{NoBias: true})[name]
		if got := names(plain.module); !slices.Equal(got, []string{"weight_hh_l0", "weight_ih_l0"}) {
			t.Errorf("%s of one layer without bias: names %v", name, got)
		}
	}
}

// Of two layers, the second reads what a Dropout with the same stream makes of the first one's
// outputs; there is none behind the last layer, nor in an evaluation.
func TestRecurrentDropoutIsBetweenTheLayers(t *testing.T) {
	const p = 0.4
	x := normal(1, 4, 3, 2)
	g := nn.NewGRU(2, 5, nn.RecurrentConfig{Layers: 2, Dropout: p, DType: tensor.Float64}, nn.NewRNG(7))
	layer := func(k int) *nn.GRU {
		one := &nn.GRU{Weights: nn.Weights{}, Layers: 1, P: p}
		for _, name := range []string{"weight_ih", "weight_hh", "bias_ih", "bias_hh"} {
			one.Weights[name+"_l0"] = g.Weights[fmt.Sprintf("%s_l%d", name, k)]
		}
		return one
	}
	first, second, drop := layer(0), layer(1), &nn.Dropout{Stochastic: g.Stochastic, P: p}
	var outs [][]float64
	for _, training := range []bool{true, true, false} {
		nn.SetTraining(g, training)
		nn.SetTraining(drop, training)
		out, last := g.Forward(x, nil)
		h, lastFirst := first.Forward(x, nil)
		want, lastSecond := second.Forward(drop.Forward(h), nil)
		wantNear(t, "out", out.Tensor(), 0, want.Tensor().Float64s()...)
		wantNear(t, "last", last.Tensor(), 0, append(lastFirst.Tensor().Float64s(), lastSecond.Tensor().Float64s()...)...)
		outs = append(outs, out.Tensor().Float64s())
	}
	if slices.Equal(outs[0], outs[1]) || slices.Equal(outs[1], outs[2]) {
		t.Error("two passes have the same outputs")
	}
}

// What lies behind the end of a sequence is not read, be it no number.
func TestRecurrentLayersDoNotReadBehindTheEnd(t *testing.T) {
	for name, s := range sequencers(2, 3, nn.RecurrentConfig{Layers: 2, Bidirectional: true}) {
		lengths := []int{2, 0, 3}
		run := func(behind float64) (bits []float64) {
			x := autograd.Variable(normal(1, 4, 3, 2).Tensor().To(tensor.Float32))
			data := tensor.Data[float32](x.Tensor())
			for i := range data {
				if step, sequence := i/6, i/2%3; step >= lengths[sequence] {
					data[i] = float32(behind)
				}
			}
			nn.ZeroGrad(s.module)
			results := s.forward(x, lengths, make([]*autograd.Var, s.states)...)
			joined(results).Sin().Sum().Backward()
			bits = append(joined(results).Tensor().Float64s(), x.Gradient().Float64s()...)
			for _, p := range nn.Parameters(s.module) {
				bits = append(bits, p.Gradient().Float64s()...)
			}
			return bits
		}
		if want := run(0); !slices.Equal(run(math.NaN()), want) {
			t.Errorf("%s: NaN behind the ends changes results or gradients", name)
		}
	}
}

func TestRecurrentLayersTakeSequencesThatLieOneAfterTheOther(t *testing.T) {
	for name, s := range sequencers(2, 3, nn.RecurrentConfig{DType: tensor.Float64}) {
		x := normal(1, 4, 3, 2) // [N T in]
		across := autograd.Constant(x.Tensor().Transpose(1, 0, 2).Contiguous())
		states := make([]*autograd.Var, s.states)
		got, want := s.forward(x.Transpose(1, 0, 2), nil, states...)[0], s.forward(across, nil, states...)[0]
		wantNear(t, name, got.Tensor(), 0, want.Tensor().Float64s()...)
		got.Sin().Sum().Backward()
		one := s.forward(x.Slice(0, 1, 2).Transpose(1, 0, 2), nil, states...)[0]
		wantNear(t, name+" of one", one.Tensor(), 1e-15, got.Slice(1, 1, 2).Tensor().Float64s()...)
	}
}

// Forward and backward, large enough that steps are split, in a Scope and without.
func TestRecurrentLayersAreTheSameForAnyThreadsAndInAScope(t *testing.T) {
	defer tensor.SetThreads(0)
	for name, s := range sequencers(16, 64, nn.RecurrentConfig{Layers: 2, Bidirectional: true}) {
		x := autograd.Constant(normal(7, 5, 300, 16).Tensor().To(tensor.Float32))
		lengths := make([]int, 300)
		for i := range lengths {
			lengths[i] = i * 7 % 6
		}
		run := func(threads int, scope bool) (bits []float64) {
			tensor.SetThreads(threads)
			nn.ZeroGrad(s.module)
			step := func(xs ...*autograd.Var) *autograd.Var {
				loss := joined(s.forward(xs[0], lengths, make([]*autograd.Var, s.states)...)).Square().Mean()
				loss.Backward()
				return loss
			}
			loss := step
			if scope {
				loss = func(xs ...*autograd.Var) *autograd.Var { return autograd.Scope(step, xs...) }
			}
			bits = loss(x).Tensor().Float64s()
			for _, p := range nn.Parameters(s.module) {
				bits = append(bits, p.Gradient().Float64s()...)
			}
			return bits
		}
		want := run(1, false)
		for _, threads := range []int{2, 3, 8} {
			if !slices.Equal(run(threads, threads == 3), want) {
				t.Errorf("%s: %d threads give other bits", name, threads)
			}
		}
	}
}

// A run keeps the gates: they go back to the pool with the backward pass, or at once if there is
// none to come.
func TestRecurrentLayersLeaveNoMemoryBehind(t *testing.T) {
	for name, s := range sequencers(32, 32, nn.RecurrentConfig{}) {
		x := autograd.Constant(normal(1, 50, 20, 32).Tensor().To(tensor.Float32))
		cotangent := tensor.Ones(tensor.Float32, 50, 20, 32)
		for _, training := range []bool{false, true} {
			in := autograd.NoGrad(x)
			if training {
				in = x
			}
			before := tensor.MemoryStats().Live
			results := s.forward(in, nil, make([]*autograd.Var, s.states)...)
			if training {
				results[0].BackwardWith(cotangent)
			}
			if more := tensor.MemoryStats().Live - before; more > 200<<10 {
				t.Errorf("%s, training %v: %d bytes are left; the outputs have 125 KiB, gradients 32", name, training, more)
			}
			for _, y := range results {
				y.Tensor()
			}
		}
	}
}

func TestRecurrentLayersRejectMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	zeros := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	doubles := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float64, shape...)) }
	gru, lstm := nn.NewGRU(3, 2, nn.RecurrentConfig{}, r), nn.NewLSTM(3, 2, nn.RecurrentConfig{Layers: 2, Bidirectional: true}, r)
	x := zeros(4, 2, 3)
	without := func(name string) *nn.GRU {
		g := nn.NewGRU(3, 2, nn.RecurrentConfig{}, r)
		delete(g.Weights, name)
		return g
	}
	with := func(name string, v *autograd.Var) *nn.GRU {
		g := nn.NewGRU(3, 2, nn.RecurrentConfig{}, r)
		g.Weights[name] = v
		return g
	}
	changed := func() {
		g := nn.NewGRU(3, 2, nn.RecurrentConfig{}, r)
		y, _ := g.Forward(x, nil)
		g.Weights["weight_hh_l0"].MarkChanged()
		y.Sum().Backward()
	}
	firstWithout := nn.NewLSTM(3, 2, nn.RecurrentConfig{Layers: 2}, r)
	firstWithout.Weights["bias_ih_l0"], firstWithout.Weights["bias_hh_l0"] = nil, nil
	for want, f := range map[string]func(){
		"nn: NewGRU: negative size: -1 to 2":                             func() { nn.NewGRU(-1, 2, nn.RecurrentConfig{}, r) },
		"nn: NewLSTM: negative size: 1 to -2":                            func() { nn.NewLSTM(1, -2, nn.RecurrentConfig{}, r) },
		"nn: NewGRU: -1 layers":                                          func() { nn.NewGRU(1, 2, nn.RecurrentConfig{Layers: -1}, r) },
		"nn: NewLSTM: probability NaN is outside [0, 1]":                 func() { nn.NewLSTM(1, 2, nn.RecurrentConfig{Dropout: math.NaN()}, r) },
		"nn: NewGRU: probability 1.5 is outside [0, 1]":                  func() { nn.NewGRU(1, 2, nn.RecurrentConfig{Dropout: 1.5}, r) },
		"nn: RNG: is nil":                                                func() { nn.NewGRU(1, 2, nn.RecurrentConfig{}, nil) },
		"nn: GRU: the layer is nil; make it with NewGRU":                 func() { (*nn.GRU)(nil).Forward(x, nil) },
		"nn: LSTM: the layer is nil; make it with NewLSTM":               func() { (*nn.LSTM)(nil).Forward(x, nil, nil) },
		"nn: LSTM: it has 0 layers; make it with NewLSTM":                func() { (&nn.LSTM{}).Forward(x, nil, nil) },
		"nn: GRU: it has no weight_hh_l0; make it with NewGRU":           func() { (&nn.GRU{Layers: 1}).Forward(x, nil) },
		"nn: GRU: it has no bias_hh_l0; make it with NewGRU":             func() { without("bias_hh_l0").Forward(x, nil) },
		"nn: GRU: it has no bias_ih_l0; make it with NewGRU":             func() { without("bias_ih_l0").Forward(x, nil) },
		"nn: LSTM: it has no bias_ih_l0; make it with NewLSTM":           func() { firstWithout.Forward(x, nil, nil) },
		"nn: GRU: weight_ih_l0 has shape [7 3], want [6 3]":              func() { with("weight_ih_l0", zeros(7, 3)).Forward(x, nil) },
		"nn: GRU: weight_hh_l0 has shape [2], want a matrix":             func() { with("weight_hh_l0", zeros(2)).Forward(x, nil) },
		"nn: GRU: weight_ih_l0 has shape [], want a matrix":              func() { with("weight_ih_l0", zeros()).Forward(x, nil) },
		"nn: GRU: bias_ih_l0 has shape [6 1], want [6]":                  func() { with("bias_ih_l0", zeros(6, 1)).Forward(x, nil) },
		"nn: GRU: an operand is nil":                                     func() { gru.Forward(nil, nil) },
		"nn: GRU: input of shape [2 3], want [T N 3]":                    func() { gru.Forward(zeros(2, 3), nil) },
		"nn: LSTM: input of shape [4 2 5], want [T N 3]":                 func() { lstm.Forward(zeros(4, 2, 5), nil, nil) },
		"nn: GRU: the input is f64, weight_ih_l0 f32":                    func() { gru.Forward(doubles(4, 2, 3), nil) },
		"nn: GRU: state of shape [2 2], want [1 2 2]":                    func() { gru.Forward(x, zeros(2, 2)) },
		"nn: LSTM: state of shape [4 1 2], want [4 2 2]":                 func() { lstm.Forward(x, nil, zeros(4, 1, 2)) },
		"nn: LSTM: the input is f32, the state f64":                      func() { lstm.Forward(x, doubles(4, 2, 2), nil) },
		"nn: GRU: 3 lengths of 2 sequences: x is [T N in], with 4 steps": func() { gru.ForwardLengths(x, []int{1, 2, 3}, nil) },
		"nn: GRU: 0 lengths of 2 sequences":                              func() { gru.ForwardLengths(x, []int{}, nil) },
		"nn: LSTM: sequence 1 has length 5; x has 4 steps":               func() { lstm.ForwardLengths(x, []int{4, 5}, nil, nil) },
		"nn: LSTM: sequence 0 has length -1; x has 4 steps":              func() { lstm.ForwardLengths(x, []int{-1, 0}, nil, nil) },
		"autograd: GRU: backward: operand 3 was changed after the forwa": changed,
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A frozen encoder: its backward pass makes no gradient of a weight that nobody wants.
func TestFrozenRecurrentWeightsHaveNoGradientsMade(t *testing.T) {
	const hidden = 64
	for name, s := range sequencers(hidden, hidden, nn.RecurrentConfig{NoBias: true}) {
		took := func() int64 {
			x := autograd.Variable(tensor.Ones(tensor.Float32, 2, 1, hidden))
			loss := s.forward(x, nil, make([]*autograd.Var, s.states)...)[0].Sum()
			before := tensor.MemoryStats().Allocated
			autograd.Grad(loss, []*autograd.Var{x})
			return tensor.MemoryStats().Allocated - before
		}
		all := took()
		nn.Freeze(s.module)
		weights := int64(0)
		for _, p := range nn.Parameters(s.module) {
			weights += int64(p.Tensor().Bytes())
		}
		if frozen := took(); all-frozen < weights {
			t.Errorf("%s: a backward pass takes %d bytes, %d with frozen weights of %d", name, all, frozen, weights)
		}
	}
}
