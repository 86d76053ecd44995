package peers

// The truth: the models with loops in float64, their gradients, and Adam.

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

// A matrix has its values and their gradients, row after row.
type matrix struct {
	rows, cols int
	v, g       []float64
}

func newMatrix(rows, cols int) *matrix {
	return &matrix{rows, cols, make([]float64, rows*cols), make([]float64, rows*cols)}
}

func matrixOf(values []float32, rows, cols int) *matrix {
	m := newMatrix(rows, cols)
	for i, x := range values {
		m.v[i] = float64(x)
	}
	return m
}

// A reference trains a task's model.
type reference struct {
	task   *serve.Task
	x      *matrix
	params map[string]*matrix
	m, v   map[string][]float64 // Adam's moments
	steps  int
	back   []func() // of the operations of a forward pass, in order
}

func newReference(t *serve.Task) *reference {
	r := &reference{
		task: t, x: matrixOf(t.X, t.Vertices, t.Features),
		params: make(map[string]*matrix), m: make(map[string][]float64), v: make(map[string][]float64),
	}
	for _, p := range t.Parameters {
		cols := p.Shape[len(p.Shape)-1]
		r.params[p.Name] = matrixOf(p.Values, len(p.Values)/cols, cols)
		r.m[p.Name], r.v[p.Name] = make([]float64, len(p.Values)), make([]float64, len(p.Values))
	}
	return r
}

// loss is a forward pass.
func (r *reference) loss() float64 {
	r.back = r.back[:0]
	t := r.task
	weights := make([]float64, t.Edges)
	for e := range weights {
		weights[e] = 1
	}
	if t.Model == "gcn" {
		in, out := make([]float64, t.Vertices), make([]float64, t.Vertices)
		for e := range weights {
			in[t.Dst[e]]++
			out[t.Src[e]]++
		}
		for e := range weights {
			weights[e] = 1 / math.Sqrt(in[t.Dst[e]]*out[t.Src[e]])
		}
	}
	x := r.x
	for l := 1; l <= t.Layers; l++ {
		name := func(prefix, suffix string) *matrix { return r.params[prefix+strconv.Itoa(l)+suffix] }
		if l > 1 && t.Model == "gat" {
			x = r.each(x, func(x float64) (float64, float64) { return max(x, math.Expm1(min(x, 0))), math.Exp(min(x, 0)) })
		} else if l > 1 {
			x = r.relu(x)
		}
		switch t.Model {
		case "gcn":
			x = r.addRow(r.sum(r.mul(x, name("w", "")), weights, nil), name("b", ""))
		case "gin":
			h := r.relu(r.addRow(r.mul(r.sum(x, weights, name("eps", "")), name("w", "a")), name("b", "a")))
			x = r.addRow(r.mul(h, name("w", "b")), name("b", "b"))
		case "gat":
			x = r.attend(r.mul(x, name("w", "")), name("al", ""), name("ar", ""))
			if l == t.Layers {
				x = r.meanOf(t.OutHeads, x)
			}
			x = r.addRow(x, name("b", ""))
		}
	}
	return r.crossEntropy(x)
}

// gradients fills those of the parameters.
func (r *reference) gradients() float64 {
	for _, p := range r.params {
		clear(p.g)
	}
	loss := r.loss()
	for _, back := range slices.Backward(r.back) {
		back()
	}
	return loss
}

// step is a step of Adam whose weight decay is part of the gradients.
func (r *reference) step() float64 {
	loss := r.gradients()
	r.steps++
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	c1, c2 := 1-math.Pow(beta1, float64(r.steps)), 1-math.Pow(beta2, float64(r.steps))
	for name, p := range r.params {
		m, v := r.m[name], r.v[name]
		for i, g := range p.g {
			g += r.task.WeightDecay * p.v[i]
			m[i] = beta1*m[i] + (1-beta1)*g
			v[i] = beta2*v[i] + (1-beta2)*g*g
			p.v[i] -= r.task.LR * m[i] / c1 / (math.Sqrt(v[i]/c2) + eps)
		}
	}
	return loss
}

func (r *reference) mul(a, b *matrix) *matrix {
	out := newMatrix(a.rows, b.cols)
	all := func(f func(a, b, out int)) {
		for i := range a.rows {
			for j := range b.cols {
				for k := range a.cols {
					f(i*a.cols+k, k*b.cols+j, i*b.cols+j)
				}
			}
		}
	}
	all(func(i, k, o int) { out.v[o] += a.v[i] * b.v[k] })
	r.back = append(r.back, func() {
		all(func(i, k, o int) {
			a.g[i] += out.g[o] * b.v[k]
			b.g[k] += out.g[o] * a.v[i]
		})
	})
	return out
}

func (r *reference) addRow(x, row *matrix) *matrix {
	out := newMatrix(x.rows, x.cols)
	for i := range out.v {
		out.v[i] = x.v[i] + row.v[i%x.cols]
	}
	r.back = append(r.back, func() {
		for i, g := range out.g {
			x.g[i] += g
			row.g[i%x.cols] += g
		}
	})
	return out
}

// each applies a function that returns its value and its derivative.
func (r *reference) each(x *matrix, f func(float64) (y, dy float64)) *matrix {
	out := newMatrix(x.rows, x.cols)
	for i := range out.v {
		out.v[i], _ = f(x.v[i])
	}
	r.back = append(r.back, func() {
		for i, g := range out.g {
			_, dy := f(x.v[i])
			x.g[i] += g * dy
		}
	})
	return out
}

func (r *reference) relu(x *matrix) *matrix {
	return r.each(x, func(x float64) (float64, float64) {
		if x > 0 {
			return x, 1
		}
		return 0, 0
	})
}

// sum is Σ w_e x_u over in-edges, and (1+ε)x_v where eps is not nil.
func (r *reference) sum(x *matrix, weights []float64, eps *matrix) *matrix {
	out := newMatrix(x.rows, x.cols)
	all := func(f func(w float64, u, v int)) {
		for e, w := range weights {
			for c := range x.cols {
				f(w, int(r.task.Src[e])*x.cols+c, int(r.task.Dst[e])*x.cols+c)
			}
		}
	}
	all(func(w float64, u, v int) { out.v[v] += w * x.v[u] })
	if eps != nil {
		for i := range out.v {
			out.v[i] += (1 + eps.v[0]) * x.v[i]
		}
	}
	r.back = append(r.back, func() {
		all(func(w float64, u, v int) { x.g[u] += w * out.g[v] })
		if eps != nil {
			for i, g := range out.g {
				x.g[i] += (1 + eps.v[0]) * g
				eps.g[0] += x.v[i] * g
			}
		}
	})
	return out
}

// attend is Σ α_e h_u with α the softmax over in-edges of leakyrelu(⟨al,h_u⟩ + ⟨ar,h_v⟩),
// for each head.
func (r *reference) attend(h, al, ar *matrix) *matrix {
	const slope = 0.2
	t, heads, width := r.task, al.rows, al.cols
	out := newMatrix(h.rows, h.cols)
	dot := func(a []float64, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	axpy := func(a float64, x, y []float64) {
		for i := range x {
			y[i] += a * x[i]
		}
	}
	for k := range heads {
		row := func(values []float64, v int32) []float64 {
			at := int(v)*heads*width + k*width
			return values[at : at+width]
		}
		l, dl := al.v[k*width:(k+1)*width], al.g[k*width:(k+1)*width]
		rr, dr := ar.v[k*width:(k+1)*width], ar.g[k*width:(k+1)*width]
		raw, alpha := make([]float64, t.Edges), make([]float64, t.Edges)
		total := make([]float64, t.Vertices)
		for e, u := range t.Src {
			raw[e] = dot(l, row(h.v, u)) + dot(rr, row(h.v, t.Dst[e]))
			alpha[e] = math.Exp(max(raw[e], slope*raw[e])) // small enough here
			total[t.Dst[e]] += alpha[e]
		}
		for e, u := range t.Src {
			alpha[e] /= total[t.Dst[e]]
			axpy(alpha[e], row(h.v, u), row(out.v, t.Dst[e]))
		}
		r.back = append(r.back, func() {
			mean := make([]float64, t.Vertices) // Σ α dα
			for e, u := range t.Src {
				mean[t.Dst[e]] += alpha[e] * dot(row(out.g, t.Dst[e]), row(h.v, u))
			}
			for e, u := range t.Src {
				v := t.Dst[e]
				ds := alpha[e] * (dot(row(out.g, v), row(h.v, u)) - mean[v])
				if raw[e] < 0 {
					ds *= slope
				}
				axpy(alpha[e], row(out.g, v), row(h.g, u))
				axpy(ds, l, row(h.g, u))
				axpy(ds, rr, row(h.g, v))
				axpy(ds, row(h.v, u), dl)
				axpy(ds, row(h.v, v), dr)
			}
		})
	}
	return out
}

// meanOf is the mean of the heads.
func (r *reference) meanOf(heads int, x *matrix) *matrix {
	width := x.cols / heads
	out := newMatrix(x.rows, width)
	all := func(f func(i, o int)) {
		for i := range x.v {
			f(i, i/x.cols*width+i%width)
		}
	}
	all(func(i, o int) { out.v[o] += x.v[i] / float64(heads) })
	r.back = append(r.back, func() { all(func(i, o int) { x.g[i] += out.g[o] / float64(heads) }) })
	return out
}

// crossEntropy is the mean over the rows to train on.
func (r *reference) crossEntropy(x *matrix) (loss float64) {
	n := float64(len(r.task.Train))
	for _, v := range r.task.Train {
		row, grad := x.v[int(v)*x.cols:(int(v)+1)*x.cols], x.g[int(v)*x.cols:(int(v)+1)*x.cols]
		label := r.task.Labels[v]
		var total float64
		for _, s := range row {
			total += math.Exp(s)
		}
		loss += (math.Log(total) - row[label]) / n
		r.back = append(r.back, func() {
			for c, s := range row {
				grad[c] += math.Exp(s) / total / n
			}
			grad[label] -= 1 / n
		})
	}
	return loss
}

func TestTheReferenceHasTheGradientsOfItsLoss(t *testing.T) {
	for _, model := range []string{"gcn", "gin", "gat"} {
		r := newReference(randomTask(model, 1))
		r.gradients()
		for name, p := range r.params {
			for i, got := range p.g {
				const h = 1e-5
				x := p.v[i]
				p.v[i] = x + h
				above := r.loss()
				p.v[i] = x - h
				want := (above - r.loss()) / (2 * h)
				p.v[i] = x
				if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("%s: the gradient of %s[%d] is %g, by differences %g", model, name, i, got, want)
				}
			}
		}
	}
}
