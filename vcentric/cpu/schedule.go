package cpu

// Work distribution: chunks of rows, handed out to the goroutines of the dense engine.

import (
	"sort"

	"github.com/asterias-ml/asterias/graph"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
)

// chunkCost is the work of a chunk, about a number of element operations: long
// enough to pay for handing it out, short enough to balance.
const chunkCost = 1 << 18

// cost is what a kernel does for a row and for an edge, in element operations.
type cost struct {
	row, edge int64
	chunk     int64 // of a chunk, if more than chunkCost
}

func (c cost) perChunk() int64 { return max(c.chunk, chunkCost) }

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
	return int((c.upTo(csr, rows) + c.perChunk() - 1) / c.perChunk())
}

// bound is the first row of a chunk: the first one that begins at or after the chunk's
// share of the cost. It is not before row from, and the nearer, the sooner found.
func (c cost) bound(csr *graph.CSR, rows, chunk, from int) int {
	share := int64(chunk) * c.perChunk()
	step := 1
	for from+step < rows && c.upTo(csr, from+step) < share {
		from += step
		step *= 2
	}
	return from + sort.Search(min(step, rows-from), func(n int) bool { return c.upTo(csr, from+n) >= share })
}

// parallel calls body once for every chunk; a worker belongs to one goroutine.
// A panic of body reaches the caller after all goroutines have stopped.
func (r *run[T]) parallel(chunks int, body func(w *worker[T], chunk int)) {
	threads := r.threads(chunks)
	if threads <= 1 {
		r.inOrder(chunks, body)
		return
	}
	dense.Parallel(threads, chunks, func(d *dense.Draw) {
		chunk, ok := d.Next()
		if !ok {
			return
		}
		w := r.worker()
		for ; ok; chunk, ok = d.Next() {
			body(w, chunk)
		}
		r.release(w)
	})
}

// inOrder is parallel on the calling goroutine.
func (r *run[T]) inOrder(chunks int, body func(w *worker[T], chunk int)) {
	w := r.take()
	for c := range chunks {
		body(w, c)
	}
	r.putBack(w)
}

// take returns the worker of the goroutine that runs the steps, until it is put back.
func (r *run[T]) take() *worker[T] {
	w := r.first
	if w == nil {
		w = r.worker()
	}
	w.run, r.first = r, nil
	return w
}

// putBack puts it back; the run's end has it forget the rest.
func (r *run[T]) putBack(w *worker[T]) { r.first = w }

// threads is how many goroutines may share so many chunks.
func (r *run[T]) threads(chunks int) int {
	n := min(r.Threads, chunks)
	if n > 1 {
		n = min(n, dense.Threads())
	}
	return n
}

func (r *run[T]) worker() *worker[T] {
	w := r.prog.workers.Get().(*worker[T])
	w.run = r
	return w
}

// release gives the worker back.
func (r *run[T]) release(w *worker[T]) {
	w.leave()
	r.prog.workers.Put(w)
}

// leave forgets the run.
func (w *worker[T]) leave() {
	w.run, w.kernel, w.neighbors, w.edgeIDs, w.csr, w.vertices = nil, nil, nil, nil, nil, nil
	w.packs, w.sums, w.beside, w.ofGraph, w.attention, w.cover = nil, nil, nil, nil, nil, nil
	w.factors = attentionFactors[T]{}
	w.typing.leave()
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
