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
// grain iterations (the last may be shorter), as Parallel shares them out. The ranges
// depend on n and grain only, so a per-range result is the same for any number of
// threads. A range is fn's alone: writes to disjoint ranges need no lock.
//
// A panic in fn reaches the caller after all goroutines have stopped.
func ParallelFor(n, grain int, fn func(lo, hi int)) {
	if n <= 0 {
		return
	}
	grain = max(grain, 1)
	chunks := (n + grain - 1) / grain
	threads := Threads()
	if min(threads, chunks) <= 1 {
		for lo := 0; lo < n; lo += grain {
			fn(lo, min(lo+grain, n))
		}
		return
	}
	Parallel(threads, chunks, func(d *Draw) {
		for c, ok := d.Next(); ok; c, ok = d.Next() {
			fn(c*grain, min((c+1)*grain, n))
		}
	})
}

// Parallel calls body on up to so many goroutines, which draw the chunks [0, chunks)
// between them, each chunk once. Every goroutine has a share of consecutive chunks, the
// same one in each loop if it can, and helps with the others' when its own is done: rows that
// a loop has written are, for the next loop over them, in the cache of the core
// that wants them. A goroutine's body draws until there are none left.
//
// A panic or runtime.Goexit in body reaches the caller after all goroutines have stopped.
func Parallel(workers, chunks int, body func(d *Draw)) {
	if chunks <= 0 {
		return
	}
	workers = max(min(workers, chunks), 1)
	p := newLoop(workers, chunks, body)
	if workers > 1 {
		p.offer()
	}
	defer p.end() // also where body calls runtime.Goexit
	p.run(0)
}

// end waits for the helpers, and goes on with how a body ended that did not return.
func (p *loop) end() {
	p.wait()
	offered.CompareAndSwap(p, nil) // what body captured may go
	switch c := p.caught.Load(); {
	case c == nil:
	case c.value == nil:
		runtime.Goexit()
	default:
		panic(c.value)
	}
}

// Draw is where one goroutine of a Parallel gets its chunks.
type Draw struct {
	loop *loop
	at   int // the share it draws from
	left int // how many shares it has not found empty
}

// Next returns a chunk that nobody else gets, and false if none is left. Within a
// share chunks ascend; from one share to the next they may go back.
func (d *Draw) Next() (chunk int, ok bool) {
	for ; d.left > 0; d.left-- {
		s := &d.loop.shares[d.at]
		if c := s.next.Add(1) - 1; c < s.end {
			return int(c), true
		}
		d.at = (d.at + 1) % len(d.loop.shares)
	}
	return 0, false
}

// Waking a thread takes tens of microseconds, as long as many a loop. So a helper
// that has finished looks for another loop for a while before it ends, and a loop
// does not wait for helpers that have not begun: the caller does all the work if
// it must.

// lookAround is how long a helper looks for another loop.
const lookAround = 60 * time.Microsecond

var (
	offered atomic.Pointer[loop] // the newest loop, for helpers that look for one
	quits   atomic.Int32         // how many have stopped looking without one
	lookers struct {             // how many look
		_ [128]byte // what they look at is on another cache line
		atomic.Int32
		_ [124]byte
	}
)

// offer gets the loop its helpers: those that look for one, and new ones for the rest. Of
// two loops that are offered in the same moment, the newer one may get helpers that
// the other one counted on.
func (p *loop) offer() {
	quit := quits.Load()
	coming := lookers.Load()
	offered.Store(p)
	coming -= quits.Load() - quit // who quits later sees it
	for seat := 1; seat < len(p.shares)-int(coming); seat++ {
		go help(p, seat)
	}
}

// help works on a loop, and on those that come soon after it.
func help(p *loop, seat int) {
	until := time.Now().Add(lookAround)
	for q := p; q != nil; q = look(q, until) {
		if q.join(&seat) {
			until = time.Now().Add(lookAround)
		}
	}
}

// look returns a loop that is newer than the last one, or nil if none comes in time. Its
// caller is one of the lookers, but no longer when it returns: a loop that is offered
// now must not count on a helper that is at work.
func look(last *loop, until time.Time) *loop {
	for i := 1; ; i++ {
		if q := offered.Load(); q != nil && q != last {
			lookers.Add(-1)
			return q
		}
		if i%16 == 0 {
			runtime.Gosched()
			if time.Now().After(until) {
				break
			}
		}
	}
	lookers.Add(-1)
	quits.Add(1)
	// A loop that counts on this helper and did not see it quit has been offered before.
	if q := offered.Load(); q != last {
		return q
	}
	return nil
}

// loop is the state of one Parallel.
type loop struct {
	body   func(d *Draw)
	shares []share       // one for each goroutine; the first is the caller's
	active atomic.Int32  // how many helpers are at work
	idle   chan struct{} // told when active becomes 0
	caught atomic.Pointer[caught]
}

func newLoop(workers, chunks int, body func(d *Draw)) *loop {
	p := &loop{body: body, shares: make([]share, workers), idle: make(chan struct{}, 1)}
	for i := range p.shares {
		s := &p.shares[i]
		s.next.Store(int64(chunks * i / workers))
		s.end = int64(chunks * (i + 1) / workers)
		s.draw = Draw{loop: p, at: i, left: workers}
	}
	return p
}

// share is what one goroutine does first, alone on its cache lines.
type share struct {
	next  atomic.Int64 // the next chunk
	end   int64
	taken atomic.Bool // by a helper
	draw  Draw
	_     [80]byte
}

// caught is how a body ended that did not return: by a panic with a value, or by
// runtime.Goexit.
type caught struct{ value any }

// join works on the loop as a helper, unless there are enough or nothing is left; then
// the helper is one of the lookers. The seat is the share that it had last, and is set to
// the one it has now.
func (p *loop) join(seat *int) bool {
	if p.done() || !p.sit(seat) {
		lookers.Add(1)
		return false
	}
	p.work(*seat)
	return true
}

// work runs body in a helper that has a seat. The caller goes on when all chunks are
// drawn and nobody is active, which it looks at in this order. So a helper becomes
// active and then sees whether there are chunks: if so, the caller has yet to see it,
// whatever body does before it draws; if not, body may be over and what it uses gone.
func (p *loop) work(seat int) {
	p.active.Add(1)
	defer p.leave() // also where body calls runtime.Goexit
	if !p.done() {
		p.run(seat)
	}
	lookers.Add(1) // before the caller goes on: its next loop counts on this helper
}

// leave tells the caller that a helper is at work no longer.
func (p *loop) leave() {
	if p.active.Add(-1) == 0 {
		select {
		case p.idle <- struct{}{}:
		default:
		}
	}
}

// done reports whether all chunks have been drawn.
func (p *loop) done() bool {
	for i := range p.shares {
		if s := &p.shares[i]; s.next.Load() < s.end {
			return false
		}
	}
	return true
}

// sit takes the share of a seat, or else another one that no helper has.
func (p *loop) sit(seat *int) bool {
	for i := range p.shares {
		at := (*seat + i) % len(p.shares)
		if at != 0 && p.shares[at].taken.CompareAndSwap(false, true) {
			*seat = at
			return true
		}
	}
	return false
}

// wait returns when no helper is at work; one that joins after all chunks are drawn
// stays out of body. Sleeping costs as much as waking, so it looks for a while first.
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

func (p *loop) run(seat int) {
	returned := false
	defer func() {
		if returned {
			return
		}
		p.caught.CompareAndSwap(nil, &caught{recover()})
		for i := range p.shares { // no more chunks
			p.shares[i].next.Store(p.shares[i].end)
		}
	}()
	p.body(&p.shares[seat].draw)
	returned = true
}
