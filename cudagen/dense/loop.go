// The text of loops over strided, broadcast operands.

package dense

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// A loop runs a body for every index of a shape. Operand k is reached through the
// pointer p<k> at the offset o<k>; i is the row-major index.
type loop struct {
	operands []operand
	dims     []int   // merged axes, outermost first
	strides  [][]int // by operand, then axis
	n        int
}

type operand struct {
	view  tensor.View
	write bool
}

// newLoop plans a loop over the common shape of the views' axes. An operand's view has
// the shape; axes that all operands cross evenly are merged, those of length 1 vanish.
func newLoop(operands ...operand) *loop {
	shape := operands[0].view.Shape
	l := &loop{operands: operands, strides: make([][]int, len(operands)), n: shape.Size()}
	for axis, n := range shape {
		if n == 1 {
			continue
		}
		if last := len(l.dims) - 1; last >= 0 && l.mergeable(axis, n, last) {
			l.dims[last] *= n
			for k, o := range operands {
				l.strides[k][last] = o.view.Strides[axis]
			}
			continue
		}
		l.dims = append(l.dims, n)
		for k, o := range operands {
			l.strides[k] = append(l.strides[k], o.view.Strides[axis])
		}
	}
	return l
}

func (l *loop) mergeable(axis, n, last int) bool {
	for k, o := range l.operands {
		if l.strides[k][last] != o.view.Strides[axis]*n {
			return false
		}
	}
	return true
}

// flat reports whether every operand goes through its memory in steps of one, or does
// not move.
func (l *loop) flat() bool {
	for k := range l.operands {
		if !l.still(k) && !l.even(k) {
			return false
		}
	}
	return true
}

// still reports whether operand k is one element.
func (l *loop) still(k int) bool {
	for _, s := range l.strides[k] {
		if s != 0 {
			return false
		}
	}
	return true
}

func (l *loop) even(k int) bool { return len(l.dims) == 1 && l.strides[k][0] == 1 }

// index returns the type that counts elements.
func (l *loop) index() string {
	if l.n > math.MaxInt32 {
		return "u64"
	}
	return "u32"
}

// key names what the text depends on, but for the body.
func (l *loop) key() string {
	b := make([]byte, 0, 64)
	for k, o := range l.operands {
		b = append(b, o.view.DType.String()...)
		switch {
		case l.still(k):
			b = append(b, '.')
		case l.even(k):
			b = append(b, '-')
		default:
			b = append(b, '~')
		}
	}
	b = strconv.AppendInt(append(b, ' '), int64(len(l.dims)), 10)
	return string(append(append(b, ' '), l.index()...))
}

// text returns the kernel: the parameters are the operands, then those named, then sizes
// and strides.
func (l *loop) text(parameters []string, body string) string {
	var b strings.Builder
	var all []string
	for k, o := range l.operands {
		kind := "const "
		if o.write {
			kind = ""
		}
		all = append(all, fmt.Sprintf("%s%s *p%d", kind, cTypes[o.view.DType], k))
	}
	all = append(all, parameters...)
	all = append(all, "u64 n")
	for a := 1; a < len(l.dims); a++ {
		all = append(all, fmt.Sprintf("%s n%d", l.index(), a))
	}
	for k := range l.operands {
		if l.still(k) || l.even(k) {
			continue
		}
		for a := range l.dims {
			all = append(all, fmt.Sprintf("i64 s%d_%d", k, a))
		}
	}
	fmt.Fprintf(&b, "AST_KERNEL(k)(%s) {\n", strings.Join(all, ", "))
	b.WriteString("  for (u64 i = thread_index(); i < n; i += thread_count()) {\n")
	if !l.flat() {
		fmt.Fprintf(&b, "    %s r = (%s)i;\n", l.index(), l.index())
		for a := len(l.dims) - 1; a > 0; a-- {
			fmt.Fprintf(&b, "    const i64 i%d = r %% n%d;\n    r /= n%d;\n", a, a, a)
		}
		b.WriteString("    const i64 i0 = r;\n")
	}
	for k := range l.operands {
		switch {
		case l.still(k):
			fmt.Fprintf(&b, "    const i64 o%d = 0;\n", k)
		case l.even(k):
			fmt.Fprintf(&b, "    const i64 o%d = (i64)i;\n", k)
		default:
			terms := make([]string, len(l.dims))
			for a := range terms {
				terms[a] = fmt.Sprintf("i%d * s%d_%d", a, k, a)
			}
			fmt.Fprintf(&b, "    const i64 o%d = %s;\n", k, strings.Join(terms, " + "))
		}
	}
	b.WriteString(body)
	b.WriteString("  }\n}\n")
	return b.String()
}

// args returns the arguments in the order of the text's parameters.
func (l *loop) args(values []argument) []argument {
	var out []argument
	for _, o := range l.operands {
		out = append(out, o.view)
	}
	out = append(out, values...)
	out = append(out, l.n)
	for a := 1; a < len(l.dims); a++ {
		if l.index() == "u64" {
			out = append(out, l.dims[a])
		} else {
			out = append(out, uint32(l.dims[a]))
		}
	}
	for k := range l.operands {
		if l.still(k) || l.even(k) {
			continue
		}
		for a := range l.dims {
			out = append(out, l.strides[k][a])
		}
	}
	return out
}
