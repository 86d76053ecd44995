// Package asterias is a tensor and autograd framework in which graph neural
// networks are first-class. A layer is written as what one vertex does; it is
// traced into a graph-aware IR, differentiated there, and run as fused kernels.
//
// The house, from the ground up:
//
//	tensor      dense and sparse tensors that gorgonia.org/tensor shares; CPU engine, SIMD kernels
//	graph       structure without features: CSR by destination, reverse CSR, batches
//	autograd    eager reverse-mode tape; Gorgonia's graphs and ours in each other (gorgonianode)
//	nn, optim   modules, initialisers, losses, checkpoints, a trainer; optimisers and schedules
//	vcentric    vertex-centric programs: tracing, IR, passes, plans, execution, reports
//	cudagen     the same on NVIDIA GPUs, if it is imported: plans as CUDA, the dense engine, devices
//	gnn         layers and models; message and SAGA-NN dialects, layer-wise inference
//	data        datasets, file formats, generators, transforms, mini-batches
//	examples    one small main each
//	benchmarks  go test -bench . ./benchmarks; go run ./benchmarks/dense against peers
//
// Packages import only those the table in arrows_test.go allows.
package asterias

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/explain"
)

// Devices describes what can compute: the CPU and, if package cudagen is imported, the
// GPUs, with a log of where their driver, NVRTC and cuBLAS were found or looked for.
func Devices() string { return tensor.DeviceReport() }

// Explain reports how a program is compiled for a graph and its bindings: the
// program after every pass, the rules that fired, the plans with every buffer,
// and predicted bytes and flops of each kernel. A report prints as text,
// Report.HTML a page of its own with a column a pass. Setting ASTERIAS_DUMP to a
// program's name writes the same for each of its compilations to a folder below
// ASTERIAS_DUMP_DIR, or below asterias-dump. ASTERIAS_DEBUG=1 prints to standard error what
// programs are compiled for; 2 how long the steps of their runs took, too; 3 the rules and
// plans; 4 the source of kernels.
func Explain(p *vcentric.Program, g *graph.Graph, bindings ...vcentric.Binding) *explain.Report {
	return p.Explain(g, bindings...)
}
