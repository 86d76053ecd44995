// What is timed.

package main

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// pass says what of a case is timed.
type pass string

const (
	kernel   pass = "kernel"   // the graph's part of a layer, forward
	forward  pass = "forward"  // a layer, without gradients
	backward pass = "backward" // the gradients of a layer's input and parameters
	epoch    pass = "epoch"    // a step of training of two layers
)

const (
	heads    = 8 // of GAT's hidden layer
	headDim  = 8
	bases    = 4 // of R-GCN with bases
	dropout  = 0.5
	rate     = 0.01 // Adam's
	attnName = "gat"
)

// A layer computes [N out] of [N in].
type layer interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
}

// A family is a kind of layer.
type family struct {
	name       string
	peer       string   // its name in peer.py
	forms      []string // that peer.py has
	layer      func(in, out int, last bool, dropout float64, r *nn.RNG) layer
	activation func(x *autograd.Var) *autograd.Var
	jumps      bool // its gradients do: there is a maximum, or a ReLU of sums
}

// hidden is the width between two layers.
func (f family) hidden(p *problem) int {
	if f.peer == attnName {
		return heads * headDim
	}
	return p.hidden
}

func families() []family {
	relational := func(cfg gnn.RGCNConfig) func(in, out int, last bool, dropout float64, r *nn.RNG) layer {
		return func(in, out int, _ bool, _ float64, r *nn.RNG) layer {
			return gnn.NewRGCNConv(in, out, relations, cfg, r)
		}
	}
	return []family{
		{"gat", attnName, []string{"pyg", "gather"}, func(in, out int, last bool, dropout float64, r *nn.RNG) layer {
			cfg := gnn.GATConfig{AttnDropout: dropout, Mean: last}
			if last {
				return gnn.NewGATConv(in, out, 1, cfg, r)
			}
			return gnn.NewGATConv(in, out/heads, heads, cfg, r)
		}, func(x *autograd.Var) *autograd.Var { return x.ELU(1) }, false},
		{"gcn", "gcn", []string{"pyg", "csr", "gather"}, func(in, out int, _ bool, _ float64, r *nn.RNG) layer {
			return gnn.NewGCNConv(in, out, r)
		}, (*autograd.Var).ReLU, false},
		{"rgcn bases", "rgcn", []string{"pyg", "gather"}, relational(gnn.RGCNConfig{Bases: bases}), (*autograd.Var).ReLU, false},
		{"rgcn full", "rgcn", []string{"pyg", "gather"}, relational(gnn.RGCNConfig{}), (*autograd.Var).ReLU, false},
		{"edgeconv", "edgeconv", []string{"pyg"}, func(in, out int, _ bool, _ float64, r *nn.RNG) layer {
			return gnn.NewEdgeConv([]int{in, out, out}, r)
		}, (*autograd.Var).ReLU, true},
	}
}

// A model is two layers, with dropout before each.
type model struct {
	Conv1, Conv2       layer
	InputDrop, MidDrop *nn.Dropout

	activation func(x *autograd.Var) *autograd.Var
}

// model returns that of a problem, the same at every call.
func (f family) model(p *problem) *model {
	r := nn.NewRNG(1)
	return &model{
		Conv1:     f.layer(p.features.Shape()[1], f.hidden(p), false, dropout, r),
		Conv2:     f.layer(f.hidden(p), p.classes, true, dropout, r),
		InputDrop: nn.NewDropout(dropout, r), MidDrop: nn.NewDropout(dropout, r),
		activation: f.activation,
	}
}

func (m *model) forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	h := m.activation(m.Conv1.Forward(g, m.InputDrop.Forward(x)))
	return m.Conv2.Forward(g, m.MidDrop.Forward(h))
}

// A task is a case on a problem.
type task struct {
	*problem
	name    string
	pass    pass
	family  family // unless the pass is kernel
	program program
}

// tasks lists the cases on a problem, what matters most first.
func tasks(p *problem) (all []*task) {
	if sizeOf(p.name).layers {
		for _, f := range append(families(), moreLayers(p)...) {
			f.forms = nil
			for _, s := range []pass{forward, backward} {
				all = append(all, &task{problem: p, name: f.name, pass: s, family: f})
			}
		}
		return all
	}
	for _, f := range families() {
		all = append(all, &task{problem: p, name: f.name, pass: epoch, family: f})
	}
	for _, k := range programs() {
		all = append(all, &task{problem: p, name: k.name, pass: kernel, program: k})
	}
	for _, f := range families() {
		for _, s := range []pass{forward, backward} {
			all = append(all, &task{problem: p, name: f.name, pass: s, family: f})
		}
	}
	return all
}

// title is e.g. "gat epoch/rmat200k".
func (t *task) title() string { return t.name + " " + string(t.pass) + "/" + t.problem.name }

// forms are those of the peers. PyTorch Geometric's R-GCN asks the device for the edges
// of each type, which no CUDA graph can.
func (t *task) forms() []string {
	if t.pass == kernel {
		return t.program.forms
	}
	if t.pass == epoch && t.captured && t.family.peer != "rgcn" {
		return append(slices.Clone(t.family.forms), "pyg graph")
	}
	return t.family.forms
}
