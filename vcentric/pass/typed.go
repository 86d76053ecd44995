package pass

// Typed moves products with a matrix for each edge type off the edges. Three
// strategies compute Σ_e x_e·W[type e]:
//
//	aggregate first  S[v,t] = Σ over v's edges of type t of x, then Σ_t S[v,t]·W[t]
//	transform first  Y[u,t] = x_u·W[t] for every vertex and type, then Σ_e Y[u,type e]
//	segments         x_e·W[type e] edge by edge, a tile's edges sorted by type
//
// The first two are one product over vertices with the types' matrices side by
// side (Graphiler section 4.3.2; Hector, Wu et al., ASPLOS 2024). The cost model
// counts their work and traffic; the third is what is left alone. It runs after
// the gradient, whose products over edges have the same choice, and before CSE.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Sizes is what the cost model knows of the graphs that a program is compiled
// for, in any common unit.
type Sizes struct{ Src, Dst, Edges float64 }

// typicalDegree stands for graphs of which nothing is said.
const typicalDegree = 8

func (s Sizes) orTypical() Sizes {
	if s == (Sizes{}) {
		return Sizes{Src: 1, Dst: 1, Edges: typicalDegree}
	}
	return s
}

// rows is the number of vertices of a residency.
func (s Sizes) rows(r ir.Residency) float64 {
	if r == ir.Src {
		return s.Src
	}
	return s.Dst
}

func typedSumRules(o Options, _ *ir.Program) []Rule {
	t := typedCost{sizes: o.Sizes.orTypical(), outers: newOuters()}
	return []Rule{
		{Name: "op-of-pick", Apply: t.opOfPick},
		{Name: "scale-into-product", Apply: scaleIntoProduct},
		{Name: "aggregate-by-type", Apply: t.aggregateByType},
		{Name: "outer-by-type", Apply: t.outerByType},
		{Name: "pick-out-of-sum", Apply: pickOutOfSum},
	}
}

func typedTableRules(o Options, _ *ir.Program) []Rule {
	t := typedCost{sizes: o.Sizes.orTypical(), outers: newOuters()}
	return []Rule{{Name: "transform-by-type", Apply: t.transformByType}}
}

// isTypedProduct tells whether v multiplies by a matrix of the edge's type.
func isTypedProduct(v *ir.Value) bool {
	return isProductOp(v) && v.Res == ir.Edge && v.Args[1].Res == ir.EdgeType
}

func isProductOp(v *ir.Value) bool { return v.Op == ir.OpMatMul || v.Op == ir.OpMatMulT }

// scaleIntoProduct: Σ_e c·(x·W) = Σ_e (c·x)·W for a factor c that is the same in
// all columns, where the product is typed: what is summed is then a product.
func scaleIntoProduct(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum || v.Args[0].Op != ir.OpMul {
		return nil
	}
	for i, m := range v.Args[0].Args {
		c := v.Args[0].Args[1-i]
		if !isTypedProduct(m) || !m.Shape.Equal(v.Args[0].Shape) || !sameInColumns(c) {
			continue
		}
		return b.Op(ir.OpSum, v.Attr, b.Op(m.Op, m.Attr, b.Mul(c, m.Args[0]), m.Args[1]))
	}
	return nil
}

// sameInColumns tells whether c broadcasts over the last dimension.
func sameInColumns(c *ir.Value) bool {
	n := len(c.Shape)
	return n == 0 || c.Shape[n-1] == 1
}

// opOfPick: f(y[type e]) = f(y)[type e] for an op of one operand, where there are no more
// types for each edge of a vertex than sums by type put up with: a factor of the row can then
// leave them.
func (t typedCost) opOfPick(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op.Info().Unary == nil || v.Op == ir.OpAt || v.Args[0].Op != ir.OpPick {
		return nil
	}
	y := v.Args[0].Args[0]
	if y.Res.IsVertex() && t.sizes.rows(y.Res)*float64(b.Program().Types.Edge) > manyEmpty*t.sizes.Edges {
		return nil
	}
	return b.Op(ir.OpPick, ir.Attr{}, b.Op(v.Op, v.Attr, y))
}

// pickOutOfSum: Σ over type t of y_r[t]·x_e = y_r[t] Σ over type t of x_e for a
// factor that the row has for each type. It counts as 0 for types without edges,
// where it may be infinite.
func pickOutOfSum(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum || !v.Attr.Typed || v.Args[0].Op != ir.OpMul {
		return nil
	}
	rows := v.Attr.Dir.Rows()
	for i, p := range v.Args[0].Args {
		x := v.Args[0].Args[1-i]
		if p.Op != ir.OpPick || !p.Args[0].Res.Within(rows) || x.Res.Within(rows) || !x.Shape.Equal(v.Args[0].Shape) {
			continue
		}
		rank := len(x.Shape)
		count := besideTypes(b, b.TypeDegree(v.Attr.Dir), rank)
		factor := b.Select(count, besideTypes(b, p.Args[0], rank), b.Const(0))
		return b.Mul(b.Op(ir.OpSum, v.Attr, x), factor)
	}
	return nil
}

// typedCost compares the strategies by the flops of their products and by the
// bytes that they gather and write.
type typedCost struct {
	sizes Sizes
	outers
}

// What one byte costs in flops: a core multiplies at about 50 GFLOP/s and
// gathers rows at about 10 GB/s. Products of a tile's edges, a few of each type
// at a time, run at about half the speed of those of whole matrices.
const (
	flopsPerByte  = 5
	segmentedCost = 2
	floatBytes    = 4
)

// manyEmpty is the number of sums by vertex and type for an edge up to which those of no
// edges are left out one by one; with more, tiles have too few rows for each type.
const manyEmpty = 2.5

// product is the number of flops of one row's product x·W.
func productFlops(m *ir.Value) float64 {
	return 2 * float64(m.Args[0].Width()) * float64(m.Shape[len(m.Shape)-1])
}

func (t typedCost) aggregate(b *ir.Builder, m *ir.Value, rows ir.Residency) float64 {
	pairs := t.sizes.rows(rows) * float64(b.Program().Types.Edge)
	if pairs <= manyEmpty*t.sizes.Edges { // the CPU leaves out those without edges
		pairs = min(pairs, t.sizes.Edges)
	}
	return pairs*productFlops(m) + flopsPerByte*floatBytes*t.sizes.Edges*float64(m.Args[0].Width())
}

func (t typedCost) transform(b *ir.Builder, m *ir.Value) float64 {
	table := t.sizes.rows(m.Args[0].Res) * float64(b.Program().Types.Edge)
	return table*productFlops(m) + flopsPerByte*floatBytes*(2*table+t.sizes.Edges)*float64(m.Width())
}

func (t typedCost) segments(m *ir.Value) float64 {
	return t.sizes.Edges * (segmentedCost*productFlops(m) + flopsPerByte*floatBytes*float64(m.Args[0].Width()))
}

// aggregateByType: Σ_e x_e·W[t] = Σ_t (Σ over type t of x_e)·W[t], one product
// with the types' matrices on top of each other. A vertex without edges of a type meets its
// matrix too: one that may be infinite would make the vertex's sum NaN.
func (t typedCost) aggregateByType(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum || v.Attr.Typed || !isTypedProduct(v.Args[0]) {
		return nil
	}
	m := v.Args[0]
	x, w := m.Args[0], m.Args[1]
	if len(x.Shape) > 2 || !t.finite.of(w) {
		return nil
	}
	cost := t.aggregate(b, m, v.Res)
	if cost >= t.segments(m) || x.Res.IsVertex() && cost >= t.transform(b, m) {
		return nil
	}
	// The sum is [R F] or [R K F] with types R, contracted columns F and rows or
	// heads K; the product wants R and F side by side.
	sum := typesInside(b, b.Op(ir.OpSum, ir.Attr{Dir: v.Attr.Dir, Typed: true}, x))
	matrix := b.Op(ir.OpStack, ir.Attr{}, w)
	switch heads := len(w.Shape) == 3; {
	case m.Op == ir.OpMatMulT && heads: // [R H O F] to [H R F O]
		matrix = permute(b, matrix, 1, 0, 3, 2)
	case m.Op == ir.OpMatMulT: // [R O F] to [R F O]
		matrix = permute(b, matrix, 0, 2, 1)
	case heads: // [R H F O] to [H R F O]
		matrix = permute(b, matrix, 1, 0, 2, 3)
	}
	n := len(matrix.Shape)
	merged := append(matrix.Shape[:n-3:n-3], matrix.Shape[n-3]*matrix.Shape[n-2], matrix.Shape[n-1])
	return b.MatMul(sum, b.Reshape(matrix, merged))
}

// typesInside turns a row [R F] into [R*F], and [R K F] into [K R*F].
func typesInside(b *ir.Builder, x *ir.Value) *ir.Value {
	if len(x.Shape) == 3 {
		x = permute(b, x, 1, 0, 2)
	}
	n := len(x.Shape)
	return b.Reshape(x, append(x.Shape[:n-2:n-2], x.Shape[n-2]*x.Shape[n-1]))
}

func permute(b *ir.Builder, x *ir.Value, order ...int) *ir.Value {
	return b.Op(ir.OpPermute, ir.Attr{Shape: order}, x)
}

// transformByType: x_u·W[type e] = (x_u·[W_1 ‖ W_2 ‖ …])[type e], a table with a
// row for every vertex and type.
func (t typedCost) transformByType(b *ir.Builder, v *ir.Value) *ir.Value {
	if !isTypedProduct(v) || !v.Args[0].Res.IsVertex() && v.Args[0].Res != ir.Param {
		return nil
	}
	x, w := v.Args[0], v.Args[1]
	if len(x.Shape) > 2 || t.transform(b, v) >= t.segments(v) {
		return nil
	}
	types, n := b.Program().Types.Edge, len(w.Shape)
	matrix := b.Op(ir.OpStack, ir.Attr{}, w)
	switch heads := n == 3; {
	case v.Op == ir.OpMatMulT && heads: // [R H O F] to [H R O F]
		matrix = permute(b, matrix, 1, 0, 2, 3)
	case v.Op == ir.OpMatMulT: // [R O F] as it is
	case heads: // [R H F O] to [H F R O]
		matrix = permute(b, matrix, 1, 2, 0, 3)
	default: // [R F O] to [F R O]
		matrix = permute(b, matrix, 1, 0, 2)
	}
	s := matrix.Shape
	k := len(s)
	if v.Op == ir.OpMatMulT {
		s = append(s[:k-3:k-3], s[k-3]*s[k-2], s[k-1])
	} else {
		s = append(s[:k-2:k-2], s[k-2]*s[k-1])
	}
	y := b.Op(v.Op, ir.Attr{}, x, b.Reshape(matrix, s)) // [R*O] or [K R*O]
	out := v.Shape[len(v.Shape)-1]
	y = b.Reshape(y, append(y.Shape[:len(y.Shape)-1:len(y.Shape)-1], types, out))
	if len(y.Shape) == 3 {
		y = permute(b, y, 1, 0, 2)
	}
	return b.Op(ir.OpPick, ir.Attr{}, y)
}
