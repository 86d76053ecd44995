package cudagen_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/cleanup"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A recorded step reads the arrays of a graph that is gone, and what was bound.
func TestACapturedProgramKeepsItsGraph(t *testing.T) {
	d := open(t)
	p := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	var out *tensor.Tensor
	captured := func() *dense.Graph {
		g, err := graph.New(4, []int32{0, 1, 2, 3}, []int32{1, 2, 3, 0})
		if err != nil {
			t.Fatal(err)
		}
		h := autograd.Constant(tensor.Arange(tensor.Float32, 1, 13, 1).Reshape(4, 3).ToDevice(d))
		step := func() { out = p.Run(g, vc.VertexFeature("h", h)).Tensor() }
		step()
		c, err := dense.Capture(d, step)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}()
	replay := func() *tensor.Tensor {
		if err := captured.Replay(); err != nil {
			t.Fatal(err)
		}
		return out.ToDevice(tensor.CPU)
	}
	want := replay()
	for range 5 {
		runtime.GC()
		if err := d.Synchronize(); err != nil {
			t.Fatal(err)
		}
	}
	var others []*tensor.Tensor
	for i := range 50 { // take the memory that is free
		others = append(others, tensor.FullOn(d, tensor.Float32, float64(i+100), 4, 3), tensor.FullOn(d, tensor.Int32, 0, 5))
	}
	compare(t, "a replay without the graph", replay(), want, 0)
	if err := captured.Close(); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(others)
}

// What a graph lacks that is new within a capture is said by Capture, though the function
// goes on with what the program was to give.
func TestACaptureThatMeetsANewGraphSaysSo(t *testing.T) {
	d := open(t)
	p := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Constant(tensor.Arange(tensor.Float32, 1, 13, 1).Reshape(4, 3).ToDevice(d))
	step := func(src []int32) func() {
		g, err := graph.New(4, src, []int32{1, 2, 3, 0})
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			y := p.Run(g, vc.VertexFeature("h", h)).Tensor()
			for range 5 {
				y = tensor.Exp(y)
			}
		}
	}
	step([]int32{0, 1, 2, 3})()
	_, err := dense.Capture(d, step([]int32{3, 2, 1, 0}))
	if err == nil || !strings.Contains(err.Error(), "run the step once first") || strings.Contains(err.Error(), "waits") {
		t.Errorf("Capture: %v", err)
	}
}

// modules is how many are loaded on an emulated GPU.
func modules(m *device.Machine) int {
	return m.Driver().Count("cuModuleLoadData") - m.Driver().Count("cuModuleUnload")
}

// collected has the collector find what nobody can reach, and what comes of it done. It
// returns how many modules are loaded then, at most those wanted if it is so soon enough.
func collected(t *testing.T, d *tensor.Device, m *device.Machine, want int) int {
	t.Helper()
	for range 20 {
		runtime.GC()
		cleanup.Await(cleanup.Cleanups, time.Minute)
		if err := d.Synchronize(); err != nil {
			t.Fatal(err)
		}
		if modules(m) <= want {
			break
		}
	}
	return modules(m)
}

func TestTheModulesOfProgramsThatAreGoneAreUnloaded(t *testing.T) {
	d, m := openOn(t)
	c := programs[1] // has gradients
	g := graphs(t)["random"]
	run(vc.Compile(c.name, c.f), g, d, c.binds) // loads what is not the program's
	before := collected(t, d, m, 0)
	for range 3 {
		run(vc.Compile(c.name, c.f), g, d, c.binds)
	}
	if now := collected(t, d, m, before); now > before {
		t.Errorf("%d modules are loaded, %d before", now, before)
	}
	if n := m.Driver().Count("cuModuleUnload"); n < 8 {
		t.Errorf("%d modules were unloaded: those of 4 programs, forward and backward", n)
	}
}

// A recorded step launches kernels of a program that is gone.
func TestACapturedProgramStaysLoaded(t *testing.T) {
	d, m := openOn(t)
	g := graphs(t)["random"]
	h := autograd.Constant(randn(1, g.NumVertices(), 8).ToDevice(d))
	sum := func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) }
	run := func(p *vc.Program) *tensor.Tensor { return p.Run(g, vc.VertexFeature("h", h)).Tensor() }
	run(vc.Compile("sum", sum))
	before := collected(t, d, m, 0)
	p := vc.Compile("sum", sum)
	want := run(p)
	var got *tensor.Tensor
	captured, err := dense.Capture(d, func() { got = run(p) })
	if err != nil {
		t.Fatal(err)
	}
	p = nil
	with := collected(t, d, m, before)
	if err := captured.Replay(); err != nil {
		t.Fatal(err)
	}
	compare(t, "a replay without the program", got.ToDevice(tensor.CPU), want.ToDevice(tensor.CPU), 0)
	if err := captured.Close(); err != nil {
		t.Fatal(err)
	}
	if after := collected(t, d, m, with-1); after > with-1 {
		t.Errorf("%d modules are loaded, %d before the graph was closed", after, with)
	}
	runtime.KeepAlive(captured)
}
