package harness

import (
	"math/rand/v2"

	"github.com/asterias-ml/asterias/tensor"
)

// Numbers returns a tensor of uniform numbers in [-1, 1), the same for a seed.
func Numbers(seed uint64, shape ...int) *tensor.Tensor {
	r := rand.New(rand.NewPCG(seed, 1))
	t := tensor.Zeros(tensor.Float32, shape...)
	data := tensor.Data[float32](t)
	for i := range data {
		data[i] = 2*r.Float32() - 1
	}
	return t
}
