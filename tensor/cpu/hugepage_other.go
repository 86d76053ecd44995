//go:build !linux

package cpu

import "unsafe"

// adviseHugePages does nothing: only Linux takes the advice.
func adviseHugePages(unsafe.Pointer, int64) {}
