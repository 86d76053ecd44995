package harness

import (
	"runtime"

	"github.com/asterias-ml/asterias/tensor"
)

// WithThreads runs f with n threads for everything in this process.
func WithThreads(n int, f func() error) error {
	before := runtime.GOMAXPROCS(n)
	tensor.SetThreads(n)
	defer runtime.GOMAXPROCS(before)
	defer tensor.SetThreads(0)
	return f()
}
