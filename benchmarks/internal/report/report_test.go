package report

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

var update = flag.Bool("update", false, "write the golden page anew")

// sample is a run with a bit of everything.
func sample() *Results {
	timing := func(table, what, task, system, variant string, edges, width int, seconds ...float64) Timing {
		return Timing{Table: table, Case: what, Task: task, Vertices: edges / 10, Edges: edges, Heads: 1, Width: width, System: system, Variant: variant, Seconds: seconds}
	}
	r := &Results{
		Date: "2026-01-02", Commit: "abc", Command: "go run ./benchmarks", Threads: 2, Timing: "5 rounds",
		Machine: harness.Machine{CPU: "a processor", Cores: 2, OS: "linux/amd64", Go: "go1.26", Kernels: "avx2", HugePages: "madvise"},
		Notes:   []string{"something to know"},
		Systems: []System{
			{Name: "asterias", Kind: Ours, About: "fused"},
			{Name: "naive", Kind: SystemAPI, About: "loops", Cases: 1234},
			{Name: "odd", Kind: SystemAPI, About: "a plug-in", Cases: 99, Findings: []check.Finding{
				{Pitfall: check.OddWidth, Call: "SpMMv", Cases: 3, Of: 9, Detail: "width 3: got 1, want 2"},
			}},
			{Name: "torch", Kind: Peer, About: "2.9 | CSR"},
			{Name: "dgl", Kind: Peer, Missing: "no module named dgl"},
		},
		Planted: []Planted{
			{Name: "bias", Want: check.MissingBias, Caught: true, Found: []check.Finding{{Pitfall: check.MissingBias, Call: "0.bias"}}},
			{Name: "hidden", Want: check.OddWidth},
		},
		Accuracy: []Accuracy{
			{System: "asterias", Model: "gcn", Task: "cora", Test: []float64{0.8, 0.82}},
			{System: "torch", Model: "gcn", Task: "cora", Status: "error: out of memory"},
			{System: "naive", Model: "gcn", Task: "cora", Test: []float64{0.81, 0.83}},
		},
		Timings: []Timing{
			timing(StepTable, "gcn", "cora", "asterias", Real, 13264, 32, .001, .0012, .0009, .0011, .001),
			timing(StepTable, "gcn", "shrunk", "asterias", Shrunk, 4, 1, 2e-5, 3e-5, 2e-5),
			timing(StepTable, "gcn", "cora", "asterias", NullDevice, 13264, 32, 3e-5),
			timing(StepTable, "gcn", "cora", "torch", Real, 13264, 32, .002),
			timing(StepTable, "gcn", "cora", "naive", Real, 13264, 32, .006),
			timing(StepTable, "gcn", "shrunk", "naive", Shrunk, 4, 1, 1e-5),
			timing(StepTable, "gcn", "cora", "null", NullKernels, 13264, 32, .0005),
			timing(StepTable, "gcn", "shrunk", "torch", Shrunk, 4, 1, .001),
			timing(KernelTable, "SpMMv(sum)", "cora", "naive", Real, 13264, 32, .003),
			timing(KernelTable, "SpMMv(sum)", ShrunkTask, "naive", Real, 2, 32, .001),
			timing(EdgesTable, "SpMMv(sum)", "rmat", "naive", Real, 10_000, 32, .003),
			timing(EdgesTable, "SpMMv(sum)", "rmat", "naive", Real, 100_000, 32, .03),
			timing(WidthsTable, "SpMMv(sum)", "rmat", "naive", Real, 100_000, 8, .01),
			timing(StepEdgeTable, "gcn", "rmat", "asterias", Real, 10_000, 32, .004),
		},
		Memory: []Memory{
			{System: "asterias", Model: "gcn", Task: "cora", Graph: 1e6, Features: 2e6, Parameters: 3e6, Activations: 4e6, Workspace: 5e6, Live: 6e6, Peak: 15e6, Resident: 20e6, StepGrowth: 9e6},
			{System: "torch", Model: "gcn", Task: "cora", Graph: -1, Features: -1, Parameters: -1, Activations: -1, Workspace: -1, Live: -1, Peak: -1, Resident: 200e6, StepGrowth: 90e6},
			{System: "naive", Model: "gcn", Task: "cora", Status: "error: killed"},
		},
	}
	r.Timings[8].Disturbed = true
	r.Timings = append(r.Timings, Timing{Table: KernelTable, Case: "SpMMv(sum)", Task: "cora", Vertices: 1326, Edges: 13264, Heads: 1, Width: 32, System: "csr", Status: "error: not supported"})
	return r
}

// folder has the sample, and what other commands wrote.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := sample().Save(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"accuracy/gcn.json": "gcn: noise\n" + `{"dataset":"cora","model":"gcn","seeds":10,"test_acc_mean":0.8151,"test_acc_std":0.005,"epoch_ms_median":0.714,"peak_rss_mb":282.4}` + "\n",
		"kernels.md":        "# Kernels\n\n```\n# not a heading\n```\n",
		"dense.txt":         "gemm  1.0\n",
		"sampling.json":     "{}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestThePageIsMadeFromTheFilesAlone(t *testing.T) {
	dir := folder(t)
	if err := Render(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "page.md")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the page differs from %s:\n%s", golden, got)
	}
	// Made again, the page is not part of itself.
	if err := Render(dir); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, "README.md")); string(again) != string(got) {
		t.Error("made again, the page is another one")
	}
}

func TestPicturesAreXMLWithTheirLabels(t *testing.T) {
	dir := folder(t)
	if err := Render(dir); err != nil {
		t.Fatal(err)
	}
	for file, labels := range map[string][]string{
		"scaling-with-edges-spmmv-sum.svg":  {"naive", "edges", "10k", "100k", "seconds"},
		"scaling-with-widths-spmmv-sum.svg": {"naive", "features"}, // of a single point
		"steps-by-edges-gcn.svg":            {"asterias"},
		"overhead-gcn.svg":                  {"asterias", "torch", "shrunk to two vertices"},
		"memory-gcn.svg":                    {"asterias", "activations", "MB"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, label := range labels {
			if !strings.Contains(string(text), ">"+label+"<") {
				t.Errorf("%s has no label %q", file, label)
			}
		}
		for d := xml.NewDecoder(strings.NewReader(string(text))); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
}

func TestAnEmptyRunHasAPage(t *testing.T) {
	dir := t.TempDir()
	if err := new(Results).Save(dir); err != nil {
		t.Fatal(err)
	}
	if err := Render(dir); err != nil {
		t.Error(err)
	}
}

func TestFilesThatAreWrongAreErrors(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing there": {},
		"not JSON":      {jsonName: "{"},
		"no report":     {jsonName: "{}", "accuracy/x.json": `{"seeds": 1}`},
		"half a line":   {jsonName: "{}", "accuracy/x.json": `{"model": "gcn"`},
	} {
		dir := t.TempDir()
		for file, text := range files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := Render(dir); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestResultsSurviveTheirFile(t *testing.T) {
	dir := t.TempDir()
	want := sample()
	if err := want.Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.page(nil, &imports{})) != string(want.page(nil, &imports{})) {
		t.Error("the page of what was read is another one")
	}
}

func TestOverheadIsTheLongerOfTheShrunkStepAndTheNullDevice(t *testing.T) {
	r := sample()
	list := r.Overheads()
	if len(list) != 3 || list[0].System != "asterias" || list[1].System != "torch" || list[2].NullKernels != .0005 || list[1].NullKernels == .0005 {
		t.Fatalf("overheads %+v", list)
	}
	if got := list[0].Share(); got < 0.0299 || got > 0.0301 || list[0].NullDevice != 3e-5 {
		t.Errorf("our share is %v, on the null device %v", got, list[0].NullDevice)
	}
	if got := list[1].Share(); got != 0.5 {
		t.Errorf("the peer's share is %v", got)
	}
	warned := strings.Join(r.Warnings(), "\n")
	if !strings.Contains(warned, "too small to compare calls: 1 of 1 of naive on cora") {
		t.Errorf("warnings:\n%s", warned)
	}
	if !strings.Contains(warned, "too small to compare kernels: overhead is 50 % of torch's step") || strings.Contains(warned, "asterias's") {
		t.Errorf("warnings:\n%s", warned)
	}
}

func TestVerdictsJudgeTheTargets(t *testing.T) {
	for _, c := range []struct {
		shrunk float64
		met    [2]bool
	}{{2e-5, [2]bool{true, true}}, {2e-4, [2]bool{false, true}}, {2e-3, [2]bool{false, false}}} {
		r := sample()
		r.Timings[1].Seconds = []float64{c.shrunk}
		list := r.Verdicts()
		if len(list) != 4 || list[0].Met != c.met[0] || list[1].Met != c.met[1] || !list[2].Met || list[2].Value != "1 of 1" || list[3].Met || list[3].Value != "1 of 2" {
			t.Errorf("shrunk step of %v: %+v", c.shrunk, list)
		}
	}
	r := sample()
	r.Timings, r.Planted, r.Accuracy = r.Timings[3:], nil, nil
	if list := r.Verdicts(); len(list) != 0 {
		t.Errorf("targets are judged without our numbers: %+v", list)
	}
}

func TestAccuraciesAreComparedWithOurs(t *testing.T) {
	r := sample()
	r.Accuracy[2].Test = []float64{0.3, 0.31}
	if v := r.accuracyVerdicts()[0]; v.Met || v.Value != "0 of 1, not naive" {
		t.Errorf("%+v", v)
	}
}

func TestQuartilesAreThoseOfTheHalves(t *testing.T) {
	for _, c := range []struct {
		xs        []float64
		low, high float64
	}{
		{[]float64{3}, 3, 3},
		{[]float64{2, 1}, 1, 2},
		{[]float64{5, 1, 4, 2, 3}, 2, 4},
	} {
		if low, high := (Timing{Seconds: c.xs}).Quartiles(); low != c.low || high != c.high {
			t.Errorf("quartiles of %v are %v and %v, want %v and %v", c.xs, low, high, c.low, c.high)
		}
	}
}

func TestTicksCanBeRead(t *testing.T) {
	for x, want := range map[float64]string{20_000: "20k", 1e6: "1M", 5e-4: "500µ", 1e-3: "1m", 2: "2", 1e-12: "1e-12"} {
		if got := short(x); got != want {
			t.Errorf("short(%v) = %q, want %q", x, got, want)
		}
	}
	labels := ""
	for _, tick := range (readable{}).Ticks(10_000, 100_000) {
		labels += tick.Label + " "
	}
	if labels != "10k 20k 50k 100k " {
		t.Errorf("ticks are %s", labels)
	}
}
