//go:build amd64 && !noasm

// Sizes of elements. What only moves numbers has one assembly for both types: of words of
// 32 bits, of which a float64 has two. It takes them as float32.

package kern

import "unsafe"

// wordsOf is how many words an element has.
func wordsOf[T Float]() int { return int(unsafe.Sizeof(T(0))) / wordSize }

const wordSize = 4

// word is where an element's words begin.
func word[T Float](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }

// vectorOf is how many elements a register of AVX2 holds.
func vectorOf[T Float]() int { return 32 / int(unsafe.Sizeof(T(0))) }

// bytesOf is how many bytes n elements have.
func bytesOf[T Float](n int) int { return n * int(unsafe.Sizeof(T(0))) }
