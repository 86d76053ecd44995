package cpu

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page on the processors this matters for.
const hugePage = 2 << 20

// adviseHugePages asks Linux to back the whole large pages inside new memory by large pages: fewer
// page faults, and fewer misses when rows are gathered from all over it. It is advice; whether
// it is followed is the system's business. Memory that Go's heap had before has small pages
// already, which the system would leave as they are for long: it is asked to move them (since
// Linux 6.1; before, that fails, and nothing is lost). A table in small pages takes up to 1.3
// times as long to gather from.
func adviseHugePages(p unsafe.Pointer, size int64) {
	skip := -uintptr(p) & (hugePage - 1)
	if size < int64(skip)+hugePage {
		return
	}
	length := (uintptr(size) - skip) &^ (hugePage - 1)
	mem := unsafe.Slice((*byte)(unsafe.Add(p, skip)), length)
	if unix.Madvise(mem, unix.MADV_HUGEPAGE) == nil && isResident(mem) {
		_ = unix.Madvise(mem, unix.MADV_COLLAPSE)
	}
}

// isResident tells whether memory has pages yet, by some of them: Go clears all that it had before.
func isResident(mem []byte) bool {
	const samples = 4
	page := uintptr(unix.Getpagesize())
	for i := range uintptr(samples) {
		at := uintptr(len(mem)) / samples * i &^ (page - 1)
		var resident byte
		// The package has no wrapper for mincore(2), whose lowest bit says so for each page.
		_, _, err := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mem[at])), page, uintptr(unsafe.Pointer(&resident)))
		if err == 0 && resident&1 != 0 {
			return true
		}
	}
	return false
}
