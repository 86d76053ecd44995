// The gated recurrent unit over packed sequences, and its gradient.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// GRURun is what [GRU] has computed, and keeps for its gradient.
type GRURun struct {
	Out *Tensor // [R H], h after each step
	H   *Tensor // [N H], the state after the last one

	steps  Steps
	state  Shape   // [N H]
	gates  *Tensor // [R 3H], after their functions
	before *Tensor // [R H], h before each step
	inner  *Tensor // [R H], what r multiplies
}

// GRU runs a gated recurrent unit (Cho et al. 2014, in torch.nn.GRU's variant) over packed
// sequences. gates [R 3H] are what the inputs add to the gates r, z and n, and are
// overwritten: the run keeps them. weight is that of the states, [3H H], bias [3H] or nil;
// h [N H] is the first state. With s = h weightᵀ + bias, in three parts,
//
//	r, z = σ(gates + s)
//	n    = tanh(gates + r·s)
//	h'   = (1 - z)·n + z·h
//
// A sequence that has ended keeps its state. All are on the CPU.
func GRU(gates, weight, bias, h *Tensor, s Steps) *GRURun {
	const op = "GRU"
	if bias != nil {
		wantSame(op, gates, bias)
	}
	state := wantRecurrent(op, 3, s, gates, weight, h)
	wantRow(op, gates, bias, 3*state[1])
	dt, rows := gates.dtype, Shape{gates.shape[0], state[1]}
	r := &GRURun{Out: empty(dt, rows), H: h.Clone(), steps: s, state: state, gates: gates, before: empty(dt, rows), inner: empty(dt, rows)}
	if dt == Float32 {
		gru[float32](r, weight, bias)
	} else {
		gru[float64](r, weight, bias)
	}
	return r
}

// Saved returns what the run keeps, to be freed when its gradient is no longer wanted.
func (r *GRURun) Saved() []*Tensor { return []*Tensor{r.gates, r.before, r.inner} }

func gru[T Float](r *GRURun, weight, bias *Tensor) {
	n := r.state[1]
	k, w := kern.For[T](), cpu.RowMajor(elems[T](weight), 3*n, n).T()
	gates, before, inner := elems[T](r.gates), elems[T](r.before), elems[T](r.inner)
	out, h := elems[T](r.Out), elems[T](r.H)
	var e cpu.Epilogue[T]
	if bias != nil {
		e.Bias = elems[T](bias)
	}
	scratch := empty(r.gates.dtype, Shape{r.state[0], 3 * n})
	defer scratch.Free()
	sums := elems[T](scratch)
	r.steps.Walk(func(lo, hi int) {
		copy(before[lo*n:hi*n], h)
		cpu.MatMul(cpu.RowMajor(sums, hi-lo, 3*n), cpu.RowMajor(before[lo*n:hi*n], hi-lo, n), w, e)
		forSequences(hi-lo, 6*n, func(i int) {
			x, s := gates[(lo+i)*3*n:(lo+i+1)*3*n], sums[i*3*n:(i+1)*3*n]
			state, in := h[i*n:(i+1)*n], inner[(lo+i)*n:(lo+i+1)*n]
			fresh := x[2*n:]
			k.Add(x[:2*n], x[:2*n], s[:2*n])
			k.Sigmoid(x[:2*n], x[:2*n])
			copy(in, s[2*n:])
			k.MulAdd(fresh, x[:n], in)
			k.Tanh(fresh, fresh)
			k.Sub(state, state, fresh)
			k.Mul(state, state, x[n:2*n])
			k.Add(state, state, fresh)
		})
		copy(out[lo*n:hi*n], h)
	})
}

// Grad returns the gradients of [GRU] with respect to its operands, gOut and gH being those
// of Out and H, nil for none; dSums is that of h weightᵀ + bias at all steps, GradWeight has
// that of the weight.
func (r *GRURun) Grad(weight, gOut, gH *Tensor) (dGates, dSums, dH *Tensor) {
	const op = "GRUGrad"
	dt := r.gates.dtype
	wantWeight(op, weight, dt, Shape{3 * r.state[1], r.state[1]})
	wantGrad(op, gOut, dt, r.before.shape)
	dGates, dSums, dH = empty(dt, r.gates.shape), empty(dt, r.gates.shape), startGrad(op, gH, dt, r.state)
	if dt == Float32 {
		gruGrad[float32](r, weight, gOut, dGates, dSums, dH)
	} else {
		gruGrad[float64](r, weight, gOut, dGates, dSums, dH)
	}
	return dGates, dSums, dH
}

// GradWeight returns the gradient of [GRU] with respect to its weight, dSums being what Grad
// returned.
func (r *GRURun) GradWeight(dSums *Tensor) *Tensor { return MatMul(dSums.Transpose(), r.before) }

func gruGrad[T Float](r *GRURun, weight, gOut, dGates, dSums, dH *Tensor) {
	n := r.state[1]
	k, w := kern.For[T](), cpu.RowMajor(elems[T](weight), 3*n, n)
	gates, before, inner := elems[T](r.gates), elems[T](r.before), elems[T](r.inner)
	d, ds, dh := elems[T](dGates), elems[T](dSums), elems[T](dH)
	var g []T
	if gOut != nil {
		g = elems[T](gOut)
	}
	r.steps.back().Walk(func(lo, hi int) {
		if g != nil {
			k.Add(dh[:(hi-lo)*n], dh[:(hi-lo)*n], g[lo*n:hi*n])
		}
		forSequences(hi-lo, 6*n, func(i int) {
			x, y, s := gates[(lo+i)*3*n:(lo+i+1)*3*n], d[(lo+i)*3*n:(lo+i+1)*3*n], ds[(lo+i)*3*n:(lo+i+1)*3*n]
			gh := dh[i*n : (i+1)*n]
			reset, update, fresh := x[:n], x[n:2*n], x[2*n:]
			k.Sub(y[n:2*n], before[(lo+i)*n:(lo+i+1)*n], fresh)
			k.Mul(y[n:2*n], y[n:2*n], gh)
			k.Mul(s[2*n:], gh, update) // what reaches h by itself
			k.Sub(y[2*n:], gh, s[2*n:])
			copy(gh, s[2*n:])
			k.TanhGrad(y[2*n:], y[2*n:], fresh)
			k.Mul(y[:n], y[2*n:], inner[(lo+i)*n:(lo+i+1)*n])
			k.SigmoidGrad(y[:2*n], y[:2*n], x[:2*n])
			copy(s[:2*n], y[:2*n])
			k.Mul(s[2*n:], y[2*n:], reset)
		})
		timesRows(dh[:(hi-lo)*n], ds[lo*3*n:hi*3*n], hi-lo, w, true)
	})
}
