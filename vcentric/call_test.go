package vcentric_test

import (
	"testing"

	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestProgramThatCallsItselfIsMisuse(t *testing.T) {
	var p *vc.Program
	p = vc.Compile("self", func(v vc.Vertex) vc.Value { return p.Call(v).AddScalar(1) })
	wantMisuse[*ir.Error](t, "recursion", func() { p.Run(messy(t), explainedBindings(6)...) }, "call of self", "call itself", "call_test.go:")
}
