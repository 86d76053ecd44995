package dense

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// Every kind of kernel compiles for GPUs without a warning, and has no atomics.
func TestClangCompilesEveryKernel(t *testing.T) {
	clang, err := exec.LookPath("clang-16")
	if err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal("no clang-16")
		}
		t.Skip("no clang-16")
	}
	if testing.Short() {
		t.Skip("compiles for some seconds")
	}
	header, err := os.ReadFile(filepath.Join("testdata", "clang.h"))
	if err != nil {
		t.Fatal(err)
	}
	// The text is the same for all architectures.
	for dt, arch := range map[tensor.DType]string{tensor.Float32: "sm_80", tensor.Float64: "sm_90"} {
		texts := everyKernel(dt)
		source := filepath.Join(t.TempDir(), "all.cu")
		if err := os.WriteFile(source, []byte(string(header)+oneText(texts)), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch="+arch, "-nocudainc", "-nocudalib", "-nostdinc",
			"-fdeclspec", "-Xclang", "-target-feature", "-Xclang", "+ptx78", "-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-S", "-o", "-", source)
		var messages strings.Builder
		cmd.Stderr = &messages
		ptx, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v for %s: %v\n%.4000s", dt, arch, err, messages.String())
		}
		if n := strings.Count(string(ptx), ".entry"); n != len(texts) {
			t.Errorf("%v for %s: %d kernels, want %d", dt, arch, n, len(texts))
		}
		if at := regexp.MustCompile(`(?m)^.*\b(atom|red)\..*$`).FindString(string(ptx)); at != "" {
			t.Errorf("%v for %s: an atomic operation: %s", dt, arch, at)
		}
		if !strings.Contains(string(ptx), "ld.global.v4.f32") && dt == tensor.Float32 {
			t.Errorf("%v for %s: no loads of four elements", dt, arch)
		}
	}
}

// NVRTC compiles the same, where its library is found: it needs no GPU.
func TestNVRTCCompilesEveryKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for some seconds")
	}
	s, _ := driver.Load() // the error is the driver's
	if s.Compiler == nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(s.CompilerErr)
		}
		t.Skip("no NVRTC")
	}
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		if _, log, err := s.Compiler.Compile(driver.Source{Name: "all.cu", Text: oneText(everyKernel(dt)), Options: options, SM: 90}); err != nil {
			t.Errorf("%v: %v", dt, err)
		} else if strings.Contains(log, "warning") {
			t.Errorf("%v: %.2000s", dt, log)
		}
	}
}

// oneText is all kernels as one text, in namespaces of their own.
func oneText(texts map[string]string) string {
	var b strings.Builder
	b.WriteString(prelude)
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "// %s\nnamespace n%d {\n%s\n}\n", name, i, isolated(texts[name], i))
	}
	return b.String()
}

// isolated gives the kernel of a text a name of its own and forgets its macros at the end.
func isolated(text string, i int) string {
	text = strings.ReplaceAll(text, "AST_KERNEL(k)", fmt.Sprintf("AST_KERNEL(k%d)", i))
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^\s*#define (\w+)`).FindAllStringSubmatch(text, -1) {
		fmt.Fprintf(&b, "#undef %s\n", m[1])
	}
	return text + "\n" + b.String()
}
