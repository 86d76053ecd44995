// Logic on booleans.

package tensor

// And returns where both a and b are true, broadcasting.
func And(a, b *Tensor) *Tensor {
	return logical("And", a, b, func(dst, a, b []bool) {
		for i := range dst {
			dst[i] = a[i] && b[i]
		}
	})
}

// Or returns where a or b or both are true, broadcasting.
func Or(a, b *Tensor) *Tensor {
	return logical("Or", a, b, func(dst, a, b []bool) {
		for i := range dst {
			dst[i] = a[i] || b[i]
		}
	})
}

// Xor returns where one of a and b is true, broadcasting.
func Xor(a, b *Tensor) *Tensor { return logical("Xor", a, b, notEqual[bool]) }

// Not returns where x is false.
func Not(x *Tensor) *Tensor {
	wantType("Not", x, Bool)
	if x.far != nil {
		return farUnary("Not", x, ProgramStep{Op: "Not", Type: Bool})
	}
	out := empty(Bool, x.shape)
	map1(out, x, elementGrain, func(dst, x []bool) {
		for i, v := range x {
			dst[i] = !v
		}
	})
	return out
}

// Any returns whether any element over the given axes is true, over all if none is
// given; false if there is no element. Reduced axes vanish, or stay with length 1
// if keepDims.
func Any(x *Tensor, keepDims bool, axes ...int) *Tensor {
	wantType("Any", x, Bool)
	return reduceAxes("Any", x, keepDims, axes, &fold[bool]{
		name: "Any",
		one:  anyOf,
		into: func(acc, row []bool) {
			for i, v := range row {
				acc[i] = acc[i] || v
			}
		},
	})
}

// All returns whether all elements over axes, which are given as for Any, are
// true; true if there is no element.
func All(x *Tensor, keepDims bool, axes ...int) *Tensor {
	wantType("All", x, Bool)
	return reduceAxes("All", x, keepDims, axes, &fold[bool]{
		name:    "All",
		nothing: true,
		one:     allOf,
		into: func(acc, row []bool) {
			for i, v := range row {
				acc[i] = acc[i] && v
			}
		},
	})
}

func anyOf(x []bool) bool {
	for _, v := range x {
		if v {
			return true
		}
	}
	return false
}

func allOf(x []bool) bool {
	for _, v := range x {
		if !v {
			return false
		}
	}
	return true
}

func logical(op string, a, b *Tensor, f func(dst, a, b []bool)) *Tensor {
	wantType(op, a, Bool)
	return compareTypes(op, a, b, f)
}
