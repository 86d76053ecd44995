// Reference loops of the optimisers besides Adam and SGD, with products rounded as there.

package kern

import "math"

// RMSpropArgs are the settings of one RMSprop update.
type RMSpropArgs struct {
	LR, WeightDecay float64
	Alpha, Eps      float64
	Momentum        float64
	Centered        bool
}

// AdagradArgs are the settings of one Adagrad update.
type AdagradArgs struct{ LR, WeightDecay, Eps float64 }

// AdadeltaArgs are the settings of one Adadelta update.
type AdadeltaArgs struct{ LR, WeightDecay, Rho, Eps float64 }

// NAdamArgs are the settings of one NAdam update.
type NAdamArgs struct {
	StepG, StepM    float64 // the learning rates of the gradient and of its mean
	Beta1, Beta2    float64
	BiasCorrection2 float64 // 1 - Beta2^t
	Eps             float64
	L2, Shrink      float64 // decay added to the gradient; what the weights are multiplied by
}

// LionArgs are the settings of one Lion update.
type LionArgs struct{ LR, WeightDecay, Beta1, Beta2 float64 }

// The scalars of the loops, in the order the assembly reads.

type rmspropScalars[T Float] struct{ lr, decay, alpha, rest, eps, momentum T }

type adagradScalars[T Float] struct{ lr, decay, eps T }

type adadeltaScalars[T Float] struct{ lr, decay, rho, rest, eps T }

type nadamScalars[T Float] struct{ shrink, l2, b1, c1, b2, c2, correction, eps, stepG, stepM T }

type lionScalars[T Float] struct{ lr, shrink, b1, c1, b2, c2 T }

func rmspropScalarsOf[T Float](a RMSpropArgs) rmspropScalars[T] {
	return rmspropScalars[T]{T(a.LR), T(a.WeightDecay), T(a.Alpha), T(1 - a.Alpha), T(a.Eps), T(a.Momentum)}
}

func adagradScalarsOf[T Float](a AdagradArgs) adagradScalars[T] {
	return adagradScalars[T]{T(a.LR), T(a.WeightDecay), T(a.Eps)}
}

func adadeltaScalarsOf[T Float](a AdadeltaArgs) adadeltaScalars[T] {
	return adadeltaScalars[T]{T(a.LR), T(a.WeightDecay), T(a.Rho), T(1 - a.Rho), T(a.Eps)}
}

func nadamScalarsOf[T Float](a NAdamArgs) nadamScalars[T] {
	return nadamScalars[T]{
		T(a.Shrink), T(a.L2), T(a.Beta1), T(1 - a.Beta1), T(a.Beta2), T(1 - a.Beta2),
		T(a.BiasCorrection2), T(a.Eps), T(a.StepG), T(a.StepM),
	}
}

func lionScalarsOf[T Float](a LionArgs) lionScalars[T] {
	return lionScalars[T]{T(a.LR), T(1 - a.LR*a.WeightDecay), T(a.Beta1), T(1 - a.Beta1), T(a.Beta2), T(1 - a.Beta2)}
}

func rmsprop[T Float](p, g, v, mean, last []T, a RMSpropArgs) {
	s := rmspropScalarsOf[T](a)
	g, v = g[:len(p)], v[:len(p)]
	for i, x := range p {
		d := g[i] + T(s.decay*x)
		v[i] = T(s.alpha*v[i]) + T(s.rest*d*d)
		variance := v[i]
		if a.Centered {
			mean[i] = T(s.alpha*mean[i]) + T(s.rest*d)
			variance = max(variance-T(mean[i]*mean[i]), 0)
		}
		d /= T(math.Sqrt(float64(variance))) + s.eps
		if a.Momentum > 0 {
			last[i] = T(s.momentum*last[i]) + d
			d = last[i]
		}
		p[i] = x - T(s.lr*d)
	}
}

func adagrad[T Float](p, g, v []T, a AdagradArgs) {
	s := adagradScalarsOf[T](a)
	g, v = g[:len(p)], v[:len(p)]
	for i, x := range p {
		d := g[i] + T(s.decay*x)
		v[i] += T(d * d)
		p[i] = x - s.lr*d/(T(math.Sqrt(float64(v[i])))+s.eps)
	}
}

func adadelta[T Float](p, g, v, u []T, a AdadeltaArgs) {
	s := adadeltaScalarsOf[T](a)
	g, v, u = g[:len(p)], v[:len(p)], u[:len(p)]
	for i, x := range p {
		d := g[i] + T(s.decay*x)
		v[i] = T(s.rho*v[i]) + T(s.rest*d*d)
		delta := T(math.Sqrt(float64(u[i]+s.eps))) / T(math.Sqrt(float64(v[i]+s.eps))) * d
		u[i] = T(s.rho*u[i]) + T(s.rest*delta*delta)
		p[i] = x - T(s.lr*delta)
	}
}

func nadam[T Float](p, g, m, v []T, a NAdamArgs) {
	s := nadamScalarsOf[T](a)
	g, m, v = g[:len(p)], m[:len(p)], v[:len(p)]
	for i, x := range p {
		x = T(x * s.shrink)
		d := g[i] + T(s.l2*x)
		m[i] = T(s.b1*m[i]) + T(s.c1*d)
		v[i] = T(s.b2*v[i]) + T(s.c2*d*d)
		p[i] = x - (T(s.stepG*d)+T(s.stepM*m[i]))/(T(math.Sqrt(float64(v[i]/s.correction)))+s.eps)
	}
}

func lion[T Float](p, g, m []T, a LionArgs) {
	s := lionScalarsOf[T](a)
	g, m = g[:len(p)], m[:len(p)]
	for i, x := range p {
		sign := T(s.b1*m[i]) + T(s.c1*g[i]) // stays as it is if 0 or NaN
		if sign > 0 {
			sign = 1
		} else if sign < 0 {
			sign = -1
		}
		p[i] = T(x*s.shrink) - T(s.lr*sign)
		m[i] = T(s.b2*m[i]) + T(s.c2*g[i])
	}
}
