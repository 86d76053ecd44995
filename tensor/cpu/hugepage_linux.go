package cpu

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page on the processors this matters for.
const hugePage = 2 << 20

// adviseHugePages asks Linux to back the whole large pages inside fresh memory by
// large pages: fewer page faults, and fewer misses when rows are gathered from
// all over it. It is advice; whether it is followed is the system's business.
func adviseHugePages(p unsafe.Pointer, size int64) {
	skip := -uintptr(p) & (hugePage - 1)
	if size < int64(skip)+hugePage {
		return
	}
	length := (uintptr(size) - skip) &^ (hugePage - 1)
	_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), length), unix.MADV_HUGEPAGE)
}
