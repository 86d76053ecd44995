package harness

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestCPUModelNamesTheFirstProcessor(t *testing.T) {
	text := "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: other\n"
	if got, want := cpuModel(text), "AMD EPYC (family 25, model 17)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := cpuModel(""); got != "unknown" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestBracketedIsTheChosenWord(t *testing.T) {
	for text, want := range map[string]string{"always [madvise] never\n": "madvise", "": "unknown", "[never": "unknown"} {
		if got := bracketed(text); got != want {
			t.Errorf("bracketed(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBusyTicksLeavesOutIdleAndWaiting(t *testing.T) {
	got, ok := busyTicks("cpu  1 2 4 1000 2000 8 16 32 64 128\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
	if want := int64(1 + 2 + 4 + 8 + 16 + 32); got != want || !ok {
		t.Errorf("got %d %v, want %d", got, ok, want)
	}
	for _, text := range []string{"", "intr 1 2 3 4 5 6 7 8 9\n", "cpu 1 2\n"} {
		if _, ok := busyTicks(text); ok {
			t.Errorf("%q was understood", text)
		}
	}
}

func TestProcessTicksSkipsTheCommandsName(t *testing.T) {
	if parent, got := processTicks("42 (a ) b) S 7 2 3 4 5 6 7 8 9 10 30 12 5 3 20"); parent != 7 || got != 50 {
		t.Errorf("parent %d, %d ticks, want 7, 50", parent, got)
	}
	if parent, got := processTicks(""); parent != 0 || got != 0 {
		t.Errorf("a process that is gone has parent %d, %d ticks", parent, got)
	}
}

func TestFamilyTicksCountWorkersOfPeersAndNobodyElse(t *testing.T) {
	proc := t.TempDir()
	for pid, of := range map[int]struct{ parent, ticks int }{
		1: {0, 1000}, 10: {1, 1}, 20: {10, 2}, 21: {10, 4}, 30: {20, 8}, 40: {1, 100}, 41: {40, 100},
	} {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		stat := fmt.Sprintf("%d (p) S %d 2 3 4 5 6 7 8 9 10 %d 0 0 0 20", pid, of.parent, of.ticks)
		if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(stat), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := familyTicks(proc, 10); got != 15 {
		t.Errorf("%d ticks, want 15", got)
	}
}

func TestLoadMeterKnowsTheTimeOfThisProcess(t *testing.T) {
	if _, err := os.Stat("/proc/stat"); err != nil {
		t.Skip("needs /proc")
	}
	m := NewLoadMeter()
	if !m.known || m.busy <= 0 {
		t.Fatalf("the kernel's counter is %d, known: %v", m.busy, m.known)
	}
	x := 1.0
	for end := time.Now().Add(20 * time.Second); familyTicks("/proc", os.Getpid()) == m.ours; x = math.Sqrt(x + 1) {
		if time.Now().After(end) {
			t.Fatalf("after 20 s of work it is still %d ticks", m.ours)
		}
	}
	if got := m.Cores(); got < 0 {
		t.Errorf("load is %v", got)
	}
}
