package cc

// What the tests share: graphs, memory full of what no result may depend on, and
// runs of both executors.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	executor "github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// testCache is the cache of all tests of a run.
var testCache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cc-test-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testCache = dir
	// Most texts are compiled with few optimisations, in half of the time; random programs
	// have those of users, too.
	executor.RegisterNative("test", &Compiler{Cache: dir})
	executor.RegisterNative("quick", &Compiler{Cache: dir, level: "-O1"})
	if tools, err := new(Compiler).find(); err == nil {
		executor.RegisterNative("gcc9", &Compiler{Cache: dir, VectorBytes: 64, Command: slices.Concat(tools.command, asGCC9), level: "-O1"})
	}
	for _, bytes := range []int{16, 32, 64} {
		executor.RegisterNative(fmt.Sprint("test", bytes), &Compiler{Cache: dir, VectorBytes: bytes, level: "-O1"})
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// needsCompiler skips the test where there is none, unless tools are required.
func needsCompiler(t testing.TB) {
	t.Helper()
	_, err := new(Compiler).find()
	if err == nil {
		err = supported()
	}
	if err == nil {
		return
	}
	if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// graphOf builds the graph of a structure.
func graphOf(t testing.TB, s *ir.Structure, bipartite bool) *graph.Graph {
	t.Helper()
	var opts []graph.Option
	if s.Types.Edge > 0 {
		opts = append(opts, graph.WithEdgeTypes(s.EdgeTypes, s.Types.Edge))
	}
	if s.Types.Src > 0 && !bipartite {
		opts = append(opts, graph.WithVertexTypes(s.SrcTypes, s.Types.Src))
	} else if s.Types.Src > 0 {
		opts = append(opts, graph.WithSrcTypes(s.SrcTypes, s.Types.Src), graph.WithDstTypes(s.DstTypes, s.Types.Dst))
	}
	g, err := graph.NewBipartite(s.NumSrc, s.NumDst, s.Src, s.Dst, opts...)
	if !bipartite {
		g, err = graph.New(s.NumSrc, s.Src, s.Dst, opts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// inputsOf draws the inputs of a program: edge ids or -1 for ids.
func inputsOf(p *ir.Program, s *ir.Structure, seed uint64) map[string][]float64 {
	in := irtest.Inputs(seed, p, s, false)
	for _, v := range p.Inputs() {
		if v.Type == ir.I32 {
			r := rand.New(rng.NewStream(seed, uint64(v.ID)))
			for i := range in[ir.InputKey(v)] {
				in[ir.InputKey(v)][i] = float64(r.IntN(len(s.Src)+1) - 1)
			}
		}
	}
	return in
}

// memoryOf allocates the buffers of a plan: inputs filled, all else poisoned.
func memoryOf[T kern.Float](p *plan.Plan, s *ir.Structure, in map[string][]float64) *executor.Memory[T] {
	m := &executor.Memory[T]{Floats: make([][]T, len(p.Buffers)), Ints: make([][]int32, len(p.Buffers))}
	values := make(map[*plan.Buffer][]float64)
	for _, v := range p.Program.Inputs() {
		values[p.BufferOf(v)] = in[ir.InputKey(v)]
	}
	for i, b := range p.Buffers {
		n := s.Rows(b.Res) * b.Width()
		x, bound := values[b]
		if b.Type == ir.I32 {
			m.Ints[i] = make([]int32, n)
			for k := range m.Ints[i] {
				m.Ints[i][k] = math.MinInt32
				if bound {
					m.Ints[i][k] = int32(x[k])
				}
			}
			continue
		}
		m.Floats[i] = make([]T, n)
		for k := range m.Floats[i] {
			m.Floats[i][k] = T(math.NaN())
			if bound {
				m.Floats[i][k] = T(x[k])
			}
		}
	}
	return m
}

func outputs[T kern.Float](pl *plan.Plan, mem *executor.Memory[T]) map[string][]float64 {
	out := make(map[string][]float64)
	for i, b := range pl.Outputs {
		o := []float64{}
		for _, x := range mem.Floats[b.Index] {
			o = append(o, float64(x))
		}
		for _, x := range mem.Ints[b.Index] {
			o = append(o, float64(x))
		}
		out[pl.Program.Outputs[i].Name] = o
	}
	return out
}

// compiled compiles a plan in native code.
func compiled[T kern.Float](t testing.TB, pl *plan.Plan) *executor.Program[T] {
	t.Helper()
	return compiledBy[T](t, pl, "quick")
}

func compiledBy[T kern.Float](t testing.TB, pl *plan.Plan, compiler string) *executor.Program[T] {
	t.Helper()
	x, err := executor.CompileNative[T](pl, compiler)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// kernelsOf counts the kernels of a plan that are in native code, and those that
// are not.
func kernelsOf[T kern.Float](x *executor.Program[T], pl *plan.Plan) (native, declined int) {
	for i, err := range x.Declined() {
		switch _, isKernel := pl.Steps[i].(*plan.Kernel); {
		case !isKernel:
		case err == nil:
			native++
		default:
			declined++
		}
	}
	return native, declined
}

// typed is the program in another number type.
func typed(t testing.TB, p *ir.Program, typ ir.DType) *ir.Program {
	t.Helper()
	b := ir.NewBuilder(p.Name, typ, p.Bipartite)
	b.SetTypes(p.Types)
	of := make(map[*ir.Value]*ir.Value)
	for _, v := range p.Values {
		var args []*ir.Value
		for _, a := range v.Args {
			args = append(args, of[a])
		}
		of[v] = b.Copy(v, args)
	}
	for _, o := range p.Outputs {
		b.Output(o.Name, of[o.Value])
	}
	q, err := ir.Parse(b.Program().String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Program())
	}
	return q
}

func mustParse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// body is the text of a source without the prelude.
func body(src *Source) string {
	_, kernels, _ := strings.Cut(src.Text, "/* A row of")
	return "/* A row of" + kernels
}
