// What the loaders share: the order of an epoch, and batches made ahead by
// workers.

package data

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/asterias-ml/asterias/internal/rng"
)

// Streams of random numbers that one seed gives: of the loaders, splits and transforms.
const (
	streamOrder = iota
	streamNeighbors
	streamNegatives
	streamDrop
	streamWalks
	streamSigns
)

// Loading is what all loaders are told about an epoch. The batches of an epoch
// depend on the graph, what is loaded and the configuration, but not on Workers
// and Prefetch.
type Loading struct {
	BatchSize int    // at least 1
	Shuffle   bool   // another order in every epoch; otherwise the given one
	DropLast  bool   // leave out the last batch if it is smaller than the others
	Seed      uint64 // of everything that is random

	// Workers is how many goroutines make batches; 0 stands for GOMAXPROCS.
	Workers int
	// Prefetch is how many batches at most are ready or in the making while
	// nobody has asked for them, at least one for each worker; 0 stands for two.
	// It bounds the memory of an iteration.
	Prefetch int

	// Features, of one row a vertex of the graph, are gathered for the vertices of
	// each batch by the workers. The zero value gathers nothing.
	Features Features
}

// check returns an error unless the configuration makes sense for a graph of
// the given number of vertices.
func (c *Loading) check(vertices int) error {
	switch {
	case c.BatchSize < 1:
		return fmt.Errorf("BatchSize is %d; want at least 1", c.BatchSize)
	case c.Workers < 0 || c.Prefetch < 0:
		return fmt.Errorf("%d workers that prefetch %d batches", c.Workers, c.Prefetch)
	}
	if rows, _ := c.Features.Dims(); !c.Features.IsZero() && rows != vertices {
		return fmt.Errorf("%d rows of features for %d vertices", rows, vertices)
	}
	return nil
}

// count returns how many batches n things make.
func (c *Loading) count(n int) int {
	whole := n / c.BatchSize
	if c.DropLast || n%c.BatchSize == 0 {
		return whole
	}
	return whole + 1
}

// batch returns the i-th batch of things in the order of an epoch.
func (c *Loading) batch(order []int32, i int) []int32 {
	order = order[i*c.BatchSize:]
	return order[:min(c.BatchSize, len(order))]
}

// order returns the things in the order of an epoch: a Fisher-Yates shuffle
// written out, so that no change of a library's can alter it. O(n).
func (c *Loading) order(things []int32, epoch int) []int32 {
	if !c.Shuffle {
		return things
	}
	order := append([]int32(nil), things...)
	key := rng.Fold(c.Seed, streamOrder, uint64(epoch))
	for i := len(order) - 1; i > 0; i-- {
		j := below(rng.Hash(key, uint64(i)), uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// batches returns n batches that makers, one for each worker, make ahead.
func batches[T any](ctx context.Context, c *Loading, n int, newMaker func() func(i int) (T, error)) iter.Seq2[T, error] {
	workers := c.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ahead := c.Prefetch
	if ahead == 0 {
		ahead = 2 * workers
	}
	return inOrder(ctx, n, max(min(workers, n), 1), max(min(max(ahead, workers), n), 1), newMaker)
}

// A PanicError is a panic in a worker of a loader, as the error of the batch
// that it was to make.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // where
}

// Error returns the panic's value; the stack is for those who look for it.
func (e *PanicError) Error() string {
	return fmt.Sprintf("data: panic in a loader's worker: %v", e.Value)
}

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// made is one result and its error.
type made[T any] struct {
	value T
	err   error
}

// inOrder yields what makers make of 0, 1, ... n-1, in this order. There is a
// maker and a goroutine for each worker; at most ahead values are made, or being
// made, that were not asked for. An error, which may be a *PanicError, ends it. So
// does the context: its cause then is the last thing yielded. When the loop over
// it is left, in whatever way, all goroutines have ended.
func inOrder[T any](ctx context.Context, n, workers, ahead int, newMaker func() func(i int) (T, error)) iter.Seq2[T, error] {
	type job struct {
		i      int
		result chan made[T]
	}
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()

		jobs := make(chan job)
		// A place in the queue is taken before a worker gets the job, so the queue
		// bounds what is made.
		results := make(chan chan made[T], ahead)
		wg.Go(func() {
			defer close(jobs)
			for i := range n {
				j := job{i, make(chan made[T], 1)} // a worker never waits for the consumer
				select {
				case results <- j.result:
				case <-ctx.Done():
					return
				}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
			}
		})
		for range workers {
			wg.Go(func() {
				var f func(int) (T, error)
				for j := range jobs {
					j.result <- guarded(func() (T, error) {
						if f == nil {
							f = newMaker()
						}
						return f(j.i)
					})
				}
			})
		}
		for range n {
			var m made[T]
			select {
			case result := <-results:
				select {
				case m = <-result:
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
			if err := context.Cause(ctx); err != nil { // also if the value was there already
				m = made[T]{err: err}
			}
			if !yield(m.value, m.err) || m.err != nil {
				return
			}
		}
	}
}

// guarded calls f and returns a panic in it as an error.
func guarded[T any](f func() (T, error)) (m made[T]) {
	defer func() {
		if v := recover(); v != nil {
			m = made[T]{err: &PanicError{Value: v, Stack: debug.Stack()}}
		}
	}()
	m.value, m.err = f()
	return m
}

// below maps 64 random bits to [0, n), evenly up to n/2^64 (Lemire 2019).
func below(random, n uint64) uint64 {
	hi, _ := bits.Mul64(random, n)
	return hi
}

// labelsOf returns the values of vertices of a batch.
func labelsOf(all, vertices []int32) []int32 {
	for _, v := range vertices {
		if int(v) >= len(all) {
			misuse("Labels", "vertex %d of the batch out of range [0, %d) of the list", v, len(all))
		}
	}
	return valuesAt(all, vertices)
}

// valuesAt returns the values at the given places.
func valuesAt[T any](values []T, index []int32) []T {
	out := make([]T, len(index))
	for i, at := range index {
		out[i] = values[at]
	}
	return out
}
