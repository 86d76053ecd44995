package cpu

// The text of native kernels, for reports.

import "github.com/asterias-ml/asterias/vcentric/plan"

// NativeSource is a native compiler that can show what it compiles.
type NativeSource interface {
	// Source is the text of the plan's kernels.
	Source(p *plan.Plan) string
}

// Sources returns the text that each registered compiler makes of a plan, by the
// name of the compiler.
func Sources(p *plan.Plan) map[string]string {
	native.Lock()
	defer native.Unlock()
	out := make(map[string]string)
	for name, c := range native.compilers {
		if s, ok := c.(NativeSource); ok {
			out[name] = s.Source(p)
		}
	}
	return out
}
