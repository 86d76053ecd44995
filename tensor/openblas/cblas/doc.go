// Package cblas calls the matrix product of a BLAS library that is installed on
// this machine (OpenBLAS, MKL, BLIS), loaded at run time and without cgo.
//
// It changes nothing by itself: package tensor/openblas makes tensor/cpu use
// what this package finds. The library must take 32-bit integers (LP64), as the
// usual packages do.
//
// Libraries can be loaded on Linux, macOS and Windows, amd64 and arm64;
// elsewhere [Open] returns an error.
package cblas
