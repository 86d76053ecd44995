package gnn

// The graph auto-encoder.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// GraphEncoder computes a row for each vertex of a graph from its features: GCN, SAGE, a single
// layer, or what has the same method.
type GraphEncoder interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
}

// GAE is the graph auto-encoder of "Variational Graph Auto-Encoders" (Kipf, Welling 2016): an
// encoder gives each vertex a latent row, z, by which a decoder tells the edges from other
// pairs. Of one epoch, on a split of links (data.RandomLinkSplit):
//
//	z := model.Forward(g, x)
//	negative, err := data.NegativeLinks(g, g.NumEdges(), data.NegativeConfig{Seed: epoch})
//	loss := model.ReconLoss(z, gnn.Links{Src: g.Src(), Dst: g.Dst()}, gnn.Links{Src: negative.Src, Dst: negative.Dst})
//
// Names of parameters are those of PyG's, encoder's and decoder's before their own.
type GAE struct {
	Encoder GraphEncoder
	LinkReconstruction
}

// NewGAE returns the model. A nil decoder is the paper's, [Dot].
func NewGAE(encoder GraphEncoder, decoder LinkDecoder) *GAE {
	if encoder == nil {
		misuse("GAE", "the encoder is nil")
	}
	return &GAE{Encoder: encoder, LinkReconstruction: reconstruction(decoder)}
}

// Forward returns what the encoder makes of x, z [N d].
func (m *GAE) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	if m == nil || m.Encoder == nil {
		misuse("GAE", "the model has no encoder; make it with NewGAE")
	}
	return m.Encoder.Forward(g, x)
}

// LinkReconstruction is the part of [GAE] and [VGAE] that comes after the encoder.
type LinkReconstruction struct {
	Decoder LinkDecoder
}

func reconstruction(d LinkDecoder) LinkReconstruction {
	if d == nil {
		d = Dot{}
	}
	return LinkReconstruction{Decoder: d}
}

// Decode returns the probability of each link, [links], σ of the decoder's score.
func (m *LinkReconstruction) Decode(z *autograd.Var, l Links) *autograd.Var {
	return m.score("Decode", z, l).Sigmoid()
}

// ReconLoss returns the loss of the reconstruction of true links and false ones,
//
//	-mean ln p(true) - mean ln(1 - p(false))
//
// each mean over its own links, where that of [LinkBCE] is over both. Logarithms are of the
// scores as they are; PyG adds 1e-15 to p. Where PyG draws the false links if there are none,
// data.NegativeLinks does; no links of a kind are misuse.
func (m *LinkReconstruction) ReconLoss(z *autograd.Var, positive, negative Links) *autograd.Var {
	const op = "ReconLoss"
	return bothMeans(op, m.score(op, z, positive), m.score(op, z, negative))
}

// Test returns how well the scores tell true links from false ones, as nn.ROCAUC and
// nn.AveragePrecision. Nothing is recorded for a backward pass.
func (m *LinkReconstruction) Test(z *autograd.Var, positive, negative Links) (auc, ap float64) {
	const op = "Test"
	if z != nil {
		z = autograd.NoGrad(z)
	}
	p, n := m.score(op, z, positive), m.score(op, z, negative)
	labels := make([]float64, positive.Len()+negative.Len())
	for i := range positive.Len() {
		labels[i] = 1
	}
	scores := autograd.Concat(0, p, n)
	target := autograd.Constant(tensor.FromSlice(labels, len(labels)))
	return nn.ROCAUC(scores, target), nn.AveragePrecision(scores, target)
}

func (m *LinkReconstruction) score(op string, z *autograd.Var, l Links) *autograd.Var {
	if m == nil || m.Decoder == nil {
		misuse(op, "the model has no decoder; make it with NewGAE or NewVGAE")
	}
	return m.Decoder.Score(z, l)
}
