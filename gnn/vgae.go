package gnn

// The variational graph auto-encoder.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// VariationalEncoder computes, for each vertex, the mean and the logarithm of the standard
// deviation of a normal distribution, each [N d].
type VariationalEncoder interface {
	Forward(g *graph.Graph, x *autograd.Var) (mu, logstd *autograd.Var)
}

// VGAE is the model of "Variational Graph Auto-Encoders" (Kipf, Welling 2016): as [GAE], with
// latent rows that are drawn from a normal distribution of which the encoder gives the
// parameters, and that are held near the standard normal one.
//
//	z, mu, logstd := model.Forward(g, x)
//	loss := model.ReconLoss(z, positive, negative).Add(model.KLLoss(mu, logstd).Scale(1 / float64(g.NumVertices())))
//
// The paper's encoder is a GCNConv with ReLU, whose result two more of them read.
type VGAE struct {
	nn.Stochastic
	Encoder VariationalEncoder
	LinkReconstruction
}

// NewVGAE returns the model, which draws from r. A nil decoder is the paper's, [Dot].
func NewVGAE(encoder VariationalEncoder, decoder LinkDecoder, r *nn.RNG) *VGAE {
	if encoder == nil {
		misuse("VGAE", "the encoder is nil")
	}
	return &VGAE{Stochastic: nn.NewStochastic(r), Encoder: encoder, LinkReconstruction: reconstruction(decoder)}
}

// maxLogStd bounds the logarithms of deviations, as in PyG.
const maxLogStd = 10

// Forward returns the latent rows z [N d] and the parameters of their distribution. While
// training z is mu + ε exp(logstd) with ε drawn anew from the standard normal distribution in
// every pass, when evaluating it is mu. Logarithms are at most 10, as in PyG.
func (m *VGAE) Forward(g *graph.Graph, x *autograd.Var) (z, mu, logstd *autograd.Var) {
	const op = "VGAE"
	if m == nil || m.Encoder == nil {
		misuse(op, "the model has no encoder; make it with NewVGAE")
	}
	mu, logstd = m.Encoder.Forward(g, x)
	wantNormal(op, mu, logstd)
	logstd = logstd.Clamp(math.Inf(-1), maxLogStd)
	if !m.Training() {
		return mu, mu, logstd
	}
	noise := autograd.Variable(tensor.Zeros(mu.DType(), mu.Shape()...))
	nn.Normal(1)(noise, nn.NewRNG(m.NextSeed()))
	return mu.Add(noise.Detach().ToDevice(mu.Device()).Mul(logstd.Exp())), mu, logstd
}

// KLLoss returns the Kullback-Leibler divergence of the distributions from the standard normal
// one, the mean over vertices of
//
//	-½ Σ_k (1 + 2 logstd_k - mu_k² - exp(2 logstd_k))
//
// Logarithms count as 10 at most. The objective of the paper has it divided by the number of
// vertices once more.
func (m *VGAE) KLLoss(mu, logstd *autograd.Var) *autograd.Var {
	wantNormal("KLLoss", mu, logstd)
	logstd = logstd.Clamp(math.Inf(-1), maxLogStd)
	terms := logstd.Scale(2).AddScalar(1).Sub(mu.Square()).Sub(logstd.Exp().Square())
	return terms.Sum(1).Mean().Scale(-0.5)
}

// wantNormal panics unless mu and logstd are dense matrices of one shape and type.
func wantNormal(op string, mu, logstd *autograd.Var) {
	if mu == nil || logstd == nil {
		misuse(op, "mu or logstd is nil")
	}
	wantDense(op, "mu", mu)
	wantDense(op, "logstd", logstd)
	if s := mu.Shape(); len(s) != 2 || !s.Equal(logstd.Shape()) || mu.DType() != logstd.DType() {
		misuse(op, "mu is %v %v, logstd %v %v; want both [N d] of one type", mu.DType(), s, logstd.DType(), logstd.Shape())
	}
}
