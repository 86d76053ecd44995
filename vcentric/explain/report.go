package explain

// What a report holds, and its text for a terminal.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Report is how one program was compiled for one signature. Whatever is not
// known may be left out.
type Report struct {
	Name        string
	Signature   string            // what it was compiled for, in words
	Stages      []pass.Stage      // the program as traced, and as each step of the pipeline left it
	Rules       pass.Log          // the rewrite rules that fired, and how often
	Forward     *plan.Plan        // nil if there is none
	Backward    *plan.Plan        // nil if nothing needs a gradient
	Sizes       plan.Sizes        // of the graph that bytes and flops are predicted for
	Source      map[string]string // kernel source by the kernel's name; may be empty
	CompileTime time.Duration     // 0 if not measured
}

// namedPlan is a plan with its part in training.
type namedPlan struct {
	name string
	plan *plan.Plan
}

func (r *Report) plans() []namedPlan {
	var all []namedPlan
	for _, p := range []namedPlan{{"forward", r.Forward}, {"backward", r.Backward}} {
		if p.plan != nil {
			all = append(all, p)
		}
	}
	return all
}

// String is the whole report as text, for a terminal.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %s\n", clean(r.Name))
	if r.Signature != "" {
		fmt.Fprintf(&b, "compiled for %s\n", clean(r.Signature))
	}
	if r.CompileTime > 0 {
		fmt.Fprintf(&b, "compiled in %v\n", r.CompileTime)
	}
	if len(r.Rules) > 0 {
		b.WriteString("\nrules fired\n")
		for _, name := range slices.Sorted(maps.Keys(r.Rules)) {
			fmt.Fprintf(&b, "%6d  %s\n", r.Rules[name], oneLine(name))
		}
	}
	before := predecessors(r.Stages)
	for i, s := range r.Stages {
		fmt.Fprintf(&b, "\n== %s\n", stageName(i, s))
		if text := s.Program.String(); before[i] >= 0 && text == r.Stages[before[i]].Program.String() {
			fmt.Fprintf(&b, "as after %s\n", stageName(before[i], r.Stages[before[i]]))
		} else {
			b.WriteString(stageText(s.Program))
		}
	}
	for _, p := range r.plans() {
		fmt.Fprintf(&b, "\n== plan %s\n%v", p.name, clean(r.planText(p.plan)))
	}
	b.WriteString(r.sourceText())
	return b.String()
}

// sourceText is the source of every kernel under its name.
func (r *Report) sourceText() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Source)) {
		fmt.Fprintf(&b, "\n== source %s\n%s\n", oneLine(name), strings.TrimRight(clean(r.Source[name]), "\n"))
	}
	return b.String()
}

// stageName is the stage's number and name: 03 dense.
func stageName(i int, s pass.Stage) string { return fmt.Sprintf("%02d %s", i, clean(s.Name)) }

// stageText is the program with the source line of each value as a comment;
// ir.Parse reads it.
func stageText(p *ir.Program) string {
	lines := strings.Split(p.String(), "\n")
	width := 0
	for i, v := range p.Values {
		if v.Pos != "" {
			width = max(width, len(lines[i+1]))
		}
	}
	for i, v := range p.Values { // the first line names the program
		if v.Pos != "" {
			lines[i+1] = fmt.Sprintf("%-*s  # %s", width, lines[i+1], oneLine(v.Pos))
		}
	}
	return strings.Join(lines, "\n")
}

// planText is a plan, what its steps are predicted to cost, and its buffers.
func (r *Report) planText(p *plan.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\npredicted for %s\n%s\nbuffers\n%s", p, sizesText(r.Sizes), costText(Cost(p, r.Sizes)), p.Report(r.Sizes))
	return b.String()
}

func sizesText(s plan.Sizes) string {
	text := fmt.Sprintf("%s sources, %s destinations and %s edges", digits(int64(s.NumSrc)), digits(int64(s.NumDst)), digits(int64(s.NumEdges)))
	if s.Types != (ir.Types{}) {
		text += fmt.Sprintf(" of %d, %d and %d types", s.Types.Src, s.Types.Dst, s.Types.Edge)
	}
	return text
}

// costText is a table of costs with their sum.
func costText(costs []StepCost) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "flops\ttranscendental\tbytes read\tof them gathered\tleast\twritten\tflops/byte\t  step\n")
	for _, c := range append(slices.Clone(costs), Sum(costs)) {
		what := c.What
		if c.Step >= 0 {
			what = fmt.Sprintf("%d: %s", c.Step, what)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t  %s\n", digits(c.Flops), digits(c.Transcendental), digits(c.Read()),
			digits(c.Gathered), digits(c.Distinct), digits(c.Written), c.Intensity(), what)
	}
	w.Flush()
	return b.String()
}

// predecessors returns, for each stage, the stage whose program it was made
// from, or -1: the last one of the same program, or, after a split into
// gat.forward and gat.backward, the last one of gat.
func predecessors(stages []pass.Stage) []int {
	before := make([]int, len(stages))
	last := make(map[string]int)
	for i, s := range stages {
		name := s.Program.Name
		before[i] = -1
		if j, ok := last[name]; ok {
			before[i] = j
		} else if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			if j, ok := last[name[:dot]]; ok {
				before[i] = j
			}
		}
		last[name] = i
	}
	return before
}

// digits prints a count in groups of three: 1,234,567.
func digits(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// clean makes foreign text safe to show: valid UTF-8 without control characters
// other than line ends and tabs.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 {
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// oneLine is clean without line ends.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }
