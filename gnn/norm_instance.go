package gnn

// Instance normalisation of graphs.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// InstanceNorm is instance normalisation (Ulyanov, Vedaldi, Lempitsky 2016) over graphs:
// each feature is normalised over the vertices of each graph,
//
//	d_v  = x_v - mean_{u in graph i} x_u
//	x'_v = γ ⊙ d_v / sqrt(mean_{u in graph i} d_u² + ε) + β
//
// for the vertices v of graph i and x [N in], result [N in].
//
// With running estimates, a training pass moves these by the mean over the graphs of
// their means, and of their unbiased variances (0 of a graph of one vertex or none):
//
//	running ← (1 - momentum)·running + momentum·mean over graphs
//
// and when evaluating they take the place of the means and variances of all graphs. They
// are constants, and move as those of [nn.BatchNorm1d] do.
type InstanceNorm struct {
	nn.Mode
	Weight      *autograd.Var // [in], γ; nil: no factor
	Bias        *autograd.Var // [in], β; nil: no summand
	RunningMean *autograd.Var // [in]; nil: no running estimates
	RunningVar  *autograd.Var // [in]
	// NumBatchesTracked is an int64 scalar that PyTorch's layer has and does not count.
	NumBatchesTracked *autograd.Var

	in            int
	eps, momentum float64
	program       *vc.Program
}

// InstanceNormConfig has what InstanceNorm has beside its size. The zero value is PyG's
// layer, without parameters.
type InstanceNormConfig struct {
	Eps               float64 // ε; 0 means 1e-5
	Momentum          float64 // weight of the new batch in (0, 1]; 0 means 0.1
	Affine            bool    // γ and β
	TrackRunningStats bool    // running estimates
}

// NewInstanceNorm returns a layer of in features, with γ 1, β 0, running means 0 and
// running variances 1, those that it has.
func NewInstanceNorm(in int, cfg InstanceNormConfig, opts ...Option) *InstanceNorm {
	const op = "InstanceNorm"
	wantPositive(op, in)
	if cfg.Momentum == 0 {
		cfg.Momentum = 0.1
	}
	if !(cfg.Momentum > 0 && cfg.Momentum <= 1) {
		misuse(op, "Momentum %v is outside (0, 1]", cfg.Momentum)
	}
	c := configure(opts)
	l := &InstanceNorm{in: in, eps: normEps(op, cfg.Eps), momentum: cfg.Momentum}
	if cfg.Affine {
		l.Weight, l.Bias = c.ones(in), c.bias(in)
	}
	if cfg.TrackRunningStats {
		l.RunningMean = autograd.Constant(tensor.Zeros(c.dtype, in))
		l.RunningVar = autograd.Constant(tensor.Ones(c.dtype, in))
		l.NumBatchesTracked = autograd.Constant(tensor.Zeros(tensor.Int64))
	}
	l.program = vc.Compile("instance norm", func(graph vc.Vertex) vc.Value {
		x := graph.InEdges().Src("x")
		d := x.Sub(vc.Mean(x))
		return scaledShifted(d, overDeviation(d, l.eps), l.Weight, l.Bias)
	})
	return l
}

// Forward normalises x [N in] of the vertices of the graphs of a batch. It panics with
// *[Error] for what does not fit.
func (l *InstanceNorm) Forward(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	const op = "InstanceNorm"
	if l == nil || l.program == nil {
		panic(notMade(op))
	}
	g, features := normInput(op, batch, x, l.in)
	bindings := slices.Concat(features, affineOf(op, x, l.in, l.Weight, l.Bias))
	if l.RunningMean == nil && l.RunningVar == nil {
		return l.program.Run(g, bindings...)
	}
	l.wantEstimates(op, x)
	if !l.Training() { // what a batch normalisation does
		b := &nn.BatchNorm1d{Weight: l.Weight, Bias: l.Bias, RunningMean: l.RunningMean, RunningVar: l.RunningVar, Eps: l.eps}
		nn.Eval(b)
		return b.Forward(x)
	}
	y := l.program.Run(g, bindings...)
	if g.NumDst() > 0 {
		moments := instanceMoments.RunMany(g, vc.SrcFeature("x", autograd.Constant(x.Tensor())))
		l.move(l.RunningMean, moments[0].Tensor())
		l.move(l.RunningVar, moments[1].Tensor())
	}
	return y
}

func (l *InstanceNorm) wantEstimates(op string, x *autograd.Var) {
	if l.RunningMean == nil || l.RunningVar == nil {
		misuse(op, "the layer has one of RunningMean and RunningVar, not both")
	}
	wantShape(op, "RunningMean", l.RunningMean, l.in)
	wantShape(op, "RunningVar", l.RunningVar, l.in)
	wantType(op, "x", x, l.RunningMean)
	wantType(op, "x", x, l.RunningVar)
}

// instanceMoments are the means and unbiased variances of the features of each graph.
var instanceMoments = vc.CompileMany("instance moments", func(graph vc.Vertex) []vc.Value {
	x := graph.InEdges().Src("x")
	mean := vc.Mean(x)
	others := graph.InDegree().AddScalar(-1).Maximum(vc.Number(1))
	return []vc.Value{mean, vc.Sum(x.Sub(mean).Square()).Div(others)}
})

// move moves an estimate towards the mean of rows. It gets a new tensor, since a backward
// pass may still need the old one, except within a captured step: a replay goes on from
// where the last one has left it.
func (l *InstanceNorm) move(running *autograd.Var, rows *tensor.Tensor) {
	now := tensor.Mean(rows, false, 0)
	next := tensor.Add(tensor.Scale(running.Tensor(), 1-l.momentum), tensor.Scale(now, l.momentum))
	if running.Device().Capturing() {
		running.Tensor().CopyFrom(next)
	} else {
		running.SetTensor(next)
	}
}
