package check

// The gradients of sums and of SDDMM in float64, by loops over the edges.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// gradients are those of the operands a call has, nil of the others.
type gradients struct{ x, y, w *sums }

// backward computes the gradients from that of the result.
func (p *problem) backward(g []float32) gradients {
	var d gradients
	for _, operand := range []struct {
		values []float32
		to     **sums
	}{{p.x, &d.x}, {p.y, &d.y}, {p.w, &d.w}} {
		if operand.values != nil {
			*operand.to = newSums(len(operand.values))
		}
	}
	for e := range p.g.src {
		from, to := p.ends(e)
		c := coefficientOf(p.g, p.flags.Norm, int(p.g.src[e]), int(p.g.dst[e]))
		row := to
		if p.onEdges() {
			row = e
		}
		for h := range p.heads {
			for k := range p.width {
				at := (row*p.heads+h)*p.width + k
				if p.flags.Op == system.OpDot {
					at = row*p.heads + h
				}
				p.element(d, element{
					x: (from*p.heads+h)*p.width + k, y: (to*p.heads+h)*p.width + k,
					w: (e*p.heads+h)*p.wWidth + k%p.wWidth, g: c * float64(g[at]),
				})
			}
		}
	}
	return d
}

// An element is one term of the result: where its operands are, and its gradient.
type element struct {
	x, y, w int
	g       float64
}

// element adds the gradients of one term.
func (p *problem) element(d gradients, e element) {
	op := p.flags.Op
	switch p.kind {
	case system.SpMMv:
		d.x.term(e.x, e.g)
	case system.SpMMe:
		d.w.term(e.w, e.g)
	case system.SpMMve:
		left, right := derivatives(op, float64(p.x[e.x]), float64(p.w[e.w]))
		d.x.term(e.x, e.g*left)
		d.w.term(e.w, e.g*right)
	case system.SDDMMvv:
		left, right := derivatives(op, float64(p.x[e.x]), float64(p.y[e.y]))
		d.x.term(e.x, e.g*left)
		d.y.term(e.y, e.g*right)
	case system.SDDMMve:
		if op == system.OpCopy {
			d.x.term(e.x, e.g)
			return
		}
		left, right := derivatives(op, float64(p.w[e.w]), float64(p.x[e.x]))
		d.w.term(e.w, e.g*left)
		d.x.term(e.x, e.g*right)
	}
}

func (s *sums) term(i int, v float64) { s.add(i, v, math.Abs(v)) }

// derivatives of a op b with respect to a and b.
func derivatives(op system.Op, a, b float64) (left, right float64) {
	switch op {
	case system.OpAdd:
		return 1, 1
	case system.OpSub:
		return 1, -1
	case system.OpDiv:
		return 1 / b, -a / (b * b)
	}
	return b, a
}
