package device

// Matrix products on package tensor/cpu.

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// blas implements [driver.BLAS].
type blas struct {
	*mock.BLAS
	d       *Driver
	streams map[driver.BLASHandle]driver.Stream // guarded by the driver's lock
}

var _ driver.BLAS = (*blas)(nil)

func (d *Driver) blas() *blas {
	return &blas{BLAS: d.Driver.BLAS(), d: d, streams: make(map[driver.BLASHandle]driver.Stream)}
}

func (b *blas) SetStream(h driver.BLASHandle, s driver.Stream) error {
	if err := b.BLAS.SetStream(h, s); err != nil {
		return err
	}
	b.d.mu.Lock()
	defer b.d.mu.Unlock()
	b.streams[h] = s
	return nil
}

func (b *blas) Destroy(h driver.BLASHandle) error {
	b.d.mu.Lock()
	delete(b.streams, h)
	b.d.mu.Unlock()
	return b.BLAS.Destroy(h)
}

// SetWorkspace checks the memory and tells the mock, which knows its shadow. What a
// workspace holds does not matter here.
func (b *blas) SetWorkspace(h driver.BLASHandle, p driver.Ptr, n uint64) error {
	const call = "cublasSetWorkspace"
	if p%256 != 0 || b.d.at(call, p, n) == nil {
		return &driver.Error{Library: driver.LibraryCUBLAS, Call: call, Code: 7, Name: "CUBLAS_STATUS_INVALID_VALUE"}
	}
	return b.BLAS.SetWorkspace(h, b.d.shadowOf(p), 1)
}

// shadowOf returns the shadow of the block that an address is in.
func (d *Driver) shadowOf(p driver.Ptr) driver.Ptr {
	d.mu.Lock()
	defer d.mu.Unlock()
	for start, b := range d.blocks {
		if p >= start && uint64(p-start) < b.bytes {
			return b.shadow
		}
	}
	return 0
}

func (b *blas) GemmEx(h driver.BLASHandle, g *driver.Gemm) error {
	one := *g
	one.Batch = 1
	return b.gemm("cublasGemmEx", h, one, b.BLAS.GemmEx)
}

func (b *blas) GemmStridedBatchedEx(h driver.BLASHandle, g *driver.Gemm) error {
	return b.gemm("cublasGemmStridedBatchedEx", h, *g, b.BLAS.GemmStridedBatchedEx)
}

// gemm queues a product. The mock gets one without elements: it checks what a call
// needs and keeps its record.
func (b *blas) gemm(call string, h driver.BLASHandle, g driver.Gemm, mocked func(driver.BLASHandle, *driver.Gemm) error) error {
	rowsA, rowsB := g.M, g.K
	if g.TransA {
		rowsA = g.K
	}
	if g.TransB {
		rowsB = g.N
	}
	if min(g.M, g.N, g.K, g.Batch) < 0 || max(g.M, g.N, g.K) > math.MaxInt32 ||
		g.LDA < max(1, rowsA) || g.LDB < max(1, rowsB) || g.LDC < max(1, g.M) {
		b.d.fault("%s: %v", call, g)
		return &driver.Error{Library: driver.LibraryCUBLAS, Call: call, Code: 7, Name: "CUBLAS_STATUS_INVALID_VALUE"}
	}
	empty := g
	empty.M, empty.N, empty.K, empty.Batch = 0, 0, 0, 0
	if err := mocked(h, &empty); err != nil {
		return b.d.because(err)
	}
	b.d.mu.Lock()
	s := b.streams[h]
	b.d.mu.Unlock()
	return b.d.enqueue(call, s, func() error {
		for i := range int64(g.Batch) {
			var err error
			if g.Type == driver.Float64 {
				err = multiply[float64](b.d, call, &g, i)
			} else {
				err = multiply[float32](b.d, call, &g, i)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// multiply computes one product of a batch. What BLAS stores by columns is by rows
// the transposed matrix: it computes C' = op(B)'·op(A)'.
func multiply[T float32 | float64](d *Driver, call string, g *driver.Gemm, i int64) error {
	size := int64(g.Type.Size())
	view := func(p driver.Ptr, stride int64, rows, cols, ld int) (cpu.Matrix[T], error) {
		m := cpu.Matrix[T]{Rows: cols, Cols: rows, RowStride: ld, ColStride: 1}
		if rows == 0 || cols == 0 {
			return m, nil
		}
		n := (cols-1)*ld + rows
		bytes := d.at(call, p+driver.Ptr(i*stride*size), uint64(n)*uint64(size))
		if bytes == nil {
			return m, fmt.Errorf("%s: %v: a matrix is not in device memory", call, g)
		}
		m.Data = unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), n)
		return m, nil
	}
	operand := func(p driver.Ptr, stride int64, transposed bool, rows, cols, ld int) (cpu.Matrix[T], error) {
		if !transposed {
			return view(p, stride, rows, cols, ld)
		}
		m, err := view(p, stride, cols, rows, ld)
		return m.T(), err
	}
	a, err := operand(g.A, g.StrideA, g.TransA, g.M, g.K, g.LDA)
	if err != nil {
		return err
	}
	b, err := operand(g.B, g.StrideB, g.TransB, g.K, g.N, g.LDB)
	if err != nil {
		return err
	}
	c, err := view(g.C, g.StrideC, g.M, g.N, g.LDC)
	if err != nil || g.M == 0 || g.N == 0 {
		return err
	}
	product := cpu.RowMajor(make([]T, g.M*g.N), g.N, g.M)
	cpu.MatMul(product, b, a, cpu.Epilogue[T]{})
	alpha, beta := T(g.Alpha), T(g.Beta)
	for col := range g.N {
		to := c.Data[col*g.LDC:][:g.M]
		for row, v := range product.Data[col*g.M:][:g.M] {
			v *= alpha
			if beta != 0 { // else C may hold anything
				v += beta * to[row]
			}
			to[row] = v
		}
	}
	return nil
}
