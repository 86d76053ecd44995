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

	// MulGroups: dst[g*group+k] = x[g*group+k] * y[g], k < group
	MulGroups func(dst, x, y []T, group int)

	AddScalar func(dst, x []T, c T) // dst[i] = x[i] + c
	MulScalar func(dst, x []T, c T) // dst[i] = x[i] * c
	Axpy      func(y, x []T, a T)   // y[i] += a * x[i]
	MulAdd    func(y, a, b []T)     // y[i] += a[i] * b[i]

	Dot   func(a, b []T) T // Σ a[i] * b[i], in an order fixed by the length
	Sum   func(x []T) T    // Σ x[i], in an order fixed by the length
	MaxOf func(x []T) T    // max x[i]; NaN if any is NaN, -Inf if there is none

	Exp       func(dst, x []T)          // dst[i] = e^x[i], relative error at most 3e-7 for float32
	ReLU      func(dst, x []T)          // dst[i] = 0 if x[i] < 0, else x[i]
	LeakyReLU func(dst, x []T, slope T) // dst[i] = slope * x[i] if x[i] < 0, else x[i]

	ELU     func(dst, x []T, alpha T) // dst[i] = x[i] if x[i] > 0, else alpha * (e^x[i] - 1)
	Sigmoid func(dst, x []T)          // dst[i] = 1 / (1 + e^-x[i]), or 0 where that is below 3e-39
	Tanh    func(dst, x []T)          // dst[i] = tanh x[i]; like ELU and Sigmoid as accurate as Exp
	// Step: dst[i] = above if x[i] > bound, else below
	Step func(dst, x []T, bound, above, below T)

	// Dropout: dst[i] = x[i] * scale, or 0 with probability threshold/2^32; which,
	// internal/rng's Keep(seed, first+i, threshold) tells
	Dropout func(dst, x []T, seed, first, threshold uint64, scale T)
	// DropoutRows is Dropout of rows of width elements whose draws are those of the
	// rows that ids names: dst[e*width+k] is kept if Keep(seed, ids[e]*width+k, threshold)
	DropoutRows func(dst, x []T, width int, ids []int32, seed, threshold uint64, scale T)

	// The row kernels walk the rows of a row-major matrix that ids names. x is
	// the matrix from the first wanted column on, stride its elements a row.
	// Every id must name a row: ids[e]*stride + (columns read) <= len(x). The
	// assembly does not check that, so ids from outside are validated before.
	//
	// Each element of acc is summed in the order of ids, so that the result
	// does not depend on how the columns are blocked.

	// GatherRows: dst[e*width+k] = x[ids[e]*width+k]
	GatherRows func(dst, x []T, width int, ids []int32)
	// GatherSum: acc[k] += Σ_e x[ids[e]*stride+k]
	GatherSum func(acc, x []T, stride int, ids []int32)
	// GatherMax: acc[k] = max(acc[k], max_e x[ids[e]*stride+k]); NaN is the largest
	GatherMax func(acc, x []T, stride int, ids []int32)
	// GatherScaleSum: acc[k] += Σ_e w[e*wstride] * x[ids[e]*stride+k]
	GatherScaleSum func(acc, x []T, stride int, ids []int32, w []T, wstride int)
	// GatherDot: out[e*ostride] = Σ_k row[k] * x[ids[e]*stride+k]
	GatherDot func(out []T, ostride int, row, x []T, stride int, ids []int32)

	// With heads, each group of neighbouring columns has a weight or a dot product
	// of its own. The columns are a multiple of group, which is at least 1.

	// GatherScaleSumHeads: acc[k] += Σ_e w[e*wstride+k/group] * x[ids[e]*stride+k]
	GatherScaleSumHeads func(acc, x []T, stride int, ids []int32, w []T, wstride, group int)
	// GatherDotHeads: out[e*ostride+g] = Σ_{k in group g} row[k] * x[ids[e]*stride+k]
	GatherDotHeads func(out []T, ostride int, row, x []T, stride int, ids []int32, group int)
}

// The sets are chosen at start-up and never change.
var (
	set32, isa = fastest32()
	set64      = reference[float64]()
)

// For returns the kernels for element type T.
func For[T Float]() *Set[T] {
	var set any = set32
	if _, ok := any(T(0)).(float64); ok {
		set = set64
	}
	return set.(*Set[T])
}

// ISA names the instruction set of the float32 kernels: "avx2" or "go".
func ISA() string { return isa }

// Reference returns the plain Go loops for element type T: what [For] returns
// where there is no assembly, and the oracle of the assembly's tests.
func Reference[T Float]() *Set[T] { return reference[T]() }
