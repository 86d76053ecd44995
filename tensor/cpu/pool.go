// The buffer pool: where the memory of large tensors comes from and returns to.

package cpu

import (
	"math/bits"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// A buffer is a block of Go's heap without pointers. It returns to the pool in
// one of two ways: Free, when its only user knows that it is done, or a
// finalizer, when the garbage collector finds that nothing points into it any
// more. The second way needs nobody's word, so a tensor, a view or a plain slice
// that is still held can never see its memory reused.
//
// Finalizers run only after a garbage collection, and reused buffers are not
// garbage that would bring one about. So when no free buffer fits and a budget
// has been handed out since the last collection, Alloc collects first and
// grows the pool only if that does not help: in a steady state it never grows.
// When half of the budget is gone a collection starts beside the program, which
// then seldom has to wait for one.

// SmallBuffer is the size in bytes up to which memory is left to Go's own
// allocator: keeping track of it would cost more than making it.
const SmallBuffer = 4 << 10

const (
	// Sizes are rounded up to a power of two plus eighths: at most an eighth is wasted.
	eighths    = 3
	numClasses = (64 - 12) << eighths

	// How much is handed out between two collections: little at first, because
	// what stays in the caches is faster, and twice as much whenever a collection
	// turns out to be due again before so many times its own time has passed.
	firstBudget       = 8 << 20
	largeBudget       = 256 << 20
	timePerCollection = 16

	// Buffers that stayed free over this many collections go back to Go.
	trimEvery = 16
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
	budget  int64     // how much more Live may be before the next; 0: firstBudget
	ended   time.Time // when the last collection was over
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
	if pool.owes() {
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

// TrimPool collects garbage and gives the pool's free memory back to Go.
func TrimPool() {
	pool.collect(0)
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
	watch(p, class)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stats.Fresh++
	b.handOut(class)
	return p
}

func (b *bufferPool) handOut(class int) {
	b.stats.Live += classSize(class)
	b.stats.Allocated += classSize(class)
	b.stats.Peak = max(b.stats.Peak, b.stats.Live)
	if b.stats.Live-b.settled > max(b.budget, firstBudget)/2 && !b.ahead {
		b.ahead = true
		go func() {
			b.collect(0)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.ahead = false
		}()
	}
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

// owes reports whether so much was handed out since the last collection that
// another one is worth its time.
func (b *bufferPool) owes() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats.Live-b.settled > max(b.budget, firstBudget)
}

// collect returns what nobody uses to the pool and hands out a buffer of the
// class, nil if there is none or class is 0.
func (b *bufferPool) collect(class int) unsafe.Pointer {
	b.collecting.Lock()
	defer b.collecting.Unlock()
	if p := b.takeUnlessNone(class); p != nil { // another goroutine has just collected
		return p
	}
	start := time.Now()
	// Finalizers run one after the other in a goroutine of Go's; one of our own
	// says that the collection's have begun to run.
	begun := make(chan struct{})
	runtime.SetFinalizer(&[64]byte{}, func(*[64]byte) { close(begun) })
	runtime.GC()
	timeout := time.After(100 * time.Millisecond)
	select {
	case <-begun:
	case <-timeout: // another finalizer of the program takes its time
	}
	took := time.Since(start)
	p := b.takeUnlessNone(class)
	for wait := time.Microsecond; p == nil && class != 0 && wait < time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		p = b.take(class)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = b.stats.Live
	b.stats.Collections++
	if start.Sub(b.ended) < timePerCollection*took {
		b.budget = min(2*max(b.budget, firstBudget), max(largeBudget, b.settled))
	}
	b.ended = time.Now()
	if b.stats.Collections%trimEvery == 0 {
		for class := range b.free {
			b.drop(class, min(b.idle[class], len(b.free[class])))
			b.idle[class] = len(b.free[class])
		}
	}
	return p
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
	return (octave-12)<<eighths + size>>(octave-eighths) - 1<<eighths + 1
}

// classSize returns the bytes of a class's buffers.
func classSize(class int) int64 {
	class--
	octave, eighth := class>>eighths+12, class&(1<<eighths-1)
	return int64(eighth+1<<eighths+1) << (octave - eighths)
}
