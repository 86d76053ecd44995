package explain

// The part of the page that shows a plan.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func (r *Report) planPage(n namedPlan, keys *keys) planView {
	p := n.plan
	view := planView{Name: n.name, Sizes: sizesText(r.Sizes)}
	costs := Cost(p, r.Sizes)
	for _, c := range append(slices.Clone(costs), Sum(costs)) {
		row := costView{
			What: c.What, Flops: digits(c.Flops), Transcendental: digits(c.Transcendental), Read: digits(c.Read()), Gathered: digits(c.Gathered),
			Least: digits(c.Distinct), Written: digits(c.Written), Intensity: fmt.Sprintf("%.2f", c.Intensity()),
		}
		if c.Step >= 0 {
			row.Step = fmt.Sprint(c.Step)
		}
		view.Costs = append(view.Costs, row)
	}
	of := keys.of(p.Program)
	link := linker("p"+n.name[:1], p.Program)
	given := stepView{Title: "computed by no step: inputs, constants, and rows seen otherwise"}
	for _, v := range p.Program.Values {
		if v.Op == ir.OpInput || v.Op == ir.OpConst || v.Op.Info().Class == ir.Alias || plan.Row(v) != v {
			given.Lines = append(given.Lines, valueLine(0, "", v, of, link))
		}
	}
	view.Steps = append(view.Steps, given)
	met := make(map[*ir.Value]bool)
	for i, step := range p.Steps {
		s := stepView{Title: fmt.Sprintf("step %d: %s", i, costs[i].What)}
		s.Cost = fmt.Sprintf("%s flops, %s B read, %s B written", digits(costs[i].Flops), digits(costs[i].Read()), digits(costs[i].Written))
		for _, l := range stepLines(step) {
			line := lineView{Indent: l.indent, Text: l.text}
			if l.value != nil {
				line = valueLine(l.indent, l.text, l.value, of, link)
				if met[l.value] { // in several loops: links lead to the first
					line.Value.Anchor = ""
				}
				met[l.value] = true
			}
			s.Lines = append(s.Lines, line)
		}
		view.Steps = append(view.Steps, s)
	}
	for _, d := range p.Decisions {
		view.Rules = append(view.Rules, decisionView{Text: clean(d.String()), Link: link(d.Value)})
	}
	r.buffers(&view, p)
	return view
}

// buffers lists the buffers of a plan; a tensor that is read from both sides
// counts once.
func (r *Report) buffers(view *planView, p *plan.Plan) {
	var total int64
	counted := make(map[string]bool)
	for _, b := range p.Buffers {
		row := bufferView{
			Index: b.Index, Role: b.Role.String(), Name: oneLine(b.Name), Res: b.Res.String(), Type: fmt.Sprintf("%v%v", b.Type, b.Shape),
			Reason: clean(b.Reason),
		}
		if b.Role != plan.Input {
			row.Slot = fmt.Sprint(b.Slot)
			row.Steps = fmt.Sprintf("%d–", b.First)
			if b.Last < len(p.Steps) {
				row.Steps += fmt.Sprint(b.Last)
			}
		}
		bytes := b.Bytes(r.Sizes)
		if t := tensor(p, b); counted[t] {
			bytes, row.Reason = 0, "the same tensor, read from the other side"
		} else {
			counted[t] = true
		}
		total += bytes
		row.Bytes = digits(bytes)
		view.Buffers = append(view.Buffers, row)
	}
	view.Bytes, view.Peak = digits(total), digits(p.Peak(r.Sizes))
}

func valueLine(indent int, text string, v *ir.Value, keys map[*ir.Value]int, link func(*ir.Value) string) lineView {
	view := newValueView(v, keys, link)
	return lineView{Indent: indent, Text: text, Value: &view}
}

// stepLine is a line of a step: what happens, and the value it happens to.
type stepLine struct {
	indent int
	text   string
	value  *ir.Value
}

// stepLines is a step as Plan.String prints it.
func stepLines(step plan.Step) []stepLine {
	var lines []stepLine
	switch s := step.(type) {
	case *plan.Product:
		lines = []stepLine{{0, fmt.Sprintf("buffers %d, %d → %d", s.A.Index, s.B.Index, s.Out.Index), s.Value}}
	case *plan.Total:
		lines = []stepLine{{0, fmt.Sprintf("buffer %d → %d", s.In.Index, s.Out.Index), s.Value}}
	case *plan.Kernel:
		values := func(indent int, what string, vs []*ir.Value) {
			for _, v := range vs {
				lines = append(lines, stepLine{indent, what, v})
			}
		}
		rest := func(indent int, sums []plan.Sum, stores []plan.Store) {
			for _, t := range sums {
				lines = append(lines, stepLine{indent, fmt.Sprintf("sum all → buffer %d", t.Out.Index), t.Value})
			}
			for _, t := range stores {
				lines = append(lines, stepLine{indent, fmt.Sprintf("store %%%d → buffer %d", t.Value.ID, t.Buffer.Index), nil})
			}
		}
		values(0, "pre", s.Pre)
		for _, lp := range s.Loops {
			lines = append(lines, stepLine{0, fmt.Sprintf("for each %v-edge", ir.Over(s.Rows)), nil})
			values(1, "edge", lp.Edge)
			values(1, "reduce", lp.Reduce)
			rest(1, lp.Totals, lp.Stores)
			values(0, "post", lp.Post)
		}
		rest(0, s.Totals, s.Stores)
	}
	return lines
}

// Pad is the space in front of an indented line.
func (l lineView) Pad() string { return strings.Repeat("    ", l.Indent) }
