//go:build linux && !android && (amd64 || arm64)

package plugin

// Shared memory, seen from the worker: only what a call may touch can be touched.

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guard is how much memory around a slot nobody can access.
const guard = 1 << 20

// A window is a slot in the worker.
type window struct {
	fd     int
	base   unsafe.Pointer // of the guard before the slot
	size   int            // of the slot
	lo, hi int            // what can be accessed
	access int
}

// remap maps a slot that has grown.
func (w *window) remap(size int) error {
	if w.base != nil {
		if err := unix.MunmapPtr(w.base, uintptr(w.size+2*guard)); err != nil {
			return fmt.Errorf("unmapping a slot: %w", err)
		}
	}
	*w = window{fd: w.fd, size: size}
	base, err := unix.MmapPtr(-1, 0, nil, uintptr(size+2*guard), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
	if err != nil {
		return fmt.Errorf("reserving %d bytes: %w", size+2*guard, err)
	}
	w.base = base
	if _, err := unix.MmapPtr(w.fd, 0, w.start(), uintptr(size), unix.PROT_NONE, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
		return fmt.Errorf("mapping %d bytes: %w", size, err)
	}
	return nil
}

// start is where the slot begins.
func (w *window) start() unsafe.Pointer { return unsafe.Add(w.base, guard) }

// show makes an operand accessible, and nothing else of the slot.
func (w *window) show(p placed) error {
	access := unix.PROT_READ
	if p.Writable {
		access |= unix.PROT_WRITE
	}
	if p.Lo == w.lo && p.Hi == w.hi && access == w.access {
		return nil
	}
	if err := w.protect(w.lo, w.hi, unix.PROT_NONE); err != nil {
		return err
	}
	w.lo, w.hi, w.access = p.Lo, p.Hi, access
	return w.protect(p.Lo, p.Hi, access)
}

func (w *window) protect(lo, hi, access int) error {
	if lo == hi {
		return nil
	}
	if err := unix.Mprotect(unsafe.Slice((*byte)(unsafe.Add(w.start(), lo)), hi-lo), access); err != nil {
		return fmt.Errorf("protecting an operand: %w", err)
	}
	return nil
}
