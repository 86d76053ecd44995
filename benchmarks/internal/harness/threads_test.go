package harness

import (
	"runtime"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestWithThreadsRestoresTheNumbers(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	err := WithThreads(before+1, func() error {
		if runtime.GOMAXPROCS(0) != before+1 || tensor.Threads() != before+1 {
			t.Errorf("%d and %d threads, want %d", runtime.GOMAXPROCS(0), tensor.Threads(), before+1)
		}
		return nil
	})
	if err != nil || runtime.GOMAXPROCS(0) != before || tensor.Threads() != before {
		t.Errorf("after: %d and %d threads, error %v", runtime.GOMAXPROCS(0), tensor.Threads(), err)
	}
}
