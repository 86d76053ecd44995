package cudagen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Steps that are timed give what others give; within a capture, where nothing can be waited
// for, they are not timed.
func TestDebugOnADevicePrintsTimesSourceAndWhatTheTunerMeasured(t *testing.T) {
	d := open(t)
	g := graphs(t)["random"]
	p := vc.Compile("debugged", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Constant(tensor.Ones(tensor.Float32, g.NumVertices(), 3))
	want := p.Run(g, vc.VertexFeature("h", h)).Tensor()
	there := vc.VertexFeature("h", autograd.Constant(h.Tensor().ToDevice(d)))

	var b strings.Builder
	defer debug.Capture(debug.Source, &b)()
	out := p.Run(g, there).Tensor()
	compare(t, "timed", out.ToDevice(tensor.CPU), want, 1e-6)
	for _, line := range []string{
		`(?m)^asterias: debugged: compiled for cuda:0`,
		`(?m)^asterias: debugged on cuda:0, \d+ vertices, \d+ edges: [\d.µmn]+s\n +[\d.µmn]+s  0: kernel over dst rows, a loop over in-edges`,
		`(?m)^asterias: debugged, CUDA:\n`,
		`AST_KERNEL\(debugged_0\)`,
	} {
		if !regexp.MustCompile(line).MatchString(b.String()) {
			t.Errorf("no %s in\n%s", line, b.String())
		}
	}

	b.Reset()
	c, err := dense.Capture(d, func() { out = p.Run(g, there).Tensor() })
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Replay(); err != nil {
		t.Fatal(err)
	}
	compare(t, "captured", out.ToDevice(tensor.CPU), want, 1e-6)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if strings.Contains(b.String(), "  0: kernel") {
		t.Errorf("a captured run was timed:\n%s", b.String())
	}

	b.Reset()
	if err := cudagen.Tune(d, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	compare(t, "tuned", p.Run(g, there).Tensor().ToDevice(tensor.CPU), want, 1e-6)
	for _, line := range []string{`(?m)^asterias: debugged: tuning: [\d.µmn]+s by the rules, steps \[`, `(?m)^asterias: debugged: tuning: [\d.µmn]+s with \{Lanes:8 `} {
		if !regexp.MustCompile(line).MatchString(b.String()) {
			t.Errorf("no %s in\n%s", line, b.String())
		}
	}
}
