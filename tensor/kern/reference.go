// Reference loops of the element-wise kernels and the reductions.

package kern

import "math"

func reference[T Float]() *Set[T] {
	s := &Set[T]{
		Add: add[T], Sub: sub[T], Mul: mul[T], Div: div[T], Max: maximum[T], Min: minimum[T],
		AddScalar: addScalar[T], MulScalar: mulScalar[T], Axpy: axpy[T], MulAdd: mulAdd[T],
		RSubScalar: rsubScalar[T], DivScalar: divScalar[T], RDivScalar: rdivScalar[T], FMA3: fma3[T],
		Neg: neg[T], Abs: absolute[T], Square: square[T], Recip: recip[T], Sqrt: sqrt[T], Rsqrt: rsqrt[T], Clamp: clamp[T], Pow: powers[T], PowEach: powersEach[T],
		Dot: dot[T], Sum: sum[T], SumAbs: sumAbs[T], SumSquares: sumSquares[T], SumSquaredDev: sumSquaredDev[T],
		MaxOf: maxOf[T], MinOf: minOf[T], ArgMax: argMax[T], ArgMin: argMin[T],
		Equal: equal[T], NotEqual: notEqual[T], Less: less[T], LessEqual: lessEqual[T],
		Greater: greater[T], GreaterEqual: greaterEqual[T], Select: selectWhere[T],
		Exp: exp[T], ReLU: relu[T], LeakyReLU: leakyRelu[T],
		ELU: elu[T], Sigmoid: sigmoid[T], Tanh: tanh[T], Step: step[T],
		Log: log[T], Softplus: softplus[T], SiLU: silu[T], GELU: gelu[T], Erf: erf[T], Sin: sin[T], Cos: cos[T],
		GateReLU: gateReLU[T], GateLeakyReLU: gateLeakyReLU[T], ELUGrad: eluGrad[T],
		SigmoidGrad: sigmoidGrad[T], TanhGrad: tanhGrad[T], SoftplusGrad: softplusGrad[T],
		SiLUGrad: siluGrad[T], GELUGrad: geluGrad[T], ErfGrad: erfGrad[T],
		AbsGrad: absGrad[T], SqrtGrad: sqrtGrad[T], ClampGrad: clampGrad[T],
		SoftmaxRow: softmaxRow[T], LogSoftmaxRow: logSoftmaxRow[T],
		SoftmaxRows: softmaxRows[T], LogSoftmaxRows: logSoftmaxRows[T],
		SoftmaxGradRows: softmaxGradRows[T], LogSoftmaxGradRows: logSoftmaxGradRows[T],
		NormRows: normRows[T], NormGradRows: normGradRows[T],
		AddRow: addRow[T], AddRowReLU: addRowReLU[T], SumRowsInto: sumRowsInto[T], ColumnMoments: columnMoments[T], ColumnDots: columnDots[T],
		ScaleColumns: scaleColumns[T], GradColumns: gradColumns[T],
		Adam: adam[T], AMSGrad: amsGrad[T], SGD: sgd[T],
		SumEach: sumEach[T], MaxEach: maxEach[T], MinEach: minEach[T],
		RMSprop: rmsprop[T], Adagrad: adagrad[T], Adadelta: adadelta[T], NAdam: nadam[T], Lion: lion[T],
		Dropout: dropout[T], DropoutRows: dropoutRows[T],
		GatherRows: gatherRows[T], GatherColumns: gatherColumns[T], CopyRows: copyRows[T],
		ScatterRows: func(dst, x []T, width int, ids []int32, _ bool) { scatterRows(dst, x, width, ids) },
		Interleave:  interleave[T], RepeatRows: repeatRows[T], GatherMax: gatherMax[T],
		AddGroups: addGroups[T], SubGroups: subGroups[T], MulGroups: mulGroups[T], DivGroups: divGroups[T], SetGroups: setGroups[T],
		GatherSum: gatherSum[T], GatherScaleSum: gatherScaleSum[T], GatherFactorSum: gatherFactorSum[T], GatherDot: gatherDot[T],
		GatherScaleSumHeads: gatherScaleSumHeads[T], GatherDotHeads: gatherDotHeads[T],
		GatherAdd: gatherAdd[T], GatherSub: gatherSub[T], GatherRSub: gatherRSub[T], GatherMul: gatherMul[T],
		GatherArgMax: gatherArgMax[T], FindWinners: findWinners, MarkWinners: markWinners, GatherWinners: gatherWinners[T],
	}
	useComposed(s)
	return s
}

func add[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func sub[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mul[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func div[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

func maximum[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if a[i] > b[i] || a[i] != a[i] {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}

func minimum[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if a[i] < b[i] || a[i] != a[i] {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}

func addScalar[T Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + c
	}
}

func mulScalar[T Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * c
	}
}

func axpy[T Float](y, x []T, a T) {
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

func mulAdd[T Float](y, a, b []T) {
	a, b = a[:len(y)], b[:len(y)]
	for i := range y {
		y[i] += a[i] * b[i]
	}
}

// dot keeps four sums, merged pairwise: the chain of one sum is what bounds
// the speed of the plain loop.
func dot[T Float](a, b []T) T {
	b = b[:len(a)]
	var s0, s1, s2, s3 T
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func sum[T Float](x []T) T {
	var s0, s1, s2, s3 T
	for len(x) >= 4 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		x = x[4:]
	}
	for _, v := range x {
		s0 += v
	}
	return (s0 + s1) + (s2 + s3)
}

func maxOf[T Float](x []T) T {
	m := T(math.Inf(-1))
	for _, v := range x {
		if v > m || v != v {
			m = v
		}
		if m != m {
			return m
		}
	}
	return m
}

func exp[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(expOf(float64(x[i])))
	}
}

// expOf knows the last numbers before the overflow, which math.Exp does not on every machine.
func expOf(x float64) float64 {
	if x > 709 {
		return math.Exp(x-1) * math.E
	}
	return math.Exp(x)
}

func relu[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		if x[i] < 0 {
			dst[i] = 0
		} else {
			dst[i] = x[i]
		}
	}
}

func leakyRelu[T Float](dst, x []T, slope T) {
	x = x[:len(dst)]
	for i := range dst {
		if x[i] < 0 {
			dst[i] = slope * x[i]
		} else {
			dst[i] = x[i]
		}
	}
}

func elu[T Float](dst, x []T, alpha T) {
	x = x[:len(dst)]
	for i := range dst {
		if x[i] > 0 {
			dst[i] = x[i]
		} else {
			dst[i] = alpha * T(math.Expm1(float64(x[i])))
		}
	}
}

func sigmoid[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(1 / (1 + math.Exp(-float64(x[i]))))
	}
}

func tanh[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Tanh(float64(x[i])))
	}
}

func step[T Float](dst, x []T, bound, above, below T) {
	x = x[:len(dst)]
	for i := range dst {
		if x[i] > bound {
			dst[i] = above
		} else {
			dst[i] = below
		}
	}
}
