package gnn_test

// The layers once more, vertex by vertex, sharing no code with what is tested. They
// read the parameters of the layers, and take homogeneous graphs and blocks alike.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// propagated is Σ_{u in N(v) and v} (d_u d_v)^(-1/2) z_u with loops counted. On a
// block the degree of a neighbour is its out-degree.
func propagated(g *graph.Graph, z matrix, v int) []float64 {
	degrees := g.InDegrees()
	if g.IsBipartite() {
		degrees = g.OutDegrees()
	}
	dv := float64(g.InDegrees()[v]) + 1
	out := scaled(z[v], 1/dv)
	for _, a := range inArcs(g, v) {
		out = plus(out, scaled(z[a.u], 1/math.Sqrt(dv*(float64(degrees[a.u])+1))))
	}
	return out
}

func naiveGCN(l *gnn.GCNConv) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		return plus(times(propagated(g, x, v), l.Weight), vector(l.Bias))
	}
}

func naiveGAT(l *gnn.GATConv, heads, dim int, mean bool) naivePair {
	weight := l.WeightDst
	if weight == nil {
		weight = l.Weight
	}
	return func(g *graph.Graph, x, own, f matrix, v int) []float64 {
		score := func(a arc) []float64 {
			left := perHead(times(x[a.u], l.Weight), vector(l.AttnSrc), heads)
			if f != nil {
				left = plus(left, perHead(times(f[a.id], l.WeightEdge), vector(l.AttnEdge), heads))
			}
			return mapped(plus(left, perHead(times(own[v], weight), vector(l.AttnDst), heads)), leaky)
		}
		value := func(a arc) []float64 { return times(x[a.u], l.Weight) }
		return plus(attention(g, v, heads, dim, mean, score, value), vector(l.Bias))
	}
}

func naiveGATv2(l *gnn.GATv2Conv, heads, dim int, mean bool) naivePair {
	return func(g *graph.Graph, x, own, f matrix, v int) []float64 {
		value := func(a arc) []float64 { return plus(times(x[a.u], l.WeightSrc), vector(l.BiasSrc)) }
		score := func(a arc) []float64 {
			both := plus(value(a), plus(times(own[v], l.WeightDst), vector(l.BiasDst)))
			if f != nil {
				both = plus(both, times(f[a.id], l.WeightEdge))
			}
			return perHead(mapped(both, leaky), vector(l.Attn), heads)
		}
		return plus(attention(g, v, heads, dim, mean, score, value), vector(l.Bias))
	}
}

// naiveRoot is what the neighbours give and v's own features, if those have a weight.
func naiveRoot(own matrix, v int, weight *autograd.Var, neigh []float64) []float64 {
	if weight == nil {
		return neigh
	}
	return plus(times(own[v], weight), neigh)
}

func naiveSAGE(l *gnn.SAGEConv, pool, normalize bool) naivePair {
	return func(g *graph.Graph, x, own, _ matrix, v int) []float64 {
		var n []float64
		if pool {
			n = reduced("max", l.WeightPool.Shape()[1], messages(g, v, func(a arc) []float64 {
				return mapped(plus(times(x[a.u], l.WeightPool), vector(l.BiasPool)), relu)
			}))
		} else {
			n = reduced("mean", l.WeightNeigh.Shape()[0], messages(g, v, func(a arc) []float64 { return x[a.u] }))
		}
		out := plus(naiveRoot(own, v, l.WeightSelf, times(n, l.WeightNeigh)), vector(l.Bias))
		if normalize {
			out = scaled(out, 1/math.Max(math.Sqrt(inner(out, out)), 1e-12))
		}
		return out
	}
}

// reductions are the names of gnn.ReduceSum and those that follow.
var reductions = []string{"sum", "mean", "max", "min"}

// multiplied tells whether a reduction may follow the product with the weight, which
// sparse features need.
func multiplied(how string) bool { return how == "sum" || how == "mean" }

// naiveGraphConv has weights of the edges for edge features, [E 1], or none.
func naiveGraphConv(l *gnn.GraphConv, how string) naivePair {
	return func(g *graph.Graph, x, own, w matrix, v int) []float64 {
		n := reduced(how, l.WeightNeigh.Shape()[0], messages(g, v, func(a arc) []float64 {
			if w == nil {
				return x[a.u]
			}
			return scaled(x[a.u], w[a.id][0])
		}))
		return plus(naiveRoot(own, v, l.WeightSelf, times(n, l.WeightNeigh)), vector(l.Bias))
	}
}

// naiveMLP is linear layers with ReLU between them.
func naiveMLP(x []float64, layers []*nn.Linear) []float64 {
	for i, l := range layers {
		if i > 0 {
			x = mapped(x, relu)
		}
		x = affine(x, l)
	}
	return x
}

func naiveGIN(eps *autograd.Var, edge *nn.Linear, mlp *nn.MLP, withEdges bool) naivePair {
	return func(g *graph.Graph, x, own, f matrix, v int) []float64 {
		sum := reduced("sum", len(own[v]), messages(g, v, func(a arc) []float64 {
			switch {
			case !withEdges:
				return x[a.u]
			case edge == nil:
				return mapped(plus(x[a.u], f[a.id]), relu)
			}
			return mapped(plus(x[a.u], affine(f[a.id], edge)), relu)
		}))
		return naiveMLP(plus(scaled(own[v], 1+vector(eps)[0]), sum), mlp.Layers)
	}
}

// naiveSteps applies a step to all vertices, so many times; the last at v alone.
func naiveSteps(g *graph.Graph, z matrix, v, steps int, step func(z matrix, v int) []float64) []float64 {
	for range steps - 1 {
		next := make(matrix, len(z))
		for u := range next {
			next[u] = step(z, u)
		}
		z = next
	}
	return step(z, v)
}

func naiveAPPNP(steps int, alpha float64) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		return naiveSteps(g, x, v, steps, func(z matrix, v int) []float64 {
			return plus(scaled(propagated(g, z, v), 1-alpha), scaled(x[v], alpha))
		})
	}
}

func naiveSGC(l *gnn.SGConv, k int) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		h := naiveSteps(g, x, v, k, func(z matrix, v int) []float64 { return propagated(g, z, v) })
		return plus(times(h, l.Weight), vector(l.Bias))
	}
}

// laplacians are the names of gnn.SymLaplacian and those that follow.
var laplacians = []string{"sym", "walk", "plain"}

// laplacian is a row of a Laplacian with weights of the edges; nil stands for 1 each.
func laplacian(g *graph.Graph, w []float64, name string, v int) []float64 {
	row, degrees := make([]float64, g.NumVertices()), make([]float64, g.NumVertices())
	weight := func(e int) float64 {
		if g.Src()[e] == g.Dst()[e] {
			return 0
		}
		if w == nil {
			return 1
		}
		return w[e]
	}
	for e, u := range g.Src() {
		degrees[u] += weight(e)
	}
	root := func(d float64) float64 {
		if d <= 0 {
			return 0
		}
		return 1 / math.Sqrt(d)
	}
	for e, u := range g.Src() {
		if int(g.Dst()[e]) != v || int(u) == v {
			continue
		}
		switch name {
		case "sym":
			row[u] -= weight(e) * root(degrees[u]) * root(degrees[v])
		case "walk":
			if degrees[u] != 0 {
				row[u] -= weight(e) / degrees[u]
			}
		default:
			row[u] -= weight(e)
		}
	}
	if row[v] = 1; name == "plain" {
		row[v] = degrees[v]
	}
	return row
}

// naiveCheb computes the polynomials from their first, as the paper has them.
func naiveCheb(l *gnn.ChebConv, name string, lambda float64) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		rows := make(matrix, g.NumVertices())
		for u := range rows {
			rows[u] = laplacian(g, nil, name, u)
		}
		return chebRow(l, rows, lambda, x, v)
	}
}

// chebRow is the filter of a matrix L at v.
func chebRow(l *gnn.ChebConv, rows matrix, lambda float64, x matrix, v int) []float64 {
	step := func(z matrix) matrix {
		out := make(matrix, len(z))
		for u, row := range rows {
			out[u] = scaled(z[u], -1)
			for s, c := range row {
				if c != 0 {
					out[u] = plus(out[u], scaled(z[s], 2*c/lambda))
				}
			}
		}
		return out
	}
	sum := plus(times(x[v], l.Lins[0].Weight), vector(l.Bias))
	before, now := x, x
	for k, lin := range l.Lins[1:] {
		next := step(now)
		if k > 0 {
			for u := range next {
				next[u] = plus(scaled(next[u], 2), scaled(before[u], -1))
			}
		}
		before, now = now, next
		sum = plus(sum, times(now[v], lin.Weight))
	}
	return sum
}

// naiveTAG is with D^(-1/2) A D^(-1/2), or with A.
func naiveTAG(l *gnn.TAGConv, norm bool) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		return tagRow(l, symmetric(g, nil, norm), x, v)
	}
}

// symmetric is D^(-1/2) A D^(-1/2) by in-degrees, or A, with weights of the edges, nil
// standing for 1 each.
func symmetric(g *graph.Graph, w []float64, norm bool) matrix {
	rows, degrees := make(matrix, g.NumVertices()), make([]float64, g.NumVertices())
	for v := range rows {
		rows[v] = make([]float64, g.NumVertices())
		for _, a := range inArcs(g, v) {
			weight := 1.0
			if w != nil {
				weight = w[a.id]
			}
			rows[v][a.u] += weight
			degrees[v] += weight
		}
	}
	for v, row := range rows {
		for u := range row {
			switch {
			case !norm || row[u] == 0:
			case degrees[u] <= 0 || degrees[v] <= 0:
				row[u] = 0
			default:
				row[u] /= math.Sqrt(degrees[u] * degrees[v])
			}
		}
	}
	return rows
}

// tagRow is the sum over the hops of a matrix P at v.
func tagRow(l *gnn.TAGConv, p, x matrix, v int) []float64 {
	sum := vector(l.Bias)
	for k, lin := range l.Lins {
		if k > 0 {
			next := make(matrix, len(x))
			for u, row := range p {
				next[u] = make([]float64, len(x[u]))
				for s, c := range row {
					if c != 0 {
						next[u] = plus(next[u], scaled(x[s], c))
					}
				}
			}
			x = next
		}
		sum = plus(sum, times(x[v], lin.Weight))
	}
	return sum
}

// naiveGCN2 is for a first representation equal to x.
func naiveGCN2(l *gnn.GCN2Conv, alpha, beta float64) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		s := plus(scaled(propagated(g, x, v), 1-alpha), scaled(x[v], alpha))
		return plus(scaled(s, 1-beta), scaled(times(s, l.Weight), beta))
	}
}

func naiveCommNet(l *gnn.CommNetConv) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		sum := reduced("sum", len(x[v]), messages(g, v, func(a arc) []float64 { return x[a.u] }))
		return mapped(plus(times(x[v], l.WeightSelf), times(sum, l.WeightNeigh)), relu)
	}
}

func naiveMPGCN(l *gnn.MPGCNConv) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		pool := reduced("max", l.WeightPool.Shape()[1], messages(g, v, func(a arc) []float64 {
			return mapped(plus(times(x[a.u], l.WeightPool), vector(l.BiasPool)), sigmoid)
		}))
		return mapped(times(pool, l.Weight), relu)
	}
}

func naiveGGCN(l *gnn.GGCNConv) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		sum := reduced("sum", len(x[v]), messages(g, v, func(a arc) []float64 {
			gate := mapped(plus(times(x[a.u], l.WeightSrc), times(x[v], l.WeightDst)), sigmoid)
			for k := range gate {
				gate[k] *= x[a.u][k]
			}
			return gate
		}))
		return mapped(times(sum, l.Weight), relu)
	}
}

// naiveGGNN gives edge e the matrix of type typeOf(e). It has weights of the edges for edge
// features, [E 1], or none.
func naiveGGNN(l *gnn.GGNNConv, hidden, steps int, typeOf func(g *graph.Graph, e int) int) naive {
	message := func(h []float64, r int) []float64 {
		weights, out := vector(l.Weight), make([]float64, hidden)
		for i := range h {
			for j := range out {
				out[j] += h[i] * weights[(r*hidden+i)*hidden+j]
			}
		}
		return out
	}
	gates := func(x []float64, weight, bias *autograd.Var) []float64 { // weight is [3·hidden in]
		out := make([]float64, 3*hidden)
		for i, row := range rowsOf(weight) {
			out[i] = inner(x, row)
		}
		return plus(out, vector(bias))
	}
	return func(g *graph.Graph, x, w matrix, v int) []float64 {
		start := make(matrix, len(x))
		for u := range x {
			start[u] = append(append([]float64{}, x[u]...), make([]float64, hidden-len(x[u]))...)
		}
		return naiveSteps(g, start, v, steps, func(h matrix, v int) []float64 {
			a := reduced("sum", hidden, messages(g, v, func(a arc) []float64 {
				m := message(h[a.u], typeOf(g, a.id))
				if w == nil {
					return m
				}
				return scaled(m, w[a.id][0])
			}))
			i, s := gates(a, l.GRU.WeightIH, l.GRU.BiasIH), gates(h[v], l.GRU.WeightHH, l.GRU.BiasHH)
			out := make([]float64, hidden)
			for k := range out {
				r, z := sigmoid(i[k]+s[k]), sigmoid(i[hidden+k]+s[hidden+k])
				n := math.Tanh(i[2*hidden+k] + r*s[2*hidden+k])
				out[k] = (1-z)*n + z*h[v][k]
			}
			return out
		})
	}
}

func naiveCGAT(l *gnn.CGATConv, heads, dim int, mean bool) naive {
	return func(g *graph.Graph, x, f matrix, v int) []float64 {
		score := func(a arc) []float64 {
			pair := joined(x[a.u], x[v])
			if f != nil {
				pair = joined(pair, f[a.id])
			}
			return perHead(mapped(times(pair, l.Weight), leaky), vector(l.Attn), heads)
		}
		value := func(a arc) []float64 { return times(x[a.u], l.WeightValue) }
		return plus(attention(g, v, heads, dim, mean, score, value), vector(l.Bias))
	}
}

func naiveEdgeConv(l *gnn.EdgeConv, out int) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		return reduced("max", out, messages(g, v, func(a arc) []float64 {
			return naiveMLP(joined(x[v], plus(x[a.u], scaled(x[v], -1))), l.Layers)
		}))
	}
}

func naivePNA(l *gnn.PNAConv, delta float64) naive {
	return func(g *graph.Graph, x, f matrix, v int) []float64 {
		in := len(x[v])
		m := messages(g, v, func(a arc) []float64 {
			pair := joined(x[v], x[a.u])
			if f != nil {
				pair = joined(pair, f[a.id])
			}
			return affine(pair, l.Message)
		})
		mean := reduced("mean", in, m)
		std := make([]float64, in)
		for k := range std {
			for _, row := range m {
				std[k] += (row[k] - mean[k]) * (row[k] - mean[k]) / float64(len(m))
			}
			if len(m) > 0 {
				std[k] = math.Sqrt(std[k] + 1e-5)
			}
		}
		a := joined(mean, reduced("max", in, m), reduced("min", in, m), std)
		amplify, attenuate := math.Log(float64(len(m)+1))/delta, 0.0
		if len(m) > 0 {
			attenuate = 1 / amplify
		}
		return affine(joined(x[v], a, scaled(a, amplify), scaled(a, attenuate)), l.Update)
	}
}

func naiveTransformer(l *gnn.TransformerConv, heads, dim int, mean bool) naivePair {
	return func(g *graph.Graph, x, own, f matrix, v int) []float64 {
		with := func(a arc, to *nn.Linear) []float64 {
			out := affine(x[a.u], to)
			if f != nil {
				out = plus(out, times(f[a.id], l.Edge.Weight))
			}
			return out
		}
		score := func(a arc) []float64 {
			return scaled(perHead(with(a, l.Key), affine(own[v], l.Query), heads), 1/math.Sqrt(float64(dim)))
		}
		h := attention(g, v, heads, dim, mean, score, func(a arc) []float64 { return with(a, l.Value) })
		skip := affine(own[v], l.Skip)
		if l.Beta == nil {
			return plus(h, skip)
		}
		gate := sigmoid(times(joined(h, skip, plus(h, scaled(skip, -1))), l.Beta.Weight)[0])
		return plus(scaled(h, 1-gate), scaled(skip, gate))
	}
}

// naiveNNConv multiplies by the matrix of each edge, which network makes.
func naiveNNConv(l *gnn.NNConv, how string, network func(f []float64) []float64) naivePair {
	return func(g *graph.Graph, x, own, f matrix, v int) []float64 {
		out := reduced(how, 6, messages(g, v, func(a arc) []float64 {
			theta, m := network(f[a.id]), make([]float64, 6)
			for i, h := range x[a.u] {
				m = plus(m, scaled(theta[i*6:][:6], h))
			}
			return m
		}))
		if l.Lin != nil {
			out = plus(out, times(own[v], l.Lin.Weight))
		}
		return plus(out, vector(l.Bias))
	}
}

// naiveAGNN has the loop as one edge more.
func naiveAGNN(l *gnn.AGNNConv, loops bool) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		arcs := inArcs(g, v)
		if loops {
			arcs = append(arcs, arc{u: v})
		}
		unit := func(x []float64) []float64 { return scaled(x, 1/math.Max(math.Sqrt(inner(x, x)), 1e-12)) }
		score := func(a arc) []float64 { return scaled(vector(l.Beta), inner(unit(x[v]), unit(x[a.u]))) }
		return attentionOver(arcs, 1, len(x[v]), false, score, func(a arc) []float64 { return x[a.u] })
	}
}
