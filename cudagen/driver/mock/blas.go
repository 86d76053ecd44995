// Matrix products by their definition, queued like a kernel.

package mock

import (
	"math"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// BLAS implements [driver.BLAS].
type BLAS struct{ d *Driver }

var _ driver.BLAS = (*BLAS)(nil)

// BLAS returns the machine's cuBLAS.
func (d *Driver) BLAS() *BLAS { return &BLAS{d: d} }

type blasState struct {
	stream    driver.Stream
	workspace bool
	mode      driver.MathMode
}

// The result codes of cuBLAS.
var statusNames = map[int]string{
	1: "CUBLAS_STATUS_NOT_INITIALIZED", 3: "CUBLAS_STATUS_ALLOC_FAILED", 7: "CUBLAS_STATUS_INVALID_VALUE",
	13: "CUBLAS_STATUS_EXECUTION_FAILED", 14: "CUBLAS_STATUS_INTERNAL_ERROR",
}

const (
	notInitialized  = 1
	invalidValue    = 7
	executionFailed = 13
	internalError   = 14
)

// do runs a call in the context of the calling goroutine.
func (b *BLAS) do(call string, f func(c *context) int, args ...any) error {
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	code := 0
	if r := b.d.enter(call, args...); r != 0 {
		code = internalError
		if statusNames[int(r)] != "" {
			code = int(r)
		}
	} else if c := b.d.current[goroutine()]; c == nil {
		b.d.fault("%s: the calling thread has no context", call)
		code = notInitialized
	} else {
		code = f(c)
		if code == 0 && c.sticky != 0 {
			code = executionFailed
		}
	}
	if code == 0 {
		return nil
	}
	return &driver.Error{Library: driver.LibraryCUBLAS, Call: call, Code: code, Name: statusNames[code]}
}

// with is do for calls on a handle.
func (b *BLAS) with(call string, h driver.BLASHandle, f func(c *context, s *blasState) int, args ...any) error {
	return b.do(call, func(c *context) int {
		s := c.blas[h]
		if s == nil {
			b.d.fault("%s: %#x is no handle of this context", call, h)
			return notInitialized
		}
		return f(c, s)
	}, append([]any{h}, args...)...)
}

func (b *BLAS) Create() (h driver.BLASHandle, err error) {
	err = b.do("cublasCreate", func(c *context) int {
		h = driver.BLASHandle(b.d.handle())
		c.blas[h] = &blasState{}
		return 0
	})
	return h, err
}

func (b *BLAS) Destroy(h driver.BLASHandle) error {
	return b.with("cublasDestroy", h, func(c *context, s *blasState) int {
		delete(c.blas, h)
		return 0
	})
}

func (b *BLAS) Version(h driver.BLASHandle) (v int, err error) {
	err = b.with("cublasGetVersion", h, func(*context, *blasState) int { v = 120405; return 0 })
	return v, err
}

func (b *BLAS) SetStream(h driver.BLASHandle, st driver.Stream) error {
	return b.with("cublasSetStream", h, func(c *context, s *blasState) int {
		if _, r := c.stream("cublasSetStream", st); r != 0 {
			return invalidValue
		}
		s.stream, s.workspace = st, false
		return 0
	}, st)
}

func (b *BLAS) SetWorkspace(h driver.BLASHandle, p driver.Ptr, n uint64) error {
	return b.with("cublasSetWorkspace", h, func(c *context, s *blasState) int {
		if p%256 != 0 || c.at("cublasSetWorkspace", p, n) == nil {
			return invalidValue
		}
		s.workspace = true
		return 0
	}, p, n)
}

func (b *BLAS) SetMathMode(h driver.BLASHandle, m driver.MathMode) error {
	return b.with("cublasSetMathMode", h, func(c *context, s *blasState) int { s.mode = m; return 0 }, m)
}

// MathModes returns the mode of every handle that is alive.
func (b *BLAS) MathModes() []driver.MathMode {
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	var out []driver.MathMode
	for _, c := range b.d.contexts {
		for _, s := range c.blas {
			out = append(out, s.mode)
		}
	}
	return out
}

func (b *BLAS) GemmEx(h driver.BLASHandle, g *driver.Gemm) error {
	return b.gemm("cublasGemmEx", h, g, 1)
}

func (b *BLAS) GemmStridedBatchedEx(h driver.BLASHandle, g *driver.Gemm) error {
	return b.gemm("cublasGemmStridedBatchedEx", h, g, g.Batch)
}

func (b *BLAS) gemm(call string, h driver.BLASHandle, g *driver.Gemm, batch int) error {
	p := *g
	p.Batch = batch
	return b.with(call, h, func(c *context, s *blasState) int {
		rowsA, rowsB := p.M, p.K
		if p.TransA {
			rowsA = p.K
		}
		if p.TransB {
			rowsB = p.N
		}
		if min(p.M, p.N, p.K, batch) < 0 || max(p.M, p.N, p.K) > math.MaxInt32 || p.LDA < max(1, rowsA) || p.LDB < max(1, rowsB) || p.LDC < max(1, p.M) {
			b.d.fault("%s: sizes %+v", call, p)
			return invalidValue
		}
		q, r := c.stream(call, s.stream)
		if r != 0 {
			return executionFailed
		}
		if !s.workspace {
			b.d.fault("%s: no workspace since the stream was set: results could differ from run to run", call)
		}
		if r := c.refused(call, q); r != 0 {
			return executionFailed
		}
		c.enqueue(q, &op{name: call, run: func() driver.Result {
			for i := range batch {
				ok := false
				if p.Type == driver.Float64 {
					ok = product[float64](c, call, &p, int64(i))
				} else {
					ok = product[float32](c, call, &p, int64(i))
				}
				if !ok {
					return driver.IllegalAddress
				}
			}
			return 0
		}})
		return 0
	})
}

// product computes one product of a batch.
func product[T float32 | float64](c *context, call string, g *driver.Gemm, i int64) bool {
	view := func(p driver.Ptr, stride int64, rows, cols, ld int) []T {
		if rows == 0 || cols == 0 {
			return []T{}
		}
		n := uint64((cols-1)*ld + rows)
		size := uint64(g.Type.Size())
		bytes := c.at(call, p+driver.Ptr(i*stride*int64(size)), n*size)
		if bytes == nil {
			return nil
		}
		return unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), n)
	}
	stored := func(transposed bool, rows, cols int) (int, int) {
		if transposed {
			return cols, rows
		}
		return rows, cols
	}
	rowsA, colsA := stored(g.TransA, g.M, g.K)
	rowsB, colsB := stored(g.TransB, g.K, g.N)
	a, b := view(g.A, g.StrideA, rowsA, colsA, g.LDA), view(g.B, g.StrideB, rowsB, colsB, g.LDB)
	out := view(g.C, g.StrideC, g.M, g.N, g.LDC)
	if a == nil || b == nil || out == nil {
		return false
	}
	at := func(x []T, ld int, transposed bool, row, col int) float64 {
		row, col = stored(transposed, row, col)
		return float64(x[col*ld+row])
	}
	for col := range g.N {
		for row := range g.M {
			sum := 0.0
			for k := range g.K {
				sum += at(a, g.LDA, g.TransA, row, k) * at(b, g.LDB, g.TransB, k, col)
			}
			v := g.Alpha * sum
			if g.Beta != 0 {
				v += g.Beta * float64(out[col*g.LDC+row])
			}
			out[col*g.LDC+row] = T(v)
		}
	}
	return true
}
