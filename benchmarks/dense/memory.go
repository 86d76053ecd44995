// Fresh memory in a training step that has been running for a while.

package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	smallBuffer = 4 << 10 // bytes; what is larger must be reused
	// The pool hands out some hundred megabytes between two collections, and what it lacks
	// shows over several of these: a state is steady when there have been so many. Work that
	// needs few gets at most so many times the steps.
	warmUpSteps       = 400
	warmUpCollections = 16
	warmUpMost        = 5
	memorySteps       = 400
	// memorySites is how many of the places that allocate most are named.
	memorySites = 5
)

// allocations is what one step of some work takes, on average: from Go's heap,
// and from the pool that tensors have their memory from.
type allocations struct {
	count, bytes           float64 // all objects
	largeCount, largeBytes float64 // objects over smallBuffer, the pool's among them
	sites                  []string

	poolFresh, poolReused float64 // buffers that the pool made, and that it had
	collections           float64 // garbage collections that the pool asked for
	peak                  int64   // bytes of the pool in use at most, in any step
}

// A site is a call stack that allocates objects of one size.
type site struct {
	stack [32]uintptr
	size  int64
}

// measureAllocations runs step to warm up, so many times or more, and then steps times.
func measureAllocations(step func(), warmUp, steps int) allocations {
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 1 // record everything, once the samples in flight are through
	defer func() { runtime.MemProfileRate = rate }()
	asked := tensor.MemoryStats().Collections
	for n := 0; n < warmUp || n < warmUpMost*warmUp && tensor.MemoryStats().Collections-asked < warmUpCollections; n++ {
		step()
	}
	before := largeObjects()
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	tensor.ResetPeakMemory()
	poolStart := tensor.MemoryStats()
	for range steps {
		step()
	}
	poolEnd := tensor.MemoryStats()
	runtime.ReadMemStats(&end)
	after := largeObjects()

	n := float64(steps)
	a := allocations{
		count:       float64(end.Mallocs-start.Mallocs) / n,
		bytes:       float64(end.TotalAlloc-start.TotalAlloc) / n,
		poolFresh:   float64(poolEnd.Fresh-poolStart.Fresh) / n,
		poolReused:  float64(poolEnd.Reused-poolStart.Reused) / n,
		collections: float64(poolEnd.Collections-poolStart.Collections) / n,
		peak:        poolEnd.Peak,
	}
	fresh := map[site]int64{}
	for s, objects := range after {
		if d := objects - before[s]; d > 0 {
			fresh[s] = d
			a.largeCount += float64(d) / n
			a.largeBytes += float64(d*s.size) / n
		}
	}
	most := slices.SortedFunc(maps.Keys(fresh), func(x, y site) int {
		return cmp.Or(cmp.Compare(fresh[y]*y.size, fresh[x]*x.size), cmp.Compare(place(x.stack), place(y.stack)))
	})
	for _, s := range most[:min(len(most), memorySites)] {
		a.sites = append(a.sites, fmt.Sprintf("%.3g of %s B in %s", float64(fresh[s])/n, harness.Number(float64(s.size)), place(s.stack)))
	}
	return a
}

// largeObjects counts the objects over smallBuffer allocated so far, but for
// those of this function.
func largeObjects() map[site]int64 {
	runtime.GC() // the profile lags by two collections
	runtime.GC()
	var records []runtime.MemProfileRecord
	for n, ok := runtime.MemProfile(nil, true); !ok; {
		records = make([]runtime.MemProfileRecord, n+64) // it may grow meanwhile
		if n, ok = runtime.MemProfile(records, true); ok {
			records = records[:n]
		}
	}
	objects := map[site]int64{}
	for _, r := range records {
		isOurs := func(function string) bool { return strings.HasSuffix(function, ".largeObjects") }
		if r.AllocObjects == 0 || slices.ContainsFunc(names(r.Stack0), isOurs) {
			continue
		}
		if size := r.AllocBytes / r.AllocObjects; size > smallBuffer {
			objects[site{r.Stack0, size}] += r.AllocObjects
		}
	}
	return objects
}

// names lists the functions of a stack outside the run time system, innermost
// first.
func names(stack [32]uintptr) (functions []string) {
	depth := slices.Index(stack[:], 0)
	if depth < 0 {
		depth = len(stack)
	}
	frames := runtime.CallersFrames(stack[:depth])
	for more := depth > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "internal/runtime/") {
			functions = append(functions, f.Function[strings.LastIndex(f.Function, "/")+1:])
		}
	}
	return functions
}

// place is the innermost few functions of a stack.
func place(stack [32]uintptr) string {
	functions := names(stack)
	return strings.Join(functions[:min(len(functions), 4)], " < ")
}

// memorySection bounds the training step of the perceptron.
func memorySection(b *bench, s netSize) error {
	const name = "step of the perceptron"
	if !b.wanted(name) {
		return nil
	}
	step := newMLPTask(s, 1).step()
	a := measureAllocations(func() { step() }, warmUpSteps, memorySteps)
	b.bound(name, "new buffers over 4 KiB", a.largeCount, 0)
	b.bound(name, "bytes in them", a.largeBytes, -1)
	b.bound(name, "buffers the pool made", a.poolFresh, 0)
	b.bound(name, "buffers the pool had", a.poolReused, -1)
	b.bound(name, "collections by the pool", a.collections, -1)
	b.bound(name, "peak bytes in use", float64(a.peak), -1)
	b.bound(name, "allocations of any size", a.count, -1)
	b.bound(name, "bytes of any size", a.bytes, -1)
	for _, site := range a.sites {
		if note := "most in a step: " + site; !slices.Contains(b.section.Notes, note) {
			b.section.Notes = append(b.section.Notes, note)
		}
	}
	return nil
}
