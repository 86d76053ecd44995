//go:build ((linux && !android) || windows) && (amd64 || arm64)

// The loaded driver's memory calls.

package driver

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

func (d *realDriver) MemGetInfo() (free, total uint64, err error) {
	err = d.check("cuMemGetInfo", d.memGetInfo(&free, &total))
	return free, total, err
}

func (d *realDriver) MemAlloc(bytes uint64) (Ptr, error) {
	p := new(Ptr)
	r, _, _ := purego.SyscallN(d.memAlloc, uintptr(unsafe.Pointer(p)), uintptr(bytes))
	return *p, d.check("cuMemAlloc", int32(r))
}

func (d *realDriver) MemFree(p Ptr) error {
	r, _, _ := purego.SyscallN(d.memFree, uintptr(p))
	return d.check("cuMemFree", int32(r))
}

func (d *realDriver) MemHostAlloc(bytes uint64) (unsafe.Pointer, error) {
	var p unsafe.Pointer
	err := d.check("cuMemHostAlloc", d.memHostAlloc(&p, bytes, 0))
	return p, err
}

func (d *realDriver) MemFreeHost(p unsafe.Pointer) error {
	return d.check("cuMemFreeHost", d.memFreeHost(p))
}

func (d *realDriver) HasPools() bool {
	return d.memAllocAsync != 0 && d.memFreeAsync != 0 && d.defaultPool != nil && d.poolSetAttribute != nil && d.poolTrimTo != nil
}

// noPools is the error of the calls that an older driver does not have.
func noPools(call string) error {
	return &Error{Library: LibraryCUDA, Call: call, Code: int(NotSupported), Name: NotSupported.Name()}
}

func (d *realDriver) MemAllocAsync(bytes uint64, s Stream) (Ptr, error) {
	if d.memAllocAsync == 0 {
		return 0, noPools("cuMemAllocAsync")
	}
	p := new(Ptr)
	r, _, _ := purego.SyscallN(d.memAllocAsync, uintptr(unsafe.Pointer(p)), uintptr(bytes), uintptr(s))
	return *p, d.check("cuMemAllocAsync", int32(r))
}

func (d *realDriver) MemFreeAsync(p Ptr, s Stream) error {
	if d.memFreeAsync == 0 {
		return noPools("cuMemFreeAsync")
	}
	r, _, _ := purego.SyscallN(d.memFreeAsync, uintptr(p), uintptr(s))
	return d.check("cuMemFreeAsync", int32(r))
}

func (d *realDriver) PoolSetReleaseThreshold(id DeviceID, bytes uint64) error {
	const releaseThreshold = 4 // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
	pool, err := d.pool(id, "cuMemPoolSetAttribute")
	if err != nil {
		return err
	}
	return d.check("cuMemPoolSetAttribute", d.poolSetAttribute(pool, releaseThreshold, &bytes))
}

func (d *realDriver) PoolTrimTo(id DeviceID, bytes uint64) error {
	pool, err := d.pool(id, "cuMemPoolTrimTo")
	if err != nil {
		return err
	}
	return d.check("cuMemPoolTrimTo", d.poolTrimTo(pool, bytes))
}

// pool returns the device's default pool, for a call on it.
func (d *realDriver) pool(id DeviceID, call string) (uintptr, error) {
	if !d.HasPools() {
		return 0, noPools(call)
	}
	var pool uintptr
	err := d.check("cuDeviceGetDefaultMemPool", d.defaultPool(&pool, id))
	return pool, err
}

func (d *realDriver) MemcpyHtoD(dst Ptr, src unsafe.Pointer, bytes uint64) error {
	r, _, _ := purego.SyscallN(d.htod, uintptr(dst), uintptr(src), uintptr(bytes))
	return d.check("cuMemcpyHtoD", int32(r))
}

func (d *realDriver) MemcpyDtoH(dst unsafe.Pointer, src Ptr, bytes uint64) error {
	r, _, _ := purego.SyscallN(d.dtoh, uintptr(dst), uintptr(src), uintptr(bytes))
	return d.check("cuMemcpyDtoH", int32(r))
}

func (d *realDriver) MemcpyDtoD(dst, src Ptr, bytes uint64) error {
	r, _, _ := purego.SyscallN(d.dtod, uintptr(dst), uintptr(src), uintptr(bytes))
	return d.check("cuMemcpyDtoD", int32(r))
}

func (d *realDriver) MemcpyHtoDAsync(dst Ptr, src unsafe.Pointer, bytes uint64, s Stream) error {
	r, _, _ := purego.SyscallN(d.htodAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return d.check("cuMemcpyHtoDAsync", int32(r))
}

func (d *realDriver) MemcpyDtoHAsync(dst unsafe.Pointer, src Ptr, bytes uint64, s Stream) error {
	r, _, _ := purego.SyscallN(d.dtohAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return d.check("cuMemcpyDtoHAsync", int32(r))
}

func (d *realDriver) MemcpyDtoDAsync(dst, src Ptr, bytes uint64, s Stream) error {
	r, _, _ := purego.SyscallN(d.dtodAsync, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
	return d.check("cuMemcpyDtoDAsync", int32(r))
}

func (d *realDriver) MemsetD8Async(dst Ptr, value byte, count uint64, s Stream) error {
	r, _, _ := purego.SyscallN(d.memsetD8Async, uintptr(dst), uintptr(value), uintptr(count), uintptr(s))
	return d.check("cuMemsetD8Async", int32(r))
}

func (d *realDriver) MemsetD32Async(dst Ptr, value uint32, count uint64, s Stream) error {
	r, _, _ := purego.SyscallN(d.memsetD32Async, uintptr(dst), uintptr(value), uintptr(count), uintptr(s))
	return d.check("cuMemsetD32Async", int32(r))
}
