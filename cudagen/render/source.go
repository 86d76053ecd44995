package render

// What Render gives.

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

//go:embed prelude.h
var prelude string

// Source is a plan as CUDA C, and how it is run.
type Source struct {
	Text  string // one translation unit, which includes nothing
	Key   string // a hash of the text
	Steps []Step // of each step of the plan

	Chunk, Hub int // what the arrays of hubs are made with: NewHubs
}

// Step is how a step of a plan runs: a matrix product for a library, or kernels.
type Step struct {
	Gemm     *Gemm    // nil for kernels
	Launches []Launch // in order
	Regions  []Region // workspace
}

// Gemm is C = op(A)·op(B) over row-major matrices in buffers of the plan.
type Gemm struct {
	A, B, C        int   // buffers
	TransA, TransB bool  // A is K×M, B is N×K
	M, N, K        Count // C is M×N
}

// Region is scratch memory: so many numbers of a type.
type Region struct {
	Of    Count
	Width int // numbers for each of them
	Type  ir.DType
}

// Bytes is the size of the region on a graph.
func (r Region) Bytes(x *Extent) int64 {
	return int64(r.Of.Of(x)) * int64(r.Width) * int64(r.Type.Size())
}

// Launch is a launch of a kernel.
type Launch struct {
	Name  string // of the entry point
	Grid  Count  // blocks
	Block int    // threads
	Args  []Arg  // in order
}

// ArgKind says what an argument is.
type ArgKind uint8

const (
	BufferArg    ArgKind = iota // pointer to the buffer with Index in the plan
	ArrayArg                    // pointer to an array of the graph
	WorkspaceArg                // pointer to the region with Index in the step
	SeedArg                     // pointer to the run's seed, a uint64
	CountArg                    // int: a count
)

// Arg is an argument of a kernel.
type Arg struct {
	Kind  ArgKind
	Index int
	Array Array
	Count Count
}

// Arrays lists the arrays of the graph that kernels read, each once.
func (s *Source) Arrays() []Array {
	var all []Array
	for _, step := range s.Steps {
		for _, l := range step.Launches {
			for _, a := range l.Args {
				if a.Kind == ArrayArg && !slices.Contains(all, a.Array) {
					all = append(all, a.Array)
				}
			}
		}
	}
	return all
}

// Error says why a step of a plan cannot be rendered.
type Error struct {
	Program string
	Step    int
	Reason  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("render: program %s, step %d: %s", e.Program, e.Step, e.Reason)
}

// Render writes a plan as CUDA C. An error is an [*Error].
func Render(p *plan.Plan, o Options) (src *Source, err error) {
	o = o.filled()
	src = &Source{Steps: make([]Step, len(p.Steps)), Chunk: o.Chunk, Hub: o.Hub}
	r := &renderer{plan: p, options: o, name: identifier(p.Program.Name)}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case refusal:
			src, err = nil, &Error{Program: p.Program.Name, Step: r.step, Reason: string(e)}
		default:
			panic(e)
		}
	}()
	for i, s := range p.Steps {
		r.step = i
		r.out = &src.Steps[i]
		r.render(s)
	}
	src.Text = r.header() + r.unit.String()
	sum := sha256.Sum256([]byte(src.Text))
	src.Key = hex.EncodeToString(sum[:16])
	return src, nil
}

// refusal is why a step is not rendered; it unwinds to Render.
type refusal string

func refuse(format string, args ...any) {
	panic(refusal(fmt.Sprintf(format, args...)))
}

// renderer writes the steps of one plan.
type renderer struct {
	plan    *plan.Plan
	options Options
	name    string // of the program
	step    int
	out     *Step
	unit    strings.Builder // the translation unit, but for the prelude
}

func (r *renderer) render(s plan.Step) {
	switch s := s.(type) {
	case *plan.Kernel:
		if s.Rows.IsVertex() {
			r.kernel(s)
		} else {
			r.flatKernel(s)
		}
	case *plan.Product:
		r.product(s)
	case *plan.Total:
		r.total(s)
	}
}

// header is the prelude for the number type.
func (r *renderer) header() string {
	f64 := 0
	if r.plan.Program.Type == ir.F64 {
		f64 = 1
	}
	return fmt.Sprintf("#define AST_F64 %d\n%s", f64, prelude)
}

// entry is the name of a kernel of the step.
func (r *renderer) entry(part string) string {
	name := fmt.Sprintf("%s_%d", r.name, r.step)
	if part != "" {
		name += "_" + part
	}
	return name
}

// region adds scratch memory to the step and returns its index.
func (r *renderer) region(g Region) int {
	r.out.Regions = append(r.out.Regions, g)
	return len(r.out.Regions) - 1
}

// identifier is a C identifier like the name.
func identifier(name string) string {
	id := strings.Map(func(c rune) rune {
		if c < 128 && (c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return c
		}
		return '_'
	}, name)
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "p" + id
	}
	return id
}

// code is C being written.
type code struct {
	b     strings.Builder
	depth int
}

func (t *code) line(format string, args ...any) {
	t.b.WriteString(strings.Repeat("  ", t.depth))
	fmt.Fprintf(&t.b, format, args...)
	t.b.WriteByte('\n')
}

func (t *code) open(format string, args ...any) {
	t.line(format+" {", args...)
	t.depth++
}

func (t *code) close() {
	t.depth--
	t.line("}")
}

func (t *code) add(u *code) { t.b.WriteString(u.b.String()) }
