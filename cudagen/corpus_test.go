package cudagen_test

// Random programs on random graphs through the whole launcher, against the
// interpreter: a few on the emulator (package render runs many there), all of them
// on a GPU with the flag -cuda.

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

var (
	onGPU = flag.Bool("cuda", false, "run on the first GPU instead of the emulator")
	seeds = flag.Int("seeds", 12, "random programs to run")
	from  = flag.Uint64("from", 0, "seed of the first of them")
)

func TestRandomProgramsOnTheDeviceAgreeWithTheInterpreter(t *testing.T) {
	d := open(t)
	b := d.Backend().(*cudagen.Backend)
	for i := range uint64(*seeds) {
		seed := *from + i
		c := irtest.New(seed)
		forward, _ := pass.Forward(c.Program, pass.Options{})
		f, back, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
		for _, p := range []*ir.Program{forward, f, back} {
			t.Run(fmt.Sprintf("%d %s", seed, p.Name), func(t *testing.T) { checkOnDevice(t, d, b, c, p) })
		}
	}
}

// checkOnDevice runs a program on the device, in its own number type, and compares.
func checkOnDevice(t *testing.T, d *tensor.Device, b *cudagen.Backend, c *irtest.Case, p *ir.Program) {
	s := &c.Graph.Structure
	in := c.Inputs(p)
	for _, v := range p.Inputs() {
		if v.Type == ir.I32 { // numbers in [-2, 2] to ids of edges, or -1
			for i, x := range in[ir.InputKey(v)] {
				in[ir.InputKey(v)][i] = math.Floor((x+2)/4*float64(len(s.Src)+1)) - 1
			}
		}
	}
	every := *p
	for _, v := range p.Values {
		if v.Type != ir.I32 {
			every.Outputs = append(every.Outputs[:len(every.Outputs):len(every.Outputs)], ir.Output{Name: fmt.Sprint("%", v.ID), Value: v})
		}
	}
	all, err := ir.Interpret(&every, s, in, c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	want, scale := make(map[string][]float64), 1.0
	for _, o := range p.Outputs {
		want[o.Name] = all[o.Name]
	}
	for _, x := range all {
		for _, v := range x {
			if v = math.Abs(v); v < math.Inf(1) {
				scale = max(scale, v)
			}
		}
	}
	if p.Type == ir.F32 && scale > 1e6 {
		return // beyond what float32 tells apart
	}

	edges := len(s.Src)
	if c.Seed%2 == 1 {
		edges = 1 << 40 // more than there is memory for
	}
	pl := plan.BuildWith(p, b.PlanFor(edges))
	g := graphOf(t, s, p.Bipartite)
	run, _, err := b.CompilePlan(pl, 4)
	if err != nil {
		t.Fatal(err)
	}
	sizes := plan.Sizes{NumSrc: s.NumSrc, NumDst: s.NumDst, NumEdges: len(s.Src), Types: s.Types}
	bufs := make([]*tensor.Tensor, len(pl.Buffers))
	for _, v := range p.Inputs() {
		buf := pl.BufferOf(v)
		bufs[buf.Index] = tensor.FromSlice(in[ir.InputKey(v)], int(buf.Bytes(sizes))/buf.Type.Size()).To(typeOf(buf.Type)).ToDevice(d)
	}
	for _, slot := range pl.Slots {
		var bytes int64
		for _, buf := range slot.Buffers {
			bytes = max(bytes, buf.Bytes(sizes))
		}
		last := slot.Buffers[len(slot.Buffers)-1]
		memory := tensor.EmptyOn(d, typeOf(last.Type), int(bytes)/last.Type.Size())
		if last.Type != ir.I32 {
			memory.Fill(math.NaN()) // what no step writes shows
		}
		for _, buf := range slot.Buffers {
			bufs[buf.Index] = memory
		}
	}
	if err := run(g, bufs, c.Seed, nil); err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]float64)
	for i, o := range p.Outputs {
		if p.Type == ir.F32 && o.Value.Type == ir.I32 {
			delete(want, o.Name) // numbers may be equal that are not in float64
			continue
		}
		n := int(pl.Outputs[i].Bytes(sizes)) / pl.Outputs[i].Type.Size()
		got[o.Name] = bufs[pl.Outputs[i].Index].ToDevice(tensor.CPU).Float64s()[:n]
	}
	tolerance := 1e-5
	if p.Type == ir.F64 {
		tolerance = 1e-12
	}
	if irtest.Diff(got, want, tolerance*scale) == "" {
		return
	}
	unsettled, err := irtest.Unsettled(p, s, in, want, c.Seed, tolerance*scale)
	if err != nil {
		t.Fatal(err)
	}
	for name, decided := range unsettled {
		for i := range min(len(decided), len(got[name])) {
			if decided[i] { // the GPU rounds in other places
				got[name][i] = want[name][i]
			}
		}
	}
	if diff := irtest.Diff(got, want, tolerance*scale); diff != "" {
		t.Fatalf("%s\n%v\n%v", diff, c, pl)
	}
}

func typeOf(t ir.DType) tensor.DType {
	switch t {
	case ir.F64:
		return tensor.Float64
	case ir.I32:
		return tensor.Int32
	}
	return tensor.Float32
}

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
