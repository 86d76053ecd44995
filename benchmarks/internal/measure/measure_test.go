package measure

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system/plugin"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

func TestMain(m *testing.M) {
	plugin.Serve()
	ServeMemory()
	if manner := os.Getenv(pretendPeer); manner != "" {
		bePeer(manner)
		return
	}
	os.Exit(m.Run())
}

// tiny is a plan of next to nothing.
func tiny() Plan {
	c := workflow.Default(workflow.GCN)
	c.Hidden = 4
	return Plan{
		Quick: true, Models: []workflow.Config{c}, Tasks: []TaskSpec{{Vertices: 50, Edges: 200, Features: 6, Classes: 3}},
		AccuracyTasks: []TaskSpec{{Vertices: 50, Edges: 200, Features: 6, Classes: 3}}, Seeds: 1, Epochs: 3,
		KernelGraphs: []TaskSpec{rmat(400, 1)}, KernelWidths: []int{8},
		ScaleEdges: []int{100, 200}, ScaleWidths: []int{4, 8}, StepEdges: []int{100, 200},
	}
}

func newBench(t *testing.T, o Options) *Bench {
	t.Helper()
	o.Timing = harness.Timing{Rounds: 1, Sample: time.Microsecond, Budget: time.Millisecond}
	o.Anyway, o.Threads, o.Log = true, 2, io.Discard
	if o.Plan.Models == nil {
		o.Plan = tiny()
	}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestARunMeasuresEverything(t *testing.T) {
	b := newBench(t, Options{Systems: []string{OursName, "compiled"}})
	saved := 0
	if err := b.Run(func(r *report.Results) error { saved++; return nil }); err != nil {
		t.Fatal(err)
	}
	if saved != 6 {
		t.Errorf("saved %d times", saved)
	}
	r := b.Results
	if len(r.Systems) != 2 || r.Systems[0].Wrong() || r.Systems[1].Wrong() || r.Systems[1].Cases == 0 {
		t.Errorf("systems %+v", r.Systems)
	}
	if len(r.Accuracy) != 2 || len(r.Accuracy[0].Test) != 1 {
		t.Errorf("accuracies %+v", r.Accuracy)
	}
	count := map[string]int{}
	for _, timing := range r.Timings {
		count[timing.Table+" "+timing.Variant]++
		if timing.Status != "" || len(timing.Seconds) == 0 || timing.Seconds[0] <= 0 {
			t.Errorf("%+v", timing)
		}
	}
	for what, want := range map[string]int{
		report.StepTable + " ":                      2,
		report.StepTable + " " + report.Shrunk:      2,
		report.StepTable + " " + report.NullDevice:  1,
		report.StepTable + " " + report.NullKernels: 1,
		report.KernelTable + " ":                    len(calls),
		report.EdgesTable + " ":                     2 * len(scaledCalls),
		report.WidthsTable + " ":                    2 * len(scaledCalls),
		report.StepEdgeTable + " ":                  2 * 2,
	} {
		if count[what] != want {
			t.Errorf("%s: %d timings, want %d", what, count[what], want)
		}
	}
	if err := r.Save(t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestMemoryIsSplitInAProcessOfItsOwn(t *testing.T) {
	p := tiny()
	p.Memory, p.Tasks, p.Models[0].Hidden = true, []TaskSpec{{Vertices: 20_000, Edges: 100_000, Features: 32, Classes: 4}}, 16
	b := newBench(t, Options{Plan: p})
	for _, name := range []string{OursName, "gatherscatter", "compiled"} {
		b.entrants = append(b.entrants, &entrant{name: name, about: entrantSpec{Name: name, Fused: name == OursName}})
	}
	if err := b.memory(); err != nil {
		t.Fatal(err)
	}
	if len(b.Results.Memory) != 3 {
		t.Fatalf("%+v", b.Results.Memory)
	}
	const (
		features = 20_000 * 32 * 4
		hidden   = 20_000 * 16 * 4
		edges    = 120_000 // with loops
	)
	for _, m := range b.Results.Memory {
		if m.Status != "" || m.Features != features || m.Graph < 4*2*edges || m.Activations < hidden || m.Activations > 10*hidden ||
			m.Peak != m.Live+m.Activations+m.Workspace || m.Live < m.Features+m.Graph+m.Parameters {
			t.Errorf("%+v", m)
		}
		if m.Resident >= 0 && (m.Resident < m.Peak/2 || m.Resident > 4*m.Peak+20<<20) {
			t.Errorf("resident are %d bytes, the parts are %d: %+v", m.Resident, m.Peak, m)
		}
	}
	// What gathers rows for every edge needs room for them.
	if ours, gathers := b.Results.Memory[0], b.Results.Memory[1]; gathers.Workspace < edges*16*4 || ours.Peak >= gathers.Peak {
		t.Errorf("ours %+v, gathered %+v", ours, gathers)
	}
}

func TestAMemoryProcessThatFailsSaysWhy(t *testing.T) {
	_, err := memoryOf(memoryRequest{Entrant: entrantSpec{Name: "nobody"}, Config: workflow.Default(workflow.GCN), Task: tiny().Tasks[0], Threads: 1})
	if err == nil || !strings.Contains(err.Error(), `no system "nobody"`) {
		t.Errorf("error %v", err)
	}
}

func TestALaneThatFailsIsARowAndTheOthersAreTimed(t *testing.T) {
	b := newBench(t, Options{})
	closed := 0
	named := func(name string, run func(int) (time.Duration, error)) *lane {
		return &lane{
			timing:    report.Timing{System: name},
			Contender: harness.Contender{Run: run}, close: func() error { closed++; return nil },
		}
	}
	fine := func(int) (time.Duration, error) { return time.Second, nil }
	missing := named("missing", nil)
	missing.fail(&harness.NotInstalled{Reason: "gone"})
	err := b.contest([]*lane{
		named("a", fine), missing,
		named("b", func(int) (time.Duration, error) { return 0, errors.New("out of memory") }), named("c", fine),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, timing := range b.Results.Timings {
		got = append(got, timing.System+":"+timing.Status)
		if (timing.Status == "") != (len(timing.Seconds) > 0) {
			t.Errorf("%+v", timing)
		}
	}
	if want := "a: missing:not installed b:error: out of memory c:"; strings.Join(got, " ") != want || closed != 4 {
		t.Errorf("rows %v, %d closed; want %s", got, closed, want)
	}
}

func TestLanesAreClosedHoweverAContestEnds(t *testing.T) {
	b := newBench(t, Options{})
	closed := 0
	lanes := make([]*lane, 2)
	for i := range lanes {
		lanes[i] = &lane{close: func() error { closed++; return nil }}
		lanes[i].Run = func(int) (time.Duration, error) { panic("BUG") }
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		b.contest(lanes)
	}()
	if closed != len(lanes) {
		t.Errorf("%d lanes are closed, want %d", closed, len(lanes))
	}
}

func TestSystemsThatAreNotThereAreListed(t *testing.T) {
	b := newBench(t, Options{
		Systems: []string{"ghost"}, Plugins: []string{"/no/such/library.so"},
		Peers: []PeerSpec{{Name: "ghost", Peer: harness.Peer{Command: []string{"/no/such/peer"}}}},
	})
	if err := b.Enter(); err != nil {
		t.Fatal(err)
	}
	if len(b.entrants) != 0 || len(b.Results.Systems) != 2 {
		t.Fatalf("systems %+v", b.Results.Systems)
	}
	for _, s := range b.Results.Systems {
		if s.Missing == "" {
			t.Errorf("%+v", s)
		}
	}
}

func TestAnUnknownNameIsAnError(t *testing.T) {
	b := newBench(t, Options{Systems: []string{"nobody"}})
	if err := b.Enter(); err == nil || !strings.Contains(err.Error(), `no system or peer "nobody"`) {
		t.Errorf("error %v", err)
	}
}

func TestCallsHaveTheFlagsTheyHave(t *testing.T) {
	var names []string
	for _, c := range calls {
		names = append(names, c.String())
		made := c.on(5, 7, 8, nil)
		if err := made.Check(5, 7); err != nil {
			t.Error(err)
		}
	}
	want := "SpMMv(sum); SpMMv(sum, both); SpMMv(sum, both, transposed); SpMMve(mul, sum); SpMMve(mul, sum, transposed); SpMMe(max); SDDMMvv(dot); SDDMMve(mul)"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("calls are %s, want %s", got, want)
	}
}

func TestPlansAreWithinTheirTasks(t *testing.T) {
	for _, p := range []Plan{Full(LikeCora), Quick(LikeCora), Full(Cora)} {
		for _, w := range append(p.KernelWidths, p.ScaleWidths...) {
			if w%headsOf != 0 {
				t.Errorf("width %d is no multiple of %d heads", w, headsOf)
			}
		}
		for _, c := range p.Models {
			if err := c.Check(); err != nil {
				t.Error(err)
			}
		}
		if len(p.Models) != len(workflow.Kinds) || len(p.Tasks) == 0 {
			t.Errorf("%+v", p)
		}
	}
	if len(Full(Cora).Tasks) != 2 || len(Quick(Cora).Tasks) != 1 || filepath.Base(Cora.Dataset) != "cora" {
		t.Error("a quick plan shortens the full one")
	}
}
