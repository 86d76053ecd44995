package plan_test

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// keptProgram is Σ_u c_u x_u, and what else shall be there.
func keptProgram(scale func(b *ir.Builder) *ir.Value, typed bool) *plan.Plan {
	b := ir.NewBuilder("p", ir.F32, false)
	b.SetTypes(ir.Types{Edge: 2})
	x := b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, b.Input("x", ir.Src, ir.Shape{16}))
	b.Output("out", b.Op(ir.OpSum, ir.Attr{Dir: ir.In, Typed: typed}, b.Mul(x, scale(b))))
	return plan.Build(b.Program())
}

func TestReportListsWhatAGraphKeepsInTheOrderOfItsEdges(t *testing.T) {
	norm := func(b *ir.Builder) *ir.Value { return b.Op(ir.OpRsqrt, ir.Attr{}, b.Degree(ir.Out, ir.Src)) }
	feature := func(b *ir.Builder) *ir.Value { return b.Input("c", ir.Src, nil) }
	large := plan.Sizes{NumSrc: 1000, NumDst: 1000, NumEdges: plan.KeepEdges}
	for _, c := range []struct {
		what  string
		plan  *plan.Plan
		sizes plan.Sizes
		want  bool
	}{
		{"a large graph", keptProgram(norm, false), large, true},
		{"few edges", keptProgram(norm, false), plan.Sizes{NumSrc: 10, NumDst: 10, NumEdges: plan.KeepEdges - 1}, false},
		{"few edges a row", keptProgram(norm, false), plan.Sizes{NumSrc: 10, NumDst: plan.KeepEdges/plan.KeepEdgesPerRow + 1, NumEdges: plan.KeepEdges}, false},
		{"a feature", keptProgram(feature, false), large, false},
		{"by type", keptProgram(norm, true), large, false},
	} {
		report := c.plan.Report(c.sizes)
		if strings.Contains(report, "524288 B  of the graph alone") != c.want || strings.Contains(report, "kept") != c.want {
			t.Errorf("%s: listed %v, want %v\n%s", c.what, !c.want, c.want, report)
		}
	}
}
