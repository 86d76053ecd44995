package plan_test

import (
	"maps"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// A wide edge value in memory, since a matrix product reads it as a step of its own.
const multiplied = `program multiplied f64 {
	%0:src f64[16] = input name="h"
	%1:edge f64[16] = input name="e"
	%2:param f64[16 512] = input name="W"
	%3:edge f64[16] = mul %0 %1
	%4:edge f64[512] = matmul %3 %2
	%5:edge f64[512] = tanh %4
	output "a" %5
}`

func TestKeptEdgesLieInTheOrderOfTheKernelThatStoresThemUnlessOthersReadThem(t *testing.T) {
	for _, c := range []struct {
		text string
		off  []string
		want map[string]ir.Residency // of those that have a home
	}{
		{scored, nil, map[string]ir.Residency{"%4": ir.Src}},
		{waiting, nil, map[string]ir.Residency{"%4": ir.Src, "%8": ir.Dst}},
		{multiplied, []string{plan.FuseEdgeProduct}, nil},
	} {
		p := plan.BuildWithout(parse(t, c.text), c.off...)
		got, edges := make(map[string]ir.Residency), 0
		for _, b := range p.Buffers {
			if b.Res == ir.Edge && b.Role == plan.Temp {
				edges++
			}
			if rows, ok := p.Home(b); ok {
				got[b.Name] = rows
			}
		}
		if edges == 0 || !maps.Equal(got, c.want) {
			t.Errorf("%s: of %d edge values that are kept, %v have a home, want %v", p.Program.Name, edges, got, c.want)
		}
	}
}
