package workflow

// A graph with features and labels to train on.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// A Task is a graph with features and labels, for vertex classification. Several
// models may share one: nothing changes it.
type Task struct {
	Name    string
	Graph   *graph.Graph
	X       *autograd.Var // features [N F], dense or sparse
	Labels  []int32
	Classes int

	Train, Val, Test []int32 // vertices
}

// Features is the width of X.
func (t *Task) Features() int { return t.X.Shape()[1] }

// For returns the task with the graph that the model wants: with a loop at every
// vertex, once, or as it is.
func (t *Task) For(c Config) *Task {
	if !c.SelfLoops() {
		return t
	}
	looped := *t
	without, _ := t.Graph.RemoveSelfLoops()
	looped.Graph, _ = without.AddSelfLoops()
	return &looped
}

// On returns the task with its features on a device.
func (t *Task) On(d *tensor.Device) *Task {
	moved := *t
	moved.X = t.X.ToDevice(d)
	return &moved
}

// FeatureBytes is the memory of X: values, and ids and offsets of sparse ones.
func (t *Task) FeatureBytes() int64 {
	if s := t.X.Sparse(); s != nil {
		return s.Values().Bytes() + 4*int64(len(s.Indices())+len(s.Indptr()))
	}
	return t.X.Tensor().Bytes()
}
