//go:build windows && (amd64 || arm64)

// Loading a shared library on Windows.

package driver

import (
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// dlopen looks for what a library needs in the library's own folder too.
func dlopen(path string) (uintptr, error) {
	flags := uintptr(0)
	if filepath.IsAbs(path) {
		flags = windows.LOAD_WITH_ALTERED_SEARCH_PATH
	}
	handle, err := windows.LoadLibraryEx(path, 0, flags)
	if err != nil {
		return 0, &syscall.DLLError{Err: err, ObjName: path, Msg: path + ": " + err.Error()}
	}
	return uintptr(handle), nil
}

func dlsym(handle uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(handle), name)
}
