// The tile kernels of the matrix product: what they compute and which there are.

package kern

// GemmKernel multiplies matrices that fit the caches. It keeps a tile of C in
// registers over the whole depth, so it is fast in proportion to how large the
// tile is; packing and cutting larger products is the caller's work.
type GemmKernel[T Float] struct {
	Name string // the instruction set: "avx512", "avx2", "neon" or "go"
	Rows int    // rows of a tile
	Cols int    // columns of a tile, and the most that a panel may have

	panel func(rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode, next []T)
}

// GemmMode is a set of what else happens to a panel of C.
type GemmMode int

const (
	// GemmAccumulate adds C's old elements.
	GemmAccumulate GemmMode = 1 << iota
	// GemmReLU sets negative results to 0, after everything else.
	GemmReLU
	// GemmPast tells that C is large and not read soon: panels of all columns, if their rows are whole
	// lines of the cache, may be written past the caches, which then need not read them first.
	// Other goroutines see them after Fence.
	GemmPast
)

// Panel computes a panel of C, up to Cols columns and any number of rows:
//
//	c[i*cRow+j] = Σ_p a[i*aRow+p*aDepth] * b[p*bDepth+j]   i < rows, j < cols, p < depth
//
// plus c[i*cRow+j] if mode has GemmAccumulate, plus bias[j] unless bias is nil,
// clamped to 0 from below if mode has GemmReLU. The sum runs in the order of p
// from 0, the same for every element of every panel. Nothing else is read or
// written. Strides may be anything that keeps the indices within the slices;
// c must not overlap the others.
func (g *GemmKernel[T]) Panel(rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode) {
	g.PanelAhead(rows, cols, depth, a, aRow, aDepth, b, bDepth, c, cRow, bias, mode, nil)
}

// PanelAhead is Panel that asks for memory to be brought to the second-level cache
// meanwhile: from the start of next on, a cache line for each row of B and tile.
func (g *GemmKernel[T]) PanelAhead(rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode, next []T) {
	if rows <= 0 || cols <= 0 {
		return
	}
	if cols > g.Cols {
		panic("BUG: kern: a panel wider than the kernel's tile")
	}
	// Slicing up to the length, not the capacity.
	c = c[: (rows-1)*cRow+cols : len(c)]
	if depth > 0 {
		a, b = a[:(rows-1)*aRow+(depth-1)*aDepth+1:len(a)], b[:(depth-1)*bDepth+cols:len(b)]
	}
	if bias != nil {
		bias = bias[:cols:len(bias)]
	}
	g.panel(rows, cols, depth, a, aRow, aDepth, b, bDepth, c, cRow, bias, mode, next)
}

// GemmKernels returns the kernels this machine can run, the fastest first. The
// last is always the plain Go one.
func GemmKernels[T Float]() []*GemmKernel[T] {
	var all any = gemm32
	if _, ok := any(T(0)).(float64); ok {
		all = gemm64
	}
	return all.([]*GemmKernel[T])
}

var gemm32, gemm64 = gemmKernels32(), gemmKernels64()

const (
	gemmGoRows = 4
	gemmGoCols = 4
)

// gemmGo is the kernel without assembly.
func gemmGo[T Float]() *GemmKernel[T] {
	return &GemmKernel[T]{Name: "go", Rows: gemmGoRows, Cols: gemmGoCols, panel: gemmGoPanel[T]}
}

func gemmGoPanel[T Float](rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode, _ []T) {
	i := 0
	for ; cols == gemmGoCols && i+gemmGoRows <= rows; i += gemmGoRows {
		sums := gemmGoTile(depth, a, i*aRow, aRow, aDepth, b, bDepth)
		for r := range gemmGoRows {
			gemmFinish(c[(i+r)*cRow:][:gemmGoCols], sums[r][:], bias, mode)
		}
	}
	for ; i < rows; i++ {
		var sums [gemmGoCols]T
		for p := range depth {
			x := a[i*aRow+p*aDepth]
			for j, y := range b[p*bDepth:][:cols] {
				sums[j] += x * y
			}
		}
		gemmFinish(c[i*cRow:][:cols], sums[:cols], bias, mode)
	}
}

// gemmGoTile returns the sums of a whole tile whose A starts at an index.
func gemmGoTile[T Float](depth int, a []T, at, aRow, aDepth int, b []T, bDepth int) [gemmGoRows][gemmGoCols]T {
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 T
	for p := range depth {
		y := (*[gemmGoCols]T)(b[p*bDepth:])
		b0, b1, b2, b3 := y[0], y[1], y[2], y[3]
		x := a[at+p*aDepth]
		s00, s01, s02, s03 = s00+x*b0, s01+x*b1, s02+x*b2, s03+x*b3
		x = a[at+p*aDepth+aRow]
		s10, s11, s12, s13 = s10+x*b0, s11+x*b1, s12+x*b2, s13+x*b3
		x = a[at+p*aDepth+2*aRow]
		s20, s21, s22, s23 = s20+x*b0, s21+x*b1, s22+x*b2, s23+x*b3
		x = a[at+p*aDepth+3*aRow]
		s30, s31, s32, s33 = s30+x*b0, s31+x*b1, s32+x*b2, s33+x*b3
	}
	return [gemmGoRows][gemmGoCols]T{{s00, s01, s02, s03}, {s10, s11, s12, s13}, {s20, s21, s22, s23}, {s30, s31, s32, s33}}
}

// gemmFinish writes a row of sums to C.
func gemmFinish[T Float](c, sums, bias []T, mode GemmMode) {
	for j, s := range sums {
		if mode&GemmAccumulate != 0 {
			s += c[j]
		}
		if bias != nil {
			s += bias[j]
		}
		if mode&GemmReLU != 0 && s < 0 {
			s = 0
		}
		c[j] = s
	}
}
