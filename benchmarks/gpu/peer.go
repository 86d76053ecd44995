// A peer: PyTorch, with PyTorch Geometric if it is there, in a Python process.

package main

import (
	_ "embed"
	"errors"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

//go:embed peer.py
var peerScript string

// A peer is peer.py under some interpreter. It may be missing.
type peer struct {
	start   harness.Python
	process *harness.Process
	err     error    // why there is no process
	problem *problem // that the process has
}

// newPeer does not start it yet. The device is PyTorch's name of one.
func newPeer(interpreter, device string, threads int) *peer {
	return &peer{start: harness.Python{Interpreter: interpreter, Script: peerScript, Threads: threads, Args: []string{device}}}
}

// running starts the process if need be: the first time, or after it broke.
func (p *peer) running() error {
	if p.process != nil && p.process.Broken() {
		p.close()
	}
	if p.process == nil && p.err == nil {
		p.process, p.err = p.start.Start()
	}
	return p.err
}

func (p *peer) close() {
	if p.process != nil {
		p.process.Close() // it leaves at the end of its input; there is nothing to tell
		p.process, p.problem = nil, nil
	}
}

// version names what the peer runs on, or why it is not there.
func (p *peer) version() string {
	if err := p.running(); err != nil {
		return err.Error()
	}
	return p.process.Version
}

// open sends a task's numbers.
func (p *peer) open(t *task, w *work) error {
	if err := p.running(); err != nil {
		return err
	}
	if p.problem != t.problem {
		g := t.g
		args := map[string]any{"vertices": g.NumVertices(), "types": relations}
		if _, err := p.process.Enter("graph", "graph", args, g.Src(), g.Dst(), g.EdgeTypes()); err != nil {
			return err
		}
		p.problem = t.problem
	}
	data := []any{t.features}
	if t.pass == kernel { // its features are among the numbers, first
		data = nil
	}
	names := []string{}
	for i, n := range w.numbers {
		if t.pass != kernel || i > 0 {
			names = append(names, n.Name)
		}
		data = append(data, n.Var.Tensor())
	}
	_, err := p.process.Enter("inputs", "inputs", map[string]any{"names": names}, data...)
	return err
}

// enter sets up a form of the task that is open. peak is by how much a step of
// training raised the device's memory at most, 0 if it is not known.
func (p *peer) enter(t *task, form string) (c harness.Contender, peak int64, err error) {
	if p.process.Broken() {
		return c, 0, errors.New("the process has ended")
	}
	args := map[string]any{"form": form, "pass": string(t.pass), "layer": t.family.peer, "dropout": 0.0, "lr": rate}
	if t.pass == kernel {
		args["pass"] = t.name
	}
	if t.pass == epoch {
		args["dropout"] = dropout
	}
	if c, err = p.process.Enter(form, "form", args); err != nil {
		return c, 0, err
	}
	asked, err := p.process.Enter("peak", "peak", map[string]any{})
	if err != nil {
		return c, 0, err
	}
	bytes, err := asked.Output()
	if err != nil || len(bytes) != 1 {
		return c, 0, err
	}
	return c, int64(bytes[0]), nil
}

// clear frees what enter set up.
func (p *peer) clear() {
	if p.process != nil && !p.process.Broken() {
		p.process.Clear() // an error is the next case's
		p.problem = nil
	}
}
