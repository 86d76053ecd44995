// What can go wrong: the libraries' result codes as errors, and errors of this
// package's own.

package driver

import (
	"errors"
	"fmt"
)

// Result is a result code of the CUDA driver. It is an error to compare with:
// errors.Is(err, driver.OutOfMemory).
type Result int32

// The codes that this package or its callers tell apart.
const (
	InvalidValue        Result = 1
	OutOfMemory         Result = 2
	NotInitialized      Result = 3
	NoDevice            Result = 100
	InvalidDevice       Result = 101
	InvalidImage        Result = 200
	InvalidContext      Result = 201
	NoBinaryForGPU      Result = 209
	InvalidHandle       Result = 400
	IllegalState        Result = 401
	NotFound            Result = 500
	NotReady            Result = 600
	IllegalAddress      Result = 700
	OutOfResources      Result = 701
	LaunchFailed        Result = 719
	NotSupported        Result = 801
	CaptureUnsupported  Result = 900
	CaptureInvalidated  Result = 901
	CaptureUnmatched    Result = 903
	CaptureUnjoined     Result = 904
	CaptureIsolation    Result = 905
	CapturedEvent       Result = 907
	CaptureWrongThread  Result = 908
	UnknownDriverFailed Result = 999
)

var resultNames = map[Result]string{
	InvalidValue:        "CUDA_ERROR_INVALID_VALUE",
	OutOfMemory:         "CUDA_ERROR_OUT_OF_MEMORY",
	NotInitialized:      "CUDA_ERROR_NOT_INITIALIZED",
	NoDevice:            "CUDA_ERROR_NO_DEVICE",
	InvalidDevice:       "CUDA_ERROR_INVALID_DEVICE",
	InvalidImage:        "CUDA_ERROR_INVALID_IMAGE",
	InvalidContext:      "CUDA_ERROR_INVALID_CONTEXT",
	NoBinaryForGPU:      "CUDA_ERROR_NO_BINARY_FOR_GPU",
	InvalidHandle:       "CUDA_ERROR_INVALID_HANDLE",
	IllegalState:        "CUDA_ERROR_ILLEGAL_STATE",
	NotFound:            "CUDA_ERROR_NOT_FOUND",
	NotReady:            "CUDA_ERROR_NOT_READY",
	IllegalAddress:      "CUDA_ERROR_ILLEGAL_ADDRESS",
	OutOfResources:      "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
	LaunchFailed:        "CUDA_ERROR_LAUNCH_FAILED",
	NotSupported:        "CUDA_ERROR_NOT_SUPPORTED",
	CaptureUnsupported:  "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
	CaptureInvalidated:  "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
	CaptureUnmatched:    "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
	CaptureUnjoined:     "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
	CaptureIsolation:    "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
	CapturedEvent:       "CUDA_ERROR_CAPTURED_EVENT",
	CaptureWrongThread:  "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
	UnknownDriverFailed: "CUDA_ERROR_UNKNOWN",
}

// Name returns the code's name in cuda.h, or "CUDA_ERROR_<number>" for a code
// that this package does not know.
func (r Result) Name() string {
	if name, ok := resultNames[r]; ok {
		return name
	}
	return fmt.Sprintf("CUDA_ERROR_%d", int32(r))
}

// Error returns the name.
func (r Result) Error() string { return r.Name() }

// The libraries whose calls fail.
const (
	LibraryCUDA     = "cuda"
	LibraryNVRTC    = "nvrtc"
	LibraryCUBLAS   = "cublas"
	LibraryCUSPARSE = "cusparse"
)

// Error is a call into a library that failed.
type Error struct {
	Library string // LibraryCUDA, LibraryNVRTC, LibraryCUBLAS or LibraryCUSPARSE
	Call    string // e.g. "cuMemAlloc"
	Code    int    // the library's result code
	Name    string // the code's name as the library gives it
}

// Error returns e.g. "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)".
func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Call, e.Name, e.Code) }

// Unwrap returns the driver's [Result]; nil for a call of another library.
func (e *Error) Unwrap() error {
	if e.Library == LibraryCUDA {
		return Result(e.Code)
	}
	return nil
}

// SymbolError is a library that was found but lacks a function.
type SymbolError struct {
	Library, Symbol string
}

// Error names the library and the function.
func (e *SymbolError) Error() string {
	return fmt.Sprintf("%s has no function %s: too old, or not the library its name says", e.Library, e.Symbol)
}

// ErrClosed is returned by what is asked of a device after its Close.
var ErrClosed = errors.New("cuda: the device is closed")

// MisuseError is the panic of a call that is wrong whatever the device does.
type MisuseError struct {
	Op   string // e.g. "Upload"
	Text string
}

// Error returns e.g. "cuda: Upload: 40 bytes into a buffer of 32".
func (e *MisuseError) Error() string { return "cuda: " + e.Op + ": " + e.Text }

// Misuse marks the error as the caller's mistake.
func (e *MisuseError) Misuse() {}

func misuse(op, format string, args ...any) {
	panic(&MisuseError{Op: op, Text: fmt.Sprintf(format, args...)})
}
