package measure

// Which models, graphs and sizes: quick or full.

import (
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// A TaskSpec is a task to be loaded: a dataset, or an R-MAT graph of sizes.
type TaskSpec struct {
	Dataset                            string `json:"dataset,omitempty"`
	Vertices, Edges, Features, Classes int
}

// load reads or makes the task.
func (s TaskSpec) load(data string) (*workflow.Task, error) {
	switch {
	case s == shrunk:
		return workflow.Shrunk(), nil
	case s.Dataset != "":
		return workflow.Load(data, s.Dataset)
	}
	return workflow.Random(s.Vertices, s.Edges, s.Features, s.Classes, 1)
}

// A Plan is what is measured.
type Plan struct {
	Quick  bool // the detector's quick mode, too
	Models []workflow.Config
	Tasks  []TaskSpec // of training steps; memory is that of the last

	AccuracyTasks []TaskSpec
	Seeds, Epochs int

	KernelGraphs []TaskSpec
	KernelWidths []int

	ScaleEdges, ScaleWidths []int // of calls: R-MAT edges at a width, widths at the edges in the middle
	StepEdges               []int // of training steps of GCN
	Memory                  bool
}

// edgesPerVertex is the mean degree of the R-MAT graphs.
const edgesPerVertex = 20

// rmat is an R-MAT graph of some edges.
func rmat(edges, features int) TaskSpec {
	return TaskSpec{Vertices: max(edges/edgesPerVertex, 2), Edges: edges, Features: features, Classes: 16}
}

// shrunk is two vertices, on which a call or a step takes what it takes of itself.
var shrunk = TaskSpec{Dataset: report.ShrunkTask}

// Cora is the citation network that everybody knows.
var Cora = TaskSpec{Dataset: "cora"}

// LikeCora is a graph of Cora's sizes, for where Cora is not to be had.
var LikeCora = TaskSpec{Vertices: 2708, Edges: 10556, Features: 256, Classes: 7}

// Full is all there is to measure; small is the small graph.
func Full(small TaskSpec) Plan {
	p := Plan{
		Tasks:         []TaskSpec{small, rmat(1_000_000, 64)},
		AccuracyTasks: []TaskSpec{small}, Seeds: 3, Epochs: 200,
		KernelGraphs: []TaskSpec{shrunk, small, rmat(1_000_000, 1)},
		KernelWidths: []int{16, 64},
		ScaleEdges:   []int{10_000, 30_000, 100_000, 300_000, 1_000_000},
		ScaleWidths:  []int{8, 16, 32, 64, 128},
		StepEdges:    []int{10_000, 100_000, 1_000_000},
		Memory:       true,
	}
	if small == Cora {
		p.AccuracyTasks = append(p.AccuracyTasks, TaskSpec{Dataset: "citeseer"})
	}
	for _, k := range workflow.Kinds {
		p.Models = append(p.Models, workflow.Default(k))
	}
	return p
}

// Quick is a taste of everything.
func Quick(small TaskSpec) Plan {
	p := Full(small)
	p.Quick = true
	p.Tasks = p.Tasks[:1]
	p.AccuracyTasks, p.Seeds, p.Epochs = p.AccuracyTasks[:1], 1, 40
	p.KernelGraphs = append(p.KernelGraphs[:2], rmat(100_000, 1))
	p.KernelWidths = []int{32}
	p.ScaleEdges, p.ScaleWidths = []int{10_000, 100_000}, []int{8, 32, 128}
	p.StepEdges = []int{10_000, 100_000}
	return p
}
