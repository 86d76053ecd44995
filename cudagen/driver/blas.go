// cuBLAS, as an interface: matrix products of float32 and float64.

package driver

// BLASHandle is a cuBLAS context. It belongs to the CUDA context that was
// current when it was made.
type BLASHandle uintptr

// MathMode says which arithmetic products may use.
type MathMode int32

const (
	MathDefault  MathMode = 0 // float32 products in float32
	MathPedantic MathMode = 2 // and in the order and precision of the definition
	MathTF32     MathMode = 3 // float32 products in TF32: 10 bits of fraction
)

// DataType is a matrix's element type.
type DataType int32

const (
	Float32 DataType = 0
	Float64 DataType = 1
)

// Size returns an element's bytes.
func (t DataType) Size() int {
	if t == Float64 {
		return 8
	}
	return 4
}

// Gemm describes C = Alpha·op(A)·op(B) + Beta·C, where op transposes if asked, C
// is M×N, op(A) M×K and op(B) K×N. As in BLAS matrices are stored by columns,
// with LDA, LDB, LDC elements from a column to the next. With Batch > 1 there
// are as many products, whose matrices lie StrideA, StrideB, StrideC elements
// apart.
type Gemm struct {
	Type                      DataType
	TransA, TransB            bool
	M, N, K                   int
	Alpha, Beta               float64
	A, B, C                   Ptr
	LDA, LDB, LDC             int
	Batch                     int
	StrideA, StrideB, StrideC int64
}

// BLAS is cuBLAS. The methods need the handle's context on the calling thread.
type BLAS interface {
	Create() (BLASHandle, error)
	Destroy(h BLASHandle) error
	Version(h BLASHandle) (int, error) // 120304 for 12.3.4
	// SetStream also forgets the workspace that was set.
	SetStream(h BLASHandle, s Stream) error
	// SetWorkspace gives the products memory of their own; without it results may
	// differ from run to run when several streams are used.
	SetWorkspace(h BLASHandle, p Ptr, bytes uint64) error
	SetMathMode(h BLASHandle, m MathMode) error
	GemmEx(h BLASHandle, g *Gemm) error
	GemmStridedBatchedEx(h BLASHandle, g *Gemm) error
}
