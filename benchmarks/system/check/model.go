package check

// Whole models: what is asked of them.

import "github.com/asterias-ml/asterias/tensor"

// Arch is the kind of a model.
type Arch string

// The architectures. S is the normalised adjacency matrix, NormBoth, of the graph as
// it is given, self-loops included; between layers there is an activation, then
// dropout. Parameters are named "0.weight", the number being the layer's.
const (
	// GCN layers are S (x W) + b, with ReLU between them. Parameters: weight [in out],
	// bias [out].
	GCN Arch = "GCN"

	// GIN layers are relu(z W1 + b1) W2 + b2 of z_v = (1+eps) x_v + Σ_{u→v} x_u, with ReLU
	// between them. Parameters: eps [1], w1 [in out], b1 [out], w2 [out out], b2 [out].
	GIN Arch = "GIN"

	// GAT layers have heads h_v = x_v W of scores s_uv = leakyrelu_0.2(<al, h_u> +
	// <ar, h_v>), a softmax over the in-edges of v, and give Σ α_uv h_u + b. Heads are
	// concatenated between layers, followed by ELU, and averaged, before the bias is
	// added, in the last layer. Parameters: weight [in heads*width], al and ar [heads
	// width], bias [heads*width], or [width] in the last layer.
	GAT Arch = "GAT"
)

// A Spec is a model to build. The graph and the features are part of it.
type Spec struct {
	Arch     Arch
	Widths   []int   // of the features, of the hidden layers (a head's), of the classes: one more than layers
	Heads    int     // GAT: of all layers but the last
	OutHeads int     // GAT: of the last layer
	Dropout  float64 // after each activation; nothing else is dropped

	Vertices int
	Src, Dst []int32        // nothing is to be added to them
	Features *tensor.Tensor // Float32 [Vertices Widths[0]]
}

// Layers returns the number of layers.
func (s Spec) Layers() int { return len(s.Widths) - 1 }

// A Net is a model under check. Tensors may be on any device; their shapes may differ
// from those named at [GCN] and its like as long as the elements are in the same order.
// What fails panics or returns an error. A Net that is an io.Closer is closed in the end.
type Net interface {
	// Parameters returns the values of the parameters by name.
	Parameters() map[string]*tensor.Tensor
	// SetParameter gives a parameter that Parameters lists other values, of the CPU and of
	// the shape listed.
	SetParameter(name string, value *tensor.Tensor)
	// Forward returns what the last layer gives, [Vertices classes], in training or in
	// evaluation. The seed is that of dropout.
	Forward(train bool, seed uint64) (*tensor.Tensor, error)
	// Gradients returns the gradients of <cotangent, Forward(train, seed)>; the cotangent
	// is of the CPU. A parameter without a gradient is absent or nil.
	Gradients(cotangent *tensor.Tensor, train bool, seed uint64) (map[string]*tensor.Tensor, error)
}

// A Builder makes the model of a spec.
type Builder func(Spec) (Net, error)
