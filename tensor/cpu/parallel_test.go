package cpu

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestADrawBeginsWithItsShareAndHelpsWithTheNext(t *testing.T) {
	for _, c := range []struct {
		workers, chunks int
		want            [][]int // what each goroutine draws if it is alone
	}{
		{1, 3, [][]int{{0, 1, 2}}},
		{2, 2, [][]int{{0, 1}, {1, 0}}},
		{2, 5, [][]int{{0, 1, 2, 3, 4}, {2, 3, 4, 0, 1}}},
		{3, 4, [][]int{{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}}},
	} {
		for seat, want := range c.want {
			p := newLoop(c.workers, c.chunks, nil)
			if got := draws(&p.shares[seat].draw, c.chunks+1); !slices.Equal(got, want) {
				t.Errorf("share %d of %d draws %v of %d chunks, want %v", seat, c.workers, got, c.chunks, want)
			}
			if !p.done() {
				t.Errorf("share %d of %d: the loop is not done", seat, c.workers)
			}
		}
	}
}

func TestDrawsInTurnGetEveryChunkOnce(t *testing.T) {
	p := newLoop(3, 10, nil)
	var got []int
	for range 10 { // the first draws twice as often, so that it helps the others
		for _, seat := range []int{0, 0, 1, 2} {
			got = append(got, draws(&p.shares[seat].draw, 1)...)
		}
	}
	slices.Sort(got)
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("drew %v", got)
	}
}

func TestHelpersKeepTheirSeatAndLeaveTheCallersAlone(t *testing.T) {
	p := newLoop(3, 10, nil)
	for _, c := range []struct{ had, want int }{{2, 2}, {2, 1}, {1, -1}} {
		seat := c.had
		if ok := p.sit(&seat); ok != (c.want > 0) || ok && seat != c.want {
			t.Errorf("a helper that had seat %d has %d (%v), want %d", c.had, seat, ok, c.want)
		}
	}
}

func TestParallelWithOneGoroutineOrNoChunksNeedsNoHelper(t *testing.T) {
	for _, c := range []struct{ workers, chunks, want int }{{1, 3, 3}, {0, 3, 3}, {-2, 3, 3}, {4, 0, 0}, {4, -1, 0}, {4, 1, 1}} {
		var got []int
		Parallel(c.workers, c.chunks, func(d *Draw) { got = append(got, draws(d, c.chunks+1)...) })
		if len(got) != c.want || !slices.IsSorted(got) {
			t.Errorf("%d goroutines drew %v of %d chunks", c.workers, got, c.chunks)
		}
	}
}

// rendezvous returns a function that waits until so many goroutines have called it.
func rendezvous(t *testing.T, n int32) func() {
	var came atomic.Int32
	all := make(chan struct{})
	return func() {
		if came.Add(1) == n {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(20 * time.Second):
			t.Errorf("%d of %d goroutines came", came.Load(), n)
		}
	}
}

func TestALoopGetsItsHelpersWhileOthersAreAtWork(t *testing.T) {
	const workers = 3
	for range 100 {
		outer, inner := rendezvous(t, workers), rendezvous(t, workers)
		Parallel(workers, workers, func(d *Draw) {
			outer() // all are here: helpers that had looked for a loop do not any more
			if d == &d.loop.shares[0].draw {
				Parallel(workers, workers, func(d *Draw) {
					inner()
					draws(d, workers+1)
				})
			}
			draws(d, workers+1)
		})
		if t.Failed() {
			return
		}
	}
}

func TestAHelperThatComesWhenAllChunksAreDrawnStaysOutOfTheBody(t *testing.T) {
	p := newLoop(2, 3, func(*Draw) { t.Error("what the body uses may be gone") })
	seat := 1
	if p.done() || !p.sit(&seat) {
		t.Fatal("no seat")
	}
	draws(&p.shares[0].draw, 4) // meanwhile
	p.wait()
	p.work(seat)
	lookers.Add(-1)
	if n := p.active.Load(); n != 0 {
		t.Errorf("%d helpers are at work", n)
	}
}

func TestABodyThatEndsItsGoroutineEndsTheCallersAfterAllHaveStopped(t *testing.T) {
	for name, callers := range map[string]bool{"the caller's": true, "a helper's": false} {
		var stopped, returned atomic.Bool
		both, over := rendezvous(t, 2), make(chan struct{})
		go func() {
			defer close(over)
			defer func() {
				if !stopped.Load() {
					t.Errorf("%s: the other goroutine is still at work", name)
				}
			}()
			Parallel(2, 2, func(d *Draw) {
				both()
				if (d == &d.loop.shares[0].draw) == callers {
					runtime.Goexit()
				}
				time.Sleep(10 * time.Millisecond)
				stopped.Store(true)
				draws(d, 3)
			})
			returned.Store(true)
		}()
		select {
		case <-over:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the caller waits", name)
		}
		if returned.Load() {
			t.Errorf("%s: Parallel has returned, though a chunk may be missing", name)
		}
	}
}

// draws returns up to so many chunks.
func draws(d *Draw, most int) (chunks []int) {
	for range most {
		if c, ok := d.Next(); ok {
			chunks = append(chunks, c)
		}
	}
	return chunks
}
