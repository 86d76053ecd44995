package workflow

// Layers over the System API: every sparse operation is one call of the system, and
// so is every one of its gradients.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/op"
)

// OverSystem returns the form whose layers make a system's calls.
func OverSystem(s system.System) Form { return systemForm{s} }

type systemForm struct{ system system.System }

func (f systemForm) Name() string { return f.system.Name() }

func (f systemForm) open(t *Task) (layers, error) {
	vertices, src, dst := t.Graph.NumVertices(), t.Graph.Src(), t.Graph.Dst()
	g, err := f.system.NewGraph(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	return &calls{graph: g, ops: op.New(g, f.system.Device(), vertices, src, dst)}, nil
}

type calls struct {
	graph system.Graph
	ops   *op.Ops
}

// The flags of the calls.
var (
	sum       = system.Flags{}
	both      = system.Flags{Norm: system.NormBoth}
	largest   = system.Flags{Reduce: system.Max}
	add       = system.Flags{Op: system.OpAdd}
	minusDst  = system.Flags{Op: system.OpSub, Transpose: true} // w_e - x of the edge's destination
	overDst   = system.Flags{Op: system.OpDiv, Transpose: true}
	timesEdge = system.Flags{Op: system.OpMul}
)

func (c *calls) gcn(x, w, b *autograd.Var) *autograd.Var {
	return flat(c.ops.SpMMv(oneHead(x.MatMul(w)), both)).Add(b)
}

func (c *calls) gin(x, eps, w, b *autograd.Var) *autograd.Var {
	z := x.MatMul(w)
	neighbours := flat(c.ops.SpMMv(oneHead(z), sum))
	return z.Mul(eps.AddScalar(1)).Add(neighbours).Add(b).ReLU()
}

// The softmax is that of the paper's Table I, in calls: over the in-edges of a
// vertex, exp(s - max)/Σ exp(s - max). What is subtracted cancels, so the maximum
// needs no gradient.
func (c *calls) gat(x, w, al, ar, b *autograd.Var, mean bool) *autograd.Var {
	heads, dim := al.Shape()[0], al.Shape()[1]
	product := x.MatMul(w)
	z := product.Reshape(product.Shape()[0], heads, dim)
	score := c.ops.SDDMMvv(z.Mul(al).SumKeep(2), z.Mul(ar).SumKeep(2), add).LeakyReLU(0.2) // [E H 1]
	top := c.ops.SpMMe(score.Detach(), largest)
	e := c.ops.SDDMMve(top, score, minusDst).Exp()
	alpha := c.ops.SDDMMve(c.ops.SpMMe(e, sum), e, overDst)
	out := c.ops.SpMMve(z, alpha, timesEdge) // [N H F]
	if mean {
		return out.Mean(1).Add(b)
	}
	return flat(out).Add(b)
}

func (c *calls) close() error { return c.graph.Close() }

// oneHead is x [N F] as [N 1 F].
func oneHead(x *autograd.Var) *autograd.Var { return x.Reshape(x.Shape()[0], 1, x.Shape()[1]) }

// flat is x [N H F] as [N H·F].
func flat(x *autograd.Var) *autograd.Var {
	s := x.Shape()
	return x.Reshape(s[0], s[1]*s[2])
}

// SystemMemory is what a model's system holds for the graph, zero for [Fused], whose
// graph is the task's.
func (m *Model) SystemMemory() system.Memory {
	if c, ok := m.sparse.(*calls); ok {
		return c.graph.Memory()
	}
	return system.Memory{}
}
