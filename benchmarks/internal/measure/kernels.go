package measure

// The calls of the System API, alone and by size.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/tensor"
)

// A form of a call that models make.
type call struct {
	kind  system.Kind
	flags system.Flags
	heads int  // of the width together
	thin  bool // w has one number a head
}

// headsOf is how many heads attention has.
const headsOf = 4

// calls are those of GCN, GIN and GAT, forward and backward.
var calls = []call{
	{system.SpMMv, system.Flags{}, 1, false},
	{system.SpMMv, system.Flags{Norm: system.NormBoth}, 1, false},
	{system.SpMMv, system.Flags{Norm: system.NormBoth, Transpose: true}, 1, false},
	{system.SpMMve, system.Flags{Op: system.OpMul}, headsOf, true},
	{system.SpMMve, system.Flags{Op: system.OpMul, Transpose: true}, headsOf, true},
	{system.SpMMe, system.Flags{Reduce: system.Max}, 1, false},
	{system.SDDMMvv, system.Flags{Op: system.OpDot}, headsOf, false},
	{system.SDDMMve, system.Flags{Op: system.OpMul}, headsOf, false},
}

// scaledCalls are those that scaling is shown with.
var scaledCalls = []call{calls[1], calls[3]}

// String names the call and those of its flags that it has: "SpMMv(sum, both)".
func (c call) String() string {
	flags := strings.Split(c.flags.String(), ", ") // operator, reduction, and the others
	switch c.kind {
	case system.SpMMv, system.SpMMe:
		flags = flags[1:]
	case system.SDDMMvv, system.SDDMMve:
		flags = slices.Delete(flags, 1, 2)
	}
	return fmt.Sprintf("%v(%s)", c.kind, strings.Join(flags, ", "))
}

// on makes the call's operands for a graph of sizes.
func (c call) on(vertices, edges, width int, d *tensor.Device) system.Call {
	wide := width / c.heads
	numbers := func(seed uint64, rows, width int) *tensor.Tensor {
		return harness.Numbers(seed, rows, c.heads, width).ToDevice(d)
	}
	made := system.Call{Kind: c.kind, Flags: c.flags}
	switch c.kind {
	case system.SpMMv:
		made.X = numbers(1, vertices, wide)
	case system.SpMMve, system.SDDMMve:
		made.X, made.W = numbers(1, vertices, wide), numbers(2, edges, wide)
		if c.thin {
			made.W = numbers(2, edges, 1)
		}
	case system.SpMMe:
		made.W = numbers(2, edges, wide)
	case system.SDDMMvv:
		made.X, made.Y = numbers(1, vertices, wide), numbers(3, vertices, wide)
	}
	made.Out = tensor.ZerosOn(d, tensor.Float32, made.Shape(vertices, edges)...)
	return made
}

// kernels times all calls of all systems on the plan's graphs.
func (b *Bench) kernels() error {
	for _, spec := range b.Plan.KernelGraphs {
		t, err := b.task(spec)
		if err != nil {
			return err
		}
		b.log("  calls on %s", t.Name)
		for _, width := range b.Plan.KernelWidths {
			if err := b.callsOn(report.KernelTable, t, width, calls); err != nil {
				return err
			}
		}
	}
	return nil
}

// scaling times some calls over edges and over widths, and the step of GCN over edges.
func (b *Bench) scaling() error {
	edges, widths := b.Plan.ScaleEdges, b.Plan.ScaleWidths
	for _, n := range edges {
		if err := b.scaled(report.EdgesTable, n, widths[len(widths)/2]); err != nil {
			return err
		}
	}
	for _, w := range widths {
		if err := b.scaled(report.WidthsTable, edges[len(edges)/2], w); err != nil {
			return err
		}
	}
	for _, n := range b.Plan.StepEdges {
		b.log("  step of gcn on %d edges", n)
		c := workflow.Default(workflow.GCN)
		t, err := b.task(rmat(n, c.Hidden))
		if err != nil {
			return err
		}
		var lanes []*lane
		for _, e := range b.entrants {
			lanes = append(lanes, b.stepLane(report.StepEdgeTable, e, c, t, report.Real))
			lanes[len(lanes)-1].timing.Edges = n // loops are not what grows
		}
		if err := b.contest(lanes); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bench) scaled(table string, edges, width int) error {
	b.log("  %s: %d edges, width %d", table, edges, width)
	t, err := b.task(rmat(edges, 1))
	if err != nil {
		return err
	}
	return b.callsOn(table, t, width, scaledCalls)
}

// callsOn times calls of all systems on one graph, one contest a call.
func (b *Bench) callsOn(table string, t *workflow.Task, width int, calls []call) (err error) {
	src, dst, n := t.Graph.Src(), t.Graph.Dst(), t.Graph.NumVertices()
	graphs := map[*entrant]system.Graph{}
	defer func() {
		for _, g := range graphs {
			if failed := g.Close(); err == nil {
				err = failed
			}
		}
	}()
	failed := map[*entrant]error{}
	for _, e := range b.entrants {
		if e.system == nil {
			continue
		}
		g, err := e.system.NewGraph(n, src, dst)
		if err != nil {
			failed[e] = err
			continue
		}
		graphs[e] = g
	}
	for _, c := range calls {
		var lanes []*lane
		for _, e := range b.entrants {
			if e.system == nil {
				continue
			}
			l := &lane{timing: report.Timing{
				Table: table, Case: c.String(), Task: t.Name, Vertices: n, Edges: len(src),
				Heads: c.heads, Width: width / c.heads, System: e.name,
			}}
			if table == report.WidthsTable {
				l.timing.Heads, l.timing.Width = 1, width
			}
			if err := failed[e]; err != nil {
				l.fail(err)
			} else {
				l.Contender = callContender(e, graphs[e], c.on(n, len(src), width, e.device))
			}
			lanes = append(lanes, l)
		}
		if err := b.contest(lanes); err != nil {
			return err
		}
	}
	return nil
}

func callContender(e *entrant, g system.Graph, c system.Call) harness.Contender {
	return harness.Contender{Run: func(reps int) (time.Duration, error) {
		start := time.Now()
		for range reps {
			if err := c.On(g); err != nil {
				return 0, err
			}
		}
		err := e.device.Synchronize()
		return time.Since(start), err
	}}
}
