// The parallel loop every CPU operation shares.

package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// threads is the number SetThreads asked for; 0 means GOMAXPROCS.
var threads atomic.Int32

// SetThreads sets how many goroutines an operation may use. n <= 0 restores the
// default, GOMAXPROCS. The number changes speed only, never a result.
func SetThreads(n int) { threads.Store(int32(max(n, 0))) }

// Threads returns how many goroutines an operation may use.
func Threads() int {
	if n := threads.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// ParallelFor calls fn for consecutive ranges that cover [0, n) once, each of
// grain iterations (the last may be shorter), on up to Threads goroutines that
// draw ranges as they become free. The ranges depend on n and grain only, so a
// per-range result is the same for any number of threads. A range is fn's alone:
// writes to disjoint ranges need no lock.
//
// A panic in fn reaches the caller after all goroutines have stopped.
func ParallelFor(n, grain int, fn func(lo, hi int)) {
	if n <= 0 {
		return
	}
	grain = max(grain, 1)
	chunks := (n + grain - 1) / grain
	workers := min(Threads(), chunks)
	if workers <= 1 {
		for lo := 0; lo < n; lo += grain {
			fn(lo, min(lo+grain, n))
		}
		return
	}
	p := &loop{n: n, grain: grain, fn: fn}
	p.wg.Add(workers - 1)
	for range workers - 1 {
		go p.work()
	}
	p.run()
	p.wg.Wait()
	if c := p.caught.Load(); c != nil {
		panic(c.value)
	}
}

// loop is the state of one ParallelFor: one allocation whatever the number of
// chunks.
type loop struct {
	next     atomic.Int64
	n, grain int
	fn       func(lo, hi int)
	wg       sync.WaitGroup
	caught   atomic.Pointer[caught]
}

type caught struct{ value any }

func (p *loop) work() {
	defer p.wg.Done()
	p.run()
}

func (p *loop) run() {
	defer func() {
		if v := recover(); v != nil {
			p.caught.CompareAndSwap(nil, &caught{v})
			p.next.Store(int64(p.n)) // no more chunks
		}
	}()
	for {
		lo := int(p.next.Add(int64(p.grain))) - p.grain
		if lo >= p.n {
			return
		}
		p.fn(lo, min(lo+p.grain, p.n))
	}
}
