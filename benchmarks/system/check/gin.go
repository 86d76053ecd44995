package check

// A layer of GIN (Xu et al. 2019).

// gin is relu(z W1 + b1) W2 + b2 of z = (1+eps) x + A x.
func (r *reference) gin(layer int, x *matrix) (*matrix, pull) {
	eps := r.param(layer, "eps").v[0]
	z := r.forward.times(x).plus(1+eps, x)
	h, pullW1 := r.linear(layer, "w1", z)
	h, pullB1 := r.bias(layer, "b1", h)
	h, pullRelu := r.relu(h)
	h, pullW2 := r.linear(layer, "w2", h)
	out, pullB2 := r.bias(layer, "b2", h)
	return out, func(g *matrix) *matrix {
		dz := pullW1(pullB1(pullRelu(pullW2(pullB2(g)))))
		r.gradient(layer, "eps", &matrix{1, 1, []float64{dz.dot(x)}})
		return r.back.times(dz).plus(1+eps, dz)
	}
}
