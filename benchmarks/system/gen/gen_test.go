package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const scaled = "status spmm_scaled(graph_t g, const array_t x[N][H][F], const array_t w[E][H][1], array_t out[N][H][F], op_t op, float scale, bool transpose)"

// others are signatures that have what the first one lacks: several outputs, one input,
// numbers, no scalars, other letters, names of several words.
var others = map[string]string{
	"softmax": "status edge_softmax(graph_t graph, const array_t score[E][H], array_t out[E][H]);",
	"extremes": "status mean_and_top(graph_t the_graph, array_t mean[N][F2], norm_t norm, const array_t in_features[N][F], const array_t matrix[F][F2], " +
		"int top_k, array_t top[N][3][F2], double a, reduce_t r)",
	"total": "status total(graph_t g,const array_t i[4],array_t t[1])",
}

func generated(t *testing.T, signature, pkg string) []File {
	t.Helper()
	s, err := Parse(signature)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Generate(s, pkg)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestGeneratedTextsAreTheGoldens(t *testing.T) {
	for _, f := range generated(t, scaled, "spmm") {
		name := filepath.Join("testdata", "golden", filepath.FromSlash(f.Name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(f.Text, want) {
			t.Errorf("%s is not the golden; see go test -update, and git diff", f.Name)
		}
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	files := generated(t, scaled, "spmm")
	if err := Write(dir, files[1:]); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "backward.go")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, files); err == nil || !strings.Contains(err.Error(), "nothing is written") {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(mine); string(text) != "mine" {
		t.Errorf("overwritten with %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, files[0].Name)); err == nil {
		t.Errorf("%s is written all the same", files[0].Name)
	}
}

func TestPackagesHaveNamesOfPackages(t *testing.T) {
	s, err := Parse(scaled)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "main", "Spmm", "a-b", "func", "1a"} {
		if _, err := Generate(s, name); err == nil {
			t.Errorf("package %q is accepted", name)
		}
	}
}

func TestTheCommandSaysWhatItDid(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	var out, messages bytes.Buffer
	if err := run([]string{"-out", dir, "-package", "spmm", scaled}, &out, &messages); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "kernel/spmm_scaled.c") || messages.Len() > 0 {
		t.Errorf("%s%s", &out, &messages)
	}
	for _, args := range [][]string{nil, {"-out", dir, scaled}, {"-out", dir, "-package", "p"}, {"-out", dir, "-package", "p", "a", "b"}, {"-wrong"}} {
		messages.Reset()
		if err := run(args, &out, &messages); err == nil || !strings.Contains(messages.String(), "usage: gen") {
			t.Errorf("%q: %v\n%s", args, err, &messages)
		}
	}
}

// A user's module, which has this one beside it.
func userModule(t *testing.T) (dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds packages")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the generated package is for Linux and macOS")
	}
	if out, err := exec.Command("cc", "--version").CombinedOutput(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err, string(out))
		}
		t.Skip("no C compiler: ", err)
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(mod, []byte("module example.org/kernels"))
	mod = fmt.Appendf(mod, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command runs a command of Go in a folder, without the network.
func command(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	// The flags that are set stay, or all packages would be compiled anew.
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOWORK=off", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestGeneratedPackagesCompileAndTheirTestsFail(t *testing.T) {
	dir := userModule(t)
	signatures := map[string]string{"spmm": scaled}
	for pkg, signature := range others {
		signatures[pkg] = signature
	}
	for pkg, signature := range signatures {
		if err := Write(filepath.Join(dir, pkg), generated(t, signature, pkg)); err != nil {
			t.Fatal(err)
		}
		sources, err := filepath.Glob(filepath.Join(dir, pkg, "kernel", "*.c"))
		if err != nil || len(sources) != 1 {
			t.Fatal(sources, err)
		}
		for _, language := range []string{"-std=c99", "-std=c11"} {
			if out, err := exec.Command("cc", language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-o", os.DevNull, sources[0]).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", pkg, err, out)
			}
		}
		header := strings.TrimSuffix(sources[0], ".c") + ".h"
		if out, err := exec.Command("cc", "-x", "c++", "-fsyntax-only", "-Wall", "-Werror", "-include", header, os.DevNull).CombinedOutput(); err != nil && !strings.Contains(string(out), "cc1plus") {
			t.Errorf("%s: the header in C++: %v\n%s", pkg, err, out)
		}
	}
	if out, err := command(dir, "vet", "./..."); err != nil {
		t.Errorf("vet: %v\n%s", err, out)
	}
	out, err := command(dir, "test", "-timeout", "120s", "./...")
	if err == nil {
		t.Error("tests of stubs pass")
	}
	for pkg := range signatures {
		if !strings.Contains(out, "FAIL\texample.org/kernels/"+pkg) {
			t.Errorf("the test of %s does not fail:\n%s", pkg, out)
		}
	}
	if n := strings.Count(out, "the kernel is not written yet"); n < 2*len(signatures) {
		t.Errorf("%d failures say that the kernel is not written:\n%s", n, out)
	}
}

func TestAFilledInPackagePasses(t *testing.T) {
	dir := userModule(t)
	pkg := filepath.Join(dir, "spmm")
	if err := Write(pkg, generated(t, scaled, "spmm")); err != nil {
		t.Fatal(err)
	}
	fill := func(name string, edit func(text string) string) {
		t.Helper()
		text, err := fs.ReadFile(os.DirFS(filepath.Join("testdata", "worked")), name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(pkg, filepath.FromSlash(name)), []byte(edit(string(text))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	as := func(text string) string { return text }
	test := func() (string, error) { return command(dir, "test", "-timeout", "120s", "./spmm") }
	const kernel = "kernel/spmm_scaled.c"

	fill("reference_test.go", as)
	fill(kernel, as)
	if out, err := test(); err == nil || strings.Contains(out, "--- FAIL: TestKernelMatchesReference") || !strings.Contains(out, "backward: not written yet") {
		t.Errorf("with a kernel and no gradient: %v\n%s", err, out)
	}
	fill("backward.go", as)
	fill("adapter_test.go", as)
	if out, err := test(); err != nil {
		t.Errorf("filled in: %v\n%s", err, out)
	}
	for _, fault := range []struct{ name, file, old, new string }{
		{"transpose is ignored", kernel, "transpose ? g->dst : g->src", "g->src"},
		{"rows of lonely vertices are not written", kernel, "out_data[i] = 0;", "if (E) break;"},
		{"one head's weights for all", kernel, "w_data[e * H + h]", "w_data[e * H]"},
		{"the gradient of a difference has the wrong sign", "backward.go", "dw[weight] -= d\n", "dw[weight] += d\n"},
		{"the gradient forgets the scale", "backward.go", "d := scale * ", "d := "},
		{"the gradient follows edges the wrong way", "backward.go", "if transpose {", "if !transpose {"},
	} {
		edit := func(text string) string {
			if strings.Count(text, fault.old) != 1 {
				t.Fatalf("%s: %q does not occur once", fault.name, fault.old)
			}
			return strings.Replace(text, fault.old, fault.new, 1)
		}
		fill(fault.file, edit)
		if out, err := test(); err == nil || !strings.Contains(out, "want") {
			t.Errorf("%s: passes, or fails otherwise: %v\n%s", fault.name, err, out)
		}
		fill(fault.file, as)
	}
}
