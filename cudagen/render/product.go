package render

// Products of rows with matrices that types or heads have apart: a thread computes a
// column of several rows, which share what it loads of their matrix. Rows come in the
// order of their types, so that most neighbours have the same one.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const productRows = 8 // of a thread

// rowProduct writes a matrix product whose rows have matrices by type or head.
func (r *renderer) rowProduct(s *plan.Product) {
	v := s.Value
	x, w := v.Args[0], v.Args[1]
	rank := len(w.Shape)
	in, out := w.Shape[rank-2], w.Shape[rank-1]
	stepIn, stepOut := out, 1
	if v.Op == ir.OpMatMulT {
		in, out = out, in
		stepIn, stepOut = 1, in
	}
	if v.Width() == 0 {
		return
	}
	heads := w.Shape[:rank-2].Size()
	lead := v.Width() / out // rows of x for a row of the level
	f := r.newFlat(s.Level)
	f.buffers = map[*ir.Value]*plan.Buffer{x: s.A, w: s.B}
	rows := f.param(Arg{Kind: CountArg, Count: Count{{Of: Rows, Res: s.Level}}}, "int rows", "rows")
	to := f.param(Arg{Kind: BufferArg, Index: s.Out.Index}, "T *AST_RESTRICT out", "out")
	xs, ws := f.tensor(x), f.tensor(w)
	t := f.text
	t.line("const i64 i = (i64)blockIdx.x * %d + threadIdx.x;", flatBlock)
	t.line("const int column = (int)(i %% %d), part = (int)(i / %d %% %d);", out, out, lead)
	t.line("const i64 first = i / %d * %d;", out*lead, productRows)
	t.line("if (first >= %s) return;", rows)
	t.line("const T *x[%d], *w[%d];", productRows, productRows)
	t.line("int row[%d];", productRows)
	t.line("bool same = true;")
	each := func(write func()) {
		t.line("AST_UNROLL")
		f.nested(fmt.Sprintf("for (int q = 0; q < %d; q++)", productRows), write)
	}
	column := joinSum(linear("part % "+fmt.Sprint(max(heads, 1)), in*out, 0), linear("column", stepOut, 0))
	if heads <= 1 {
		column = linear("column", stepOut, 0)
	}
	each(func() {
		t.line("const int n = first + q < %[1]s ? (int)first + q : %[1]s - 1;", rows)
		t.line("const int r = %s;", f.inOrder("n"))
		t.line("row[q] = r;")
		t.line("x[q] = %s + %s;", xs, f.element(f.row(x.Res), x.Res, x.Width(), linear("part", in, 0)))
		t.line("w[q] = %s + %s;", ws, f.element(f.row(w.Res), w.Res, w.Width(), column))
		t.line("same = same && w[q] == w[0];")
	})
	t.line("T sum[%d];", productRows)
	each(func() { t.line("sum[q] = 0;") })
	vector := vectorOf(in, r.plan.Program.Type)
	t.open("if (same)")
	t.open("for (int j = 0; j < %d; j += %d)", in, vector)
	for j := range vector {
		t.line("const T w%d = ast_load(w[0] + %s);", j, linear("j", stepIn, j*stepIn))
	}
	each(func() {
		if vector == 1 {
			t.line("sum[q] += ast_load(x[q] + j) * w0;")
			return
		}
		t.line("const T%d a = ast_load%d(x[q] + j);", vector, vector)
		for j := range vector {
			t.line("sum[q] += a.%s * w%d;", "xyzw"[j:j+1], j)
		}
	})
	t.close()
	t.depth--
	t.line("} else {")
	t.depth++
	each(func() { // where types meet: unrolled it would be most of the kernel, and of the time to compile it
		t.line("AST_ROLLED")
		t.line("for (int j = 0; j < %d; j++) sum[q] += x[q][j] * w[q][%s];", in, linear("j", stepIn, 0))
	})
	t.close()
	each(func() {
		t.line("if (first + q < %s) %s[%s] = sum[q];", rows, to, f.element("row[q]", s.Level, v.Width(), fmt.Sprintf("part * %d + column", out)))
	})
	columns := out * lead // and one more of them, for rows that are no multiple
	f.finish("", Count{{Of: Rows, Res: s.Level, Times: columns, Per: productRows * flatBlock}, {Times: columns, Per: flatBlock}}, flatBlock)
}
