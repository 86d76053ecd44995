package numtest

import (
	"runtime"
	"sync/atomic"
	"testing"
)

var sink []byte

func TestAllocationsCountsACallsOwn(t *testing.T) {
	for _, want := range []float64{0, 3} {
		if got := Allocations(10, func() {
			for range int(want) {
				sink = make([]byte, 100)
			}
		}); got != want {
			t.Errorf("%v allocations, want %v", got, want)
		}
	}
}

// A burst beside one of the measurements is not the call's.
func TestAllocationsIsNotMisledByOthers(t *testing.T) {
	var calls atomic.Int32
	if got := Allocations(10, func() {
		if calls.Add(1) == 5 {
			done := make(chan struct{})
			go func() {
				for range 1000 {
					sink = make([]byte, 100)
					runtime.Gosched()
				}
				close(done)
			}()
			<-done
		}
	}); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
