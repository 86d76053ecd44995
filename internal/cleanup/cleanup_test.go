package cleanup

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestAwaitReturnsWhenAllThatIsDueHasRun(t *testing.T) {
	const n = 20
	for kind, add := range map[Kind]func(f func()){
		Finalizers: func(f func()) { runtime.SetFinalizer(new([64]byte), func(*[64]byte) { f() }) },
		Cleanups:   func(f func()) { runtime.AddCleanup(new([64]byte), func(int) { f() }, 0) },
	} {
		var ran atomic.Int32
		for range n {
			add(func() { time.Sleep(100 * time.Microsecond); ran.Add(1) })
		}
		runtime.GC()
		if Await(kind, time.Minute); ran.Load() < n-1 { // the last one may still be in a register
			t.Errorf("%d of %d %s have run", ran.Load(), n, kind)
		}
	}
}

func TestAwaitGivesUp(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	for range 2 { // one of which may still be in a register
		runtime.AddCleanup(new([64]byte), func(end chan struct{}) { <-end }, end)
	}
	runtime.GC()
	Await(Cleanups, time.Millisecond) // does not hang
}
