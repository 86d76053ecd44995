package main

// A training.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

type trainer struct {
	train   *model
	eval    *model // nil before the first evaluation
	loss    *gorgonia.Node
	params  gorgonia.Nodes
	vm, vm2 gorgonia.VM
	solver  *gorgonia.AdamSolver
	keep    float64
	rng     *rand.Rand
}

func newTrainer(t *serve.Task, dropout float64, seed uint64) (serve.Trainer, error) {
	switch {
	case t.Model != "gcn" && t.Model != "gin":
		return nil, fmt.Errorf("%s is not written in Gorgonia, which has no gather", t.Model)
	case t.Vertices > maxVertices:
		return nil, fmt.Errorf("a dense matrix of %d×%d vertices is too large: at most %d", t.Vertices, t.Vertices, maxVertices)
	}
	v := &values{task: t, a: adjacency(t), params: make(map[string]*gt.Dense)}
	v.x = gt.New(gt.WithShape(t.Vertices, t.Features), gt.WithBacking(slices.Clone(t.X)))
	for _, p := range t.Parameters {
		rows := 1 // of a bias, and of ε
		if len(p.Shape) == 2 {
			rows = p.Shape[0]
		}
		v.params[p.Name] = gt.New(gt.WithShape(rows, len(p.Values)/rows), gt.WithBacking(slices.Clone(p.Values)))
	}
	tr := &trainer{train: newModel(v, dropout > 0), keep: 1 - dropout, rng: rand.New(rand.NewPCG(seed, 0))}
	tr.loss = tr.train.loss()
	if tr.train.err != nil {
		return nil, tr.train.err
	}
	for _, p := range t.Parameters {
		tr.params = append(tr.params, tr.train.params[p.Name])
	}
	if _, err := gorgonia.Grad(tr.loss, tr.params...); err != nil {
		return nil, err
	}
	tr.vm = gorgonia.NewTapeMachine(tr.train.graph, gorgonia.BindDualValues(tr.params...))
	tr.solver = gorgonia.NewAdamSolver(gorgonia.WithLearnRate(t.LR), gorgonia.WithL2Reg(t.WeightDecay))
	return tr, nil
}

// Step makes a training step.
func (tr *trainer) Step() (float64, error) {
	for _, mask := range tr.train.masks {
		data := mask.Float32s()
		for i := range data {
			data[i] = 0
			if tr.rng.Float64() < tr.keep {
				data[i] = float32(1 / tr.keep)
			}
		}
	}
	if err := tr.vm.RunAll(); err != nil {
		return 0, err
	}
	loss, ok := tr.loss.Value().Data().(float32)
	if !ok {
		return 0, fmt.Errorf("the loss is a %T", tr.loss.Value().Data())
	}
	if err := tr.solver.Step(gorgonia.NodesToValueGrads(tr.params)); err != nil {
		return 0, err
	}
	tr.vm.Reset()
	return float64(loss), nil
}

// Logits runs an expression without dropout on the same parameters.
func (tr *trainer) Logits() ([]float32, error) {
	if tr.eval == nil {
		m := newModel(tr.train.values, false)
		if m.err != nil {
			return nil, m.err
		}
		tr.eval, tr.vm2 = m, gorgonia.NewTapeMachine(m.graph)
	}
	if err := tr.vm2.RunAll(); err != nil {
		return nil, err
	}
	logits := slices.Clone(tr.eval.logits.Value().Data().([]float32))
	tr.vm2.Reset()
	return logits, nil
}

func (tr *trainer) Close() error {
	if tr.vm2 != nil {
		if err := tr.vm2.Close(); err != nil {
			return err
		}
	}
	return tr.vm.Close()
}
