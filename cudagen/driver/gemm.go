// Matrix products through cuBLAS.

package driver

import (
	"errors"
	"fmt"
	"math"
)

// StreamBLAS multiplies matrices in one stream.
type StreamBLAS struct {
	c         *Ctx
	stream    Stream
	handle    BLASHandle
	workspace *Buffer
}

// BLAS returns the products of a stream, 0 for the device's. The first call for a
// stream makes a handle with memory of its own, so that results do not depend on
// other streams and products can be captured, and leaves TF32 off.
func (c *Ctx) BLAS(s Stream) (*StreamBLAS, error) {
	if s == 0 {
		s = c.stream
	}
	if b := c.blasOf[s]; b != nil {
		return b, nil
	}
	if c.blas == nil {
		if c.blasErr != nil {
			return nil, c.blasErr
		}
		return nil, errors.New("cuda: no cuBLAS")
	}
	if c.memory.capture != nil {
		misuse("BLAS", "the first call for a stream is within a capture")
	}
	b := &StreamBLAS{c: c, stream: s}
	if err := b.open(); err != nil {
		return nil, errors.Join(err, b.close())
	}
	c.blasOf[s] = b
	return b, nil
}

// workspaceBytes is what NVIDIA recommends: 32 MiB from Hopper on, 4 before.
func workspaceBytes(sm int) int {
	if sm >= 90 {
		return 32 << 20
	}
	return 4 << 20
}

func (b *StreamBLAS) open() error {
	var h BLASHandle
	err := b.c.memory.withRoom(func() (err error) { h, err = b.c.blas.Create(); return err })
	if err != nil {
		return err
	}
	b.handle = h
	b.c.own(h, func() error { return b.c.blas.Destroy(h) })
	// The stream first: setting it forgets the workspace.
	if err := b.c.blas.SetStream(h, b.stream); err != nil {
		return err
	}
	w, err := b.c.AllocIn(b.stream, workspaceBytes(b.c.Info().SM), "cuBLAS workspace")
	if err != nil {
		return err
	}
	w.block.internal = true
	b.workspace = w
	if err := b.c.blas.SetWorkspace(h, w.Ptr(), uint64(w.Bytes())); err != nil {
		return err
	}
	return b.c.blas.SetMathMode(h, MathDefault)
}

// close ends the handle and its memory.
func (b *StreamBLAS) close() error {
	if b.handle != 0 {
		if err := b.c.release(b.handle); err != nil {
			return err
		}
		b.handle = 0
	}
	if b.workspace != nil {
		b.c.Free(b.workspace)
		b.workspace = nil
	}
	delete(b.c.blasOf, b.stream)
	return nil
}

// SetMathMode lets products use other arithmetic.
func (b *StreamBLAS) SetMathMode(m MathMode) error { return b.c.blas.SetMathMode(b.handle, m) }

// Gemm multiplies matrices stored by columns, a batch of them if Batch > 1. A
// product without elements does nothing. Sizes that are negative or do not fit 32
// bits and leading dimensions that are too small panic.
func (b *StreamBLAS) Gemm(g Gemm) error {
	rowsA, rowsB := g.M, g.K
	if g.TransA {
		rowsA = g.K
	}
	if g.TransB {
		rowsB = g.N
	}
	if min(g.M, g.N, g.K, g.Batch) < 0 || max(g.M, g.N, g.K, g.LDA, g.LDB, g.LDC, g.Batch) > math.MaxInt32 ||
		g.LDA < max(1, rowsA) || g.LDB < max(1, rowsB) || g.LDC < max(1, g.M) {
		misuse("Gemm", "%s", g)
	}
	if g.M == 0 || g.N == 0 {
		return nil
	}
	if g.Batch > 1 {
		return b.c.blas.GemmStridedBatchedEx(b.handle, &g)
	}
	return b.c.blas.GemmEx(b.handle, &g)
}

// GemmRows is Gemm for matrices stored by rows, with LDA, LDB, LDC elements from
// a row to the next: by columns these are the transposed ones, and C' = op(B)'·op(A)'.
func (b *StreamBLAS) GemmRows(g Gemm) error {
	g.M, g.N = g.N, g.M
	g.A, g.B = g.B, g.A
	g.TransA, g.TransB = g.TransB, g.TransA
	g.LDA, g.LDB = g.LDB, g.LDA
	g.StrideA, g.StrideB = g.StrideB, g.StrideA
	return b.Gemm(g)
}

// String names the product's sizes.
func (g Gemm) String() string {
	return fmt.Sprintf("%dx%dx%d, transposed %v %v, leading dimensions %d %d %d, batch %d",
		g.M, g.N, g.K, g.TransA, g.TransB, g.LDA, g.LDB, g.LDC, g.Batch)
}
