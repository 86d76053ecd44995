package explain

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestDumpWritesNumberedStagesPlansGraphsAndThePage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on", "the", "way")
	r := sample(t)
	if err := r.Dump(dir); err != nil {
		t.Fatal(err)
	}
	want := []string{"00-traced.txt", "01-cse.txt", "02-fold.txt", "graph.dot", "plan-forward.dot", "plan-forward.txt", "report.html", "report.txt", "source.txt"}
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Fatalf("files %v, want %v", got, want)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	back, err := ir.Parse(read("02-fold.txt"))
	if err != nil || back.String() != r.Stages[2].Program.String() {
		t.Errorf("02-fold.txt reads back as %v, %v", back, err)
	}
	if read("report.txt") != r.String() || read("graph.dot") != Graphviz(r.Stages[0].Program) || !strings.HasPrefix(read("plan-forward.txt"), r.Forward.String()) {
		t.Error("report.txt, graph.dot or plan-forward.txt is not what it should be")
	}
	if _, err := open(read("report.html")); err != nil {
		t.Error(err)
	}
}

func TestDumpOfTrainingHasBothPlans(t *testing.T) {
	dir := t.TempDir()
	if err := trained(irtest.Layer("gcn")).Dump(dir); err != nil {
		t.Fatal(err)
	}
	names := list(t, dir)
	for _, want := range []string{"plan-forward.txt", "plan-backward.txt", "plan-backward.dot"} {
		if !slices.Contains(names, want) {
			t.Errorf("files %v lack %s", names, want)
		}
	}
	if !slices.ContainsFunc(names, func(s string) bool { return strings.HasSuffix(s, "-split-forward.txt") }) {
		t.Errorf("files %v lack the split", names)
	}
}

func TestDumpReplacesAnEarlierOne(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "report.txt")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := sample(t)
	for range 2 {
		if err := r.Dump(dir); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(old); string(text) != r.String() {
		t.Errorf("report.txt is %q", text)
	}
	if n := len(list(t, dir)); n != 9 {
		t.Errorf("files %v", list(t, dir))
	}
}

func TestDumpThatFailsLeavesNothing(t *testing.T) {
	t.Run("a file in place of the folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(dir, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := sample(t).Dump(dir); err == nil || !strings.Contains(err.Error(), "explain: dump of gcn: ") {
			t.Errorf("error %v", err)
		}
		if text, _ := os.ReadFile(dir); string(text) != "mine" {
			t.Errorf("the file is %q now", text)
		}
	})
	t.Run("a folder in place of a file", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "report.html"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := sample(t).Dump(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
			t.Errorf("error %v", err)
		}
		if got := list(t, dir); !slices.Equal(got, []string{"report.html"}) {
			t.Errorf("files %v", got)
		}
	})
	t.Run("a name that cannot be taken", func(t *testing.T) {
		dir := t.TempDir()
		bad, good := file{filepath.Join("not", "there", "a.txt"), []byte("a")}, file{"b.txt", []byte("b")}
		if err := writeAll(dir, []file{bad, good}); err == nil {
			t.Error("no error")
		}
		if got := list(t, dir); len(got) != 0 {
			t.Errorf("files %v", got)
		}
	})
	t.Run("a folder that nothing can be written to", func(t *testing.T) {
		dir := t.TempDir()
		switch {
		case runtime.GOOS == "linux" && os.Geteuid() == 0:
			dir = "/proc" // where root cannot make files either
		case runtime.GOOS == "windows" || os.Geteuid() == 0:
			t.Skip("folders are not read-only here")
		default:
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
		}
		if err := sample(t).Dump(dir); err == nil {
			t.Error("no error")
		}
		if got := list(t, dir); slices.Contains(got, "report.txt") || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, ".explain-") }) {
			t.Errorf("files %v", got)
		}
	})
}

// Stage names make file names in the folder, whatever they are.
func TestDumpStaysInItsFolder(t *testing.T) {
	parent := t.TempDir()
	p := parse(t, gcnText)
	r := &Report{Name: "../x"}
	for _, name := range append([]string{strings.Repeat("long", 100), "split forward"}, hostile...) {
		r.Stages = append(r.Stages, pass.Stage{Name: name, Program: p})
	}
	if err := r.Dump(filepath.Join(parent, "dump")); err != nil {
		t.Fatal(err)
	}
	if got := list(t, parent); !slices.Equal(got, []string{"dump"}) {
		t.Errorf("files %v", got)
	}
	names := list(t, filepath.Join(parent, "dump"))
	if n := len(r.Stages) + 3; len(names) != n {
		t.Errorf("%d files %v, want %d", len(names), names, n)
	}
	for _, name := range names {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != "" || len(name) > 80 {
			t.Errorf("file %q", name)
		}
	}
}
