//go:build gorgcu

// The driver through gorgonia.org/cu, for programs that bind CUDA through it
// already and want one binding in the process. Building needs cgo, cuda.h and
// libcuda. What that package does not offer (pinned memory, memory pools, capture,
// a kernel's attributes) goes through the library as it is loaded without the tag:
// it is the same library, and the same primary context.
//
// gorgonia.org/cu ends the process when it is initialised without a driver, so a
// binary with this tag needs one to start.

package driver

import (
	"reflect"
	"unsafe"

	"gorgonia.org/cu"
)

func init() { wrapDriver = func(d Driver) Driver { return gorgcuDriver{d} } }

// gorgcuDriver overrides the calls that gorgonia.org/cu has.
type gorgcuDriver struct{ Driver }

// gorgcuError turns an error of gorgonia.org/cu, whose type is not exported but is
// the driver's result code, into one of this package.
func gorgcuError(call string, err error) error {
	if err == nil {
		return nil
	}
	code := int(UnknownDriverFailed)
	if v := reflect.ValueOf(err); v.CanInt() {
		code = int(v.Int())
	}
	return &Error{Library: LibraryCUDA, Call: call, Code: code, Name: Result(code).Name()}
}

// The handles of gorgonia.org/cu are structs of one pointer.
func gorgcuStream(s Stream) cu.Stream       { return *(*cu.Stream)(unsafe.Pointer(&s)) }
func gorgcuEvent(e Event) cu.Event          { return *(*cu.Event)(unsafe.Pointer(&e)) }
func gorgcuModule(m Module) cu.Module       { return *(*cu.Module)(unsafe.Pointer(&m)) }
func gorgcuFunction(f Function) cu.Function { return *(*cu.Function)(unsafe.Pointer(&f)) }
func gorgcuContext(c Context) cu.CUContext  { return *(*cu.CUContext)(unsafe.Pointer(&c)) }

func (gorgcuDriver) Version() (int, error) { return cu.Version(), nil }

func (gorgcuDriver) DeviceCount() (int, error) {
	n, err := cu.NumDevices()
	return n, gorgcuError("cuDeviceGetCount", err)
}

func (gorgcuDriver) DeviceGet(ordinal int) (DeviceID, error) {
	d, err := cu.GetDevice(ordinal)
	return DeviceID(d), gorgcuError("cuDeviceGet", err)
}

func (gorgcuDriver) DeviceName(d DeviceID) (string, error) {
	name, err := cu.Device(d).Name()
	return name, gorgcuError("cuDeviceGetName", err)
}

func (gorgcuDriver) DeviceTotalMem(d DeviceID) (uint64, error) {
	n, err := cu.Device(d).TotalMem()
	return uint64(n), gorgcuError("cuDeviceTotalMem", err)
}

func (gorgcuDriver) DeviceAttribute(a Attribute, d DeviceID) (int, error) {
	v, err := cu.Device(d).Attribute(cu.DeviceAttribute(a))
	return v, gorgcuError("cuDeviceGetAttribute", err)
}

func (gorgcuDriver) PrimaryCtxRetain(d DeviceID) (Context, error) {
	c, err := cu.Device(d).RetainPrimaryCtx()
	return *(*Context)(unsafe.Pointer(&c)), gorgcuError("cuDevicePrimaryCtxRetain", err)
}

func (gorgcuDriver) PrimaryCtxRelease(d DeviceID) error {
	return gorgcuError("cuDevicePrimaryCtxRelease", cu.Device(d).ReleasePrimaryCtx())
}

func (gorgcuDriver) CtxSetCurrent(c Context) error {
	return gorgcuError("cuCtxSetCurrent", cu.SetCurrentContext(gorgcuContext(c)))
}

func (gorgcuDriver) CtxSynchronize() error {
	return gorgcuError("cuCtxSynchronize", cu.Synchronize())
}

func (gorgcuDriver) MemGetInfo() (free, total uint64, err error) {
	f, t, err := cu.MemInfo()
	return uint64(f), uint64(t), gorgcuError("cuMemGetInfo", err)
}

func (gorgcuDriver) MemAlloc(bytes uint64) (Ptr, error) {
	p, err := cu.MemAlloc(int64(bytes))
	return Ptr(p), gorgcuError("cuMemAlloc", err)
}

func (gorgcuDriver) MemFree(p Ptr) error {
	return gorgcuError("cuMemFree", cu.MemFree(cu.DevicePtr(p)))
}

func (gorgcuDriver) MemcpyHtoD(dst Ptr, src unsafe.Pointer, bytes uint64) error {
	return gorgcuError("cuMemcpyHtoD", cu.MemcpyHtoD(cu.DevicePtr(dst), src, int64(bytes)))
}

func (gorgcuDriver) MemcpyDtoH(dst unsafe.Pointer, src Ptr, bytes uint64) error {
	return gorgcuError("cuMemcpyDtoH", cu.MemcpyDtoH(dst, cu.DevicePtr(src), int64(bytes)))
}

func (gorgcuDriver) MemcpyDtoD(dst, src Ptr, bytes uint64) error {
	return gorgcuError("cuMemcpyDtoD", cu.MemcpyDtoD(cu.DevicePtr(dst), cu.DevicePtr(src), int64(bytes)))
}

func (gorgcuDriver) MemcpyHtoDAsync(dst Ptr, src unsafe.Pointer, bytes uint64, s Stream) error {
	return gorgcuError("cuMemcpyHtoDAsync", cu.MemcpyHtoDAsync(cu.DevicePtr(dst), src, int64(bytes), gorgcuStream(s)))
}

func (gorgcuDriver) MemcpyDtoHAsync(dst unsafe.Pointer, src Ptr, bytes uint64, s Stream) error {
	return gorgcuError("cuMemcpyDtoHAsync", cu.MemcpyDtoHAsync(dst, cu.DevicePtr(src), int64(bytes), gorgcuStream(s)))
}

func (gorgcuDriver) MemcpyDtoDAsync(dst, src Ptr, bytes uint64, s Stream) error {
	return gorgcuError("cuMemcpyDtoDAsync", cu.MemcpyDtoDAsync(cu.DevicePtr(dst), cu.DevicePtr(src), int64(bytes), gorgcuStream(s)))
}

func (gorgcuDriver) MemsetD8Async(dst Ptr, value byte, count uint64, s Stream) error {
	return gorgcuError("cuMemsetD8Async", cu.MemsetD8Async(cu.DevicePtr(dst), value, int64(count), gorgcuStream(s)))
}

func (gorgcuDriver) MemsetD32Async(dst Ptr, value uint32, count uint64, s Stream) error {
	return gorgcuError("cuMemsetD32Async", cu.MemsetD32Async(cu.DevicePtr(dst), uint(value), int64(count), gorgcuStream(s)))
}

func (gorgcuDriver) StreamCreate(f StreamFlags) (Stream, error) {
	s, err := cu.MakeStream(cu.StreamFlags(f))
	return *(*Stream)(unsafe.Pointer(&s)), gorgcuError("cuStreamCreate", err)
}

func (gorgcuDriver) StreamDestroy(s Stream) error {
	stream := gorgcuStream(s)
	return gorgcuError("cuStreamDestroy", stream.Destroy())
}

func (gorgcuDriver) StreamSynchronize(s Stream) error {
	return gorgcuError("cuStreamSynchronize", gorgcuStream(s).Synchronize())
}

func (gorgcuDriver) StreamWaitEvent(s Stream, e Event) error {
	return gorgcuError("cuStreamWaitEvent", gorgcuStream(s).Wait(gorgcuEvent(e), 0))
}

func (gorgcuDriver) EventCreate(f EventFlags) (Event, error) {
	e, err := cu.MakeEvent(cu.EventFlags(f))
	return *(*Event)(unsafe.Pointer(&e)), gorgcuError("cuEventCreate", err)
}

func (gorgcuDriver) EventDestroy(e Event) error {
	event := gorgcuEvent(e)
	return gorgcuError("cuEventDestroy", cu.DestroyEvent(&event))
}

func (gorgcuDriver) EventRecord(e Event, s Stream) error {
	return gorgcuError("cuEventRecord", gorgcuEvent(e).Record(gorgcuStream(s)))
}

func (gorgcuDriver) EventSynchronize(e Event) error {
	return gorgcuError("cuEventSynchronize", gorgcuEvent(e).Synchronize())
}

func (gorgcuDriver) EventElapsedTime(start, end Event) (float32, error) {
	ms, err := gorgcuEvent(start).Elapsed(gorgcuEvent(end))
	return float32(ms), gorgcuError("cuEventElapsedTime", err)
}

func (gorgcuDriver) ModuleLoadData(image []byte) (Module, error) {
	m, err := cu.LoadData(string(image))
	return *(*Module)(unsafe.Pointer(&m)), gorgcuError("cuModuleLoadData", err)
}

func (gorgcuDriver) ModuleUnload(m Module) error {
	return gorgcuError("cuModuleUnload", gorgcuModule(m).Unload())
}

func (gorgcuDriver) ModuleGetFunction(m Module, name string) (Function, error) {
	f, err := gorgcuModule(m).Function(name)
	return *(*Function)(unsafe.Pointer(&f)), gorgcuError("cuModuleGetFunction", err)
}

func (gorgcuDriver) OccupancyMaxActiveBlocks(f Function, blockThreads int, dynamicShared uint64) (int, error) {
	n, err := gorgcuFunction(f).MaxActiveBlocksPerMultiProcessor(blockThreads, int64(dynamicShared))
	return n, gorgcuError("cuOccupancyMaxActiveBlocksPerMultiprocessor", err)
}

func (gorgcuDriver) LaunchKernel(f Function, grid, block Dim3, dynamicShared uint32, s Stream, params []unsafe.Pointer) error {
	err := gorgcuFunction(f).Launch(int(grid.X), int(grid.Y), int(grid.Z), int(block.X), int(block.Y), int(block.Z), int(dynamicShared), gorgcuStream(s), params)
	return gorgcuError("cuLaunchKernel", err)
}
