package report

// The sections that are tables of timings and bytes.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

func (p *page) overhead() {
	list := p.r.Overheads()
	if len(list) == 0 {
		return
	}
	p.heading("Framework overhead")
	p.line("What a training step takes beside its work, in two ways. *Shrunk*: the same step on two vertices and widths of 1, where kernels have nothing to do; every system and peer has it. " +
		"*Null*: the same step with kernels that return at once: over the System API the sparse calls do, the dense operations stay; of our programs all operations do, on a device that has no memory, by the path that GPUs take, which does more than that of the CPU. " +
		"The overhead is the longer of the shrunk step and that on the null device.\n")
	var rows [][]string
	seconds := func(s float64) string {
		if math.IsNaN(s) {
			return ""
		}
		return harness.Seconds(s)
	}
	for _, o := range list {
		rows = append(rows, []string{o.Model, o.Task, o.System, seconds(o.Step), seconds(o.Shrunk), seconds(o.NullDevice), seconds(o.NullKernels), percent(o.Share())})
	}
	p.table([]string{"model", "task", "system", "step", "shrunk", "null device", "null calls", "overhead"}, rows)
	p.picture(StepTable)
}

// matrix writes timings as a table with a column for each system.
func (p *page) matrix(timings []Timing, head []string, key func(t Timing) []string) {
	var systems []string
	var keys []string
	labels := map[string][]string{}
	cells := map[string]map[string]*Timing{}
	for i, t := range timings {
		if !slices.Contains(systems, t.System) {
			systems = append(systems, t.System)
		}
		label := key(t)
		k := fmt.Sprint(label)
		if cells[k] == nil {
			keys, labels[k], cells[k] = append(keys, k), label, map[string]*Timing{}
		}
		cells[k][t.System] = &timings[i]
	}
	var rows [][]string
	for _, k := range keys {
		row := slices.Clone(labels[k])
		for _, s := range systems {
			row = append(row, cell(cells[k][s]))
		}
		rows = append(rows, row)
	}
	p.table(append(head, systems...), rows)
}

func (p *page) steps() {
	timings := p.r.find(func(t Timing) bool { return t.Table == StepTable && t.Variant == Real })
	if len(timings) == 0 {
		return
	}
	p.heading("Training steps")
	p.line("An epoch of full-graph training: forward, loss, backward, Adam.\n")
	p.matrix(timings, []string{"model", "task"}, func(t Timing) []string { return []string{t.Case, t.Task} })
}

func (p *page) kernels() {
	timings := p.r.find(func(t Timing) bool { return t.Table == KernelTable })
	if len(timings) == 0 {
		return
	}
	p.heading("Calls of the System API")
	p.matrix(timings, []string{"call", "graph", "vertices", "edges", "heads×width"}, func(t Timing) []string {
		return []string{t.Case, t.Task, fmt.Sprint(t.Vertices), fmt.Sprint(t.Edges), fmt.Sprintf("%d×%d", t.Heads, t.Width)}
	})
}

func (p *page) memory() {
	if len(p.r.Memory) == 0 {
		return
	}
	p.heading("Memory")
	p.line("Of a training step, in a process of its own. *Parameters* are values, gradients and Adam's state; *activations* live from the forward to the backward pass; *workspace* is the rest of the peak. " +
		"*Resident* is what the process has beyond an empty one at most, *step* by how much a step raises it: all that is known of peers. Tensors below 4 KiB are not counted.\n")
	var rows [][]string
	for _, m := range p.r.Memory {
		row := []string{m.Model, m.Task, m.System}
		if m.Status != "" {
			row = append(row, m.Status, "", "", "", "", "", "", "", "")
		} else {
			for _, b := range []int64{m.Graph, m.Features, m.Parameters, m.Activations, m.Workspace, m.Live, m.Peak, m.Resident, m.StepGrowth} {
				row = append(row, megabytes(b))
			}
		}
		rows = append(rows, row)
	}
	p.table([]string{"model", "task", "system, MB", "graph", "features", "parameters", "activations", "workspace", "live", "peak", "resident", "step"}, rows)
	p.picture("memory")
}

func megabytes(bytes int64) string {
	if bytes < 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", float64(bytes)/1e6)
}

func (p *page) scaling() {
	type section struct {
		table, title string
		head         []string
		key          func(t Timing) []string
	}
	edges := func(t Timing) []string { return []string{t.Case, fmt.Sprint(t.Edges)} }
	first := true
	for _, s := range []section{
		{EdgesTable, "A call, by edges", []string{"call", "edges"}, edges},
		{WidthsTable, "A call, by width", []string{"call", "width"}, func(t Timing) []string { return []string{t.Case, fmt.Sprint(t.Width)} }},
		{StepEdgeTable, "A training step, by edges", []string{"model", "edges"}, edges},
	} {
		timings := p.r.find(func(t Timing) bool { return t.Table == s.table })
		if len(timings) == 0 {
			continue
		}
		if first {
			p.heading("Scaling")
			p.line("R-MAT graphs.\n")
			first = false
		}
		p.line("### %s\n", s.title)
		p.picture(s.table)
		p.matrix(timings, s.head, s.key)
	}
}
