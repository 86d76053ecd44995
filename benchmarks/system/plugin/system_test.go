//go:build linux && !android && (amd64 || arm64)

package plugin

// A library that is right: the example.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// calls yields every call with all its flags on a graph, with random operands.
func calls(r *rand.Rand, e edges, heads, width int, f func(c system.Call)) {
	x, y := random(r, e.vertices, heads, width), random(r, e.vertices, heads, width)
	for kind := range system.NumKinds {
		for _, flags := range kind.Flags() {
			for _, wWidth := range []int{width, 1} {
				c := system.Call{Kind: kind, Flags: flags, X: x, Y: y, W: random(r, len(e.src), heads, wWidth)}
				switch kind {
				case system.SpMMv:
					c.Y, c.W = nil, nil
				case system.SpMMve:
					c.Y = nil
				case system.SpMMe:
					c.X, c.Y = nil, nil
				case system.SDDMMvv:
					c.W = nil
				case system.SDDMMve:
					c.Y = nil
					if flags.Op == system.OpCopy {
						c.W = nil
					}
				}
				c.Out = tensor.Full(tensor.Float32, math.NaN(), c.Shape(e.vertices, len(e.src))...)
				f(c)
			}
		}
	}
}

func TestTheExampleComputesWhatTheHeaderSays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	separate, here := mustOpen(t, example(t), patient), mustOpen(t, example(t), Options{InProcess: true})
	for _, e := range []edges{{0, nil, nil}, {3, nil, nil}, pair, randomEdges(r, 1, 5), randomEdges(r, 30, 60), randomEdges(r, 10, 100)} {
		inSeparate, inHere := e.in(t, separate), e.in(t, here)
		for _, size := range [][2]int{{1, 1}, {1, 7}, {3, 1}, {2, 33}} {
			calls(r, e, size[0], size[1], func(c system.Call) {
				if err := c.Check(e.vertices, len(e.src)); err != nil {
					t.Fatal(err)
				}
				other := c
				other.Out = c.Out.Clone()
				if err := errors.Join(c.On(inSeparate), other.On(inHere)); err != nil {
					t.Fatal(err)
				}
				got := tensor.Data[float32](c.Out)
				if want := reference(c, e); !near(want, got) {
					t.Fatalf("%s, %d vertices, %d edges: %v, want %v", label(c), e.vertices, len(e.src), got, want)
				}
				if !slices.Equal(got, tensor.Data[float32](other.Out)) {
					t.Fatalf("%s: other results in this process", label(c))
				}
			})
		}
		if err := errors.Join(inSeparate.Close(), inHere.Close()); err != nil {
			t.Error(err)
		}
	}
}

// near allows for rounding, of sums of tens of normally distributed terms and of
// quotients.
func near(want []float64, got []float32) bool {
	for i, w := range want {
		if d := math.Abs(w - float64(got[i])); !(d <= 1e-4*(1+math.Abs(w))) {
			return false
		}
	}
	return len(want) == len(got)
}

func TestNaNAndInfinityPassThroughTheExample(t *testing.T) {
	s := mustOpen(t, example(t), patient)
	g := pair.in(t, s)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, values := range [][]float32{{nan, 1}, {1, nan}, {inf, 1}, {1, inf}, {nan, inf}} {
		for reduce, want := range []float64{
			system.Sum: 2*float64(values[0]) + float64(values[1]),
			system.Max: math.Max(float64(values[0]), float64(values[1])),
			system.Min: math.Min(float64(values[0]), float64(values[1])),
		} {
			if values[0] != values[0] || values[1] != values[1] {
				want = math.NaN()
			}
			out := tensor.Zeros(tensor.Float32, 2, 1, 1)
			if err := g.SpMMv(tensor.FromSlice(values, 2, 1, 1), out, system.Flags{Reduce: system.Reduce(reduce)}); err != nil {
				t.Fatal(err)
			}
			if got := tensor.Data[float32](out)[1]; float64(got) != want && (got == got || want == want) {
				t.Errorf("%v of %v, the first twice, is %v, want %v", system.Reduce(reduce), values, got, want)
			}
		}
	}
}

func TestFlagsTheExampleDoesNotKnowAreUnsupported(t *testing.T) {
	s := mustOpen(t, example(t), patient)
	g := pair.in(t, s)
	x, out := tensor.Zeros(tensor.Float32, 2, 1, 1), tensor.Zeros(tensor.Float32, 2, 1, 1)
	for _, f := range []system.Flags{{Op: 99}, {Reduce: 99}, {Norm: 99}} {
		if err := g.SpMMv(x, out, f); !errors.Is(err, system.ErrUnsupported) || !strings.Contains(err.Error(), "99") {
			t.Errorf("%v: error %v", f, err)
		}
	}
}

func TestViewsAreOperandsToo(t *testing.T) {
	for _, o := range []Options{patient, {InProcess: true}} {
		s := mustOpen(t, example(t), o)
		g := pair.in(t, s)
		whole := tensor.Full(tensor.Float32, 1, 6, 1, 2)
		copy(tensor.Data[float32](whole)[4:], []float32{3, 4, 10, 20})
		x, out := whole.Narrow(0, 2, 4), whole.Narrow(0, 4, 6)
		if err := g.SpMMv(x, out, system.Flags{}); err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(tensor.Data[float32](whole)), "[1 1 1 1 3 4 10 20 0 0 16 28]"; got != want {
			t.Errorf("the tensor is %s, want %s", got, want)
		}
	}
}

func TestTheCallersEdgesAreNotKept(t *testing.T) {
	for _, o := range []Options{patient, {InProcess: true}} {
		s := mustOpen(t, example(t), o)
		src, dst := slices.Clone(pair.src), slices.Clone(pair.dst)
		g, err := s.NewGraph(pair.vertices, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		clear(src)
		clear(dst)
		out := tensor.Zeros(tensor.Float32, 2, 1, 1)
		if err := g.SpMMv(tensor.FromSlice([]float32{3, 10}, 2, 1, 1), out, system.Flags{}); err != nil {
			t.Fatal(err)
		}
		if got := tensor.Data[float32](out); got[0] != 0 || got[1] != 16 {
			t.Errorf("out is %v", got)
		}
	}
}

func TestTheExampleSaysWhatItHoldsAndTakes(t *testing.T) {
	for _, o := range []Options{patient, {InProcess: true}} {
		s := mustOpen(t, example(t), o)
		if s.Name() != "csr.c" || s.Device() != nil || s.Path() != example(t) {
			t.Errorf("name %q, device %v, path %q", s.Name(), s.Device(), s.Path())
		}
		g := randomEdges(rand.New(rand.NewPCG(1, 2)), 1000, 5000).in(t, s)
		before := g.Memory()
		// Offsets, ids and numbers of edges, degrees, twice.
		if least := int64(2 * (1001*8 + 5000*12 + 1000*8)); before.Graph < least || before.Graph > least+1000 || before.Workspace != 0 {
			t.Errorf("memory %+v, want %d bytes and a struct", before, least)
		}
		x, w, out := tensor.Zeros(tensor.Float32, 1000, 2, 8), tensor.Zeros(tensor.Float32, 5000, 2, 8), tensor.Zeros(tensor.Float32, 1000, 2, 8)
		if err := g.SpMMve(x, w, out, system.Flags{}); err != nil {
			t.Fatal(err)
		}
		if got, want := g.Memory(), (system.Memory{Graph: before.Graph, Workspace: 2 * 8 * 4}); got != want {
			t.Errorf("memory after a call is %+v, want %+v", got, want)
		}
		if got := s.Stats(); got.Calls != 1 || got.Time <= 0 {
			t.Errorf("stats %+v", got)
		}
	}
	if g := pair.in(t, mustOpen(t, evil(t, "prints"), patient)); g.Memory() != (system.Memory{}) {
		t.Errorf("a library that does not say what it holds has %+v", g.Memory())
	}
}

func TestClosedSystemsAndGraphsSaySo(t *testing.T) {
	for _, o := range []Options{patient, {InProcess: true}} {
		s := mustOpen(t, example(t), o)
		closed, left := pair.in(t, s), pair.in(t, s)
		x, out := tensor.Zeros(tensor.Float32, 2, 1, 1), tensor.Zeros(tensor.Float32, 2, 1, 1)
		for range 2 {
			if err := closed.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := closed.SpMMv(x, out, system.Flags{}); !errors.Is(err, errClosed) {
			t.Errorf("a call of a closed graph: %v", err)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := left.SpMMv(x, out, system.Flags{}); !errors.Is(err, errClosed) {
			t.Errorf("a call of a closed system: %v", err)
		}
		if err := left.Close(); err != nil {
			t.Error(err)
		}
		if _, err := s.NewGraph(1, nil, nil); !errors.Is(err, errClosed) {
			t.Errorf("a graph of a closed system: %v", err)
		}
	}
}

func TestOpenWithoutServeIsMisuse(t *testing.T) {
	served.Store(false)
	defer served.Store(true)
	defer func() {
		err, ok := recover().(interface {
			error
			Misuse()
		})
		if !ok || !strings.Contains(err.Error(), "Serve") {
			t.Errorf("panic %v", err)
		}
	}()
	Open(example(t), patient)
}

// held counts what this process has: files, mappings, children.
func held(t *testing.T) (files, mappings, children int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range processes {
		if fields := processFields(filepath.Base(path)); fields != nil && fields[1] == strconv.Itoa(os.Getpid()) {
			children++
		}
	}
	return len(list), strings.Count(string(maps), "memfd:"), children
}

func TestManyCallsLeaveNothingBehind(t *testing.T) {
	path, crashing := example(t), evil(t, "negative")
	files, mappings, children := held(t)
	s, err := Open(path, patient)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := Open(crashing, patient)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	var open [2]int
	for step := range 100 {
		e := randomEdges(r, 1+r.IntN(100), r.IntN(2000))
		g := e.in(t, s)
		for range 5 {
			x := random(r, e.vertices, 1+r.IntN(3), 1+r.IntN(40))
			if err := g.SpMMv(x, tensor.ZerosLike(x), system.Flags{Norm: system.NormBoth}); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		if step%25 == 0 {
			_, err := sumOf(bad, pair, tensor.FromSlice([]float32{-1, 0}, 2, 1, 1))
			wantKind(t, err, Crashed)
		}
		if now, _, _ := held(t); step == 1 {
			open[0] = now
		} else {
			open[1] = now
		}
	}
	if open[1] > open[0] {
		t.Errorf("%d open files became %d", open[0], open[1])
	}
	if calls := s.Stats().Calls; calls != 500 {
		t.Errorf("%d calls, want 500", calls)
	}
	if err := errors.Join(s.Close(), bad.Close()); err != nil {
		t.Fatal(err)
	}
	if f, m, c := held(t); f != files || m != mappings || c != children {
		t.Errorf("%d files, %d mappings, %d processes became %d, %d, %d", files, mappings, children, f, m, c)
	}
}

func TestSeveralSystemsAndGoroutinesDoNotDisturbEachOther(t *testing.T) {
	a, b := mustOpen(t, example(t), patient), mustOpen(t, example(t), patient)
	done := make(chan error)
	for k := range 4 {
		go func() {
			r := rand.New(rand.NewPCG(uint64(k), 9))
			done <- func() error {
				s := []*System{a, b}[k%2]
				for range 20 {
					e := randomEdges(r, 20, 50)
					x := random(r, 20, 1, 5)
					got, err := sumOf(s, e, x)
					if err != nil {
						return err
					}
					if want := reference(system.Call{Kind: system.SpMMv, X: x}, e); !near(want, tensor.Data[float32](got)) {
						return fmt.Errorf("goroutine %d: %v, want %v", k, got, want)
					}
				}
				return nil
			}()
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// hostVariable makes the tests' program one that opens the library it names and calls it.
const hostVariable = "ASTERIAS_TEST_HOST"

func host() {
	s, err := Open(os.Getenv(hostVariable), Options{Timeout: time.Hour})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.run.(*isolated).worker.cmd.Process.Pid)
	_, err = sumOf(s, pair, tensor.Zeros(tensor.Float32, 2, 1, 1))
	fmt.Println(err)
	os.Exit(1)
}

func TestALibraryDiesWithTheProgram(t *testing.T) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), hostVariable+"="+evil(t, "loop"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	if !runs(pid) {
		t.Fatal("there is no process")
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	wantEnd(t, pid)
}
