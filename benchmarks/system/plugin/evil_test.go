//go:build linux && !android && (amd64 || arm64)

package plugin

// Libraries that do what they must not.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

func TestWhatALibraryDoesIsReportedAndTheNextOneRuns(t *testing.T) {
	right := mustOpen(t, example(t), patient)
	const call = "SpMMv(mul, sum)"
	for _, c := range []struct {
		library string
		call    string
		kind    Kind
		detail  []string
	}{
		{"null", call, Crashed, []string{"SIGSEGV", "null pointer"}},
		{"wild", call, Crashed, []string{"SIG"}}, // SIGILL or SIGTRAP
		{"abort", call, Crashed, []string{"SIGABRT", "n < 0"}},
		{"stack", call, Crashed, []string{"SIGSEGV", "the stack is full"}},
		{"thread", call, Crashed, []string{"segmentation fault"}},
		{"error", call, Failed, []string{"out of registers"}},
		{"mute", call, Failed, []string{"no text", "-7"}},
		{"overrun", call, OutOfBounds, []string{"right after out"}},
		{"underrun", call, OutOfBounds, []string{"4 bytes before out"}},
		{"far", call, OutOfBounds, []string{"100000 bytes past the end of out"}},
		{"input", call, WroteInput, []string{"byte 12 of x"}},
		{"overread", call, OutOfBounds, []string{"4092 bytes past the end of x"}},
		{"ids", createCall, WroteInput, []string{"byte 4 of dst"}},
		{"loop", call, TimedOut, []string{"2s"}},
		{"exit", call, Exited, []string{"exit status 0"}},
		{"kill", call, Crashed, []string{"killed"}},
		{"files", call, Exited, nil},
		{"messages", call, Crashed, []string{"cannot be talked with"}},
		{"symbols", openCall, MissingSymbol, []string{"asterias_sddmm_vv, asterias_sddmm_ve"}},
		{"version", openCall, BadVersion, []string{"42", "1"}},
		{"undefined", openCall, NotALibrary, []string{"nobody_has_this"}},
		{"load", openCall, Crashed, []string{"SIGABRT"}},
		{"nograph", createCall, Failed, []string{"no graph"}},
	} {
		t.Run(c.library, func(t *testing.T) {
			path := evil(t, c.library)
			s, err := Open(path, Options{Timeout: 2 * time.Second})
			if err == nil {
				defer s.Close()
				_, err = sumOf(s, pair, tensor.FromSlice([]float32{3, 4, 10, 20}, 2, 1, 2))
			}
			e := wantKind(t, err, c.kind)
			if e.Call != c.call || e.Library != path {
				t.Errorf("the error is of %s of %s, want %s of %s", e.Call, e.Library, c.call, path)
			}
			for _, want := range c.detail {
				if !strings.Contains(e.Detail, want) {
					t.Errorf("no %q in %q", want, e.Detail)
				}
			}
			if !strings.Contains(err.Error(), filepath.Base(path)) || !strings.Contains(err.Error(), c.kind.String()) {
				t.Errorf("the text does not name the library and what it did: %v", err)
			}
			works(t, right)
		})
	}
}

func TestWhatIsNoLibraryIsReported(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {InProcess: true}} {
		for _, path := range []string{text, "no/such/library.so", t.TempDir()} {
			_, err := Open(path, o)
			if e := wantKind(t, err, NotALibrary); !strings.Contains(e.Detail, filepath.Base(path)) {
				t.Errorf("the error does not name %s: %v", path, err)
			}
		}
	}
}

func TestOneElementBesideTheOutputIsSeenForAnySize(t *testing.T) {
	patient := patient
	patient.Restarts = 1000
	sizes := []int{1, 2, 1023, 1024, 1025, 5000}
	if testing.Short() {
		sizes = []int{2, 1024}
	}
	for library, want := range map[string]string{"overrun": "right after out", "underrun": "4 bytes before out"} {
		s := mustOpen(t, evil(t, library), patient)
		g := edges{1, nil, nil}.in(t, s)
		for _, size := range sizes {
			x, out := tensor.Zeros(tensor.Float32, 1, 1, size), tensor.Zeros(tensor.Float32, 1, 1, size)
			for range 2 { // the operands at the back of their slots, and at the front
				if e := wantKind(t, g.SpMMv(x, out, system.Flags{}), OutOfBounds); !strings.Contains(e.Detail, want) {
					t.Errorf("%s of %d numbers: %v", library, size, e)
				}
			}
		}
	}
}

func TestAnOutputOfNoElementsIsGuardedToo(t *testing.T) {
	for _, library := range []string{"overrun", "underrun"} {
		s := mustOpen(t, evil(t, library), patient)
		g := edges{0, nil, nil}.in(t, s)
		none := tensor.Zeros(tensor.Float32, 0, 2, 3)
		for range 2 {
			wantKind(t, g.SpMMv(none, none, system.Flags{}), OutOfBounds)
		}
	}
}

func TestAfterACrashGraphsAreThereAgain(t *testing.T) {
	s := mustOpen(t, evil(t, "negative"), patient)
	g, other := pair.in(t, s), edges{5, nil, nil}.in(t, s)
	for round := range 3 {
		for graph, vertices := range map[system.Graph]int{g: 2, other: 5} {
			x, out := tensor.Zeros(tensor.Float32, vertices, 1, 3), tensor.Zeros(tensor.Float32, vertices, 1, 3)
			if err := graph.SpMMv(x, out, system.Flags{}); err != nil {
				t.Fatal(err)
			}
			for _, v := range tensor.Data[float32](out) {
				if v != float32(vertices) {
					t.Fatalf("round %d: out is %v, want the number of vertices", round, out)
				}
			}
		}
		bad := tensor.FromSlice([]float32{-1, 0}, 2, 1, 1)
		wantKind(t, g.SpMMv(bad, tensor.Zeros(tensor.Float32, 2, 1, 1), system.Flags{}), Crashed)
	}
	if starts := s.Stats().Starts; starts != 3 {
		t.Errorf("%d starts, want 3", starts)
	}
	if err := errors.Join(g.Close(), other.Close()); err != nil { // their process is gone
		t.Error(err)
	}
}

func TestALibraryThatIsGoneAfterACrashIsReported(t *testing.T) {
	content, err := os.ReadFile(evil(t, "negative"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "negative.so")
	if err := os.WriteFile(path, content, 0o700); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, patient)
	g := pair.in(t, s)
	x, out := tensor.Full(tensor.Float32, -1, 2, 1, 1), tensor.Zeros(tensor.Float32, 2, 1, 1)
	wantKind(t, g.SpMMv(x, out, system.Flags{}), Crashed)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		wantKind(t, g.SpMMv(x, out, system.Flags{}), NotALibrary)
	}
	if err := os.WriteFile(path, content, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := g.SpMMv(out, out.Clone(), system.Flags{}); err != nil {
		t.Errorf("when it is there again: %v", err)
	}
}

func TestALibraryThatCrashesTooOftenIsGivenUp(t *testing.T) {
	for restarts, starts := range map[int]int{-1: 1, 2: 3} {
		s := mustOpen(t, evil(t, "null"), Options{Timeout: time.Minute, Restarts: restarts})
		g := pair.in(t, s)
		x, out := tensor.Zeros(tensor.Float32, 2, 1, 1), tensor.Zeros(tensor.Float32, 2, 1, 1)
		for range starts {
			wantKind(t, g.SpMMv(x, out, system.Flags{}), Crashed)
		}
		for range 2 {
			e := wantKind(t, g.SpMMv(x, out, system.Flags{}), GivenUp)
			if e.Cause == nil || e.Cause.Kind != Crashed || !strings.Contains(e.Error(), "SIGSEGV") {
				t.Errorf("the error does not tell the last crash: %v", e)
			}
		}
		if got := s.Stats().Starts; got != starts {
			t.Errorf("%d starts, want %d", got, starts)
		}
	}
}

func TestWhatALibraryPrintsDoesNotDisturb(t *testing.T) {
	s := mustOpen(t, evil(t, "prints"), patient)
	g := pair.in(t, s)
	out := tensor.Zeros(tensor.Float32, 2, 1, 2)
	for range 3 {
		if err := g.SpMMv(tensor.Zeros(tensor.Float32, 2, 1, 2), out, system.Flags{}); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(tensor.Data[float32](out)); got != "[7 7 7 7]" {
			t.Errorf("out is %s", got)
		}
	}
}

func TestALibraryCannotTakeMemoryAway(t *testing.T) {
	s := mustOpen(t, evil(t, "truncate"), patient)
	if out, err := sumOf(s, pair, tensor.Zeros(tensor.Float32, 2, 1, 1)); err != nil || tensor.Data[float32](out)[0] != 7 {
		t.Errorf("out is %v, error %v", out, err)
	}
}

func TestWhatALibraryStartsEndsWithIt(t *testing.T) {
	for end, x := range map[string]float32{"closed": 0, "ended by itself": 1} {
		t.Run(end, func(t *testing.T) {
			s, err := Open(evil(t, "child"), patient)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			g := pair.in(t, s)
			out := tensor.Zeros(tensor.Float32, 2, 1, 1)
			if err := g.SpMMv(tensor.Zeros(tensor.Float32, 2, 1, 1), out, system.Flags{}); err != nil {
				t.Fatal(err)
			}
			child := int(tensor.Data[float32](out)[0])
			if !runs(child) {
				t.Fatalf("there is no process %d", child)
			}
			if x == 0 {
				s.Close()
			} else {
				wantKind(t, g.SpMMv(tensor.Full(tensor.Float32, float64(x), 2, 1, 1), out, system.Flags{}), Exited)
			}
			wantEnd(t, child)
		})
	}
}

func TestACallThatALibraryLacksIsUnsupported(t *testing.T) {
	for _, o := range []Options{patient, {InProcess: true}} {
		s := mustOpen(t, evil(t, "null"), o)
		g := pair.in(t, s)
		x, w := tensor.Zeros(tensor.Float32, 2, 1, 1), tensor.Zeros(tensor.Float32, 3, 1, 1)
		err := g.SpMMve(x, w, tensor.Zeros(tensor.Float32, 2, 1, 1), system.Flags{})
		if !errors.Is(err, system.ErrUnsupported) || !strings.Contains(err.Error(), "no values of edges") {
			t.Errorf("error %v", err)
		}
		if crashed := error(&Error{Kind: Crashed}); errors.Is(crashed, system.ErrUnsupported) {
			t.Error("a crash counts as a call that is not supported")
		}
		wantKind(t, g.SpMMe(w, tensor.Zeros(tensor.Float32, 2, 1, 1), system.Flags{}), Unsupported)
	}
}

func TestErrorsOfALibraryInThisProcess(t *testing.T) {
	s := mustOpen(t, evil(t, "error"), Options{InProcess: true})
	_, err := sumOf(s, pair, tensor.Zeros(tensor.Float32, 2, 1, 1))
	wantKind(t, err, Failed)
	for library, kind := range map[string]Kind{"symbols": MissingSymbol, "version": BadVersion} {
		_, err := Open(evil(t, library), Options{InProcess: true})
		wantKind(t, err, kind)
	}
}
