package vcentric_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestWhatIsDumpedIsAnnouncedToo(t *testing.T) {
	t.Setenv("ASTERIAS_DUMP", "dumped")
	t.Setenv("ASTERIAS_DUMP_DIR", t.TempDir())
	g, err := graph.New(1, []int32{0}, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	defer debug.Capture(debug.Devices, &b)()
	p := vc.Compile("dumped", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	p.Run(g, vc.VertexFeature("h", autograd.Constant(tensor.Ones(tensor.Float32, 1, 2))))
	if n := strings.Count(b.String(), "asterias: dumped: compiled for the CPU"); n != 1 {
		t.Errorf("announced %d times:\n%s", n, b.String())
	}
}

func TestDebugPrintsDevicesTimesAndDecisions(t *testing.T) {
	g, err := graph.New(3, []int32{0, 1, 2}, []int32{1, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	printed := func(level int) string {
		var b strings.Builder
		defer debug.Capture(level, &b)()
		p := vc.Compile("mean", func(v vc.Vertex) vc.Value {
			return vc.Mean(v.InNeighbors().Feature("h").MatMul(vc.Param("W")))
		})
		h := autograd.Variable(tensor.Ones(tensor.Float32, 3, 4))
		y := p.Run(g, vc.VertexFeature("h", h), vc.ParamValue("W", autograd.Variable(tensor.Ones(tensor.Float32, 4, 2))))
		y.Sum().Backward()
		if h.Gradient() == nil {
			t.Error("no gradient")
		}
		return b.String()
	}
	compiled := `(?m)^asterias: mean: compiled for the CPU, \w+ in [\d.]+m?µ?s: f32; .*"h" \[4\] with gradient`
	forward := `(?m)^asterias: mean\.forward on the CPU, 3 vertices, 3 edges: [\d.µmn]+s\n +[\d.µmn]+s  0: `
	backward := `(?m)^asterias: mean\.backward on the CPU`
	rules := `(?m)^asterias: mean: rules that fired: `
	for level, want := range [][]string{{}, {compiled}, {compiled, forward, backward}, {compiled, forward, backward, rules, `(?m)^asterias: plan mean\.forward$`}} {
		text := printed(level)
		for _, w := range want {
			if !regexp.MustCompile(w).MatchString(text) {
				t.Errorf("level %d: no %s in\n%s", level, w, text)
			}
		}
		for _, not := range []string{compiled, forward, rules}[min(level, 3):] {
			if regexp.MustCompile(not).MatchString(text) {
				t.Errorf("level %d: %s in\n%s", level, not, text)
			}
		}
	}
}
