// Averaged weights in the run.

package train

import (
	"sync"

	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// averageStep takes the weights of a step into the average.
func (c *Config) averageStep() {
	if c.Average != nil && c.AverageFrom == 0 {
		c.Average.Update()
	}
}

// averageEpoch takes the weights of an epoch's end into the average.
func (c *Config) averageEpoch(number int) {
	if c.Average != nil && c.AverageFrom > 0 && number >= c.AverageFrom {
		c.Average.Update()
	}
}

// averaged gives the model the averages, to be evaluated, until back is called. The buffers
// are then what they were: an evaluation may make estimates for the averages with
// nn.UpdateBatchNorm.
func (r *runner) averaged() (back func()) {
	if r.Average == nil {
		return func() {}
	}
	out := r.Average.Swap()
	buffers := nn.NamedBuffers(r.Model)
	values := make([]*tensor.Tensor, len(buffers))
	for i, b := range buffers {
		values[i] = b.Var.Tensor()
	}
	return sync.OnceFunc(func() {
		for i, b := range buffers {
			if b.Var.Tensor() != values[i] {
				b.Var.SetTensor(values[i].Contiguous())
			}
		}
		out()
	})
}
