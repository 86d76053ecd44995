//go:build ((linux && !android) || windows) && (amd64 || arm64)

// cuBLAS, loaded.

package driver

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

type realBLAS struct {
	create       func(h *BLASHandle) int32
	destroy      func(h BLASHandle) int32
	version      func(h BLASHandle, v *int32) int32
	setStream    func(h BLASHandle, s Stream) int32
	setWorkspace func(h BLASHandle, p Ptr, bytes uint64) int32
	setMathMode  func(h BLASHandle, m MathMode) int32
	statusName   func(code int32) string
	gemm, batch  uintptr
}

func bindBLAS(handle uintptr, path string) (BLAS, error) {
	b := &realBLAS{}
	err := bindAll(handle, path, []symbol{
		{name: "cublasCreate_v2", to: &b.create},
		{name: "cublasDestroy_v2", to: &b.destroy},
		{name: "cublasGetVersion_v2", to: &b.version},
		{name: "cublasSetStream_v2", to: &b.setStream},
		{name: "cublasSetWorkspace_v2", to: &b.setWorkspace},
		{name: "cublasSetMathMode", to: &b.setMathMode},
		{name: "cublasGetStatusName", to: &b.statusName, optional: true}, // 11.4
		{name: "cublasGemmEx", to: &b.gemm},
		{name: "cublasGemmStridedBatchedEx", to: &b.batch},
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (b *realBLAS) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	name := "CUBLAS_STATUS"
	if b.statusName != nil {
		name = b.statusName(code)
	}
	return &Error{Library: LibraryCUBLAS, Call: call, Code: int(code), Name: name}
}

func (b *realBLAS) Create() (BLASHandle, error) {
	var h BLASHandle
	err := b.check("cublasCreate", b.create(&h))
	return h, err
}

func (b *realBLAS) Destroy(h BLASHandle) error { return b.check("cublasDestroy", b.destroy(h)) }

func (b *realBLAS) Version(h BLASHandle) (int, error) {
	var v int32
	err := b.check("cublasGetVersion", b.version(h, &v))
	return int(v), err
}

func (b *realBLAS) SetStream(h BLASHandle, s Stream) error {
	return b.check("cublasSetStream", b.setStream(h, s))
}

func (b *realBLAS) SetWorkspace(h BLASHandle, p Ptr, bytes uint64) error {
	return b.check("cublasSetWorkspace", b.setWorkspace(h, p, bytes))
}

func (b *realBLAS) SetMathMode(h BLASHandle, m MathMode) error {
	return b.check("cublasSetMathMode", b.setMathMode(h, m))
}

// The numbers of cublas_api.h.
const (
	compute32F  = 68
	compute64F  = 70
	gemmDefault = ^uintptr(0) // -1
)

// scalars holds alpha and beta in the type that the product wants them in. It
// must be on the heap: the library gets its address.
type scalars struct {
	alpha, beta     float64
	alpha32, beta32 float32
}

func (s *scalars) set(g *Gemm) (alpha, beta unsafe.Pointer, compute uintptr) {
	if g.Type == Float64 {
		s.alpha, s.beta = g.Alpha, g.Beta
		return unsafe.Pointer(&s.alpha), unsafe.Pointer(&s.beta), compute64F
	}
	s.alpha32, s.beta32 = float32(g.Alpha), float32(g.Beta)
	return unsafe.Pointer(&s.alpha32), unsafe.Pointer(&s.beta32), compute32F
}

func transpose(t bool) uintptr {
	if t {
		return 1
	}
	return 0
}

func (b *realBLAS) GemmEx(h BLASHandle, g *Gemm) error {
	s := new(scalars)
	alpha, beta, compute := s.set(g)
	t := uintptr(g.Type)
	r, _, _ := purego.SyscallN(b.gemm, uintptr(h), transpose(g.TransA), transpose(g.TransB),
		uintptr(g.M), uintptr(g.N), uintptr(g.K), uintptr(alpha),
		uintptr(g.A), t, uintptr(g.LDA), uintptr(g.B), t, uintptr(g.LDB), uintptr(beta),
		uintptr(g.C), t, uintptr(g.LDC), compute, gemmDefault)
	return b.check("cublasGemmEx", int32(r))
}

func (b *realBLAS) GemmStridedBatchedEx(h BLASHandle, g *Gemm) error {
	s := new(scalars)
	alpha, beta, compute := s.set(g)
	t := uintptr(g.Type)
	r, _, _ := purego.SyscallN(b.batch, uintptr(h), transpose(g.TransA), transpose(g.TransB),
		uintptr(g.M), uintptr(g.N), uintptr(g.K), uintptr(alpha),
		uintptr(g.A), t, uintptr(g.LDA), uintptr(g.StrideA), uintptr(g.B), t, uintptr(g.LDB), uintptr(g.StrideB), uintptr(beta),
		uintptr(g.C), t, uintptr(g.LDC), uintptr(g.StrideC), uintptr(g.Batch), compute, gemmDefault)
	return b.check("cublasGemmStridedBatchedEx", int32(r))
}
