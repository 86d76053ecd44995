package cpu

// Work distribution: chunks of rows, handed out to goroutines.

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// chunkCost is the work of a chunk, about a number of element operations: long
// enough to pay for handing it out, short enough to balance.
const chunkCost = 1 << 18

// cost is what a kernel does for a row and for an edge, in element operations.
type cost struct{ row, edge int64 }

// upTo is the cost of the rows before row r.
func (c cost) upTo(csr *graph.CSR, r int) int64 {
	n := c.row * int64(r)
	if csr != nil {
		n += c.edge * int64(csr.Offsets[r])
	}
	return n
}

// chunks is the number of chunks that rows are cut into.
func (c cost) chunks(csr *graph.CSR, rows int) int {
	return int((c.upTo(csr, rows) + chunkCost - 1) / chunkCost)
}

// bound is the first row of a chunk: the first one that begins at or after the
// chunk's share of the cost.
func (c cost) bound(csr *graph.CSR, rows, chunk int) int {
	return sort.Search(rows, func(r int) bool { return c.upTo(csr, r) >= int64(chunk)*chunkCost })
}

// parallel calls body once for every chunk; a worker belongs to one goroutine.
// A panic of body reaches the caller after all goroutines have stopped.
func (r *run[T]) parallel(chunks int, body func(w *worker[T], chunk int)) {
	if threads := min(r.Threads, chunks); threads > 1 {
		t := &team[T]{run: r, chunks: int64(chunks), body: body}
		t.wg.Add(threads - 1)
		for range threads - 1 {
			go t.join()
		}
		t.work()
		t.wg.Wait()
		if p := t.panicked.Load(); p != nil {
			panic(*p)
		}
		return
	}
	w := r.worker()
	for c := range chunks {
		body(w, c)
	}
	r.release(w)
}

// team is the state of one parallel loop.
type team[T kern.Float] struct {
	run      *run[T]
	next     atomic.Int64
	chunks   int64
	body     func(w *worker[T], chunk int)
	wg       sync.WaitGroup
	panicked atomic.Pointer[any]
}

func (t *team[T]) join() {
	defer t.wg.Done()
	t.work()
}

func (t *team[T]) work() {
	defer func() {
		if p := recover(); p != nil {
			t.panicked.CompareAndSwap(nil, &p)
			t.next.Store(t.chunks)
		}
	}()
	w := t.run.worker()
	for c := t.next.Add(1) - 1; c < t.chunks; c = t.next.Add(1) - 1 {
		t.body(w, int(c))
	}
	t.run.release(w)
}

func (r *run[T]) worker() *worker[T] {
	w := r.prog.workers.Get().(*worker[T])
	w.run = r
	return w
}

// release gives the worker back without what it knows of the run.
func (r *run[T]) release(w *worker[T]) {
	w.run, w.kernel, w.neighbors, w.edgeIDs = nil, nil, nil, nil
	r.prog.workers.Put(w)
}

// borrow returns a buffer of n elements of any content, to be given back to the
// program's buffers.
func (r *run[T]) borrow(n int) *[]T {
	b, ok := r.prog.buffers.Get().(*[]T)
	if !ok || cap(*b) < n {
		b = new([]T)
		*b = make([]T, n)
	}
	*b = (*b)[:n]
	return b
}

func (r *run[T]) giveBack(b *[]T) { r.prog.buffers.Put(b) }
