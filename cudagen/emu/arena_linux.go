package emu

// Memory that two processes have at the same addresses: a file without a name,
// mapped by both. Addresses are given out once; only touched pages cost memory.

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

func supported() error { return nil }

// arena is a range of addresses.
type arena struct {
	file *os.File
	base uintptr
	size uint64
	page uint64
	next uint64 // offset of what was not given out yet
	data []byte
}

// ranges are addresses at which neither program, libraries, Go's heap nor the race
// detector's tables are, for address spaces of 47 bits and of 39.
var ranges = []struct{ from, to uint64 }{
	{0x1000_0000_0000, 0x2000_0000_0000},
	{0x3400_0000_0000, 0x5000_0000_0000},
	{0x20_0000_0000, 0x50_0000_0000},
}

// newArena reserves addresses.
func newArena(size uint64) (*arena, error) {
	fd, err := unix.MemfdCreate("asterias-emu", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("emu: memfd_create: %w", err)
	}
	a := &arena{file: os.NewFile(uintptr(fd), "asterias-emu"), page: uint64(os.Getpagesize())}
	if err = a.file.Truncate(int64(size)); err == nil {
		err = a.mapAt(size)
	}
	if err != nil {
		a.file.Close()
		return nil, fmt.Errorf("emu: no room for %d bytes of addresses: %w", size, err)
	}
	return a, nil
}

// mapAt maps the file at addresses that are free here; the other process has fewer
// mappings.
func (a *arena) mapAt(size uint64) error {
	err := unix.ENOMEM
	for _, r := range ranges {
		for at := r.from; at+size <= r.to; at += size {
			p, mapErr := unix.MmapPtr(int(a.file.Fd()), 0, pointerAt(uintptr(at)), uintptr(size),
				unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE|unix.MAP_FIXED_NOREPLACE)
			if mapErr == nil {
				a.base, a.size = uintptr(p), size
				a.data = unsafe.Slice((*byte)(p), size)
				return nil
			}
			if errno, ok := mapErr.(unix.Errno); ok {
				err = errno
			}
		}
	}
	return err
}

// pointerAt makes a pointer of an address outside of Go's memory.
func pointerAt(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// take gives out n bytes of pages with a guard page before and behind; it returns
// the offset, or false if there is no room.
func (a *arena) take(n uint64) (offset uint64, ok bool) {
	n = (n + a.page - 1) / a.page * a.page
	if n > a.size || a.next+n+2*a.page > a.size {
		return 0, false
	}
	offset = a.next + a.page
	a.next = offset + n + a.page
	return offset, true
}

// forget gives the memory of pages back, not their addresses.
func (a *arena) forget(offset, n uint64) error {
	return unix.Fallocate(int(a.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, int64(offset), int64(n))
}

func (a *arena) close() error {
	err := unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(a.data)), uintptr(a.size))
	a.data = nil
	if closeErr := a.file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// Protections of pages.
const (
	noAccess  = unix.PROT_NONE
	readable  = unix.PROT_READ
	writeable = unix.PROT_READ | unix.PROT_WRITE
)
