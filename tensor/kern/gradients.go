// Reference loops of the gradients of activations: what a backward pass multiplies
// into the incoming gradient g, in one pass.

package kern

import "math"

func gateReLU[T Float](dst, g, y []T) {
	g, y = g[:len(dst)], y[:len(dst)]
	for i := range dst {
		if y[i] <= 0 {
			dst[i] = 0
		} else {
			dst[i] = g[i]
		}
	}
}

func gateLeakyReLU[T Float](dst, g, x []T, slope T) {
	if slope == 0 { // 0·Inf would be NaN
		gateReLU(dst, g, x)
		return
	}
	g, x = g[:len(dst)], x[:len(dst)]
	for i := range dst {
		if x[i] > 0 {
			dst[i] = g[i]
		} else {
			dst[i] = slope * g[i]
		}
	}
}

func eluGrad[T Float](dst, g, y []T, alpha T) {
	g, y = g[:len(dst)], y[:len(dst)]
	for i := range dst {
		if y[i] > 0 {
			dst[i] = g[i]
		} else {
			dst[i] = g[i] * (y[i] + alpha)
		}
	}
}

func tanhGrad[T Float](dst, g, y []T) {
	g, y = g[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = g[i] * (1 - y[i]*y[i])
	}
}

func sigmoidGrad[T Float](dst, g, y []T) {
	g, y = g[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = g[i] * (y[i] * (1 - y[i]))
	}
}

func sqrtGrad[T Float](dst, g, y []T) {
	g, y = g[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = g[i] / (y[i] + y[i])
	}
}

func absGrad[T Float](dst, g, x []T) {
	g, x = g[:len(dst)], x[:len(dst)]
	for i := range dst {
		switch {
		case x[i] > 0:
			dst[i] = g[i]
		case x[i] < 0:
			dst[i] = -g[i]
		default:
			dst[i] = x[i] // 0, of an infinite g too, or NaN
		}
	}
}

func clampGrad[T Float](dst, g, x []T, lo, hi T) {
	g, x = g[:len(dst)], x[:len(dst)]
	for i := range dst {
		if x[i] >= lo && x[i] <= hi {
			dst[i] = g[i]
		} else {
			dst[i] = 0
		}
	}
}

// applyGrad multiplies g by a derivative computed in float64.
func applyGrad[T Float](dst, g, x []T, derivative func(float64) float64) {
	g, x = g[:len(dst)], x[:len(dst)]
	for i := range dst {
		dst[i] = T(float64(g[i]) * derivative(float64(x[i])))
	}
}

func softplusGrad[T Float](dst, g, x []T) { applyGrad(dst, g, x, sigmoidOf) }
func siluGrad[T Float](dst, g, x []T)     { applyGrad(dst, g, x, siluSlope) }
func geluGrad[T Float](dst, g, x []T)     { applyGrad(dst, g, x, geluSlope) }
func erfGrad[T Float](dst, g, x []T)      { applyGrad(dst, g, x, erfSlope) }

// siluSlope is σ(x)·(1 + x·(1-σ(x))), which is 1 or 0 far out.
func siluSlope(x float64) float64 {
	x = max(-800, min(x, 800))
	return sigmoidOf(x) * (1 + x*sigmoidOf(-x))
}

// geluSlope is Φ(x) + x·φ(x), which is 1 or 0 far out.
func geluSlope(x float64) float64 {
	x = max(-40, min(x, 40))
	return tailOf(-x) + x*gauss(0.5, x)/math.Sqrt(2*math.Pi)
}

func erfSlope(x float64) float64 { return 2 / math.SqrtPi * gauss(1, x) }
