package harness

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// children is how many processes this one has started and not waited for.
func children(t *testing.T) (n int) {
	t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	if len(stats) == 0 {
		t.Skip("needs /proc")
	}
	for _, path := range stats {
		if parent, _ := processTicks(readFile(path)); parent == os.Getpid() {
			n++
		}
	}
	return n
}

// startPython starts the test binary of a manner in the place of an interpreter.
func startPython(t *testing.T, manner string) (*Process, error) {
	t.Setenv(pretendPeer, manner)
	return Python{Interpreter: os.Args[0], Threads: 2}.Start()
}

func TestAClosedPythonPeerHasEnded(t *testing.T) {
	before := children(t)
	p, err := startPython(t, "fine")
	if err != nil {
		t.Fatal(err)
	}
	if n := children(t); n != before+1 {
		t.Fatalf("%d processes, there were %d", n, before)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := children(t); n != before {
		t.Errorf("%d processes are left, there were %d", n, before)
	}
}

func TestAPythonPeerThatCannotBeUsedHasEnded(t *testing.T) {
	before := children(t)
	for _, manner := range []string{"missing", "dead", "threads"} {
		if _, err := startPython(t, manner); err == nil {
			t.Errorf("%s: no error", manner)
		}
		if n := children(t); n != before {
			t.Errorf("%s: %d processes are left, there were %d", manner, n, before)
		}
	}
}

func TestAProcessThatDoesNotLeaveIsEnded(t *testing.T) {
	p, err := startPython(t, "stubborn")
	if err != nil {
		t.Fatal(err)
	}
	var end *exec.ExitError
	if err := p.end(time.Millisecond); !errors.As(err, &end) || end.Exited() {
		t.Errorf("it left by itself: %v", err)
	}
}
