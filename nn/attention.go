// Attention with several heads.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// MultiheadAttention is the layer of Vaswani et al. (2017), as
// torch.nn.MultiheadAttention with batch_first:
//
//	head_h = softmax(Q_h K_hᵀ / sqrt(d)) V_h,  Q = q Wqᵀ + bq, K = k Wkᵀ + bk, V = v Wvᵀ + bv
//	out    = concat(head_1, ..., head_H) Wo + bo
//
// for queries q [B L E], keys k [B S kdim] and values v [B S vdim], or all without
// B; heads take d = E/H columns each. While training, the softmax is thinned out
// by dropout.
//
// Names and shapes of the projections into the heads are PyTorch's, as in
// [GRUCell]; OutProj is a [Linear], which [PyTorchLayout] transposes in files.
type MultiheadAttention struct {
	Stochastic
	InProjWeight *autograd.Var // [3E E]: Wq, Wk, Wv; nil if kdim or vdim is not E
	QProjWeight  *autograd.Var // [E E] instead, else nil
	KProjWeight  *autograd.Var // [E kdim]
	VProjWeight  *autograd.Var // [E vdim]
	InProjBias   *autograd.Var // [3E]: bq, bk, bv; nil without bias
	OutProj      *Linear       // [E E]
	Heads        int
	P            float64 // probability of dropout
}

// AttentionConfig has what [MultiheadAttention] has beside its sizes. The zero
// value is PyTorch's.
type AttentionConfig struct {
	KDim, VDim int     // columns of keys and values; the embedding's by default
	Dropout    float64 // of the attention weights
	NoBias     bool
	DType      tensor.DType
}

// NewMultiheadAttention returns a layer for embeddings of the given width, a
// multiple of heads. As in PyTorch, the projections into the heads are drawn as by
// [GlorotUniform], that out of them as a Linear's, and biases are 0.
func NewMultiheadAttention(embed, heads int, cfg AttentionConfig, r *RNG) *MultiheadAttention {
	const op = "NewMultiheadAttention"
	if heads <= 0 || embed < 0 || embed%heads != 0 {
		misuse(op, fmt.Sprintf("%d columns do not divide among %d heads", embed, heads))
	}
	if cfg.KDim < 0 || cfg.VDim < 0 {
		misuse(op, fmt.Sprintf("negative size: KDim %d, VDim %d", cfg.KDim, cfg.VDim))
	}
	if !(cfg.Dropout >= 0 && cfg.Dropout <= 1) {
		misuse(op, fmt.Sprintf("probability %v is outside [0, 1]", cfg.Dropout))
	}
	kdim, vdim := cfg.KDim, cfg.VDim
	if kdim == 0 {
		kdim = embed
	}
	if vdim == 0 {
		vdim = embed
	}
	weight := func(rows, cols int) *autograd.Var {
		w := autograd.Parameter(tensor.Zeros(cfg.DType, rows, cols))
		GlorotUniform(w, r)
		return w
	}
	m := &MultiheadAttention{Stochastic: NewStochastic(r), Heads: heads, P: cfg.Dropout}
	if kdim == embed && vdim == embed {
		m.InProjWeight = weight(3*embed, embed)
	} else {
		m.QProjWeight, m.KProjWeight, m.VProjWeight = weight(embed, embed), weight(embed, kdim), weight(embed, vdim)
	}
	out := []LinearOption{WithDType(cfg.DType), NoBias()}
	if !cfg.NoBias {
		m.InProjBias = autograd.Parameter(tensor.Zeros(cfg.DType, 3*embed))
		out[1] = WithInit(Uniform(1/math.Sqrt(float64(max(embed, 1)))), Zeros)
	}
	m.OutProj = NewLinear(embed, embed, r, out...)
	return m
}

// AttentionMask tells where [MultiheadAttention] does not look. The zero value
// lets every query look at every key. A query that may look at no key gets NaN, as in
// PyTorch where weights are asked for; since 2.5 its Forward without takes 0 for what is seen.
// Masks that are not on the layer's device are copied there at every call.
type AttentionMask struct {
	// Keys is Bool, [B S], or [S] without B: where true, nobody looks at that key,
	// such as padding. (PyTorch: key_padding_mask)
	Keys *tensor.Tensor
	// Pairs is [L S], or [B·H L S], [H L S] without B. Of Bool, a query does not
	// look at a key where it is true; of the layer's type, it is added to the
	// scores. (PyTorch: attn_mask)
	Pairs *tensor.Tensor
}

// CausalMask is the AttentionMask by which the positions of a sequence of the
// given length look at themselves and what is before them.
func CausalMask(length int) AttentionMask {
	pairs := tensor.Zeros(tensor.Bool, length, length)
	hidden := tensor.Data[bool](pairs)
	for i := range length {
		for j := i + 1; j < length; j++ {
			hidden[i*length+j] = true
		}
	}
	return AttentionMask{Pairs: pairs}
}

// PaddingMask is the AttentionMask that hides the padding of sequences of different lengths,
// [B length ...], of which sequence i ends after lengths[i] positions. A sequence without
// positions hides nothing: whoever may look at no key gets NaN, and so would the gradients of
// the layer's parameters. It goes together with [CausalMask], the one's Keys and the other's
// Pairs. It panics with *[Error] if a length is negative or longer than all.
func PaddingMask(lengths []int, length int) AttentionMask {
	const op = "PaddingMask"
	if length < 0 {
		misuse(op, fmt.Sprintf("%d positions", length))
	}
	keys := tensor.Zeros(tensor.Bool, len(lengths), length)
	hidden := tensor.Data[bool](keys)
	for i, n := range lengths {
		if n < 0 || n > length {
			misuse(op, fmt.Sprintf("sequence %d has length %d; there are %d positions", i, n, length))
		}
		if n == 0 {
			continue
		}
		for j := n; j < length; j++ {
			hidden[i*length+j] = true
		}
	}
	return AttentionMask{Keys: keys}
}

// Forward returns what the queries see, [B L E], or [L E] without B.
func (m *MultiheadAttention) Forward(query, key, value *autograd.Var, mask AttentionMask) *autograd.Var {
	out, _ := m.attend(m.check(query, key, value), query, key, value, mask)
	return out
}

// ForwardWeights is [MultiheadAttention.Forward] that also returns the weights by
// which each query saw each key, [B L S] or [L S], after dropout and averaged over
// the heads.
func (m *MultiheadAttention) ForwardWeights(query, key, value *autograd.Var, mask AttentionMask) (out, weights *autograd.Var) {
	d := m.check(query, key, value)
	out, weights = m.attend(d, query, key, value, mask)
	if weights = weights.Mean(1); !d.batched {
		weights = weights.Reshape(d.queries, d.keys)
	}
	return out, weights
}

// attend returns what the queries see and the weights [B H L S] of each head.
func (m *MultiheadAttention) attend(d attentionDims, query, key, value *autograd.Var, mask AttentionMask) (out, weights *autograd.Var) {
	q, k, v := m.project(query, key, value)
	q = q.Scale(1 / math.Sqrt(float64(max(d.embed/m.Heads, 1))))
	// [B L E] -> [B H L d]: the heads are matrices of their own.
	split := func(x *autograd.Var, length int) *autograd.Var {
		return x.Reshape(d.batch, length, m.Heads, d.embed/m.Heads).Transpose(0, 2, 1, 3)
	}
	scores := split(q, d.queries).MatMul(split(k, d.keys).Transpose())
	for _, bias := range m.bias(d, mask, scores.DType()) {
		scores = scores.Add(bias)
	}
	weights = scores.Softmax()
	if m.Training() && m.P > 0 {
		weights = autograd.Dropout(weights, m.P, m.NextSeed())
	}
	seen := weights.MatMul(split(v, d.keys)).Transpose(0, 2, 1, 3)
	out = m.OutProj.Forward(seen.Reshape(d.batch*d.queries, d.embed))
	if d.batched {
		out = out.Reshape(d.batch, d.queries, d.embed)
	}
	return out, weights
}

// project returns Q, K and V, rows after rows.
func (m *MultiheadAttention) project(query, key, value *autograd.Var) (q, k, v *autograd.Var) {
	rows := func(x *autograd.Var) *autograd.Var {
		s := x.Shape()
		return x.Reshape(s[:len(s)-1].Size(), s[len(s)-1])
	}
	embed := m.OutProj.Weight.Shape()[0]
	bias := func(i int) *autograd.Var {
		if m.InProjBias == nil {
			return nil
		}
		return m.InProjBias.Slice(0, i*embed, (i+1)*embed)
	}
	if m.InProjWeight == nil {
		return affineT(rows(query), m.QProjWeight, bias(0)), affineT(rows(key), m.KProjWeight, bias(1)), affineT(rows(value), m.VProjWeight, bias(2))
	}
	if query == key && key == value { // one product for all
		all := affineT(rows(query), m.InProjWeight, m.InProjBias)
		part := func(i int) *autograd.Var { return all.Slice(1, i*embed, (i+1)*embed) }
		return part(0), part(1), part(2)
	}
	weight := func(i int) *autograd.Var { return m.InProjWeight.Slice(0, i*embed, (i+1)*embed) }
	return affineT(rows(query), weight(0), bias(0)), affineT(rows(key), weight(1), bias(1)), affineT(rows(value), weight(2), bias(2))
}

// attentionDims are the sizes of one call; a call without B has a batch of one.
type attentionDims struct {
	batch, queries, keys, embed int
	batched                     bool
}

// check panics unless the operands fit the layer and each other.
func (m *MultiheadAttention) check(query, key, value *autograd.Var) attentionDims {
	const op = "MultiheadAttention"
	if m == nil {
		misuse(op, "the layer is nil; make it with NewMultiheadAttention")
	}
	if m.OutProj == nil || m.OutProj.Weight == nil {
		misuse(op, "the layer has no OutProj; make it with NewMultiheadAttention")
	}
	wantVars(op, query, key, value)
	// A layer may also be put together by hand.
	columns := func(what string, w *autograd.Var) int {
		s := w.Shape()
		if len(s) != 2 {
			misuse(op, fmt.Sprintf("%s has shape %v, want a matrix", what, s))
		}
		return s[1]
	}
	columns("OutProj.Weight", m.OutProj.Weight)
	embed := m.OutProj.Weight.Shape()[0]
	if m.Heads <= 0 || embed%m.Heads != 0 {
		misuse(op, fmt.Sprintf("%d columns do not divide among %d heads", embed, m.Heads))
	}
	kdim, vdim := embed, embed
	if m.InProjWeight == nil {
		kdim, vdim = columns("KProjWeight", m.KProjWeight), columns("VProjWeight", m.VProjWeight)
	}
	q, k, v := query.Shape(), key.Shape(), value.Shape()
	rank := len(q)
	if rank != 2 && rank != 3 || len(k) != rank || len(v) != rank ||
		q[rank-1] != embed || k[rank-1] != kdim || v[rank-1] != vdim ||
		k[rank-2] != v[rank-2] || rank == 3 && (q[0] != k[0] || q[0] != v[0]) {
		misuse(op, fmt.Sprintf("queries %v, keys %v and values %v, want [B L %d], [B S %d] and [B S %d] with or without B", q, k, v, embed, kdim, vdim))
	}
	wantType(op, m.OutProj.Weight, query, key, value)
	d := attentionDims{batch: 1, queries: q[rank-2], keys: k[rank-2], embed: embed}
	if rank == 3 {
		d.batch, d.batched = q[0], true
	}
	return d
}

// bias returns what a mask adds to the scores [B H L S]: -Inf hides.
func (m *MultiheadAttention) bias(d attentionDims, mask AttentionMask, dt tensor.DType) []*autograd.Var {
	const op = "MultiheadAttention"
	var biases []*autograd.Var
	device := m.OutProj.Weight.Device()
	if t := mask.Keys; t != nil {
		want := tensor.Shape{d.batch, d.keys}
		if !d.batched {
			want = want[1:]
		}
		if t.DType() != tensor.Bool || !t.Shape().Equal(want) {
			misuse(op, fmt.Sprintf("key mask is %v %v, want bool %v", t.DType(), t.Shape(), want))
		}
		biases = append(biases, autograd.Constant(hide(t.ToDevice(device), dt).Reshape(d.batch, 1, 1, d.keys)))
	}
	if t := mask.Pairs; t != nil {
		matrix, all := tensor.Shape{d.queries, d.keys}, tensor.Shape{d.batch * m.Heads, d.queries, d.keys}
		if s := t.Shape(); t.DType() != tensor.Bool && t.DType() != dt || !s.Equal(matrix) && !s.Equal(all) {
			misuse(op, fmt.Sprintf("pair mask is %v %v, want bool or %v, %v or %v", t.DType(), s, dt, matrix, all))
		}
		if t = t.ToDevice(device); t.DType() == tensor.Bool {
			t = hide(t, dt)
		}
		if t.Rank() == 3 {
			t = t.Reshape(d.batch, m.Heads, d.queries, d.keys)
		}
		biases = append(biases, autograd.Constant(t))
	}
	return biases
}

// hide returns -Inf where a mask is true and 0 elsewhere, where the mask is.
func hide(mask *tensor.Tensor, dt tensor.DType) *tensor.Tensor {
	return tensor.Where(mask, tensor.Full(dt, math.Inf(-1)), tensor.Full(dt, 0))
}
