// Tests of the buffer pool: what it reuses, and what it must never.

package cpu

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/asterias-ml/asterias/internal/cleanup"
)

// words returns the memory of a buffer of n bytes.
func words(p unsafe.Pointer, n int) []uint64 { return unsafe.Slice((*uint64)(p), n/8) }

// churn collects garbage and takes all memory of a size that is free then,
// overwriting it with ones.
func churn(size, buffers int) {
	runtime.GC()
	cleanup.Await(cleanup.Finalizers, finalizerTimeout)
	var held []unsafe.Pointer
	var classes []int
	for range buffers {
		p, class := Alloc(size)
		fillWith(words(p, size), ^uint64(0))
		held, classes = append(held, p), append(classes, class)
	}
	for i, p := range held {
		Free(p, classes[i])
	}
}

func TestClassesCoverEverySizeWithLittleWaste(t *testing.T) {
	check := func(size int) {
		class := classOf(size)
		if class < 1 || class >= numClasses {
			t.Fatalf("size %d has class %d", size, class)
		}
		got := classSize(class)
		if got < int64(size) || got%8 != 0 {
			t.Fatalf("size %d has class %d of %d bytes", size, class, got)
		}
		if float64(got) > 1.125*float64(size)+8 {
			t.Fatalf("size %d wastes %d bytes", size, got-int64(size))
		}
		if class > 1 && classSize(class-1) >= int64(size) {
			t.Fatalf("size %d has class %d, but class %d suffices", size, class, class-1)
		}
	}
	for size := SmallBuffer + 1; size < 1<<17; size++ {
		check(size)
	}
	for octave := 17; octave < 46; octave++ {
		for _, d := range []int{-1, 0, 1, 1 << octave / 8, 1<<octave/8 + 1, 1 << octave / 2} {
			check(1<<octave + d)
		}
	}
}

func TestAllocGivesSmallMemoryFromGoAndNoneForNothing(t *testing.T) {
	if p, class := Alloc(0); p != nil || class != 0 {
		t.Errorf("Alloc(0) gives class %d", class)
	}
	for _, size := range []int{1, 7, 8, 9, SmallBuffer} {
		p, class := Alloc(size)
		if class != 0 || uintptr(p)%8 != 0 {
			t.Errorf("Alloc(%d) gives class %d at %p", size, class, p)
		}
		for i, v := range unsafe.Slice((*byte)(p), size) {
			if v != 0 {
				t.Fatalf("Alloc(%d): byte %d is %d", size, i, v)
			}
		}
		Free(p, class) // left to Go
	}
	p, class := Alloc(SmallBuffer + 1)
	if class == 0 {
		t.Error("a large buffer is not the pool's")
	}
	Free(p, class)
}

func TestFreedMemoryIsReusedAtOnce(t *testing.T) {
	const size = 100_001
	p, class := Alloc(size)
	Free(p, class)
	q, again := Alloc(size - 1)
	if q != p || again != class {
		t.Errorf("Alloc after Free gives %p, class %d, want %p, class %d", q, again, p, class)
	}
	Free(q, again)
}

func TestCountsFollowAllocAndFree(t *testing.T) {
	TrimPool()
	const size = 1 << 20
	before := Memory()
	p, class := Alloc(size)
	q, _ := Alloc(size)
	Free(q, class)
	ResetPeak()
	after := Memory()
	if got := after.Live - before.Live; got != size {
		t.Errorf("Live grew by %d, want %d", got, size)
	}
	if after.Peak != after.Live {
		t.Errorf("Peak is %d after ResetPeak with %d alive", after.Peak, after.Live)
	}
	if got := after.Allocated - before.Allocated; got != 2*size {
		t.Errorf("Allocated grew by %d, want %d", got, 2*size)
	}
	q, _ = Alloc(size)
	if m := Memory(); m.Peak != after.Live+size || m.Reused <= after.Reused {
		t.Errorf("a second buffer: %+v after %+v", m, after)
	}
	Free(p, class)
	Free(q, class)
	if m := Memory(); m.Live != before.Live || m.Peak != after.Live+size {
		t.Errorf("after Free of all: %+v, before: %+v", m, before)
	}
}

func TestTrimPoolGivesFreeMemoryBack(t *testing.T) {
	for range 5 {
		p, class := Alloc(300_000)
		defer runtime.KeepAlive(p)
		Free(p, class)
	}
	TrimPool()
	if m := Memory(); m.Pooled != 0 {
		t.Errorf("%d bytes are pooled after TrimPool", m.Pooled)
	}
}

func TestTrimPoolReturnsWhenCleanupsHaveRun(t *testing.T) {
	const n = 10
	var ran atomic.Int32
	for range n {
		runtime.AddCleanup(new([64]byte), func(int) { time.Sleep(100 * time.Microsecond); ran.Add(1) }, 0)
	}
	if TrimPool(); ran.Load() < n-1 { // the last one may still be in a register
		t.Errorf("%d of %d cleanups have run", ran.Load(), n)
	}
}

// TestMemoryReturnsWhenNothingPointsToIt also catches a pool that itself still
// points to a buffer that it handed out.
func TestMemoryReturnsWhenNothingPointsToIt(t *testing.T) {
	TrimPool()
	const size, buffers = 1 << 20, 8
	before := Memory().Live
	func() { // once through the free list
		var ps [buffers]unsafe.Pointer
		var class int
		for i := range ps {
			ps[i], class = Alloc(size)
		}
		for _, p := range ps {
			Free(p, class)
		}
		for i := range ps {
			ps[i], _ = Alloc(size)
		}
	}()
	runtime.GC()
	cleanup.Await(cleanup.Finalizers, finalizerTimeout)
	if live := Memory().Live; live != before {
		t.Errorf("%d bytes are alive that nothing points to", live-before)
	}
}

// TestCollectionKnowsAllThatIsUnused: what it takes for used would be added to the
// budget.
func TestCollectionKnowsAllThatIsUnused(t *testing.T) {
	TrimPool()
	before := Memory().Live
	for range 3 {
		for i := range 2000 {
			if Alloc(5000); i%500 == 0 { // finalizers run one after the other, after slow ones too
				runtime.SetFinalizer(new([64]byte), func(*[64]byte) { time.Sleep(5 * time.Millisecond) })
			}
		}
		pool.collect(0)
		if Memory().Live != before { // where the machine stood still, it did not wait for all finalizers
			pool.collect(0)
		}
		if live := Memory().Live; live != before {
			t.Errorf("after a collection %d bytes count as used that nothing points to", live-before)
		}
	}
}

func TestMemoryStaysWhileAnythingPointsIntoIt(t *testing.T) {
	const size = 64 << 10
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	type holder struct {
		slice []uint64 // of any part
		value uint64
	}
	var held []holder
	r := rand.New(rand.NewPCG(1, 1))
	for round := range rounds {
		for i := range 16 {
			p, _ := Alloc(size)
			whole := words(p, size)
			value := uint64(round<<8 | i)
			fillWith(whole, value)
			lo := r.IntN(len(whole))
			hi := lo + 1 + r.IntN(len(whole)-lo)
			held = append(held, holder{whole[lo:hi], value})
		}
		churn(size, 40)
		for _, h := range held {
			for _, v := range h.slice {
				if v != h.value {
					t.Fatalf("round %d: memory that was written with %#x holds %#x", round, h.value, v)
				}
			}
		}
		r.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
		clear(held[len(held)/2:]) // let go of the rest
		held = held[:len(held)/2]
	}
}

// steady runs a loop of work until it has run a while without a new buffer, and
// fails if that takes forever.
func steady(t *testing.T, work func()) {
	t.Helper()
	if raceEnabled {
		t.Skip("under the race detector unused buffers are left to Go")
	}
	const calm = 300
	last, since := Memory().Fresh, 0
	for range 100 * calm {
		work()
		if fresh := Memory().Fresh; fresh != last {
			last, since = fresh, 0
		} else if since++; since == calm {
			return
		}
	}
	t.Errorf("the loop still makes new buffers: %+v", Memory())
}

func TestSteadyLoopOfGarbageMakesNoNewBuffer(t *testing.T) {
	steady(t, func() {
		for _, size := range []int{1 << 20, 3 << 18, 1 << 20, 40 << 10, 2 << 20, 5000} {
			Alloc(size)
		}
	})
}

func TestSteadyLoopOfGoroutinesMakesNoNewBuffer(t *testing.T) {
	steady(t, func() {
		var wg sync.WaitGroup
		for g := range 3 {
			wg.Go(func() {
				for i := range 4 {
					p, class := Alloc((g + 1) << 18)
					if i%2 == 0 {
						Free(p, class)
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestPoolThatHasEnoughWaitsForACollection: what is lacking is on its way back.
func TestPoolThatHasEnoughWaitsForACollection(t *testing.T) {
	const size = 1 << 20
	class := classOf(size)
	for _, c := range []struct {
		name    string
		grown   int64 // collections ago
		handed  int64 // since the last began
		settled int64 // Live after it
		want    bool
	}{
		{"grew lately", steadyAfter - 1, firstBudget/2 - size, 0, false},
		{"has not grown for long", steadyAfter, firstBudget/2 - size, 0, true},
		{"has handed out little", steadyAfter, firstBudget / 4, 0, false},
		{"has taken back as much meanwhile", steadyAfter, firstBudget, firstBudget, true},
	} {
		b := &bufferPool{grown: 3, begun: 5 << 20, settled: c.settled, started: time.Now()}
		b.stats.Collections = b.grown + c.grown
		b.stats.Allocated = b.begun + c.handed
		b.stats.Live = c.handed
		if got := b.owes(class); got != c.want {
			t.Errorf("a pool that %s: a collection is due before another buffer: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCollectionRemembersWhatWasHandedOutBefore(t *testing.T) {
	var b bufferPool
	b.stats.Allocated = 5 << 20
	if b.collect(0); b.begun != 5<<20 {
		t.Errorf("a collection began after %d bytes, want %d", b.begun, 5<<20)
	}
}

func TestACollectionTheProgramWaitedForIsNotRepeatedBesideIt(t *testing.T) {
	var b bufferPool
	b.collectAhead(b.collections())
	if n := b.collections(); n != 1 {
		t.Errorf("%d collections where one was due", n)
	}
	seen := b.collections()
	b.collect(0) // while the one beside it has yet to get its turn
	b.collectAhead(seen)
	if n := b.collections(); n != 2 {
		t.Errorf("%d collections, where the second made the third needless", n)
	}
}

// TestBudgetGrowsWhereCollectionsAreDueInARow, not where one comes soon by chance.
func TestBudgetGrowsWhereCollectionsAreDueInARow(t *testing.T) {
	var b bufferPool
	budgets := func(waits ...time.Duration) (all []int64) {
		for _, wait := range waits {
			b.started = time.Now().Add(-wait)
			b.ended = b.started
			b.collect(0)
			all = append(all, b.limit())
		}
		return all
	}
	const long = 10 * soon
	if got := budgets(long, 0, long, 0, long); slices.Max(got) != firstBudget {
		t.Errorf("after single collections that came soon the budgets are %v, want %d", got, firstBudget)
	}
	if got, want := budgets(0, 0, 0, long), []int64{firstBudget, 2 * firstBudget, 4 * firstBudget, 4 * firstBudget}; !slices.Equal(got, want) {
		t.Errorf("after three in a row they are %v, want %v", got, want)
	}
}

// TestCollectionsThatTakeLongAreDueSoon: what took long is felt though the next comes late.
func TestCollectionsThatTakeLongAreDueSoon(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		began, ended time.Duration // ago
		want         bool
	}{
		{soon / 2, soon / 2, false},
		{2 * soon, 2 * soon, true},
		{10 * soon, soon, false}, // 9 soon of work and one of rest
		{10 * soon, 7 * soon, false},
		{10 * soon, 9 * soon, true},
	} {
		b := bufferPool{started: now.Add(-c.began), ended: now.Add(-c.ended)}
		if got := b.rested(now); got != c.want {
			t.Errorf("a collection from %v to %v ago is long past: %v, want %v", c.began, c.ended, got, c.want)
		}
	}
}

// TestALongCollectionIsNoReasonForTheNext: beside the program one would follow the other.
func TestALongCollectionIsNoReasonForTheNext(t *testing.T) {
	now := time.Now()
	b := bufferPool{started: now.Add(-10 * soon), ended: now}
	b.stats.Live = firstBudget * 3 / 4
	if b.full(1) {
		t.Error("the next collection is due at once")
	}
	if b.ended = b.started; !b.full(1) {
		t.Error("after a short one long ago none is due")
	}
	b.ended = time.Now() // it took all the time since
	for range inARow {
		b.collect(0)
		b.started, b.ended = time.Now().Add(-10*soon), time.Now()
	}
	if b.limit() != 2*firstBudget {
		t.Errorf("after %d collections that took long the budget is %d, want %d", inARow, b.limit(), 2*firstBudget)
	}
}

// TestBudgetGrowsFurtherWhereACollectionHasMuchToScan: a program with many objects of its
// own had a collection of 20 ms for each 8 MiB.
func TestBudgetGrowsFurtherWhereACollectionHasMuchToScan(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64)) // GOMEMLIMIT may say otherwise
	grown := func() int64 {
		var b bufferPool
		for range 8 {
			b.collect(0)
		}
		return b.limit()
	}
	few := grown()
	list := make([]*[6]*int, 1<<20)
	for i := range list {
		list[i] = new([6]*int)
	}
	many := grown()
	runtime.KeepAlive(list)
	if least := int64(len(list)*(8+48)) * perScanned; few >= least || many < least*7/8 || many > wideBudget {
		t.Errorf("budgets of %d MiB, with 56 MiB to scan %d MiB", few>>20, many>>20)
	}
}

func TestMostOfABudget(t *testing.T) {
	const mib, none = 1 << 20, math.MaxInt64
	for _, c := range []struct{ held, scanned, memoryLimit, want int64 }{
		{0, 0, none, largeBudget},
		{500 * mib, 0, none, 500 * mib},
		{0, 40 * mib, none, 160 * mib},
		{200 * mib, 40 * mib, none, 200 * mib},
		{0, 100 * mib, none, wideBudget},
		{0, 1000 * mib, none, 1000 * mib},
		{0, 1000 * mib, 1600 * mib, 200 * mib},
		{0, 1000 * mib, 80 * mib, largeBudget},
		{-5 * mib, 10 * mib, none, largeBudget},
	} {
		if got := most(c.held, c.scanned, c.memoryLimit); got != c.want {
			t.Errorf("with %d MiB in use, %d MiB to scan and a limit of %d MiB: %d MiB, want %d", c.held/mib, c.scanned/mib, c.memoryLimit/mib, got/mib, c.want/mib)
		}
	}
}

// TestPoolHoldsNoMoreThanItsBudgetForGarbage: sizes that never come again must not
// pile up.
func TestPoolHoldsNoMoreThanItsBudgetForGarbage(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector unused buffers are left to Go")
	}
	TrimPool()
	r := rand.New(rand.NewPCG(2, 2))
	before := Memory()
	for range 20_000 {
		Alloc(8<<10 + r.IntN(1<<20))
		m := Memory()
		if most := before.Live + 4*largeBudget; m.Live+m.Pooled > most {
			t.Fatalf("the pool holds %d MiB", (m.Live+m.Pooled)>>20)
		}
	}
	TrimPool()
}

func TestAllocAndFreeRaceSafely(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 3))
			for range 300 {
				size := 8 << (10 + r.IntN(4))
				p, class := Alloc(size)
				w := words(p, size)
				w[0], w[len(w)-1] = uint64(g), uint64(g)
				runtime.Gosched()
				if w[0] != uint64(g) || w[len(w)-1] != uint64(g) {
					t.Errorf("another goroutine wrote to the buffer of %d", g)
				}
				if r.IntN(2) == 0 {
					Free(p, class)
				}
			}
		})
	}
	wg.Wait()
}
