//go:build windows && (amd64 || arm64)

// Where dlopen is called LoadLibrary.

package cblas

import "syscall"

func load(path string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(path)
	if err != nil {
		return 0, &syscall.DLLError{Err: err, ObjName: path, Msg: path + ": " + err.Error()}
	}
	return uintptr(handle), nil
}

func symbol(handle uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}
