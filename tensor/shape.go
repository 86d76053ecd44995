// Shapes and broadcasting.

package tensor

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Shape is the lengths of a tensor's axes, outermost first. Shape{} is a scalar.
type Shape []int

// Size returns the number of elements: 1 for a scalar, 0 if any axis is empty.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Rank returns the number of axes.
func (s Shape) Rank() int { return len(s) }

// Equal reports whether the shapes have the same axes; [1 3] and [3] differ.
func (s Shape) Equal(o Shape) bool { return slices.Equal(s, o) }

// Clone returns a copy, never nil.
func (s Shape) Clone() Shape { return append(Shape{}, s...) }

// String returns the lengths in brackets: "[2 3]", "[]" for a scalar.
func (s Shape) String() string { return fmt.Sprint([]int(s)) }

// Broadcast returns the common shape of a and b by the NumPy rule: axes are
// aligned at the innermost, and two lengths fit if they are equal or one is 1.
// It panics with a *ShapeError for op otherwise.
func Broadcast(op string, a, b Shape) Shape { return broadcast(op, Shape{}, a, b) }

// broadcast appends the common shape to an empty one.
func broadcast(op string, out, a, b Shape) Shape {
	long, short := a, b
	if len(a) < len(b) {
		long, short = b, a
	}
	out = append(out, long...)
	lead := len(long) - len(short)
	for k, d := range short {
		switch {
		case d == out[lead+k] || d == 1:
		case out[lead+k] == 1:
			out[lead+k] = d
		default:
			panic(&ShapeError{Op: op, Detail: "shapes do not broadcast", Shapes: []Shape{a.Clone(), b.Clone()}})
		}
	}
	return out
}

// axis resolves an axis that may count from the end.
func (s Shape) axis(op string, i int) int {
	k := i
	if k < 0 {
		k += len(s)
	}
	if k < 0 || k >= len(s) {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no axis %d", i), Shapes: []Shape{s.Clone()}})
	}
	return k
}

// maxElements is how many elements a tensor has at most: so many of the widest type
// have a number of bytes that an int holds.
const maxElements = math.MaxInt / 8

// maxBytes is how many bytes of memory a tensor that is no view has at most: what Go may be
// asked for, 1<<48 on 64 bits, less the 3 % by which the pool rounds up. (Go dies of what it
// then does not get.)
const maxBytes = min(math.MaxInt, 1<<48-1<<43)

// check panics unless all lengths are non-negative and their product, which Size
// takes without a look at overflow, is a number of elements.
func (s Shape) check(op string) {
	n, tooMany := uint64(1), false
	for _, d := range s {
		if d < 0 {
			panic(&ShapeError{Op: op, Detail: "negative length", Shapes: []Shape{s.Clone()}})
		}
		hi, lo := bits.Mul64(n, uint64(d))
		n, tooMany = lo, d != 0 && (tooMany || hi != 0 || lo > maxElements)
	}
	if tooMany {
		s.tooMany(op)
	}
}

func (s Shape) tooMany(op string) {
	panic(&ShapeError{Op: op, Detail: "more elements than memory can hold", Shapes: []Shape{s.Clone()}})
}

// headsOf reports whether to broadcast s to full is to repeat each element, as a column is
// over the rows of a matrix: but for axes of length 1 in the end, it is the beginning of full.
func (s Shape) headsOf(full Shape) bool {
	if len(s) != len(full) {
		return false
	}
	n := len(s)
	for n > 0 && s[n-1] == 1 {
		n--
	}
	return s[:n].Equal(full[:n])
}

// RepeatsTo reports whether to broadcast s to full is to repeat it whole, as a row is
// repeated over a matrix: but for axes of length 1 in front, it is the end of full.
func (s Shape) RepeatsTo(full Shape) bool {
	if len(s) > len(full) {
		return false
	}
	for len(s) > 0 && s[0] == 1 {
		s = s[1:]
	}
	return s.Equal(full[len(full)-len(s):])
}
