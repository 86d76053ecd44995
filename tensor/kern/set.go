// The kernel sets: which functions exist and how a set is chosen.

package kern

// Float is an element type the kernels work on.
type Float interface{ float32 | float64 }

// Set is the kernels of one element type. The comment of a field is its
// reference loop; i runs over the destination (or the first slice), e over ids.
type Set[T Float] struct {
	Add func(dst, a, b []T) // dst[i] = a[i] + b[i]
	Sub func(dst, a, b []T) // dst[i] = a[i] - b[i]
	Mul func(dst, a, b []T) // dst[i] = a[i] * b[i]
	Div func(dst, a, b []T) // dst[i] = a[i] / b[i]
	Max func(dst, a, b []T) // dst[i] = a[i] if a[i] > b[i] or a[i] is NaN, else b[i]
	Min func(dst, a, b []T) // dst[i] = a[i] if a[i] < b[i] or a[i] is NaN, else b[i]

	// Of groups of elements, k < group, and a number each:

	AddGroups func(dst, x, y []T, group int) // dst[g*group+k] = x[g*group+k] + y[g]
	SubGroups func(dst, x, y []T, group int) // dst[g*group+k] = x[g*group+k] - y[g]
	MulGroups func(dst, x, y []T, group int) // dst[g*group+k] = x[g*group+k] * y[g]
	DivGroups func(dst, x, y []T, group int) // dst[g*group+k] = x[g*group+k] / y[g]
	SetGroups func(dst, y []T, group int)    // dst[g*group+k] = y[g]

	AddScalar  func(dst, x []T, c T)  // dst[i] = x[i] + c
	RSubScalar func(dst, x []T, c T)  // dst[i] = c - x[i]
	MulScalar  func(dst, x []T, c T)  // dst[i] = x[i] * c
	DivScalar  func(dst, x []T, c T)  // dst[i] = x[i] / c
	RDivScalar func(dst, x []T, c T)  // dst[i] = c / x[i]
	Axpy       func(y, x []T, a T)    // y[i] += a * x[i]
	MulAdd     func(y, a, b []T)      // y[i] += a[i] * b[i]
	FMA3       func(dst, a, b, c []T) // dst[i] = a[i] * b[i] + c[i], rounded once or twice
	// Axpby: dst[i] = a * x[i] + b * y[i], the second product rounded or not; dst is not y.
	// past tells that dst is large and not read soon
	Axpby func(dst, x, y []T, a, b T, past bool)

	Neg    func(dst, x []T) // dst[i] = -x[i]
	Abs    func(dst, x []T) // dst[i] = |x[i]|
	Square func(dst, x []T) // dst[i] = x[i] * x[i]
	Recip  func(dst, x []T) // dst[i] = 1 / x[i]
	Sqrt   func(dst, x []T) // dst[i] = √x[i], correctly rounded
	Rsqrt  func(dst, x []T) // dst[i] = 1 / √x[i], both correctly rounded
	// Pow: dst[i] = x[i]^p as math.Pow has it, within 1 ulp
	Pow func(dst, x []T, p float64)
	// PowEach: dst[i] = a[i]^b[i], like Pow
	PowEach func(dst, a, b []T)
	// Clamp: dst[i] = hi if max(x[i], lo) > hi, else max(x[i], lo); NaN stays, as a bound it is none
	Clamp func(dst, x []T, lo, hi T)

	// Sums are in an order fixed by the length.

	Dot        func(a, b []T) T // Σ a[i] * b[i]
	Sum        func(x []T) T    // Σ x[i]
	SumAbs     func(x []T) T    // Σ |x[i]|
	SumSquares func(x []T) T    // Σ x[i]²
	MaxOf      func(x []T) T    // max x[i]; NaN if any is NaN, -Inf if there is none
	MinOf      func(x []T) T    // min x[i]; NaN if any is NaN, +Inf if there is none
	ArgMax     func(x []T) int  // the first i with the largest x[i], or with a NaN; -1 if there is none
	ArgMin     func(x []T) int  // the first i with the smallest x[i], or with a NaN; -1 if there is none
	// SumSquaredDev is Σ (x[i] - mean)².
	SumSquaredDev func(x []T, mean T) T

	// Of every row of n elements of x; they panic if x has no such rows.

	SumEach func(dst, x []T, n int) // dst[r] = Sum of row r
	MaxEach func(dst, x []T, n int) // dst[r] = MaxOf of row r
	MinEach func(dst, x []T, n int) // dst[r] = MinOf of row r
	// DotEach: dst[r] = Σ_k of a's row r times b's, in an order fixed by n
	DotEach func(dst, a, b []T, n int)

	Equal        func(dst []bool, a, b []T) // dst[i] = a[i] == b[i]
	NotEqual     func(dst []bool, a, b []T) // dst[i] = a[i] != b[i]
	Less         func(dst []bool, a, b []T) // dst[i] = a[i] < b[i]
	LessEqual    func(dst []bool, a, b []T) // dst[i] = a[i] <= b[i]
	Greater      func(dst []bool, a, b []T) // dst[i] = a[i] > b[i]
	GreaterEqual func(dst []bool, a, b []T) // dst[i] = a[i] >= b[i]
	// Select: dst[i] = a[i] if mask[i], else b[i]
	Select func(dst []T, mask []bool, a, b []T)

	Exp       func(dst, x []T)          // dst[i] = e^x[i], relative error at most 3e-7 for float32, 1 ulp for float64
	ReLU      func(dst, x []T)          // dst[i] = 0 if x[i] < 0, else x[i]
	LeakyReLU func(dst, x []T, slope T) // dst[i] = slope * x[i] if x[i] < 0, else x[i]

	ELU     func(dst, x []T, alpha T) // dst[i] = x[i] if x[i] > 0, else alpha * (e^x[i] - 1)
	Sigmoid func(dst, x []T)          // dst[i] = 1 / (1 + e^-x[i]), or 0 where that is no normal number
	Tanh    func(dst, x []T)          // dst[i] = tanh x[i]; like ELU and Sigmoid as accurate as Exp
	// Step: dst[i] = above if x[i] > bound, else below
	Step func(dst, x []T, bound, above, below T)

	// Worst errors of float32 against the exact result, in units in the last place,
	// denormal numbers included.

	Log      func(dst, x []T) // dst[i] = ln x[i], 1 ulp; -Inf of 0, NaN below
	Softplus func(dst, x []T) // dst[i] = ln(1 + e^x[i]), 1.6 ulp
	SiLU     func(dst, x []T) // dst[i] = x[i] / (1 + e^-x[i]), 3.2 ulp; 0 of -Inf
	GELU     func(dst, x []T) // dst[i] = x[i] * Φ(x[i]) with the normal distribution Φ, 4 ulp, 5.3 below -7; 0 of -Inf
	Erf      func(dst, x []T) // dst[i] = erf x[i], 1 ulp
	Sin      func(dst, x []T) // dst[i] = sin x[i], 1.5 ulp; in Go, slow, where |x[i]| > 1e5, in float64 1e9, and there within 50 ulp
	Cos      func(dst, x []T) // dst[i] = cos x[i], 1.5 ulp; in Go, slow, where |x[i]| > 1e5, in float64 1e9, and there within 50 ulp

	// The gradients of functions, into which a backward pass puts the gradient g of
	// the result. They take the argument x or the result y, whichever is cheaper.

	GateReLU      func(dst, g, y []T)          // dst[i] = 0 if y[i] <= 0, else g[i]; y may be x
	GateLeakyReLU func(dst, g, x []T, slope T) // dst[i] = g[i] if x[i] > 0, else slope * g[i]; GateReLU if slope is 0
	ELUGrad       func(dst, g, y []T, alpha T) // dst[i] = g[i] if y[i] > 0, else g[i] * (y[i] + alpha)
	SigmoidGrad   func(dst, g, y []T)          // dst[i] = g[i] * y[i] * (1 - y[i])
	TanhGrad      func(dst, g, y []T)          // dst[i] = g[i] * (1 - y[i]²)
	SoftplusGrad  func(dst, g, x []T)          // dst[i] = g[i] * σ(x[i]) with σ = Sigmoid
	SiLUGrad      func(dst, g, x []T)          // dst[i] = g[i] * σ(x[i]) * (1 + x[i] * σ(-x[i]))
	GELUGrad      func(dst, g, x []T)          // dst[i] = g[i] * (Φ(x[i]) + x[i] * φ(x[i])) with φ = Φ'
	ErfGrad       func(dst, g, x []T)          // dst[i] = g[i] * 2/√π * e^-x[i]²
	AbsGrad       func(dst, g, x []T)          // dst[i] = ±g[i] by the sign of x[i], 0 if x[i] is 0
	SqrtGrad      func(dst, g, y []T)          // dst[i] = g[i] / (2 * y[i])
	// ClampGrad: dst[i] = g[i] if lo <= x[i] <= hi, else 0, as where x[i] is NaN
	ClampGrad func(dst, g, x []T, lo, hi T)

	// The kernels of rows take dst, x, g and y as rows of n elements, and panic if
	// their number is no multiple of n. A row's result depends on that row alone.

	SoftmaxRow     func(dst, x []T)        // dst[i] = e^(x[i]-m) / Σ_k e^(x[k]-m) with m = max x[k]
	LogSoftmaxRow  func(dst, x []T)        // dst[i] = x[i] - m - ln Σ_k e^(x[k]-m)
	SoftmaxRows    func(dst, x []T, n int) // SoftmaxRow of every row
	LogSoftmaxRows func(dst, x []T, n int) // LogSoftmaxRow of every row

	SoftmaxGradRows    func(dst, g, y []T, n int) // dst[i] = y[i] * (g[i] - Σ_k g[k]*y[k]) with y = SoftmaxRow(x)
	LogSoftmaxGradRows func(dst, g, y []T, n int) // dst[i] = g[i] - e^y[i] * Σ_k g[k] with y = LogSoftmaxRow(x), at most 0

	// NormRows: dst[i] = (x[i] - mean[r]) * rstd[r] in row r, with the mean and
	// rstd = 1/√(variance + eps) of the row, which are results too; the variance is
	// biased (layer normalisation, Ba et al. 2016). All are NaN in a row that has NaN
	// or an infinity
	NormRows func(dst, x, mean, rstd []T, n int, eps T)
	// NormGradRows: dst[i] = rstd[r] * (g[i] - mean_k g[k] - x̂[i] * mean_k g[k]*x̂[k])
	// with x̂[i] = (x[i] - mean[r]) * rstd[r]
	NormGradRows func(dst, g, x, mean, rstd []T, n int)

	AddRow      func(dst, x, row []T)   // dst[r*n+k] = x[r*n+k] + row[k] with n = len(row)
	AddRowReLU  func(dst, x, row []T)   // ReLU of AddRow
	SumRowsInto func(acc, x []T, n int) // acc[k] += Σ_r x[r*n+k], in an order fixed by the shape
	// ScaleColumns: dst[r*n+k] = (x[r*n+k] - shift[k]) * scale[k] + bias[k] with n = len(shift), rounded two or three times
	ScaleColumns func(dst, x, shift, scale, bias []T)
	// GradColumns: dst[r*n+k] = a[k] * (g[r*n+k] + (x[r*n+k] - shift[k]) * b[k] + c[k]) with n = len(shift)
	GradColumns func(dst, g, x, shift, a, b, c []T)
	// ColumnMoments: with n = len(shift) and d = x[r*n+k] - shift[k], sums[k] += Σ_r d and squares[k] += Σ_r d²
	ColumnMoments func(sums, squares, x, shift []T)
	// ColumnDots: with n = len(shift), sums[k] += Σ_r g[r*n+k] and dots[k] += Σ_r g[r*n+k] * (x[r*n+k] - shift[k])
	ColumnDots func(sums, dots, g, x, shift []T)

	// The optimisers update parameters p by gradients g, in place like their state.

	// Adam: x = p[i]*shrink; d = g[i] + l2*x; m[i] = β1*m[i] + (1-β1)*d;
	// v[i] = β2*v[i] + (1-β2)*d²; p[i] = x - lr/(1-β1^t) * m[i] / (√v[i]/√(1-β2^t) + eps)
	// with shrink = 1 - lr*decay, l2 = 0 if the decay is decoupled, else shrink = 1, l2 = decay
	Adam func(p, g, m, v []T, a AdamArgs)
	// AMSGrad is Adam that divides by √top[i] with top[i] = max(top[i], v[i])
	AMSGrad func(p, g, m, v, top []T, a AdamArgs)
	// SGD: d = g[i] + decay*p[i]; v[i] = momentum*v[i] + share*d; p[i] -= lr*v[i], or
	// lr*(d + momentum*v[i]) if Nesterov, or lr*d if the momentum is 0, where v may be nil
	SGD func(p, g, v []T, a SGDArgs)
	// RMSprop: d = g[i] + decay*p[i]; v[i] = α*v[i] + (1-α)*d²; mean[i] = α*mean[i] +
	// (1-α)*d; d = d / (√max(v[i]-mean[i]², 0) + eps); last[i] = momentum*last[i] + d;
	// p[i] -= lr*last[i]. If it is not centred, mean is 0 and may be nil; if the
	// momentum is 0, last may be nil
	RMSprop func(p, g, v, mean, last []T, a RMSpropArgs)
	// Adagrad: d = g[i] + decay*p[i]; v[i] += d²; p[i] -= lr*d / (√v[i] + eps)
	Adagrad func(p, g, v []T, a AdagradArgs)
	// Adadelta: d = g[i] + decay*p[i]; v[i] = ρ*v[i] + (1-ρ)*d²;
	// δ = √(u[i]+eps) / √(v[i]+eps) * d; u[i] = ρ*u[i] + (1-ρ)*δ²; p[i] -= lr*δ
	Adadelta func(p, g, v, u []T, a AdadeltaArgs)
	// NAdam: x = p[i]*shrink; d = g[i] + l2*x; m[i] = β1*m[i] + (1-β1)*d;
	// v[i] = β2*v[i] + (1-β2)*d²; p[i] = x - (stepG*d + stepM*m[i]) / (√(v[i]/(1-β2^t)) + eps)
	NAdam func(p, g, m, v []T, a NAdamArgs)
	// Lion: p[i] = p[i]*(1-lr*decay) - lr*sign(β1*m[i] + (1-β1)*g[i]); m[i] = β2*m[i] +
	// (1-β2)*g[i]; the signs of 0 and NaN are 0 and NaN
	Lion func(p, g, m []T, a LionArgs)

	// Dropout: dst[i] = x[i] * scale, or 0 with probability threshold/2^32; which,
	// internal/rng's Keep(seed, first+i, threshold) tells
	Dropout func(dst, x []T, seed, first, threshold uint64, scale T)
	// DropoutRows is Dropout of rows of width elements whose draws are those of the
	// rows that ids names: dst[e*width+k] is kept if Keep(seed, ids[e]*width+k, threshold)
	DropoutRows func(dst, x []T, width int, ids []int32, seed, threshold uint64, scale T)

	// The row kernels walk the rows of a row-major matrix that ids names. x is
	// the matrix from the first wanted column on, stride its elements a row.
	// Every id must name a row: ids[e]*stride + (columns read) <= len(x). The
	// assembly does not check that, so ids from outside are validated before. What
	// lies behind the end of ids, within its capacity, is read to prefetch the rows
	// that it names: let ids be a part of a longer list if its rest comes next.
	//
	// Each element of acc is summed in the order of ids, so that the result
	// does not depend on how the columns are blocked. The kernels of segments may sum up every
	// second or fourth edge of a row by itself first: in an order that the width and the row's own
	// edges decide, and nothing else.

	// GatherRows: dst[e*width+k] = x[ids[e]*width+k]
	GatherRows func(dst, x []T, width int, ids []int32)
	// GatherColumns: dst[e*width+k] = x[ids[e]*stride+k]
	GatherColumns func(dst, x []T, width, stride int, ids []int32)
	// GatherParts: dst[p][e*width+k] = x[ids[e]*stride+p*width+k]
	GatherParts func(dst [][]T, x []T, width, stride int, ids []int32)
	// GatherSum: acc[k] += Σ_e x[ids[e]*stride+k]
	GatherSum func(acc, x []T, stride int, ids []int32)
	// GatherMax: acc[k] = max(acc[k], max_e x[ids[e]*stride+k]); NaN is the largest
	GatherMax func(acc, x []T, stride int, ids []int32)
	// GatherScaleSum: acc[k] += Σ_e w[e*wstride] * x[ids[e]*stride+k]
	GatherScaleSum func(acc, x []T, stride int, ids []int32, w []T, wstride int)
	// GatherFactorSum: acc[k] += Σ_e c[ids[e]] * x[ids[e]*stride+k]; as in x, ids must be in c
	GatherFactorSum func(acc, x []T, stride int, ids []int32, c []T)
	// GatherDot: out[e*ostride] = Σ_k row[k] * x[ids[e]*stride+k]
	GatherDot func(out []T, ostride int, row, x []T, stride int, ids []int32)

	// With two matrices of rows of width elements, those of x are prefetched. dst may be
	// a matrix whose rows are picked in order.

	GatherAdd  func(dst, x, y []T, width int, xs, ys []int32) // dst[e*width+k] = x[xs[e]*width+k] + y[ys[e]*width+k]
	GatherSub  func(dst, x, y []T, width int, xs, ys []int32) // dst[e*width+k] = x[xs[e]*width+k] - y[ys[e]*width+k]
	GatherRSub func(dst, x, y []T, width int, xs, ys []int32) // dst[e*width+k] = y[ys[e]*width+k] - x[xs[e]*width+k]
	GatherMul  func(dst, x, y []T, width int, xs, ys []int32) // dst[e*width+k] = x[xs[e]*width+k] * y[ys[e]*width+k]

	// The arguments of a maximum over rows say, for each column, whose id was the
	// largest, -1 for nobody's.

	// GatherArgMax: best[k], arg[k] = x[rows[e]*stride+k], ids[e] for each e in turn that
	// has a larger number there, or the same and the lower id; NaN is the largest, and
	// -1 no low id. Start from -Inf and -1.
	GatherArgMax func(best []T, arg []int32, x []T, stride int, rows, ids []int32)
	// FindWinners puts those e into found, in order, for which arg[rows[e]*width+k] ==
	// ids[e] for any k < width, and returns how many they are; found has room for all.
	FindWinners func(found, arg []int32, width int, rows, ids []int32) int
	// MarkWinners sets bit k%64 of masks[e*words+k/64] where arg[rows[e]*width+k] == ids[e],
	// and clears it elsewhere; words is width/64, rounded up.
	MarkWinners func(masks []uint64, arg []int32, width int, rows, ids []int32)
	// GatherWinners: dst[e*width+k] = y[yRows[e]*width+k] if arg[rows[e]*width+k] == ids[e], else 0
	GatherWinners func(dst, y []T, arg []int32, width int, yRows, rows, ids []int32)

	// ScatterRows: dst[ids[e]*width+k] = x[e*width+k]; past tells that dst is large and not
	// read soon, so that it is best written past the caches
	ScatterRows func(dst, x []T, width int, ids []int32, past bool)
	// CopyRows: dst[i*step+k] = x[i*stride+k], i < rows, k < width
	CopyRows func(dst []T, step int, x []T, stride, width, rows int)
	// Interleave: dst[i*step+c] = x[c*stride+i], i < n, c < columns
	Interleave func(dst []T, step int, x []T, stride, columns, n int)
	// RepeatRows: dst[e*width+k] = x[r*width+k], bounds[r] <= e < bounds[r+1]
	RepeatRows func(dst, x []T, width int, bounds []int32)

	// With heads, each group of neighbouring columns has a weight or a dot product
	// of its own. The columns are a multiple of group, which is at least 1.

	// GatherScaleSumHeads: acc[k] += Σ_e w[e*wstride+k/group] * x[ids[e]*stride+k]
	GatherScaleSumHeads func(acc, x []T, stride int, ids []int32, w []T, wstride, group int)
	// GatherDotHeads: out[e*ostride+g] = Σ_{k in group g} row[k] * x[ids[e]*stride+k]
	GatherDotHeads func(out []T, ostride int, row, x []T, stride int, ids []int32, group int)

	// The kernels of segments do the same for many rows at once, whose edges lie one
	// after another: e runs over the edges of row r, bounds[r] <= e < bounds[r+1], of
	// which ids and what belongs to edges has a row each. All rows of acc, own and x
	// have width columns, groups of which have a weight or a dot product each. What two
	// purposes want of the picked rows is done in one walk.

	// SegmentSum: acc[r*width+k] += Σ_e x[e*width+k]; of one column in an order fixed by the number of edges
	SegmentSum func(acc, x []T, width int, bounds []int32)
	// SegmentMax: acc[r*width+k] = max_e x[e*width+k], and of what acc has if there is
	// more than these edges; NaN is the largest; acc stays where a row has no edges
	SegmentMax func(acc, x []T, width int, bounds []int32, more bool)

	// SegmentAddReLU: dst[e*width+k] = max(x[ids[e]*width+k] + own[r*width+k], 0), or NaN
	SegmentAddReLU func(dst, x, own []T, width int, ids, bounds []int32)
	// AddsReLU tells whether SegmentAddReLU of so many columns is faster than GatherAdd and ReLU.
	AddsReLU func(width int) bool

	// Of one number of each edge and of its row, which own has:

	SegmentAdd func(dst, x, own []T, bounds []int32) // dst[e] = x[e] + own[r]
	SegmentSub func(dst, x, own []T, bounds []int32) // dst[e] = x[e] - own[r]
	SegmentMul func(dst, x, own []T, bounds []int32) // dst[e] = x[e] * own[r]
	// SegmentScoreMax: pre[e] = x[e] + own[r]; dst[e] = slope * pre[e] if pre[e] < 0, else pre[e];
	// acc[r] = SegmentMax of dst; pre may be nil
	SegmentScoreMax func(dst, pre, acc, x, own []T, slope T, bounds []int32, more bool)
	// SegmentExpSum: dst[e] = e^(x[e] - own[r]); acc[r] += Σ_e dst[e] as SegmentSum does
	SegmentExpSum func(dst, acc, x, own []T, bounds []int32)
	// SegmentSoftmax: SegmentScoreMax to most, and SegmentExpSum of the scores less most to
	// sums, which begin with 0; a row without edges has 0 for both
	SegmentSoftmax func(dst, pre, most, sums, x, own []T, slope T, bounds []int32)
	// SegmentStepSum: dst[e] = y[e] * (above if x[e] > bound, else below); acc[r] += Σ_e dst[e] as SegmentSum does
	SegmentStepSum func(dst, acc, y, x []T, bound, above, below T, bounds []int32)

	// Of rows that ids pick:

	// SegmentGatherSum: acc[r*width+k] = (Σ_e x[ids[e]*width+k]) * by[r*heads+k/group] with heads = width/group;
	// ends has by, and whether the sum goes on
	SegmentGatherSum func(acc, x []T, width int, ids, bounds []int32, group int, ends Ends[T], next Next[T])
	// SegmentScaleSum: acc[r*width+k] = (Σ_e w[e*heads+k/group] * x[ids[e]*width+k]) * by[r*heads+k/group]
	SegmentScaleSum func(acc, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], next Next[T])
	// SegmentFactorSum: acc[r*width+k] = (Σ_e c[ids[e]] * x[ids[e]*width+k]) * by[r]; as in x, ids must be in c
	SegmentFactorSum func(acc, x []T, width int, ids, bounds []int32, c []T, ends Ends[T])
	// SegmentScaleSums: SegmentScaleSum by w to acc and by w2 to acc2
	SegmentScaleSums func(acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int, ends Ends[T], next Next[T])
	// SegmentDotScaleSum: SegmentScaleSum, and
	// dots[e*heads+g] = Σ_{k in group g} own[r*width+k] * x[ids[e]*width+k]
	SegmentDotScaleSum func(dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], next Next[T])

	// Attention: e is an edge of row r, y[e] its score, s[e] its step.

	// Attends tells when SegmentAttend and SegmentAttendBack are one walk over the edges, not several,
	// for so many heads and rows so wide, with or without masks. What follows is said of each head, with
	// m[e] for the mask.
	Attends func(heads, width int, masked bool) Attends
	// AttendPowers finds Powers: of each vertex, with s its score, e^(s-c) and e^(λ(s-c)), for the slope
	// λ and the centre c, and where it has four s and 0.
	AttendPowers func(powers, scores []T, perVertex int, slope, centre T)
	// AttendFactors finds Factors: of each vertex, with q its Quads, e^(q[0]+c-q[1])·q[2],
	// e^(λ(q[0]+c)-q[1])·q[2], q[0] and q[3]/q[2], for the slope λ and the centre c. There are none
	// (false) if an exponent is so large, or q[2] is none of 1/Σ, that products would be wrong.
	AttendFactors func(factors, scores, most, by, less []T, slope, centre T) (ok bool)
	// SegmentAttend: Most[r] = max_e y[e]; p[e] = e^(y[e] - Most[r]); Sums[r] = Σ_e p[e]; f = 1/max(Sums[r], Least);
	// Acc[r*Width+k] = f * Σ_e m[e] * p[e] * X[IDs[e]*Width+k]; Sums2[r] = Σ_e p[e]*s[e];
	// Acc2[r*Width+k] = f * Σ_e m[e] * p[e] * s[e] * X[IDs[e]*Width+k]; a row without edges has 0 for all
	SegmentAttend func(a AttendForward[T])
	// SegmentAttendBack, with q the Quads of IDs[e]: p[e] = e^(y[e] - q[1]);
	// Acc[r*Width+k] = Σ_e m[e] * p[e] * q[2] * X[IDs[e]*Width+k];
	// Sums[r] = Σ_e s[e] * p[e] * (m[e] * q[2] * Σ_k Rows[r*Width+k] * X[IDs[e]*Width+k] - q[3])
	SegmentAttendBack func(a AttendBackward[T])
}

// The sets are chosen at start-up and never change.
var (
	set32, isa = fastest32()
	set64      = fastest64()
)

// For returns the kernels for element type T.
func For[T Float]() *Set[T] {
	var set any = set32
	if _, ok := any(T(0)).(float64); ok {
		set = set64
	}
	return set.(*Set[T])
}

// ISA names the instruction set of the float32 kernels: "avx512", "avx2", "neon" or "go".
func ISA() string { return isa }

// Reference returns the plain Go loops for element type T: what [For] returns
// where there is no assembly, and the oracle of the assembly's tests.
func Reference[T Float]() *Set[T] { return reference[T]() }
