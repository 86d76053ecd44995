// Tests that the tile kernels read and write nothing beyond their slices.

package kern

import "testing"

// TestGemmPanelsStayWithinTheirSlices ends by a fault, not a failure, if one does not.
func TestGemmPanelsStayWithinTheirSlices(t *testing.T) {
	forGemmKernels(t, testGemmPages[float32], testGemmPages[float64])
}

func testGemmPages[T Float](t *testing.T, g *GemmKernel[T]) {
	const depth = 9 // some kernels take 8 at once
	for name, page := range map[string]func(*testing.T, int) []T{"before": pageStart[T], "after": pageEnd[T]} {
		t.Run(name, func(t *testing.T) {
			for _, rows := range []int{1, 2, 3, 5, g.Rows, g.Rows + 1, 2*g.Rows - 1, 2*g.Rows + 3} {
				for cols := 1; cols <= g.Cols; cols++ {
					a, b, c, bias := page(t, rows*depth), page(t, depth*cols), page(t, rows*cols), page(t, cols)
					for mode := range GemmMode(4) {
						for _, d := range []int{1, depth - 1, depth} {
							g.Panel(rows, cols, d, a[:rows*d], d, 1, b[:d*cols], cols, c, cols, bias, mode)
							a, b := a[len(a)-rows*d:], b[len(b)-d*cols:]
							g.Panel(rows, cols, d, a, d, 1, b, cols, c, cols, bias, mode)
							g.Panel(rows, cols, d, a, 1, rows, b, cols, c, cols, nil, mode)
						}
					}
				}
			}
		})
	}
}
