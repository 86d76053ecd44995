//go:build (amd64 || arm64) && !noasm

// From the slices of a panel to the pointers that the assembly kernels take.

package kern

import "unsafe"

// The assembly is generated: gen is a module of its own.
//go:generate go -C gen run .

// gemmPointers calls f, which takes pointers, nil for an empty slice, with more in its mode, and with
// GemmPast only for panels of that many columns, 0 for none, whose rows begin with a line.
func gemmPointers[T Float](f func(rows, cols, depth int, a *T, aRow, aDepth int, b *T, bDepth int, c *T, cRow int, bias *T, mode int, next *T), more GemmMode, past int) func(int, int, int, []T, int, int, []T, int, []T, int, []T, GemmMode, []T) {
	return func(rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode, next []T) {
		var pa, pb, pBias *T
		if depth > 0 {
			pa, pb = &a[0], &b[0]
		}
		if bias != nil {
			pBias = &bias[0]
		}
		if mode&GemmPast != 0 && (cols != past || !aligned(&c[0]) || rows > 1 && !aligned(&c[cRow])) {
			mode &^= GemmPast
		}
		f(rows, cols, depth, pa, aRow, aDepth, pb, bDepth, &c[0], cRow, pBias, int(mode|more), unsafe.SliceData(next))
	}
}
