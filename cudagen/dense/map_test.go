package dense_test

import (
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestFirst(t *testing.T) {
	d := densetest.Device(t)
	x := tensor.Arange(tensor.Float32, 0, 12, 1).Reshape(3, 4)
	y := x.ToDevice(d)
	t.Log(tensor.Add(y, y), tensor.Add(y.Transpose(), y.Narrow(0, 0, 1).Reshape(4, 1)), tensor.Sum(y, false), tensor.Softmax(y), tensor.MatMul(y, y.Transpose()))
	v, i := tensor.Sort(y, true)
	t.Log(v, i, tensor.CumSum(y, 1), tensor.NonZero(y), tensor.Dropout(y, 1, 1<<31, 2), tensor.Dropout(x, 1, 1<<31, 2))
}
