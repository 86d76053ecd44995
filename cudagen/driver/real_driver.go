//go:build ((linux && !android) || windows) && (amd64 || arm64)

// The CUDA driver, loaded. Calls that a training step makes go through SyscallN,
// all others through functions that purego makes.
//
// Several entry points end in _v2 or _v3: the plain names are kept for programs
// that were built before 64-bit addresses or per-context streams. Where a newer
// version changed the meaning (context creation), the call is not used.

package driver

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

type realDriver struct {
	init            func(flags uint32) int32
	version         func(v *int32) int32
	deviceCount     func(n *int32) int32
	deviceGet       func(d *DeviceID, ordinal int32) int32
	deviceName      func(name *byte, length int32, d DeviceID) int32
	deviceTotalMem  func(bytes *uint64, d DeviceID) int32
	deviceAttribute func(v *int32, a Attribute, d DeviceID) int32
	errorName       func(code int32, name **byte) int32

	ctxRetain     func(c *Context, d DeviceID) int32
	ctxRelease    func(d DeviceID) int32
	ctxSetCurrent func(c Context) int32
	ctxSync       uintptr

	memGetInfo   func(free, total *uint64) int32
	memAlloc     uintptr
	memFree      uintptr
	memHostAlloc func(p *unsafe.Pointer, bytes uint64, flags uint32) int32
	memFreeHost  func(p unsafe.Pointer) int32

	memAllocAsync, memFreeAsync uintptr
	defaultPool                 func(pool *uintptr, d DeviceID) int32
	poolSetAttribute            func(pool uintptr, attribute int32, value *uint64) int32
	poolTrimTo                  func(pool uintptr, keep uint64) int32

	htod, dtoh, dtod                uintptr
	htodAsync, dtohAsync, dtodAsync uintptr
	memsetD8Async, memsetD32Async   uintptr

	streamCreate                        func(s *Stream, flags StreamFlags) int32
	streamDestroy                       func(s Stream) int32
	streamSync, streamQuery, streamWait uintptr
	eventCreate                         func(e *Event, flags EventFlags) int32
	eventDestroy                        func(e Event) int32
	eventRecord, eventQuery, eventSync  uintptr
	eventElapsed                        func(ms *float32, start, end Event) int32
	moduleLoadData                      func(m *Module, image *byte) int32
	moduleUnload                        func(m Module) int32
	moduleGetFunction                   func(f *Function, m Module, name string) int32
	funcGetAttribute                    func(v *int32, a FuncAttribute, f Function) int32
	funcSetAttribute                    func(f Function, a FuncAttribute, v int32) int32
	occupancy                           func(blocks *int32, f Function, threads int32, shared uint64) int32
	launch                              uintptr
	streamBeginCapture                  func(s Stream, mode CaptureMode) int32
	streamEndCapture                    func(s Stream, g *Graph) int32
	streamIsCapturing                   func(s Stream, status *int32) int32
	graphInstantiate                    func(x *GraphExec, g Graph, flags uint64) int32
	graphLaunch                         uintptr
	graphDestroy                        func(g Graph) int32
	graphExecDestroy                    func(x GraphExec) int32
}

func bindDriver(handle uintptr, path string) (Driver, error) {
	d := &realDriver{}
	err := bindAll(handle, path, []symbol{
		{name: "cuInit", to: &d.init},
		{name: "cuDriverGetVersion", to: &d.version},
		{name: "cuDeviceGetCount", to: &d.deviceCount},
		{name: "cuDeviceGet", to: &d.deviceGet},
		{name: "cuDeviceGetName", to: &d.deviceName},
		{name: "cuDeviceTotalMem_v2", to: &d.deviceTotalMem},
		{name: "cuDeviceGetAttribute", to: &d.deviceAttribute},
		{name: "cuGetErrorName", to: &d.errorName},
		{name: "cuDevicePrimaryCtxRetain", to: &d.ctxRetain},
		{name: "cuDevicePrimaryCtxRelease_v2", to: &d.ctxRelease},
		{name: "cuCtxSetCurrent", to: &d.ctxSetCurrent},
		{name: "cuCtxSynchronize", to: &d.ctxSync},
		{name: "cuMemGetInfo_v2", to: &d.memGetInfo},
		{name: "cuMemAlloc_v2", to: &d.memAlloc},
		{name: "cuMemFree_v2", to: &d.memFree},
		{name: "cuMemHostAlloc", to: &d.memHostAlloc},
		{name: "cuMemFreeHost", to: &d.memFreeHost},
		{name: "cuMemAllocAsync", to: &d.memAllocAsync, optional: true}, // CUDA 11.2
		{name: "cuMemFreeAsync", to: &d.memFreeAsync, optional: true},
		{name: "cuDeviceGetDefaultMemPool", to: &d.defaultPool, optional: true},
		{name: "cuMemPoolSetAttribute", to: &d.poolSetAttribute, optional: true},
		{name: "cuMemPoolTrimTo", to: &d.poolTrimTo, optional: true},
		{name: "cuMemcpyHtoD_v2", to: &d.htod},
		{name: "cuMemcpyDtoH_v2", to: &d.dtoh},
		{name: "cuMemcpyDtoD_v2", to: &d.dtod},
		{name: "cuMemcpyHtoDAsync_v2", to: &d.htodAsync},
		{name: "cuMemcpyDtoHAsync_v2", to: &d.dtohAsync},
		{name: "cuMemcpyDtoDAsync_v2", to: &d.dtodAsync},
		{name: "cuMemsetD8Async", to: &d.memsetD8Async},
		{name: "cuMemsetD32Async", to: &d.memsetD32Async},
		{name: "cuStreamCreate", to: &d.streamCreate},
		{name: "cuStreamDestroy_v2", to: &d.streamDestroy},
		{name: "cuStreamSynchronize", to: &d.streamSync},
		{name: "cuStreamQuery", to: &d.streamQuery},
		{name: "cuStreamWaitEvent", to: &d.streamWait},
		{name: "cuEventCreate", to: &d.eventCreate},
		{name: "cuEventDestroy_v2", to: &d.eventDestroy},
		{name: "cuEventRecord", to: &d.eventRecord},
		{name: "cuEventQuery", to: &d.eventQuery},
		{name: "cuEventSynchronize", to: &d.eventSync},
		{name: "cuEventElapsedTime", to: &d.eventElapsed},
		{name: "cuModuleLoadData", to: &d.moduleLoadData},
		{name: "cuModuleUnload", to: &d.moduleUnload},
		{name: "cuModuleGetFunction", to: &d.moduleGetFunction},
		{name: "cuFuncGetAttribute", to: &d.funcGetAttribute},
		{name: "cuFuncSetAttribute", to: &d.funcSetAttribute},
		{name: "cuOccupancyMaxActiveBlocksPerMultiprocessor", to: &d.occupancy},
		{name: "cuLaunchKernel", to: &d.launch},
		{name: "cuStreamBeginCapture_v2", to: &d.streamBeginCapture},
		{name: "cuStreamEndCapture", to: &d.streamEndCapture},
		{name: "cuStreamIsCapturing", to: &d.streamIsCapturing},
		{name: "cuGraphInstantiateWithFlags", to: &d.graphInstantiate},
		{name: "cuGraphLaunch", to: &d.graphLaunch},
		{name: "cuGraphDestroy", to: &d.graphDestroy},
		{name: "cuGraphExecDestroy", to: &d.graphExecDestroy},
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// check makes an error of a result code.
func (d *realDriver) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	name := Result(code).Name()
	var text *byte
	if d.errorName(code, &text) == 0 && text != nil {
		name = cString(text)
	}
	return &Error{Library: LibraryCUDA, Call: call, Code: int(code), Name: name}
}

// checkReady is check for a query, which succeeds, fails or is not ready.
func (d *realDriver) checkReady(call string, code int32) (bool, error) {
	if Result(code) == NotReady {
		return false, nil
	}
	return code == 0, d.check(call, code)
}

func (d *realDriver) Init() error { return d.check("cuInit", d.init(0)) }

func (d *realDriver) Version() (int, error) {
	var v int32
	err := d.check("cuDriverGetVersion", d.version(&v))
	return int(v), err
}

func (d *realDriver) DeviceCount() (int, error) {
	var n int32
	err := d.check("cuDeviceGetCount", d.deviceCount(&n))
	return int(n), err
}

func (d *realDriver) DeviceGet(ordinal int) (DeviceID, error) {
	var id DeviceID
	err := d.check("cuDeviceGet", d.deviceGet(&id, int32(ordinal)))
	return id, err
}

func (d *realDriver) DeviceName(id DeviceID) (string, error) {
	name := make([]byte, 256)
	err := d.check("cuDeviceGetName", d.deviceName(&name[0], int32(len(name)-1), id))
	return cString(&name[0]), err
}

func (d *realDriver) DeviceTotalMem(id DeviceID) (uint64, error) {
	var n uint64
	err := d.check("cuDeviceTotalMem", d.deviceTotalMem(&n, id))
	return n, err
}

func (d *realDriver) DeviceAttribute(a Attribute, id DeviceID) (int, error) {
	var v int32
	err := d.check("cuDeviceGetAttribute", d.deviceAttribute(&v, a, id))
	return int(v), err
}

func (d *realDriver) PrimaryCtxRetain(id DeviceID) (Context, error) {
	var c Context
	err := d.check("cuDevicePrimaryCtxRetain", d.ctxRetain(&c, id))
	return c, err
}

func (d *realDriver) PrimaryCtxRelease(id DeviceID) error {
	return d.check("cuDevicePrimaryCtxRelease", d.ctxRelease(id))
}

func (d *realDriver) CtxSetCurrent(c Context) error {
	return d.check("cuCtxSetCurrent", d.ctxSetCurrent(c))
}

func (d *realDriver) CtxSynchronize() error {
	r, _, _ := purego.SyscallN(d.ctxSync)
	return d.check("cuCtxSynchronize", int32(r))
}

func (d *realDriver) StreamCreate(f StreamFlags) (Stream, error) {
	var s Stream
	err := d.check("cuStreamCreate", d.streamCreate(&s, f))
	return s, err
}

func (d *realDriver) StreamDestroy(s Stream) error {
	return d.check("cuStreamDestroy", d.streamDestroy(s))
}

func (d *realDriver) StreamSynchronize(s Stream) error {
	r, _, _ := purego.SyscallN(d.streamSync, uintptr(s))
	return d.check("cuStreamSynchronize", int32(r))
}

func (d *realDriver) StreamQuery(s Stream) (bool, error) {
	r, _, _ := purego.SyscallN(d.streamQuery, uintptr(s))
	return d.checkReady("cuStreamQuery", int32(r))
}

func (d *realDriver) StreamWaitEvent(s Stream, e Event) error {
	r, _, _ := purego.SyscallN(d.streamWait, uintptr(s), uintptr(e), 0)
	return d.check("cuStreamWaitEvent", int32(r))
}

func (d *realDriver) EventCreate(f EventFlags) (Event, error) {
	var e Event
	err := d.check("cuEventCreate", d.eventCreate(&e, f))
	return e, err
}

func (d *realDriver) EventDestroy(e Event) error {
	return d.check("cuEventDestroy", d.eventDestroy(e))
}

func (d *realDriver) EventRecord(e Event, s Stream) error {
	r, _, _ := purego.SyscallN(d.eventRecord, uintptr(e), uintptr(s))
	return d.check("cuEventRecord", int32(r))
}

func (d *realDriver) EventQuery(e Event) (bool, error) {
	r, _, _ := purego.SyscallN(d.eventQuery, uintptr(e))
	return d.checkReady("cuEventQuery", int32(r))
}

func (d *realDriver) EventSynchronize(e Event) error {
	r, _, _ := purego.SyscallN(d.eventSync, uintptr(e))
	return d.check("cuEventSynchronize", int32(r))
}

func (d *realDriver) EventElapsedTime(start, end Event) (float32, error) {
	var ms float32
	err := d.check("cuEventElapsedTime", d.eventElapsed(&ms, start, end))
	return ms, err
}

func (d *realDriver) ModuleLoadData(image []byte) (Module, error) {
	if len(image) == 0 {
		return 0, &Error{Library: LibraryCUDA, Call: "cuModuleLoadData", Code: int(InvalidImage), Name: InvalidImage.Name()}
	}
	var m Module
	err := d.check("cuModuleLoadData", d.moduleLoadData(&m, &image[0]))
	return m, err
}

func (d *realDriver) ModuleUnload(m Module) error {
	return d.check("cuModuleUnload", d.moduleUnload(m))
}

func (d *realDriver) ModuleGetFunction(m Module, name string) (Function, error) {
	var f Function
	err := d.check("cuModuleGetFunction("+name+")", d.moduleGetFunction(&f, m, name))
	return f, err
}

func (d *realDriver) FuncGetAttribute(a FuncAttribute, f Function) (int, error) {
	var v int32
	err := d.check("cuFuncGetAttribute", d.funcGetAttribute(&v, a, f))
	return int(v), err
}

func (d *realDriver) FuncSetAttribute(f Function, a FuncAttribute, value int) error {
	return d.check("cuFuncSetAttribute", d.funcSetAttribute(f, a, int32(value)))
}

func (d *realDriver) OccupancyMaxActiveBlocks(f Function, blockThreads int, dynamicShared uint64) (int, error) {
	var n int32
	err := d.check("cuOccupancyMaxActiveBlocksPerMultiprocessor", d.occupancy(&n, f, int32(blockThreads), dynamicShared))
	return int(n), err
}

func (d *realDriver) LaunchKernel(f Function, grid, block Dim3, dynamicShared uint32, s Stream, params []unsafe.Pointer) error {
	var first *unsafe.Pointer
	if len(params) > 0 {
		first = &params[0]
	}
	r, _, _ := purego.SyscallN(d.launch, uintptr(f),
		uintptr(grid.X), uintptr(grid.Y), uintptr(grid.Z),
		uintptr(block.X), uintptr(block.Y), uintptr(block.Z),
		uintptr(dynamicShared), uintptr(s), uintptr(unsafe.Pointer(first)), 0)
	runtime.KeepAlive(params)
	return d.check("cuLaunchKernel", int32(r))
}

func (d *realDriver) StreamBeginCapture(s Stream, m CaptureMode) error {
	return d.check("cuStreamBeginCapture", d.streamBeginCapture(s, m))
}

func (d *realDriver) StreamEndCapture(s Stream) (Graph, error) {
	var g Graph
	err := d.check("cuStreamEndCapture", d.streamEndCapture(s, &g))
	return g, err
}

func (d *realDriver) StreamIsCapturing(s Stream) (bool, error) {
	var status int32 // 0 none, 1 active, 2 invalidated
	err := d.check("cuStreamIsCapturing", d.streamIsCapturing(s, &status))
	return status != 0, err
}

func (d *realDriver) GraphInstantiate(g Graph) (GraphExec, error) {
	var x GraphExec
	err := d.check("cuGraphInstantiateWithFlags", d.graphInstantiate(&x, g, 0))
	return x, err
}

func (d *realDriver) GraphLaunch(x GraphExec, s Stream) error {
	r, _, _ := purego.SyscallN(d.graphLaunch, uintptr(x), uintptr(s))
	return d.check("cuGraphLaunch", int32(r))
}

func (d *realDriver) GraphDestroy(g Graph) error {
	return d.check("cuGraphDestroy", d.graphDestroy(g))
}

func (d *realDriver) GraphExecDestroy(x GraphExec) error {
	return d.check("cuGraphExecDestroy", d.graphExecDestroy(x))
}
