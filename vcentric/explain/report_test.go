package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

func TestTextOfASampleIsTheGolden(t *testing.T) {
	golden(t, "sample.txt", sample(t).String())
}

func TestAnEmptyReportHasAText(t *testing.T) {
	if got := (&Report{Name: "nothing"}).String(); got != "program nothing\n" {
		t.Errorf("%q", got)
	}
}

// The stages of the pipeline stay what they were when later passes run, and
// their text with source lines reads back as the program.
func TestStagesReadBackAsTheyWereWatched(t *testing.T) {
	for _, name := range []string{"gcn", "gat", "edgeconv"} {
		p := irtest.Layer(name)
		for _, v := range p.Values {
			v.Pos = "layer #1.go:12"
		}
		var watched []string
		var stages []pass.Stage
		pass.Training(p, pass.Options{
			Want:  func(string) bool { return true },
			Watch: func(s pass.Stage) { stages, watched = append(stages, s), append(watched, s.Program.String()) },
		})
		for i, s := range stages {
			text := stageText(s.Program)
			back, err := ir.Parse(text)
			if err != nil {
				t.Fatalf("%s, %s: %v\n%s", name, s.Name, err, text)
			}
			if back.String() != watched[i] {
				t.Errorf("%s, %s reads back as\n%v\nwant\n%s", name, s.Name, back, watched[i])
			}
			if !strings.Contains(text, "# layer #1.go:12") {
				t.Errorf("%s, %s has no source lines:\n%s", name, s.Name, text)
			}
		}
	}
}

func TestTextOfTrainingHasEveryStageAndBothPlans(t *testing.T) {
	r := trained(irtest.Layer("gat"))
	text := r.String()
	for i, s := range r.Stages {
		if n := strings.Count(text, "\n== "+stageName(i, s)+"\n"); n != 1 {
			t.Errorf("stage %s comes %d times", stageName(i, s), n)
		}
	}
	for _, want := range []string{"\n== plan forward\n", "\n== plan backward\n", r.Forward.String(), r.Backward.String(), r.Forward.Report(r.Sizes)} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks\n%s", want)
		}
	}
	for name := range r.Rules {
		if !strings.Contains(text, "  "+name+"\n") {
			t.Errorf("the text lacks rule %s", name)
		}
	}
}

func TestPredecessorsOfASplit(t *testing.T) {
	var stages []pass.Stage
	for _, name := range []string{"p", "p", "p.forward", "p.backward", "p.forward", "p.backward", "other"} {
		stages = append(stages, pass.Stage{Program: &ir.Program{Name: name}})
	}
	if got, want := predecessors(stages), []int{-1, 0, 1, 1, 2, 3, -1}; !slices.Equal(got, want) {
		t.Errorf("predecessors %v, want %v", got, want)
	}
}

func TestDigits(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := digits(n); got != want {
			t.Errorf("%d prints as %q, want %q", n, got, want)
		}
	}
}

func TestKeysFollowAValueThroughRenumberingAndTheSplit(t *testing.T) {
	k := newKeys()
	a := parse(t, `program p f32 {
		%0:src f32[2] = input name="h"
		%1:src f32[2] = exp %0
		%2:src f32[2] = neg %1
		output "out" %2
		output "saved %1" %1
	}`)
	b := parse(t, `program p f32 {
		%0:dst f32[2] = input name="h"
		%1:src f32[2] = input name="h"
		%2:src f32[2] = exp %1
		%3:src f32[2] = exp %2
		%4:src f32[2] = input name="saved %1"
		%5:src f32[2] = input name="saved out"
		%6:dst f32[2] = input name="saved out"
		output "x" %3
	}`)
	of := k.of(a)
	in := k.of(b)
	key := func(i int) int { return in[b.Values[i]] }
	if key(1) != of[a.Values[0]] || key(2) != of[a.Values[1]] || key(4) != of[a.Values[1]] || key(5) != of[a.Values[2]] {
		t.Errorf("equal computations have different keys: %v %v", of, in)
	}
	if key(0) == key(1) || key(3) == key(2) || key(6) == key(5) {
		t.Errorf("different computations have equal keys: %v", in)
	}
}
