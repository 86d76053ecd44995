// The multilayer perceptron.

package nn

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// MLP is linear layers in a row. After each but the last come a normalisation if
// there is one, the activation function and dropout:
//
//	h ← dropout(activation(norm(h W + b)))
//
// and the last one's output is the result.
type MLP struct {
	Layers     []*Linear
	Norms      []Layer // one for each hidden layer, or none
	Activation Layer   // nil: ReLU
	Drop       *Dropout
}

// MLPConfig has what [MLP] has beside its sizes.
type MLPConfig struct {
	Activation Layer                    // ReLU by default; one layer for all, such as a PReLU shared
	Norm       func(features int) Layer // makes the normalisation of a hidden layer; nil: none
	Dropout    float64                  // probability; 0: none
	NoBias     bool
	DType      tensor.DType
}

// NewMLP returns a perceptron through the given sizes, from the input's to the
// output's, drawing its initial values from r:
//
//	nn.NewMLP([]int{1433, 64, 7}, nn.MLPConfig{
//		Norm: func(n int) nn.Layer { return nn.NewLayerNorm(n, nn.LayerNormConfig{}) }, Dropout: 0.5,
//	}, r)
//
// It panics with *[Error] for fewer than two sizes, or if Norm gives nil.
func NewMLP(sizes []int, cfg MLPConfig, r *RNG) *MLP {
	if len(sizes) < 2 {
		misuse("NewMLP", fmt.Sprintf("sizes %v: want at least those of input and output", sizes))
	}
	opts := []LinearOption{WithDType(cfg.DType)}
	if cfg.NoBias {
		opts = append(opts, NoBias())
	}
	m := &MLP{Activation: cfg.Activation}
	for i, out := range sizes[1:] {
		m.Layers = append(m.Layers, NewLinear(sizes[i], out, r, opts...))
		if hidden := i+2 < len(sizes); hidden && cfg.Norm != nil {
			norm := cfg.Norm(out)
			wantThere("NewMLP", fmt.Sprintf("what Norm gives for %d features", out), norm != nil)
			m.Norms = append(m.Norms, norm)
		}
	}
	if cfg.Dropout != 0 {
		m.Drop = NewDropout(cfg.Dropout, r)
	}
	return m
}

// Forward returns the output for x [... in], which may be a sparse constant
// [N in].
func (m *MLP) Forward(x *autograd.Var) *autograd.Var {
	x = m.Hidden(x)
	return m.Layers[len(m.Layers)-1].Forward(x)
}

// Hidden returns what the last layer is given for x, all of Forward but that layer. Of
// an MLP of one layer it is x.
func (m *MLP) Hidden(x *autograd.Var) *autograd.Var {
	if m == nil || len(m.Layers) == 0 {
		misuse("MLP", "it has no layers; make it with NewMLP")
	}
	last := len(m.Layers) - 1
	plain := len(m.Norms) == 0
	if !plain && (len(m.Norms) != last || slices.Contains(m.Norms, nil)) {
		misuse("MLP", fmt.Sprintf("%d normalisations of %d hidden layers, or one is nil", len(m.Norms), last))
	}
	for i, l := range m.Layers[:last] {
		switch {
		case plain && m.Activation == nil: // as one operation
			x = l.ForwardReLU(x)
		case plain:
			x = m.Activation.Forward(l.Forward(x))
		case m.Activation == nil:
			x = m.Norms[i].Forward(l.Forward(x)).ReLU()
		default:
			x = m.Activation.Forward(m.Norms[i].Forward(l.Forward(x)))
		}
		if m.Drop != nil {
			x = m.Drop.Forward(x)
		}
	}
	return x
}
