// The peers, in processes of their own.

package main

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
)

//go:embed peers.py
var peersScript string

// The forms of the peers. README.md says what they are.
const (
	formDGL        = "dgl"
	formDGLUnfused = "dgl-unfused"
	formDGLWorkers = "dgl-workers"
	formPyG        = "pyg"
	formPyGWorkers = "pyg-workers"
	formNumPy      = "numpy"
	formNumPyVec   = "numpy-vectorised"
)

var allForms = []string{formDGL, formDGLUnfused, formDGLWorkers, formPyG, formPyGWorkers, formNumPy, formNumPyVec}

// A target is the speed-up that is to be reached over the fastest of some forms.
type target struct {
	name    string
	forms   []string
	speedup float64
}

var targets = []target{
	{"DGL", []string{formDGL, formDGLUnfused, formDGLWorkers}, 1},
	{"PyG", []string{formPyG, formPyGWorkers}, 1},
	{"plain NumPy", []string{formNumPy}, 10},
}

// tolerance is how far the mean sizes of batches may differ. PyG draws edges into
// the new vertices of a hop, the others once more into those before, so it has fewer.
func tolerance(form string) float64 {
	if form == formPyG || form == formPyGWorkers {
		return 0.25
	}
	return 0.03
}

// A peer is peers.py under some interpreter.
type peer struct {
	forms   []string
	start   harness.Python
	process *harness.Process
	err     error // of the start or of the graph
}

// newPeers are DGL, which may need an older PyTorch and so an interpreter of its
// own, and the others.
func newPeers(o options, threads int) []*peer {
	dgl := harness.Python{Interpreter: o.dglPython, Script: peersScript, Threads: threads, HugePages: true}
	others := dgl
	others.Interpreter = o.python
	return []*peer{
		{forms: []string{formDGL, formDGLUnfused, formDGLWorkers}, start: dgl},
		{forms: []string{formPyG, formPyGWorkers, formNumPy, formNumPyVec}, start: others},
	}
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

func (p *peer) version() string {
	if err := p.running(); err != nil {
		return err.Error()
	}
	return p.process.Version
}

// open gives the process the graph.
func (p *peer) open(g *graph.Graph) error {
	if err := p.running(); err != nil {
		return err
	}
	_, err := p.process.Enter("graph", "graph", map[string]any{"vertices": g.NumVertices()}, g.Src(), g.Dst())
	return err
}

// enter sets up a form and checks the sizes of its batches against ours.
func (p *peer) enter(form string, o options, threads int, sizes []float32) (harness.Contender, error) {
	c, err := p.process.Enter(form, "form", map[string]any{"form": form, "fanouts": o.fanouts, "batch": o.batch, "workers": threads})
	if err != nil {
		return c, err
	}
	got, err := c.Output()
	if err != nil {
		return c, err
	}
	for i, what := range []string{"edges", "vertices"} {
		if d := math.Abs(float64(got[i]) - float64(sizes[i])); !(d <= tolerance(form)*float64(sizes[i])) {
			return c, fmt.Errorf("not the same work: %.0f %s a batch, ours has %.0f", got[i], what, sizes[i])
		}
	}
	return c, nil
}

func (p *peer) close() {
	if p.process != nil {
		p.process.Close()
		p.process = nil
	}
}
