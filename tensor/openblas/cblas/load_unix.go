//go:build (darwin || (linux && !android)) && (amd64 || arm64)

// Where dlopen is.

package cblas

import "github.com/asterias-ml/asterias/internal/dynlib"

func load(path string) (uintptr, error) { return dynlib.Open(path) }

func symbol(handle uintptr, name string) (uintptr, error) { return dynlib.Symbol(handle, name) }
