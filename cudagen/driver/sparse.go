// cuSPARSE, as an interface: a sparse matrix times a dense one. Nothing of this module
// computes with it: benchmarks hold the generated kernels against it.

package driver

// SparseHandle is a cuSPARSE context. It belongs to the CUDA context that was
// current when it was made.
type SparseHandle uintptr

// SpMMAlgorithm is one of cuSPARSE's ways to multiply.
type SpMMAlgorithm int32

const (
	SpMMDefault SpMMAlgorithm = 0
	SpMMCSR2    SpMMAlgorithm = 6  // for matrices by rows; results may differ from run to run
	SpMMCSR3    SpMMAlgorithm = 12 // deterministic
)

// SpMM describes C = A·B in float32, where A is Rows×Cols in compressed sparse rows,
// with NNZ entries and int32 offsets and columns, and B [Cols N] and C [Rows N] are
// stored by rows.
type SpMM struct {
	Rows, Cols, NNZ, N       int
	Offsets, Columns, Values Ptr
	B, C                     Ptr
	Algorithm                SpMMAlgorithm
}

// SpMMPlan is a product that was described to cuSPARSE.
type SpMMPlan struct {
	Workspace             uint64 // bytes of device memory that it needs
	algorithm             SpMMAlgorithm
	matrix, operand, into uintptr // descriptors
	factors               *[2]float32
}

// Sparse is cuSPARSE. The methods need the handle's context on the calling thread.
type Sparse interface {
	Create() (SparseHandle, error)
	Destroy(h SparseHandle) error
	Version(h SparseHandle) (int, error) // 12508 for 12.5.8
	SetStream(h SparseHandle, s Stream) error
	// NewSpMM describes a product; DestroySpMM forgets it.
	NewSpMM(h SparseHandle, m SpMM) (*SpMMPlan, error)
	DestroySpMM(p *SpMMPlan) error
	// PrepareSpMM may look at the matrix to make products faster. It and all products
	// use the same workspace, whose contents must stay.
	PrepareSpMM(h SparseHandle, p *SpMMPlan, workspace Ptr) error
	RunSpMM(h SparseHandle, p *SpMMPlan, workspace Ptr) error
}
