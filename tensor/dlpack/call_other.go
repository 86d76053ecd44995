//go:build !((darwin || (linux && !android) || windows) && (amd64 || arm64))

package dlpack

// Systems on which Go cannot call C without cgo.

import (
	"fmt"
	"runtime"
	"unsafe"
)

func loadable() error {
	return fmt.Errorf("C functions cannot be called on %s/%s", runtime.GOOS, runtime.GOARCH)
}

func exportDeleter() (uintptr, error) { return 0, loadable() }

// callDeleter is not reached: there are no structs of others.
func callDeleter(uintptr, unsafe.Pointer) {}
