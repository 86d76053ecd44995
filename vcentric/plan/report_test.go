package plan_test

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestReportCountsATensorReadFromBothSidesOnce(t *testing.T) {
	p, err := ir.Parse(`program p f32 {
		%0:src f32[4] = input name="h"
		%1:dst f32[4] = input name="h"
		%2:edge f32[4] = mul %0 %1
		%3:dst f32[4] = sum %2 dir=in
		output "out" %3
	}`)
	if err != nil {
		t.Fatal(err)
	}
	report := plan.Build(p).Report(plan.Sizes{NumSrc: 10, NumDst: 10, NumEdges: 1000})
	for _, want := range []string{"160 B  bound by the caller", "0 B  the same tensor, read from the other side", "160 B  result of the program", "3 buffers, 320 B"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}
