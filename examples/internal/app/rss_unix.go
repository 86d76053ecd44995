//go:build linux || darwin

package app

// Peak memory from the operating system.

import (
	"runtime"
	"syscall"
)

// peakRSSMB is the largest resident size of the process so far, in MB; 0 if the
// system does not say.
func peakRSSMB() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	unit := 1024.0 // Linux counts in KiB
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(u.Maxrss) * unit / 1e6
}
