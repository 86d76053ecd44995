// Tests of the cache of compiled kernels.

package driver_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

const compileCall = "nvrtcCompileProgram"

func newCache(t *testing.T, m *mock.Driver, folder string) *driver.CubinCache {
	t.Helper()
	c, err := driver.NewCubinCache(m.Compiler(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compile(t *testing.T, c *driver.CubinCache, s driver.Source) []byte {
	t.Helper()
	cubin, err := c.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return cubin
}

func TestASourceIsCompiledOnceAcrossProcesses(t *testing.T) {
	m, folder := mock.New(mock.Options{}), filepath.Join(t.TempDir(), "not", "yet")
	s := driver.Source{Name: "a.cu", Text: scaleSource, SM: 90}
	want := compile(t, newCache(t, m, folder), s)
	for range 2 {
		c := newCache(t, m, folder) // as another process
		for range 2 {
			if got := compile(t, c, s); !bytes.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	if n := m.Count(compileCall); n != 1 {
		t.Errorf("compiled %d times", n)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 || filepath.Ext(left[0].Name()) != ".cubin" {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

func TestTheKeyHasAllThatTheCodeDependsOn(t *testing.T) {
	m, folder := mock.New(mock.Options{}), t.TempDir()
	base := driver.Source{Name: "a.cu", Text: "__global__ void f(int n) {}", SM: 90, Options: []string{"-a", "-b"}, Headers: map[string]string{"h": "1"}}
	changes := []func(s *driver.Source){
		func(*driver.Source) {},
		func(s *driver.Source) { s.Text += " " },
		func(s *driver.Source) { s.SM = 80 },
		func(s *driver.Source) { s.Options = []string{"-a-b"} },
		func(s *driver.Source) { s.Options = []string{"-b", "-a"} },
		func(s *driver.Source) { s.Options = nil },
		func(s *driver.Source) { s.Headers = map[string]string{"h": "2"} },
		func(s *driver.Source) { s.Headers = map[string]string{"h1": ""} },
		func(s *driver.Source) { s.Headers = nil },
	}
	for i, change := range changes {
		s := base
		change(&s)
		c := newCache(t, m, folder)
		compile(t, c, s)
		if n := m.Count(compileCall); n != i+1 {
			t.Errorf("change %d: compiled %d times in all", i, n)
		}
	}
	newer := m.Compiler()
	newer.SetVersion(12, 5)
	c, err := driver.NewCubinCache(newer, folder)
	if err != nil {
		t.Fatal(err)
	}
	compile(t, c, base)
	if n := m.Count(compileCall); n != len(changes)+1 {
		t.Errorf("a new compiler's version: compiled %d times in all", n)
	}
}

func TestDamagedFilesAreReplaced(t *testing.T) {
	s := driver.Source{Name: "a.cu", Text: scaleSource, SM: 90}
	for name, damage := range map[string]func(data []byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"cut":       func(d []byte) []byte { return d[:len(d)-1] },
		"head only": func(d []byte) []byte { return d[:40] },
		"bit":       func(d []byte) []byte { d[len(d)/2] ^= 1; return d },
		"other":     func(d []byte) []byte { return append([]byte("x"), d...) },
	} {
		m, folder := mock.New(mock.Options{}), t.TempDir()
		want := compile(t, newCache(t, m, folder), s)
		files, err := filepath.Glob(filepath.Join(folder, "*.cubin"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		whole, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], damage(bytes.Clone(whole)), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := compile(t, newCache(t, m, folder), s); !bytes.Equal(got, want) || m.Count(compileCall) != 2 {
			t.Errorf("%s: got %q, compiled %d times", name, got, m.Count(compileCall))
		}
		if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: the file is not replaced: %v", name, err)
		}
	}
}

func TestAFolderThatCannotBeWrittenCostsOnlyTime(t *testing.T) {
	m := mock.New(mock.Options{})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c := newCache(t, m, filepath.Join(file, "folder")) // within a file
	s := driver.Source{Name: "a.cu", Text: scaleSource, SM: 90}
	for range 2 {
		compile(t, c, s)
	}
	if n := m.Count(compileCall); n != 1 {
		t.Errorf("compiled %d times", n)
	}
}

func TestManyGoroutinesCompileASourceOnce(t *testing.T) {
	m := mock.New(mock.Options{})
	c := newCache(t, m, t.TempDir())
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			cubin, err := c.Compile(driver.Source{Name: "a.cu", Text: scaleSource, SM: []int{80, 90}[i%2]})
			if err != nil || len(cubin) == 0 {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := m.Count(compileCall); n != 2 {
		t.Errorf("compiled %d times for two architectures", n)
	}
}

func TestATextThatDoesNotCompileIsNotKept(t *testing.T) {
	m, folder := mock.New(mock.Options{}), t.TempDir()
	c := newCache(t, m, folder)
	for range 2 {
		if _, err := c.Compile(driver.Source{Name: "a.cu", Text: "#error", SM: 90}); err == nil {
			t.Error("it compiles")
		}
	}
	if files, err := os.ReadDir(folder); len(files) != 0 || err != nil {
		t.Errorf("the folder has %v, %v", files, err)
	}
}
