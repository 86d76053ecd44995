// Numbers as text.

package harness

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Seconds renders a time with three significant digits.
func Seconds(s float64) string {
	switch d := time.Duration(s * 1e9); {
	case d < time.Microsecond:
		return Number(s*1e9) + " ns"
	case d < time.Millisecond:
		return Number(s*1e6) + " µs"
	case d < time.Second:
		return Number(s*1e3) + " ms"
	}
	return Number(s) + " s"
}

// Times renders a speed-up; "" for none.
func Times(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 2, 64) + "×"
}

// Number renders x with three significant digits, and large ones in groups.
func Number(x float64) string {
	if math.Abs(x) < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	digits := strconv.FormatFloat(math.Abs(x), 'f', 0, 64)
	var groups []string
	for ; len(digits) > 3; digits = digits[:len(digits)-3] {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
	}
	text := strings.Join(append([]string{digits}, groups...), " ")
	if x < 0 {
		return "-" + text
	}
	return text
}

// YesNo renders whether a target is met.
func YesNo(met bool) string {
	if met {
		return "yes"
	}
	return "NO"
}
