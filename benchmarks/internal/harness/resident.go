// How much memory this process has.

package harness

import (
	"os"
	"strconv"
	"strings"
)

// Resident is VmRSS of this process, or another field of its status such as the peak,
// VmHWM, in bytes; negative where the system does not say.
func Resident(field string) int64 {
	for line := range strings.Lines(readFile("/proc/self/status")) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kilobytes << 10
			}
		}
	}
	return -1
}

// ResetPeakResident makes the peak what is resident now, where the system can.
func ResetPeakResident() error { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
