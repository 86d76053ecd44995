package numtest

import (
	"runtime/debug"
	"testing"
)

// Allocations is how often a call of f allocates, on average over runs calls
// after one that warms it up. The runtime counts the whole process, and a
// collection empties pools of scratch memory, so this measures a few times with
// the collector stopped and takes the least: what others allocate only adds.
func Allocations(runs int, f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := testing.AllocsPerRun(runs, f)
	for range 4 {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
