package peers

import (
	"cmp"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

// peers are the commands of all, by name. A Go peer that is not built yet is built.
var peers = []struct {
	name    string
	models  string
	command func(t *testing.T) []string
}{
	{"torch", "gcn gin gat", python("torch.py", "ASTERIAS_PYTHON")},
	{"pyg", "gcn gin gat", python("pyg.py", "ASTERIAS_PYTHON")},
	{"dgl", "gcn gin gat", python("dgl.py", "ASTERIAS_DGL_PYTHON")},
	{"gomlx", "gcn gin gat", program("gomlx")},
	{"gorgonia", "gcn gin", program("gorgonia")},
}

// python runs a script with the interpreter that an environment variable names.
func python(script, variable string) func(t *testing.T) []string {
	return func(*testing.T) []string {
		return []string{cmp.Or(os.Getenv(variable), os.Getenv("ASTERIAS_PYTHON"), "python3"), script}
	}
}

// program builds a folder's command. Modules that cannot be had here skip the test.
func program(folder string) func(t *testing.T) []string {
	return func(t *testing.T) []string {
		list := exec.Command("go", "list", "-deps", ".")
		list.Dir = folder
		if out, err := list.CombinedOutput(); err != nil {
			t.Skipf("%s cannot be built here: %v\n%s", folder, err, out)
		}
		path := filepath.Join(t.TempDir(), folder+".exe")
		build := exec.Command("go", "build", "-o", path, ".")
		build.Dir = folder
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		return []string{path}
	}
}

// start skips the test if the peer is not installed.
func start(t *testing.T, command []string) *harness.PeerProcess {
	t.Helper()
	p, err := harness.Peer{Command: command, Threads: 2}.Start()
	if missing := new(harness.NotInstalled); errors.As(err, &missing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("at the end of its input: %v", err)
		}
	})
	return p
}

func do(t *testing.T, p *harness.PeerProcess, what, slot string, with map[string]any) harness.PeerReply {
	t.Helper()
	r, err := p.Do(what, slot, with)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return r
}

func TestEveryPeerAnswersAndTrainsTheModelsOfTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("starts other frameworks")
	}
	for _, peer := range peers {
		t.Run(peer.name, func(t *testing.T) {
			p := start(t, peer.command(t))
			t.Log(p.Version, p.Backend)
			if p.Name != peer.name {
				t.Errorf("it says it is %q", p.Name)
			}
			t.Run("protocol", func(t *testing.T) { testProtocol(t, p) })
			for model := range strings.FieldsSeq(peer.models) {
				for kind, task := range map[string]*serve.Task{
					"dense":  randomTask(model, 1),
					"sparse": randomTask(model, 0.05),
					"shrunk": shrunkTask(model),
				} {
					t.Run(model+"/"+kind, func(t *testing.T) { testLosses(t, p, task) })
				}
			}
		})
	}
}

func testLosses(t *testing.T, p *harness.PeerProcess, task *serve.Task) {
	do(t, p, "open", "a", map[string]any{"task": write(t, task)})
	defer do(t, p, "close", "a", nil)
	// Steps before do not matter: losses are those from the initial parameters.
	if r := do(t, p, "run", "a", map[string]any{"steps": 2}); r.Seconds <= 0 {
		t.Errorf("2 steps took %g s", r.Seconds)
	}
	got := do(t, p, "losses", "a", map[string]any{"steps": 5}).Losses
	if len(got) != 5 {
		t.Fatalf("%d losses", len(got))
	}
	r := newReference(task)
	for i, loss := range got {
		if want := r.step(); math.IsNaN(loss) || math.Abs(loss-want) > 1e-4*max(1, want) {
			t.Errorf("loss %d is %.7g, the reference's %.7g", i+1, loss, want)
		}
	}
}

func testProtocol(t *testing.T, p *harness.PeerProcess) {
	one := map[string]any{"steps": 1}
	if _, err := p.Do("run", "a", one); err == nil || !strings.Contains(err.Error(), "slot") {
		t.Errorf("running nothing: error %v", err)
	}
	if _, err := p.Do("open", "a", map[string]any{"task": filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a task that is not there has no error")
	}
	folder := map[string]any{"task": write(t, randomTask("gcn", 1))}
	do(t, p, "open", "a", folder)
	do(t, p, "open", "b", folder)
	if _, err := p.Do("dance", "a", nil); err == nil || !strings.Contains(err.Error(), "dance") {
		t.Errorf("a request that is none: error %v", err)
	}

	// The task has 3 vertices to validate and 2 to test; dropout differs by seed.
	seed := func(s int) map[string]any { return map[string]any{"epochs": 20, "seed": s} }
	first := do(t, p, "train", "a", seed(1))
	if !share(first.Val, 3) || !share(first.Test, 2) || first.Loss <= 0 {
		t.Errorf("training gives %+v", first)
	}
	if again := do(t, p, "train", "b", seed(1)); again.Loss != first.Loss {
		t.Errorf("the same seed gives the losses %g and %g", first.Loss, again.Loss)
	}
	if other := do(t, p, "train", "a", seed(2)); other.Loss == first.Loss {
		t.Errorf("another seed gives the same loss %g", first.Loss)
	}
	if runtime.GOOS == "linux" {
		if r := do(t, p, "memory", "a", nil); r.Peak < 0 || r.Live < 0 || r.Peak > 1<<30 || r.Live > 1<<30 {
			t.Errorf("memory %+v", r)
		}
	}
	do(t, p, "close", "a", nil)
	if _, err := p.Do("run", "a", one); err == nil {
		t.Error("a closed slot still runs")
	}
	if r := do(t, p, "losses", "b", one); len(r.Losses) != 1 {
		t.Errorf("the other slot has %d losses", len(r.Losses))
	}
	do(t, p, "close", "b", nil)
}

// share tells whether x is one of n parts, up to float32.
func share(x float64, n int) bool {
	parts := math.Round(x * float64(n))
	return parts >= 0 && parts <= float64(n) && math.Abs(x-parts/float64(n)) < 1e-6
}

func TestGorgoniaRefusesWhatIsTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Gorgonia")
	}
	p := start(t, program("gorgonia")(t))
	large := shrunkTask("gcn")
	large.Vertices = 5001
	large.X, large.Labels = make([]float32, large.Vertices), make([]int32, large.Vertices)
	if _, err := p.Do("open", "a", map[string]any{"task": write(t, large)}); err == nil || !strings.Contains(err.Error(), "5001") {
		t.Errorf("error %v", err)
	}
	if _, err := p.Do("open", "a", map[string]any{"task": write(t, shrunkTask("gat"))}); err == nil || !strings.Contains(err.Error(), "gat") {
		t.Errorf("error %v", err)
	}
}

func TestAnInterpreterWithoutTheFrameworkSaysSo(t *testing.T) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	for _, script := range []string{"torch.py", "pyg.py", "dgl.py"} {
		// Without its site packages an interpreter has no PyTorch.
		_, err := harness.Peer{Command: []string{interpreter, "-S", "-E", script}, Threads: 1}.Start()
		missing := new(harness.NotInstalled)
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), "No module named 'torch'") {
			t.Errorf("%s: error %v", script, err)
		}
	}
}
