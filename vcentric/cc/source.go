package cc

// The C text of a plan.

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

//go:embed prelude.h
var prelude string

// Source is a plan as C.
type Source struct {
	Text    string
	Kernels []Kernel // of each step of the plan
}

// Kernel is a step of a plan as a C function
//
//	void name(const struct args *a, int64_t lo, int64_t hi);
//
// over the rows [lo, hi), and what a call has to provide.
type Kernel struct {
	Name     string         // of the function; empty if the step is declined
	Declined *DeclinedError // nil if it is not

	cpu.NativeNeeds
}

// DeclinedError says why a step has no C text.
type DeclinedError struct {
	Program string
	Step    int
	Reason  string
}

func (e *DeclinedError) Error() string {
	return fmt.Sprintf("cc: program %s, step %d: %s", e.Program, e.Step, e.Reason)
}

// Render writes the kernels of a plan as C on vectors of so many bytes: 16, 32 or
// 64. What it declines is left to another executor.
func Render(p *plan.Plan, vectorBytes int) *Source {
	src := &Source{Kernels: make([]Kernel, len(p.Steps))}
	r := &renderer{plan: p, lanes: vectorBytes / p.Program.Type.Size()}
	var text strings.Builder
	text.WriteString(r.header(vectorBytes))
	for i, s := range p.Steps {
		out := &src.Kernels[i]
		k, isKernel := s.(*plan.Kernel)
		reason := "a step over whole tensors"
		if isKernel {
			reason = r.declines(k)
		}
		if reason != "" {
			out.Declined = &DeclinedError{Program: p.Program.Name, Step: i, Reason: reason}
			continue
		}
		out.Name = fmt.Sprintf("k%d", i)
		text.WriteString("\n" + r.kernel(k, out))
	}
	src.Text = text.String()
	return src
}

// renderer writes the kernels of one plan.
type renderer struct {
	plan  *plan.Plan
	lanes int // numbers of a vector
}

// header is the prelude with what depends on the number of lanes.
func (r *renderer) header(vectorBytes int) string {
	var b strings.Builder
	f64 := 0
	if r.plan.Program.Type == ir.F64 {
		f64 = 1
	}
	fmt.Fprintf(&b, "#define T_IS_F64 %d\n#define VECTOR_BYTES %d\n", f64, vectorBytes)
	fmt.Fprintf(&b, "#define LANE_IDS %s\n\n%s\n", joined(r.lanes, func(i int) int { return i }), prelude)
	b.WriteString("/* Sums and maxima of lanes, in all lanes that took part: across, of groups of n\n * neighbours; over, of every n-th. n is a power of two. */\n")
	for _, f := range []struct{ name, when, step string }{
		{"sum_across", "n > %d", "x + %s"}, {"sum_over", "n <= %d", "x + %s"}, {"max_over", "n <= %d", "op_maxof(x, %s)"},
	} {
		fmt.Fprintf(&b, "OP V %s(V x, int n) {\n", f.name)
		for by := r.lanes / 2; by > 0; by /= 2 {
			turned := fmt.Sprintf("PICK(x, %s)", joined(r.lanes, func(i int) int { return i ^ by }))
			fmt.Fprintf(&b, "  if ("+f.when+") x = "+f.step+";\n", by, turned)
		}
		b.WriteString("  return x;\n}\n")
	}
	b.WriteString(r.sums())
	return b.String()
}

// sums is a function that sums the lanes of each of LANES vectors: a vector of the
// sums in order. It halves two vectors at a time to one, which takes fewer steps than
// one sum after the other.
func (r *renderer) sums() string {
	var b strings.Builder
	b.WriteString("/* The sums of the lanes of each of LANES vectors, in order. */\nOP V sums(const V *x) {\n")
	names := make([]string, r.lanes)
	for i := range names {
		names[i] = fmt.Sprintf("x[%d]", i)
	}
	for g := r.lanes; g > 1; g /= 2 { // lanes of what is still to be summed to one
		halves := func(second int) string { // of the one vector's groups of lanes, then of the other's
			return joined(r.lanes, func(l int) int { return l/(g/2)*g + l%(g/2) + second*g/2 })
		}
		for i := range len(names) / 2 {
			name := fmt.Sprintf("s%d_%d", g, i)
			x, y := names[2*i], names[2*i+1]
			fmt.Fprintf(&b, "  const V %s = PICK2(%s, %s, %s) + PICK2(%s, %s, %s);\n", name, x, y, halves(0), x, y, halves(1))
			names[i] = name
		}
		names = names[:len(names)/2]
	}
	fmt.Fprintf(&b, "  return %s;\n}\n", names[0])
	return b.String()
}

// joined lists f(0), f(1), ... f(n-1).
func joined(n int, f func(i int) int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, f(i))
	}
	return b.String()
}

// text is C being written.
type text struct {
	b     strings.Builder
	depth int
}

func (t *text) line(format string, args ...any) {
	t.b.WriteString(strings.Repeat("  ", t.depth))
	fmt.Fprintf(&t.b, format, args...)
	t.b.WriteByte('\n')
}

func (t *text) open(format string, args ...any) {
	t.line(format+" {", args...)
	t.depth++
}

func (t *text) close() {
	t.depth--
	t.line("}")
}

// add appends another text.
func (t *text) add(u *text) { t.b.WriteString(u.b.String()) }
