package cpu

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// smallPages returns how much of the mappings that [from, to) meets is resident in small pages, in bytes.
func smallPages(t *testing.T, from, to uintptr) (small int64) {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	var within bool
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var lo, hi uintptr
		var kib int64
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "Rss:") && within:
			fmt.Sscanf(line, "Rss: %d kB", &kib)
			small += kib << 10
		case strings.HasPrefix(line, "AnonHugePages:") && within:
			fmt.Sscanf(line, "AnonHugePages: %d kB", &kib)
			small -= kib << 10
		default:
			if n, _ := fmt.Sscanf(line, "%x-%x ", &lo, &hi); n == 2 {
				within = lo < to && hi > from
			}
		}
	}
	return small
}

func TestMemoryThatGoHadBeforeGetsLargePages(t *testing.T) {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || strings.Contains(string(enabled), "[never]") {
		t.Skip("the system has no large pages")
	}
	const size = 64 << 20
	old := make([]byte, 2*size)
	for i := 0; i < len(old); i += 4096 {
		old[i] = 1
	}
	runtime.KeepAlive(old)
	old = nil
	runtime.GC()
	x := make([]uint64, size/8) // from where old was, which has small pages
	from := (uintptr(unsafe.Pointer(&x[0])) + hugePage - 1) &^ (hugePage - 1)
	to := (uintptr(unsafe.Pointer(&x[0])) + size) &^ (hugePage - 1)
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), size)[from-uintptr(unsafe.Pointer(&x[0])):][:to-from]
	if !isResident(mem) {
		t.Skip("Go's heap gave new memory")
	}
	adviseHugePages(unsafe.Pointer(&x[0]), size) // which makes the large pages a mapping of its own
	if small := smallPages(t, from, to); small > size/2 {
		if err := unix.Madvise(mem, unix.MADV_COLLAPSE); err != nil {
			t.Skipf("the system moves no pages: %v", err) // before Linux 6.1, or it has no large ones left
		}
		t.Errorf("%d MiB stay in small pages", small>>20)
	}
	runtime.KeepAlive(x)
}
