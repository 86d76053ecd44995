//go:build !((darwin || (linux && !android) || windows) && (amd64 || arm64))

// Systems without a loader that needs no cgo.

package cblas

import (
	"fmt"
	"runtime"
)

func open(path string) (*Library, error) {
	return nil, fmt.Errorf("cblas: %s: libraries cannot be loaded on %s/%s", path, runtime.GOOS, runtime.GOARCH)
}
