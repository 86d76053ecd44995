// Tests of edges as PyTorch Geometric has them.

package data

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

func TestEdgeIndexIsPartedIntoItsEnds(t *testing.T) {
	long := tensor.FromSlice([]int64{0, 1, 2, 2, 1, 0}, 2, 3)
	for name, x := range map[string]*tensor.Tensor{
		"int64": long, "int32": long.To(tensor.Int32),
		"a view": tensor.FromSlice([]int64{0, 2, 1, 1, 2, 0}, 3, 2).Transpose(),
	} {
		src, dst, err := EdgeIndex(x)
		if err != nil || !slices.Equal(src, []int32{0, 1, 2}) || !slices.Equal(dst, []int32{2, 1, 0}) {
			t.Errorf("%s: %v %v %v", name, src, dst, err)
		}
		if _, err := graph.New(3, src, dst); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if src, dst, err := EdgeIndex(tensor.Zeros(tensor.Int64, 2, 0)); err != nil || len(src)+len(dst) != 0 {
		t.Errorf("no edges: %v %v %v", src, dst, err)
	}
	for want, x := range map[string]*tensor.Tensor{
		"the tensor is nil": nil,
		"a tensor of i64 [3 2]; want i64 or i32 [2 edges]": tensor.Zeros(tensor.Int64, 3, 2),
		"a tensor of i64 [2]; want i64 or i32 [2 edges]":   tensor.Zeros(tensor.Int64, 2),
		"a tensor of f32 [2 3]; want i64 or i32 [2 edges]": tensor.Zeros(tensor.Float32, 2, 3),
		"edge 1: vertex -1 does not fit int32":             tensor.FromSlice([]int64{0, -1, 1, 2}, 2, 2),
		"edge 0: vertex 2147483648 does not fit int32":     tensor.FromSlice([]int64{0, 1, 1 << 31, 2}, 2, 2),
	} {
		if _, _, err := EdgeIndex(x); err == nil || err.Error() != "data: EdgeIndex: "+want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
