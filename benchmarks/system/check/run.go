package check

// All calls of a system.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// Options are how thorough a check is. The zero value is a full one.
type Options struct {
	Quick bool          // fewer widths and heads
	Seed  uint64        // of graphs, operands and parameters
	Kinds []system.Kind // the calls to check, nil for all; a model makes what it needs
}

func (o Options) widths() []int {
	if o.Quick {
		return []int{1, 3, 8, 33}
	}
	return []int{1, 2, 3, 7, 8, 16, 33, 64, 65}
}

func (o Options) heads(g *graph) []int {
	switch {
	case o.Quick && len(g.src) > 500: // one head is enough to see what many edges do
		return []int{1}
	case o.Quick:
		return []int{1, 3}
	}
	return []int{1, 3, 8}
}

// Limits of effort for what is wrong anyway.
const (
	diagnosesPerGraph = 4 // of a call with its flags
	failedCalls       = 6 // errors and panics of a call with its flags before it is left alone
)

// A call is a kind with its flags.
type call struct {
	kind  system.Kind
	flags system.Flags
}

func (c call) String() string { return callName(c.kind, c.flags) }

// calls returns all those to check.
func (o Options) calls() []call {
	var list []call
	for kind := range system.NumKinds {
		if o.Kinds != nil && !slices.Contains(o.Kinds, kind) {
			continue
		}
		for _, f := range kind.Flags() {
			list = append(list, call{kind, f})
		}
	}
	return list
}

// A runner is a check under way.
type runner struct {
	o      Options
	device *tensor.Device
	report Report
	graphs []*graph
	opened map[*graph]system.Graph
	trials map[call][]trial
	broken map[call]int // errors and panics

	gradientCases map[string]int
}

// Run checks a system. The error is of the device that the system computes on; what is
// wrong with the system is in the report. It makes calls that fail if it must, so a
// system that may crash should run in another process (package plugin).
func Run(sys system.System, o Options) (report Report, err error) {
	r := &runner{
		o: o, device: sys.Device(), report: Report{Name: sys.Name()},
		graphs: graphs(rng.Fold(o.Seed, 1)), opened: make(map[*graph]system.Graph),
		trials: make(map[call][]trial), broken: make(map[call]int),
		gradientCases: make(map[string]int),
	}
	defer func() {
		r.close()
		report = r.report
	}()
	err = autograd.Try(func() {
		r.open(sys)
		r.forward()
		blame := r.explain()
		if r.report.Has(OutOfBounds) {
			r.note("gradients were not computed, since their tensors have no guard zones")
			return
		}
		r.backward(blame)
	})
	return r.report, err
}

func (r *runner) note(format string, args ...any) {
	r.report.Notes = append(r.report.Notes, fmt.Sprintf(format, args...))
}

func (r *runner) found(f Finding) { r.report.Findings = append(r.report.Findings, f) }

// open has the system store all graphs, so that they are there side by side. The slices
// it gets are overwritten when it is done with them.
func (r *runner) open(sys system.System) {
	for _, g := range r.graphs {
		src, dst := slices.Clone(g.src), slices.Clone(g.dst)
		var stored system.Graph
		err, _ := protected(func() (err error) {
			stored, err = sys.NewGraph(g.vertices, src, dst)
			return err
		})
		where := fmt.Sprintf("graph %q (%d vertices, %d edges)", g.name, g.vertices, len(g.src))
		if err != nil || stored == nil {
			r.found(Finding{NoGraph, "NewGraph", 1, 1, fmt.Sprintf("%s: %v", where, err)})
			continue
		}
		if !slices.Equal(src, g.src) || !slices.Equal(dst, g.dst) {
			r.found(Finding{SlicesChanged, "NewGraph", 1, 1, where})
		}
		other := g.scrambled()
		copy(src, other.src)
		copy(dst, other.dst)
		r.opened[g] = stored
	}
}

func (r *runner) close() {
	for _, g := range r.graphs {
		if stored := r.opened[g]; stored != nil {
			if err, _ := protected(stored.Close); err != nil {
				r.found(Finding{CallFails, "Close", 1, 1, err.Error()})
			}
		}
	}
}

// forward makes all calls.
func (r *runner) forward() {
	for i, g := range r.graphs {
		if r.opened[g] == nil {
			continue
		}
		for _, heads := range r.o.heads(g) {
			for _, width := range r.o.widths() {
				seed := rng.Fold(r.o.Seed, uint64(i), uint64(heads), uint64(width))
				r.sized(g, heads, width, seed, false)
			}
		}
		if g.name == "self-loops" {
			r.sized(g, 2, 3, rng.Fold(r.o.Seed, uint64(i)), true)
		}
	}
}

// sized makes all calls of one size on one graph, with special values perhaps.
func (r *runner) sized(g *graph, heads, width int, seed uint64, special bool) {
	for _, c := range r.o.calls() {
		for _, wWidth := range wWidths(c.kind, c.flags, width) {
			if r.broken[c] >= failedCalls {
				continue
			}
			p := newProblem(g, c.kind, c.flags, sizes{heads, width, wWidth}, seed)
			if special {
				p.makeSpecial()
			}
			t := p.judge(r.opened[g], r.device, !special && r.diagnosed(c, g) < diagnosesPerGraph)
			t.special = special
			if t.failed && (t.is(CallFails) || t.is(CallPanics)) {
				r.broken[c]++
			}
			if !t.unsupported {
				r.report.Cases++
			}
			r.trials[c] = append(r.trials[c], t)
		}
	}
}

// diagnosed counts the failures of a call on a graph that were explained.
func (r *runner) diagnosed(c call, g *graph) int {
	n := 0
	for _, t := range r.trials[c] {
		if t.graph == g && len(t.explanations) > 0 {
			n++
		}
	}
	return n
}

// makeSpecial puts NaN, ±Inf and 0 among the operands.
func (p *problem) makeSpecial() {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	put := func(values []float32, row, width, at int, v float32) {
		if values != nil {
			values[row*p.heads*width+at%(p.heads*width)] = v
		}
	}
	put(p.x, 1, p.width, 0, nan)
	put(p.x, 2, p.width, 1, inf)
	put(p.x, 4, p.width, 2, -inf)
	put(p.x, 6, p.width, 3, 0)
	put(p.y, 0, p.width, 3, nan)
	put(p.y, 3, p.width, 1, inf)
	put(p.y, 5, p.width, 4, 0)
	put(p.w, 2, p.wWidth, 1, 0)
	put(p.w, 5, p.wWidth, 2, inf)
	put(p.w, 9, p.wWidth, 0, nan)
	put(p.w, 11, p.wWidth, 1, 0)
}
