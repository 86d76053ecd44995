//go:build !(linux && !android && (amd64 || arm64))

package plugin

// Systems on which libraries are not run.

import (
	"fmt"
	"runtime"
)

// Serve is called first thing in main, and in TestMain, of a program that opens
// libraries.
func Serve() { served.Store(true) }

func openDirect(path string, _ *Stats) (runner, error) { return nil, unsupported(path) }

func openIsolated(path string, _ Options, _ *Stats) (runner, error) { return nil, unsupported(path) }

func unsupported(path string) error {
	return fmt.Errorf("plugin: %s: libraries are not run on %s/%s, only on linux/amd64 and linux/arm64", path, runtime.GOOS, runtime.GOARCH)
}
