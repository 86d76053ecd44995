package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/benchmarks/system/check/planted"
	"github.com/asterias-ml/asterias/tensor"
)

var architectures = []check.Arch{check.GCN, check.GIN, check.GAT}

func TestRightSystemPasses(t *testing.T) {
	o := check.Options{Quick: true}
	if raceEnabled {
		o.Kinds = everyKindOfCall
	}
	report, err := check.Run(planted.Right(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || report.Cases == 0 || len(report.Unsupported) > 0 || len(report.Notes) > 0 {
		t.Error(report.Markdown())
	}
}

func TestRightModelsPass(t *testing.T) {
	for _, arch := range architectures {
		for _, quick := range []bool{true, false} {
			for seed := range uint64(3) {
				report, err := check.Model("right", arch, planted.RightModel(), check.Options{Quick: quick, Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				if !report.OK() || report.Cases == 0 {
					t.Errorf("%s, seed %d: %s", arch, seed, report.Markdown())
				}
			}
		}
	}
}

// everyKindOfCall has one call for each form of operands: most planted systems go wrong
// in all alike.
var everyKindOfCall = []system.Kind{system.SpMMv, system.SpMMe, system.SDDMMve}

// fromThePaper are those that must be found in all calls.
var fromThePaper = map[string]bool{"norm-after": true, "no-transpose": true, "even-widths": true}

func TestEachPlantedMistakeIsNamedAndNoOther(t *testing.T) {
	for _, p := range planted.All() {
		t.Run(p.Name, func(t *testing.T) {
			o := check.Options{Quick: true, Kinds: everyKindOfCall}
			switch {
			case raceEnabled && p.System != nil && !fromThePaper[p.Name]:
				t.Skip("nothing runs at the same time, and the race detector takes minutes")
			case fromThePaper[p.Name] && !testing.Short():
				o.Kinds = nil
			}
			report, err := p.Check(o)
			if err != nil {
				t.Fatal(err)
			}
			if report.OK() || !report.Has(p.Want) {
				t.Errorf("want %q, got %s", p.Want, report.Markdown())
			}
			for _, f := range report.Findings {
				if f.Pitfall != p.Want {
					t.Errorf("found besides %q: %s", p.Want, f)
				}
				if f.Cases < 1 || f.Cases > f.Of {
					t.Errorf("%d of %d cases: %s", f.Cases, f.Of, f)
				}
			}
		})
	}
}

func TestPlantedNamesAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range planted.All() {
		if seen[p.Name] || p.Want == "" || (p.System == nil) == (p.Model == nil) {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
	}
}

func TestMistakesOfModelsShowInEveryArchitecture(t *testing.T) {
	for _, arch := range architectures {
		for _, p := range planted.All() {
			switch p.Name {
			case "dropped-dropout", "dropout-in-evaluation", "dropout-keeps-p", "dropout-not-scaled",
				"dropout-one-seed", "dropout-forward-only", "tanh", "out-of-memory":
			default:
				continue
			}
			report, err := check.Model(p.Name, arch, p.Model, check.Options{Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if !report.Has(p.Want) {
				t.Errorf("%s of %s: want %q, got %s", p.Name, arch, p.Want, report.Markdown())
			}
		}
	}
}

// partial is a system that lacks a call.
type partial struct{ system.System }

type partialGraph struct{ system.Graph }

func (s partial) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := s.System.NewGraph(vertices, src, dst)
	return partialGraph{g}, err
}

func (partialGraph) SpMMe(_, _ *tensor.Tensor, f system.Flags) error {
	return fmt.Errorf("%v: %w", f, system.ErrUnsupported)
}

func TestCallsThatAreNotSupportedAreListedAndNotWrong(t *testing.T) {
	report, err := check.Run(partial{planted.Right()}, check.Options{Quick: true, Kinds: everyKindOfCall})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() {
		t.Error(report.Markdown())
	}
	listed := strings.Join(report.Unsupported, "; ")
	for _, want := range []string{"SpMMe(sum)", "SpMMe(max, transposed)", "gradient of SDDMMve(copy)"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%s is not listed in %s", want, listed)
		}
	}
	if strings.Contains(listed, "SpMMv") {
		t.Errorf("listed: %s", listed)
	}
}

// leaky is a system whose graphs do not close.
type leaky struct{ system.System }

type leakyGraph struct{ system.Graph }

func (s leaky) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	g, err := s.System.NewGraph(vertices, src, dst)
	return leakyGraph{g}, err
}

func (leakyGraph) Close() error { return errors.New("still in use") }

func TestFailingCloseIsReported(t *testing.T) {
	report, err := check.Run(leaky{planted.Right()}, check.Options{Quick: true, Kinds: []system.Kind{system.SpMMe}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) == 0 || report.Findings[0].Call != "Close" || report.Findings[0].Pitfall != check.CallFails {
		t.Error(report.Markdown())
	}
}

func TestSameSeedGivesTheSameReport(t *testing.T) {
	all := planted.All()
	p := all[slices.IndexFunc(all, func(p planted.Planted) bool { return p.Name == "even-widths" })] // single cases may be several mistakes
	var first string
	for i := range 2 {
		report, err := check.Run(p.System, check.Options{Quick: true, Kinds: []system.Kind{system.SDDMMvv, system.SpMMe}})
		if err != nil {
			t.Fatal(err)
		}
		if text := report.Markdown(); i == 0 {
			first = text
		} else if text != first {
			t.Errorf("first\n%s\nthen\n%s", first, text)
		}
	}
}

func TestUnknownArchitectureIsAnError(t *testing.T) {
	if _, err := check.Model("x", "GPT", planted.RightModel(), check.Options{}); err == nil {
		t.Error("no error")
	}
}

func TestReportIsMarkdownAndJSON(t *testing.T) {
	report := check.Report{
		Name: "fast", Cases: 7,
		Findings:    []check.Finding{{Pitfall: check.OddWidth, Call: "SpMMv", Cases: 3, Of: 7, Detail: "width 3: got 1, want 2"}},
		Unsupported: []string{"SpMMe(max)"}, Notes: []string{"slow"},
	}
	const want = "**fast** is wrong:\n\n" +
		"- **SpMMv**: odd widths are wrong, even ones right (3 of 7 cases)  \n  width 3: got 1, want 2\n" +
		"\nNot supported: SpMMe(max).\n\nNote: slow.\n"
	if got := report.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var back check.Report
	if err := json.Unmarshal(text, &back); err != nil || back.Markdown() != want {
		t.Errorf("%v from %s", err, text)
	}
	if right := (check.Report{Name: "ours", Cases: 2}).Markdown(); right != "**ours** is right in 2 cases.\n" {
		t.Errorf("got %q", right)
	}
}

func TestAccuracyIsEqualWithinTheSpread(t *testing.T) {
	reference := check.SampleOf([]float64{0.81, 0.82, 0.80, 0.81, 0.81})
	for _, c := range []struct {
		name  string
		got   []float64
		equal bool
	}{
		{"same", []float64{0.81, 0.82, 0.80}, true},
		{"a little worse", []float64{0.805, 0.80, 0.81}, true},
		{"much worse", []float64{0.70, 0.71, 0.70}, false},
		{"better", []float64{0.90, 0.91, 0.90}, false},
		{"spread out", []float64{0.70, 0.90, 0.75}, true},
		{"one seed", []float64{0.812}, true},
		{"none", nil, false},
		{"NaN", []float64{math.NaN(), 0.81}, false},
	} {
		findings := check.Accuracy(c.got, reference)
		if equal := len(findings) == 0; equal != c.equal {
			t.Errorf("%s: equal %t: %v", c.name, equal, findings)
		}
	}
}
