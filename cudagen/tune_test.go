package cudagen_test

// Kernels cut otherwise give the same values, and choices are kept.

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen"
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

func TestTuningWantsACUDADevice(t *testing.T) {
	if err := cudagen.Tune(tensor.NewDevice("other", 0, nil), t.TempDir()); err == nil {
		t.Error("no error")
	}
}
