package cudagen_test

// Vertex programs on an emulated GPU give what they give on the CPU.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// open returns an emulated GPU, or the machine's with -cuda. At the test's end it is
// closed, and nothing may be left on it or have been done wrong with it.
func open(t testing.TB) *tensor.Device {
	t.Helper()
	if *onGPU {
		return openGPU(t)
	}
	d, _ := openOn(t)
	return d
}

// openOn returns an emulated GPU and its machine, where calls can be made to fail.
func openOn(t testing.TB) (*tensor.Device, *device.Machine) {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	m, err := device.New(context.Background(), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := cudagen.Open(m.System(), 0, driver.DeviceOptions{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := tensor.NewDevice("cuda", 0, b)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if f := m.Driver().Faults(); len(f) > 0 {
			t.Errorf("faults: %s", strings.Join(f, "; "))
		}
		if l := m.Driver().Leaks(); len(l) > 0 {
			t.Errorf("leaked: %s", strings.Join(l, "; "))
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, m
}

// openGPU opens the machine's first GPU with checks around every buffer.
func openGPU(t testing.TB) *tensor.Device {
	t.Helper()
	s, err := driver.Load()
	if err != nil {
		t.Fatal(err)
	}
	b, err := cudagen.Open(s, 0, driver.DeviceOptions{Debug: true}, "")
	if err != nil {
		t.Fatal(err)
	}
	d := tensor.NewDevice("cuda", 0, b)
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.As(err, new(*driver.LeakError)) { // tensors may still wait for the collector
			t.Errorf("Close: %v", err)
		}
	})
	return d
}

// graphs have a hub, loops, repeated edges, vertices without edges, and none at all.
func graphs(t testing.TB) map[string]*graph.Graph {
	t.Helper()
	made := make(map[string]*graph.Graph)
	add := func(name string, n int, src, dst []int32, opts ...graph.Option) {
		g, err := graph.New(n, src, dst, opts...)
		if err != nil {
			t.Fatal(err)
		}
		made[name] = g
	}
	r := rand.New(rand.NewPCG(1, 2))
	var src, dst, types []int32
	for range 400 {
		src, dst = append(src, int32(r.IntN(60))), append(dst, int32(r.IntN(50)))
		types = append(types, int32(r.IntN(3)))
	}
	vertexTypes := make([]int32, 61)
	for i := range vertexTypes {
		vertexTypes[i] = int32(i % 2)
	}
	add("random", 61, src, dst, graph.WithEdgeTypes(types, 4), graph.WithVertexTypes(vertexTypes, 2))
	src, dst = nil, nil
	for i := range 5000 { // more edges than a row is given to one group for
		src, dst = append(src, int32(i%97)), append(dst, int32(i%50/49))
	}
	add("hubs", 97, src, dst, graph.WithEdgeTypes(make([]int32, len(src)), 4), graph.WithVertexTypes(make([]int32, 97), 2))
	add("no edges", 3, nil, nil, graph.WithEdgeTypes(nil, 4), graph.WithVertexTypes(make([]int32, 3), 2))
	add("empty", 0, nil, nil, graph.WithEdgeTypes(nil, 4), graph.WithVertexTypes(nil, 2))
	return made
}

func randn(seed uint64, shape ...int) *tensor.Tensor {
	return tensor.Randn(tensor.Float32, seed, shape...)
}

// A binding is what a program reads: rows of vertices or edges, or a param.
type binding struct {
	name  string
	rows  func(g *graph.Graph) int // nil for a param
	shape []int
	bind  func(name string, x *autograd.Var) vc.Binding
}

func vertex(name string, shape ...int) binding {
	return binding{name, (*graph.Graph).NumDst, shape, vc.VertexFeature}
}

func edge(name string, shape ...int) binding {
	return binding{name, (*graph.Graph).NumEdges, shape, vc.EdgeFeature}
}

func param(name string, shape ...int) binding { return binding{name, nil, shape, vc.ParamValue} }

var programs = []struct {
	name  string
	binds []binding
	f     func(v vc.Vertex) vc.Value
}{
	{"gcn", []binding{vertex("h", 24), param("W", 24, 16), param("b", 16)}, func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		norm := func(x vc.Value) vc.Value { return x.Maximum(vc.Number(1)).Rsqrt() }
		return vc.Sum(u.Feature("h").MatMul(vc.Param("W")).Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree())).Add(vc.Param("b"))
	}},
	{"gat", []binding{vertex("z", 3, 8), param("al", 3, 8), param("ar", 3, 8)}, func(v vc.Vertex) vc.Value {
		score := func(x vc.Vertex, a string) vc.Value { return x.Feature("z").Dot(vc.Param(a)).Reshape(3, 1) }
		u := v.InNeighbors()
		s := score(u, "al").Add(score(v, "ar")).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(s).Mul(u.Feature("z")))
	}},
	{"edge mlp and max", []binding{vertex("x", 7), edge("e", 5), param("W", 12, 9)}, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		m := vc.Concat(e.Src("x").Sub(e.Dst("x")), e.Feature("e")).MatMul(vc.Param("W")).ReLU()
		return vc.Max(m)
	}},
	{"an edge result", []binding{vertex("x", 33), edge("w")}, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return e.Src("x").Dot(e.Dst("x")).Mul(e.Feature("w")).Sigmoid()
	}},
	{"relations", []binding{vertex("x", 8), {"W", (*graph.Graph).NumEdgeTypes, []int{8, 6}, vc.EdgeTypeFeature}}, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.ByType(vc.ByMean, vc.BySum, e.Src("x").MatMul(e.Type("W")))
	}},
	{"out-edges and dropout", []binding{vertex("x", 12)}, func(v vc.Vertex) vc.Value {
		return vc.Mean(v.OutNeighbors().Feature("x").Tanh().Dropout(0.4))
	}},
}

// run computes a program and all gradients on a device.
func run(p *vc.Program, g *graph.Graph, d *tensor.Device, binds []binding) (out *tensor.Tensor, grads []*tensor.Tensor) {
	var bindings []vc.Binding
	var vars []*autograd.Var
	for i, b := range binds {
		shape := b.shape
		if b.rows != nil {
			shape = append([]int{b.rows(g)}, shape...)
		}
		x := autograd.Variable(randn(uint64(i+1), shape...).ToDevice(d))
		vars = append(vars, x)
		bindings = append(bindings, b.bind(b.name, x))
	}
	y := p.Run(g, append(bindings, vc.Training(7))...)
	y.BackwardWith(randn(99, y.Shape()...).ToDevice(d))
	for _, x := range vars {
		grads = append(grads, x.Gradient().ToDevice(tensor.CPU))
	}
	return y.Tensor().ToDevice(tensor.CPU), grads
}

func compare(t *testing.T, what string, got, want *tensor.Tensor, tolerance float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) {
		t.Errorf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
		return
	}
	a, b := got.Float64s(), want.Float64s()
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance*(1+math.Abs(b[i]))) {
			t.Errorf("%s: element %d is %g, want %g", what, i, a[i], b[i])
			return
		}
	}
}

func TestProgramsOnTheDeviceEqualTheCPU(t *testing.T) {
	d := open(t)
	for _, c := range programs {
		p := vc.Compile(c.name, c.f)
		for name, g := range graphs(t) {
			t.Run(c.name+", "+name, func(t *testing.T) {
				out, grads := run(p, g, d, c.binds)
				wantOut, wantGrads := run(p, g, tensor.CPU, c.binds)
				compare(t, "result", out, wantOut, 2e-5)
				for i := range grads {
					compare(t, fmt.Sprintf("gradient of %s", c.binds[i].name), grads[i], wantGrads[i], 1e-4)
				}
			})
		}
	}
}

// The gradients of very many types' matrices are not summed by the few groups of threads that
// there is room for if each has a sum for every type.
func TestGradientsOfManyTypesAreSummedByMoreThanOneBlock(t *testing.T) {
	d, m := openOn(t)
	const n, edges, types = 100, 1500, 300
	r := rand.New(rand.NewPCG(5, 6))
	src, dst, typ := make([]int32, edges), make([]int32, edges), make([]int32, edges)
	for e := range edges {
		src[e], dst[e], typ[e] = int32(r.IntN(n)), int32(r.IntN(n)), int32(r.IntN(types))
	}
	g, err := graph.New(n, src, dst, graph.WithEdgeTypes(typ, types))
	if err != nil {
		t.Fatal(err)
	}
	binds := []binding{vertex("x", 16), {"W", (*graph.Graph).NumEdgeTypes, []int{16, 16}, vc.EdgeTypeFeature}}
	sum := func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("x").MatMul(e.Type("W")).Tanh())
	}
	want, wantGrads := run(vc.Compile("many", sum), g, tensor.CPU, binds)
	before := len(m.Driver().Calls())
	got, grads := run(vc.Compile("many", sum), g, d, binds)
	compare(t, "result", got, want, 2e-5)
	for i := range grads {
		compare(t, "gradient of "+binds[i].name, grads[i], wantGrads[i], 1e-4)
	}
	launches := 0
	for _, call := range m.Driver().Calls()[before:] {
		if strings.HasPrefix(call, "cuLaunchKernel(many") {
			if launches++; strings.Contains(call, "{1 1 1}") {
				t.Errorf("one block: %s", call)
			}
		}
	}
	if launches < 4 {
		t.Errorf("%d launches", launches)
	}
}

func TestProductsOfEdgesMayTakeAnEighthOfTheMemory(t *testing.T) {
	b := open(t).Backend().(*cudagen.Backend)
	memory := int(b.Device().Info().Memory)
	for _, edges := range []int{0, 1, 1000, memory >> 16, memory >> 14, memory >> 12, memory >> 4, memory, 1 << 60} {
		o := b.PlanFor(edges)
		if want := min(memory/8/max(edges, 1), 4<<10); o.EdgeBytes > want || 2*o.EdgeBytes < want {
			t.Errorf("%d edges on %d B: %d B an edge, want about %d", edges, memory, o.EdgeBytes, want)
		}
		if !slices.Contains(o.Off, plan.FuseRowProduct) {
			t.Errorf("products of rows in kernels: %v", o.Off)
		}
	}
}

// The same program on graphs of the same degree, whose edges take little of the memory and much.
func TestAProgramIsCompiledAnewWhereItsEdgesTakeMuchMemory(t *testing.T) {
	if *onGPU {
		t.Skip("a graph that takes much of a GPU's memory is large")
	}
	d := open(t)
	p := vc.Compile("products", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Max(e.Src("x").Mul(e.Dst("x")).MatMul(vc.Param("W")))
	})
	w := vc.ParamValue("W", autograd.Constant(randn(1, 2, 300).ToDevice(d))) // 1208 B an edge with its operand
	memory := int(d.Backend().(*cudagen.Backend).Device().Info().Memory)
	for edges, fused := range map[int]bool{400: false, memory / 8 / 1024: true} {
		src, dst := make([]int32, edges), make([]int32, edges)
		for i := range src {
			src[i], dst[i] = int32(i/5), int32(i/4)
		}
		g, err := graph.New(edges/4, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		c := p.Compiled(g, w, vc.VertexFeature("x", autograd.Constant(randn(2, edges/4, 2).ToDevice(d))))
		found := 0
		for _, decision := range c.Forward.Decisions {
			if decision.Rule == plan.FuseEdgeProduct {
				if found++; decision.Taken != fused {
					t.Errorf("%d edges: %v, want fused %v", edges, decision, fused)
				}
			}
		}
		if found != 1 {
			t.Errorf("%d edges: %d decisions about products of edges\n%v", edges, found, c.Forward)
		}
	}
}

// Each round reads what the one before summed, so it has a loop over a row's edges of its own.
func TestAProgramOfMoreThanNineLoopsRunsOnTheDevice(t *testing.T) {
	d := open(t)
	for _, rounds := range []int{10, 12} {
		p := vc.Compile("routing", func(v vc.Vertex) vc.Value {
			x := v.Feature("h")
			for range rounds {
				x = vc.Sum(v.InEdges().Src("h").Add(x).Tanh())
			}
			return x
		})
		for _, name := range []string{"random", "hubs"} {
			g := graphs(t)[name]
			h := randn(1, g.NumVertices(), 5)
			on := func(d *tensor.Device) *tensor.Tensor {
				return p.Run(g, vc.VertexFeature("h", autograd.Constant(h.ToDevice(d)))).Tensor().ToDevice(tensor.CPU)
			}
			compare(t, fmt.Sprintf("%d rounds on %q", rounds, name), on(d), on(tensor.CPU), 2e-5)
		}
	}
}

func TestARunOnTheDeviceGivesTheSameBitsAgain(t *testing.T) {
	d := open(t)
	all := graphs(t)
	for _, c := range programs {
		p := vc.Compile(c.name, c.f)
		for _, name := range []string{"random", "hubs"} {
			out, grads := run(p, all[name], d, c.binds)
			for range 3 {
				again, gradsAgain := run(p, all[name], d, c.binds)
				sameBits(t, c.name+", "+name+": result", again, out)
				for i := range grads {
					sameBits(t, c.name+", "+name+": gradient of "+c.binds[i].name, gradsAgain[i], grads[i])
				}
			}
		}
	}
}

func sameBits(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	a, b := tensor.Data[float32](got), tensor.Data[float32](want)
	for i := range b {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			t.Errorf("%s: element %d is %v and was %v", what, i, a[i], b[i])
			return
		}
	}
}

// Rows without columns have matrices without elements, whose gradients sum nothing.
func TestProgramsOfRowsWithoutColumns(t *testing.T) {
	d := open(t)
	for _, out := range []int{0, 3} {
		binds := []binding{vertex("x", 0), vertex("y", 2), {"W", (*graph.Graph).NumEdgeTypes, []int{0, out}, vc.EdgeTypeFeature}, param("V", out, 0)}
		p := vc.Compile("no columns", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			z := vc.ByType(vc.ByMean, vc.BySum, e.Src("x").MatMul(e.Type("W"))).Tanh().MatMul(vc.Param("V"))
			return vc.Sum(e.Src("y")).Add(z.SumLast())
		})
		for name, g := range graphs(t) {
			got, grads := run(p, g, d, binds)
			want, wantGrads := run(p, g, tensor.CPU, binds)
			compare(t, name, got, want, 2e-5)
			for i := range grads {
				compare(t, fmt.Sprintf("%s: gradient of %s", name, binds[i].name), grads[i], wantGrads[i], 1e-5)
			}
		}
	}
}

func TestASliceThatBeginsAnywhereIsAnInput(t *testing.T) {
	d := open(t)
	g := graphs(t)["random"]
	p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	all := randn(1, g.NumVertices()*8+1)
	slice := func(x *tensor.Tensor) *autograd.Var {
		return autograd.Constant(x.Narrow(0, 1, x.Dim(0)).Reshape(g.NumVertices(), 8))
	}
	got := p.Run(g, vc.VertexFeature("h", slice(all.ToDevice(d))))
	want := p.Run(g, vc.VertexFeature("h", slice(all)))
	compare(t, "result", got.Tensor().ToDevice(tensor.CPU), want.Tensor(), 1e-5)
}

func TestTheResultGoesToASliceThatBeginsAnywhere(t *testing.T) {
	d := open(t)
	g := graphs(t)["random"]
	n := g.NumVertices()
	p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	h := randn(1, n, 3)
	want := p.Run(g, vc.VertexFeature("h", autograd.Constant(h))).Tensor()
	for _, tuned := range []bool{false, true} {
		if tuned {
			if err := cudagen.Tune(d, t.TempDir()); err != nil {
				t.Fatal(err)
			}
		}
		for from := range 5 {
			all := tensor.FullOn(d, tensor.Float32, -7, n+6, 3)
			p.RunInto(all.Narrow(0, from, from+n), g, vc.VertexFeature("h", autograd.Constant(h.ToDevice(d))))
			wantAll := tensor.Full(tensor.Float32, -7, n+6, 3)
			wantAll.Narrow(0, from, from+n).CopyFrom(want)
			compare(t, fmt.Sprintf("rows from %d on, tuned %v", from, tuned), all.ToDevice(tensor.CPU), wantAll, 1e-5)
		}
	}
}
