package report

// What the numbers mean: medians and spread, shares, warnings.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

// Median is that of the rounds; NaN of none.
func (t Timing) Median() float64 { return harness.Median(t.Seconds) }

// Quartiles are the medians of the lower and the upper half of the rounds.
func (t Timing) Quartiles() (low, high float64) {
	s := slices.Sorted(slices.Values(t.Seconds))
	half := (len(s) + 1) / 2
	return harness.Median(s[:half]), harness.Median(s[len(s)-half:])
}

// find returns the timings that match, in the order they were taken.
func (r *Results) find(match func(t Timing) bool) (found []Timing) {
	for _, t := range r.Timings {
		if match(t) {
			found = append(found, t)
		}
	}
	return found
}

// of returns the timing of a system's variant of a step, nil if there is none with
// numbers.
func (r *Results) step(model, task, system, variant string) *Timing {
	for i, t := range r.Timings {
		if t.Table == StepTable && t.Case == model && t.System == system && t.Variant == variant && len(t.Seconds) > 0 &&
			(variant == Shrunk || t.Task == task) {
			return &r.Timings[i]
		}
	}
	return nil
}

// An Overhead is how much of a system's step is not the work itself.
type Overhead struct {
	Model, Task, System string
	Step                float64 // seconds
	NullKernels         float64 // NaN: not measured
	NullDevice          float64
	Shrunk              float64
}

// Framework is what the framework takes of a step: the shrunk step, which every system
// and peer has, or the step on the null device, if that is longer.
func (o Overhead) Framework() float64 {
	if o.NullDevice > o.Shrunk {
		return o.NullDevice
	}
	return o.Shrunk
}

// Share is the part of the step that the framework takes.
func (o Overhead) Share() float64 { return o.Framework() / o.Step }

// nullName is the system whose calls return at once, which stands for all.
const nullName = "null"

// Overheads are those of all steps, in the order they were taken.
func (r *Results) Overheads() (list []Overhead) {
	for _, t := range r.find(func(t Timing) bool { return t.Table == StepTable && t.Variant == Real && len(t.Seconds) > 0 }) {
		variant := func(v string) float64 {
			if found := r.step(t.Case, t.Task, t.System, v); found != nil {
				return found.Median()
			}
			return math.NaN()
		}
		o := Overhead{t.Case, t.Task, t.System, t.Median(), math.NaN(), variant(NullDevice), variant(Shrunk)}
		if null := r.step(t.Case, t.Task, nullName, NullKernels); null != nil && r.kind(t.System) == SystemAPI {
			o.NullKernels = null.Median()
		}
		if !math.IsNaN(o.Shrunk) {
			list = append(list, o)
		}
	}
	return list
}

// tooMuch is the share of overhead from which a step is too small to tell kernels
// apart.
const tooMuch = 0.2

// Warnings are what a reader has to know before comparing numbers.
func (r *Results) Warnings() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, n := range r.Notes {
		add("%s", n)
	}
	if r.Quick {
		add("a quick run: few rounds, short samples, small graphs")
	}
	for _, o := range r.Overheads() {
		if share := o.Share(); share > tooMuch {
			add("too small to compare kernels: overhead is %s of %s's step of %s on %s", percent(share), o.System, o.Model, o.Task)
		}
	}
	list = append(list, r.smallCalls()...)
	disturbed := map[string]int{}
	for _, t := range r.Timings {
		if t.Disturbed {
			disturbed[t.Table]++
		}
	}
	for _, table := range sortedKeys(disturbed) {
		add("%d timings of %s were taken while other processes kept the machine busy", disturbed[table], table)
	}
	for _, s := range r.Systems {
		if s.Wrong() {
			add("%s computes something else and is not timed: %s", s.Name, s.Findings[0])
		}
	}
	return list
}

// smallCalls are warnings of calls that take much of their time on two vertices, too.
func (r *Results) smallCalls() (list []string) {
	type row struct{ call, system string }
	type place struct{ task, system string }
	overhead := map[string]map[row]float64{} // by heads and width
	size := func(t Timing) string { return fmt.Sprint(t.Heads, t.Width) }
	calls := r.find(func(t Timing) bool { return t.Table == KernelTable && len(t.Seconds) > 0 })
	for _, t := range calls {
		if t.Task == ShrunkTask {
			if overhead[size(t)] == nil {
				overhead[size(t)] = map[row]float64{}
			}
			overhead[size(t)][row{t.Case, t.System}] = t.Median()
		}
	}
	var places []place
	small, all := map[place]int{}, map[place]int{}
	for _, t := range calls {
		own, known := overhead[size(t)][row{t.Case, t.System}]
		if t.Task == ShrunkTask || !known {
			continue
		}
		at := place{t.Task, t.System}
		if all[at]++; own > tooMuch*t.Median() {
			if small[at]++; small[at] == 1 {
				places = append(places, at)
			}
		}
	}
	for _, at := range places {
		list = append(list, fmt.Sprintf("too small to compare calls: %d of %d of %s on %s take a fifth of their time on two vertices, too", small[at], all[at], at.system, at.task))
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cmp.Compare[string])
	return keys
}

// A Verdict is a target and whether it is met.
type Verdict struct {
	Target string
	Value  string
	Met    bool
}

// overheadLimit is how much of a step of GCN on Cora our overhead may be.
const overheadLimit = 0.05

// Verdicts are the targets that this run can judge.
func (r *Results) Verdicts() (list []Verdict) {
	list = append(r.overheadVerdicts(), r.accuracyVerdicts()...)
	if len(r.Planted) > 0 {
		caught := 0
		for _, p := range r.Planted {
			if p.Caught {
				caught++
			}
		}
		list = append(list, Verdict{"every planted pitfall is caught and named", fmt.Sprintf("%d of %d", caught, len(r.Planted)), caught == len(r.Planted)})
	}
	return list
}

// accuracyVerdicts compares the accuracies of all with ours, of each model and task. One
// seed of a peer, which drops out by other random numbers, has no spread to compare.
func (r *Results) accuracyVerdicts() (list []Verdict) {
	for _, ours := range r.Accuracy {
		if ours.System != r.ours() || len(ours.Test) == 0 {
			continue
		}
		equal, all, other := 0, 0, ""
		for _, a := range r.Accuracy {
			if a.Model != ours.Model || a.Task != ours.Task || a.System == ours.System || len(a.Test) == 0 || r.kind(a.System) == Peer && len(a.Test) == 1 {
				continue
			}
			if all++; len(check.Accuracy(a.Test, check.SampleOf(ours.Test))) == 0 {
				equal++
			} else {
				other += ", not " + a.System
			}
		}
		if all > 0 {
			list = append(list, Verdict{
				fmt.Sprintf("accuracy of %s on %s is ours within its spread", ours.Model, ours.Task),
				fmt.Sprintf("%d of %d%s", equal, all, other), equal == all,
			})
		}
	}
	return list
}

// ours is the name of our programs on the CPU, "" if they do not take part.
func (r *Results) ours() string {
	for _, s := range r.Systems {
		if s.Kind == Ours {
			return s.Name
		}
	}
	return ""
}

func (r *Results) overheadVerdicts() (list []Verdict) {
	const model, task = "gcn", "cora"
	var ours *Overhead
	overheads := r.Overheads()
	for i, o := range overheads {
		if o.System == r.ours() && o.Model == model && o.Task == task {
			ours = &overheads[i]
		}
	}
	if ours == nil {
		return nil
	}
	value := percent(ours.Share()) + " of " + harness.Seconds(ours.Step) + ", the larger of shrunk and null device"
	list = append(list, Verdict{
		"our overhead is below " + percent(overheadLimit) + " of a training step of GCN on Cora", value, ours.Share() < overheadLimit,
	})
	for _, o := range overheads {
		if r.kind(o.System) == Peer && o.Model == model && o.Task == task {
			list = append(list, Verdict{
				"our overhead is below that of " + o.System,
				harness.Seconds(ours.Framework()) + " and " + harness.Seconds(o.Framework()), ours.Framework() < o.Framework(),
			})
		}
	}
	return list
}

// kind is that of a system by its name.
func (r *Results) kind(name string) string {
	for _, s := range r.Systems {
		if s.Name == name {
			return s.Kind
		}
	}
	return ""
}

func percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
