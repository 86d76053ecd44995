// Powers by one number and by a number each.

package kern

import "math"

// powers computes in float64 and rounds once.
func powers[T Float](dst, x []T, p float64) {
	of := powOf
	if _, ok := any(dst).([]float32); ok {
		of = pow32
	}
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = T(of(float64(v), p))
	}
}

// powersEach computes in float64 and rounds once.
func powersEach[T Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	of := powOf
	if _, ok := any(dst).([]float32); ok {
		of = pow32
	}
	for i, v := range a {
		dst[i] = T(of(float64(v), float64(b[i])))
	}
}

// pow32 is v^p as exactly as a float32 shows, in half of the time of math.Pow.
func pow32(v, p float64) float64 {
	if v > 0 && v != 1 && v <= math.MaxFloat64 {
		return math.Exp(p * math.Log(v))
	}
	return math.Pow(v, p)
}

// powOf knows denormal numbers, of which math.Pow loses digits on some machines.
func powOf(x, p float64) float64 {
	if a := math.Abs(x); a > 0 && a < 0x1p-1022 {
		return math.Pow(x*0x1p54, p) * math.Pow(0x1p-54, p)
	}
	return math.Pow(x, p)
}
