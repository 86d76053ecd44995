//go:build !linux && !darwin

package app

// Peak memory as the Go runtime knows it.

import "runtime"

// peakRSSMB is the memory that the Go runtime holds, in MB: the nearest portable
// figure to the process's peak.
func peakRSSMB() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / 1e6
}
