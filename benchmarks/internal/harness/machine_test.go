package harness

import (
	"os"
	"testing"
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
	if got := processTicks("42 (a ) b) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20"); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	if got := processTicks(""); got != 0 {
		t.Errorf("of a process that is gone: %d", got)
	}
}

func TestLoadMeterDoesNotCountThisProcess(t *testing.T) {
	if _, err := os.Stat("/proc/stat"); err != nil {
		t.Skip("needs /proc")
	}
	m := NewLoadMeter(func() []int { return nil })
	if m.ours <= 0 && m.busy <= 0 {
		t.Errorf("the kernel's counters are %d and %d", m.busy, m.ours)
	}
	if got := m.Cores(); got < 0 {
		t.Errorf("load is %v", got)
	}
}
