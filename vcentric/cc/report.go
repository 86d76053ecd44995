package cc

// The C of a plan, for reports of how a program was compiled.

import "github.com/asterias-ml/asterias/vcentric/plan"

// Source is the C of the plan's kernels on vectors of 64 bytes, as a processor with
// AVX-512 would run it; no compiler is asked.
func (*Compiler) Source(p *plan.Plan) string { return Render(p, 64).Text }
