// Tests that the tile kernels read and write nothing beyond their slices.

package kern

import "testing"

// TestGemmPanelsStayWithinTheirSlices ends by a fault, not a failure, if one does not.
func TestGemmPanelsStayWithinTheirSlices(t *testing.T) {
	forGemmKernels(t, testGemmPages[float32], testGemmPages[float64])
}

func testGemmPages[T Float](t *testing.T, g *GemmKernel[T]) {
	for _, rows := range []int{1, 2, 3, 5, g.Rows, g.Rows + 1, 2*g.Rows - 1} {
		for cols := 1; cols <= g.Cols; cols += 1 + cols/8 {
			const depth = 3
			a, b, c, bias := pageEnd[T](t, rows*depth), pageEnd[T](t, depth*cols), pageEnd[T](t, rows*cols), pageEnd[T](t, cols)
			for mode := range GemmMode(4) {
				g.Panel(rows, cols, depth, a, depth, 1, b, cols, c, cols, bias, mode)
				g.Panel(rows, cols, depth, a, 1, rows, b, cols, c, cols, nil, mode)
			}
		}
	}
}
