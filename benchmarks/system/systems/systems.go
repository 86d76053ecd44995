package systems

// The list.

import (
	"fmt"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// A Spec is a system that can be opened.
type Spec struct {
	Name, Doc string
	// Open returns the system, or an error that says what was looked for if it cannot
	// work on this machine.
	Open func() (system.System, error)
}

// All returns the systems in the tree, but for [Null].
func All() []Spec {
	return []Spec{
		{"naive", "a loop over the list of edges on one thread, sums in float64", always(Naive)},
		{"gatherscatter", "rows gathered to a tensor of the edges, computed with, and reduced over rows, in parallel", always(GatherScatter)},
		{"csr", "loops over compressed sparse rows with gonum's vector kernels, in parallel", always(CSR)},
		{"compiled", "our compiled vertex programs on the CPU", always(func() system.System { return Compiled(nil) })},
		{"compiled-cuda", "our compiled vertex programs on the first GPU", openCUDA},
		{"cusparse", "cuSPARSE for sums of SpMMv, and of SpMMve with one weight for each edge; our compiled programs for the rest", CuSPARSE},
	}
}

// openCUDA opens the first GPU.
func openCUDA() (system.System, error) {
	d, err := tensor.CUDA(0)
	if err != nil {
		return nil, fmt.Errorf("systems: no GPU: %w", err)
	}
	return Compiled(d), nil
}

// always opens a system that works everywhere.
func always(open func() system.System) func() (system.System, error) {
	return func() (system.System, error) { return open(), nil }
}
