//go:build linux && !android && (amd64 || arm64)

package plugin

// What the tests share: libraries built by the system's compiler, graphs, tensors.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// buildDir has the libraries of this run.
var buildDir string

func TestMain(m *testing.M) {
	Serve()
	if os.Getenv(hostVariable) != "" {
		host()
	}
	dir, err := os.MkdirTemp("", "asterias-plugin-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	buildDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// compiler returns the system's compiler. It skips the test where there is none, unless
// tools are required.
func compiler(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CC"), "cc", "gcc", "clang", "clang-16"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal("no C compiler: tried $CC, cc, gcc, clang, clang-16")
	}
	t.Skip("no C compiler: tried $CC, cc, gcc, clang, clang-16")
	return ""
}

var builds sync.Map // of source to func() error

// libraryOf builds a C file and returns the library's path.
func libraryOf(t testing.TB, source string) string {
	t.Helper()
	cc := compiler(t)
	path := filepath.Join(buildDir, filepath.Base(source)+".so")
	build, _ := builds.LoadOrStore(source, sync.OnceValue(func() error {
		out, err := exec.Command(cc, "-O2", "-std=gnu99", "-shared", "-fPIC", "-I../capi", "-o", path, source, "-lm", "-lpthread").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}))
	if err := build.(func() error)(); err != nil {
		t.Fatal(err)
	}
	return path
}

// evil is a library of testdata, example the one that is right.
func evil(t testing.TB, name string) string {
	return libraryOf(t, filepath.Join("testdata", name+".c"))
}

const exampleSource = "../capi/example/csr.c"

func example(t testing.TB) string { return libraryOf(t, exampleSource) }

func mustOpen(t testing.TB, path string, o Options) *System {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// edges is a graph that any system takes.
type edges struct {
	vertices int
	src, dst []int32
}

// pair is two vertices and three edges, two of them the same.
var pair = edges{2, []int32{0, 0, 1}, []int32{1, 1, 1}}

func randomEdges(r *rand.Rand, vertices, n int) edges {
	e := edges{vertices: vertices}
	for range n {
		e.src = append(e.src, int32(r.IntN(vertices)))
		e.dst = append(e.dst, int32(r.IntN(vertices)))
	}
	return e
}

func (e edges) in(t testing.TB, s system.System) system.Graph {
	t.Helper()
	g, err := s.NewGraph(e.vertices, e.src, e.dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func random(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.Zeros(tensor.Float32, shape...)
	for i, data := 0, tensor.Data[float32](t); i < len(data); i++ {
		data[i] = float32(r.NormFloat64())
	}
	return t
}

// sumOf makes the simplest call on a new graph of a system.
func sumOf(s system.System, e edges, x *tensor.Tensor) (*tensor.Tensor, error) {
	g, err := s.NewGraph(e.vertices, e.src, e.dst)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	out := tensor.Zeros(tensor.Float32, x.Shape()...)
	return out, g.SpMMv(x, out, system.Flags{})
}

// works fails unless a system that is right computes what it should.
func works(t testing.TB, s system.System) {
	t.Helper()
	out, err := sumOf(s, pair, tensor.FromSlice([]float32{3, 4, 10, 20}, 2, 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(tensor.Data[float32](out)), "[0 0 16 28]"; got != want {
		t.Errorf("%s computes %s, want %s", s.Name(), got, want)
	}
}

// runs tells whether there is a process.
func runs(pid int) bool {
	fields := processFields(strconv.Itoa(pid))
	return fields != nil && fields[0] != "Z"
}

// processFields are the state of a process, its parent's id and so on, from
// /proc/PID/stat; nil if there is none.
func processFields(pid string) []string {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return nil
	}
	text := string(stat)
	return strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
}

// wantEnd fails unless a process ends.
func wantEnd(t testing.TB, pid int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); runs(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// wantKind fails unless an error is a library's of this kind, and returns it.
func wantKind(t testing.TB, err error, kind Kind) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("error %v, want %v", err, kind)
	}
	return e
}

// patient is for libraries that are right, on a machine that does other work.
var patient = Options{Timeout: time.Minute}
