//go:build !((linux && !android) || windows) || !(amd64 || arm64)

// Systems without CUDA.

package driver

import (
	"fmt"
	"runtime"
)

func dlopen(path string) (uintptr, error) {
	return 0, fmt.Errorf("CUDA libraries cannot be loaded on %s/%s", runtime.GOOS, runtime.GOARCH)
}

func bindDriver(handle uintptr, path string) (Driver, error)     { return nil, errNoLoading(path) }
func bindCompiler(handle uintptr, path string) (Compiler, error) { return nil, errNoLoading(path) }
func bindBLAS(handle uintptr, path string) (BLAS, error)         { return nil, errNoLoading(path) }
func bindSparse(handle uintptr, path string) (Sparse, error)     { return nil, errNoLoading(path) }

func errNoLoading(path string) error {
	_, err := dlopen(path)
	return err
}
