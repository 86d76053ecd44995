// Gradient clipping, between Backward and Step.

package optim

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// ClipGradNorm scales the gradients of params in place so that their joint
// Euclidean norm is at most maxNorm, and returns the norm that they had, as
// torch.nn.utils.clip_grad_norm_ does:
//
//	g ← g · min(1, maxNorm / (norm + 1e-6))
//
// Parameters without a gradient take no part; one given twice counts once. The
// norm is summed in float64 for either dtype. A norm of +Inf makes finite
// gradients 0 and the others NaN, a norm of NaN makes all NaN: check the result
// where that may happen. A maxNorm of +Inf only measures. It panics with
// *[Error] if maxNorm is negative or NaN, or a parameter nil.
//
// It waits for gradients on a device; [ClipGradNormTensor] does not.
func ClipGradNorm(params []*autograd.Var, maxNorm float64) float64 {
	if !(maxNorm >= 0) {
		misuse("ClipGradNorm", "the largest norm is %v", maxNorm)
	}
	var squares float64
	var far []*tensor.Tensor // sums on devices, which are waited for together
	eachGradient("ClipGradNorm", params, func(g *tensor.Tensor) {
		if g.Device() != nil {
			far = append(far, farSquares(g))
		} else if g.DType() == tensor.Float32 {
			squares += sumSquares(tensor.Data[float32](g))
		} else {
			squares += sumSquares(tensor.Data[float64](g))
		}
	})
	for _, s := range far {
		squares += s.Item()
	}
	norm := math.Sqrt(squares)
	if math.IsInf(maxNorm, 1) {
		return norm
	}
	c := maxNorm / (norm + 1e-6)
	if c >= 1 {
		return norm
	}
	eachGradient("ClipGradNorm", params, func(g *tensor.Tensor) {
		if g.Device() != nil {
			replaceFar(g, tensor.Scale(g, c))
		} else if g.DType() == tensor.Float32 {
			scale(tensor.Data[float32](g), float32(c))
		} else {
			scale(tensor.Data[float64](g), c)
		}
	})
	return norm
}

// ClipGradNormTensor is [ClipGradNorm] with the norm as a Float64 scalar on the gradients'
// device; they become the same, to the bit. It does not wait for a device, so it may be part of
// what is captured there, behind the backward pass: every replay rewrites the norm then. Without
// gradients the norm is 0, on the CPU. Gradients on several devices panic with *[Error], too.
func ClipGradNormTensor(params []*autograd.Var, maxNorm float64) *tensor.Tensor {
	const op = "ClipGradNormTensor"
	if !(maxNorm >= 0) {
		misuse(op, "the largest norm is %v", maxNorm)
	}
	var first *tensor.Tensor
	eachGradient(op, params, func(g *tensor.Tensor) {
		if first == nil {
			first = g
		} else if a, b := first.Device(), g.Device(); a != b {
			misuse(op, "gradients are on %v and on %v", a, b)
		}
	})
	if first == nil || first.Device() == nil {
		return tensor.Full(tensor.Float64, ClipGradNorm(params, maxNorm))
	}
	squares := tensor.ZerosOn(first.Device(), tensor.Float64)
	eachGradient(op, params, func(g *tensor.Tensor) {
		s := farSquares(g)
		tensor.AddInto(squares, s)
		s.Free()
	})
	norm := tensor.Sqrt(squares)
	squares.Free()
	if !math.IsInf(maxNorm, 1) {
		scaleFar(op, params, maxNorm, norm)
	}
	return norm
}

// ClipGradValue clamps every element of the gradients of params to [-limit,
// limit] in place, as torch.nn.utils.clip_grad_value_ does. NaN stays NaN.
// Parameters without a gradient take no part. It panics with *[Error] if limit is
// negative or NaN, or a parameter nil.
func ClipGradValue(params []*autograd.Var, limit float64) {
	if !(limit >= 0) {
		misuse("ClipGradValue", "the limit is %v", limit)
	}
	eachGradient("ClipGradValue", params, func(g *tensor.Tensor) {
		if g.Device() != nil {
			replaceFar(g, tensor.Clamp(g, -limit, limit))
		} else if g.DType() == tensor.Float32 {
			clamp(tensor.Data[float32](g), float32(limit))
		} else {
			clamp(tensor.Data[float64](g), limit)
		}
	})
}

// eachGradient calls f with the gradients there are, each once.
func eachGradient(op string, params []*autograd.Var, f func(g *tensor.Tensor)) {
	seen := make(map[*autograd.Var]bool, len(params))
	for i, p := range params {
		if p == nil {
			misuse(op, "parameter %d is nil", i)
		}
		if !seen[p] {
			seen[p] = true
			p.Update(func(_, g *tensor.Tensor) { f(g) })
		}
	}
}

// sumSquares adds up ranges of fixed length, then their sums in order, so that
// the result does not depend on the number of threads.
func sumSquares[T tensor.Float](x []T) float64 {
	parts := make([]float64, (len(x)+grain-1)/grain)
	parallel(len(x), func(lo, hi int) {
		var s float64
		for _, v := range x[lo:hi] {
			s += float64(v) * float64(v)
		}
		parts[lo/grain] = s
	})
	var s float64
	for _, p := range parts {
		s += p
	}
	return s
}

func scale[T tensor.Float](x []T, c T) {
	parallel(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i] *= c
		}
	})
}

func clamp[T tensor.Float](x []T, limit T) {
	parallel(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i] = min(max(x[i], -limit), limit)
		}
	})
}
