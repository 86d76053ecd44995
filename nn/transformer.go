// The transformer encoder.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// TransformerEncoderLayer is the encoder's layer of Vaswani et al. (2017), as
// torch.nn.TransformerEncoderLayer with batch_first: attention of a sequence to itself, then
// two linear layers for each position, each with a way around it:
//
//	x ← norm1(x + dropout(attention(x)))
//	x ← norm2(x + dropout(linear2(dropout(activation(linear1(x))))))
//
// With NormFirst, what is normalised is the input of the parts (Xiong et al. 2020):
//
//	x ← x + dropout(attention(norm1(x)))
//	x ← x + dropout(linear2(dropout(activation(linear1(norm2(x))))))
//
// Names are PyTorch's, so that its checkpoints load with [PyTorchLayout].
type TransformerEncoderLayer struct {
	SelfAttn         *MultiheadAttention
	Linear1, Linear2 *Linear // [embed feedforward], [feedforward embed]
	Norm1, Norm2     *LayerNorm
	Activation       Layer    // nil: ReLU
	Drop             *Dropout // outside of SelfAttn, which has its own; nil: none
	NormFirst        bool
}

// TransformerConfig has what [TransformerEncoderLayer] and [TransformerEncoder] have beside
// their sizes. The zero value is PyTorch's but for dropout, which is 0.1 there.
type TransformerConfig struct {
	Feedforward int     // columns between the linear layers; 2048 by default
	Dropout     float64 // probability, of the attention weights, too; 0: none
	Activation  Layer   // ReLU by default; one layer for all, such as a PReLU shared
	NormFirst   bool
	FinalNorm   bool    // of the encoder: normalises what its last layer gives
	Eps         float64 // of the normalisations; 1e-5 by default
	NoBias      bool    // of all parts
	DType       tensor.DType
}

// NewTransformerEncoderLayer returns a layer for embeddings of the given width, a multiple of
// heads. Its parts are drawn as by [NewMultiheadAttention] and [NewLinear], which is PyTorch's
// way. It panics with *[Error] for settings that they refuse and for FinalNorm.
func NewTransformerEncoderLayer(embed, heads int, cfg TransformerConfig, r *RNG) *TransformerEncoderLayer {
	if cfg.FinalNorm {
		misuse("NewTransformerEncoderLayer", "FinalNorm is of a TransformerEncoder")
	}
	return newTransformerEncoderLayer(embed, heads, cfg, r)
}

func newTransformerEncoderLayer(embed, heads int, cfg TransformerConfig, r *RNG) *TransformerEncoderLayer {
	feedforward := cfg.Feedforward
	if feedforward == 0 {
		feedforward = 2048
	}
	opts := []LinearOption{WithDType(cfg.DType)}
	if cfg.NoBias {
		opts = append(opts, NoBias())
	}
	l := &TransformerEncoderLayer{
		SelfAttn:   NewMultiheadAttention(embed, heads, AttentionConfig{Dropout: cfg.Dropout, NoBias: cfg.NoBias, DType: cfg.DType}, r),
		Linear1:    NewLinear(embed, feedforward, r, opts...),
		Linear2:    NewLinear(feedforward, embed, r, opts...),
		Norm1:      cfg.norm(embed),
		Norm2:      cfg.norm(embed),
		Activation: cfg.Activation,
		NormFirst:  cfg.NormFirst,
	}
	if cfg.Dropout != 0 {
		l.Drop = NewDropout(cfg.Dropout, r)
	}
	return l
}

func (c TransformerConfig) norm(embed int) *LayerNorm {
	return NewLayerNorm(embed, LayerNormConfig{Eps: c.Eps, NoBias: c.NoBias, DType: c.DType})
}

// Forward returns what becomes of x [B L embed], or [L embed] without B, in x's shape. A
// position looks where the mask lets it; those of padding get something, too, that means
// nothing. One that may look nowhere gets NaN, as from [MultiheadAttention]; PyTorch's layer
// takes 0 for what it sees.
func (l *TransformerEncoderLayer) Forward(x *autograd.Var, mask AttentionMask) *autograd.Var {
	const op = "TransformerEncoderLayer"
	if l == nil {
		misuse(op, "the layer is nil; make it with NewTransformerEncoderLayer")
	}
	return l.forward(op, x, mask)
}

func (l *TransformerEncoderLayer) forward(op string, x *autograd.Var, mask AttentionMask) *autograd.Var {
	l.check(op, x)
	attend := func(x *autograd.Var) *autograd.Var { return l.drop(l.SelfAttn.Forward(x, x, x, mask)) }
	if l.NormFirst {
		x = x.Add(attend(l.Norm1.Forward(x)))
		return x.Add(l.feed(l.Norm2.Forward(x)))
	}
	x = l.Norm1.Forward(x.Add(attend(x)))
	return l.Norm2.Forward(x.Add(l.feed(x)))
}

// feed takes each position through the linear layers.
func (l *TransformerEncoderLayer) feed(x *autograd.Var) *autograd.Var {
	if l.Activation == nil { // as one operation
		x = l.Linear1.ForwardReLU(x)
	} else {
		x = l.Activation.Forward(l.Linear1.Forward(x))
	}
	return l.drop(l.Linear2.Forward(l.drop(x)))
}

func (l *TransformerEncoderLayer) drop(x *autograd.Var) *autograd.Var {
	if l.Drop == nil {
		return x
	}
	return l.Drop.Forward(x)
}

// check panics unless the parts are there and x fits them.
func (l *TransformerEncoderLayer) check(op string, x *autograd.Var) {
	if l.SelfAttn == nil || l.Linear1 == nil || l.Linear2 == nil || l.Norm1 == nil || l.Norm2 == nil ||
		l.SelfAttn.OutProj == nil || l.SelfAttn.OutProj.Weight == nil {
		misuse(op, "a part of the layer is nil; make it with New"+op)
	}
	wantVars(op, x)
	weight := l.SelfAttn.OutProj.Weight
	wantType(op, weight, x)
	w := weight.Shape()
	if len(w) != 2 {
		return // the attention says so
	}
	if s := x.Shape(); len(s) != 2 && len(s) != 3 || s[len(s)-1] != w[0] {
		misuse(op, fmt.Sprintf("input of shape %v, want [B L %d] with or without B", s, w[0]))
	}
}

// TransformerEncoder is layers of [TransformerEncoderLayer] in a row, with a normalisation at
// the end or without, as torch.nn.TransformerEncoder. Names are PyTorch's:
// layers.0.self_attn.in_proj_weight, norm.weight.
type TransformerEncoder struct {
	Layers []*TransformerEncoderLayer
	Norm   *LayerNorm // nil: none
}

// NewTransformerEncoder returns an encoder of at least one layer for embeddings of the given
// width, a multiple of heads:
//
//	nn.NewTransformerEncoder(6, 512, 8, nn.TransformerConfig{Dropout: 0.1, NormFirst: true, FinalNorm: true}, r)
//
// Every layer is drawn by itself; PyTorch's begin as copies of one. It panics with *[Error] as
// [NewTransformerEncoderLayer] does.
func NewTransformerEncoder(layers, embed, heads int, cfg TransformerConfig, r *RNG) *TransformerEncoder {
	if layers < 1 {
		misuse("NewTransformerEncoder", fmt.Sprintf("%d layers", layers))
	}
	e := &TransformerEncoder{}
	for range layers {
		e.Layers = append(e.Layers, newTransformerEncoderLayer(embed, heads, cfg, r))
	}
	if cfg.FinalNorm {
		e.Norm = cfg.norm(embed)
	}
	return e
}

// Forward returns what becomes of x [B L embed], or [L embed] without B, in x's shape; the
// mask is that of every layer. For sequences of different lengths, each position looking at
// itself and what is before it:
//
//	mask := nn.AttentionMask{Keys: nn.PaddingMask(lengths, steps).Keys, Pairs: nn.CausalMask(steps).Pairs}
func (e *TransformerEncoder) Forward(x *autograd.Var, mask AttentionMask) *autograd.Var {
	const op = "TransformerEncoder"
	if e == nil || len(e.Layers) == 0 {
		misuse(op, "it has no layers; make it with NewTransformerEncoder")
	}
	for i, l := range e.Layers {
		if l == nil {
			misuse(op, fmt.Sprintf("layer %d is nil", i))
		}
		x = l.forward(op, x, mask)
	}
	if e.Norm != nil {
		x = e.Norm.Forward(x)
	}
	return x
}
