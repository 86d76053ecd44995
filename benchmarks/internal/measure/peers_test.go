package measure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// pretendPeer makes the test binary a peer of the given manner.
const pretendPeer = "ASTERIAS_TEST_PEER"

// bePeer answers as the protocol has it. It has the losses of the test's task unless its
// manner is "other"; one that is "unteachable" does not train.
func bePeer(manner string) {
	open := map[string]bool{}
	fmt.Println(`{"name": "pretend", "version": "1", "backend": "none", "threads": 2}`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var r struct{ Do, Slot, Task string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			panic(err)
		}
		switch r.Do {
		case "open":
			open[r.Slot] = true
			fmt.Println("{}")
		case "close":
			delete(open, r.Slot)
			fmt.Println("{}")
		case "count":
			fmt.Printf("{\"live\": %d}\n", len(open))
		case "losses":
			if manner == "other" {
				fmt.Println(`{"losses": [1, 2, 3, 4, 5]}`)
			} else {
				fmt.Println(os.Getenv("LOSSES_OF_" + r.Slot))
			}
		case "run":
			fmt.Println(`{"seconds": 0.001}`)
		case "train":
			if manner == "unteachable" {
				fmt.Println(`{"error": "it does not train"}`)
				continue
			}
			fmt.Println(`{"test": 0.5, "val": 0.4, "loss": 1}`)
		case "memory":
			fmt.Println(`{"peak": 2000000, "live": 1000000}`)
		case "die":
			os.Exit(1)
		default:
			fmt.Println("{}")
		}
	}
}

// honestLosses are ours of a task, as the peer's answer for a slot.
func honestLosses(t *testing.T, slot string, c workflow.Config, task *workflow.Task) string {
	t.Helper()
	c.Dropout = 0
	m, err := workflow.New(c, task, workflow.Fused())
	if err != nil {
		t.Fatal(err)
	}
	losses, err := workflow.NewTrainer(m, task).Losses(comparedLosses)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"losses": losses})
	if err != nil {
		t.Fatal(err)
	}
	return "LOSSES_OF_" + slot + "=" + string(text)
}

// withPeer is a bench of one peer, which takes part in steps and accuracy.
func withPeer(t *testing.T, manner string) *Bench {
	p := tiny()
	p.Memory = true
	task, err := p.Tasks[0].load("")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		pretendPeer + "=" + manner,
		honestLosses(t, "task0", p.Models[0], task),
		honestLosses(t, "task1", workflow.ShrunkConfig(p.Models[0]), workflow.Shrunk()),
	}
	b := newBench(t, Options{Plan: p, Systems: []string{"pretend"}, Peers: []PeerSpec{{Name: "pretend", Peer: harness.Peer{Command: []string{os.Args[0]}, Env: env}}}})
	for _, phase := range []func() error{b.Enter, b.accuracy, b.steps, b.memory} {
		if err := phase(); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func TestAPeerWithOurLossesIsTimed(t *testing.T) {
	b := withPeer(t, "honest")
	r := b.Results
	if s := r.Systems[0]; s.Wrong() || s.Missing != "" || s.About != "1; none" {
		t.Errorf("%+v", s)
	}
	if len(r.Timings) != 2 || r.Timings[0].Seconds == nil || r.Timings[1].Variant != report.Shrunk {
		t.Errorf("%+v", r.Timings)
	}
	if a := r.Accuracy[0]; len(a.Test) != 1 || a.Test[0] != 0.5 || a.Status != "" {
		t.Errorf("%+v", a)
	}
	if m := r.Memory[0]; m.StepGrowth != 2_000_000 || m.Resident != 3_000_000 || m.Graph >= 0 || m.Status != "" {
		t.Errorf("%+v", m)
	}
}

func TestAPeerWithOtherLossesIsListedWithThemAndNotTimed(t *testing.T) {
	b := withPeer(t, "other")
	r := b.Results
	s := r.Systems[0]
	if !s.Wrong() || s.Findings[0].Pitfall != OtherLosses || !strings.Contains(s.Findings[0].Detail, "[1 2 3 4 5]") || len(s.Findings) != 2 { // and of the shrunk task

		t.Errorf("%+v", s)
	}
	for _, timing := range r.Timings {
		if timing.Seconds != nil || !strings.Contains(timing.Status, "different") {
			t.Errorf("%+v", timing)
		}
	}
	if a := r.Accuracy[0]; len(a.Test) != 0 || !strings.Contains(a.Status, "different") {
		t.Errorf("%+v", a)
	}
}

func TestAPeerHasNoTasksAfterItsAccuracy(t *testing.T) {
	for manner, status := range map[string]string{"honest": "", "other": "different", "unteachable": "it does not train"} {
		b := withPeer(t, manner)
		if err := b.accuracy(); err != nil {
			t.Fatal(err)
		}
		if a := b.Results.Accuracy[1]; !strings.Contains(a.Status, status) {
			t.Errorf("%s: %+v", manner, a)
		}
		if r, err := b.entrants[0].peer.Do("count", "", nil); err != nil || r.Live != 0 {
			t.Errorf("%s: %d tasks are open, error %v", manner, r.Live, err)
		}
	}
}

func TestAPeerThatDiedIsStartedAnew(t *testing.T) {
	b := withPeer(t, "honest")
	e := b.entrants[0]
	before := e.peer
	if _, err := e.peer.Do("die", "", nil); err == nil {
		t.Fatal("it lives")
	}
	if p, err := e.running(); err != nil || p == before {
		t.Errorf("the same process, or error %v", err)
	}
}

func TestLossesAreTheSameWithinATolerance(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		theirs, ours []float64
		same         bool
	}{
		{[]float64{1.0005, 2}, []float64{1, 2}, true},
		{[]float64{1.002, 2}, []float64{1, 2}, false},
		{[]float64{1}, []float64{1, 2}, false},
		{[]float64{nan}, []float64{1}, false},
		{[]float64{nan}, []float64{nan}, false},
		{[]float64{0}, []float64{0}, true},
	} {
		if got := sameLosses(c.theirs, c.ours); got != c.same {
			t.Errorf("%v and %v: %v, want %v", c.theirs, c.ours, got, c.same)
		}
	}
}

func TestAPeerThatIsAGoProgramIsBuilt(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/pretend\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(\"not a peer\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t, Options{})
	start, err := b.build(PeerSpec{Name: "pretend", Module: folder})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := start.Start(); err == nil || !strings.Contains(err.Error(), "not a peer") {
		t.Errorf("error %v", err)
	}
	b.enterPeer(PeerSpec{Name: "absent", Module: filepath.Join(folder, "absent")})
	if s := b.Results.Systems[0]; !strings.Contains(s.Missing, "building it") {
		t.Errorf("%+v", s)
	}
}
