package gnn

// Options that the layers share.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// Option changes how a layer is made.
type Option func(*config)

type config struct {
	dtype  tensor.DType
	noBias bool
	noRoot bool
	dst    int // of DstFeatures; 0 without
}

// NoBias leaves out the biases of layers that have any.
func NoBias() Option { return func(c *config) { c.noBias = true } }

// WithDType sets the type of the parameters; tensor.Float32 by default. It panics with
// *[Error] if that is no floating-point type.
func WithDType(dt tensor.DType) Option {
	if !dt.IsFloat() {
		misuse("WithDType", "parameters of type %v; want f32 or f64", dt)
	}
	return func(c *config) { c.dtype = dt }
}

// DstFeatures makes a layer for the relation between two kinds of vertices: those that
// edges come from have the constructor's number of features, those that they lead to
// have n, and weights of their own where the layer's comment says so. Such a layer is
// applied by ForwardPair. Layers whose comment does not name the option refuse it, and
// so does n below 1, with *[Error].
func DstFeatures(n int) Option {
	wantPositive("DstFeatures", n)
	return func(c *config) { c.dst = n }
}

// NoRoot makes a layer without a weight for the vertex's own features: h_v W_self is not
// added, and ForwardPair does not read xDst, which may be nil. It is SAGEConv's
// root_weight=False in PyG, whose GraphConv does so if it is given no xDst. Layers whose
// comment does not name the option refuse it with *[Error]; NNConv and DirGNNConv have it in
// their configs.
func NoRoot() Option { return func(c *config) { c.noRoot = true } }

func configure(opts []Option) config {
	c := configurePair(opts)
	if c.dst > 0 {
		misuse("DstFeatures", "the layer has no width of its own for destinations")
	}
	return c
}

// configurePair is configure for the layers that DstFeatures is for.
func configurePair(opts []Option) config {
	c := configureRoot(opts)
	if c.noRoot {
		misuse("NoRoot", "the layer takes no such option; NNConv and DirGNNConv have it in their configs")
	}
	return c
}

// configureRoot is configurePair for the layers that NoRoot is for.
func configureRoot(opts []Option) config {
	c := config{dtype: tensor.Float32}
	for i, o := range opts {
		if o == nil {
			misuse("Option", "option %d of a layer is nil", i)
		}
		o(&c)
	}
	return c
}

// dstWidth is the number of features of destinations if sources have in.
func (c config) dstWidth(in int) int {
	if c.dst > 0 {
		return c.dst
	}
	return in
}

// glorot is a parameter drawn from U(-a, a) with a = sqrt(6/(in+out)) (Glorot,
// Bengio 2010). The fans are those of one head, whose weights may be a part of
// the parameter.
func (c config) glorot(r *nn.RNG, in, out int, shape ...int) *autograd.Var {
	w := autograd.Parameter(tensor.Zeros(c.dtype, shape...))
	nn.Uniform(math.Sqrt(6/float64(in+out)))(w, r)
	return w
}

// root is the weight of a vertex's own features, as glorot draws it, or nil without.
func (c config) root(r *nn.RNG, in, out int) *autograd.Var {
	if c.noRoot {
		return nil
	}
	return c.glorot(r, in, out, in, out)
}

// bias is a parameter of zeros, or nil without bias.
func (c config) bias(n int) *autograd.Var {
	if c.noBias {
		return nil
	}
	return c.zeros(n)
}

// zeros is a parameter of zeros.
func (c config) zeros(shape ...int) *autograd.Var {
	return autograd.Parameter(tensor.Zeros(c.dtype, shape...))
}

// linear is a layer as PyTorch initialises it, with a bias unless it or all are
// left out.
func (c config) linear(r *nn.RNG, in, out int, bias bool) *nn.Linear {
	opts := []nn.LinearOption{nn.WithDType(c.dtype)}
	if !bias || c.noBias {
		opts = append(opts, nn.NoBias())
	}
	return nn.NewLinear(in, out, r, opts...)
}
