//go:build linux && !android && (amd64 || arm64)

// Loading a shared library on Linux.

package driver

import "github.com/asterias-ml/asterias/internal/dynlib"

func dlopen(path string) (uintptr, error) { return dynlib.Open(path) }

func dlsym(handle uintptr, name string) (uintptr, error) { return dynlib.Symbol(handle, name) }
