//go:build !linux

package emu

// Systems on which nothing is emulated.

import (
	"fmt"
	"os"
	"runtime"
)

func supported() error {
	return fmt.Errorf("emu: kernels are emulated on Linux only, not on %s", runtime.GOOS)
}

type arena struct {
	file *os.File
	base uintptr
	size uint64
	page uint64
	next uint64
	data []byte
}

func newArena(uint64) (*arena, error) { return nil, supported() }

func (a *arena) take(uint64) (uint64, bool) { return 0, false }

func (a *arena) forget(_, _ uint64) error { return supported() }

func (a *arena) close() error { return nil }

const (
	noAccess  = 0
	readable  = 1
	writeable = 3
)
