// The part of the CUDA driver that a GNN run time needs, as an interface.

package driver

import "unsafe"

// Handles of the driver. Zero is no object, except for [Stream], where it is
// the legacy default stream.
type (
	Context   uintptr // a device's primary context
	Stream    uintptr // a queue of device work
	Event     uintptr // a point in a stream
	Module    uintptr // loaded kernels
	Function  uintptr // one kernel of a module
	Graph     uintptr // captured work
	GraphExec uintptr // captured work, ready to launch
	DeviceID  int32   // a GPU as the driver numbers it
)

// Ptr is an address in device memory.
type Ptr uint64

// Dim3 is the size of a grid in blocks, or of a block in threads. Zero
// components mean 1 to [Ctx.Launch]; a [Driver] wants them filled in.
type Dim3 struct{ X, Y, Z uint32 }

// Attribute is a number that the driver knows about a device.
type Attribute int32

// The attributes that kernels are tuned by.
const (
	MaxThreadsPerBlock     Attribute = 1
	MaxGridX               Attribute = 5
	MaxGridY               Attribute = 6
	SharedMemoryPerBlock   Attribute = 8 // bytes, without opting in
	WarpSize               Attribute = 10
	RegistersPerBlock      Attribute = 12
	MultiprocessorCount    Attribute = 16
	MemoryClockKHz         Attribute = 36
	MemoryBusBits          Attribute = 37
	L2Bytes                Attribute = 38
	ThreadsPerSM           Attribute = 39
	ComputeCapabilityMajor Attribute = 75
	ComputeCapabilityMinor Attribute = 76
	SharedMemoryPerSM      Attribute = 81 // bytes
	SharedMemoryOptIn      Attribute = 97 // bytes a block may opt in to
	BlocksPerSM            Attribute = 106
	MemoryPools            Attribute = 115 // 1 if stream-ordered allocation works
)

// FuncAttribute is a number that the driver knows about a kernel.
type FuncAttribute int32

// Attributes of kernels; only DynamicSharedBytes can be set.
const (
	FuncMaxThreads         FuncAttribute = 0
	FuncStaticSharedBytes  FuncAttribute = 1
	FuncLocalBytes         FuncAttribute = 3 // a thread's spilled registers and arrays
	FuncRegisters          FuncAttribute = 4
	FuncDynamicSharedBytes FuncAttribute = 8 // the most a launch may ask for
)

// StreamFlags, EventFlags and CaptureMode are the driver's.
type (
	StreamFlags uint32
	EventFlags  uint32
	CaptureMode int32
)

const (
	StreamBlocking    StreamFlags = 0 // ordered with the legacy default stream
	StreamNonBlocking StreamFlags = 1

	EventTiming        EventFlags = 0
	EventDisableTiming EventFlags = 2

	CaptureGlobal      CaptureMode = 0 // other threads may not allocate meanwhile
	CaptureThreadLocal CaptureMode = 1 // this thread may not allocate meanwhile
	CaptureRelaxed     CaptureMode = 2
)

// Driver is the CUDA driver. A method is the call of the same name without its
// "cu" and version; the driver's manual says what it does. Every error is an
// [*Error]; [errors.Is] compares it with a [Result].
//
// Calls that need a context use the one that is current on the calling thread.
// Asynchronous calls report failures of earlier work too.
type Driver interface {
	Init() error
	Version() (int, error) // 12040 for CUDA 12.4

	DeviceCount() (int, error)
	DeviceGet(ordinal int) (DeviceID, error)
	DeviceName(d DeviceID) (string, error)
	DeviceTotalMem(d DeviceID) (uint64, error)
	DeviceAttribute(a Attribute, d DeviceID) (int, error)

	PrimaryCtxRetain(d DeviceID) (Context, error)
	PrimaryCtxRelease(d DeviceID) error
	CtxSetCurrent(c Context) error
	CtxSynchronize() error

	MemGetInfo() (free, total uint64, err error)
	MemAlloc(bytes uint64) (Ptr, error)
	MemFree(p Ptr) error
	MemHostAlloc(bytes uint64) (unsafe.Pointer, error) // pinned; not Go memory
	MemFreeHost(p unsafe.Pointer) error

	// HasPools reports whether the driver has the calls of the next group.
	HasPools() bool
	MemAllocAsync(bytes uint64, s Stream) (Ptr, error)
	MemFreeAsync(p Ptr, s Stream) error
	// PoolSetReleaseThreshold sets how many bytes the device's default pool keeps
	// when a stream is synchronised; PoolTrimTo releases all beyond some bytes.
	PoolSetReleaseThreshold(d DeviceID, bytes uint64) error
	PoolTrimTo(d DeviceID, bytes uint64) error

	MemcpyHtoD(dst Ptr, src unsafe.Pointer, bytes uint64) error
	MemcpyDtoH(dst unsafe.Pointer, src Ptr, bytes uint64) error
	MemcpyDtoD(dst, src Ptr, bytes uint64) error
	MemcpyHtoDAsync(dst Ptr, src unsafe.Pointer, bytes uint64, s Stream) error
	MemcpyDtoHAsync(dst unsafe.Pointer, src Ptr, bytes uint64, s Stream) error
	MemcpyDtoDAsync(dst, src Ptr, bytes uint64, s Stream) error
	MemsetD8Async(dst Ptr, value byte, count uint64, s Stream) error
	MemsetD32Async(dst Ptr, value uint32, count uint64, s Stream) error

	StreamCreate(f StreamFlags) (Stream, error)
	StreamDestroy(s Stream) error
	StreamSynchronize(s Stream) error
	StreamQuery(s Stream) (done bool, err error)
	StreamWaitEvent(s Stream, e Event) error

	EventCreate(f EventFlags) (Event, error)
	EventDestroy(e Event) error
	EventRecord(e Event, s Stream) error
	EventQuery(e Event) (done bool, err error)
	EventSynchronize(e Event) error
	EventElapsedTime(start, end Event) (milliseconds float32, err error)

	ModuleLoadData(image []byte) (Module, error)
	ModuleUnload(m Module) error
	ModuleGetFunction(m Module, name string) (Function, error)
	FuncGetAttribute(a FuncAttribute, f Function) (int, error)
	FuncSetAttribute(f Function, a FuncAttribute, value int) error
	OccupancyMaxActiveBlocks(f Function, blockThreads int, dynamicShared uint64) (blocksPerSM int, err error)

	// LaunchKernel reads what params point to before it returns. The values must
	// not be on a goroutine's stack.
	LaunchKernel(f Function, grid, block Dim3, dynamicShared uint32, s Stream, params []unsafe.Pointer) error

	StreamBeginCapture(s Stream, m CaptureMode) error
	StreamEndCapture(s Stream) (Graph, error)
	StreamIsCapturing(s Stream) (bool, error)
	GraphInstantiate(g Graph) (GraphExec, error)
	GraphLaunch(x GraphExec, s Stream) error
	GraphDestroy(g Graph) error
	GraphExecDestroy(x GraphExec) error
}
