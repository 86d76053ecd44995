package irtest

// The usual layers as programs, from their papers' formulas for one vertex.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Layers returns the layers in a fixed order; none of them needs a tensor with
// an edge dimension, in training neither.
func Layers() []*ir.Program {
	var all []*ir.Program
	for _, l := range []struct {
		name  string
		build func(b *ir.Builder) *ir.Value
	}{
		{"gcn", gcn}, {"gat", gat}, {"gat_concat", gatConcat}, {"gatv2", gatv2}, {"gin", gin}, {"sage_mean", sageMean}, {"sage_max", sageMax},
		{"appnp", appnp}, {"ggcn", ggcn}, {"edgeconv", edgeConv},
	} {
		b := ir.NewBuilder(l.name, ir.F32, false)
		b.Output("out", l.build(b))
		all = append(all, b.Program())
	}
	return all
}

// Layer returns one of Layers by name.
func Layer(name string) *ir.Program {
	for _, p := range Layers() {
		if p.Name == name {
			return p
		}
	}
	panic("BUG: irtest: no layer " + name)
}

// gcn: deg_v^-1/2 Σ_e deg_u^-1/2 h_u W + b (Kipf and Welling 2017, equation 2).
func gcn(b *ir.Builder) *ir.Value {
	norm := func(d ir.Dir, r ir.Residency) *ir.Value {
		return b.Op(ir.OpRsqrt, ir.Attr{}, b.MaxOf(b.Degree(d, r), b.Const(1)))
	}
	h := b.MatMul(b.Input("h", ir.Src, ir.Shape{8}), b.Input("W", ir.Param, ir.Shape{8, 5}))
	m := b.Mul(b.Mul(h, norm(ir.Out, ir.Src)), norm(ir.In, ir.Dst))
	return b.Add(b.Sum(ir.In, m), b.Input("b", ir.Param, ir.Shape{5}))
}

// gat: Σ_e softmax(LeakyReLU(a_l·h_u + a_r·h_v)) h_u, three heads
// (Veličković et al. 2018, equations 3 and 5).
func gat(b *ir.Builder) *ir.Value {
	h := b.MatMul(b.Input("h", ir.Src, ir.Shape{8}), b.Input("W", ir.Param, ir.Shape{8, 15}))
	hv := b.MatMul(b.Input("h", ir.Dst, ir.Shape{8}), b.Input("W", ir.Param, ir.Shape{8, 15}))
	heads := func(x *ir.Value) *ir.Value { return b.Reshape(x, ir.Shape{3, 5}) }
	dot := func(x *ir.Value, a string) *ir.Value {
		return b.ReduceTo(b.Mul(heads(x), b.Input(a, ir.Param, ir.Shape{3, 5})), ir.Shape{3, 1})
	}
	score := b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, b.Add(dot(h, "al"), dot(hv, "ar")))
	alpha := b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Site: 1, Res: ir.Edge}, b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, score))
	return b.Reshape(b.Sum(ir.In, b.Mul(alpha, heads(h))), ir.Shape{15})
}

// gatConcat is one head with the score as the paper has it: LeakyReLU(a·[W h_u ‖ W h_v]).
func gatConcat(b *ir.Builder) *ir.Value {
	w := b.Input("W", ir.Param, ir.Shape{8, 5})
	hu, hv := b.MatMul(b.Input("h", ir.Src, ir.Shape{8}), w), b.MatMul(b.Input("h", ir.Dst, ir.Shape{8}), w)
	score := b.MatMul(b.Op(ir.OpConcat, ir.Attr{}, hu, hv), b.Input("a", ir.Param, ir.Shape{10, 1}))
	score = b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, score)
	return b.Sum(ir.In, b.Mul(b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, score), hu))
}

// gatv2: the score a·LeakyReLU(W_l h_u + W_r h_v) (Brody et al. 2022, equation 7).
func gatv2(b *ir.Builder) *ir.Value {
	l := b.MatMul(b.Input("h", ir.Src, ir.Shape{8}), b.Input("Wl", ir.Param, ir.Shape{8, 5}))
	r := b.MatMul(b.Input("h", ir.Dst, ir.Shape{8}), b.Input("Wr", ir.Param, ir.Shape{8, 5}))
	act := b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, b.Add(l, r))
	score := b.ReduceTo(b.Mul(act, b.Input("a", ir.Param, ir.Shape{5})), ir.Shape{1})
	return b.Sum(ir.In, b.Mul(b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, score), l))
}

// gin: MLP((1+eps) h_v + Σ_e h_u) (Xu et al. 2019, equation 4.1).
func gin(b *ir.Builder) *ir.Value {
	eps := b.Add(b.Const(1), b.Input("eps", ir.Param, ir.Shape{1}))
	x := b.Add(b.Mul(eps, b.Input("h", ir.Dst, ir.Shape{8})), b.Sum(ir.In, b.Input("h", ir.Src, ir.Shape{8})))
	x = b.Add(b.MatMul(x, b.Input("W1", ir.Param, ir.Shape{8, 5})), b.Input("b1", ir.Param, ir.Shape{5}))
	x = b.Op(ir.OpRelu, ir.Attr{}, x)
	return b.MatMul(x, b.Input("W2", ir.Param, ir.Shape{5, 3}))
}

// sageMean: h_v W + mean_e(h_u) V (Hamilton et al. 2017, algorithm 1).
func sageMean(b *ir.Builder) *ir.Value {
	mean := b.Div(b.Sum(ir.In, b.Input("h", ir.Src, ir.Shape{8})), b.MaxOf(b.Degree(ir.In, ir.Dst), b.Const(1)))
	own := b.MatMul(b.Input("h", ir.Dst, ir.Shape{8}), b.Input("W", ir.Param, ir.Shape{8, 5}))
	return b.Add(own, b.MatMul(mean, b.Input("V", ir.Param, ir.Shape{8, 5})))
}

// sageMax: h_v W + max_e(ReLU(h_u P + b)) V (Hamilton et al. 2017, equation 3).
func sageMax(b *ir.Builder) *ir.Value {
	p := b.Add(b.MatMul(b.Input("h", ir.Src, ir.Shape{8}), b.Input("P", ir.Param, ir.Shape{8, 8})), b.Input("b", ir.Param, ir.Shape{8}))
	pool := b.Max(ir.In, b.Op(ir.OpRelu, ir.Attr{}, p))
	own := b.MatMul(b.Input("h", ir.Dst, ir.Shape{8}), b.Input("W", ir.Param, ir.Shape{8, 5}))
	return b.Add(own, b.MatMul(pool, b.Input("V", ir.Param, ir.Shape{8, 5})))
}

// appnp: one step 0.9 Σ_e w_e z_u + 0.1 x_v (Gasteiger et al. 2019, equation 4).
func appnp(b *ir.Builder) *ir.Value {
	z := b.Sum(ir.In, b.Mul(b.Input("w", ir.Edge, ir.Shape{}), b.Input("z", ir.Src, ir.Shape{5})))
	return b.Add(b.Mul(b.Const(0.9), z), b.Mul(b.Const(0.1), b.Input("x", ir.Dst, ir.Shape{5})))
}

// ggcn: h_v U + Σ_e sigmoid(h_v A + h_u B) * h_u V (Bresson and Laurent 2018,
// equation 11).
func ggcn(b *ir.Builder) *ir.Value {
	src, dst := b.Input("h", ir.Src, ir.Shape{8}), b.Input("h", ir.Dst, ir.Shape{8})
	mm := func(x *ir.Value, w string) *ir.Value { return b.MatMul(x, b.Input(w, ir.Param, ir.Shape{8, 5})) }
	gate := b.Op(ir.OpSigmoid, ir.Attr{}, b.Add(mm(dst, "A"), mm(src, "B")))
	return b.Add(mm(dst, "U"), b.Sum(ir.In, b.Mul(gate, mm(src, "V"))))
}

// edgeConv: max_e(ReLU([h_v ‖ h_u - h_v] W)) (Wang et al. 2019, equation 8).
func edgeConv(b *ir.Builder) *ir.Value {
	src, dst := b.Input("h", ir.Src, ir.Shape{8}), b.Input("h", ir.Dst, ir.Shape{8})
	x := b.Op(ir.OpConcat, ir.Attr{}, dst, b.Sub(src, dst))
	return b.Max(ir.In, b.Op(ir.OpRelu, ir.Attr{}, b.MatMul(x, b.Input("W", ir.Param, ir.Shape{16, 5}))))
}
