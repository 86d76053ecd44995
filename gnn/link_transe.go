package gnn

// The TransE decoder.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// TransE is the decoder of "Translating Embeddings for Modeling Multi-relational
// Data" (Bordes et al., NeurIPS 2013): a relation is a translation,
//
//	score(u, r, v) = -‖h_u + r - h_v‖
//
// for h [N d], with the sum of magnitudes (L1) or the Euclidean norm (L2). The
// Euclidean norm is sqrt(‖·‖² + 1e-12), whose gradient is finite at 0. ScoreTails
// and ScoreHeads go through all of h for each link, but for the Euclidean norm of what is
// not near, which on the CPU comes from a product of matrices. Gradients of their gradients
// keep the differences of all links.
type TransE struct {
	Rel *autograd.Var // [relations d]

	norm TransENorm
}

// TransENorm is how long a difference is.
type TransENorm uint8

// The norms.
const (
	TransEL1 TransENorm = iota
	TransEL2
)

// NewTransE returns a decoder whose relations are drawn from U(-6/√d, 6/√d) and
// scaled to length 1, as in the paper. The paper also scales h to length 1 before
// every step.
func NewTransE(relations, dim int, norm TransENorm, r *nn.RNG, opts ...Option) *TransE {
	wantPositive("TransE", relations, dim)
	if norm > TransEL2 {
		misuse("TransE", "norm %d; want TransEL1 or TransEL2", norm)
	}
	rel := configure(opts).zeros(relations, dim)
	nn.Uniform(6/math.Sqrt(float64(dim)))(rel, r)
	fixed := rel.Detach()
	rel.Tensor().CopyFrom(fixed.Div(fixed.NormKeep(2, 1)).Tensor())
	return &TransE{Rel: rel, norm: norm}
}

// Score implements [LinkDecoder].
func (d *TransE) Score(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "sources", l.Src, l.Rel)
	wantAlikeLists("TransE", "sources", l.Src, "destinations", l.Dst)
	return d.nearness(rowsOf("TransE", "source", h, l.Src).Add(rowsOf("TransE", "relation", d.Rel, l.Rel)).Sub(rowsOf("TransE", "destination", h, l.Dst)))
}

// ScoreTails implements [LinkDecoder].
func (d *TransE) ScoreTails(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "sources", l.Src, l.Rel)
	return d.scoreEnds(h, nil, rowsOf("TransE", "source", h, l.Src).Add(rowsOf("TransE", "relation", d.Rel, l.Rel)))
}

// ScoreHeads implements [LinkDecoder]. Subtracting the relation from the destination
// once would round otherwise than Score.
func (d *TransE) ScoreHeads(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "destinations", l.Dst, l.Rel)
	return d.scoreEnds(h, rowsOf("TransE", "relation", d.Rel, l.Rel), rowsOf("TransE", "destination", h, l.Dst))
}

func (d *TransE) check(h *autograd.Var, what string, end, rel []int32) {
	const op = "TransE"
	if d == nil || d.Rel == nil {
		misuse(op, "the decoder has no relations; make it with NewTransE")
	}
	wantMatrix(op, h, d.Rel.Shape()[1])
	wantLinkRelations(op, what, end, rel)
}

// nearness is the score of each row of differences.
func (d *TransE) nearness(diff *autograd.Var) *autograd.Var {
	if d.norm == TransEL1 {
		return diff.Abs().Sum(1).Neg()
	}
	return diff.VecDot(diff).AddScalar(1e-12).Sqrt().Neg()
}

// scoreEnds is, for each row of plus (nil: 0) and minus, the score -‖h + plus - minus‖ of
// all rows of h: [links N]. It is an operation of its own because the tape would keep the
// differences of all links, [links N d]; so there are those of one at a time, computed
// again for the gradient.
func (d *TransE) scoreEnds(h, plus, minus *autograd.Var) *autograd.Var {
	inputs := []*autograd.Var{h, minus}
	if plus != nil {
		inputs = append(inputs, plus)
	}
	links := minus.Shape()[0]
	if links == 0 { // none of all rows, but of the inputs: they have gradients
		none := minus
		if plus != nil {
			none = none.Sub(plus)
		}
		return none.MatMul(h.Transpose())
	}
	values := make([]*tensor.Tensor, len(inputs))
	for i, in := range inputs {
		values[i] = in.Operand().Contiguous() // endGradients makes leaves of them
	}
	score := func(xs ...*autograd.Var) *autograd.Var {
		if plus == nil {
			return d.nearness(xs[0].Sub(xs[1]))
		}
		return d.nearness(xs[0].Add(xs[2]).Sub(xs[1]))
	}
	now := autograd.Now()
	backward := func(grads []*tensor.Tensor) []*tensor.Tensor {
		wantUnchanged(inputs, now)
		return endGradients(score, values, grads[0])
	}
	var all *tensor.Tensor
	if d.norm == TransEL2 && h.Device() == nil {
		all = euclidean(values)
	} else {
		rows := make([]*tensor.Tensor, links)
		for i := range rows {
			rows[i] = autograd.Scope(score, endOperands(autograd.Constant(values[0]), values, i)...).Tensor()
		}
		all = tensor.Stack(0, rows...)
		for _, r := range rows {
			r.Free()
		}
	}
	again := func(grads []*autograd.Var, _ []bool) []*autograd.Var {
		wantUnchanged(inputs, now)
		return d.endDerivatives(inputs, grads[0])
	}
	return autograd.CustomSaving("TransE", inputs, []*tensor.Tensor{all}, nil, backward, again)[0]
}

// wantUnchanged panics if one of the inputs was changed after the forward pass.
func wantUnchanged(inputs []*autograd.Var, forward autograd.Moment) {
	for i, in := range inputs {
		if in.ChangedSince(forward) {
			misuse("TransE", "backward: operand %d %v was changed after the forward pass", i, in.Shape())
		}
	}
}

// endDerivatives is the gradients of the inputs of scoreEnds as results of operations, for gradients
// of gradients: these keep the differences.
func (d *TransE) endDerivatives(inputs []*autograd.Var, g *autograd.Var) []*autograd.Var {
	links, n, dim := g.Shape()[0], g.Shape()[1], inputs[0].Shape()[1]
	diff := inputs[0].Reshape(1, n, dim).Sub(inputs[1].Reshape(links, 1, dim))
	if len(inputs) > 2 {
		diff = diff.Add(inputs[2].Reshape(links, 1, dim))
	}
	slope := diff.Sign()
	if d.norm == TransEL2 {
		slope = diff.Div(diff.VecDot(diff).AddScalar(1e-12).Sqrt().Reshape(links, n, 1))
	}
	slope = slope.Mul(g.Neg().Reshape(links, n, 1))
	grads := []*autograd.Var{slope.Sum(0), slope.Sum(1).Neg()}
	if len(inputs) > 2 {
		grads = append(grads, slope.Sum(1))
	}
	return grads
}

// cancels is the share of ‖q‖² + ‖h‖² below which ‖q - h‖² is not taken from a product of
// q and h: three bits are lost there, and all of them where q is h.
const cancels = 1.0 / 8

// euclidean is the scores by the Euclidean norm for inputs h [n d], minus [links d] and
// perhaps plus: ‖q‖² + ‖h‖² - 2 q·h for q = minus - plus, one product of matrices, and
// where that cancels the differences.
func euclidean(inputs []*tensor.Tensor) *tensor.Tensor {
	h, q := inputs[0], inputs[1]
	if len(inputs) > 2 {
		q = tensor.Sub(inputs[1], inputs[2])
		defer q.Free()
	}
	lengths := func(x *tensor.Tensor, keep bool) *tensor.Tensor {
		squares := tensor.Square(x)
		defer squares.Free()
		return tensor.Sum(squares, keep, 1)
	}
	of, to := lengths(q, true), lengths(h, false)
	whole := tensor.Add(of, to)
	of.Free()
	to.Free()
	defer whole.Free()
	scores := tensor.MatMul(q, h.Transpose())
	if h.DType() == tensor.Float32 {
		distances[float32](scores, whole, inputs)
	} else {
		distances[float64](scores, whole, inputs)
	}
	return scores
}

// distances replaces the products q·h of all pairs by -‖q - h‖, given ‖q‖² + ‖h‖².
func distances[T tensor.Float](products, whole *tensor.Tensor, inputs []*tensor.Tensor) {
	n, d := inputs[0].Dim(0), inputs[0].Dim(1)
	scores, all := tensor.Data[T](products), tensor.Data[T](whole)
	rows := make([][]T, len(inputs))
	for i, x := range inputs {
		rows[i] = tensor.Data[T](x.Contiguous())
	}
	for at, product := range scores {
		square := all[at] - 2*product
		if !(square >= cancels*all[at]) { // NaN, too
			link, vertex := at/n*d, at%n*d
			square = 0
			for k, x := range rows[0][vertex : vertex+d] {
				if len(rows) > 2 {
					x += rows[2][link+k]
				}
				x -= rows[1][link+k]
				square += x * x
			}
		}
		scores[at] = -T(math.Sqrt(float64(square + 1e-12)))
	}
}

// endOperands is h and row i of the other inputs of scoreEnds, as leaves.
func endOperands(h *autograd.Var, inputs []*tensor.Tensor, i int) []*autograd.Var {
	xs := []*autograd.Var{h}
	for _, in := range inputs[1:] {
		row := in.Narrow(0, i, i+1)
		if h.RequiresGrad() {
			xs = append(xs, autograd.Variable(row))
		} else {
			xs = append(xs, autograd.Constant(row))
		}
	}
	return xs
}

// endGradients is the gradients of the inputs of scoreEnds, given that of its result.
func endGradients(score func(xs ...*autograd.Var) *autograd.Var, inputs []*tensor.Tensor, g *tensor.Tensor) []*tensor.Tensor {
	links, n := g.Shape()[0], g.Shape()[1]
	h := autograd.Variable(inputs[0]) // its gradients add up
	rows := make([][]*tensor.Tensor, len(inputs))
	for i := range links {
		xs := endOperands(h, inputs, i)
		autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
			y := score(xs...)
			y.BackwardWith(g.Narrow(0, i, i+1).Reshape(n))
			return y
		}, xs...).Tensor().Free()
		for k, x := range xs[1:] {
			rows[k+1] = append(rows[k+1], x.Gradient())
		}
	}
	grads := []*tensor.Tensor{h.Gradient()}
	for _, r := range rows[1:] {
		grads = append(grads, tensor.Concat(0, r...))
	}
	return grads
}
