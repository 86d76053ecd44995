package ir

// The shape and residency columns of the op table.

import (
	"fmt"
	"slices"
	"strings"
)

func inferGiven(v *Value) error {
	for _, d := range v.Shape {
		if d < 0 {
			return fmt.Errorf("negative dimension in %v", v.Shape)
		}
	}
	return nil
}

func inferConst(v *Value) error {
	v.Res, v.Shape = Param, Shape{}
	return nil
}

func inferDegree(v *Value) error {
	if v.Attr.Res != Src && v.Attr.Res != Dst {
		return fmt.Errorf("only vertices have a degree, not a %v value", v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.Res, Shape{}
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
				return nil, fmt.Errorf("row shapes %s do not broadcast", joinShapes(shapes))
			}
			out[i] = s[j]
		}
	}
	return out, nil
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

func inferElementwise(v *Value) error {
	shapes := make([]Shape, len(v.Args))
	for i, a := range v.Args {
		shapes[i] = a.Shape
	}
	var err error
	v.Res = joinArgs(v)
	v.Shape, err = BroadcastShapes(shapes...)
	return err
}

func inferAtEdge(v *Value) error {
	v.Res, v.Shape = Edge, v.Args[0].Shape
	return nil
}

func inferDropout(v *Value) error {
	if p := v.Attr.Num; !(p >= 0 && p <= 1) {
		return fmt.Errorf("probability %v outside [0, 1]", p)
	}
	if v.Attr.Res == Param || !v.Args[0].Res.Within(v.Attr.Res) {
		return fmt.Errorf("a %v value has no mask per %v", v.Args[0].Res, v.Attr.Res)
	}
	v.Res, v.Shape = v.Attr.Res, v.Args[0].Shape
	return nil
}

func inferReshape(v *Value) error {
	if slices.ContainsFunc(v.Attr.Shape, func(d int) bool { return d < 0 }) {
		return fmt.Errorf("negative dimension in row shape %v", v.Attr.Shape)
	}
	if v.Attr.Shape.Size() != v.Args[0].Width() {
		return fmt.Errorf("row shape %v has not the %d elements of %v", v.Attr.Shape, v.Args[0].Width(), v.Args[0].Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferExpand(v *Value) error {
	s, err := BroadcastShapes(v.Args[0].Shape, v.Attr.Shape)
	if err != nil || !s.Equal(v.Attr.Shape) {
		return fmt.Errorf("row shape %v does not broadcast to %v", v.Args[0].Shape, v.Attr.Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferReduceTo(v *Value) error {
	s, err := BroadcastShapes(v.Args[0].Shape, v.Attr.Shape)
	if err != nil || !s.Equal(v.Args[0].Shape) {
		return fmt.Errorf("row shape %v is no broadcast of %v", v.Args[0].Shape, v.Attr.Shape)
	}
	v.Res, v.Shape = v.Args[0].Res, v.Attr.Shape
	return nil
}

func inferConcat(v *Value) error {
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

func inferSlice(v *Value) error {
	x := v.Args[0].Shape
	if len(x) == 0 || v.Attr.Lo < 0 || v.Attr.Hi < v.Attr.Lo || v.Attr.Hi > x[len(x)-1] {
		return fmt.Errorf("columns [%d, %d) of row shape %v", v.Attr.Lo, v.Attr.Hi, x)
	}
	v.Res, v.Shape = v.Args[0].Res, append(Shape{}, x...)
	v.Shape[len(x)-1] = v.Attr.Hi - v.Attr.Lo
	return nil
}

func inferPad(v *Value) error {
	x := v.Args[0].Shape
	if len(x) == 0 || v.Attr.Lo < 0 || v.Attr.Hi < 0 {
		return fmt.Errorf("%d columns before and %d after row shape %v", v.Attr.Lo, v.Attr.Hi, x)
	}
	v.Res, v.Shape = v.Args[0].Res, append(Shape{}, x...)
	v.Shape[len(x)-1] += v.Attr.Lo + v.Attr.Hi
	return nil
}

func inferProduct(v *Value, contracted, produced int) error {
	x, w := v.Args[0], v.Args[1]
	if w.Res != Param || len(w.Shape) != 2 {
		return fmt.Errorf("the right operand is a %v value of row shape %v; want a param matrix", w.Res, w.Shape)
	}
	if len(x.Shape) == 0 || x.Shape[len(x.Shape)-1] != w.Shape[contracted] {
		return fmt.Errorf("inner dimensions differ: row shape %v and matrix %v", x.Shape, w.Shape)
	}
	v.Res, v.Shape = x.Res, append(Shape{}, x.Shape...)
	v.Shape[len(x.Shape)-1] = w.Shape[produced]
	return nil
}

func inferMatMul(v *Value) error  { return inferProduct(v, 0, 1) }
func inferMatMulT(v *Value) error { return inferProduct(v, 1, 0) }

func inferOuter(v *Value) error {
	x, y := v.Args[0], v.Args[1]
	for _, a := range v.Args {
		if !a.Res.Within(v.Attr.Res) {
			return fmt.Errorf("a %v operand at level %v", a.Res, v.Attr.Res)
		}
	}
	n := len(x.Shape)
	if n == 0 || len(y.Shape) != n || !x.Shape[:n-1].Equal(y.Shape[:n-1]) {
		return fmt.Errorf("row shapes %v and %v", x.Shape, y.Shape)
	}
	v.Res, v.Shape = Param, Shape{x.Shape[n-1], y.Shape[n-1]}
	return nil
}

func inferAggregate(v *Value) error {
	v.Res, v.Shape = v.Attr.Dir.Rows(), v.Args[0].Shape
	if v.Op == OpArgmax {
		v.Type = I32
	}
	return nil
}

func inferWinner(v *Value) error {
	x, y := v.Args[0], v.Args[1]
	rows := v.Attr.Dir.Rows()
	if x.Type != I32 || x.Res != rows || !y.Res.Within(rows) || !x.Shape.Equal(y.Shape) {
		return fmt.Errorf("wants the ids of a maximum over %v-edges and a value on the same rows; has %v %v%v and %v %v%v",
			v.Attr.Dir, x.Res, x.Type, x.Shape, y.Res, y.Type, y.Shape)
	}
	v.Res, v.Shape = Edge, y.Shape
	return nil
}

func inferSoftmax(v *Value) error {
	if r := v.Args[0].Res; r.Within(v.Attr.Dir.Rows()) {
		return fmt.Errorf("a %v value is the same on all %v-edges of a vertex", r, v.Attr.Dir)
	}
	v.Res, v.Shape = Edge, v.Args[0].Shape
	return nil
}

func inferTotal(v *Value) error {
	if v.Attr.Res != Src && v.Attr.Res != Dst || !v.Args[0].Res.Within(v.Attr.Res) {
		return fmt.Errorf("a %v value at level %v", v.Args[0].Res, v.Attr.Res)
	}
	v.Res, v.Shape = Param, v.Args[0].Shape
	return nil
}

func inferView(v *Value) error {
	from, to := v.Args[0].Res, v.Attr.Res
	if from == Edge || to != Src && to != Dst {
		return fmt.Errorf("a %v value seen as %v", from, to)
	}
	v.Res, v.Shape, v.Type = to, v.Args[0].Shape, v.Args[0].Type
	if from == Param {
		v.Res = Param
	}
	return nil
}
