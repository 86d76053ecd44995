//go:build (darwin || (linux && !android) || windows) && (amd64 || arm64)

package dlpack

// Deleters: C functions that Go calls, and one that calls Go.

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

func loadable() error { return nil }

// exportDeleter returns the address of deleted for C.
func exportDeleter() (uintptr, error) { return deleter(), nil }

// Callbacks are few in a process and never freed: one serves all exports.
var deleter = sync.OnceValue(func() uintptr { return purego.NewCallback(deleted) })

// callDeleter calls a deleter, unless it is 0.
func callDeleter(function uintptr, managed unsafe.Pointer) {
	if function != 0 {
		purego.SyscallN(function, uintptr(managed))
	}
}
