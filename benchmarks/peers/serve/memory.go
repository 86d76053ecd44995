package serve

// The process's memory, as Linux tells it.

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// resident is the process's VmRSS, or its peak VmHWM, in bytes.
func resident(field string) (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return 1024 * kib, err
		}
	}
	return 0, fmt.Errorf("the system does not tell %s", field)
}

// live is what is resident after garbage was given back to the system.
func live() (int64, error) {
	debug.FreeOSMemory()
	debug.FreeOSMemory() // a sync.Pool keeps what it has through one collection
	return resident("VmRSS")
}

// peakGrowth is by how much what is resident grows at most while f runs.
func peakGrowth(f func() error) (int64, error) {
	before, err := live()
	if err != nil {
		return 0, err
	}
	// The peak becomes what is resident now.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	peak, err := resident("VmHWM")
	return max(0, peak-before), err
}
