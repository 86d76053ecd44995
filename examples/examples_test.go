// Package examples has no code of its own: its test builds and runs the examples
// below it, a step or two each, so that all of them work.
package examples

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
)

// runs are the arguments that each example is run with, beside -json; DATA stands for
// the folder with the sets that the test makes.
var runs = map[string]string{
	"appnp":          "-dataset karate -epochs 2 -seeds 2",
	"custom_layer":   "-dataset karate -epochs 2 -seeds 2",
	"gat":            "-dataset karate -epochs 2 -seeds 2",
	"gated_ggnn":     "-dataset mutag -data DATA -epochs 1",
	"gcn":            "-dataset karate -epochs 2 -seeds 2",
	"gin_tu":         "-dataset mutag -data DATA -epochs 1",
	"gorgonia_swap":  "-dataset karate -epochs 2",
	"hgt_hgb":        "-dataset hgb-acm -data DATA -epochs 2",
	"karate":         "-dataset karate -epochs 2 -seeds 2",
	"message":        "-dataset karate -epochs 2 -seeds 2",
	"rgcn_entity":    "-dataset aifb -data DATA -epochs 2 -seeds 2",
	"rgcn_link":      "-dataset fb15k-237 -data DATA -epochs 2",
	"sage_minibatch": "-dataset karate -epochs 2 -seeds 2",
	"saga":           "-dataset karate -epochs 2 -seeds 2",
}

func TestEveryExampleRuns(t *testing.T) {
	binaries, sets := build(t), t.TempDir()
	writeMolecules(t, sets)
	writeTyped(t, sets)
	folders, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name := filepath.Dir(folder)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(binaries, name)
			if name == "quickstart" { // which has no flags
				if out := output(t, binary); !strings.HasPrefix(out, "test accuracy 0.") {
					t.Errorf("the output is %q", out)
				}
				return
			}
			args := strings.Fields(strings.ReplaceAll(runs[name], "DATA", sets))
			if len(args) == 0 {
				t.Fatal("the table runs lacks this example")
			}
			r := reported(t, binary, args...)
			if name == "gorgonia_swap" { // which compares two nets
				r.EpochMS = 1
			}
			if r.Dataset != args[slices.Index(args, "-dataset")+1] || r.EpochMS <= 0 || r.Mean < 0 || r.Mean > 1 {
				t.Errorf("the report is %+v", r)
			}
		})
	}
	for name := range runs {
		if !slices.Contains(folders, filepath.Join(name, "main.go")) {
			t.Errorf("there is no example %s", name)
		}
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	for _, name := range []string{"gcn", "gorgonia_swap"} {
		output(t, filepath.Join(build(t), name), "-h") // which fails the test unless the status is 0
	}
}

// report is the last line of an example's output.
type report struct {
	Dataset string  `json:"dataset"`
	EpochMS float64 `json:"epoch_ms_median"`
	Mean    float64 `json:"test_acc_mean"`

	DeviceMB float64 `json:"device_peak_mb"`
}

func reported(t *testing.T, binary string, args ...string) (r report) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(output(t, binary, append(args, "-json")...)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatalf("the last line is %q: %v", lines[len(lines)-1], err)
	}
	return r
}

// On an emulated GPU the examples do what they do on the CPU.
func TestEveryExampleRunsOnADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles kernels")
	}
	requireEmulator(t)
	binaries, sets := build(t), t.TempDir()
	writeMolecules(t, sets)
	writeTyped(t, sets)
	for name, line := range runs {
		// Gorgonia's machines are the CPU's; gin_tu has ten folds of fifty steps, of a loop that
		// gated_ggnn has, too.
		if name == "gorgonia_swap" || name == "gin_tu" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary, args := filepath.Join(binaries, name), strings.Fields(strings.ReplaceAll(line, "DATA", sets))
			onCPU, onDevice := reported(t, binary, args...), reported(t, binary, append(args, "-device", "cuda")...)
			if math.Abs(onDevice.Mean-onCPU.Mean) > 0.05 {
				t.Errorf("%v on the device, %v on the CPU", onDevice.Mean, onCPU.Mean)
			}
			if onDevice.DeviceMB == 0 || onCPU.DeviceMB != 0 {
				t.Errorf("tensors took %v MB of the device, and %v without -device", onDevice.DeviceMB, onCPU.DeviceMB)
			}
		})
	}
}

func requireEmulator(t *testing.T) {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// folder has all examples, once they are built. Their -device cuda is an emulated GPU.
var folder string

var built = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "examples"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-tags=emulated", "-o", folder, "./...").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not in the PATH")
	}
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// output runs an example, which must leave no temporary files.
func output(t *testing.T, binary string, args ...string) string {
	t.Helper()
	cmd, temporary := exec.Command(binary, args...), t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	if left, err := os.ReadDir(temporary); len(left) > 0 || err != nil {
		t.Errorf("%v: %v, %v left in the folder of temporary files", args, err, left)
	}
	return string(out)
}

// writeMolecules makes tu/MUTAG.zip: 20 graphs, rings of 3 and paths of 3 vertices in
// turn, with labels of vertices and edges.
func writeMolecules(t *testing.T, dir string) {
	t.Helper()
	parts := make(map[string]*strings.Builder)
	for _, part := range []string{"A", "graph_indicator", "graph_labels", "node_labels", "edge_labels"} {
		parts[part] = new(strings.Builder)
	}
	for i := range 20 {
		fmt.Fprintln(parts["graph_labels"], 2*(i%2)-1)
		for range 3 {
			fmt.Fprintln(parts["graph_indicator"], i+1)
			fmt.Fprintln(parts["node_labels"], i%3)
		}
		for k := range 3 - i%2 {
			u, v := 3*i+1+k, 3*i+1+(k+1)%3
			fmt.Fprintf(parts["A"], "%d, %d\n%d, %d\n", u, v, v, u)
			fmt.Fprintf(parts["edge_labels"], "%d\n%d\n", k%2, k%2)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "tu"), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "tu", "MUTAG.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for part, text := range parts {
		w, err := z.Create("MUTAG/MUTAG_" + part + ".txt")
		if err == nil {
			_, err = w.Write([]byte(text.String()))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
