package render

// Products of the rows of a kernel with matrices: a lane has columns of the result, and
// the lanes beside each other read the columns of a row of the matrix.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// transpose copies the matrices that edges are multiplied with transposed, so that lanes
// read what lies side by side: with rows as they are every lane's number is in a line of
// its own, and a kernel of EdgeConv's gradient took 34 ms where that of its result, with
// the same product, took 4.7 (H200, 4 million edges, 64×64).
func (k *kernel) transpose() {
	for _, l := range k.spec.Loops {
		for _, v := range l.Edge {
			if v.Op != ir.OpMatMulT || v.Width() == 0 {
				continue
			}
			w := v.Args[1]
			if _, done := k.transposed[w]; done || k.computed[plan.Row(w)] || k.plan.BufferOf(w) == nil {
				continue
			}
			k.transposed[w] = k.launchTranspose(w)
		}
	}
}

// launchTranspose writes the entry point that copies the matrices of w, and returns the
// region that they are in.
func (k *kernel) launchTranspose(w *ir.Value) (region int) {
	rank, width := len(w.Shape), w.Width()
	out, in := w.Shape[rank-2], w.Shape[rank-1]
	rows := Count{{Of: Rows, Res: w.Res}}
	region = k.region(Region{Of: rows, Width: width, Type: w.Type})
	f := k.newFlat(w.Res)
	f.buffers[w] = k.plan.BufferOf(w)
	n := f.param(Arg{Kind: CountArg, Count: rows}, "int rows", "rows")
	from := f.tensor(w)
	to := f.param(Arg{Kind: WorkspaceArg, Index: region}, "T *AST_RESTRICT to", "to")
	f.text.line("const i64 i = (i64)blockIdx.x * %d + threadIdx.x;", flatBlock)
	f.text.line("if (i >= (i64)%s * %d) return;", n, width)
	f.text.line("const int k = (int)(i %% %d);", in*out)
	f.text.line("%s[i] = ast_load(%s + (i - k + k %% %d * %d + k / %d));", to, from, out, in, out)
	f.finish(fmt.Sprintf("transposed%d", len(k.transposed)+1), Count{{Of: Rows, Res: w.Res, Times: width, Per: flatBlock}}, flatBlock)
	return region
}

// matrix is C for a pointer to a matrix that a scope reads, and how far its rows and
// columns are apart; "" for a constant, a matrix of one number.
func (f *fn) matrix(v *ir.Value, s scope) (pointer string, stepIn, stepOut int) {
	w := v.Args[1]
	rank := len(w.Shape)
	rows, columns := w.Shape[rank-2], w.Shape[rank-1]
	region, transposed := f.transposed[w]
	switch {
	case rowOrNumber(w).Op == ir.OpConst:
		return "", 0, 0
	case v.Op == ir.OpMatMul:
		return f.rowPointer(s, w), columns, 1
	case !transposed:
		return f.rowPointer(s, w), 1, columns
	}
	to, row := f.workspace(region), f.rowIndex(w.Res)
	if row == "0" {
		return to, rows, 1
	}
	return fmt.Sprintf("(%s + %s)", to, linear("(i64)"+row, w.Width(), 0)), rows, 1
}

// matmul is a number of a product of a row with a matrix; all of the value's
// numbers in the scope are computed in one loop.
func (f *fn) matmul(n number) string {
	v := n.value
	x, w := v.Args[0], v.Args[1]
	rank := len(w.Shape)
	in, out := w.Shape[rank-2], w.Shape[rank-1]
	if v.Op == ir.OpMatMulT {
		in, out = out, in
	}
	heads := w.Shape[:rank-2].Size()
	row := f.rowPointer(n.scope, x)
	matrix, stepIn, stepOut := f.matrix(v, n.scope)
	t := f.text(n.scope)
	all := f.needs[rowOf{n.scope, v}]
	var columns []*elems // of the matrix, its first row
	var names, from []string
	for _, e := range all {
		names = append(names, f.declare(number{scope: n.scope, value: v, elems: e}, "0"))
		from = append(from, joinSum(f.index(f.elems.mapped(e, func(k int) int { return k / out * in })), "j"))
		columns = append(columns, f.elems.mapped(e, func(k int) int {
			return k/out%max(heads, 1)*in*out + k%out*stepOut
		}))
	}
	vector := 1
	if stepOut == 1 {
		vector = vectorOf(out, v.Type)
	}
	t.open("for (int j = 0; j < %d; j++)", in)
	loaded := make(map[*elems]string)
	for i, e := range columns {
		at := func(e *elems) string { return joinSum(f.index(e), linear("j", stepIn, 0)) }
		if loaded[e] == "" {
			beside, _, ok := f.elems.vector(e, vector)
			if matrix == "" {
				loaded[e] = literal(rowOrNumber(w).Attr.Num)
			} else if ok && vector > 1 && !slices.ContainsFunc(beside, func(e *elems) bool { return !slices.Contains(columns, e) }) {
				name := f.temporary("m") // w is for regions
				t.line("const T%d %s = ast_load%d(%s + %s);", vector, name, vector, matrix, at(beside[0]))
				for j, e := range beside {
					loaded[e] = name + "." + "xyzw"[j:j+1]
				}
			} else {
				loaded[e] = fmt.Sprintf("ast_load(%s + %s)", matrix, at(e))
			}
		}
		t.line("%s += %s[%s] * %s;", names[i], row, from[i], loaded[e])
	}
	t.close()
	return f.names[n]
}
