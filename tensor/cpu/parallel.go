// The parallel loop every CPU operation shares.

package cpu

import (
	"runtime"
	"sync/atomic"
	"time"
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
	p := &loop{n: n, grain: grain, fn: fn, idle: make(chan struct{}, 1)}
	p.seats.Store(int32(workers - 1))
	offered.Store(p)
	for range workers - 1 - int(lookers.Load()) {
		go help(p)
	}
	p.run()
	p.wait()
	offered.CompareAndSwap(p, nil) // what fn captured may go
	if c := p.caught.Load(); c != nil {
		panic(c.value)
	}
}

// Waking a thread takes tens of microseconds, as long as many a loop. So a helper
// that has finished looks for another loop for a while before it ends, and a loop
// does not wait for helpers that have not begun: the caller does all the work if
// it must.

// lookAround is how long a helper looks for another loop.
const lookAround = 60 * time.Microsecond

var (
	offered atomic.Pointer[loop] // the newest loop, for helpers that look for one
	lookers atomic.Int32         // how many do
)

// help works on a loop, and on those that come soon after it.
func help(p *loop) {
	p.join()
	lookers.Add(1)
	defer lookers.Add(-1)
	last, until := p, time.Now().Add(lookAround)
	for i := 1; ; i++ {
		if q := offered.Load(); q != nil && q != last && q.join() {
			last, until = q, time.Now().Add(lookAround)
		}
		if i%16 == 0 {
			runtime.Gosched()
			if time.Now().After(until) {
				return
			}
		}
	}
}

// loop is the state of one ParallelFor.
type loop struct {
	next     atomic.Int64
	n, grain int
	fn       func(lo, hi int)
	seats    atomic.Int32  // how many helpers may still join
	active   atomic.Int32  // how many are at work
	idle     chan struct{} // told when active becomes 0
	caught   atomic.Pointer[caught]
}

type caught struct{ value any }

// join works on the loop as a helper, unless there are enough or nothing is left.
func (p *loop) join() bool {
	if p.next.Load() >= int64(p.n) || p.seats.Add(-1) < 0 {
		return false
	}
	// Before the first range is drawn: the caller, who finds none left, must see
	// who is at work.
	p.active.Add(1)
	p.run()
	if p.active.Add(-1) == 0 {
		select {
		case p.idle <- struct{}{}:
		default:
		}
	}
	return true
}

// wait returns when no helper is at work; one that joins later finds nothing left.
// Sleeping costs as much as waking, so it looks for a while first.
func (p *loop) wait() {
	if p.active.Load() == 0 {
		return
	}
	until := time.Now().Add(lookAround)
	for i := 1; p.active.Load() != 0; i++ {
		if i%256 == 0 && time.Now().After(until) {
			<-p.idle
		}
	}
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
