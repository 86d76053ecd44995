package cpu

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A goroutine whose share are the last blocks does not wait for another one to pack.
func TestWhoeverComesFirstPacks(t *testing.T) {
	const m, n, k = 256, 600, 96
	r := rand.New(rand.NewPCG(5, 6))
	draw := func(rows, cols int) Matrix[float32] {
		x := make([]float32, rows*cols)
		for i := range x {
			x[i] = float32(r.IntN(9) - 4)
		}
		return RowMajor(x, rows, cols)
	}
	a, b, c := draw(m, k), draw(n, k).T(), RowMajor(make([]float32, m*n), m, n)
	p := product[float32]{kernel: stateOf[float32]().kernel.Load(), c: c, a: a, b: b, depth: k}
	p.cut = p.cuts()
	if !p.cut.packB {
		t.Fatalf("nothing is packed: %+v", p.cut)
	}
	f := &phases[float32]{tiling: tiling[float32]{product: p, slab: block{0, m, 0, n, 0, k}}, grain: 1}
	f.tiling.packed = make([]float32, roundUp(n, p.kernel.Cols)*k)
	f.pieces = f.packAcross() * ceilDiv(k, p.cut.depth)
	f.blocks = ceilDiv(m, p.cut.rows) * f.across()
	done := make(chan struct{})
	go func() {
		f.run(&newLoop(2, f.pieces+f.blocks, f.run).shares[1].draw)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits")
	}
	for i := range m {
		for j := range n {
			var want float32
			for q := range k {
				want += a.Data[i*k+q] * b.Data[j*k+q]
			}
			if c.Data[i*n+j] != want {
				t.Fatalf("element [%d, %d] is %v, want %v", i, j, c.Data[i*n+j], want)
			}
		}
	}
}
