package vcentric

// What ASTERIAS_DEBUG prints of programs.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/explain"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// announce prints that a program was compiled, and how.
func (c *Compiled) announce(name string, signature func() string, took time.Duration) {
	if !debug.On(debug.Devices) {
		return
	}
	where := "the CPU, " + kern.ISA()
	if c.device != nil {
		where = c.device.String()
	}
	debug.Printf(debug.Devices, "%s: compiled for %s in %v: %v", name, where, took.Round(time.Microsecond), signature())
	plans := []*plan.Plan{c.Forward}
	if c.Backward != nil {
		plans = append(plans, c.Backward)
	}
	var rules []string
	for _, rule := range slices.Sorted(maps.Keys(c.Fired)) {
		rules = append(rules, fmt.Sprintf("%s %d", rule, c.Fired[rule]))
	}
	if rules == nil {
		rules = []string{"none"}
	}
	debug.Printf(debug.Decisions, "%s: rules that fired: %s", name, strings.Join(rules, ", "))
	for _, pl := range plans {
		debug.Printf(debug.Decisions, "%s", strings.TrimSpace(pl.String()))
		if c.device == nil { // a device prints its own
			for compiler, text := range cpu.Sources(pl) {
				debug.Printf(debug.Source, "%s, %s:\n%s", pl.Program.Name, compiler, text)
			}
		}
	}
}

// timedRun runs kernels and prints how long each step took; on a device, by its own clock.
func (r *run) timedRun(p *plan.Plan, k kernels, bufs []*tensor.Tensor) {
	steps, timed := make([]time.Duration, len(p.Steps)), false
	k.run(r.g, bufs, r.seed, func(step int, took time.Duration) { steps[step], timed = took, true })
	if !timed { // recorded by a device, to run later
		return
	}
	total := time.Duration(0)
	var b strings.Builder
	for i, s := range p.Steps {
		total += steps[i]
		fmt.Fprintf(&b, "\n  %10v  %d: %s", steps[i].Round(100*time.Nanosecond), i, explain.Describe(s))
	}
	where := "the CPU"
	if r.c.device != nil {
		where = r.c.device.String()
	}
	debug.Printf(debug.Times, "%s on %s, %d vertices, %d edges: %v%s", p.Program.Name, where, r.g.NumDst(), r.g.NumEdges(), total.Round(100*time.Nanosecond), b.String())
}
