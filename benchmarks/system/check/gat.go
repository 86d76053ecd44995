package check

// A layer of GAT (Veličković et al. 2018).

import "math"

const gatSlope = 0.2 // of LeakyReLU

// gat is Σ_u α_uv h_u + b, h = x W, with a softmax α over the in-edges of v in each
// head. Heads are averaged in the last layer, else concatenated.
func (r *reference) gat(layer int, x *matrix) (*matrix, pull) {
	heads, width, last := r.spec.heads(layer), r.spec.Widths[layer+1], layer == r.spec.Layers()-1
	h, pullW := r.linear(layer, "weight", x)
	out := newMatrix(x.rows, heads*width)
	each := make([]*attention, heads)
	for k := range each {
		each[k] = r.attend(layer, k, h)
		each[k].aggregate(out)
	}
	if last {
		out = averaged(out, heads)
	}
	y, pullB := r.bias(layer, "bias", out)
	return y, func(g *matrix) *matrix {
		g = pullB(g)
		if last {
			g = repeated(g, heads)
		}
		dh, dal, dar := newMatrix(h.rows, h.cols), newMatrix(heads, width), newMatrix(heads, width)
		for _, a := range each {
			a.pull(g, dh, dal, dar)
		}
		r.gradient(layer, "al", dal)
		r.gradient(layer, "ar", dar)
		return pullW(dh)
	}
}

// averaged is the mean over heads.
func averaged(x *matrix, heads int) *matrix {
	y := newMatrix(x.rows, x.cols/heads)
	for i := range y.rows {
		for j, v := range x.row(i) {
			*y.at(i, j%y.cols) += v / float64(heads)
		}
	}
	return y
}

// repeated takes the gradient of averaged to its heads.
func repeated(g *matrix, heads int) *matrix {
	d := newMatrix(g.rows, g.cols*heads)
	for i := range d.rows {
		for j := range d.cols {
			*d.at(i, j) = g.get(i, j%g.cols) / float64(heads)
		}
	}
	return d
}

// attention is one head.
type attention struct {
	graph       *graph
	head, width int
	h, al, ar   *matrix
	score       []float64 // of edges, before LeakyReLU
	alpha       []float64
}

// of returns this head's features of a vertex.
func (a *attention) of(m *matrix, v int) []float64 {
	return m.row(v)[a.head*a.width : (a.head+1)*a.width]
}

// attend computes the coefficients of a head.
func (r *reference) attend(layer, head int, h *matrix) *attention {
	a := &attention{
		graph: r.graph, head: head, width: r.spec.Widths[layer+1],
		h: h, al: r.param(layer, "al"), ar: r.param(layer, "ar"),
	}
	g := r.graph
	a.score, a.alpha = make([]float64, len(g.src)), make([]float64, len(g.src))
	sum := make([]float64, g.vertices)
	for e := range g.src {
		u, v := int(g.src[e]), int(g.dst[e])
		for k := range a.width {
			a.score[e] += a.of(h, u)[k]*a.al.get(head, k) + a.of(h, v)[k]*a.ar.get(head, k)
		}
		r.margin = min(r.margin, math.Abs(a.score[e]))
		a.alpha[e] = math.Exp(max(a.score[e], gatSlope*a.score[e])) // scores are small: no maximum is subtracted
		sum[v] += a.alpha[e]
	}
	for e := range g.src {
		a.alpha[e] /= sum[g.dst[e]]
	}
	return a
}

// aggregate adds Σ α h_u to the head's features of out.
func (a *attention) aggregate(out *matrix) {
	for e := range a.alpha {
		u, v := int(a.graph.src[e]), int(a.graph.dst[e])
		for k, h := range a.of(a.h, u) {
			a.of(out, v)[k] += a.alpha[e] * h
		}
	}
}

// pull adds the gradients of the head's h, al and ar, given that of its result.
func (a *attention) pull(g, dh, dal, dar *matrix) {
	dAlpha := make([]float64, len(a.alpha))
	mean := make([]float64, a.graph.vertices) // Σ α dα over in-edges
	for e := range a.alpha {
		u, v := int(a.graph.src[e]), int(a.graph.dst[e])
		for k, h := range a.of(a.h, u) {
			dAlpha[e] += a.of(g, v)[k] * h
			a.of(dh, u)[k] += a.alpha[e] * a.of(g, v)[k]
		}
		mean[v] += a.alpha[e] * dAlpha[e]
	}
	for e := range a.alpha {
		u, v := int(a.graph.src[e]), int(a.graph.dst[e])
		d := a.alpha[e] * (dAlpha[e] - mean[v])
		if a.score[e] < 0 {
			d *= gatSlope
		}
		for k := range a.width {
			a.of(dh, u)[k] += d * a.al.get(a.head, k)
			a.of(dh, v)[k] += d * a.ar.get(a.head, k)
			*dal.at(a.head, k) += d * a.of(a.h, u)[k]
			*dar.at(a.head, k) += d * a.of(a.h, v)[k]
		}
	}
}
