package ir

// The shape and residency columns of the op table.

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func inferGiven(p *Program, v *Value) error {
	for _, d := range v.Shape {
		if d < 0 {
			return fmt.Errorf("negative dimension in %v", v.Shape)
		}
	}
	if v.Res.IsType() && p.Types.Of(v.Res) == 0 {
		return fmt.Errorf("a %v value, and the graph has no such types", v.Res)
	}
	return nil
}

// checkSize refuses rows of more elements than can be counted, also where another dimension
// is 0: rules may take it away.
func checkSize(s Shape) error {
	n := 1
	for _, d := range s {
		if d > 0 && n > math.MaxInt/d {
			return fmt.Errorf("row shape %v has too many elements", s)
		}
		n *= max(d, 1)
	}
	return nil
}

func inferConst(_ *Program, v *Value) error {
	v.Res, v.Shape = Param, Shape{}
	return nil
}

func inferDegree(p *Program, v *Value) error {
	if !v.Attr.Res.IsVertex() {
		return fmt.Errorf("only vertices have a degree, not a %v value", v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.Res, Shape{}
	return perType(p, v)
}

// perType puts the edge types in front of the row of a typed op.
func perType(p *Program, v *Value) error {
	if !v.Attr.Typed {
		return nil
	}
	if p.Types.Edge == 0 {
		return fmt.Errorf("the graph's edges have no types")
	}
	v.Shape = append(Shape{p.Types.Edge}, v.Shape...)
	return nil
}

// BroadcastShapes is the NumPy rule on row shapes: aligned at the last
// dimension, dimensions of 1 stretch.
func BroadcastShapes(shapes ...Shape) (Shape, error) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make(Shape, rank)
	for i := range out {
		out[i] = 1
		for _, s := range shapes {
			j := i - (rank - len(s))
			if j < 0 || s[j] == 1 || s[j] == out[i] {
				continue
			}
			if out[i] != 1 {
				return nil, fmt.Errorf("row shapes %s do not broadcast%s", joinShapes(shapes), alignedAtTheFirst(shapes))
			}
			out[i] = s[j]
		}
	}
	return out, nil
}

// alignedAtTheFirst is a hint for two shapes that would broadcast if they were aligned
// at the first dimension, such as scores [H] and features [H F] of heads; else "".
func alignedAtTheFirst(shapes []Shape) string {
	if len(shapes) != 2 || len(shapes[0]) == len(shapes[1]) {
		return ""
	}
	short, long := shapes[0], shapes[1]
	if len(short) > len(long) {
		short, long = long, short
	}
	filled := slices.Clone(short)
	for len(filled) < len(long) {
		filled = append(filled, 1)
	}
	if _, err := BroadcastShapes(filled, long); err != nil {
		return ""
	}
	return fmt.Sprintf(": their last dimensions are aligned; Reshape %v to %v to align the first", short, filled)
}

func joinShapes(shapes []Shape) string {
	parts := make([]string, len(shapes))
	for i, s := range shapes {
		parts[i] = s.String()
	}
	return strings.Join(parts, " and ")
}

func joinArgs(v *Value) Residency {
	r := Param
	for _, a := range v.Args {
		r = Join(r, a.Res)
	}
	return r
}

func inferElementwise(_ *Program, v *Value) error {
	shapes := make([]Shape, len(v.Args))
	for i, a := range v.Args {
		shapes[i] = a.Shape
	}
	var err error
	v.Res = joinArgs(v)
	v.Shape, err = BroadcastShapes(shapes...)
	return err
}

func inferAt(_ *Program, v *Value) error {
	if !v.Args[0].Res.Within(v.Attr.Res) {
		return fmt.Errorf("a %v value read at %v rows", v.Args[0].Res, v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.Res, v.Args[0].Shape
	return nil
}

func inferDropout(_ *Program, v *Value) error {
	if p := v.Attr.Num; !(p >= 0 && p <= 1) {
		return fmt.Errorf("probability %v outside [0, 1]", p)
	}
	if v.Attr.Res == Param || v.Attr.Res.IsType() || !v.Args[0].Res.Within(v.Attr.Res) {
		return fmt.Errorf("a %v value has no mask per %v", v.Args[0].Res, v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.Res, v.Args[0].Shape
	return nil
}

func inferReshape(_ *Program, v *Value) error {
	if slices.ContainsFunc(v.Attr.Shape, func(d int) bool { return d < 0 }) {
		return fmt.Errorf("negative dimension in row shape %v of the %d elements of %v", v.Attr.Shape, v.Args[0].Width(), v.Args[0].Shape)
	}
	if err := checkSize(v.Attr.Shape); err != nil { // else its size may come out as the operand's
		return err
	}
	if v.Attr.Shape.Size() != v.Args[0].Width() {
		return fmt.Errorf("row shape %v has not the %d elements of %v", v.Attr.Shape, v.Args[0].Width(), v.Args[0].Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferExpand(_ *Program, v *Value) error {
	s, err := BroadcastShapes(v.Args[0].Shape, v.Attr.Shape)
	if err != nil || !s.Equal(v.Attr.Shape) {
		return fmt.Errorf("row shape %v does not broadcast to %v", v.Args[0].Shape, v.Attr.Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferReduceTo(_ *Program, v *Value) error {
	s, err := BroadcastShapes(v.Args[0].Shape, v.Attr.Shape)
	if err != nil || !s.Equal(v.Args[0].Shape) {
		return fmt.Errorf("row shape %v is no broadcast of %v", v.Args[0].Shape, v.Attr.Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferConcat(_ *Program, v *Value) error {
	first := v.Args[0].Shape
	if len(first) == 0 {
		return fmt.Errorf("scalars cannot be joined: reshape them to [1]")
	}
	last := len(first) - 1
	out := append(Shape{}, first...)
	for _, a := range v.Args[1:] {
		if len(a.Shape) != len(first) || !a.Shape[:last].Equal(first[:last]) {
			return fmt.Errorf("row shapes %v and %v differ before the last dimension", first, a.Shape)
		}
		out[last] += a.Shape[last]
	}
	v.Res, v.Shape = joinArgs(v), out
	return nil
}

func inferSlice(_ *Program, v *Value) error {
	x := v.Args[0].Shape
	if len(x) == 0 || v.Attr.Lo < 0 || v.Attr.Hi < v.Attr.Lo || v.Attr.Hi > x[len(x)-1] {
		return fmt.Errorf("columns [%d, %d) of row shape %v", v.Attr.Lo, v.Attr.Hi, x)
	}
	v.Res, v.Shape = v.Args[0].Res, append(Shape{}, x...)
	v.Shape[len(x)-1] = v.Attr.Hi - v.Attr.Lo
	return nil
}

func inferPad(_ *Program, v *Value) error {
	x := v.Args[0].Shape
	if len(x) == 0 || v.Attr.Lo < 0 || v.Attr.Hi < 0 {
		return fmt.Errorf("%d columns before and %d after row shape %v", v.Attr.Lo, v.Attr.Hi, x)
	}
	v.Res, v.Shape = v.Args[0].Res, append(Shape{}, x...)
	v.Shape[len(x)-1] += v.Attr.Lo + v.Attr.Hi
	return nil
}

func inferPermute(_ *Program, v *Value) error {
	x, order := v.Args[0].Shape, v.Attr.Shape
	seen := make([]bool, len(x))
	ok := len(order) == len(x)
	for _, d := range order {
		ok = ok && d >= 0 && d < len(x) && !seen[d]
		if ok {
			seen[d] = true
			v.Shape = append(v.Shape, x[d])
		}
	}
	if !ok {
		return fmt.Errorf("%v is no order of the dimensions of %v", order, x)
	}
	v.Res = v.Args[0].Res
	return nil
}

func inferMaxLast(p *Program, v *Value) error {
	if err := inferFirstMax(p, v); err != nil {
		return err
	}
	v.Shape = append(Shape{}, v.Shape...)
	v.Shape[len(v.Shape)-1] = 1
	return nil
}

func inferFirstMax(_ *Program, v *Value) error {
	x := v.Args[0].Shape
	if len(x) == 0 || x[len(x)-1] == 0 {
		return fmt.Errorf("row shape %v has no last dimension to take the maximum of", x)
	}
	v.Res, v.Shape = v.Args[0].Res, x
	return nil
}

func inferProduct(v *Value, contracted, produced int) error {
	x, w := v.Args[0], v.Args[1]
	heads := len(w.Shape) - 2
	if heads != 0 && heads != 1 {
		return fmt.Errorf("the right operand has row shape %v; want a matrix, or one for each head", w.Shape)
	}
	n := len(x.Shape)
	if n == 0 || x.Shape[n-1] != w.Shape[heads+contracted] {
		return fmt.Errorf("inner dimensions differ: row shape %v and matrix %v", x.Shape, w.Shape)
	}
	if heads == 1 && (n < 2 || x.Shape[n-2] != w.Shape[0]) {
		return fmt.Errorf("row shape %v has not the heads of %v", x.Shape, w.Shape)
	}
	v.Res, v.Shape = Join(x.Res, w.Res), append(Shape{}, x.Shape...)
	v.Shape[n-1] = w.Shape[heads+produced]
	return nil
}

func inferMatMul(_ *Program, v *Value) error  { return inferProduct(v, 0, 1) }
func inferMatMulT(_ *Program, v *Value) error { return inferProduct(v, 1, 0) }

func inferOuter(_ *Program, v *Value) error {
	x, y := v.Args[0], v.Args[1]
	for _, a := range v.Args {
		if !a.Res.Within(v.Attr.Res) {
			return fmt.Errorf("a %v operand at level %v", a.Res, v.Attr.Res)
		}
	}
	if err := checkTo(v); err != nil {
		return err
	}
	n := len(x.Shape)
	if n == 0 || len(y.Shape) != n || !x.Shape[:n-1].Equal(y.Shape[:n-1]) || v.Attr.Heads && n < 2 {
		return fmt.Errorf("row shapes %v and %v", x.Shape, y.Shape)
	}
	v.Res, v.Shape = v.Attr.To, Shape{x.Shape[n-1], y.Shape[n-1]}
	if v.Attr.Heads {
		v.Shape = append(Shape{x.Shape[n-2]}, v.Shape...)
	}
	return nil
}

// checkTo checks the types that the rows of a level are summed apart for.
func checkTo(v *Value) error {
	if to := v.Attr.To; to != Param && (!to.IsType() || !to.Within(v.Attr.Res)) {
		return fmt.Errorf("rows of %v summed into %v", v.Attr.Res, to)
	}
	return nil
}

func inferAggregate(p *Program, v *Value) error {
	v.Res, v.Shape = v.Attr.Dir.Rows(), v.Args[0].Shape
	if v.Op == OpArgmax {
		v.Type = I32
	}
	return perType(p, v)
}

func inferWinner(p *Program, v *Value) error {
	x, y := v.Args[0], v.Args[1]
	rows := v.Attr.Dir.Rows()
	if x.Type != I32 || x.Res != rows || !y.Res.Within(rows) || !x.Shape.Equal(y.Shape) {
		return fmt.Errorf("wants the ids of a maximum over %v-edges and a value on the same rows; has %v %v%v and %v %v%v",
			v.Attr.Dir, x.Res, x.Type, x.Shape, y.Res, y.Type, y.Shape)
	}
	v.Res, v.Shape = Edge, y.Shape
	if v.Attr.Typed {
		return ofOneType(p, v, y)
	}
	return nil
}

func inferPick(p *Program, v *Value) error {
	x := v.Args[0]
	if x.Res == Edge || x.Res == EdgeType {
		return fmt.Errorf("a %v value belongs to one edge type already", x.Res)
	}
	v.Res = Edge
	return ofOneType(p, v, x)
}

// ofOneType takes the edge types away from in front of y's row.
func ofOneType(p *Program, v, y *Value) error {
	if p.Types.Edge == 0 || len(y.Shape) == 0 || y.Shape[0] != p.Types.Edge {
		return fmt.Errorf("row shape %v does not begin with the %d edge types", y.Shape, p.Types.Edge)
	}
	v.Shape = y.Shape[1:]
	return nil
}

func inferSoftmax(p *Program, v *Value) error {
	if r := v.Args[0].Res; r.Within(v.Attr.Dir.Rows()) {
		return fmt.Errorf("a %v value is the same on all %v-edges of a vertex", r, v.Attr.Dir)
	}
	if v.Attr.Typed && p.Types.Edge == 0 {
		return fmt.Errorf("the graph's edges have no types")
	}
	v.Res, v.Shape = Edge, v.Args[0].Shape
	return nil
}

func inferTotal(_ *Program, v *Value) error {
	if r := v.Attr.Res; r == Param || r == Edge || !v.Args[0].Res.Within(r) {
		return fmt.Errorf("a %v value at level %v", v.Args[0].Res, v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.To, v.Args[0].Shape
	return checkTo(v)
}

func inferStack(p *Program, v *Value) error {
	x := v.Args[0]
	if !x.Res.IsType() {
		return fmt.Errorf("a %v value has no types to stack", x.Res)
	}
	v.Res, v.Shape = Param, append(Shape{p.Types.Of(x.Res)}, x.Shape...)
	return nil
}

func inferUnstack(p *Program, v *Value) error {
	x, to := v.Args[0], v.Attr.Res
	if x.Res != Param || !to.IsType() || p.Types.Of(to) == 0 || len(x.Shape) == 0 || x.Shape[0] != p.Types.Of(to) {
		return fmt.Errorf("a %v value of row shape %v as the rows of %v", x.Res, x.Shape, to)
	}
	v.Res, v.Shape = to, x.Shape[1:]
	return nil
}

func inferView(_ *Program, v *Value) error {
	from, to := v.Args[0].Res, v.Attr.Res
	switch {
	case from == Param && (to.IsVertex() || to == SrcType || to == DstType):
		to = Param
	case from.IsVertex() && to.IsVertex():
	case (from == SrcType || from == DstType) && (to == SrcType || to == DstType):
	default:
		return fmt.Errorf("a %v value seen as %v", from, to)
	}
	v.Res, v.Shape, v.Type = to, v.Args[0].Shape, v.Args[0].Type
	return nil
}
