// Memory that backward passes give back for reuse: never what is still held.

package autograd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// side is the length of the matrices here: their buffers are large enough to
// come from the pool.
const side = 40

// churn takes buffers of the sizes that the tests here use from the pool, writes
// NaN all over them, and gives half of them back: who reads memory that was given
// back too early sees NaN.
func churn() {
	for _, n := range []int{side * side, 2 * side * side, 50 * 60, 50 * 50} {
		for k := range 6 {
			t := tensor.Full(tensor.Float32, math.NaN(), n)
			if k%2 == 0 {
				t.Free()
			}
		}
	}
}

// A randomGraph is a random program run on leaves: it may use every result again,
// through views and in place of either operand.
type randomGraph struct {
	leaves   []*Var
	captured *Var // the leaf that the functions of checkpoints capture
	results  []*Var
}

// A step of a program takes bytes from it.
type program []byte

func (p *program) next() byte {
	if len(*p) == 0 {
		return 0
	}
	b := (*p)[0]
	*p = (*p)[1:]
	return b
}

// newRandomGraph runs a program. Checkpoints are run as such only if asked for.
func newRandomGraph(code program, checkpoints bool) *randomGraph {
	leaves := newLeaves()
	r := &randomGraph{leaves: leaves, captured: leaves[0]}
	r.run(code, checkpoints)
	return r
}

func newLeaves() (leaves []*Var) {
	for i := range 3 {
		leaves = append(leaves, Variable(randomTensor(uint64(i+1), nonzero, side, side).To(tensor.Float32)))
	}
	return leaves
}

func (r *randomGraph) run(code program, checkpoints bool) {
	constant := Constant(randomTensor(9, nonzero, side, side).To(tensor.Float32))
	for len(code) > 0 && len(r.results) < 24 {
		op, a, b := code.next(), r.pick(code.next()), r.pick(code.next())
		r.results = append(r.results, r.apply(op, a, b, constant, checkpoints))
	}
}

func (r *randomGraph) pick(k byte) *Var {
	n := len(r.leaves) + len(r.results)
	if i := n - 1 - int(k)%n; i >= len(r.leaves) {
		return r.results[i-len(r.leaves)]
	}
	return r.leaves[int(k)%len(r.leaves)]
}

// numKinds is how many kinds of steps apply has.
const numKinds = 28

func (r *randomGraph) apply(op byte, a, b, constant *Var, checkpoints bool) *Var {
	switch op % numKinds {
	case 0:
		return a.Add(b)
	case 1:
		return a.Sub(b.Transpose())
	case 2:
		return a.Mul(b).Tanh()
	case 3:
		return a.MatMul(b).Scale(0.1).Tanh()
	case 4:
		return a.Transpose()
	case 5:
		return a.Reshape(side/2, 2*side).Transpose().Reshape(side, side)
	case 6:
		return a.Slice(0, 3, 4).BroadcastTo(side, side)
	case 7:
		return Concat(1, a.Slice(1, side/2, side), b.Slice(1, 0, side/2))
	case 8:
		return Concat(0, a, b).Slice(0, side/4, side+side/4)
	case 9:
		return a.Add(b.Sum(0).Scale(1.0 / side))
	case 10:
		return Linear(a, b, b.Slice(0, 0, 1).Reshape(side), true).Scale(0.1)
	case 11:
		return a.AddScalar(1)
	case 12:
		return a.ReLU().Add(a)
	case 13:
		return a.Softmax().Sub(b.Mul(constant).Tanh())
	case 14:
		rows := []int32{7, 7, 0}
		return a.Add(b.IndexSelect(rows).ScatterAddRows(side, rows).Tanh())
	case 15: // hands its gradient on, to both
		return Custom("sum", []*Var{a, b}, []*tensor.Tensor{tensor.Add(a.Tensor(), b.Tensor())},
			func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{gs[0], gs[0]} })[0]
	case 16: // hands a view of its gradient on
		return Custom("transposed", []*Var{a, b}, []*tensor.Tensor{tensor.Add(a.Tensor().Transpose(), b.Tensor())},
			func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{gs[0].Transpose(), gs[0]} })[0]
	case 17:
		a = a.AddScalar(0)
		a.RegisterHook(func(g *Var) *Var { churn(); return g.Transpose().Transpose() })
		return a.Add(b)
	case 18:
		return checkpoint(checkpoints, func(xs ...*Var) *Var { return xs[0].Mul(xs[1]).Add(r.captured).Tanh() }, a, b)
	case 19:
		return checkpoint(checkpoints, func(xs ...*Var) *Var { return xs[0].Transpose().AddScalar(1) }, a)
	case 20:
		return Where(a.Greater(b.Transpose()), a, b)
	case 21:
		return a.CumSum(0).Scale(1.0 / side).Add(b.Flip(1))
	case 22:
		return a.Sub(b.MaxKeep(1)).Add(b.Max())
	case 23:
		return a.Gather(0, a.Argmax(1).Unsqueeze(0)).BroadcastTo(side, side).Add(b)
	case 24:
		y, _ := a.TopK(side, true)
		return y.Sub(b.LogSumExpKeep(0))
	case 25:
		return Stack(0, a, b).MeanKeep(0).Squeeze(0)
	case 26:
		return a.Tril(0).Add(b.Roll(3, 1)).Mul(b.StdKeep(0, 1)).Tanh()
	default:
		return LayerNorm(Linear(a, b, nil, false).Scale(0.1), nil, nil, 1e-5)
	}
}

func checkpoint(on bool, f func(xs ...*Var) *Var, xs ...*Var) *Var {
	if on {
		return Checkpoint(f, xs...)
	}
	return f(xs...)
}

// loss contracts the last results with a fixed cotangent.
func (r *randomGraph) loss() *Var {
	y := r.leaves[0].Scale(0.5)
	for _, v := range r.results[max(0, len(r.results)-3):] {
		y = y.Add(v)
	}
	return y.Mul(Constant(randomTensor(77, nonzero, side, side).To(tensor.Float32))).Sum()
}

// held is tensors and what they must go on to hold.
type held struct {
	what []string
	ts   []*tensor.Tensor
	want [][]float32
}

func bits32(t *tensor.Tensor) []float32 { return slices.Clone(tensor.Data[float32](t.Contiguous())) }

func (h *held) keep(what string, t *tensor.Tensor) {
	h.what, h.ts, h.want = append(h.what, what), append(h.ts, t), append(h.want, bits32(t))
}

func (h *held) check() error {
	for i, t := range h.ts {
		if !slices.Equal(bits32(t), h.want[i]) {
			return fmt.Errorf("%s changed while it was held", h.what[i])
		}
	}
	return nil
}

// checkHeld runs a program forward and back in all ways, keeps everything that a
// user can hold, and compares every gradient with that of a pass which creates a
// graph and so gives no memory back.
func checkHeld(code program) error {
	truth := newRandomGraph(code, false)
	r := newRandomGraph(code, true)
	all := func(r *randomGraph) []*Var { return slices.Concat(r.leaves, r.results) }
	wants := Grad(truth.loss(), all(truth), CreateGraph())

	var h held
	for i, v := range all(r) {
		h.keep(fmt.Sprintf("value %d", i), v.Tensor())
	}
	for i, v := range all(r) {
		if i%3 == 0 {
			v.RegisterHook(func(g *Var) *Var {
				h.keep(fmt.Sprintf("the gradient %d that a hook got", i), g.Tensor())
				churn()
				return nil
			})
		}
		if i%4 == 1 {
			v.RetainGrad()
		}
	}
	compare := func(what string, i int, got *tensor.Tensor) error {
		switch want := wants[i]; {
		case got == nil && want == nil:
		case got == nil || want == nil:
			return fmt.Errorf("%s %d: %v, want %v", what, i, got, want)
		default: // rounded otherwise: rules are fused where no graph is created
			gs := bits32(got)
			for k, w := range bits32(want.Tensor()) {
				g := gs[k]
				if !(math.Abs(float64(g-w)) <= 1e-3*(1+math.Abs(float64(w)))) {
					return fmt.Errorf("%s %d, element %d: %v, want %v", what, i, k, g, w)
				}
			}
		}
		return nil
	}
	loss := r.loss()
	for pass := range 3 {
		for i, g := range Grad(loss, all(r), RetainGraph()) {
			if g == nil {
				g = &Var{}
			} else {
				h.keep(fmt.Sprintf("gradient %d of Grad", i), g.Tensor())
			}
			if err := compare("Grad of", i, g.value); err != nil {
				return err
			}
		}
		churn()
		for _, v := range all(r) {
			v.ZeroGrad()
		}
		if pass == 2 {
			loss.Backward()
		} else {
			loss.Backward(RetainGraph())
		}
		for i, v := range all(r) {
			if v.node != nil && !v.retains {
				continue
			}
			if err := compare("gradient of", i, v.Gradient()); err != nil {
				return err
			}
			if v.Gradient() != nil {
				h.keep(fmt.Sprintf("gradient of %d", i), v.Gradient())
			}
		}
		churn()
		if err := h.check(); err != nil {
			return err
		}
	}
	return nil
}

func randomProgram(seed uint64, steps int) program {
	s := rng.NewStream(seed, 5)
	code := make(program, 3*steps)
	for i := range code {
		code[i] = byte(s.Uint64())
	}
	return code
}

func TestBackwardKeepsWhatIsHeld(t *testing.T) {
	n := uint64(40)
	if testing.Short() {
		n = 12
	}
	for seed := range n {
		if err := checkHeld(randomProgram(seed, 3+int(seed%14))); err != nil {
			t.Errorf("program %d: %v", seed, err)
		}
	}
	for op := range byte(numKinds) { // each alone, and on its own result
		if err := checkHeld(program{op, 0, 1, op, 0, 0}); err != nil {
			t.Errorf("operation %d: %v", op, err)
		}
	}
}

func FuzzBackwardKeepsWhatIsHeld(f *testing.F) {
	for seed := range uint64(8) {
		f.Add([]byte(randomProgram(seed, 6)))
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		if err := checkHeld(code); err != nil {
			t.Error(err)
		}
	})
}

// A long chain of operations needs memory for a few gradients, not for all.
func TestBackwardGivesGradientsBackAsItGoes(t *testing.T) {
	x := Variable(randomTensor(1, nonzero, side, side).To(tensor.Float32))
	w := Constant(randomTensor(2, nonzero, side, side).To(tensor.Float32))
	row := Variable(randomTensor(3, nonzero, side).To(tensor.Float32))
	y := x
	for range 20 {
		y = y.Mul(w).Tanh().MatMul(w).Scale(0.1).Add(row).Transpose().Maximum(w).Sub(y.MaxKeep(0)).Softmax()
	}
	loss := y.Square().Sum()
	before := tensor.MemoryStats().Live
	tensor.ResetPeakMemory()
	loss.Backward()
	const buffer = 7 << 10 // of side² float32, as the pool rounds it up
	if more := tensor.MemoryStats().Peak - before; more > 12*buffer {
		t.Errorf("the backward pass of 180 operations had %d bytes more than the forward pass at once, or %d gradients", more, more/buffer)
	}
}
