package cc

// From plans to calls: what package cpu asks for.

import (
	"golang.org/x/sys/cpu"

	executor "github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Name is the name under which the compiler is registered.
const Name = "cc"

func init() { executor.RegisterNative(Name, &Compiler{}) }

// Compiler compiles plans with the system's C compiler. The zero value looks for
// the compiler and keeps its files where the package says.
type Compiler struct {
	// Command is the compiler and its first arguments; empty for the usual ones.
	Command []string
	// Cache is the directory of compiled libraries; empty for asterias/cc in the
	// user's cache directory. If it cannot be written, a temporary directory serves.
	Cache string
	// VectorBytes is the size of the vectors in the text, 16, 32 or 64; 0 for that of
	// this processor's.
	VectorBytes int

	level string // of optimisation; "-O3" if empty
}

// Compile translates the kernels of a plan.
func (c *Compiler) Compile(p *plan.Plan) ([]executor.NativeKernel, error) {
	bytes := c.VectorBytes
	if bytes == 0 {
		bytes = VectorBytes()
	}
	src := Render(p, bytes)
	out := make([]executor.NativeKernel, len(src.Kernels))
	var names []string
	for i, k := range src.Kernels {
		if k.Declined != nil {
			out[i].Declined = k.Declined
			continue
		}
		out[i].NativeNeeds = k.NativeNeeds
		names = append(names, k.Name)
	}
	if len(names) == 0 {
		return out, nil
	}
	calls, err := c.build(src.Text, names)
	if err != nil {
		return nil, err
	}
	for i, k := range src.Kernels {
		if k.Declined == nil {
			out[i].Call = calls[k.Name]
		}
	}
	return out, nil
}

// VectorBytes is the size of this processor's vectors.
func VectorBytes() int {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW:
		return 64
	case cpu.X86.HasAVX2:
		return 32
	}
	return 16
}
