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
			r.rowProduct(s)
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

// sumStep writes a sum over the rows of a level: a thread adds up elements over a range
// of rows, for each type apart. Of outer products a thread has as many elements, of one
// column, as a load of their first operand gives.
func (r *renderer) sumStep(v *ir.Value, level ir.Residency, out *plan.Buffer, buffers map[*ir.Value]*plan.Buffer) {
	size, types := v.Width(), 1
	if to := v.Attr.To; to != ir.Param {
		types = r.plan.Program.Types.Of(to)
	}
	if size*types == 0 {
		return
	}
	s := &sumText{flat: r.newFlat(level), value: v, held: 1, apart: 1}
	s.buffers = buffers
	if v.Op == ir.OpOuter {
		x, y := v.Args[0].Shape, v.Args[1].Shape
		s.held, s.apart = vectorOf(x[len(x)-1], v.Type), y[len(y)-1]
	}
	threads := size / s.held
	tiles := (threads + flatBlock - 1) / flatBlock
	parts := Term{Of: Rows, Res: level, Per: sumRows, Max: max(min(sumSlices, maxSums/(size*types)), 1)}
	region := r.region(Region{Of: Count{parts}, Width: size * types, Type: r.plan.Program.Type})

	rows := s.param(Arg{Kind: CountArg, Count: Count{{Of: Rows, Res: level}}}, "int rows", "rows")
	n := s.param(Arg{Kind: CountArg, Count: Count{parts}}, "int parts", "parts")
	sums := s.param(Arg{Kind: WorkspaceArg, Index: region}, "T *AST_RESTRICT sums", "sums")
	t := s.text
	t.line("const int part = blockIdx.x / %d, i = blockIdx.x %% %d * %d + threadIdx.x;", tiles, tiles, flatBlock)
	t.line("if (i >= %d) return;", threads)
	t.line("const int begin = (int)((i64)%[1]s * part / %[2]s), end = (int)((i64)%[1]s * (part + 1) / %[2]s);", rows, n)
	t.line("T *const to = %s + (i64)part * %d + %s;", sums, size*types, s.first())
	s.each(func(j int) { t.line("T sum%d = 0;", j) })
	if types > 1 {
		s.nested(fmt.Sprintf("for (int j = 0; j < %d; j++)", types), func() {
			s.each(func(j int) { t.line("to[%s] = 0;", linear("j", size, j*s.apart)) })
		})
		t.line("int type = 0;")
	}
	add := func() {
		s.each(func(j int) { t.line("to[%s] += sum%d;", linear("(i64)type", size, j*s.apart), j) })
	}
	s.nested("for (int n = begin; n < end; n++)", func() {
		t.line("const int r = %s;", s.inOrder("n"))
		if types > 1 {
			t.line("const int next = %s;", s.row(v.Attr.To))
			s.nested("if (next != type)", func() {
				add()
				s.each(func(j int) { t.line("sum%d = 0;", j) })
				t.line("type = next;")
			})
		}
		s.addRow()
	})
	if types > 1 {
		add()
	} else {
		s.each(func(j int) { t.line("to[%d] = sum%d;", j*s.apart, j) })
	}
	grid := parts
	grid.By = tiles
	s.finish("parts", Count{grid}, flatBlock)
	r.addSlices("sum", region, Count{parts}, 1, size*types, 0, size*types, out)
}

// sumText is the entry point of a sum over rows. A thread has held elements of the
// sum, so far apart.
type sumText struct {
	*flat
	value       *ir.Value
	held, apart int
}

func (s *sumText) each(write func(j int)) {
	for j := range s.held {
		write(j)
	}
}

// first is C for the first element of thread i.
func (s *sumText) first() string {
	if s.held == 1 {
		return "i"
	}
	return fmt.Sprintf("i / %d * %d + i %% %d", s.apart, s.apart*s.held, s.apart)
}

// inOrder is C for the n-th row: in order of types where they are summed apart.
func (s *sumText) inOrder(n string) string {
	if to := s.value.Attr.To; to != ir.Param && (s.level == ir.Edge || s.level.IsVertex()) && to == s.level.TypeOf() {
		return fmt.Sprintf("%s[%s]", s.array(Array{Name: ByType, Res: s.level}), n)
	}
	return n
}

// addRow writes that a row's part in the sum is added.
func (s *sumText) addRow() {
	v, t := s.value, s.text
	if v.Op == ir.OpTotal {
		t.line("sum0 += %s;", s.get(v.Args[0], "i"))
		return
	}
	x, y := v.Args[0], v.Args[1]
	rank := len(x.Shape)
	n, m, heads := x.Shape[rank-1], y.Shape[rank-1], 1
	if v.Attr.Heads {
		heads = v.Shape[0]
	}
	repeats := x.Shape[:rank-1].Size() / max(heads, 1)
	across := n / s.held * m // threads of a head
	t.line("const T *x = %s + %s;", s.tensor(x), s.element(s.row(x.Res), x.Res, x.Width(), fmt.Sprintf("i / %d * %d + i / %d %% %d * %d", across, n, m, n/s.held, s.held)))
	t.line("const T *y = %s + %s;", s.tensor(y), s.element(s.row(y.Res), y.Res, y.Width(), fmt.Sprintf("i / %d * %d + i %% %d", across, m, m)))
	add := func() {
		t.line("const T b = ast_load(y);")
		if s.held == 1 {
			t.line("sum0 += ast_load(x) * b;")
			return
		}
		t.line("const T%d a = ast_load%d(x);", s.held, s.held)
		s.each(func(j int) { t.line("sum%d += a.%s * b;", j, "xyzw"[j:j+1]) })
	}
	if repeats == 1 {
		add()
		return
	}
	s.nested(fmt.Sprintf("for (int j = 0; j < %d; j++, x += %d, y += %d)", repeats, heads*n, heads*m), add)
}
