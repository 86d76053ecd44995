//go:build (darwin || (linux && !android)) && (amd64 || arm64)

// Package spmm is the kernel
//
//	status spmm_scaled(graph_t g, const array_t x[N][H][F], const array_t w[E][H][1], array_t out[N][H][F], op_t op, float scale, bool transpose)
//
// in a shared library, on tensors and as a differentiable operation.
package spmm

// The library: loading it, its graphs, the kernel on tensors.

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/ebitengine/purego"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/dlpack"
)

// Library is a loaded library.
type Library struct {
	create  func(vertices, edges int64, src, dst *int32) uintptr
	destroy func(handle uintptr)
	run     func(handle uintptr, x *dlpack.Tensor, w *dlpack.Tensor, out *dlpack.Tensor, op int32, scale float32, transpose bool) int32
}

// Open loads the library at a path. It stays loaded until the process ends.
func Open(path string) (*Library, error) {
	runtime.LockOSThread() // the loader keeps what went wrong by thread
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("spmm_scaled: %w", err)
	}
	l := &Library{}
	for name, function := range map[string]any{
		"spmm_scaled_graph_create":  &l.create,
		"spmm_scaled_graph_destroy": &l.destroy,
		"spmm_scaled_run":           &l.run,
	} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("spmm_scaled: %w", err)
		}
		purego.RegisterFunc(function, address)
	}
	return l, nil
}

// Graph is a graph that the library has stored in its own way. One goroutine at a time
// uses it.
type Graph struct {
	Vertices int
	Src, Dst []int32 // the ends of the edges

	library *Library
	handle  uintptr // 0 after Close
}

// NewGraph gives a graph to the library: edge e runs from src[e] to dst[e], both in
// [0, vertices). Edges come in any order and may repeat. The graph keeps the slices.
func (l *Library) NewGraph(vertices int, src, dst []int32) (*Graph, error) {
	if vertices < 0 || len(src) != len(dst) {
		return nil, fmt.Errorf("spmm_scaled: %d vertices, %d sources and %d destinations of edges", vertices, len(src), len(dst))
	}
	for e := range src {
		if min(src[e], dst[e]) < 0 || int(max(src[e], dst[e])) >= vertices {
			return nil, fmt.Errorf("spmm_scaled: edge %d runs from %d to %d, of %d vertices", e, src[e], dst[e], vertices)
		}
	}
	g := &Graph{Vertices: vertices, Src: src, Dst: dst, library: l}
	var from, to *int32
	if len(src) > 0 {
		from, to = &src[0], &dst[0]
	}
	if g.handle = l.create(int64(vertices), int64(len(src)), from, to); g.handle == 0 {
		return nil, errors.New("spmm_scaled: the library made no graph")
	}
	return g, nil
}

// Close frees what the library has of the graph.
func (g *Graph) Close() {
	if g.handle != 0 {
		g.library.destroy(g.handle)
		g.handle = 0
	}
}

// Run runs the kernel on tensors of the CPU, which are float32 and contiguous:
//
//	x [N H F]
//	w [E H 1]
//	out [N H F], which is written wholly and shares no memory with the others
//
// An error wraps system.ErrUnsupported if the library lacks what is asked for.
func (g *Graph) Run(x *tensor.Tensor, w *tensor.Tensor, out *tensor.Tensor, op system.Op, scale float32, transpose bool) error {
	if err := g.check([]*tensor.Tensor{x, w}, []*tensor.Tensor{out}); err != nil {
		return fmt.Errorf("spmm_scaled: %w", err)
	}
	return dlpack.Borrow(func(lent []*dlpack.Tensor) error {
		return failure(g.library.run(g.handle, lent[0], lent[1], lent[2], int32(op), scale, transpose))
	}, x, w, out)
}

// failure is the error of a status.
func failure(status int32) error {
	switch status {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("spmm_scaled: %w", system.ErrUnsupported)
	case 2:
		return errors.New("spmm_scaled: the kernel is not written yet")
	}
	return fmt.Errorf("spmm_scaled: status %d", status)
}

// An operand is an array of the signature.
type operand struct {
	name string
	dims []string // numbers, or letters
}

var (
	inputs = []operand{
		{"x", []string{"N", "H", "F"}},
		{"w", []string{"E", "H", "1"}},
	}
	outputs = []operand{
		{"out", []string{"N", "H", "F"}},
	}
)

// check returns an error that names the first tensor that does not fit.
func (g *Graph) check(ins, outs []*tensor.Tensor) error {
	if g.handle == 0 {
		return errors.New("the graph is closed")
	}
	sizes, err := g.sizes(ins)
	if err != nil {
		return err
	}
	for i, t := range outs {
		if err := outputs[i].fit(t, sizes); err != nil {
			return err
		}
		for k, other := range append(append([]*tensor.Tensor{}, ins...), outs[:i]...) {
			if t.Size() > 0 && tensor.SharesMemory(t, other) {
				return fmt.Errorf("%s shares its memory with array %d", outputs[i].name, k)
			}
		}
	}
	return nil
}

// sizes returns what the letters stand for.
func (g *Graph) sizes(ins []*tensor.Tensor) (map[string]int, error) {
	sizes := map[string]int{"N": g.Vertices, "E": len(g.Src)}
	for i, t := range ins {
		if err := inputs[i].fit(t, sizes); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// fit checks a tensor; letters that are not known are those of its shape.
func (o operand) fit(t *tensor.Tensor, sizes map[string]int) error {
	switch {
	case t == nil:
		return fmt.Errorf("%s is nil", o.name)
	case t.DType() != tensor.Float32:
		return fmt.Errorf("%s is %v, want %v", o.name, t.DType(), tensor.Float32)
	case t.Device() != tensor.CPU:
		return fmt.Errorf("%s is on %v, want %v", o.name, t.Device(), tensor.CPU)
	case !t.IsContiguous():
		return fmt.Errorf("%s is not contiguous", o.name)
	case t.Rank() != len(o.dims):
		return fmt.Errorf("%s has shape %v, want %v", o.name, t.Shape(), o.dims)
	}
	for k, dim := range o.dims {
		size, known := sizes[dim]
		if number, err := strconv.Atoi(dim); err == nil {
			size, known = number, true
		}
		if !known {
			size = t.Dim(k)
			sizes[dim] = size
		}
		if t.Dim(k) != size {
			return fmt.Errorf("%s has shape %v, want %v, where %s is %d", o.name, t.Shape(), o.dims, dim, size)
		}
	}
	return nil
}

// shape returns the operand's shape.
func (o operand) shape(sizes map[string]int) []int {
	shape := make([]int, len(o.dims))
	for k, dim := range o.dims {
		size, known := sizes[dim]
		if !known {
			size, _ = strconv.Atoi(dim)
		}
		shape[k] = size
	}
	return shape
}
