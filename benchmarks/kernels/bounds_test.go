package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// pretendedTorch is what protocol.py needs of PyTorch.
const pretendedTorch = `
class Tensor:
    reshape = clone = lambda self, *shape: self

class __config__:
    show = lambda: ""

__version__, float32, int32 = "0", None, None
set_num_threads = lambda n: None
get_num_threads = lambda: 1
empty = frombuffer = lambda *args, dtype: Tensor()
`

// growing is a peer of which the first step takes 64 MB, leaves them to the allocator and
// keeps a bit, as libraries do, and all others take 16 MB.
const growing = `
KEPT = []

def step(reps):
    blocks = [b"x" * 100_000 for _ in range(160 if KEPT else 640)]
    KEPT.append(blocks.pop())
    return 1.0

CASES = dict.fromkeys(["graph", "inputs", "form"], lambda args, tensors: (step, None))
`

func TestPeaksOfPeersAreThoseOfTheSecondStep(t *testing.T) {
	interpreter, err := exec.LookPath(*python)
	if err != nil || resident("VmRSS") < 0 {
		t.Skipf("needs Python and /proc: %v", err)
	}
	folder := t.TempDir()
	for path, text := range map[string]string{"__init__.py": pretendedTorch, "nn/__init__.py": "", "nn/functional.py": ""} {
		path = filepath.Join(folder, "torch", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", folder)
	k := newTask(programs()[0], "tiny", tinyGraph(), 4)
	got, err := peerPeak(harness.Python{Interpreter: interpreter, Script: growing, Threads: 1}, k, formGather)
	if err != nil || got < 12e6 || got > 30e6 {
		t.Errorf("%d bytes, error %v; want about 16 MB", got, err)
	}
}
