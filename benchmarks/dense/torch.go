// PyTorch, in a process of its own.

package main

import (
	_ "embed"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

//go:embed torch.py
var torchScript string

// The two PyTorch peers. The second has glibc's allocator keep memory and use
// huge pages.
const (
	peerTorch      = "torch"
	peerTorchTuned = "torch-tuned"
)

func startTorch(python string, threads int, tuned bool) (*harness.Process, error) {
	return harness.Python{Interpreter: python, Script: torchScript, Threads: threads, HugePages: tuned}.Start()
}
