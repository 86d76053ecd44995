package pass

// Reorder moves work to where there is less of it: from edges to vertices, out
// of sums over edges, and from one side of a homogeneous graph to the other so
// that kernels need not wait for each other. CSE and DCE must run after it.
//
// Graphiler section 4.3.1 (broadcast reordering) and NGra section 3.2 (operator
// motion) move dense ops; the residency of a value already puts an op of one
// endpoint alone on the vertices, so what is left are the ops that mix.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// denseRules take matrix products off the edges.
func denseRules(Options, *ir.Program) []Rule {
	return []Rule{
		{Name: "matmul-of-sum", Apply: matmulOfSum},
		{Name: "matmul-of-concat", Apply: matmulOfConcat},
		{Name: "sum-of-matmuls", ApplyUses: sumOfMatmuls},
		{Name: "sum-of-matmul", Apply: make(finiteness).sumOfMatmul},
	}
}

func reorderRules(o Options, p *ir.Program) []Rule {
	return append(denseRules(o, p), []Rule{
		{Name: "outer-off-edges", Apply: newOuters().offEdges},
		{Name: "regroup", Apply: regroup},
		{Name: "narrow-first", Apply: narrowFirst},
		{Name: "minus-out-of-sum", Apply: minusOutOfSum},
		{Name: "dropout-of-product", Apply: dropoutOfProduct},
		{Name: "reshape-of-product", Apply: reshapeOfProduct},
		{Name: "factor-out-of-sum", Apply: factorOutOfSum},
		{Name: "view-to-leaf", Apply: viewToLeaf},
	}...)
}

// matmulOfSum: (x_src ± y_dst)·W = x_src·W ± y_dst·W.
func matmulOfSum(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpMatMul && v.Op != ir.OpMatMulT || v.Res != ir.Edge {
		return nil
	}
	s, w := v.Args[0], v.Args[1]
	if s.Op != ir.OpAdd && s.Op != ir.OpSub || ir.Join(s.Args[0].Res, w.Res) == ir.Edge || ir.Join(s.Args[1].Res, w.Res) == ir.Edge {
		return nil
	}
	part := func(x *ir.Value) *ir.Value { return b.Op(v.Op, v.Attr, b.Expand(x, s.Shape), w) }
	return b.Op(s.Op, s.Attr, part(s.Args[0]), part(s.Args[1]))
}

// matmulOfConcat: [x_src ‖ y_dst ‖ f]·W = x_src·W₁ + y_dst·W₂ + f·W₃.
func matmulOfConcat(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpMatMul || v.Res != ir.Edge || v.Args[0].Op != ir.OpConcat || len(v.Args[1].Shape) != 2 {
		return nil
	}
	parts, w := v.Args[0].Args, v.Args[1]
	vertex := false
	for _, x := range parts {
		vertex = vertex || ir.Join(x.Res, w.Res) != ir.Edge
	}
	if !vertex {
		return nil
	}
	rows, cols := w.Shape[0], w.Shape[1]
	flat := b.Reshape(w, ir.Shape{rows * cols}) // a block of rows of W is a run of it
	var sum *ir.Value
	lo := 0
	for _, x := range parts {
		n := x.Shape[len(x.Shape)-1]
		block := b.Reshape(b.Op(ir.OpSlice, ir.Attr{Lo: lo * cols, Hi: (lo + n) * cols}, flat), ir.Shape{n, cols})
		lo += n
		if part := b.MatMul(x, block); sum == nil {
			sum = part
		} else {
			sum = b.Add(sum, part)
		}
	}
	return sum
}

// sumOfMatmuls: x·V + (y_e ± x·W) = y_e + x·(V ± W) for a vertex's x: with [h_v ‖ h_u - h_v]·W on
// the edges there are two products of h_v, and with their gradients four more.
func sumOfMatmuls(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if v.Op != ir.OpAdd || v.Res != ir.Edge {
		return nil
	}
	for i, s := range v.Args {
		m := v.Args[1-i]
		if s.Op != ir.OpAdd && s.Op != ir.OpSub || s.Res != ir.Edge || uses(s) != 1 || uses(m) != 1 {
			continue
		}
		for j, n := range s.Args {
			if !sameFactor(m, n) {
				continue
			}
			y, op := s.Args[1-j], s.Op
			product := func(op ir.Op) *ir.Value {
				return b.Op(m.Op, m.Attr, m.Args[0], b.Op(op, ir.Attr{}, m.Args[1], n.Args[1]))
			}
			if op == ir.OpSub && j == 0 { // x·W - y
				return b.Sub(product(ir.OpAdd), y)
			}
			return b.Add(product(op), y)
		}
	}
	return nil
}

// sameFactor tells whether both are products of the same row of a vertex with parameters.
func sameFactor(m, n *ir.Value) bool {
	return (m.Op == ir.OpMatMul || m.Op == ir.OpMatMulT) && n.Op == m.Op && m.Res.IsVertex() && n.Args[0] == m.Args[0] &&
		m.Args[1].Res == ir.Param && n.Args[1].Res == ir.Param && m.Args[1].Shape.Equal(n.Args[1].Shape)
}

// sumOfMatmul: Σ_e x_e·W = (Σ_e x_e)·W, one product a vertex for one an edge; of all
// products that follow one another. Where there are no edges the sum is 0, but 0 times an
// infinite matrix is not.
func (f finiteness) sumOfMatmul(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum {
		return nil
	}
	x := v.Args[0]
	var products []*ir.Value // the outermost first
	for isProductOp(x) && x.Res == ir.Edge && x.Args[1].Res.Within(v.Res) && f.of(x.Args[1]) {
		products = append(products, x)
		x = x.Args[0]
	}
	if len(products) == 0 {
		return nil
	}
	out := b.Op(ir.OpSum, v.Attr, x)
	for _, m := range slices.Backward(products) {
		out = b.Op(m.Op, m.Attr, out, m.Args[1])
	}
	return out
}

// regroup: (a_src + b_dst) + c_src = (a_src + c_src) + b_dst, and the same for
// products: operands that share a vertex meet there. Only those of one shape: a
// vertex product of a narrow and a wide one is another wide row to gather, where
// the edge would multiply a number.
func regroup(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpAdd && v.Op != ir.OpMul || v.Res != ir.Edge {
		return nil
	}
	for i, inner := range v.Args {
		c := v.Args[1-i]
		if inner.Op != v.Op || inner.Res != ir.Edge || c.Res == ir.Edge {
			continue
		}
		for j, a := range inner.Args {
			if other := inner.Args[1-j]; a.Res == c.Res && a.Shape.Equal(c.Shape) {
				return b.Op(v.Op, v.Attr, b.Op(v.Op, v.Attr, a, c), other)
			}
		}
	}
	return nil
}

// narrowFirst: a * (c * x) = (a * c) * x for a wide x and narrow a and c: one product of wide
// rows, not two, where the inner one is not of fewer rows. Gradients of squares are such.
func narrowFirst(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpMul {
		return nil
	}
	for i, inner := range v.Args {
		a := v.Args[1-i]
		if inner.Op != ir.OpMul || inner.Res != v.Res || v.Res == ir.Param || a.Width() >= v.Width() || !inner.Shape.Equal(v.Shape) {
			continue
		}
		for j, c := range inner.Args {
			if x := inner.Args[1-j]; x.Shape.Equal(v.Shape) && c.Width() < v.Width() {
				if ac, err := ir.BroadcastShapes(a.Shape, c.Shape); err == nil && ac.Size() < v.Width() {
					return b.Mul(b.Mul(a, c), x)
				}
			}
		}
	}
	return nil
}

// minusOutOfSum: Σ_e -x_e = 0 - Σ_e x_e, so that what x_e is a product of can leave the sum too.
func minusOutOfSum(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum || v.Args[0].Op != ir.OpNeg {
		return nil
	}
	return b.Sub(b.Const(0), b.Op(ir.OpSum, v.Attr, v.Args[0].Args[0]))
}

// dropoutOfProduct: dropout(x_e * y_r) = dropout(x_e) * y_r: the mask is linear,
// and the vertex's factor can leave the sum that follows.
func dropoutOfProduct(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpDropout || v.Res != ir.Edge || v.Args[0].Op != ir.OpMul {
		return nil
	}
	m := v.Args[0]
	for i, x := range m.Args {
		if y := m.Args[1-i]; x.Res == ir.Edge && y.Res != ir.Edge && x.Shape.Equal(m.Shape) {
			return b.Mul(b.Op(ir.OpDropout, v.Attr, x), y)
		}
	}
	return nil
}

// reshapeOfProduct: reshape(x_e * y_r) = reshape(x_e) * reshape(y_r): the vertex's
// factor can leave the sum that follows.
func reshapeOfProduct(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpReshape || v.Res != ir.Edge || v.Args[0].Op != ir.OpMul {
		return nil
	}
	x, y := v.Args[0].Args[0], v.Args[0].Args[1]
	if !x.Shape.Equal(y.Shape) || x.Res == ir.Edge && y.Res == ir.Edge {
		return nil
	}
	return b.Mul(b.Reshape(x, v.Shape), b.Reshape(y, v.Shape))
}

// factorOutOfSum: Σ_e y_r * x_e = y_r * Σ_e x_e for factors y of the row that
// sums. A row without edges sums to 0 whatever its factor is, so a factor that
// may be infinite or NaN there (such as degree^-1/2) counts as 0; where types are
// summed apart, for each type without edges.
func factorOutOfSum(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum {
		return nil
	}
	d, rows := v.Attr.Dir, v.Attr.Dir.Rows()
	of := rowFactors{rows: rows, counts: make(map[*ir.Value]int)}
	if v.Args[0].Op == ir.OpMul && of.count(v.Args[0]) > maxFactors {
		return nil
	}
	type step struct{ factor, product *ir.Value } // the factor taken from a product
	var steps []step
	rest := v.Args[0]
	// The row's own value times its degree would gain nothing.
	for rest.Op == ir.OpMul && !rest.Res.Within(rows) {
		factor, left := of.take(b, rest)
		if factor == nil {
			break
		}
		steps = append(steps, step{factor, rest})
		rest = left
	}
	if len(steps) == 0 {
		return nil
	}
	out := b.Op(ir.OpSum, v.Attr, rest)
	for _, s := range slices.Backward(steps) {
		if v.Attr.Typed { // the types stay in front of all dimensions of the product
			rank := len(s.product.Shape)
			out = besideTypes(b, out, rank)
			factor := s.factor
			if factor.Op != ir.OpConst || !finiteWithoutEdges(factor, d) {
				factor = b.Select(besideTypes(b, b.TypeDegree(d), rank), factor, b.Const(0))
			}
			out = b.Mul(out, factor)
			continue
		}
		out = b.Expand(b.Mul(out, whereEdges(b, s.factor, d)), s.product.Shape)
	}
	return out
}

// besideTypes is y, a row [types S], as [types 1 ... S]: broadcast against rows
// [types X] for X of a rank.
func besideTypes(b *ir.Builder, y *ir.Value, rank int) *ir.Value {
	s := ir.Shape{y.Shape[0]}
	for range rank - len(y.Shape) + 1 {
		s = append(s, 1)
	}
	return b.Reshape(y, append(s, y.Shape[1:]...))
}

// maxFactors is how many factors of one product rules look at. A product of products
// with themselves has as many as there are ways through it: x squared n times has 2^n.
const maxFactors = 64

// rowFactors finds the factors within rows in trees of products.
type rowFactors struct {
	rows   ir.Residency
	counts map[*ir.Value]int
}

// count is the number of factors of x, or more than maxFactors.
func (f rowFactors) count(x *ir.Value) int {
	switch {
	case x.Res.Within(f.rows):
		return 1
	case x.Op != ir.OpMul || x.Res != ir.Edge:
		return 0
	}
	n, ok := f.counts[x]
	if !ok {
		n = min(f.count(x.Args[0])+f.count(x.Args[1]), maxFactors+1)
		f.counts[x] = n
	}
	return n
}

// take removes a factor from a product.
func (f rowFactors) take(b *ir.Builder, m *ir.Value) (factor, rest *ir.Value) {
	for i, x := range m.Args {
		if other := m.Args[1-i]; x.Res.Within(f.rows) {
			return x, other
		}
	}
	for i, x := range m.Args {
		if f.count(x) > 0 {
			y, r := f.take(b, x)
			return y, b.Mul(r, m.Args[1-i])
		}
	}
	return nil, nil
}

// whereEdges is x on rows that have edges and 0 elsewhere; x itself if it is
// known to be finite on rows without edges.
func whereEdges(b *ir.Builder, x *ir.Value, d ir.Dir) *ir.Value {
	if finiteWithoutEdges(x, d) {
		return x
	}
	return b.Select(b.Degree(d, d.Rows()), x, b.Const(0))
}

func finiteWithoutEdges(x *ir.Value, d ir.Dir) bool {
	switch x.Op {
	case ir.OpConst:
		return isFinite(x.Attr.Num)
	case ir.OpRecip: // lowerSoftmax's 1/max(Σ, 1): without edges Σ is 0
		m := x.Args[0]
		return m.Op == ir.OpMaxOf && m.Args[0].Op == ir.OpSum && m.Args[0].Attr.Dir == d && isConst(m.Args[1], 1)
	case ir.OpSelect: // a guard of whereEdges
		return x.Args[0].Op == ir.OpDegree && x.Args[0].Attr.Dir == d && isConst(x.Args[2], 0)
	}
	return false
}

// viewToLeaf computes a vertex value on the side that reads it, from leaves of
// that side, instead of waiting for the other side's kernel. What depends on
// aggregates and matrix products crosses where it is narrowest.
func viewToLeaf(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpView {
		return nil
	}
	x := v.Args[0]
	switch {
	case x.Res == v.Res:
		return x
	case x.Op == ir.OpView:
		return b.View(x.Args[0], v.Res)
	case fromLeaves(x):
		return mirror(b, x, v.Res, make(map[*ir.Value]*ir.Value))
	}
	return viewNarrow(b, x, v.Res)
}

// facing is where a value of residency r is read from on the given side.
func facing(r, side ir.Residency) ir.Residency {
	if r.IsType() && side.IsVertex() {
		return side.TypeOf()
	}
	return side
}

// viewNarrow lets the operands of a row-wise op cross to the other side where
// they are narrower than its result, which then need not go through memory.
func viewNarrow(b *ir.Builder, x *ir.Value, side ir.Residency) *ir.Value {
	if c := x.Op.Info().Class; c != ir.Elementwise && c != ir.Layout || x.Op == ir.OpDropout {
		return nil
	}
	width := 0
	args := make([]*ir.Value, len(x.Args))
	for i, a := range x.Args {
		if args[i] = a; a.Res != ir.Param {
			width += a.Width()
		}
	}
	if width > x.Width() || width == x.Width() && x.Op != ir.OpReshape { // a reshape is free on either side
		return nil
	}
	for i, a := range args {
		if a.Res != ir.Param {
			args[i] = b.View(a, facing(a.Res, side))
		}
	}
	attr := x.Attr
	if x.Op == ir.OpAt {
		attr.Res = side
	}
	return b.Op(x.Op, attr, args...)
}

// mirror copies what fromLeaves accepts to the other side.
func mirror(b *ir.Builder, x *ir.Value, side ir.Residency, done map[*ir.Value]*ir.Value) *ir.Value {
	side = facing(x.Res, side)
	if x.Res == ir.Param || x.Res == side {
		return x
	}
	if done[x] != nil {
		return done[x]
	}
	switch x.Op {
	case ir.OpInput:
		w := *x
		w.Res = side
		done[x] = b.InputOf(x.Attr.Name, &w)
	case ir.OpDegree:
		done[x] = b.Op(ir.OpDegree, ir.Attr{Dir: x.Attr.Dir, Res: side, Typed: x.Attr.Typed})
	default:
		attr := x.Attr
		if x.Op == ir.OpDropout || x.Op == ir.OpAt {
			attr.Res = side
		}
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = mirror(b, a, side, done)
		}
		done[x] = b.Op(x.Op, attr, args...)
	}
	return done[x]
}

// fromLeaves tells whether v is computed from leaves by row-wise ops alone.
func fromLeaves(v *ir.Value) bool {
	seen := make(map[*ir.Value]bool)
	var rowWise func(v *ir.Value) bool
	rowWise = func(v *ir.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch v.Op.Info().Class {
		case ir.Leaf, ir.Elementwise, ir.Layout:
			return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return a.Res != ir.Param && !rowWise(a) })
		}
		return false
	}
	return rowWise(v)
}
