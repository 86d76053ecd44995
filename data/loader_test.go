// Tests of what the loaders share.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/tensor"
)

// squares makes the squares of numbers, after a random pause.
func squares() func(i int) (int, error) {
	return func(i int) (int, error) {
		time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
		return i * i, nil
	}
}

// noLeak fails the test if f leaves goroutines behind.
func noLeak(t *testing.T, f func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	f()
	for range 1000 { // those of other tests may still be ending
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// endsEarly leaves an epoch, and cancels another: its workers stop, and the last error is
// the cause.
func endsEarly[B any](t *testing.T, epoch func(ctx context.Context) iter.Seq2[B, error]) {
	t.Helper()
	noLeak(t, func() {
		for range epoch(t.Context()) {
			break
		}
	})
	cause := errors.New("enough")
	noLeak(t, func() {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		var last error
		for _, err := range epoch(ctx) {
			cancel(cause)
			last = err
		}
		if last != cause {
			t.Errorf("the last error is %v", last)
		}
	})
}

func TestWorkersResultsComeInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		for _, workers := range []int{1, 2, 8} {
			for _, ahead := range []int{1, 3, 50} {
				noLeak(t, func() {
					next := 0
					for x, err := range inOrder(t.Context(), n, workers, ahead, squares) {
						if err != nil || x != next*next {
							t.Fatalf("%d values, %d workers, %d ahead: value %d is %d, error %v", n, workers, ahead, next, x, err)
						}
						next++
					}
					if next != n {
						t.Errorf("%d values, %d workers, %d ahead: %d came", n, workers, ahead, next)
					}
				})
			}
		}
	}
}

func TestNoMoreIsMadeAheadThanAskedFor(t *testing.T) {
	const n, ahead = 60, 5
	var begun atomic.Int64
	asked := int64(0)
	for _, err := range inOrder(t.Context(), n, 4, ahead, func() func(int) (int, error) {
		return func(i int) (int, error) { begun.Add(1); return i, nil }
	}) {
		if err != nil {
			t.Fatal(err)
		}
		asked++
		time.Sleep(200 * time.Microsecond) // enough to make them all
		if got := begun.Load(); got > asked+ahead {
			t.Fatalf("%d values are made when %d were asked for, at most %d may be ahead", got, asked, ahead)
		}
	}
}

func TestEachWorkerHasAMakerOfItsOwn(t *testing.T) {
	var makers atomic.Int64
	for _, err := range inOrder(t.Context(), 50, 3, 6, func() func(int) (int, error) {
		makers.Add(1)
		busy := false // a race, or true, if another worker has it
		return func(i int) (int, error) {
			if busy {
				return 0, errors.New("two calls at once")
			}
			busy = true
			time.Sleep(10 * time.Microsecond)
			busy = false
			return i, nil
		}
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := makers.Load(); n < 1 || n > 3 {
		t.Errorf("%d makers for 3 workers", n)
	}
}

// consume collects what comes, and leaves after `leave` values if positive.
func consume(seq iter.Seq2[int, error], leave int) (values []int, err error) {
	for x, e := range seq {
		if e != nil {
			err = e
			continue // nothing may come after an error
		}
		values = append(values, x)
		if len(values) == leave {
			break
		}
	}
	return values, err
}

func TestAnErrorEndsTheLoop(t *testing.T) {
	broken := errors.New("broken")
	noLeak(t, func() {
		values, err := consume(inOrder(t.Context(), 100, 4, 10, func() func(int) (int, error) {
			return func(i int) (int, error) {
				if i >= 7 {
					return 0, fmt.Errorf("value %d: %w", i, broken)
				}
				return i, nil
			}
		}), 0)
		if len(values) != 7 || !errors.Is(err, broken) || err.Error() != "value 7: broken" {
			t.Errorf("%d values and the error %v", len(values), err)
		}
	})
}

func TestAPanicOfAWorkerIsAnError(t *testing.T) {
	cause := &Error{Op: "Test", Detail: "misused"}
	for name, newMaker := range map[string]func() func(int) (int, error){
		"in a value": func() func(int) (int, error) {
			return func(i int) (int, error) {
				if i == 3 {
					panic(cause)
				}
				return i, nil
			}
		},
		"in the set-up": func() func(int) (int, error) { panic(cause) },
	} {
		noLeak(t, func() {
			_, err := consume(inOrder(t.Context(), 100, 2, 4, newMaker), 0)
			var p *PanicError
			var inner *Error
			if !errors.As(err, &p) || !errors.As(err, &inner) || inner != cause || !strings.Contains(err.Error(), "misused") || !strings.Contains(string(p.Stack), "loader_test.go") {
				t.Errorf("%s: error %v", name, err)
			}
		})
	}
	_, err := consume(inOrder(t.Context(), 1, 1, 1, func() func(int) (int, error) {
		return func(int) (int, error) { panic("no error value") }
	}), 0)
	if errors.Unwrap(err) != nil || !strings.Contains(err.Error(), "no error value") {
		t.Errorf("error %v", err)
	}
}

func TestLeavingTheLoopStopsTheWorkers(t *testing.T) {
	for _, leave := range []int{1, 2, 37} {
		noLeak(t, func() {
			if values, err := consume(inOrder(t.Context(), 1000, 4, 8, squares), leave); len(values) != leave || err != nil {
				t.Errorf("%d values, error %v", len(values), err)
			}
		})
	}
	noLeak(t, func() {
		defer func() { recover() }()
		for range inOrder(t.Context(), 1000, 4, 8, squares) {
			panic("the loop's body")
		}
	})
}

// TestNothingRunsAfterTheLoop leaves it while all workers are busy.
func TestNothingRunsAfterTheLoop(t *testing.T) {
	var running atomic.Int64
	for _, leave := range []int{1, 5} {
		values, err := consume(inOrder(t.Context(), 1000, 4, 8, func() func(int) (int, error) {
			return func(i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				time.Sleep(2 * time.Millisecond)
				return i, nil
			}
		}), leave)
		if n := running.Load(); n != 0 || len(values) != leave || err != nil {
			t.Errorf("%d workers are busy after %d values and error %v", n, len(values), err)
		}
	}
}

func TestACancelledContextEndsTheLoop(t *testing.T) {
	noLeak(t, func() {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if values, err := consume(inOrder(ctx, 10, 2, 4, squares), 0); len(values) != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: %d values, error %v", len(values), err)
		}
	})
	noLeak(t, func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		for _, err := range inOrder(ctx, 1000, 4, 8, squares) {
			if n == 5 {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("after the cancellation: error %v", err)
				}
				break
			}
			if n++; n == 5 {
				time.Sleep(time.Millisecond) // the next values are there
				cancel()
			}
		}
	})
	noLeak(t, func() { // while the consumer waits for a slow worker
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		values, err := consume(inOrder(ctx, 10, 1, 1, func() func(int) (int, error) {
			return func(i int) (int, error) { time.Sleep(20 * time.Millisecond); return i, nil }
		}), 0)
		if len(values) != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d values, error %v", len(values), err)
		}
	})
}

func iotaIDs(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}

func TestAnEpochIsAPermutationOfItsOwn(t *testing.T) {
	things := iotaIDs(1000)
	c := Loading{BatchSize: 10, Shuffle: true, Seed: 3}
	first := c.order(things, 0)
	if !slices.Equal(things, iotaIDs(1000)) {
		t.Error("shuffling changes the list that was given")
	}
	if !slices.Equal(slices.Sorted(slices.Values(first)), things) || slices.Equal(first, things) {
		t.Error("no permutation")
	}
	if !slices.Equal(first, c.order(things, 0)) {
		t.Error("the same epoch has another order")
	}
	other := c
	other.Seed = 4
	if slices.Equal(first, c.order(things, 1)) || slices.Equal(first, other.order(things, 0)) {
		t.Error("another epoch or seed has the same order")
	}
	c.Shuffle = false
	if !slices.Equal(things, c.order(things, 1)) {
		t.Error("shuffled though not asked for")
	}
}

// TestShufflesAreUniform counts all orders of 4 things.
func TestShufflesAreUniform(t *testing.T) {
	const draws = 24_000
	counts := map[string]int{}
	c := Loading{Shuffle: true, Seed: 1}
	for epoch := range draws {
		counts[fmt.Sprint(c.order([]int32{0, 1, 2, 3}, epoch))]++
	}
	var chi2 float64
	for _, n := range counts {
		chi2 += float64((n-draws/24)*(n-draws/24)) / (draws / 24)
	}
	if len(counts) != 24 || chi2 > 49.7 { // 23 degrees of freedom, p = 0.001
		t.Errorf("%d orders, chi-square %v", len(counts), chi2)
	}
}

func TestBatchesCoverAnEpoch(t *testing.T) {
	for _, tt := range []struct {
		n, size  int
		dropLast bool
		want     []int
	}{
		{0, 3, false, nil},
		{7, 3, false, []int{3, 3, 1}},
		{7, 3, true, []int{3, 3}},
		{6, 3, true, []int{3, 3}},
		{2, 3, true, nil},
		{2, 3, false, []int{2}},
		{5, math.MaxInt, false, []int{5}},
		{5, math.MaxInt, true, nil},
		{5, math.MaxInt - 2, false, []int{5}},
	} {
		c := Loading{BatchSize: tt.size, DropLast: tt.dropLast}
		things, at := iotaIDs(tt.n), int32(0)
		var got []int
		for i := range c.count(tt.n) {
			b := c.batch(things, i)
			got = append(got, len(b))
			for _, x := range b {
				if x != at {
					t.Errorf("%+v: %d comes where %d should", tt, x, at)
				}
				at++
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v: batches of %v", tt, got)
		}
	}
}

func TestNoMoreIsMadeAheadThanThereIs(t *testing.T) {
	for _, c := range []Loading{{BatchSize: 1, Prefetch: math.MaxInt}, {BatchSize: 1, Workers: math.MaxInt}} {
		n := 0
		for x, err := range batches(t.Context(), &c, 3, func() func(i int) (int, error) { return func(i int) (int, error) { return i, nil } }) {
			if err != nil || x != n {
				t.Errorf("%+v: %d comes where %d should, error %v", c, x, n, err)
			}
			n++
		}
		if n != 3 {
			t.Errorf("%+v: %d batches", c, n)
		}
	}
}

func TestIDMapNumbersInOrderOfAppearance(t *testing.T) {
	var m idMap
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, 5000, 3, 100_000} { // also grows and is used again
		m.reset()
		want := map[int32]int32{}
		var list []int32
		for range n {
			v := int32(r.IntN(n)) * 1024 // multiples of a power of two are hard on bad hashes
			if n == 3 {
				v = 1<<31 - 1 - v
			}
			id, ok := want[v]
			if !ok {
				id = int32(len(list))
				want[v] = id
				list = append(list, v)
			}
			if got := m.id(v); got != id {
				t.Fatalf("%d values: %d has id %d, want %d", n, v, got, id)
			}
		}
		if !slices.Equal(m.list, list) {
			t.Errorf("%d values: another list", n)
		}
	}
}

func TestRowsOfFeatures(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 0, 2, 0, 3, 0, 0, 0, 4}, 3, 3)
	sparse, err := tensor.NewSparse(3, 3, []int32{0, 2, 3, 4}, []int32{2, 0, 1, 2}, tensor.FromSlice([]float32{2, 1, 3, 4}, 4))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Features{"dense": DenseFeatures(x), "sparse": SparseFeatures(sparse)} {
		got := f.Rows([]int32{2, 0, 2})
		if (got.Sparse() != nil) != (f.Sparse() != nil) {
			t.Errorf("%s: stored otherwise", name)
		}
		if want := []float64{0, 0, 4, 1, 0, 2, 0, 0, 4}; !slices.Equal(got.Dense().Float64s(), want) {
			t.Errorf("%s: %v, want %v", name, got.Dense().Float64s(), want)
		}
		if rows, cols := f.Rows(nil).Dims(); rows != 0 || cols != 3 {
			t.Errorf("%s: no rows are %d by %d", name, rows, cols)
		}
		func() {
			defer func() {
				if _, ok := recover().(*tensor.IndexError); !ok {
					t.Errorf("%s: a row out of range does not panic with an *IndexError", name)
				}
			}()
			f.Rows([]int32{3})
		}()
	}
	if f := (Features{}).Rows([]int32{1}); !f.IsZero() {
		t.Error("no features have rows")
	}
}

// misused returns what f panics with, which must be misuse.
func misused(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		var misuse *Error
		if err, _ := recover().(error); errors.As(err, &misuse) {
			message = err.Error()
		} else {
			t.Errorf("panic %v", err)
		}
	}()
	f()
	return ""
}

func TestLoadersNeedAContextAndLabelsOfAllVertices(t *testing.T) {
	g := loaderGraphs(t)["dense"]
	loading, fanout := Loading{BatchSize: 30}, Fanout{Hops: []int{1}}
	neighbors, err1 := NewNeighborLoader(g, everyVertex(g), NeighborConfig{loading, fanout})
	links, err2 := NewLinkLoader(g, LinksOf(g), LinkConfig{Loading: loading, Fanout: fanout})
	clusters, err3 := NewClusterLoader(g, &Partition{Parts: 1, Of: make([]int32, 30)}, loading)
	h := filmGraph(t, false)
	relation, err4 := NewHeteroLinkLoader(h, rates, LinksOf(h.Relation(rates)), HeteroLinkConfig{Loading: loading, HeteroFanout: HeteroFanout{Hops: []int{1}}})
	vertices, err5 := NewHeteroNeighborLoader(h, "movie", iotaIDs(25), HeteroNeighborConfig{Loading: loading, HeteroFanout: HeteroFanout{Hops: []int{1}}})
	walks, err6 := NewWalkLoader(g, everyVertex(g), WalkConfig{Loading: loading, Walking: Walking{Length: 2}, Context: 2})
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Fatal(err)
	}
	var none context.Context
	for name, f := range map[string]func(){
		"neighbours": func() { neighbors.Epoch(none, 0) },
		"links":      func() { links.Epoch(none, 0) },
		"clusters":   func() { clusters.Epoch(none, 0) },
		"relation":   func() { relation.Epoch(none, 0) },
		"type":       func() { vertices.Epoch(none, 0) },
		"walks":      func() { walks.Epoch(none, 0) },
	} {
		if got, want := misused(t, f), "data: Epoch: the context is nil"; got != want {
			t.Errorf("%s: panic %q, want %q", name, got, want)
		}
	}
	if got, want := misused(t, func() { Load(none, "karate", Options{}) }), "data: Load: the context is nil"; got != want {
		t.Errorf("panic %q, want %q", got, want)
	}
	for b, err := range neighbors.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if got, want := misused(t, func() { b.Labels(make([]int32, 29)) }), "data: Labels: vertex 29 of the batch out of range [0, 29) of the list"; got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
	for b, err := range vertices.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if got, want := misused(t, func() { b.Labels("movie", make([]int32, 24)) }), "data: Labels: vertex 24 of the batch out of range [0, 24) of the list"; got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
		if got, want := misused(t, func() { b.Labels("film", nil) }), `data: Labels: no vertex type "film"; the batch has ["movie" "nobody" "tag" "user"]`; got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
	for b, err := range clusters.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if got, want := misused(t, func() { b.Labels(nil) }), "data: Labels: vertex 0 of the batch out of range [0, 0) of the list"; got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}
