// The buffer pool: where the memory of large tensors comes from and returns to.

package cpu

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
	"unsafe"

	"github.com/asterias-ml/asterias/internal/cleanup"
)

// A buffer is a block of Go's heap without pointers. It returns to the pool in
// one of two ways: Free, when its only user knows that it is done, or a
// finalizer, when the garbage collector finds that nothing points into it any
// more. The second way needs nobody's word, so a tensor, a view or a plain slice
// that is still held can never see its memory reused.
//
// Finalizers run only after a garbage collection, and reused buffers are not
// garbage that would bring one about. So the pool has a budget: what it may hold
// besides the buffers that the last collection found in use. Where no free buffer
// fits and the budget is used up, Alloc collects first and grows the pool only if
// that does not help: in a steady state it never grows. Once it is that large, a
// collection starts beside the program when half of the budget is gone, so that the
// program seldom has to wait for one. How long that takes is a matter of chance, and what
// the program hands out meanwhile, too: a pool that has had enough for some time does not
// grow by it either, but waits.

// SmallBuffer is the size in bytes up to which memory is left to Go's own
// allocator: keeping track of it would cost more than making it.
const SmallBuffer = 4 << 10

const (
	// Sizes are rounded up to 32 steps between powers of two: at most 3 % is wasted, and
	// what a plan predicts is what the pool counts.
	sizeSteps  = 5
	numClasses = (64 - 12) << sizeSteps

	// The budget: how much is handed out between two collections. Little at first, because
	// what stays in the caches is faster, and twice as much whenever a collection
	// is due again so soon after the last that its fraction of a millisecond, or what it
	// took, would be felt, several times in a row. It is kept, so that what a program needs
	// stays at hand.
	firstBudget = 8 << 20
	largeBudget = 64 << 20
	soon        = 10 * time.Millisecond
	rest        = 4 // times as long as the collection took
	inARow      = 2

	// A collection scans all that has pointers. The budget may be perScanned times that, up to
	// wideBudget, and beyond as much as is scanned, which is what Go lets a heap grow by.
	perScanned = 4
	wideBudget = 256 << 20

	// A pool that has not grown for so many collections has enough.
	steadyAfter = 8

	// What the pool holds beyond the budget, as after a change of sizes, and stayed
	// free over this many collections goes back to Go; at once beyond twice of it.
	trimEvery = 16

	// How long a collection waits for the program's finalizers, and a trim for its cleanups.
	finalizerTimeout = 100 * time.Millisecond
)

// MemoryStats counts the memory of buffers larger than SmallBuffer, in bytes.
type MemoryStats struct {
	Live        int64 // handed out and not returned; includes what the next garbage collection will return
	Peak        int64 // the largest Live since the start or ResetPeak
	Allocated   int64 // all that was ever handed out, made or reused
	Pooled      int64 // free, waiting to be handed out
	Fresh       int64 // how many buffers were newly made
	Reused      int64 // how many were handed out again
	Collections int64 // how many garbage collections the pool asked for
}

type bufferPool struct {
	mu      sync.Mutex
	free    [numClasses][]unsafe.Pointer // last in, first out: the warmest first
	idle    [numClasses]int              // the fewest free since the last trim
	stats   MemoryStats
	settled int64     // Live after the last collection
	budget  int64     // how much more the pool may hold; 0: firstBudget
	started time.Time // when the last collection began
	ended   time.Time // and when it was over
	begun   int64     // stats.Allocated when it began
	hurried int       // how many collections in a row came soon after the one before
	grown   int64     // stats.Collections when a buffer was last made
	ahead   bool      // a collection beside the program is under way

	collecting sync.Mutex
}

var pool bufferPool

// Alloc returns size bytes of memory, which may hold old values, and the class
// that Free wants. Class 0 means memory that does not belong to the pool. The
// memory is aligned for every element type and lives as long as anything
// points into it.
func Alloc(size int) (unsafe.Pointer, int) {
	if size <= 0 {
		return nil, 0
	}
	if size <= SmallBuffer {
		return unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8))), 0
	}
	class := classOf(size)
	if p := pool.take(class); p != nil {
		return p, class
	}
	if pool.owes(class) {
		if p := pool.collect(class); p != nil {
			return p, class
		}
	}
	return pool.grow(class), class
}

// Free returns memory from Alloc to the pool, which may hand it out at once. The
// caller vouches that nothing uses it any more. Memory of class 0 is left alone.
func Free(p unsafe.Pointer, class int) {
	if class != 0 {
		pool.put(p, class)
	}
}

// Memory returns the pool's counts.
func Memory() MemoryStats {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	return pool.stats
}

// ResetPeak sets Peak to Live.
func ResetPeak() {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	pool.stats.Peak = pool.stats.Live
}

// TrimPool collects garbage, lets what waits for that run, as devices that free their
// memory do, and gives the pool's free memory back to Go.
func TrimPool() {
	pool.collect(0)
	cleanup.Await(cleanup.Cleanups, finalizerTimeout)
	pool.mu.Lock()
	defer pool.mu.Unlock()
	for class := range pool.free {
		pool.drop(class, len(pool.free[class]))
	}
}

// take hands out a free buffer of a class, nil if there is none.
func (b *bufferPool) take(class int) unsafe.Pointer {
	b.mu.Lock()
	defer b.mu.Unlock()
	free := b.free[class]
	if len(free) == 0 {
		return nil
	}
	p := free[len(free)-1]
	free[len(free)-1] = nil // or the pool would keep it from the collector
	b.free[class] = free[:len(free)-1]
	b.idle[class] = min(b.idle[class], len(free)-1)
	b.stats.Pooled -= classSize(class)
	b.stats.Reused++
	b.handOut(class)
	return p
}

// grow makes a new buffer.
func (b *bufferPool) grow(class int) unsafe.Pointer {
	p := unsafe.Pointer(unsafe.SliceData(make([]uint64, classSize(class)/8)))
	adviseHugePages(p, classSize(class))
	watch(p, class)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stats.Fresh++
	b.grown = b.stats.Collections
	b.handOut(class)
	return p
}

func (b *bufferPool) handOut(class int) {
	b.stats.Live += classSize(class)
	b.stats.Allocated += classSize(class)
	b.stats.Peak = max(b.stats.Peak, b.stats.Live)
	if !b.ahead && b.full(classSize(class)) {
		b.ahead = true
		go b.collectAhead(b.stats.Collections)
	}
}

// collectAhead collects beside the program, unless somebody who could not wait has collected
// since so many collections were counted.
func (b *bufferPool) collectAhead(seen int64) {
	b.collecting.Lock()
	if b.collections() == seen {
		b.collectLocked(0)
	}
	b.collecting.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ahead = false
}

func (b *bufferPool) put(p unsafe.Pointer, class int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free[class] = append(b.free[class], p)
	b.stats.Pooled += classSize(class)
	b.stats.Live -= classSize(class)
}

// forget leaves a buffer that nothing points to to Go.
func (b *bufferPool) forget(class int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stats.Live -= classSize(class)
}

// watch makes the buffer return to the pool when nothing points to it. A free
// buffer is pointed to by the pool.
func watch(p unsafe.Pointer, class int) {
	runtime.SetFinalizer((*uint64)(p), func(p *uint64) {
		if raceEnabled {
			pool.forget(class)
			return
		}
		watch(unsafe.Pointer(p), class)
		pool.put(unsafe.Pointer(p), class)
	})
}

// limit returns the budget.
func (b *bufferPool) limit() int64 { return max(b.budget, firstBudget) }

// full reports whether half of the budget was handed out since the last collection,
// so that another one is worth its time, and either the pool, with another buffer
// of a size, would hold more than it may, or the last collection is long past: then
// it comes before the pool creeps up to its limit. It wants the lock.
func (b *bufferPool) full(size int64) bool {
	return b.stats.Live-b.settled > b.limit()/2 && (b.excess()+size >= 0 || b.rested(time.Now()))
}

// rested reports whether the last collection is long past at a time. It wants the lock.
func (b *bufferPool) rested(now time.Time) bool {
	return now.Sub(b.started) > soon && now.Sub(b.ended) > rest*b.ended.Sub(b.started)
}

// excess returns by how much the pool holds more than it may.
func (b *bufferPool) excess() int64 {
	return b.stats.Live + b.stats.Pooled - b.settled - b.limit()
}

// owes reports whether a collection must come before another buffer of a class.
func (b *bufferPool) owes(class int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.full(classSize(class)) || b.steady() && b.stats.Allocated-b.begun > b.limit()/4
}

// steady reports whether the pool has had enough for some time. What it lacks now is
// then among what was handed out since the last collection began, if that is much. It
// wants the lock.
func (b *bufferPool) steady() bool { return b.stats.Collections-b.grown >= steadyAfter }

// collect returns what nobody uses to the pool and hands out a buffer of the
// class, nil if there is none or class is 0.
func (b *bufferPool) collect(class int) unsafe.Pointer {
	b.collecting.Lock()
	defer b.collecting.Unlock()
	if p := b.takeUnlessNone(class); p != nil { // another goroutine has just collected
		return p
	}
	return b.collectLocked(class)
}

// collectLocked is collect. It wants the lock of collections.
func (b *bufferPool) collectLocked(class int) unsafe.Pointer {
	start, begun := time.Now(), b.allocated()
	runtime.GC()
	cleanup.Await(cleanup.Finalizers, finalizerTimeout)
	p := b.takeUnlessNone(class)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = b.stats.Live
	b.stats.Collections++
	if b.hurried++; b.rested(start) {
		b.hurried = 0
	}
	if b.hurried >= inARow {
		held := b.settled - (b.stats.Allocated - begun) // at least; the rest was handed out meanwhile
		b.budget = max(b.limit(), min(2*b.limit(), most(held, scanned(), debug.SetMemoryLimit(-1))))
	}
	b.started, b.ended, b.begun = start, time.Now(), begun
	b.trim()
	return p
}

// most returns the largest budget for a pool with bytes in use and a heap of which a
// collection scans bytes, where Go's memory has a limit.
func most(held, scanned, memoryLimit int64) int64 {
	wide := min(perScanned*scanned, max(wideBudget, scanned), memoryLimit/8)
	return max(largeBudget, held, wide)
}

// scanned returns how many bytes of the heap the last collection had to look through for pointers.
func scanned() int64 {
	sample := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// trim leaves buffers that were of no use for long to Go, as far as the pool holds
// more than it may. It wants the lock.
func (b *bufferPool) trim() {
	excess := b.excess()
	if b.stats.Collections%trimEvery != 0 && excess <= b.limit() {
		return
	}
	for class := range b.free {
		if len(b.free[class]) > 0 && excess > 0 {
			size := classSize(class)
			n := min(b.idle[class], len(b.free[class]), int((excess+size-1)/size))
			b.drop(class, n)
			excess -= int64(n) * size
		}
		b.idle[class] = len(b.free[class])
	}
}

func (b *bufferPool) collections() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats.Collections
}

func (b *bufferPool) allocated() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats.Allocated
}

func (b *bufferPool) takeUnlessNone(class int) unsafe.Pointer {
	if class == 0 {
		return nil
	}
	return b.take(class)
}

// drop leaves n free buffers of a class to Go.
func (b *bufferPool) drop(class, n int) {
	free := b.free[class]
	for _, p := range free[:n] {
		runtime.SetFinalizer((*uint64)(p), nil)
		b.stats.Pooled -= classSize(class)
	}
	b.free[class] = append([]unsafe.Pointer(nil), free[n:]...)
}

// classOf returns the smallest class that holds size bytes, size > SmallBuffer.
func classOf(size int) int {
	size-- // so that a power of two is the largest of its octave
	octave := bits.Len(uint(size)) - 1
	return (octave-12)<<sizeSteps + size>>(octave-sizeSteps) - 1<<sizeSteps + 1
}

// classSize returns the bytes of a class's buffers.
func classSize(class int) int64 {
	class--
	octave, step := class>>sizeSteps+12, class&(1<<sizeSteps-1)
	return int64(step+1<<sizeSteps+1) << (octave - sizeSteps)
}
