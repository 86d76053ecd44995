package pass

// Each rule and pass by itself: text → pass → text. The files of testdata hold
// cases such as
//
//	# what the case shows
//	rule NAME fires|rests      (or: pass NAME)
//	program p f32 { ... }
//	=> fired N
//	program p f32 { ... }
//
// of which `go test -update` rewrites what follows the input program.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func allRules() []Rule {
	return slices.Concat(softmaxRules, multiplyOutRules, linearRules(Options{}, nil), reuseRules(Options{}, nil), lowerRules, foldRules, reorderRules(Options{}, nil), typedSumRules(Options{}, nil), typedTableRules(Options{}, nil), inlineRules)
}

func TestRulesAndPasses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens", err)
	}
	fired := make(map[string]bool)
	for _, file := range files {
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for text := range strings.SplitSeq("\n"+strings.TrimSpace(string(old)), "\n# ") {
			if text != "" {
				out = append(out, "# "+goldenCase(t, file, text, fired))
			}
		}
		got := strings.Join(out, "\n")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != string(old) {
			t.Errorf("%s differs (go test -update rewrites it):\n%s", file, firstDifference(got, string(old)))
		}
	}
	for _, r := range allRules() {
		if !fired[r.Name] {
			t.Errorf("no case shows rule %s", r.Name)
		}
	}
}

// goldenCase runs one case and returns it with its outcome.
func goldenCase(t *testing.T, file, text string, fired map[string]bool) string {
	title, rest, _ := strings.Cut(text, "\n")
	command, rest, _ := strings.Cut(rest, "\n")
	input, _, _ := strings.Cut(rest, "=>")
	p, err := ir.Parse(input)
	if err != nil {
		t.Fatalf("%s: %s: %v", file, title, err)
	}
	input = p.String()
	log := make(Log)
	words := strings.Fields(command)
	switch {
	case len(words) == 3 && words[0] == "rule":
		rule := slices.IndexFunc(allRules(), func(r Rule) bool { return r.Name == words[1] })
		if rule < 0 {
			t.Fatalf("%s: %s: no rule %s", file, title, words[1])
		}
		p = rewrite(p, allRules()[rule:rule+1], nil, log)
		if want := words[2] == "fires"; want != (log[words[1]] > 0) {
			t.Errorf("%s: %s: rule %s fired %d times", file, title, words[1], log[words[1]])
		}
		fired[words[1]] = fired[words[1]] || log[words[1]] > 0
	case command == "pass cse":
		p = CSE(p)
	case command == "pass dce":
		p = DCE(p)
	case command == "pass grad":
		p = Grad(p, func(string) bool { return true })
	default:
		t.Fatalf("%s: %s: unknown command %q", file, title, command)
	}
	if err := ir.Check(p); err != nil {
		t.Errorf("%s: %s: %v", file, title, err)
	}
	outcome := "=>"
	if words[0] == "rule" {
		outcome = fmt.Sprintf("=> fired %d", log[words[1]])
	}
	return fmt.Sprintf("%s\n%s\n%s%s\n%v", title, command, input, outcome, p)
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n  got  %s\n  want %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
