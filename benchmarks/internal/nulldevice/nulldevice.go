// Package nulldevice is a device whose operations return at once: tensors on it have
// shapes and no elements, as on PyTorch's meta device. A training step on it takes as
// long as the framework does: shapes, tape, look-ups, memory's book-keeping, optimiser,
// but no kernel.
package nulldevice

import (
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// New returns a device. Numbers read from it are zeros.
func New() *tensor.Device { return tensor.NewDevice("null", 0, backend{}) }

type backend struct{}

var _ vcentric.DeviceCompiler = backend{}

type storage struct{}

func (storage) Free() {}

func (backend) Alloc(string, int) (tensor.Storage, error)          { return storage{}, nil }
func (backend) Upload(tensor.Storage, int, []byte) error           { return nil }
func (backend) Download(dst []byte, _ tensor.Storage, _ int) error { clear(dst); return nil }
func (backend) Synchronize() error                                 { return nil }
func (backend) Close() error                                       { return nil }
func (backend) MemoryStats() tensor.Memory                         { return tensor.Memory{} }

func (backend) Map(tensor.View, *tensor.Program, ...tensor.View) error         { return nil }
func (backend) Reduce(string, tensor.View, tensor.View, []bool) error          { return nil }
func (backend) Rows(string, float64, []tensor.View, []tensor.View) error       { return nil }
func (backend) Scan(string, tensor.View, tensor.View, int) error               { return nil }
func (backend) Gather(dst, x tensor.View, axis int, ids tensor.View) error     { return nil }
func (backend) Scatter(tensor.View, int, tensor.View, tensor.View, bool) error { return nil }
func (backend) Offsets(dst, sorted tensor.View) error                          { return nil }
func (backend) Compact(dst, x, mask, before tensor.View) error                 { return nil }
func (backend) Sort(values, indices, x tensor.View, descending bool) error     { return nil }
func (backend) MatMul(dst, a, b tensor.View, add bool) error                   { return nil }
func (backend) Update(string, []float64, [][]tensor.View) error                { return nil }
func (backend) SegmentSum(dst, x, offsets, order tensor.View, values, valueOrder *tensor.View) error {
	return nil
}

// PlanFor changes nothing: plans are those of the CPU.
func (backend) PlanFor(int) plan.Options { return plan.Options{} }

// CompilePlan returns kernels that do nothing.
func (backend) CompilePlan(*plan.Plan, int) (vcentric.DeviceRun, func(*graph.Graph) int64, error) {
	run := func(*graph.Graph, []*tensor.Tensor, uint64, func(int, time.Duration)) error { return nil }
	return run, func(*graph.Graph) int64 { return 0 }, nil
}
