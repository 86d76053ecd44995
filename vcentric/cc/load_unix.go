//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package cc

// Loading a library, through purego.

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/asterias-ml/asterias/internal/dynlib"
	executor "github.com/asterias-ml/asterias/vcentric/cpu"
)

func supported() error { return nil }

// load loads the functions of the given names; the library stays loaded until the
// process ends.
func load(path string, names []string) (calls, error) {
	handle, err := dynlib.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cc: %w", err)
	}
	out := make(calls, len(names))
	for _, name := range names {
		function, err := dynlib.Symbol(handle, name)
		if err != nil {
			return nil, fmt.Errorf("cc: %w", err)
		}
		out[name] = func(args *executor.NativeArgs, lo, hi int) {
			purego.SyscallN(function, uintptr(unsafe.Pointer(args)), uintptr(lo), uintptr(hi))
			runtime.KeepAlive(args)
		}
	}
	return out, nil
}
