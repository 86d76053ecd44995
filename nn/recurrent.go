// What recurrent layers over sequences share: settings, weights by name, sequences of
// different lengths, the way through layers and directions.

package nn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// RecurrentConfig has what [GRU] and [LSTM] have beside their sizes.
type RecurrentConfig struct {
	Layers        int     // 1 by default
	Bidirectional bool    // every layer goes from the end to the beginning, too
	Dropout       float64 // probability, between the layers
	NoBias        bool
	DType         tensor.DType
}

// Weights are parameters by name, of layers that have as many as they are told. Embedded in
// a module they keep the names: [NamedParameters] lists them in alphabetical order.
type Weights map[string]*autograd.Var

// cellWeights are the parameters of one layer in one direction.
type cellWeights struct {
	ih, hh, biasIH, biasHH *autograd.Var // the biases nil, or both there
}

func (w cellWeights) list() []*autograd.Var {
	if w.biasIH == nil {
		return []*autograd.Var{w.ih, w.hh}
	}
	return []*autograd.Var{w.ih, w.hh, w.biasIH, w.biasHH}
}

// listedWeights is the inverse of list.
func listedWeights(vs []*autograd.Var) cellWeights {
	if len(vs) == 2 {
		return cellWeights{ih: vs[0], hh: vs[1]}
	}
	return cellWeights{vs[0], vs[1], vs[2], vs[3]}
}

// cellSuffix ends the names of the weights of a cell.
func cellSuffix(layer, direction int) string {
	if direction == 1 {
		return fmt.Sprintf("_l%d_reverse", layer)
	}
	return fmt.Sprintf("_l%d", layer)
}

// newRecurrent checks the settings of a layer, fills in what is left out, and makes the
// weights.
func newRecurrent(op string, gates, in, hidden int, cfg RecurrentConfig, r *RNG) (RecurrentConfig, Weights) {
	switch {
	case cfg.Layers < 0:
		misuse(op, fmt.Sprintf("%d layers", cfg.Layers))
	case !(cfg.Dropout >= 0 && cfg.Dropout <= 1):
		misuse(op, fmt.Sprintf("probability %v is outside [0, 1]", cfg.Dropout))
	}
	cfg.Layers = max(cfg.Layers, 1)
	directions := 1
	if cfg.Bidirectional {
		directions = 2
	}
	weights := Weights{}
	for layer := range cfg.Layers {
		for direction := range directions {
			ih, hh, biasIH, biasHH := newCellWeights(op, gates, in, hidden, CellConfig{NoBias: cfg.NoBias, DType: cfg.DType}, r)
			suffix := cellSuffix(layer, direction)
			weights["weight_ih"+suffix], weights["weight_hh"+suffix] = ih, hh
			if !cfg.NoBias {
				weights["bias_ih"+suffix], weights["bias_hh"+suffix] = biasIH, biasHH
			}
		}
		in = directions * hidden
	}
	return cfg, weights
}

// recurrent is a recurrent layer as one call sees it.
type recurrent struct {
	op            string
	gates         int // of a cell
	stochastic    *Stochastic
	weights       Weights
	layers        int
	bidirectional bool
	p             float64
	// run takes a cell through the steps of x [R in] from its states, all [N hidden]: the
	// result is the first state after each step, [R hidden], then the last of each.
	run func(w cellWeights, x *autograd.Var, states []*autograd.Var, s tensor.Steps) []*autograd.Var
}

func (r *recurrent) directions() int {
	if r.bidirectional {
		return 2
	}
	return 1
}

// forward takes x [T N in] through all layers, each of states being nil or
// [layers·directions N hidden], and returns the last layer's outputs and the last states.
func (r *recurrent) forward(x *autograd.Var, lengths []int, states ...*autograd.Var) (out *autograd.Var, last []*autograd.Var) {
	cells, hidden := r.cells(x)
	steps, n := x.Shape()[0], x.Shape()[1]
	p := r.pack(lengths, steps, n)
	firsts := r.firstStates(states, x, n, hidden)
	rows := x.Reshape(steps*n, x.Shape()[2])
	if p.rows != nil {
		rows = rows.IndexSelect(p.rows)
	}
	lasts := make([][]*autograd.Var, len(states))
	for i, w := range cells {
		direction := i % r.directions()
		begin := make([]*autograd.Var, len(states))
		for k := range states {
			begin[k] = p.sort(firsts[k](i))
		}
		results := r.run(w, rows, begin, tensor.Steps{Rows: p.steps, Reverse: direction == 1})
		for k, s := range results[1:] {
			lasts[k] = append(lasts[k], p.unsort(s))
		}
		if direction == 0 {
			out = results[0]
		} else {
			out = autograd.Concat(1, out, results[0])
		}
		if direction < r.directions()-1 {
			continue
		}
		if rows = out; i < len(cells)-1 && r.p > 0 && r.stochastic.Training() {
			rows = autograd.Dropout(rows, r.p, r.stochastic.NextSeed())
		}
	}
	if p.rows != nil {
		out = out.ScatterAddRows(steps*n, p.rows)
	}
	for _, s := range lasts {
		last = append(last, autograd.Stack(0, s...))
	}
	return out.Reshape(steps, n, r.directions()*hidden), last
}

// cells returns the weights of all cells, layer by layer, and the number of hidden features.
// It panics unless they and x fit together.
func (r *recurrent) cells(x *autograd.Var) (cells []cellWeights, hidden int) {
	if r.layers < 1 {
		misuse(r.op, fmt.Sprintf("it has %d layers; make it with New%s", r.layers, r.op))
	}
	weight := func(name string) *autograd.Var {
		w := r.weights[name]
		if w == nil {
			misuse(r.op, "it has no "+name+"; make it with New"+r.op)
		}
		return w
	}
	if s := weight("weight_hh_l0").Shape(); len(s) == 2 {
		hidden = s[1]
	} else {
		misuse(r.op, fmt.Sprintf("weight_hh_l0 has shape %v, want a matrix", s))
	}
	wantVars(r.op, x)
	s, ih := x.Shape(), weight("weight_ih_l0").Shape()
	if len(ih) != 2 {
		misuse(r.op, fmt.Sprintf("weight_ih_l0 has shape %v, want a matrix", ih))
	}
	if len(s) != 3 || s[2] != ih[1] {
		misuse(r.op, fmt.Sprintf("input of shape %v, want [T N %d]", s, ih[1]))
	}
	in, noBias := s[2], true
	for name, w := range r.weights { // one bias calls for all
		noBias = noBias && (w == nil || !strings.HasPrefix(name, "bias_"))
	}
	for layer := range r.layers {
		for direction := range r.directions() {
			suffix := cellSuffix(layer, direction)
			get := func(name string, shape ...int) *autograd.Var {
				w := weight(name + suffix)
				if !w.Shape().Equal(shape) {
					misuse(r.op, fmt.Sprintf("%s%s has shape %v, want %v", name, suffix, w.Shape(), tensor.Shape(shape)))
				}
				if w.DType() != x.DType() {
					misuse(r.op, fmt.Sprintf("the input is %v, %s%s %v", x.DType(), name, suffix, w.DType()))
				}
				return w
			}
			w := cellWeights{ih: get("weight_ih", r.gates*hidden, in), hh: get("weight_hh", r.gates*hidden, hidden)}
			if !noBias {
				w.biasIH, w.biasHH = get("bias_ih", r.gates*hidden), get("bias_hh", r.gates*hidden)
			}
			cells = append(cells, w)
		}
		in = r.directions() * hidden
	}
	return cells, hidden
}

// firstStates returns, for each of states, the function of a cell's number that gives the
// one that it begins with, [n hidden].
func (r *recurrent) firstStates(states []*autograd.Var, x *autograd.Var, n, hidden int) []func(cell int) *autograd.Var {
	firsts := make([]func(cell int) *autograd.Var, len(states))
	for k, s := range states {
		if s == nil {
			zeros := autograd.Constant(tensor.ZerosOn(x.Device(), x.DType(), n, hidden))
			firsts[k] = func(int) *autograd.Var { return zeros }
			continue
		}
		if want := (tensor.Shape{r.layers * r.directions(), n, hidden}); !s.Shape().Equal(want) {
			misuse(r.op, fmt.Sprintf("state of shape %v, want %v", s.Shape(), want))
		}
		if s.DType() != x.DType() {
			misuse(r.op, fmt.Sprintf("the input is %v, the state %v", x.DType(), s.DType()))
		}
		firsts[k] = func(cell int) *autograd.Var { return s.Slice(0, cell, cell+1).Reshape(n, hidden) }
	}
	return firsts
}

// packed says how sequences of different lengths are packed, as tensor.Steps wants them.
type packed struct {
	steps []int   // how many sequences have each step
	rows  []int32 // of [T·N ...] in the order of the packed rows; nil: all as they are
	order []int32 // of the sequences, by descending length; nil: as they are
	place []int32 // the inverse of order
}

// pack returns how n sequences of the given lengths, nil for all steps, are packed.
func (r *recurrent) pack(lengths []int, steps, n int) packed {
	if lengths == nil {
		return packed{steps: slices.Repeat([]int{n}, steps)}
	}
	if len(lengths) != n {
		misuse(r.op, fmt.Sprintf("%d lengths of %d sequences: x is [T N in], with %d steps", len(lengths), n, steps))
	}
	for i, length := range lengths {
		if length < 0 || length > steps {
			misuse(r.op, fmt.Sprintf("sequence %d has length %d; x has %d steps", i, length, steps))
		}
	}
	p := packed{order: make([]int32, n), place: make([]int32, n), rows: []int32{}}
	for i := range p.order {
		p.order[i] = int32(i)
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(lengths[b], lengths[a]) })
	for to, from := range p.order {
		p.place[from] = int32(to)
	}
	count := n
	for t := range steps {
		for count > 0 && lengths[p.order[count-1]] <= t {
			count--
		}
		p.steps = append(p.steps, count)
		for _, i := range p.order[:count] {
			p.rows = append(p.rows, int32(t*n)+i)
		}
	}
	return p
}

// sort puts the rows of a state into the order of the packed sequences, unsort back.
func (p *packed) sort(state *autograd.Var) *autograd.Var   { return pick(state, p.order) }
func (p *packed) unsort(state *autograd.Var) *autograd.Var { return pick(state, p.place) }

func pick(state *autograd.Var, rows []int32) *autograd.Var {
	if rows == nil {
		return state
	}
	return state.IndexSelect(rows)
}

// stepwise takes states through the steps of gi, what the inputs give to the gates, in
// operations of the tape: where there is no kernel for all steps, and for gradients of
// gradients. Its results are those of recurrent.run.
func stepwise(gi *autograd.Var, states []*autograd.Var, s tensor.Steps, step func(gi *autograd.Var, states []*autograd.Var) []*autograd.Var) []*autograd.Var {
	states = slices.Clone(states)
	n := states[0].Shape()[0]
	outputs := []*autograd.Var{states[0].Slice(0, 0, 0)} // there may be no step
	s.Walk(func(lo, hi int) {
		count := hi - lo
		begin := make([]*autograd.Var, len(states))
		for k, state := range states {
			begin[k] = state.Slice(0, 0, count)
		}
		for k, next := range step(gi.Slice(0, lo, hi), begin) {
			if k == 0 {
				outputs = append(outputs, next)
			}
			if count < n { // those that have ended stay
				next = autograd.Concat(0, next, states[k].Slice(0, count, n))
			}
			states[k] = next
		}
	})
	if s.Reverse {
		slices.Reverse(outputs)
	}
	return append([]*autograd.Var{autograd.Concat(0, outputs...)}, states...)
}

// ifWanted returns the gradient of v, which is not computed if v requires none.
func ifWanted(v *autograd.Var, gradient func() *tensor.Tensor) *tensor.Tensor {
	if !v.RequiresGrad() {
		return nil
	}
	return gradient()
}
