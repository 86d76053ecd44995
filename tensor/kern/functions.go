// Reference loops of the functions of one element and of one element and scalars.

package kern

import "math"

func neg[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = -x[i]
	}
}

func absolute[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Abs(float64(x[i])))
	}
}

func sqrt[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Sqrt(float64(x[i])))
	}
}

func rsqrt[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = 1 / T(math.Sqrt(float64(x[i])))
	}
}

func recip[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = 1 / x[i]
	}
}

func square[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * x[i]
	}
}

func clamp[T Float](dst, x []T, lo, hi T) {
	x = x[:len(dst)]
	for i := range dst {
		v := x[i]
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		dst[i] = v
	}
}

func rsubScalar[T Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = c - x[i]
	}
}

func divScalar[T Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / c
	}
}

func rdivScalar[T Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = c / x[i]
	}
}

func fma3[T Float](dst, a, b, c []T) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = a[i]*b[i] + c[i]
	}
}

// apply computes a function in float64 and rounds once.
func apply[T Float](dst, x []T, f func(float64) float64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(f(float64(x[i])))
	}
}

func log[T Float](dst, x []T)      { apply(dst, x, logOf) }
func softplus[T Float](dst, x []T) { apply(dst, x, softplusOf) }
func silu[T Float](dst, x []T)     { apply(dst, x, siluOf) }
func gelu[T Float](dst, x []T)     { apply(dst, x, geluOf) }
func erf[T Float](dst, x []T)      { apply(dst, x, math.Erf) }
func sin[T Float](dst, x []T)      { apply(dst, x, math.Sin) }
func cos[T Float](dst, x []T)      { apply(dst, x, math.Cos) }

// logOf knows denormal numbers, which math.Log does not on every machine.
func logOf(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

func softplusOf(x float64) float64 {
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

// siluOf is x·σ(x); -Inf·0, which would be NaN, is its limit 0. Where σ is e^x it may be a
// denormal number, of which the product would have few digits.
func siluOf(x float64) float64 {
	if x < -700 {
		half := math.Exp(max(x, -1600) / 2)
		return max(x, -1600) * half * half
	}
	return x * sigmoidOf(x)
}

// geluOf is x·Φ(x), which keeps its digits in the left tail.
func geluOf(x float64) float64 {
	if math.IsInf(x, -1) {
		return 0
	}
	return x * tailOf(-x)
}

// tailOf is Φ(-a). In the tail, the digits that rounding costs a/√2 would cost it a² times as many.
func tailOf(a float64) float64 {
	const invRoot2, rest = 0.7071067811865476, -4.833646656726457e-17 // 1/√2 is their sum
	a = max(-40, min(a, 40))
	c := a * invRoot2
	tail := math.Erfc(c)
	if c > 0.5 {
		tail -= 2 / math.SqrtPi * gauss(1, c) * (math.FMA(a, invRoot2, -c) + a*rest)
	}
	return 0.5 * tail
}

// gauss is e^(-c·x²) for c up to 1 with the digits that rounding x² would cost.
func gauss(c, x float64) float64 {
	square := x * x
	if c*square > 760 {
		return 0
	}
	return math.Exp(-c*square) * (1 - c*math.FMA(x, x, -square))
}

// sigmoidOf never overflows on the way.
func sigmoidOf(x float64) float64 {
	u := math.Exp(-math.Abs(x))
	if x < 0 {
		return u / (1 + u)
	}
	return 1 / (1 + u)
}
