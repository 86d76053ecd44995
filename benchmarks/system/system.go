package system

// What a system implements.

import "github.com/asterias-ml/asterias/tensor"

// A System is a set of kernels.
type System interface {
	// Name is short and unique: "naive".
	Name() string
	// Device is where the tensors of calls live, nil for the CPU.
	Device() *tensor.Device
	// NewGraph stores a graph in the system's own way: edge e runs from src[e] to
	// dst[e], both in [0, vertices). Edges come in any order and may repeat. The
	// slices are the caller's: they are read during the call only.
	NewGraph(vertices int, src, dst []int32) (Graph, error)
	Close() error
}

// A Graph makes the five calls over one graph of N vertices and E edges. Tensors are
// contiguous, Float32, of shape [rows, heads, width], rows N for values of vertices and
// E, in the order that NewGraph was given, for those of edges. They are borrowed for the
// call: a system neither keeps nor frees them. Outputs are allocated by the caller, with
// any content, overlap no input, and are wholly written. NaN and infinities propagate,
// in maxima too. On a device a call may return before its work is done.
//
// An edge u→v has its source's x_u and its destination's y_v; with
// [Flags.Transpose] every edge is turned around, so that v's values are read and u's
// written. The meaning of the other flags is at their types. Callers obey [Call.Check];
// systems need not check again. A system that lacks a call or a flag returns
// [ErrUnsupported], wrapped or not.
//
// One goroutine at a time makes calls of a graph.
type Graph interface {
	// SpMMv reduces the values of in-neighbours:
	//
	//	out_v = reduce_{e: u→v} c_e x_u
	//
	// where c_e is the normalisation's coefficient. x and out are [N H F].
	SpMMv(x, out *tensor.Tensor, f Flags) error

	// SpMMve is SpMMv with a value for each edge:
	//
	//	out_v = reduce_{e: u→v} c_e (x_u op w_e)
	//
	// x and out are [N H F]; w is [E H F], or [E H 1] to count for all of a head.
	SpMMve(x, w, out *tensor.Tensor, f Flags) error

	// SpMMe reduces the values of in-edges:
	//
	//	out_v = reduce_{e: u→v} w_e
	//
	// w is [E H F], out [N H F].
	SpMMe(w, out *tensor.Tensor, f Flags) error

	// SDDMMvv combines the ends of each edge:
	//
	//	out_e = x_u op y_v
	//
	// x and y are [N H F]; out is [E H F], or with OpDot [E H 1].
	SDDMMvv(x, y, out *tensor.Tensor, f Flags) error

	// SDDMMve combines an edge's value with its source's:
	//
	//	out_e = w_e op x_u
	//
	// x is [N H F], w [E H F] or [E H 1], out [E H F]. With OpCopy w is nil and out_e
	// is x_u.
	SDDMMve(x, w, out *tensor.Tensor, f Flags) error

	// Memory is what the system holds for this graph, and the most it held in a call.
	Memory() Memory
	Close() error
}

// Memory is what a system allocated, in bytes.
type Memory struct {
	Graph     int64 // structure: offsets, ids, degrees
	Workspace int64 // scratch space of kernels
}
