// The matrix product against OpenBLAS and gonum, all writing into memory that
// is there already.

package main

import (
	"fmt"
	"runtime/debug"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// A gemmShape is a layer's product A·W of m×k and k×n matrices. Gradients take
// the same three numbers: Aᵀ·G for W's, G·Wᵀ for A's.
type gemmShape struct {
	m, k, n int
	target  float64 // speed-up over OpenBLAS wanted of A·W
}

// fieldShapes: a square one, hidden layers on arxiv-sized and larger graphs,
// Cora's first layer.
var fieldShapes = []gemmShape{
	{1024, 1024, 1024, 0.95},
	{169343, 128, 128, 1.2},
	{200000, 128, 64, 1.2},
	{2708, 1433, 16, 1.2},
}

const (
	gradientTarget = 1.0
	gonumTarget    = 10
)

// A product is C = op(A)·op(B) with C m×n and op(A) m×k.
type product struct {
	m, n, k        int
	transA, transB bool
	a, b           []float32
}

func gemmSection(b *bench, shapes []gemmShape) error {
	for _, s := range shapes {
		size := fmt.Sprintf("%d×%d×%d", s.m, s.k, s.n)
		cases := []struct {
			name   string
			target float64
			p      product
		}{
			{size + " A·W", s.target, product{m: s.m, k: s.k, n: s.n}},
			{size + " Aᵀ·G", gradientTarget, product{m: s.k, k: s.m, n: s.n, transA: true}},
			{size + " G·Wᵀ", gradientTarget, product{m: s.m, k: s.n, n: s.k, transB: true}},
		}
		for _, c := range cases {
			if !b.wanted(c.name) {
				continue
			}
			p := c.p
			p.a = tensor.Data[float32](harness.Numbers(1, p.m*p.k))
			p.b = tensor.Data[float32](harness.Numbers(2, p.k*p.n))
			err := b.compare(match{name: c.name, tolerance: 1e-4, ours: p.ours, rivals: []rival{
				{peer: peerOpenBLAS, target: c.target, enter: func() (harness.Contender, error) { return p.openBLAS(b) }},
				{peer: peerGonum, target: gonumTarget, enter: p.gonum},
			}})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// entry is the contender that runs multiply into a result of its own.
func (p product) entry(multiply func(c []float32)) (harness.Contender, error) {
	c := make([]float32, p.m*p.n)
	return harness.InProcess(func() { multiply(c) }, func() []float32 { multiply(c); return c }), nil
}

func (p product) ours() (harness.Contender, error) {
	x, y := cpu.RowMajor(p.a, p.m, p.k), cpu.RowMajor(p.b, p.k, p.n)
	if p.transA {
		x = cpu.RowMajor(p.a, p.k, p.m).T()
	}
	if p.transB {
		y = cpu.RowMajor(p.b, p.n, p.k).T()
	}
	return p.entry(func(c []float32) { cpu.MatMul(cpu.RowMajor(c, p.m, p.n), x, y, cpu.Epilogue[float32]{}) })
}

// strides are the leading dimensions of the stored A and B.
func (p product) strides() (lda, ldb int) {
	lda, ldb = p.k, p.n
	if p.transA {
		lda = p.m
	}
	if p.transB {
		ldb = p.k
	}
	return lda, ldb
}

func (p product) gonum() (harness.Contender, error) {
	lda, ldb := p.strides()
	transpose := map[bool]blas.Transpose{false: blas.NoTrans, true: blas.Trans}
	return p.entry(func(c []float32) {
		gonum.Implementation{}.Sgemm(transpose[p.transA], transpose[p.transB], p.m, p.n, p.k, 1, p.a, lda, p.b, ldb, 0, c, p.n)
	})
}

// moduleVersion returns the version of a module that this binary was built with.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return "unknown"
}
