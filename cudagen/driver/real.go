//go:build ((linux && !android) || windows) && (amd64 || arm64)

// From a loaded library to Go functions.

package driver

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// A symbol is a function of a library and where it goes: a *uintptr gets its
// address, for calls through SyscallN, any other pointer to a function gets a Go
// function that converts its arguments.
type symbol struct {
	name     string
	to       any
	optional bool
}

// bindAll fills in the symbols of a library. The first that is missing and not
// optional is a [*SymbolError].
func bindAll(handle uintptr, path string, symbols []symbol) error {
	for _, s := range symbols {
		address, err := dlsym(handle, s.name)
		if err != nil || address == 0 {
			if s.optional {
				continue
			}
			return &SymbolError{Library: path, Symbol: s.name}
		}
		if to, ok := s.to.(*uintptr); ok {
			*to = address
		} else {
			purego.RegisterFunc(s.to, address)
		}
	}
	return nil
}

// cString returns the text at p, up to its zero byte.
func cString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// cBytes returns s with the zero byte that C wants.
func cBytes(s string) []byte { return append([]byte(s), 0) }
