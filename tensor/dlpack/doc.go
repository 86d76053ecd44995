// Package dlpack shares tensors with C code in the same process, without a copy, in the
// form of DLPack (https://dmlc.github.io/dlpack), which PyTorch, NumPy, TensorFlow, JAX,
// TVM and CuPy speak too.
//
//	Borrow  lends tensors to a C function for one call: nothing is owned, nothing freed
//	Export  hands a tensor over to C code, which calls the deleter when it is done
//	Import  takes a tensor over from C code, and calls its deleter
//
// Borrow is the producer-only protocol of GnnBench (Gong et al. 2024, section IV-A2):
// what a kernel needs that reads its inputs and writes outputs which the caller made.
// Export and Import pass ownership, in the form of DLPack before 1.0 (a capsule named
// "dltensor") and, as ExportVersioned and ImportVersioned, from 1.0 on
// ("dltensor_versioned").
//
// Element types are those of package tensor. Views keep their strides. Memory of Go is
// aligned to 8 bytes, not to the 256 that DLPack's header wishes for and that no large
// framework relies on. A tensor on a GPU is handed out by its device address after all
// that was to be done with it is done; Import takes memory of the CPU only.
//
// Deleters are C functions, called and made by purego: without cgo, on Linux, macOS and
// Windows, amd64 and arm64. Elsewhere Export and Import return an error. A program that
// imports this package is linked dynamically.
//
//	abi.go     the structs of C, and what their codes mean
//	borrow.go  for a call
//	export.go  for good
//	import.go  from others
//	errors.go  what misuse panics with
package dlpack
