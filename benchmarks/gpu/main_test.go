package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/cudagen/emu"
)

var python = flag.String("python", "python3", "Python interpreter for the test that needs PyTorch")

func TestParseRejectsWhatMakesNoSense(t *testing.T) {
	for args, want := range map[string]string{
		"-device tpu":     `no "tpu"`,
		"-graphs reddit":  `no "reddit"`,
		"-filter (":       "-filter",
		"-rounds 0":       "must be positive",
		"-sample 0s":      "must be positive",
		"gat":             `unexpected argument "gat"`,
		"-no-such-flag 1": "no-such-flag",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

func TestParseSuitsTheDevice(t *testing.T) {
	for args, want := range map[string]string{
		"":                                   "cora-sized rmat200k layers rmat1m cuda",
		"-device emulated":                   "tiny tiny-layers cpu",
		"-graphs tiny -peer-device cpu":      "tiny cpu",
		"-device emulated -peer-device cuda": "tiny tiny-layers cuda",
	} {
		o, err := parse(strings.Fields(args))
		if got := strings.Join(append(o.graphs, o.peerDevice), " "); err != nil || got != want {
			t.Errorf("%q: %s, error %v; want %s", args, got, err, want)
		}
	}
}

// needsEmulator skips the test where nothing can be emulated.
func needsEmulator(t *testing.T) {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// onEmulator runs the command and returns the header and the last line of each case.
func onEmulator(t *testing.T, args ...string) (header, map[string]*result, string) {
	t.Helper()
	needsEmulator(t)
	folder := t.TempDir()
	var out bytes.Buffer
	if err := run(append([]string{"-device", "emulated", "-out", folder}, args...), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	text, err := os.ReadFile(filepath.Join(folder, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var h header
	if err := json.Unmarshal([]byte(lines[0]), &h); err != nil {
		t.Fatal(err)
	}
	results := make(map[string]*result)
	for _, line := range lines[1:] {
		r := new(result)
		if err := json.Unmarshal([]byte(line), r); err != nil {
			t.Fatal(err)
		}
		results[r.Case+" "+string(r.Pass)] = r
	}
	page, err := os.ReadFile(filepath.Join(folder, "results.md"))
	if err != nil || string(page) != out.String() {
		t.Errorf("the page's file is not what was printed: %v\n%s", err, page)
	}
	return h, results, out.String()
}

func TestEveryCaseRunsOnAnEmulatedGPU(t *testing.T) {
	args := []string{"-python", "", "-tune=false"}
	if testing.Short() {
		args = append(args, "-filter", "gcn")
	}
	h, results, page := onEmulator(t, args...)
	if !h.Emulated || h.Copy <= 0 || !strings.Contains(page, "say nothing about any GPU") {
		t.Errorf("header %+v, page\n%s", h, page)
	}
	checkEntries(t, results, func(k *task) bool { return !testing.Short() || k.name == "gcn" }, ours)
}

// TestTunedKernelsAreTimedBesideTheOthers runs one case: the tuner compiles many kernels.
func TestTunedKernelsAreTimedBesideTheOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles kernels")
	}
	_, results, _ := onEmulator(t, "-python", "", "-filter", "gcn kernel")
	checkEntries(t, results, func(k *task) bool { return k.name == "gcn" && k.pass == kernel }, ours, oursTuned)
}

// checkEntries checks that the cases that were asked for have results, of these systems.
func checkEntries(t *testing.T, results map[string]*result, asked func(*task) bool, systems ...string) {
	t.Helper()
	for _, k := range tasks(&problem{name: "tiny"}) {
		r := results[k.name+" "+string(k.pass)]
		if r == nil {
			if asked(k) {
				t.Errorf("no result of %s", k.title())
			}
			continue
		}
		want := slices.Clone(systems)
		if k.pass == epoch {
			want = append(want, oursGraph)
			if r.Entries[0].Peak <= 0 {
				t.Errorf("%s: %d bytes at most", k.title(), r.Entries[0].Peak)
			}
		}
		for i, e := range r.Entries {
			if i >= len(want) || e.System != want[i] || e.Status != "" || e.Median <= 0 {
				t.Errorf("%s: entry %d is %+v, want %v", k.title(), i, e, want)
			}
		}
		if len(r.Entries) != len(want) {
			t.Errorf("%s: %d entries, want %v", k.title(), len(r.Entries), want)
		}
		if (r.Share > 0) != (k.pass == kernel) {
			t.Errorf("%s: share %v of a bound", k.title(), r.Share)
		}
	}
}

// TestPeersComputeWhatOursDoes runs every form of the peer on the CPU, beside an emulated
// device: each is compared with ours before it is timed.
func TestPeersComputeWhatOursDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PyTorch")
	}
	needsEmulator(t)
	p := newPeer(*python, "cpu", 1)
	defer p.close()
	var missing *harness.NotInstalled
	if err := p.running(); errors.As(err, &missing) {
		t.Skip(err)
	}
	_, results, _ := onEmulator(t, "-python", *python, "-tune=false")
	forms := 0
	for name, r := range results {
		for _, e := range r.Entries {
			switch {
			case strings.HasSuffix(e.Status, "is not installed"), strings.HasSuffix(e.Status, "CUDA graphs need a GPU"):
				t.Logf("%s, %s: %s", name, e.System, e.Status)
			case e.Status != "" || e.Median <= 0:
				t.Errorf("%s, %s: %+v", name, e.System, e)
			default:
				forms++
			}
		}
	}
	if forms < 2*len(results) {
		t.Errorf("%d forms of %d cases were timed", forms, len(results))
	}
}

func TestAMissingPeerIsACell(t *testing.T) {
	_, results, page := onEmulator(t, "-python", "no-such-python", "-filter", "sum", "-tune=false")
	r := results["sum kernel"]
	if r == nil || len(r.Entries) != 2 || r.Entries[1].Status != "not installed" || r.of("csr") != nil {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(page, "no-such-python") {
		t.Errorf("the page does not say why:\n%s", page)
	}
}

func TestNoCaseBeginsWhenTheTimeIsOver(t *testing.T) {
	_, results, page := onEmulator(t, "-python", "", "-limit", "0s")
	if len(results) != 0 || !strings.Contains(page, "gat epoch/tiny: the time was over") {
		t.Errorf("%d results, page\n%s", len(results), page)
	}
}
