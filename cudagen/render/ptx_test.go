package render

// The text for GPUs: clang compiles it to PTX, and NVRTC, where it is found, to
// machine code. Neither needs a GPU.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// clang finds a clang that compiles for GPUs; without one the test is skipped, or
// fails if tools are required.
func clang(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"clang-16", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal("clang-16 is required and not installed")
	}
	t.Skip("clang-16 is not installed")
	return ""
}

// ptx compiles a text to PTX for an architecture; warnings are errors. What is looked for in it,
// the vectors too, is there at the first level of optimisation, the quickest that has it.
func ptx(t testing.TB, command, text string, sm int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kernels.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command, "-x", "cuda", "--cuda-device-only", fmt.Sprintf("--cuda-gpu-arch=sm_%d", sm), "-nocudainc", "-nocudalib", "-nostdinc",
		"-fdeclspec", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
		"-Wno-unused-but-set-variable", // the chunks of hubs need only some columns of products
		"-Xclang", "-target-feature", "-Xclang", "+ptx78",
		"-include", filepath.Join("testdata", "clang.h"), "-S", "-o", "-", file)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return string(out)
}

// zooText is the kernels of a layer as one text.
func zooText(t testing.TB, programs []*ir.Program) string {
	t.Helper()
	var all []rendered
	for _, p := range programs {
		pl := planned(p)
		src, err := Render(pl, Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rendered{nil, p, pl, src})
	}
	return oneUnit(all)
}

var (
	atomics  = regexp.MustCompile(`\b(atom|red)\.`)
	doubles  = regexp.MustCompile(`\b\w+\.f64`)
	floats   = regexp.MustCompile(`ld\.global\.nc\.v4\.f32`)
	stores   = regexp.MustCompile(`st\.global\.v4\.f32`)
	noVector = map[string]string{ // layers of the wide size that load no vectors of four
		"distmult": "", "edge_softmax_scalar_large": "", "edge_softmax": "", "typed_linear": "",
	}
)

func TestZooCompilesToPTX(t *testing.T) {
	command := clang(t)
	for name, programs := range zoo(t) {
		if _, model := goldens[name]; testing.Short() && !model {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wide := zooText(t, programs[len(programs)/2:])
			for _, sm := range []int{75, 80, 90} {
				// The text is the same for all of them: some layers are enough.
				if sm != 80 && (testing.Short() || !slices.Contains([]string{"gat_concat", "rgcn_full", "edgeconv"}, name)) {
					continue
				}
				text := ptx(t, command, wide, sm)
				if found := atomics.FindString(text); found != "" {
					t.Errorf("sm_%d: %s", sm, found)
				}
				if found := doubles.FindString(text); found != "" {
					t.Errorf("sm_%d: %s among floats", sm, found)
				}
				if _, none := noVector[name]; !none && !(floats.MatchString(text) && stores.MatchString(text)) {
					t.Errorf("sm_%d: rows of multiples of four are not loaded and stored as vectors", sm)
				}
			}
		})
	}
}

func TestDoublesCompileToPTX(t *testing.T) {
	command := clang(t)
	for _, name := range []string{"gat_concat", "hgt", "rgcn_full", "sage_maxpool"} {
		var all []*ir.Program
		for _, p := range zoo(t)[name] {
			all = append(all, inType(t, p, p.Name, ir.F64))
		}
		text := ptx(t, command, zooText(t, all), 80)
		if atomics.MatchString(text) || !strings.Contains(text, "ld.global.nc.v2.f64") {
			t.Errorf("%s: atomics, or no vectors of two", name)
		}
	}
}

// nvrtc finds NVRTC, which needs no GPU; without it the test is skipped.
func nvrtc(t testing.TB) driver.Compiler {
	t.Helper()
	sys, _ := driver.Load()
	if sys.Compiler == nil {
		t.Skip("NVRTC is not found: ", sys.CompilerErr)
	}
	return sys.Compiler
}

func TestZooCompilesWithNVRTC(t *testing.T) {
	compiler := nvrtc(t)
	known, err := compiler.Architectures()
	if err != nil {
		t.Fatal(err)
	}
	// The text is the same for all architectures: each compiles one layer, one compiles all.
	for _, name := range []string{"gcn", "gat_concat", "rgcn_full", "hgt", "sum_then_max_by_type"} {
		all := zoo(t)[name]
		text := zooText(t, all[len(all)/2:])
		for _, sm := range []int{75, 80, 90, 100} {
			if !slices.Contains(known, sm) || sm != 90 && (testing.Short() || name != "gat_concat") {
				continue
			}
			t.Run(fmt.Sprintf("%s sm_%d", name, sm), func(t *testing.T) {
				t.Parallel()
				cubin, log, err := compiler.Compile(driver.Source{Name: name + ".cu", Text: text, SM: sm, Options: []string{"--std=c++17"}})
				if err != nil || len(cubin) == 0 || strings.Contains(log, "warning") {
					t.Errorf("%v\n%s", err, log)
				}
			})
		}
	}
}

// The registers of a kernel are registers: nothing of the zoo's wide programs lies in
// a thread's local memory.
func TestKernelsHaveTheirValuesInRegisters(t *testing.T) {
	compiler := nvrtc(t)
	frame := regexp.MustCompile(`Function properties for (\w+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores`)
	for name, model := range goldens {
		if testing.Short() && !model {
			continue
		}
		all := zoo(t)[name]
		_, log, err := compiler.Compile(driver.Source{
			Name: name + ".cu", Text: zooText(t, all[len(all)/2:]), SM: 90, Options: []string{"--std=c++17", "--ptxas-options=-v"},
		})
		if err != nil {
			t.Fatal(err)
		}
		found := frame.FindAllStringSubmatch(log, -1)
		if len(found) == 0 {
			t.Skip("this NVRTC does not tell what kernels use")
		}
		for _, m := range found {
			if m[2] != "0" || m[3] != "0" {
				t.Errorf("%s: %s bytes of stack, %s of spilled registers", m[1], m[2], m[3])
			}
		}
	}
}
