package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

var python = flag.String("python", "python3", "Python interpreter for the tests that need PyTorch")

func TestParseRejectsWhatMakesNoSense(t *testing.T) {
	for args, want := range map[string]string{
		"-peers matlab":     `no peer "matlab"`,
		"-threads 0":        `"0" is no number`,
		"-threads 1,,2":     `"" is no number`,
		"-filter (":         "-filter",
		"-rounds 0":         "must be positive",
		"-sample 0s":        "must be positive",
		"gemm":              `unexpected argument "gemm"`,
		"-unknown-flag yes": "unknown-flag",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

func TestParseTakesListsApart(t *testing.T) {
	o, err := parse([]string{"-peers", "gonum,torch", "-threads", "1,4", "-filter", "^gemm/"})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(o.peers, " ") != "gonum torch" || len(o.threads) != 2 || o.threads[1] != 4 || !o.filter.MatchString("gemm/x") {
		t.Errorf("got %+v", o)
	}
	if o, err := parse([]string{"-peers", ""}); err != nil || len(o.peers) != 0 {
		t.Errorf("no peers: got %v, error %v", o.peers, err)
	}
}

func TestRunWritesTheSelectedCasesAsTextAndJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	var out bytes.Buffer
	err := run([]string{"-peers", "", "-threads", "1", "-filter", "tape/add", "-rounds", "1", "-sample", "1us", "-settle", "0", "-json", file}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "add of two [4]") || strings.Contains(text, "matmul") || strings.Contains(text, "gemm") {
		t.Errorf("-filter tape/add gave\n%s", text)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Machine.Go != runtime.Version() || len(r.Sections) != len(sections) {
		t.Errorf("the file has %+v", r)
	}
}

// tiny is a bench that measures next to nothing.
func tiny(t *testing.T, peers ...string) *bench {
	o, err := parse([]string{"-peers", strings.Join(peers, ","), "-threads", "1,2", "-rounds", "1", "-sample", "1us", "-settle", "0", "-python", *python})
	if err != nil {
		t.Fatal(err)
	}
	o.Budget = time.Millisecond
	b := newBench(o)
	t.Cleanup(b.close)
	return b
}

// tinySections are the sections at sizes that take no time.
var tinySections = map[string]func(b *bench) error{
	"gemm": func(b *bench) error { return gemmSection(b, []gemmShape{{40, 9, 5, 1}}) },
	"mlp": func(b *bench) error {
		return mlpSection(b, netSize{rows: 30, in: 20, hidden: 4, classes: 3, train: 10})
	},
	"elementwise": func(b *bench) error { return elementwiseSection(b, 64) },
	"ops":         func(b *bench) error { return opsSection(b, 64) },
	"float64":     func(b *bench) error { return doubleSection(b, 128) },
	"modules":     func(b *bench) error { return modulesSection(b, 64) },
	"tape":        func(b *bench) error { return tapeSection(b, 3) },
	"memory": func(b *bench) error {
		return memorySection(b, netSize{rows: 30, in: 20, hidden: 4, classes: 3, train: 10})
	},
	"optim": func(b *bench) error { return optimSection(b, 128) },
}

func runTiny(t *testing.T, b *bench, name string) *section {
	if err := b.runSection(name, tinySections[name]); err != nil {
		t.Fatal(err)
	}
	return b.section
}

func TestEverySectionRunsWithoutPeers(t *testing.T) {
	for _, s := range sections {
		t.Run(s.name, func(t *testing.T) {
			got := runTiny(t, tiny(t), s.name)
			if len(got.Comparisons)+len(got.Bounds) == 0 {
				t.Error("no results")
			}
			threads := map[int]bool{}
			for _, c := range got.Comparisons {
				threads[c.Threads] = true
				if c.Ours <= 0 || c.Peer != "" || c.Status != "" {
					t.Errorf("%+v", c)
				}
			}
			for _, c := range got.Bounds {
				threads[c.Threads] = true
			}
			if len(threads) != 2 {
				t.Errorf("ran with threads %v, want 1 and 2", threads)
			}
		})
	}
}

func TestPeersInThisProcessComputeTheSame(t *testing.T) {
	for name, peers := range map[string]int{"gemm": 1, "mlp": 1, "optim": 1} {
		got := runTiny(t, tiny(t, peerGonum, peerGorgonia), name)
		if len(got.Comparisons) < peers {
			t.Errorf("%s: no comparisons", name)
		}
		for _, c := range got.Comparisons {
			if c.Status != "" || c.Rounds <= 0 || c.Medians <= 0 {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

func TestTorchComputesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PyTorch four times")
	}
	b := tiny(t, peerTorch, peerTorchTuned)
	var missing *harness.NotInstalled
	if _, err := b.torch(torchKind{1, false}); errors.As(err, &missing) {
		t.Skip(err)
	}
	for _, name := range []string{"mlp", "elementwise", "tape", "optim"} {
		for _, c := range runTiny(t, b, name).Comparisons {
			if c.Status != "" && !strings.Contains(c.Peer, "fused") { // newer than some PyTorch
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

func TestAMissingPeerIsARow(t *testing.T) {
	o, err := parse([]string{"-peers", "torch", "-threads", "1", "-rounds", "1", "-sample", "1us", "-settle", "0", "-python", "no-such-python"})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(o)
	if v := b.report.Peers[peerTorch]; !strings.Contains(v, "not installed: ") || !strings.Contains(v, "no-such-python") {
		t.Errorf("the header says %q", v)
	}
	for _, c := range runTiny(t, b, "mlp").Comparisons {
		if c.Status != "not installed" || c.Peer != peerTorch {
			t.Errorf("%+v", c)
		}
	}
}

func TestAnInterpreterThatEndsAtOnceIsAMissingPeer(t *testing.T) {
	if _, err := exec.LookPath("true"); err != nil {
		t.Skip(err)
	}
	var missing *harness.NotInstalled
	if _, err := startTorch("true", 1, false); !errors.As(err, &missing) {
		t.Errorf("error is %v", err)
	}
}

func TestAPeerThatFailsIsARow(t *testing.T) {
	b := tiny(t, peerGonum)
	b.section, b.threads = &section{Name: "x"}, 1
	fine := harness.InProcess(func() {}, func() []float32 { return []float32{1} })
	failing := harness.Contender{Output: fine.Output, Run: func(int) (time.Duration, error) { return 0, errors.New("out of memory") }}
	err := b.compare(match{name: "x", ours: func() (harness.Contender, error) { return fine, nil },
		rivals: []rival{{peer: peerGonum, enter: func() (harness.Contender, error) { return failing, nil }}}})
	if err != nil || b.section.Comparisons[0].Status != "error: out of memory" {
		t.Errorf("error %v, rows %+v", err, b.section.Comparisons)
	}
}

func TestDifferentWorkIsAnError(t *testing.T) {
	b := tiny(t, peerGonum)
	b.section, b.threads = &section{Name: "x"}, 1
	constant := func(v float32) entry {
		return func() (harness.Contender, error) {
			return harness.InProcess(func() {}, func() []float32 { return []float32{v} }), nil
		}
	}
	err := b.compare(match{name: "losses", tolerance: 1e-4, ours: constant(1), rivals: []rival{{peer: peerGonum, enter: constant(1.001)}}})
	if err != nil {
		t.Fatal(err)
	}
	if row := b.section.Comparisons[0]; !strings.HasPrefix(row.Status, "error: not the same work") || row.Ours != 0 {
		t.Errorf("%+v", row)
	}
}
