package main

import (
	"strings"
	"testing"
)

var keep []byte // makes allocations escape

func TestMeasureAllocationsCountsLargeBuffersExactly(t *testing.T) {
	step := func() {
		for _, size := range []int{16, smallBuffer, 2 * smallBuffer, 10 * smallBuffer} {
			keep = make([]byte, size)
		}
	}
	a := measureAllocations(step, 3, 10)
	if a.largeCount != 2 || a.largeBytes != 12*smallBuffer {
		t.Errorf("%v buffers of %v bytes over %d, want 2 of %d", a.largeCount, a.largeBytes, smallBuffer, 12*smallBuffer)
	}
	if a.count < 4 || a.bytes < 13*smallBuffer+16 {
		t.Errorf("%v allocations of %v bytes in all", a.count, a.bytes)
	}
	if len(a.sites) != 2 || !strings.HasPrefix(a.sites[0], "1 of 40 960 B in ") || !strings.Contains(a.sites[0], "TestMeasureAllocations") {
		t.Errorf("sites are %q", a.sites)
	}
}

func TestMeasureAllocationsOfReusedMemoryIsZero(t *testing.T) {
	buffer := make([]byte, 1<<20)
	a := measureAllocations(func() { clear(buffer) }, 3, 10)
	if a.largeCount != 0 || a.largeBytes != 0 || len(a.sites) != 0 {
		t.Errorf("%+v", a)
	}
}
