// Comparisons, which give masks, and what is done with masks.

package tensor

// Equal returns where a = b, as booleans, broadcasting.
func Equal(a, b *Tensor) *Tensor {
	if a.dtype == Bool {
		return compareTypes("Equal", a, b, func(dst, x, y []bool) {
			for i := range dst {
				dst[i] = x[i] == y[i]
			}
		})
	}
	return compare("Equal", a, b, equal[float32], equal[float64], equal[int32], equal[int64])
}

// Greater returns where a > b, as booleans, broadcasting.
func Greater(a, b *Tensor) *Tensor {
	return compare("Greater", a, b, greater[float32], greater[float64], greater[int32], greater[int64])
}

// GreaterEqual returns where a >= b, as booleans, broadcasting.
func GreaterEqual(a, b *Tensor) *Tensor {
	return compare("GreaterEqual", a, b, greaterEqual[float32], greaterEqual[float64], greaterEqual[int32], greaterEqual[int64])
}

func equal[T Number](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] == b[i]
	}
}

func greater[T Number](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] > b[i]
	}
}

func greaterEqual[T Number](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] >= b[i]
	}
}

func compare(op string, a, b *Tensor, f32 func([]bool, []float32, []float32), f64 func([]bool, []float64, []float64),
	i32 func([]bool, []int32, []int32), i64 func([]bool, []int64, []int64)) *Tensor {
	switch a.dtype {
	case Float32:
		return compareTypes(op, a, b, f32)
	case Float64:
		return compareTypes(op, a, b, f64)
	case Int32:
		return compareTypes(op, a, b, i32)
	case Int64:
		return compareTypes(op, a, b, i64)
	}
	panic(&DTypeError{Op: op, Got: a.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
}

func compareTypes[T Element](op string, a, b *Tensor, f func(dst []bool, a, b []T)) *Tensor {
	if b.dtype != a.dtype {
		panic(&DTypeError{Op: op, Got: b.dtype, Want: []DType{a.dtype}})
	}
	out := empty(Bool, Broadcast(op, a.shape, b.shape))
	map2(out, a, b, f)
	return out
}
