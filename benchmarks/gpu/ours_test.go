package main

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// fading is a layer with a number that is another in each step, but the same in each replay.
type fading struct {
	Conv  *gnn.GCNConv
	calls int
}

func (l *fading) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	l.calls++
	return l.Conv.Forward(g, x).Scale(1 / float64(l.calls))
}

func TestACapturedStepThatComputesSomethingElseIsNotTimed(t *testing.T) {
	g := emulatedGPU(t)
	p, err := sizeOf("tiny").build()
	if err != nil {
		t.Fatal(err)
	}
	gcn := func(in, out int, _ bool, _ float64, r *nn.RNG) layer { return gnn.NewGCNConv(in, out, r) }
	fades := func(in, out int, _ bool, _ float64, r *nn.RNG) layer {
		return &fading{Conv: gnn.NewGCNConv(in, out, r)}
	}
	for _, c := range []struct {
		name, status string
		layer        func(in, out int, last bool, dropout float64, r *nn.RNG) layer
	}{
		{"gcn", "", gcn},
		{"fading", "error: replays train to something else: value ", fades},
	} {
		k := &task{problem: p, name: c.name, pass: epoch, family: family{name: c.name, layer: c.layer, activation: (*autograd.Var).ReLU}}
		b := &bench{gpu: g}
		r := b.newResult(k)
		lanes := b.others(k, r, nil)
		if len(r.Entries) != 1 || (len(lanes) == 1) != (c.status == "") {
			t.Fatalf("%s: %d entries, %d are timed", c.name, len(r.Entries), len(lanes))
		}
		if got := r.Entries[0].Status; !strings.HasPrefix(got, c.status) || (got == "") != (c.status == "") {
			t.Errorf("%s: status %q, want %q", c.name, got, c.status)
		}
		for _, l := range lanes {
			if err := l.close(); err != nil {
				t.Error(err)
			}
		}
	}
}
