package vcentric_test

// GCN and GAT against dense implementations: matrices of vertices by vertices,
// gradients derived by hand, float64, no code shared with what is tested.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

var widths = []int{1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 128, 257}

// dense is a graph as a matrix: how many edges go from source u to destination
// v, in row v.
type dense struct {
	src, dst int
	count    []float64
}

func denseOf(g *graph.Graph) dense {
	m := dense{g.NumSrc(), g.NumDst(), make([]float64, g.NumSrc()*g.NumDst())}
	for e, u := range g.Src() {
		m.count[int(g.Dst()[e])*m.src+int(u)]++
	}
	return m
}

func (m dense) at(v, u int) float64 { return m.count[v*m.src+u] }

// norms are 1/sqrt(max(degree, 1)) of sources and destinations.
func (m dense) norms() (src, dst []float64) {
	src, dst = make([]float64, m.src), make([]float64, m.dst)
	for v := range m.dst {
		for u := range m.src {
			src[u] += m.at(v, u)
			dst[v] += m.at(v, u)
		}
	}
	for _, d := range [][]float64{src, dst} {
		for i := range d {
			d[i] = 1 / math.Sqrt(math.Max(d[i], 1))
		}
	}
	return src, dst
}

// gcn is D^-1/2 A D^-1/2 h + b and, for the cotangent c, the gradients of h and b.
func (m dense) gcn(h, b, c []float64, width int) (out, dh, db []float64) {
	src, dst := m.norms()
	out, dh, db = make([]float64, m.dst*width), make([]float64, len(h)), make([]float64, width)
	for v := range m.dst {
		for k := range width {
			out[v*width+k] = b[k]
			db[k] += c[v*width+k]
		}
		for u := range m.src {
			w := m.at(v, u) * src[u] * dst[v]
			for k := range width {
				out[v*width+k] += w * h[u*width+k]
				dh[u*width+k] += w * c[v*width+k]
			}
		}
	}
	return out, dh, db
}

func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// gat is, for each head, Σ_u α_vu hs_u with α_vu the softmax over v's in-edges of
// LeakyReLU(al·hs_u + ar·hd_v), and the gradients of hs, hd, al and ar.
func (m dense) gat(hs, hd, al, ar, c []float64, heads, dim int, slope float64) (out, dhs, dhd, dal, dar []float64) {
	out = make([]float64, m.dst*heads*dim)
	dhs, dhd = make([]float64, len(hs)), make([]float64, len(hd))
	dal, dar = make([]float64, len(al)), make([]float64, len(ar))
	row := func(x []float64, v, head int) []float64 { return x[(v*heads+head)*dim:][:dim] }
	add := func(y, x []float64, a float64) {
		for k := range y {
			y[k] += a * x[k]
		}
	}
	for head := range heads {
		l, r := al[head*dim:][:dim], ar[head*dim:][:dim]
		for v := range m.dst {
			raw, alpha := make([]float64, m.src), make([]float64, m.src)
			largest, sum := math.Inf(-1), 0.0
			for u := range m.src {
				raw[u] = dot(l, row(hs, u, head)) + dot(r, row(hd, v, head))
				alpha[u] = math.Max(raw[u], slope*raw[u])
				if m.at(v, u) > 0 {
					largest = math.Max(largest, alpha[u])
				}
			}
			for u := range m.src {
				if m.at(v, u) > 0 {
					alpha[u] = math.Exp(alpha[u] - largest)
					sum += m.at(v, u) * alpha[u]
				} else {
					alpha[u] = 0
				}
			}
			y, g, t := row(out, v, head), row(c, v, head), 0.0
			for u := range m.src {
				if m.at(v, u) > 0 {
					alpha[u] /= sum
					add(y, row(hs, u, head), m.at(v, u)*alpha[u])
					t += m.at(v, u) * alpha[u] * dot(g, row(hs, u, head))
				}
			}
			for u := range m.src {
				if m.at(v, u) == 0 {
					continue
				}
				d := m.at(v, u) * alpha[u] * (dot(g, row(hs, u, head)) - t)
				if raw[u] <= 0 {
					d *= slope
				}
				add(row(dhs, u, head), g, m.at(v, u)*alpha[u])
				add(row(dhs, u, head), l, d)
				add(row(dhd, v, head), r, d)
				add(dal[head*dim:][:dim], row(hs, u, head), d)
				add(dar[head*dim:][:dim], row(hd, v, head), d)
			}
		}
	}
	return out, dhs, dhd, dal, dar
}

func gcnVertex(v vc.Vertex) vc.Value {
	norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
	u := v.InNeighbors()
	return vc.Sum(u.Feature("h").Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree())).Add(vc.Param("b"))
}

// gatVertex is one attention layer over features [heads dim]; on a bipartite
// graph sources and destinations have features of their own.
func gatVertex(heads int) func(v vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		score := u.Feature("h").Dot(vc.Param("al")).Add(v.Feature("h").Dot(vc.Param("ar"))).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(score).Reshape(heads, 1).Mul(u.Feature("h")))
	}
}

// tolerances of comparisons with float64 results.
var tolerance = map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5}

// sized skips all but a few of the combinations in short runs.
func sized(i int) bool { return !testing.Short() || i%5 == 0 }

func TestGCNEqualsDense(t *testing.T) {
	program := vc.Compile("gcn", gcnVertex)
	for _, bipartite := range []bool{false, true} {
		for _, g := range graphs(t, bipartite) {
			m := denseOf(g.Graph)
			for i, width := range widths {
				if !sized(i) {
					continue
				}
				for dt, tol := range tolerance {
					ins := []input{vertex("h", width), param("b", width)}
					if bipartite {
						ins[0] = source("h", width)
					}
					xs := variables(g.Graph, dt, ins)
					got := runBoth(program, g.Graph, ins, xs)
					c := randn(tensor.Float64, 99, m.dst, width).Float64s()
					out, dh, db := m.gcn(xs[0].Tensor().Float64s(), xs[1].Tensor().Float64s(), c, width)
					what := fmt.Sprintf("%s, width %d, %v: ", g.name, width, dt)
					near(t, what+"out", got.out, out, tol)
					near(t, what+"grad h", got.grads[0], dh, tol)
					near(t, what+"grad b", got.grads[1], db, tol)
				}
			}
		}
	}
}

// gatCase is one comparison of GAT with the dense one; scale multiplies the
// scores.
func gatCase(t *testing.T, program *vc.Program, g namedGraph, heads, dim int, dt tensor.DType, scale float64) {
	t.Helper()
	ins := []input{vertex("h", heads, dim), param("al", heads, dim), param("ar", heads, dim)}
	if g.IsBipartite() {
		ins = []input{source("h", heads, dim), param("al", heads, dim), param("ar", heads, dim), destination("h", heads, dim)}
	}
	for i := range ins[1:3] {
		// The attention vectors are scaled to scores of order 1 at every width: the
		// error of a softmax is that of its scores.
		ins[1+i].fn = func(x float64) float64 { return float64(float32(x * scale / math.Sqrt(float64(dim)))) }
	}
	xs := variables(g.Graph, dt, ins)
	got := runBoth(program, g.Graph, ins, xs)
	m := denseOf(g.Graph)
	value := func(i int) []float64 { return xs[i].Tensor().Float64s() }
	hd := value(0)
	if g.IsBipartite() {
		hd = value(3)
	}
	c := randn(tensor.Float64, 99, m.dst, heads, dim).Float64s()
	out, dhs, dhd, dal, dar := m.gat(value(0), hd, value(1), value(2), c, heads, dim, 0.2)
	want := results{out, [][]float64{dhs, dal, dar, dhd}}
	if !g.IsBipartite() {
		for i, d := range dhd {
			dhs[i] += d
		}
		want.grads = want.grads[:3]
	}
	what := fmt.Sprintf("%s, %d heads of %d, %v: ", g.name, heads, dim, dt)
	tol := tolerance[dt] * math.Max(1, scale)
	near(t, what+"out", got.out, want.out, tol)
	for i, grad := range want.grads {
		// What a score sends back is a difference of sums of about |g||h|, where it may be 0.
		near(t, what+"grad "+ins[i].name, got.grads[i], grad, 4*tol)
	}
}

func TestGATEqualsDense(t *testing.T) {
	for _, heads := range []int{3, 1, 8} {
		if testing.Short() && heads != 3 {
			continue
		}
		program := vc.Compile("gat", gatVertex(heads))
		for _, bipartite := range []bool{false, true} {
			for _, g := range graphs(t, bipartite) {
				for i, dim := range widths {
					if !sized(i) {
						continue
					}
					gatCase(t, program, g, heads, dim, tensor.Float64, 1)
					gatCase(t, program, g, heads, dim, tensor.Float32, 1)
				}
			}
		}
	}
}

// With scores of ±1e4 the softmax picks one source, or shares between equals;
// an unshifted exponential would be infinite.
func TestGATOfScoresOfTenThousandEqualsDense(t *testing.T) {
	program := vc.Compile("gat", gatVertex(3))
	for _, bipartite := range []bool{false, true} {
		for _, g := range graphs(t, bipartite) {
			gatCase(t, program, g, 3, 5, tensor.Float64, 1e4)
		}
	}
	g := mustGraph(t, 4, []int32{0, 1, 2, 3, 0, 1, 1}, []int32{0, 0, 0, 0, 1, 1, 2})
	softmax := vc.Compile("softmax", func(v vc.Vertex) vc.Value { return vc.Softmax(v.InEdges().Feature("s")) })
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		s := tensor.FromSlice([]float64{1e4, -1e4, 1e4, 0, -1e4, -1e4, -1e4}, 7).To(dt)
		got := softmax.Run(g, vc.EdgeFeature("s", autograd.Constant(s)))
		near(t, dt.String(), got.Tensor().Float64s(), []float64{0.5, 0, 0.5, 0, 0.5, 0.5, 1}, 0)
	}
}

// gatv2 is, for each head, Σ_u α_vu l_u with α_vu the softmax over v's in-edges of
// a·LeakyReLU(l_u + r_v).
func (m dense) gatv2(l, r, a []float64, heads, dim int, slope float64) []float64 {
	out := make([]float64, m.dst*heads*dim)
	for head := range heads {
		row := func(x []float64, v int) []float64 { return x[(v*heads+head)*dim:][:dim] }
		for v := range m.dst {
			score, largest, sum := make([]float64, m.src), math.Inf(-1), 0.0
			for u := range m.src {
				for k, x := range row(l, u) {
					x += row(r, v)[k]
					score[u] += a[head*dim+k] * math.Max(x, slope*x)
				}
				if m.at(v, u) > 0 {
					largest = math.Max(largest, score[u])
				}
			}
			for u := range m.src {
				if m.at(v, u) > 0 {
					sum += m.at(v, u) * math.Exp(score[u]-largest)
				}
			}
			for u := range m.src {
				if m.at(v, u) == 0 {
					continue
				}
				for k, x := range row(l, u) {
					row(out, v)[k] += m.at(v, u) * math.Exp(score[u]-largest) / sum * x
				}
			}
		}
	}
	return out
}

// matmul is x·w for rows x of n numbers.
func matmul(x, w []float64, n int) []float64 {
	if len(x) == 0 {
		return nil
	}
	cols := len(w) / n
	out := make([]float64, len(x)/n*cols)
	for i, a := range x {
		for j := range cols {
			out[i/n*cols+j] += a * w[i%n*cols+j]
		}
	}
	return out
}

func TestGATv2EqualsDense(t *testing.T) {
	z := zooLayerOf("gatv2")
	for _, d := range []dims{smallDims, goldenDims, wideDims} {
		program := vc.Compile(z.name, z.vertex(d))
		ins := z.ins(d)
		for _, g := range graphs(t, false) {
			for dt, tol := range tolerance {
				ins := slices.Clone(ins)
				for i := range ins[1:] { // scores of order 1
					ins[i+1].fn = func(x float64) float64 { return x / math.Sqrt(float64(d.in)) }
				}
				xs := variables(g.Graph, dt, ins)
				value := func(i int) []float64 { return xs[i].Tensor().Float64s() }
				l, r := matmul(value(0), value(1), d.in), matmul(value(0), value(2), d.in)
				want := denseOf(g.Graph).gatv2(l, r, value(3), d.heads, d.dim, 0.2)
				got := program.Run(g.Graph, bindAll(ins, xs)...).Tensor().Float64s()
				near(t, fmt.Sprintf("%s, %v, in %d", g.name, dt, d.in), got, want, tol)
			}
		}
	}
}
