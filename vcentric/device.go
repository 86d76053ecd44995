package vcentric

// Kernels of a compiled program on a device: what is asked of its backend.

import (
	"fmt"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// DeviceCompiler is what the backend of a [tensor.Device] also is if programs run on
// the device: it brings its own compiler of kernels, so this package needs to know
// none of them.
type DeviceCompiler interface {
	// PlanFor returns what plans the device's kernels are best with, on a graph of so
	// many edges. Programs are compiled once for all graphs for which it is the same.
	PlanFor(edges int) plan.Options
	// CompilePlan compiles a plan for graphs whose rows have about so many edges. run
	// hands the plan's steps over to the device: buffer i of the plan is bufs[i], which
	// is contiguous; what a step writes need not be cleared. workspace is how many
	// bytes a run on a graph takes besides the plan's buffers.
	CompilePlan(p *plan.Plan, degree int) (run DeviceRun, workspace func(g *graph.Graph) int64, err error)
}

// DeviceRun runs the steps of a plan on a device. If timed is not nil it waits for the
// device, and tells how long each step took by the device's clock.
type DeviceRun = func(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration)) error

// deviceOf returns where what is bound lives. All of it must live together.
func deviceOf(program string, bindings []Binding) *tensor.Device {
	var d *tensor.Device
	var first *Binding
	for i := range bindings {
		b := &bindings[i]
		if b.kind == training {
			continue
		}
		at := b.v.Device()
		if first == nil {
			first, d = b, at
		} else if at != d {
			panic(&BindError{Program: program, Name: b.title(), Detail: fmt.Sprintf("is on %v, %s is on %v", at, first.title(), d)})
		}
	}
	return d
}

// compilerOf is the compiler of a device that is not the CPU.
func compilerOf(program string, d *tensor.Device) DeviceCompiler {
	c, ok := d.Backend().(DeviceCompiler)
	if !ok {
		panic(&BindError{Program: program, Name: d.String(), Detail: "vertex programs do not run on this device"})
	}
	return c
}

// deviceKernels runs a plan on a device.
type deviceKernels struct {
	program string
	device  *tensor.Device
	do      DeviceRun
	scratch func(g *graph.Graph) int64
}

func compileFor(program string, d *tensor.Device, p *plan.Plan, degree int) kernels {
	run, workspace, err := compilerOf(program, d).CompilePlan(p, degree)
	if err != nil {
		panic(&tensor.DeviceFailure{Op: program, Device: d, Err: err})
	}
	return deviceKernels{program, d, run, workspace}
}

func (k deviceKernels) run(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration)) {
	if err := k.do(g, bufs, seed, timed); err != nil {
		panic(&tensor.DeviceFailure{Op: k.program, Device: k.device, Err: err})
	}
}

func (k deviceKernels) declined() []error { return nil }

func (k deviceKernels) workspace(g *graph.Graph) int64 { return k.scratch(g) }
