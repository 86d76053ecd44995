//go:build !((darwin || (linux && !android)) && (amd64 || arm64))

package cc

// Systems on which compiled kernels cannot be loaded.

import (
	"fmt"
	"runtime"
)

func supported() error {
	return fmt.Errorf("cc: compiled kernels cannot be loaded on %s/%s", runtime.GOOS, runtime.GOARCH)
}

func load(string, []string) (calls, error) { return nil, supported() }
