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
	// Run runs it. Nobody else is in [Reading] meanwhile.
	Run()
}

// readers are what will read a tensor that owns its memory.
type readers struct {
	mu   sync.Mutex
	list []Reader
}

// givenOut stands for readers of memory that somebody may write to at any time, through a
// slice of it.
var givenOut = new(readers)

// reading is held for reading while readers are noted or run, and for writing while they
// are run because a tensor changes.
var reading sync.RWMutex

// Reading calls f, which notes or runs readers. It must not write to tensors that were there
// before: that would wait for f itself.
func Reading(f func()) {
	reading.RLock()
	defer reading.RUnlock()
	f()
}

// WillRead notes that r will read t, and reports whether it did: then r is run before an
// operation writes to t's memory or frees it, or [Data], Dense or Raw give it out. Memory that was
// given out already or was the caller's, as with [FromSlice], changes unnoticed, so it is not
// noted, nor is that of a device. It is called in [Reading].
func (t *Tensor) WillRead(r Reader) bool {
	wantTensor("WillRead", t)
	if t.far != nil {
		return false
	}
	o := t.owner()
	if o.readers.Load() == nil {
		o.readers.CompareAndSwap(nil, new(readers))
	}
	rs := o.readers.Load()
	if rs == givenOut {
		return false
	}
	rs.add(r)
	return true
}

// add lists r. When the list is full it drops those that need not be run any more.
func (rs *readers) add(r Reader) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if len(rs.list) == cap(rs.list) {
		waiting := slices.DeleteFunc(rs.list, func(x Reader) bool { return !x.Waits() })
		rs.list = slices.Grow(waiting, len(waiting)+1)
	}
	rs.list = append(rs.list, r)
}

// changes is called before elements of t are written or freed.
func (t *Tensor) changes() {
	o := t.owner()
	if rs := o.readers.Load(); rs != nil && rs != givenOut {
		o.runReaders(nil)
	}
}

// giveOut is called before somebody gets hold of t's memory.
func (t *Tensor) giveOut() {
	o := t.owner()
	if o.readers.Load() != givenOut && !o.readers.CompareAndSwap(nil, givenOut) {
		o.runReaders(givenOut)
	}
}

// runReaders runs the readers of t and leaves others in their place.
func (t *Tensor) runReaders(others *readers) {
	reading.Lock()
	defer reading.Unlock()
	rs := t.readers.Load()
	if rs == givenOut { // another goroutine was first
		return
	}
	if rs != nil {
		for _, r := range rs.list {
			r.Run()
		}
	}
	t.readers.Store(others)
}
