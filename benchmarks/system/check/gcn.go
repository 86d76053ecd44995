package check

// A layer of GCN (Kipf and Welling 2017).

// gcn is S (x W) + b.
func (r *reference) gcn(layer int, x *matrix) (*matrix, pull) {
	h, pullH := r.linear(layer, "weight", x)
	out, pullB := r.bias(layer, "bias", r.forward.times(h))
	return out, func(g *matrix) *matrix { return pullH(r.back.times(pullB(g))) }
}
