package render

// Steps over operands in memory: plain products are for a library, the others and
// the sums over rows are kernels of one thread an element.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func (r *renderer) product(s *plan.Product) {
	v := s.Value
	a, b := v.Args[0], v.Args[1]
	n := len(a.Shape) - 1
	rows := Count{{Of: Rows, Res: s.Level, Times: a.Shape[:n].Size()}}
	if a.Shape[:n].Size() == 0 {
		rows = nil
	}
	g := &Gemm{A: s.A.Index, B: s.B.Index, C: s.Out.Index}
	switch v.Op {
	case ir.OpMatMul, ir.OpMatMulT:
		if b.Res != ir.Param || len(b.Shape) != 2 || a.Res != s.Level {
			f := r.newFlat(v.Res)
			f.computed[v] = true
			f.buffers[a], f.buffers[b] = s.A, s.B
			f.elements("", []plan.Store{{Value: v, Buffer: s.Out}})
			return
		}
		g.M, g.N, g.K, g.TransB = rows, constant(v.Shape[n]), constant(a.Shape[n]), v.Op == ir.OpMatMulT
	default:
		if v.Attr.To != ir.Param || v.Attr.Heads || a.Res != s.Level || b.Res != s.Level {
			r.sumStep(v, s.Level, s.Out, map[*ir.Value]*plan.Buffer{a: s.A, b: s.B})
			return
		}
		g.M, g.N, g.K, g.TransA = constant(a.Shape[n]), constant(b.Shape[n]), rows, true
	}
	r.out.Gemm = g
}

func (r *renderer) total(s *plan.Total) {
	r.sumStep(s.Value, s.Level, s.Out, map[*ir.Value]*plan.Buffer{s.Value.Args[0]: s.In})
}

const (
	sumRows   = 64   // rows that are worth partial sums of their own
	sumSlices = 1024 // partial sums of a step
)

// sumStep writes a sum over the rows of a level: a thread adds up an element over a
// range of rows, for each type apart.
func (r *renderer) sumStep(v *ir.Value, level ir.Residency, out *plan.Buffer, buffers map[*ir.Value]*plan.Buffer) {
	size, types := v.Width(), 1
	if to := v.Attr.To; to != ir.Param {
		types = r.plan.Program.Types.Of(to)
	}
	if size*types == 0 {
		return
	}
	tiles := (size + flatBlock - 1) / flatBlock
	parts := Term{Of: Rows, Res: level, Per: sumRows, Max: max(min(sumSlices, maxSums/(size*types)), 1)}
	region := r.region(Region{Of: Count{parts}, Width: size * types, Type: r.plan.Program.Type})

	f := r.newFlat(level)
	f.buffers = buffers
	rows := f.param(Arg{Kind: CountArg, Count: Count{{Of: Rows, Res: level}}}, "int rows", "rows")
	n := f.param(Arg{Kind: CountArg, Count: Count{parts}}, "int parts", "parts")
	sums := f.param(Arg{Kind: WorkspaceArg, Index: region}, "T *AST_RESTRICT sums", "sums")
	t := f.text
	t.line("const int part = blockIdx.x / %d, i = blockIdx.x %% %d * %d + threadIdx.x;", tiles, tiles, flatBlock)
	t.line("if (i >= %d) return;", size)
	t.line("const int begin = (int)((i64)%[1]s * part / %[2]s), end = (int)((i64)%[1]s * (part + 1) / %[2]s);", rows, n)
	t.line("T *const to = %s + (i64)part * %d + i;", sums, size*types)
	t.line("T sum = 0;")
	if types > 1 {
		t.line("for (int j = 0; j < %d; j++) to[j * %d] = 0;", types, size)
		t.line("int type = 0;")
	}
	order := func(n string) string { return n }
	if to := v.Attr.To; to != ir.Param && (level == ir.Edge || level.IsVertex()) && to == level.TypeOf() {
		order = func(n string) string {
			return fmt.Sprintf("%s[%s]", f.array(Array{Name: ByType, Res: level}), n)
		}
	}
	f.nested("for (int n = begin; n < end; n++)", func() {
		t.line("const int r = %s;", order("n"))
		if types > 1 {
			t.line("const int next = %s;", f.row(v.Attr.To))
			t.line("if (next != type) to[(i64)type * %d] += sum, sum = 0, type = next;", size)
		}
		f.addRow(v)
	})
	if types > 1 {
		t.line("to[(i64)type * %d] += sum;", size)
	} else {
		t.line("*to = sum;")
	}
	parts.By = tiles
	f.finish("parts", Count{parts}, flatBlock)
	parts.By = 0
	r.addSlices("sum", region, Count{parts}, 1, size*types, 0, size*types, out)
}

// addRow writes that element i of a row's part in a sum is added.
func (f *flat) addRow(v *ir.Value) {
	x := v.Args[0]
	if v.Op == ir.OpTotal {
		f.text.line("sum += %s;", f.get(x, "i"))
		return
	}
	y := v.Args[1]
	rank := len(x.Shape)
	n, m, heads := x.Shape[rank-1], y.Shape[rank-1], 1
	if v.Attr.Heads {
		heads = v.Shape[0]
	}
	repeats := x.Shape[:rank-1].Size() / max(heads, 1)
	atX := f.index(fmt.Sprintf("i / %d * %d + i / %d %% %d", n*m, n, m, n))
	atY := f.index(fmt.Sprintf("i / %d * %d + i %% %d", n*m, m, m))
	if repeats == 1 {
		f.text.line("sum += %s * %s;", f.get(x, atX), f.get(y, atY))
		return
	}
	f.nested(fmt.Sprintf("for (int j = 0; j < %d; j++)", repeats), func() {
		f.text.line("sum += %s * %s;", f.get(x, f.index(fmt.Sprintf("%s + j * %d", atX, heads*n))), f.get(y, f.index(fmt.Sprintf("%s + j * %d", atY, heads*m))))
	})
}
