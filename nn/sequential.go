// Layers in a row.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
)

// A Layer maps one Var to another.
type Layer interface {
	Forward(x *autograd.Var) *autograd.Var
}

// Sequential applies layers one after another. Its parameters are named by
// position: "0.weight", "2.weight".
type Sequential []Layer

// NewSequential returns the layers in a row. It panics with *[Error] for a nil layer.
func NewSequential(layers ...Layer) Sequential {
	for i, l := range layers {
		if l == nil {
			misuse("NewSequential", fmt.Sprintf("layer %d is nil", i))
		}
	}
	return layers
}

// Forward returns layers[n-1](...layers[0](x)).
func (s Sequential) Forward(x *autograd.Var) *autograd.Var {
	for i, l := range s {
		if l == nil {
			misuse("Sequential", fmt.Sprintf("layer %d is nil", i))
		}
		x = l.Forward(x)
	}
	return x
}
