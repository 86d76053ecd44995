// Element-wise programs, and elements picked and put by index: loops.

package dense

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// Map runs a program over operands of dst's shape.
func (b *Backend) Map(dst tensor.View, p *tensor.Program, xs ...tensor.View) error {
	if dst.Size() == 0 {
		return nil
	}
	return b.launch(mapWork(dst, p, xs))
}

// mapWork plans the kernel of a program.
func mapWork(dst tensor.View, p *tensor.Program, xs []tensor.View) work {
	operands := []operand{{dst, true}}
	q := program{Program: p}
	for _, x := range xs {
		operands = append(operands, operand{x, false})
		q.types = append(q.types, x.DType)
	}
	l := newLoop(operands...)
	names, values := q.parameters()
	if l.packs() {
		return work{
			key:    "map4 " + l.key() + " " + q.key(),
			text:   func() string { return l.packedText(q, names) },
			blocks: blocksFor(l.n / 4),
			args:   l.args(values),
		}
	}
	return work{
		key: "map " + l.key() + " " + q.key(),
		text: func() string {
			statements, result := q.statements("    ", "i")
			var loads strings.Builder
			for k, x := range xs {
				fmt.Fprintf(&loads, "    const %s x%d = p%d[o%d];\n", valueType(x.DType), k, k+1, k+1)
			}
			return l.text(names, loads.String()+statements+fmt.Sprintf("    p0[o0] = %s;\n", result))
		},
		blocks: blocksFor(l.n),
		args:   l.args(values),
	}
}

// packs reports whether elements can be taken four at a time: all operands that move are
// even and begin where a pack may.
func (l *loop) packs() bool {
	if !l.flat() || l.still(0) || l.n < 4 {
		return false
	}
	for k, o := range l.operands {
		if !l.still(k) && o.view.Offset%4 != 0 {
			return false
		}
	}
	return true
}

// packedText is the kernel of a flat program that takes four elements at a time.
func (l *loop) packedText(q program, parameters []string) string {
	statements, result := q.statements("  ", "i")
	var types, loads, operands, numbers []string
	for k, o := range l.operands {
		c, v := cTypes[o.view.DType], valueType(o.view.DType)
		switch {
		case k == 0:
			types = append(types, c+" *p0")
			continue
		case l.still(k):
			loads = append(loads, fmt.Sprintf("  const %s x%d = p%d[0];\n", v, k-1, k))
			operands = append(operands, fmt.Sprintf("x%d", k-1))
		default:
			operands = append(operands, fmt.Sprintf("q%d.@", k))
		}
		types = append(types, fmt.Sprintf("const %s *p%d", c, k))
		numbers = append(numbers, fmt.Sprintf("%s x%d", v, k-1))
	}
	for _, p := range parameters {
		numbers = append(numbers, p)
		operands = append(operands, strings.TrimPrefix(p[strings.LastIndexByte(p, ' ')+1:], "*"))
	}
	indexed := q.indexed()
	if indexed {
		numbers = append(numbers, "u64 i")
	}
	call := func(field, index string) string { // for a field of the packs; for none, for an element of the memory
		args := make([]string, len(operands))
		for k, a := range operands {
			args[k] = strings.Replace(a, "@", field, 1)
			if at, packed := strings.CutPrefix(args[k], "q"); packed && field == "" {
				args[k] = "p" + strings.TrimSuffix(at, ".") + "[i]"
			}
		}
		if indexed {
			args = append(args, index)
		}
		return "f(" + strings.Join(args, ", ") + ")"
	}
	var b strings.Builder
	b.WriteString("template <class E> struct alignas(sizeof(E) < 4 ? 4 * sizeof(E) : 16) Pack { E x, y, z, w; };\n")
	out := l.operands[0].view.DType
	fmt.Fprintf(&b, "AST_DEVICE %s f(%s) {\n%s  return %s;\n}\n", valueType(out), strings.Join(numbers, ", "), statements, result)
	fmt.Fprintf(&b, "AST_KERNEL(k)(%s, u64 n) {\n%s", strings.Join(append(types, parameters...), ", "), strings.Join(loads, ""))
	b.WriteString("  for (u64 p = thread_index(); p < n / 4; p += thread_count()) {\n")
	for k, o := range l.operands {
		if k > 0 && !l.still(k) {
			fmt.Fprintf(&b, "    const Pack<%s> q%d = ((const Pack<%s> *)p%d)[p];\n", cTypes[o.view.DType], k, cTypes[o.view.DType], k)
		}
	}
	fmt.Fprintf(&b, "    Pack<%s> q0;\n", cTypes[out])
	for j, field := range []string{"x", "y", "z", "w"} {
		fmt.Fprintf(&b, "    q0.%s = %s;\n", field, call(field, fmt.Sprintf("4 * p + %d", j)))
	}
	fmt.Fprintf(&b, "    ((Pack<%s> *)p0)[p] = q0;\n  }\n", cTypes[out])
	fmt.Fprintf(&b, "  const u64 i = n / 4 * 4 + thread_index();\n  if (i < n) p0[i] = %s;\n}\n", call("", "i"))
	return b.String()
}

// along returns a view with an axis taken out of its strides, and how far apart the
// elements along that axis are.
func along(v tensor.View, axis int) (still tensor.View, apart int) {
	still = v
	still.Strides = append([]int(nil), v.Strides...)
	still.Strides[axis] = 0
	return still, v.Strides[axis]
}

// Gather picks elements along an axis.
func (b *Backend) Gather(dst, x tensor.View, axis int, ids tensor.View) error {
	from, apart := along(x, axis)
	from.Shape = dst.Shape
	l := newLoop(operand{dst, true}, operand{from, false}, operand{ids, false})
	return b.launch(work{
		key: "gather " + l.key(),
		text: func() string {
			return l.text([]string{"i64 apart"}, "    p0[o0] = p1[o1 + (i64)p2[o2] * apart];\n")
		},
		blocks: blocksFor(l.n),
		args:   l.args([]argument{apart}),
	})
}

// Scatter puts or adds elements along an axis. A thread does one column: elements for
// one place arrive in order.
func (b *Backend) Scatter(dst tensor.View, axis int, ids, src tensor.View, add bool) error {
	columns := ids.Shape.Clone()
	n := columns[axis]
	columns[axis] = 1
	to, toApart := along(dst, axis)
	index, indexApart := along(ids, axis)
	from, fromApart := along(src, axis)
	to.Shape, index.Shape, from.Shape = columns, columns, columns
	if columns.Size() == 0 || n == 0 {
		return nil
	}
	l := newLoop(operand{to, true}, operand{index, false}, operand{from, false})
	assign := "="
	if add {
		assign = "+="
	}
	return b.launch(work{
		key: "scatter" + assign + " " + l.key(),
		text: func() string {
			return l.text([]string{"i64 rows", "i64 apart0", "i64 apart1", "i64 apart2"},
				"    for (i64 j = 0; j < rows; j++)\n"+
					"      p0[o0 + (i64)p1[o1 + j * apart1] * apart0] "+assign+" p2[o2 + j * apart2];\n")
		},
		blocks: blocksFor(l.n),
		args:   l.args([]argument{n, toApart, indexApart, fromApart}),
	})
}

// Compact writes the elements where a mask is true, whose places were counted.
func (b *Backend) Compact(dst, x, mask, before tensor.View) error {
	to := dst
	to.Shape, to.Strides = x.Shape, make([]int, len(x.Shape)) // its place is its own matter
	l := newLoop(operand{to, true}, operand{x, false}, operand{mask, false}, operand{before, false})
	return b.launch(work{
		key:    "compact " + l.key(),
		text:   func() string { return l.text(nil, "    if (p2[o2]) p0[o0 + p3[o3] - 1] = p1[o1];\n") },
		blocks: blocksFor(l.n),
		args:   l.args(nil),
	})
}
