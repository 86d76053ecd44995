package cc

// The compiler and its cache.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// counted is a compiler that notes every run that makes a library, with a cache of
// its own.
func counted(t *testing.T) (c *Compiler, runs func() int) {
	t.Helper()
	needsCompiler(t)
	tool, err := new(Compiler).find()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script, log := filepath.Join(dir, "compiler"), filepath.Join(dir, "log")
	text := "#!/bin/sh\ncase \"$*\" in *-dM*) ;; *) echo run >>" + log + ";; esac\nexec " + tool.command[0] + " \"$@\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Compiler{Command: []string{script}, Cache: filepath.Join(dir, "cache")}, func() int {
		lines, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.Count(string(lines), "\n")
	}
}

func smallPlan(t testing.TB) *plan.Plan {
	return plan.Build(mustParse(t, `program small f32 {
  %0:src f32[4] = input name="h"
  %1:dst f32[4] = sum %0 dir=in
  output "out" %1
}`))
}

func mustCompile(t *testing.T, c *Compiler) {
	t.Helper()
	kernels, err := c.Compile(smallPlan(t))
	if err != nil {
		t.Fatal(err)
	}
	if kernels[0].Call == nil {
		t.Fatal("the kernel is not native")
	}
}

func TestALibraryIsCompiledOnce(t *testing.T) {
	c, runs := counted(t)
	for range 3 {
		mustCompile(t, c)
	}
	if n := runs(); n != 1 {
		t.Errorf("the compiler ran %d times", n)
	}
	left, err := filepath.Glob(filepath.Join(c.Cache, "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("the cache has %v", left)
	}
}

func TestADamagedLibraryIsCompiledAgain(t *testing.T) {
	for _, end := range []string{suffix, checksum} {
		for _, damage := range []func(path string) error{
			func(path string) error { return os.WriteFile(path, []byte("not a library"), 0o600) },
			func(path string) error { return os.Truncate(path, 40) },
			os.Remove,
		} {
			c, runs := counted(t)
			mustCompile(t, c)
			files, err := filepath.Glob(filepath.Join(c.Cache, "*"+end))
			if err != nil || len(files) != 1 {
				t.Fatalf("the cache has %v", files)
			}
			// The damage must not reach what is loaded: a file of the same name replaces it.
			old, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Remove(files[0]), os.WriteFile(files[0], old, 0o600), damage(files[0])); err != nil {
				t.Fatal(err)
			}
			mustCompile(t, c)
			if n := runs(); n != 2 {
				t.Errorf("%s: the compiler ran %d times", end, n)
			}
		}
	}
}

func TestAnUnusableCacheDirectoryIsDoneWithout(t *testing.T) {
	c, runs := counted(t)
	c.Cache = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(c.Cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	mustCompile(t, c)
	if n := runs(); n != 1 {
		t.Errorf("the compiler ran %d times", n)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

func TestAReadOnlyCacheDirectoryIsDoneWithout(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("everything may be written by the superuser")
	}
	c, _ := counted(t)
	c.Cache = t.TempDir()
	if err := os.Chmod(c.Cache, 0o500); err != nil {
		t.Fatal(err)
	}
	mustCompile(t, c)
}

func TestCompilersOfOneCacheDoNotDisturbEachOther(t *testing.T) {
	c, _ := counted(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if _, err := c.Compile(smallPlan(t)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	mustCompile(t, c)
}

func TestAMissingCompilerIsNamed(t *testing.T) {
	if supported() != nil {
		t.Skip(supported())
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CC", "")
	_, err := (&Compiler{Cache: t.TempDir()}).Compile(smallPlan(t))
	var missing *NoCompilerError
	if !errors.As(err, &missing) || strings.Join(missing.Tried, " ") != "cc gcc clang" {
		t.Errorf("error %v", err)
	}
	t.Setenv("CC", "no-such-compiler -m64")
	if _, err = new(Compiler).Compile(smallPlan(t)); !errors.As(err, &missing) || !strings.Contains(err.Error(), "no-such-compiler") {
		t.Errorf("error %v", err)
	}
}

func TestAnErrorHasTheCompilersMessage(t *testing.T) {
	c, _ := counted(t)
	_, err := c.build("int f(void) { return nonsense; }", []string{"f"})
	var failed *CompileError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("error %v", err)
	}
	if _, err := c.build("int f(void) { return 0; }", []string{"g"}); err == nil || !strings.Contains(err.Error(), "g") {
		t.Errorf("a missing function: error %v", err)
	}
}

func TestDeclinedKernelsSayWhy(t *testing.T) {
	b := ir.NewBuilder("products", ir.F32, false)
	h := b.Input("h", ir.Src, ir.Shape{4})
	m := b.MatMul(b.Add(h, b.Input("q", ir.Dst, ir.Shape{4})), b.Input("W", ir.Param, ir.Shape{4, 4}))
	b.Output("out", b.Sum(ir.In, b.Op(ir.OpRelu, ir.Attr{}, m)))
	b.Output("wide", b.Sum(ir.Out, b.Input("x", ir.Dst, ir.Shape{10_000})))
	var reasons []string
	for _, k := range Render(plan.Build(b.Program()), 64).Kernels {
		if (k.Name == "") != (k.Declined != nil) {
			t.Errorf("a kernel named %q, declined %v", k.Name, k.Declined)
		}
		if k.Declined != nil {
			reasons = append(reasons, k.Declined.Error())
		}
	}
	all := strings.Join(reasons, "\n")
	for _, want := range []string{"cc: program products, step", "a matrix product", "a row of 10000 numbers"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
}
