// The peers, in processes of their own.

package main

import (
	_ "embed"
	"fmt"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

//go:embed peers.py
var peersScript string

// A peer computes some forms of the programs.
type peer interface {
	// forms it may have.
	forms() []string
	// version, or why it is not there.
	version() string
	// open gives the peer a task, in place of the one before.
	open(t *task) error
	// enter sets up a form of the task that is open.
	enter(t *task, form string) (harness.Contender, error)
	// clear frees what enter set up.
	clear()
	close()
}

// A pythonPeer is peers.py under some interpreter.
type pythonPeer struct {
	has     []string
	start   harness.Python
	process *harness.Process
	err     error        // of the start; not tried again
	graph   *graph.Graph // that the process has
}

// newPythonPeers are PyTorch with PyTorch Geometric, and DGL, which may need an
// older PyTorch and so an interpreter of its own.
func newPythonPeers(o options, threads int) []peer {
	start := harness.Python{Interpreter: o.python, Script: peersScript, Threads: threads, HugePages: true, MemoryLimit: o.memoryLimit}
	other := start
	other.Interpreter = o.dglPython
	return []peer{
		&pythonPeer{has: []string{formCSR, formCSROwn, formGather, formSplit, formPyG, formPyGCSR}, start: start},
		&pythonPeer{has: []string{formDGL, formDGLOwn}, start: other},
	}
}

func (p *pythonPeer) forms() []string { return p.has }

func (p *pythonPeer) close() {
	if p.process != nil {
		p.process.Close()
		p.process, p.graph = nil, nil
	}
}

// running starts the process if need be: the first time, or after it broke.
func (p *pythonPeer) running() error {
	if p.process != nil && p.process.Broken() {
		p.close()
	}
	if p.process == nil && p.err == nil {
		p.process, p.err = p.start.Start()
	}
	return p.err
}

func (p *pythonPeer) version() string {
	if err := p.running(); err != nil {
		return err.Error()
	}
	return p.process.Version
}

func (p *pythonPeer) open(t *task) error {
	if err := p.running(); err != nil {
		return err
	}
	if g := t.graph; p.graph != g {
		args := map[string]any{"vertices": g.NumVertices(), "types": g.NumEdgeTypes()}
		if _, err := p.process.Enter("graph", "graph", args, byDestination(g, g.Src()), byDestination(g, g.Dst()), typesByDestination(g)); err != nil {
			return err
		}
		p.graph = g
	}
	var names []string
	var data []any
	for _, in := range t.data {
		x := in.t
		if in.perEdge {
			sorted := byDestination(t.graph, tensor.Data[float32](x))
			x = tensor.FromSlice(sorted, len(sorted))
		}
		names, data = append(names, in.name), append(data, x)
	}
	if t.cotangent != nil {
		names, data = append(names, "cotangent"), append(data, t.cotangent)
	}
	_, err := p.process.Enter("inputs", "inputs", map[string]any{"names": names}, data...)
	return err
}

// byDestination sorts values of the edges as peers have the edges: it is the
// order of any user's CSR, and the best one for a gather.
func byDestination[T any](g *graph.Graph, values []T) []T {
	sorted := make([]T, len(values))
	for i, e := range g.In().EdgeIDs {
		sorted[i] = values[e]
	}
	return sorted
}

// typesByDestination returns no types of a graph that has none.
func typesByDestination(g *graph.Graph) []int32 {
	if g.EdgeTypes() == nil {
		return []int32{}
	}
	return byDestination(g, g.EdgeTypes())
}

func (p *pythonPeer) enter(t *task, form string) (harness.Contender, error) {
	if p.process.Broken() {
		return harness.Contender{}, fmt.Errorf("the process has ended")
	}
	wanted := []string{}
	if t.pass != forward {
		wanted = t.wanted
	}
	return p.process.Enter(form, "form", map[string]any{"program": t.form, "form": form, "wanted": wanted, "penalty": t.pass == penalty})
}

func (p *pythonPeer) clear() {
	if p.process != nil && !p.process.Broken() {
		p.process.Clear() // an error is the next case's
	}
}
