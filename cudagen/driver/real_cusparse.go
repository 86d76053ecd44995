//go:build ((linux && !android) || windows) && (amd64 || arm64)

// cuSPARSE, loaded.

package driver

import "errors"

type realSparse struct {
	create       func(h *SparseHandle) int32
	destroy      func(h SparseHandle) int32
	version      func(h SparseHandle, v *int32) int32
	setStream    func(h SparseHandle, s Stream) int32
	statusName   func(code int32) string
	createCSR    func(d *uintptr, rows, cols, nnz int64, offsets, columns, values Ptr, offsetType, columnType, base, valueType int32) int32
	destroyCSR   func(d uintptr) int32
	createDense  func(d *uintptr, rows, cols, ld int64, values Ptr, valueType, order int32) int32
	destroyDense func(d uintptr) int32
	bufferSize   func(h SparseHandle, opA, opB int32, alpha *float32, a, b uintptr, beta *float32, c uintptr, compute, algorithm int32, bytes *uint64) int32
	preprocess   func(h SparseHandle, opA, opB int32, alpha *float32, a, b uintptr, beta *float32, c uintptr, compute, algorithm int32, workspace Ptr) int32
	multiply     func(h SparseHandle, opA, opB int32, alpha *float32, a, b uintptr, beta *float32, c uintptr, compute, algorithm int32, workspace Ptr) int32
}

func bindSparse(handle uintptr, path string) (Sparse, error) {
	s := &realSparse{}
	err := bindAll(handle, path, []symbol{
		{name: "cusparseCreate", to: &s.create},
		{name: "cusparseDestroy", to: &s.destroy},
		{name: "cusparseGetVersion", to: &s.version},
		{name: "cusparseSetStream", to: &s.setStream},
		{name: "cusparseGetErrorName", to: &s.statusName},
		{name: "cusparseCreateCsr", to: &s.createCSR},
		{name: "cusparseDestroySpMat", to: &s.destroyCSR},
		{name: "cusparseCreateDnMat", to: &s.createDense},
		{name: "cusparseDestroyDnMat", to: &s.destroyDense},
		{name: "cusparseSpMM_bufferSize", to: &s.bufferSize},
		{name: "cusparseSpMM_preprocess", to: &s.preprocess}, // 11.2
		{name: "cusparseSpMM", to: &s.multiply},
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *realSparse) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return &Error{Library: LibraryCUSPARSE, Call: call, Code: int(code), Name: s.statusName(code)}
}

func (s *realSparse) Create() (SparseHandle, error) {
	var h SparseHandle
	err := s.check("cusparseCreate", s.create(&h))
	return h, err
}

func (s *realSparse) Destroy(h SparseHandle) error { return s.check("cusparseDestroy", s.destroy(h)) }

func (s *realSparse) Version(h SparseHandle) (int, error) {
	var v int32
	err := s.check("cusparseGetVersion", s.version(h, &v))
	return int(v), err
}

func (s *realSparse) SetStream(h SparseHandle, q Stream) error {
	return s.check("cusparseSetStream", s.setStream(h, q))
}

// The numbers of cusparse.h and library_types.h.
const (
	sparseIndex32  = 2 // CUSPARSE_INDEX_32I
	sparseZeroBase = 0
	sparseRowOrder = 2 // CUSPARSE_ORDER_ROW
	sparseFloat32  = 0 // CUDA_R_32F
	sparseAsIs     = 0 // CUSPARSE_OPERATION_NON_TRANSPOSE
)

func (s *realSparse) NewSpMM(h SparseHandle, m SpMM) (p *SpMMPlan, err error) {
	p = &SpMMPlan{algorithm: m.Algorithm, factors: &[2]float32{1, 0}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.DestroySpMM(p))
			p = nil
		}
	}()
	if err := s.check("cusparseCreateCsr", s.createCSR(&p.matrix, int64(m.Rows), int64(m.Cols), int64(m.NNZ), m.Offsets, m.Columns, m.Values,
		sparseIndex32, sparseIndex32, sparseZeroBase, sparseFloat32)); err != nil {
		return p, err
	}
	dense := func(d *uintptr, rows int, values Ptr) error {
		return s.check("cusparseCreateDnMat", s.createDense(d, int64(rows), int64(m.N), int64(m.N), values, sparseFloat32, sparseRowOrder))
	}
	if err := errors.Join(dense(&p.operand, m.Cols, m.B), dense(&p.into, m.Rows, m.C)); err != nil {
		return p, err
	}
	return p, s.check("cusparseSpMM_bufferSize", s.bufferSize(h, sparseAsIs, sparseAsIs, &p.factors[0], p.matrix, p.operand, &p.factors[1], p.into,
		sparseFloat32, int32(p.algorithm), &p.Workspace))
}

func (s *realSparse) DestroySpMM(p *SpMMPlan) (err error) {
	if p.matrix != 0 {
		err = s.check("cusparseDestroySpMat", s.destroyCSR(p.matrix))
	}
	for _, d := range []uintptr{p.operand, p.into} {
		if d != 0 {
			err = errors.Join(err, s.check("cusparseDestroyDnMat", s.destroyDense(d)))
		}
	}
	p.matrix, p.operand, p.into = 0, 0, 0
	return err
}

func (s *realSparse) PrepareSpMM(h SparseHandle, p *SpMMPlan, workspace Ptr) error {
	return s.check("cusparseSpMM_preprocess", s.preprocess(h, sparseAsIs, sparseAsIs, &p.factors[0], p.matrix, p.operand, &p.factors[1], p.into,
		sparseFloat32, int32(p.algorithm), workspace))
}

func (s *realSparse) RunSpMM(h SparseHandle, p *SpMMPlan, workspace Ptr) error {
	return s.check("cusparseSpMM", s.multiply(h, sparseAsIs, sparseAsIs, &p.factors[0], p.matrix, p.operand, &p.factors[1], p.into,
		sparseFloat32, int32(p.algorithm), workspace))
}
