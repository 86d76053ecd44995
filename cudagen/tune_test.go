package cudagen_test

// Kernels cut otherwise give the same values, and choices are kept.

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestATunedProgramGivesWhatTheCPUGivesAndItsChoiceIsKept(t *testing.T) {
	c := programs[1] // has sums, a softmax and gradients of weights
	folder := t.TempDir()
	files := func() []string {
		names, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	g := graphs(t)["random"]
	want, wantGrads := run(vc.Compile(c.name, c.f), g, tensor.CPU, c.binds)
	var first map[string]os.FileInfo
	for range 2 { // the second device finds the choices
		d := open(t)
		if err := cudagen.Tune(d, folder); err != nil {
			t.Fatal(err)
		}
		out, grads := run(vc.Compile(c.name, c.f), g, d, c.binds)
		compare(t, "result", out, want, 2e-5)
		for i := range grads {
			compare(t, c.binds[i].name, grads[i], wantGrads[i], 1e-4)
		}
		names := files()
		if len(names) != 2 {
			t.Fatalf("choices %q, want one for each plan", names)
		}
		seen := make(map[string]os.FileInfo)
		for _, n := range names {
			info, err := os.Stat(n)
			if err != nil {
				t.Fatal(err)
			}
			seen[n] = info
			if before := first[n]; first != nil && (before == nil || !before.ModTime().Equal(info.ModTime())) {
				t.Errorf("%s was written again", n)
			}
		}
		first = seen
	}
	// A choice that is no JSON, or of threads that no kernel can have, is made anew.
	for _, text := range []string{"{", `{"Steps":{"0":{"Lanes":3}}}`, `{"Hub":-1,"Chunk":0}`} {
		for n := range first {
			if err := os.WriteFile(n, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		d := open(t)
		if err := cudagen.Tune(d, folder); err != nil {
			t.Fatal(err)
		}
		out, _ := run(vc.Compile(c.name, c.f), g, d, c.binds)
		compare(t, "result after "+text, out, want, 2e-5)
		for n := range first {
			if now, err := os.ReadFile(n); err != nil || string(now) == text {
				t.Errorf("%s still has %q (%v)", n, text, err)
			}
		}
	}
}

// A folder that is gone, or that has folders where choices would be, costs timing alone.
func TestTroubleWithTheFileOfAChoiceIsNotTheProgramS(t *testing.T) {
	g := graphs(t)["random"]
	n := g.NumVertices()
	h := randn(1, n, 8)
	result := func(d *tensor.Device) *tensor.Tensor {
		p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
		return p.Run(g, vc.VertexFeature("h", autograd.Constant(h.ToDevice(d)))).Tensor().ToDevice(tensor.CPU)
	}
	want := result(tensor.CPU)
	folder := filepath.Join(t.TempDir(), "choices")
	for _, trouble := range []struct {
		name string
		make func() error
	}{
		{"none", func() error { return nil }},
		{"a folder instead of each file", func() error {
			names, err := filepath.Glob(filepath.Join(folder, "*.json"))
			if len(names) != 1 {
				t.Errorf("choices %q", names)
			}
			for _, n := range names {
				err = errors.Join(err, os.Remove(n), os.Mkdir(n, 0o755))
			}
			return err
		}},
		{"no folder", func() error { return os.RemoveAll(folder) }},
	} {
		d := open(t)
		if err := cudagen.Tune(d, folder); err != nil {
			t.Fatal(err)
		}
		if err := trouble.make(); err != nil {
			t.Fatal(err)
		}
		compare(t, trouble.name, result(d), want, 1e-5)
	}
}

// The candidates that cut hubs otherwise have arrays of their own for hubs alone.
func TestTuningUploadsAGraphOnce(t *testing.T) {
	src, dst := make([]int32, 20_000), make([]int32, 20_000)
	for e := range src { // half of them into a vertex that all candidates take for a hub
		src[e], dst[e] = int32(e%100), int32(e%2*(e%100))
	}
	g, err := graph.New(100, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	h := randn(1, g.NumVertices(), 4)
	used := func(tuned bool) int64 {
		d := open(t)
		if tuned {
			if err := cudagen.Tune(d, t.TempDir()); err != nil {
				t.Fatal(err)
			}
		}
		p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
		x := autograd.Constant(h.ToDevice(d))
		before := d.MemoryStats().Live
		y := p.Run(g, vc.VertexFeature("h", x))
		if err := d.Synchronize(); err != nil {
			t.Fatal(err)
		}
		defer runtime.KeepAlive(y)
		return d.MemoryStats().Live - before
	}
	plain := used(false)
	var said strings.Builder
	end := debug.Capture(debug.Decisions, &said)
	tuned := used(true)
	end()
	for _, hub := range []string{"Hub:1024 ", "Hub:16384 "} { // their text is the standard one
		if !strings.Contains(said.String(), hub) {
			t.Errorf("no candidate with %s was timed\n%s", hub, said.String())
		}
	}
	if neighbors := int64(4 * len(src)); plain < neighbors || tuned-plain > neighbors/4 {
		t.Errorf("%d B of the device with tuning, %d B without: a list of edges is %d B", tuned, plain, neighbors)
	}
}

// A candidate for which there is no memory is no choice; the program runs without it.
func TestACandidateThatRunsOutOfMemoryIsLeftOut(t *testing.T) {
	d, m := openOn(t)
	g := graphs(t)["random"]
	h := randn(1, g.NumVertices(), 8)
	p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	want := p.Run(g, vc.VertexFeature("h", autograd.Constant(h))).Tensor()
	folder := t.TempDir()
	if err := cudagen.Tune(d, folder); err != nil {
		t.Fatal(err)
	}
	x := autograd.Constant(h.ToDevice(d))
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	loads, refused := 0, 0
	m.Driver().FailIf(func(_ int, call string) int {
		if call == "cuModuleLoadData" {
			if loads++; loads >= 2 && loads <= 5 { // of the first two candidates, each tried twice
				refused++
				return int(driver.OutOfMemory)
			}
		}
		return 0
	})
	got := p.Run(g, vc.VertexFeature("h", x)).Tensor()
	compare(t, "result", got.ToDevice(tensor.CPU), want, 1e-5)
	m.Driver().FailIf(nil)
	if choices, err := filepath.Glob(filepath.Join(folder, "*.json")); len(choices) != 1 || err != nil {
		t.Errorf("choices %q (%v)", choices, err)
	}
	if refused != 4 {
		t.Errorf("%d of %d modules were refused", refused, loads)
	}
}

// Of the candidates none stays loaded, whether it could be timed or not.
func TestCandidatesAreUnloaded(t *testing.T) {
	d, m := openOn(t)
	g := graphs(t)["random"]
	h := autograd.Constant(randn(1, g.NumVertices(), 8).ToDevice(d))
	p := vc.Compile("neighbours", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	p.Run(g, vc.VertexFeature("h", h))
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	before, loads := modules(m), m.Driver().Count("cuModuleLoadData")
	if err := cudagen.Tune(d, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	launches := 0
	m.Driver().FailIf(func(_ int, call string) int {
		if call == "cuLaunchKernel" {
			if launches++; launches == 10 { // of a candidate
				return int(driver.OutOfMemory)
			}
		}
		return 0
	})
	p.Run(g, vc.VertexFeature("h", h))
	m.Driver().FailIf(nil)
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if timed := m.Driver().Count("cuModuleLoadData") - loads; timed < 5 {
		t.Fatalf("%d modules were loaded", timed)
	}
	if now := modules(m); now > before+1 {
		t.Errorf("%d modules are loaded, %d before; one is chosen", now, before)
	}
	runtime.KeepAlive(p)
}

func TestTuningWantsACUDADevice(t *testing.T) {
	if err := cudagen.Tune(tensor.NewDevice("other", 0, nil), t.TempDir()); err == nil {
		t.Error("no error")
	}
}
