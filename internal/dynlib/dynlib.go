//go:build (darwin || (linux && !android)) && (amd64 || arm64)

// Where dlopen is.

package dynlib

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// Open loads the library at a path, or the first one with that name where the system looks
// for libraries, with its own symbols for itself. It stays loaded until the process ends.
func Open(path string) (handle uintptr, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle, err = purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return handle, naming(path, err)
}

// Symbol returns the address of a function or a variable of the library.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	address, err = purego.Dlsym(handle, name)
	return address, naming(name, err)
}

// naming adds a name to an error that lacks it: not every loader gives one.
func naming(name string, err error) error {
	if err == nil || strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
