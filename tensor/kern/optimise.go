// Reference loops of the optimisers' updates, each one pass over a parameter and
// its state. Products are converted where they are added: so they are rounded first on
// processors with a fused multiply-add, too, and all have the same bits.

package kern

import "math"

// AdamArgs are the settings of one Adam update at step t. The kernels derive
// their scalars from them in float64, as PyTorch does.
type AdamArgs struct {
	LR, Beta1, Beta2, Eps float64
	WeightDecay           float64 // L2: added to the gradient; decoupled: shrinks the weights
	Decoupled             bool    // AdamW (Loshchilov and Hutter 2019)
	BiasCorrection1       float64 // 1 - Beta1^t
	BiasCorrection2       float64 // 1 - Beta2^t
}

// SGDArgs are the settings of one update of stochastic gradient descent.
type SGDArgs struct {
	LR, WeightDecay float64
	Momentum        float64
	Share           float64 // of the gradient in the momentum: 1 - dampening, and 1 at the first step
	Nesterov        bool
}

// adamScalars are what the loops need of AdamArgs, in the order the assembly reads.
type adamScalars[T Float] struct {
	shrink, l2    T
	b1, c1        T // β1, 1-β1
	b2, c2        T
	root          T // sqrt(1-β2^t)
	eps, stepSize T
}

func scalarsOf[T Float](a AdamArgs) adamScalars[T] {
	s := adamScalars[T]{
		shrink: 1, l2: T(a.WeightDecay),
		b1: T(a.Beta1), c1: T(1 - a.Beta1), b2: T(a.Beta2), c2: T(1 - a.Beta2),
		root: T(math.Sqrt(a.BiasCorrection2)), eps: T(a.Eps), stepSize: T(a.LR / a.BiasCorrection1),
	}
	if a.Decoupled {
		s.shrink, s.l2 = T(1-a.LR*a.WeightDecay), 0
	}
	return s
}

func adam[T Float](p, g, m, v []T, a AdamArgs) {
	s := scalarsOf[T](a)
	g, m, v = g[:len(p)], m[:len(p)], v[:len(p)]
	for i := range p {
		x := T(p[i] * s.shrink)
		d := g[i] + T(s.l2*x)
		m[i] = T(s.b1*m[i]) + T(s.c1*d)
		v[i] = T(s.b2*v[i]) + T(s.c2*d*d)
		p[i] = x - s.stepSize*m[i]/(T(math.Sqrt(float64(v[i])))/s.root+s.eps)
	}
}

func amsGrad[T Float](p, g, m, v, top []T, a AdamArgs) {
	s := scalarsOf[T](a)
	g, m, v, top = g[:len(p)], m[:len(p)], v[:len(p)], top[:len(p)]
	for i := range p {
		x := T(p[i] * s.shrink)
		d := g[i] + T(s.l2*x)
		m[i] = T(s.b1*m[i]) + T(s.c1*d)
		v[i] = T(s.b2*v[i]) + T(s.c2*d*d)
		top[i] = max(top[i], v[i])
		p[i] = x - s.stepSize*m[i]/(T(math.Sqrt(float64(top[i])))/s.root+s.eps)
	}
}

func sgd[T Float](p, g, v []T, a SGDArgs) {
	lr, decay, momentum, share := T(a.LR), T(a.WeightDecay), T(a.Momentum), T(a.Share)
	g = g[:len(p)]
	if momentum == 0 {
		for i := range p {
			p[i] -= T(lr * (g[i] + T(decay*p[i])))
		}
		return
	}
	v = v[:len(p)]
	for i := range p {
		d := g[i] + T(decay*p[i])
		v[i] = T(momentum*v[i]) + T(share*d)
		if a.Nesterov {
			d += T(momentum * v[i])
		} else {
			d = v[i]
		}
		p[i] -= T(lr * d)
	}
}
