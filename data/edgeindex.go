// Edges as PyTorch Geometric has them.

package data

import (
	"errors"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// EdgeIndex returns the ends of edges for [graph.New] from an edge_index of PyTorch
// Geometric: a tensor [2 E] of Int64 or Int32, the sources and then the destinations, such
// as nn.LoadTensors reads from a file of safetensors.torch.save_file. It is an error if it is
// no such tensor or a number does not fit int32.
func EdgeIndex(t *tensor.Tensor) (src, dst []int32, err error) {
	fail := func(err error) ([]int32, []int32, error) {
		return nil, nil, fmt.Errorf("data: EdgeIndex: %w", err)
	}
	if t == nil {
		return fail(errors.New("the tensor is nil"))
	}
	if dt := t.DType(); dt != tensor.Int64 && dt != tensor.Int32 || t.Rank() != 2 || t.Dim(0) != 2 {
		return fail(fmt.Errorf("a tensor of %v %v; want i64 or i32 [2 edges]", dt, t.Shape()))
	}
	edges := t.Dim(1)
	ends := make([]int32, 2*edges)
	t = t.ToDevice(tensor.CPU).Contiguous()
	if t.DType() == tensor.Int32 {
		copy(ends, tensor.Data[int32](t))
	} else {
		for i, v := range tensor.Data[int64](t) {
			if v < 0 || v > math.MaxInt32 {
				return fail(fmt.Errorf("edge %d: vertex %d does not fit int32", i%edges, v))
			}
			ends[i] = int32(v)
		}
	}
	return ends[:edges:edges], ends[edges:], nil
}
