// Readers: computations that read a tensor later than they were written down, and what runs
// them before the tensor changes.

package tensor

import (
	"slices"
	"sync"
)

// A Reader is a computation that is put off and reads tensors when it is run.
type Reader interface {
	// Waits reports whether it was not run and somebody may still want the result.
	Waits() bool
	// Run runs it, or waits until it was run. It must write to no tensor that was there before.
	Run()
}

// readers are what will read a tensor that owns its memory. A computation that reads it is one
// of them, or in use: then it has taken what it reads from one that waited.
type readers struct {
	changing sync.Mutex // held while readers are run; before locks of the readers themselves

	mu     sync.Mutex
	list   []Reader
	uses   [2]int    // begun since the last change, at phase, and before
	phase  int       // 0 or 1, the other one after each change
	unused sync.Cond // told when one of the uses becomes 0
	closed bool      // givenOut takes their place
}

// givenOut stands for readers of memory that somebody may write to at any time, through a
// slice of it.
var givenOut = new(readers)

func newReaders() *readers {
	rs := new(readers)
	rs.unused.L = &rs.mu
	return rs
}

// WillRead notes that r will read t, and reports whether it did: then r is run before an
// operation writes to t's memory or frees it, or [Data], Dense or Raw give it out. Memory that was
// given out already or was the caller's, as with [FromSlice], changes unnoticed, so it is not
// noted, nor is that of a device.
func (t *Tensor) WillRead(r Reader) bool {
	wantTensor("WillRead", t)
	if t.far != nil {
		return false
	}
	o := t.owner()
	if o.readers.Load() == nil {
		o.readers.CompareAndSwap(nil, newReaders())
	}
	rs := o.readers.Load()
	return rs != givenOut && rs.add(r)
}

// add lists r, unless rs are closed. When the list is full it drops those that need not be run any more.
func (rs *readers) add(r Reader) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.closed {
		return false
	}
	if len(rs.list) == cap(rs.list) {
		waiting := slices.DeleteFunc(rs.list, func(x Reader) bool { return !x.Waits() })
		rs.list = slices.Grow(waiting, len(waiting)+1)
	}
	rs.list = append(rs.list, r)
	return true
}

// A Use is a computation's that reads a tensor now. What changes the tensor after it has begun
// waits for its end.
type Use struct {
	of    *readers
	phase int
}

// Use begins one, for a computation that does what a Reader of t would do, and sees to it that
// this is not run, or runs later.
func (t *Tensor) Use() Use {
	wantTensor("Use", t)
	rs := t.owner().readers.Load()
	if rs == nil || rs == givenOut {
		return Use{}
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.uses[rs.phase]++
	return Use{rs, rs.phase}
}

// End ends it.
func (u Use) End() {
	rs := u.of
	if rs == nil {
		return
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.uses[u.phase]--; rs.uses[u.phase] == 0 {
		rs.unused.Broadcast()
	}
}

// changes is called before elements of t are written or freed.
func (t *Tensor) changes() {
	if rs := t.owner().readers.Load(); rs != nil && rs != givenOut {
		rs.run(false)
	}
}

// giveOut is called before somebody gets hold of t's memory.
func (t *Tensor) giveOut() {
	o := t.owner()
	if o.readers.CompareAndSwap(nil, givenOut) {
		return
	}
	if rs := o.readers.Load(); rs != givenOut {
		rs.run(true)
		o.readers.Store(givenOut)
	}
}

// run runs the readers that there are, and then waits for the uses that there are: those of
// computations that have taken what these read. It does not wait for what others begin
// meanwhile, who could keep it waiting for ever: that reads elements that do not change. If
// closes is set, no reader is listed from now on.
func (rs *readers) run(closes bool) {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	rs.mu.Lock()
	list := rs.list
	rs.list, rs.closed = nil, rs.closed || closes
	rs.mu.Unlock()
	rs.runAll(list)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	before := rs.phase
	rs.phase = 1 - before
	for rs.uses[before] > 0 {
		rs.unused.Wait()
	}
}

// runAll runs readers. Those that a panic leaves are listed again.
func (rs *readers) runAll(list []Reader) {
	defer func() {
		if len(list) > 0 {
			rs.mu.Lock()
			defer rs.mu.Unlock()
			rs.list = append(list, rs.list...)
		}
	}()
	for len(list) > 0 {
		list[0].Run()
		list = list[1:]
	}
}
