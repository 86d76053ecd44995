//go:build linux && !android && (amd64 || arm64)

package plugin

// A loaded library: its functions, and tensors as its arguments.

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/internal/dynlib"
	"github.com/asterias-ml/asterias/tensor/dlpack"
)

// version is ASTERIAS_SYSTEM_VERSION of the header.
const version = 1

// The header's results.
const (
	statusOK          = 0
	statusUnsupported = 1
)

// A library is one that has been loaded and asked who it is. It stays loaded until the
// process ends.
type library struct {
	path, name                         string
	create, destroy, memory, lastError uintptr // memory is 0 if the library lacks it
	calls                              [system.NumKinds]uintptr
	args                               *arguments
}

// arguments are what C gets the addresses of.
type arguments struct {
	tensors [numSlots]argument
	flags   [4]int32
	graph   uintptr // that was created
	memory  system.Memory
}

// An argument is a tensor with its dimensions.
type argument struct {
	dl             dlpack.Tensor
	shape, strides [3]int64
}

// set makes the argument a tensor of float32.
func (a *argument) set(data uintptr, shape [3]int64) {
	a.shape, a.strides = shape, [3]int64{shape[1] * shape[2], shape[2], 1}
	a.dl = dlpack.Tensor{
		Data:    data,
		Device:  dlpack.Device{Type: dlpack.CPU},
		Dims:    3,
		DType:   dlpack.DataType{Code: dlpack.Float, Bits: 32, Lanes: 1},
		Shape:   &a.shape[0],
		Strides: &a.strides[0],
	}
}

// load loads a library.
func load(path string) (*library, *Error) {
	handle, err := dynlib.Open(path)
	if err != nil {
		return nil, &Error{Library: path, Call: openCall, Kind: NotALibrary, Detail: err.Error()}
	}
	l := &library{path: path, args: &arguments{}}
	var getVersion, getName uintptr
	var missing []string
	for _, f := range []struct {
		name string
		to   *uintptr
	}{
		{"version", &getVersion},
		{"name", &getName},
		{"last_error", &l.lastError},
		{"graph_create", &l.create},
		{"graph_destroy", &l.destroy},
		{"spmm_v", &l.calls[system.SpMMv]},
		{"spmm_ve", &l.calls[system.SpMMve]},
		{"spmm_e", &l.calls[system.SpMMe]},
		{"sddmm_vv", &l.calls[system.SDDMMvv]},
		{"sddmm_ve", &l.calls[system.SDDMMve]},
	} {
		symbol := symbolName(f.name)
		if *f.to, err = dynlib.Symbol(handle, symbol); err != nil {
			missing = append(missing, symbol)
		}
	}
	if len(missing) > 0 {
		return nil, l.error(openCall, MissingSymbol, strings.Join(missing, ", "))
	}
	if memory, err := dynlib.Symbol(handle, symbolName("graph_memory")); err == nil {
		l.memory = memory
	}
	if got, _, _ := purego.SyscallN(getVersion); int32(got) != version {
		return nil, l.error(openCall, BadVersion, fmt.Sprintf("the library has version %d of the header, this program %d", int32(got), version))
	}
	l.name = text(getName)
	return l, nil
}

// symbolName is the header's name for a function.
func symbolName(name string) string {
	switch name {
	case "version", "name":
		return "asterias_system_" + name
	}
	return "asterias_" + name
}

func (l *library) error(call string, kind Kind, detail string) *Error {
	return &Error{Library: l.path, Call: call, Kind: kind, Detail: detail}
}

// text calls a function that returns a string.
func text(function uintptr) string {
	var get func() string
	purego.RegisterFunc(&get, function)
	return strings.Clone(get())
}

// newGraph creates a graph from arrays of ids.
func (l *library) newGraph(vertices, edges int, src, dst uintptr) (uintptr, *Error) {
	l.args.graph = 0
	status, _, _ := purego.SyscallN(l.create, uintptr(vertices), uintptr(edges), src, dst, uintptr(unsafe.Pointer(&l.args.graph)))
	if err := l.result(createCall, status); err != nil {
		return 0, err
	}
	if l.args.graph == 0 {
		return 0, l.error(createCall, Failed, "no error and no graph")
	}
	return l.args.graph, nil
}

// free destroys a graph.
func (l *library) free(graph uintptr) { purego.SyscallN(l.destroy, graph) }

// call makes a call with the arguments of slots that are set, and measures it.
func (l *library) call(kind system.Kind, graph uintptr, f system.Flags, set [numSlots]bool) (time.Duration, *Error) {
	a := l.args
	a.flags = [4]int32{int32(f.Op), int32(f.Reduce), int32(f.Norm), 0}
	if f.Transpose {
		a.flags[3] = 1
	}
	at := func(slot int) uintptr {
		if !set[slot] {
			return 0
		}
		return uintptr(unsafe.Pointer(&a.tensors[slot].dl))
	}
	x, y, w, out, flags := at(slotX), at(slotY), at(slotW), at(slotOut), uintptr(unsafe.Pointer(&a.flags))
	function := l.calls[kind]
	var status uintptr
	start := time.Now()
	switch kind {
	case system.SpMMv:
		status, _, _ = purego.SyscallN(function, graph, x, out, flags)
	case system.SpMMve, system.SDDMMve:
		status, _, _ = purego.SyscallN(function, graph, x, w, out, flags)
	case system.SpMMe:
		status, _, _ = purego.SyscallN(function, graph, w, out, flags)
	case system.SDDMMvv:
		status, _, _ = purego.SyscallN(function, graph, x, y, out, flags)
	default:
		panic(fmt.Sprintf("BUG: plugin: call %d", kind))
	}
	took := time.Since(start)
	runtime.KeepAlive(a)
	if int32(status) == statusOK {
		return took, nil
	}
	return took, l.result(label(system.Call{Kind: kind, Flags: f}), status)
}

// result turns what a function returned into an error.
func (l *library) result(call string, status uintptr) *Error {
	switch int32(status) {
	case statusOK:
		return nil
	case statusUnsupported:
		return l.error(call, Unsupported, text(l.lastError))
	}
	said := text(l.lastError)
	if said == "" {
		said = "no text"
	}
	return l.error(call, Failed, fmt.Sprintf("%s (code %d)", said, int32(status)))
}

// memoryOf asks what the library holds for a graph.
func (l *library) memoryOf(graph uintptr) system.Memory {
	l.args.memory = system.Memory{}
	if l.memory != 0 {
		purego.SyscallN(l.memory, graph, uintptr(unsafe.Pointer(&l.args.memory)))
	}
	return l.args.memory
}
