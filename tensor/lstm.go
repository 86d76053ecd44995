// The long short-term memory over packed sequences, and its gradient.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// LSTMRun is what [LSTM] has computed, and keeps for its gradient.
type LSTMRun struct {
	Out  *Tensor // [R H], h after each step
	H, C *Tensor // [N H], the states after the last one

	steps  Steps
	state  Shape   // [N H]
	gates  *Tensor // [R 4H], after their functions
	before *Tensor // [R H], h before each step
	cells  *Tensor // [R H], c before each step
	tanh   *Tensor // [R H], of c after it
}

// LSTM runs a long short-term memory (Hochreiter and Schmidhuber 1997) over packed
// sequences. gates [R 4H] are what the inputs and the biases add to the gates i, f, g and o,
// and are overwritten: the run keeps them. weight is that of the states, [4H H]; h and c
// [N H] are the first ones:
//
//	i, f, o = σ(gates + h weightᵀ),  g = tanh(gates + h weightᵀ)
//	c' = f·c + i·g
//	h' = o·tanh(c')
//
// A sequence that has ended keeps its states. All are on the CPU.
func LSTM(gates, weight, h, c *Tensor, s Steps) *LSTMRun {
	const op = "LSTM"
	state := wantRecurrent(op, 4, s, gates, weight, h, c)
	dt, rows := gates.dtype, Shape{gates.shape[0], state[1]}
	r := &LSTMRun{
		Out: empty(dt, rows), H: h.Clone(), C: c.Clone(),
		steps: s, state: state, gates: gates, before: empty(dt, rows), cells: empty(dt, rows), tanh: empty(dt, rows),
	}
	if dt == Float32 {
		lstm[float32](r, weight)
	} else {
		lstm[float64](r, weight)
	}
	return r
}

// Saved returns what the run keeps, to be freed when its gradient is no longer wanted.
func (r *LSTMRun) Saved() []*Tensor { return []*Tensor{r.gates, r.before, r.cells, r.tanh} }

func lstm[T Float](r *LSTMRun, weight *Tensor) {
	n := r.state[1]
	k, w := kern.For[T](), cpu.RowMajor(elems[T](weight), 4*n, n).T()
	gates, before, cells, tanh := elems[T](r.gates), elems[T](r.before), elems[T](r.cells), elems[T](r.tanh)
	out, h, c := elems[T](r.Out), elems[T](r.H), elems[T](r.C)
	r.steps.Walk(func(lo, hi int) {
		copy(before[lo*n:hi*n], h)
		copy(cells[lo*n:hi*n], c)
		timesRows(gates[lo*4*n:hi*4*n], before[lo*n:hi*n], hi-lo, w, true)
		forSequences(hi-lo, 8*n, func(i int) {
			x, state, th := gates[(lo+i)*4*n:(lo+i+1)*4*n], c[i*n:(i+1)*n], tanh[(lo+i)*n:(lo+i+1)*n]
			in, forget, fresh, o := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:]
			k.Sigmoid(x[:2*n], x[:2*n])
			k.Tanh(fresh, fresh)
			k.Sigmoid(o, o)
			k.Mul(state, state, forget)
			k.MulAdd(state, in, fresh)
			k.Tanh(th, state)
			k.Mul(h[i*n:(i+1)*n], o, th)
		})
		copy(out[lo*n:hi*n], h)
	})
}

// Grad returns the gradients of [LSTM] with respect to its operands, gOut, gH and gC being
// those of Out, H and C, nil for none; GradWeight has that of the weight.
func (r *LSTMRun) Grad(weight, gOut, gH, gC *Tensor) (dGates, dH, dC *Tensor) {
	const op = "LSTMGrad"
	dt := r.gates.dtype
	wantWeight(op, weight, dt, Shape{4 * r.state[1], r.state[1]})
	wantGrad(op, gOut, dt, r.before.shape)
	dGates, dH, dC = empty(dt, r.gates.shape), startGrad(op, gH, dt, r.state), startGrad(op, gC, dt, r.state)
	if dt == Float32 {
		lstmGrad[float32](r, weight, gOut, dGates, dH, dC)
	} else {
		lstmGrad[float64](r, weight, gOut, dGates, dH, dC)
	}
	return dGates, dH, dC
}

// GradWeight returns the gradient of [LSTM] with respect to its weight, dGates being what Grad
// returned.
func (r *LSTMRun) GradWeight(dGates *Tensor) *Tensor { return MatMul(dGates.Transpose(), r.before) }

func lstmGrad[T Float](r *LSTMRun, weight, gOut, dGates, dH, dC *Tensor) {
	n := r.state[1]
	k, w := kern.For[T](), cpu.RowMajor(elems[T](weight), 4*n, n)
	gates, cells, tanh := elems[T](r.gates), elems[T](r.cells), elems[T](r.tanh)
	d, dh, dc := elems[T](dGates), elems[T](dH), elems[T](dC)
	var g []T
	if gOut != nil {
		g = elems[T](gOut)
	}
	r.steps.back().Walk(func(lo, hi int) {
		if g != nil {
			k.Add(dh[:(hi-lo)*n], dh[:(hi-lo)*n], g[lo*n:hi*n])
		}
		forSequences(hi-lo, 8*n, func(i int) {
			x, y, th := gates[(lo+i)*4*n:(lo+i+1)*4*n], d[(lo+i)*4*n:(lo+i+1)*4*n], tanh[(lo+i)*n:(lo+i+1)*n]
			gh, gc := dh[i*n:(i+1)*n], dc[i*n:(i+1)*n]
			k.Mul(y[3*n:], gh, th)
			k.SigmoidGrad(y[3*n:], y[3*n:], x[3*n:])
			k.Mul(gh, gh, x[3*n:])
			k.TanhGrad(gh, gh, th)
			k.Add(gc, gc, gh)
			k.Mul(y[:n], gc, x[2*n:3*n])
			k.Mul(y[n:2*n], gc, cells[(lo+i)*n:(lo+i+1)*n])
			k.SigmoidGrad(y[:2*n], y[:2*n], x[:2*n])
			k.Mul(y[2*n:3*n], gc, x[:n])
			k.TanhGrad(y[2*n:3*n], y[2*n:3*n], x[2*n:3*n])
			k.Mul(gc, gc, x[n:2*n])
		})
		timesRows(dh[:(hi-lo)*n], d[lo*4*n:hi*4*n], hi-lo, w, false)
	})
}
