package epoch

// Training epochs: forward, backward and Adam.

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// task is a graph with features and labels to train on.
type task struct {
	graph   *graph.Graph
	x       *autograd.Var
	labels  []int32
	rows    []int32 // to train on
	classes int
}

func (k *task) features() int { return k.x.Shape()[1] }

func cora(b *testing.B) *task {
	b.Helper()
	d, err := data.Load(context.Background(), "cora", data.Options{Dir: filepath.Join(shared.Dir(b), "datasets")})
	if err != nil {
		b.Fatal(err)
	}
	x := autograd.SparseConstant(d.RowNormalize().Features.Sparse())
	return &task{graph: d.Graph, x: x, labels: d.Labels, rows: d.Train, classes: d.NumClasses}
}

const (
	rmatVertices = 200_000
	rmatEdges    = 4_000_000
	rmatFeatures = 64
	rmatClasses  = 16
)

var buildRMAT = sync.OnceValues(func() (*task, error) {
	g, err := data.RMAT(data.RMATConfig{Vertices: rmatVertices, Edges: rmatEdges, Seed: 1})
	if err != nil {
		return nil, err
	}
	k := &task{graph: g, classes: rmatClasses}
	x := make([]float32, rmatVertices*rmatFeatures)
	for i := range x {
		x[i] = float32(rng.Uniform(1, uint64(i)) - 0.5)
	}
	k.x = autograd.Constant(tensor.FromSlice(x, rmatVertices, rmatFeatures))
	for v := range int32(rmatVertices) {
		k.labels = append(k.labels, v%rmatClasses)
		if v%10 == 0 {
			k.rows = append(k.rows, v)
		}
	}
	return k, nil
})

// rmat is built once, and shared: tasks are read-only.
func rmat(b *testing.B) *task {
	b.Helper()
	if testing.Short() {
		b.Skip("builds a graph of 4 million edges")
	}
	k, err := buildRMAT()
	if err != nil {
		b.Fatal(err)
	}
	return k
}

// compulsory is what running plans moves at least: every buffer once, and the
// neighbour of every edge once for each loop over the edges.
func compulsory(g *graph.Graph, plans ...*plan.Plan) (bytes int64) {
	s := plan.Sizes{NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges()}
	for _, p := range plans {
		for _, b := range p.Buffers {
			bytes += b.Bytes(s)
		}
		for _, step := range p.Steps {
			if k, ok := step.(*plan.Kernel); ok {
				bytes += int64(len(k.Loops)) * 4 * int64(g.NumEdges())
			}
		}
	}
	return bytes
}

// compulsoryOf is the sum over layers, and the features once in each direction.
func (k *task) compulsoryOf(g *graph.Graph, layers ...*vc.Compiled) (bytes int64) {
	for _, c := range layers {
		bytes += compulsory(g, c.Forward, c.Backward)
	}
	if s := k.x.Sparse(); s != nil {
		return bytes + 2*8*int64(s.NNZ()) // an index and a value
	}
	return bytes + 2*k.x.Tensor().Bytes()
}

// epochs measures training steps of a model.
func epochs(b *testing.B, k *task, model any, forward func() *autograd.Var, bytes int64) {
	b.Helper()
	opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(model), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.01})
	step := func() {
		opt.ZeroGrad()
		nn.CrossEntropy(forward(), k.labels, k.rows).Backward()
		opt.Step()
	}
	step() // compiles the programs and builds the adjacency lists
	b.ReportAllocs()
	b.SetBytes(bytes)
	for b.Loop() {
		step()
	}
}

// hidden is a stand-in for the input of a second layer, for its plans.
func (k *task) hidden(width int) *autograd.Var {
	return autograd.Variable(tensor.Zeros(tensor.Float32, k.graph.NumVertices(), width))
}

func gcnEpoch(b *testing.B, k *task) {
	m := gnn.NewGCN(k.features(), 16, k.classes, 0.5, nn.NewRNG(1))
	bytes := k.compulsoryOf(k.graph, m.Conv1.Compiled(k.graph, k.x), m.Conv2.Compiled(k.graph, k.hidden(16)))
	epochs(b, k, m, func() *autograd.Var { return m.Forward(k.graph, k.x) }, bytes)
}

func gatEpoch(b *testing.B, k *task) {
	g, _ := k.graph.RemoveSelfLoops()
	g, _ = g.AddSelfLoops()
	m := gnn.NewGAT(k.features(), 8, 8, k.classes, 1, 0.6, nn.NewRNG(1))
	bytes := k.compulsoryOf(g, m.Conv1.Compiled(g, k.x), m.Conv2.Compiled(g, k.hidden(64)))
	epochs(b, k, m, func() *autograd.Var { return m.Forward(g, k.x) }, bytes)
}

func BenchmarkEpochGCNCora(b *testing.B) { gcnEpoch(b, cora(b)) }
func BenchmarkEpochGATCora(b *testing.B) { gatEpoch(b, cora(b)) }
func BenchmarkEpochGCNRMAT(b *testing.B) { gcnEpoch(b, rmat(b)) }
func BenchmarkEpochGATRMAT(b *testing.B) { gatEpoch(b, rmat(b)) }
