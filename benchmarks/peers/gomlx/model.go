package main

// The models as GoMLX's computation graphs.

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	mlx "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/layers"
	"github.com/gomlx/gomlx/pkg/ml/layers/activations"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

const slope = 0.2

// A model computes logits. Its nodes are those of the graph under construction.
type model struct {
	task    *serve.Task
	ctx     *context.Context
	dropout float64

	src, dst, weights *mlx.Node   // [E 1], edges in order of destinations
	features          []*mlx.Node // [N F]; sparse ones as rows, columns and values [K 1]
}

func (m *model) logits() *mlx.Node {
	var x *mlx.Node // the features
	for l := 1; l <= m.task.Layers; l++ {
		if l > 1 {
			if m.task.Model == "gat" {
				x = elu(x)
			} else {
				x = activations.Relu(x)
			}
			x = layers.DropoutStatic(m.ctx, x, m.dropout)
		}
		switch m.task.Model {
		case "gcn":
			x = m.gcn(l, x)
		case "gin":
			x = m.gin(l, x)
		case "gat":
			x = m.gat(l, x)
		}
	}
	return x
}

// gcn is S·(x·W) + b.
func (m *model) gcn(l int, x *mlx.Node) *mlx.Node {
	xw := m.times(x, m.param("w%d", l))
	return mlx.Add(m.sum(m.dst, mlx.Mul(mlx.Gather(xw, m.src), m.weights)), m.row("b%d", l))
}

// gin is W2·relu(W1·((1+ε)x + A·x) + b1) + b2, with the first product before the sum.
func (m *model) gin(l int, x *mlx.Node) *mlx.Node {
	y := m.times(x, m.param("w%da", l))
	eps := mlx.InsertAxes(m.param("eps%d", l), 0)
	y = mlx.Add(mlx.Add(y, mlx.Mul(y, mlx.BroadcastToShape(eps, y.Shape()))), m.sum(m.dst, mlx.Gather(y, m.src)))
	hidden := activations.Relu(mlx.Add(y, m.row("b%da", l)))
	return mlx.Add(mlx.Dot(hidden, m.param("w%db", l)), m.row("b%db", l))
}

// gat is the sum of the in-neighbours' x·W, weighted by a softmax of scores; the last
// layer averages its heads.
func (m *model) gat(l int, x *mlx.Node) *mlx.Node {
	n, heads, width := m.task.Vertices, m.task.HeadsOf(l), m.task.Width(l)
	h := mlx.Reshape(m.times(x, m.param("w%d", l)), n, heads, width)
	el := mlx.ReduceSum(mlx.Mul(h, mlx.InsertAxes(m.param("al%d", l), 0)), -1)
	er := mlx.ReduceSum(mlx.Mul(h, mlx.InsertAxes(m.param("ar%d", l), 0)), -1)
	score := activations.LeakyReluWithAlpha(mlx.Add(mlx.Gather(el, m.src), mlx.Gather(er, m.dst, true)), slope)

	lowest := mlx.MulScalar(mlx.Ones(h.Graph(), shapes.Make(dtypes.Float32, n, heads)), -1e30)
	top := mlx.ScatterMax(lowest, m.dst, mlx.StopGradient(score), true, false)
	e := mlx.Exp(mlx.Sub(score, mlx.StopGradient(mlx.Gather(top, m.dst, true))))
	alpha := mlx.Div(e, mlx.Gather(m.sum(m.dst, e), m.dst, true))

	out := m.sum(m.dst, mlx.Mul(mlx.Gather(h, m.src), mlx.InsertAxes(alpha, -1)))
	if l == m.task.Layers {
		out = mlx.ReduceMean(out, 1)
	} else {
		out = mlx.Reshape(out, n, heads*width)
	}
	return mlx.Add(out, m.row("b%d", l))
}

// times is x·w, for the features where x is nil.
func (m *model) times(x, w *mlx.Node) *mlx.Node {
	switch {
	case x != nil:
		return mlx.Dot(x, w)
	case len(m.features) == 1:
		return mlx.Dot(m.features[0], w)
	}
	rows, columns, values := m.features[0], m.features[1], m.features[2]
	return m.sum(rows, mlx.Mul(mlx.Gather(w, columns), values))
}

// sum adds rows at the vertices they belong to, which are in order.
func (m *model) sum(vertices, rows *mlx.Node) *mlx.Node {
	dims := append([]int{m.task.Vertices}, rows.Shape().Dimensions[1:]...)
	zeros := mlx.Zeros(rows.Graph(), shapes.Make(dtypes.Float32, dims...))
	return mlx.ScatterSum(zeros, vertices, rows, true, false)
}

func (m *model) param(format string, l int) *mlx.Node {
	name := fmt.Sprintf(format, l)
	v := m.ctx.GetVariable(name)
	if v == nil {
		panic(fmt.Errorf("the task has no parameter %s", name))
	}
	return v.ValueGraph(m.src.Graph())
}

// row is a bias as a row of its own, which is added to every row.
func (m *model) row(format string, l int) *mlx.Node { return mlx.InsertAxes(m.param(format, l), 0) }

// elu is x, or e^x - 1 below 0; GoMLX has no gradient of Expm1.
func elu(x *mlx.Node) *mlx.Node {
	zero := mlx.ZerosLike(x)
	return mlx.Where(mlx.GreaterThan(x, zero), x, mlx.AddScalar(mlx.Exp(mlx.Min(x, zero)), -1))
}
