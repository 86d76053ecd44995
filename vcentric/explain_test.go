package vcentric_test

// Reports through the public API.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func explained(v vc.Vertex) vc.Value {
	e := v.InEdges()
	alpha := vc.Softmax(e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2))
	return vc.Sum(alpha.Mul(e.Src("h")))
}

func explainedBindings(n int) []vc.Binding {
	x := func(seed uint64, shape ...int) *autograd.Var {
		return autograd.Variable(randn(tensor.Float32, seed, shape...))
	}
	return []vc.Binding{vc.VertexFeature("h", x(1, n, 4)), vc.VertexFeature("el", x(2, n, 1)), vc.VertexFeature("er", x(3, n, 1))}
}

func TestExplainShowsEveryStage(t *testing.T) {
	r := vc.Compile("attention", explained).Explain(messy(t), explainedBindings(6)...)
	text := r.String()
	for _, part := range []string{
		"traced", "softmax", "grad", "split forward", "split backward", "lower-softmax", `vertex feature "h" [4] with gradient`,
		"explain_test.go:", "kernel over dst rows", "void k0(", "plan forward", "plan backward", "result of the program",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the report has no %q", part)
		}
	}
	var page strings.Builder
	if err := r.HTML(&page); err != nil || !strings.Contains(page.String(), "</html>") {
		t.Errorf("the page has %d bytes: %v", page.Len(), err)
	}
}

func TestDumpIsWrittenForTheNamedProgramOnly(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("ASTERIAS_DUMP", "other,at/tention")
	t.Setenv("ASTERIAS_DUMP_DIR", dir)
	g := messy(t)
	for _, name := range []string{"at/tention", "third"} {
		p := vc.Compile(name, explained)
		for range 2 { // compiled once
			p.Run(g, explainedBindings(6)...)
		}
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*", "report.html"))
	if err != nil || len(pages) != 1 || !strings.Contains(pages[0], "at_tention") {
		t.Errorf("pages %v, error %v; want one, of at/tention", pages, err)
	}
}

func TestAFolderForProgramsToDumpIsWarnedOf(t *testing.T) {
	t.Setenv("ASTERIAS_DUMP_DIR", t.TempDir())
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	for names, want := range map[string]string{
		"/tmp/dumps": "asterias: ASTERIAS_DUMP=/tmp/dumps is a list of programs, or * for all; the folder is what ASTERIAS_DUMP_DIR says\n",
		"fourth":     "",
	} {
		t.Setenv("ASTERIAS_DUMP", names)
		file := filepath.Join(t.TempDir(), "stderr")
		to, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		os.Stderr = to
		for _, name := range []string{"one", "two"} { // warned of once
			vc.Compile(name, explained).Run(messy(t), explainedBindings(6)...)
		}
		os.Stderr = stderr
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s: printed %q, error %v; want %q", names, got, err, want)
		}
	}
}

func TestDumpThatFailsDoesNotFailTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASTERIAS_DUMP", "*")
	t.Setenv("ASTERIAS_DUMP_DIR", file)
	if out := vc.Compile("attention", explained).Run(messy(t), explainedBindings(6)...); out.Shape()[0] != 6 {
		t.Error(out.Shape())
	}
}

func TestRulesCanBeLeftOut(t *testing.T) {
	g := messy(t)
	p := vc.Compile("attention", explained)
	c := p.Without("factor-out-of-sum").Compiled(g, explainedBindings(6)...)
	if n := c.Fired["factor-out-of-sum"]; n != 0 {
		t.Errorf("fired %d times", n)
	}
	if p.Compiled(g, explainedBindings(6)...).Fired["factor-out-of-sum"] == 0 {
		t.Error("the program itself does without the rule")
	}
	wantMisuse[*vc.BindError](t, "unknown rule", func() { p.Without("no-such-rule") }, "no-such-rule")
	wantMisuse[*vc.BindError](t, "needed rule", func() { p.Without("lower-softmax") }, "lower-softmax")
}
