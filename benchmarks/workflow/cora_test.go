package workflow

// Training on Cora: every system reaches what the fused model does.

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/plugin"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
)

func TestMain(m *testing.M) {
	plugin.Serve()
	os.Exit(m.Run())
}

func cora(t *testing.T) *Task {
	t.Helper()
	task, err := Load(filepath.Join(shared.Dir(t), "datasets"), "cora")
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// coraAccuracies are test accuracies of GCN from a few seeds.
func coraAccuracies(t *testing.T, task *Task, f Form) (all []float64) {
	t.Helper()
	const epochs = 80
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		c := Default(GCN)
		c.Seed = uint64(seed + 1)
		best, err := newTrainer(t, c, task, f).Train(epochs)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, best.Test)
	}
	return all
}

// wantOurAccuracy trains a form and the fused one. Seeds are the same, so that
// accuracies differ by how rounding grows, not by chance: by a few of a thousand test
// vertices.
func wantOurAccuracy(t *testing.T, f Form, task *Task) {
	t.Helper()
	got, ours := coraAccuracies(t, task, f), coraAccuracies(t, task.On(tensor.CPU), Fused())
	for i := range ours {
		if !(ours[i] >= 0.78) || !(math.Abs(got[i]-ours[i]) <= 0.01) {
			t.Errorf("accuracies %.3f, of the fused model %.3f", got, ours)
			break
		}
	}
}

func TestEverySystemTrainsGCNOnCoraToOurAccuracy(t *testing.T) {
	task := cora(t)
	every(t, func(t *testing.T, s system.System) { wantOurAccuracy(t, OverSystem(s), task.On(s.Device())) })
}

func TestTheExampleInCTrainsGCNOnCoraToOurAccuracy(t *testing.T) {
	task := cora(t)
	library := exampleInC(t)
	s, err := plugin.Open(library, plugin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantOurAccuracy(t, OverSystem(s), task)
	if stats := s.Stats(); stats.Calls == 0 || stats.Starts != 1 {
		t.Errorf("the library was not what computed: %+v", stats)
	}
}

// exampleInC builds the example of a system in C.
func exampleInC(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("plug-ins run on Linux")
	}
	capi := filepath.Join("..", "system", "capi")
	library := filepath.Join(t.TempDir(), "csr.so")
	for _, cc := range []string{os.Getenv("CC"), "cc", "gcc", "clang", "clang-16"} {
		if path, err := exec.LookPath(cc); err == nil {
			out, err := exec.Command(path, "-O2", "-shared", "-fPIC", "-I"+capi, "-o", library, filepath.Join(capi, "example", "csr.c"), "-lm").CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return library
		}
	}
	if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal("no C compiler: tried $CC, cc, gcc, clang, clang-16")
	}
	t.Skip("no C compiler: tried $CC, cc, gcc, clang, clang-16")
	return ""
}
