// Package cleanup waits for what a garbage collection makes due: finalizers and cleanups
// run in goroutines of their own, after it.
package cleanup

import (
	"runtime/metrics"
	"time"
)

// Kind is what is waited for.
type Kind string

const (
	Finalizers Kind = "finalizers" // of runtime.SetFinalizer
	Cleanups   Kind = "cleanups"   // of runtime.AddCleanup
)

// Await returns when those that are due have run: after a collection, those of all that it
// found unused. It gives up after some time if another one of the program takes long.
func Await(kind Kind, atMost time.Duration) {
	name := "/gc/" + string(kind)
	stats := []metrics.Sample{{Name: name + "/queued:" + string(kind)}, {Name: name + "/executed:" + string(kind)}}
	metrics.Read(stats)
	queued := stats[0].Value.Uint64()
	wait, until := time.Microsecond, time.Now().Add(atMost)
	for stats[1].Value.Uint64() < queued && time.Now().Before(until) {
		time.Sleep(wait)
		wait = min(2*wait, time.Millisecond)
		metrics.Read(stats[1:])
	}
}
