// How many goroutines operations use.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// SetThreads sets how many goroutines an operation may use; n <= 0 restores the
// default, GOMAXPROCS. It changes speed only, never a result.
func SetThreads(n int) { cpu.SetThreads(n) }

// Threads returns how many goroutines an operation may use.
func Threads() int { return cpu.Threads() }
