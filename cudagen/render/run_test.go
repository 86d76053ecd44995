package render

// Running a source on the emulator of grids, as a launcher would on a GPU.

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// needsCompiler skips where kernels cannot be compiled for the host, unless tools
// are required.
func needsCompiler(t testing.TB) {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
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

// execution is a run of a source on the emulator.
type execution struct {
	program *emu.Program
	plan    *plan.Plan
	src     *Source
	graph   *graph.Graph
	hubs    [2]*HubTable
	extent  *Extent
	buffers []*emu.Buffer // of the plan
	arrays  map[Array]*emu.Buffer
	seed    *emu.Buffer
}

// execute runs a source whose text is in the program; inputs are by ir.InputKey, and
// results by the outputs' names. Buffers that nothing has written are poison.
func execute(t testing.TB, program *emu.Program, pl *plan.Plan, src *Source, g *graph.Graph, inputs map[string][]float64, seed uint64) map[string][]float64 {
	t.Helper()
	x := &execution{program: program, plan: pl, src: src, graph: g, arrays: make(map[Array]*emu.Buffer)}
	x.hubs = [2]*HubTable{NewHubs(g.In(), src.Hub, src.Chunk), NewHubs(g.Out(), src.Hub, src.Chunk)}
	x.extent = NewExtent(g, x.hubs)
	x.seed = emu.From(program, []uint64{seed})
	for _, b := range pl.Buffers {
		x.buffers = append(x.buffers, program.Buffer(int(b.Bytes(x.extent.Sizes))))
	}
	for _, v := range pl.Program.Inputs() {
		x.put(pl.BufferOf(v), inputs[ir.InputKey(v)])
	}
	for i := range src.Steps {
		if err := x.step(&src.Steps[i]); err != nil {
			t.Fatalf("%v\n%v\n%s", err, pl, src.Text[len(src.Text)-min(len(src.Text), 20000):])
		}
	}
	out := make(map[string][]float64)
	for i, o := range pl.Program.Outputs {
		out[o.Name] = x.get(pl.Outputs[i])
	}
	x.free()
	return out
}

func (x *execution) free() {
	x.seed.Free()
	for _, b := range x.buffers {
		b.Free()
	}
	for _, b := range x.arrays {
		b.Free()
	}
}

func (x *execution) put(b *plan.Buffer, values []float64) {
	var data any = values
	switch b.Type {
	case ir.F32:
		data = converted[float32](values)
	case ir.I32:
		data = converted[int32](values)
	}
	if _, err := binary.Encode(x.buffers[b.Index].Bytes(), binary.NativeEndian, data); err != nil {
		panic(err)
	}
}

func (x *execution) get(b *plan.Buffer) []float64 {
	buf := x.buffers[b.Index]
	switch b.Type {
	case ir.F64:
		return emu.Read[float64](buf)
	case ir.F32:
		return converted[float64](emu.Read[float32](buf))
	}
	return converted[float64](emu.Read[int32](buf))
}

func converted[T, F float64 | float32 | int32](x []F) []T {
	out := make([]T, len(x))
	for i, a := range x {
		out[i] = T(a)
	}
	return out
}

func (x *execution) step(s *Step) error {
	if s.Gemm != nil {
		x.gemm(s.Gemm)
		return nil
	}
	var regions []*emu.Buffer
	for _, r := range s.Regions {
		regions = append(regions, x.program.Buffer(int(r.Bytes(x.extent))))
	}
	for _, l := range s.Launches {
		blocks := l.Grid.Of(x.extent)
		if blocks == 0 {
			continue
		}
		var args []emu.Arg
		for _, a := range l.Args {
			switch a.Kind {
			case BufferArg:
				args = append(args, emu.Ptr(x.buffers[a.Index]))
			case ArrayArg:
				args = append(args, emu.ReadOnly(x.array(a.Array)))
			case WorkspaceArg:
				args = append(args, emu.Ptr(regions[a.Index]))
			case SeedArg:
				args = append(args, emu.ReadOnly(x.seed))
			case CountArg:
				args = append(args, emu.Int32(int32(a.Count.Of(x.extent))))
			}
		}
		if err := x.program.Launch(l.Name, emu.Dim3{X: uint32(blocks)}, emu.Dim3{X: uint32(l.Block)}, args...); err != nil {
			return err
		}
	}
	for _, r := range regions {
		r.Free()
	}
	return nil
}

func (x *execution) array(a Array) *emu.Buffer {
	b := x.arrays[a]
	if b == nil {
		b = emu.From(x.program, HostArray(a, x.graph, x.hubs))
		x.arrays[a] = b
	}
	return b
}

// gemm multiplies on the host.
func (x *execution) gemm(g *Gemm) {
	m, n, k := g.M.Of(x.extent), g.N.Of(x.extent), g.K.Of(x.extent)
	a, b := x.get(x.plan.Buffers[g.A]), x.get(x.plan.Buffers[g.B])
	c := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				p, q := i*k+l, l*n+j
				if g.TransA {
					p = l*m + i
				}
				if g.TransB {
					q = j*k + l
				}
				c[i*n+j] += a[p] * b[q]
			}
		}
	}
	x.put(x.plan.Buffers[g.C], c)
}

// inType is a program in a number type.
func inType(t testing.TB, p *ir.Program, name string, typ ir.DType) *ir.Program {
	t.Helper()
	b := ir.NewBuilder(name, typ, p.Bipartite)
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

// tolerance of results, relative to the largest number of a program's values.
var tolerance = map[ir.DType]float64{ir.F64: 1e-12, ir.F32: 1e-5}

// magnitude is the largest finite number of a program's values.
func magnitude(values map[string][]float64) float64 {
	m := 1.0
	for _, x := range values {
		for _, a := range x {
			if a = math.Abs(a); a < math.Inf(1) {
				m = max(m, a)
			}
		}
	}
	return m
}

// reference runs the interpreter, and tells how large numbers come up.
func reference(t testing.TB, p *ir.Program, s *ir.Structure, in map[string][]float64, seed uint64) (want map[string][]float64, scale float64) {
	t.Helper()
	every := *p
	for _, v := range p.Values {
		if v.Type != ir.I32 {
			every.Outputs = append(every.Outputs[:len(every.Outputs):len(every.Outputs)], ir.Output{Name: fmt.Sprint("%", v.ID), Value: v})
		}
	}
	all, err := ir.Interpret(&every, s, in, seed)
	if err != nil {
		t.Fatal(err)
	}
	want = make(map[string][]float64)
	for _, o := range p.Outputs {
		want[o.Name] = all[o.Name]
	}
	return want, magnitude(all)
}

// differs says where results differ by more than the tolerance times the scale. In
// float32 numbers may be equal that are not in float64, so the first maximum of a row
// may be another one.
func differs(p *ir.Program, got, want map[string][]float64, scale float64) string {
	if p.Type == ir.F32 {
		for _, o := range p.Outputs {
			if o.Value.Type == ir.I32 {
				delete(want, o.Name)
			}
		}
	}
	return irtest.Diff(got, want, tolerance[p.Type]*scale)
}
