package explain

// The report as one self-contained page: page.html, and what it is filled with.

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML writes the report as one page that needs nothing else: a column a stage,
// the plans, their predicted costs, their buffers, and kernel source. A click on
// a value marks the same computation in every column, and what reads it; without
// JavaScript operands are links. Nothing is written if the page cannot be made.
func (r *Report) HTML(w io.Writer) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, r.page()); err != nil {
		return fmt.Errorf("explain: page of %s: %w", r.Name, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

type page struct {
	Name, Signature, Compiled string
	Rules                     []ruleView
	Columns                   []*columnView
	Plans                     []planView
	Sources                   []sourceView
}

type ruleView struct {
	Name  string
	Times int
}

type sourceView struct{ Name, Text string }

// columnView is one stage.
type columnView struct {
	Name, Program string
	Same          bool // nothing changed: shown folded
	Values        []valueView
	Outputs       []outputView

	keys map[*ir.Value]int
}

// valueView is a line of a program or of a kernel.
type valueView struct {
	Anchor    string // empty if no link leads here
	Key       string // equal in all stages for the same computation
	Reads     string // keys of the operands, each between spaces
	ID        string
	Res       string
	Type      string
	Op        string
	Args      []argView
	Attrs     string
	Pos       string
	New, Gone bool // not in the stage before; in no stage after
}

type argView struct{ ID, Link string }

type outputView struct {
	Name string
	Arg  argView
	Key  string
}

type planView struct {
	Name    string
	Sizes   string
	Costs   []costView
	Steps   []stepView
	Rules   []decisionView // which planning rules applied, and why
	Buffers []bufferView
	Bytes   string // of all buffers
	Peak    string // of the slots that a run allocates
}

type decisionView struct{ Text, Link string }

type costView struct {
	Step, What, Flops, Transcendental, Read, Gathered, Least, Written, Intensity string
}

// stepView is a step as indented lines.
type stepView struct {
	Title string
	Cost  string
	Lines []lineView
}

type lineView struct {
	Indent int
	Text   string
	Value  *valueView // after Text; nil if there is none
}

type bufferView struct {
	Index                                             int
	Role, Name, Res, Type, Slot, Steps, Bytes, Reason string
}

func (r *Report) page() *page {
	p := &page{Name: oneLine(r.Name), Signature: clean(r.Signature)}
	if r.CompileTime > 0 {
		p.Compiled = r.CompileTime.String()
	}
	for _, name := range slices.Sorted(maps.Keys(r.Rules)) {
		p.Rules = append(p.Rules, ruleView{oneLine(name), r.Rules[name]})
	}
	keys := newKeys()
	p.Columns = r.columns(keys)
	for _, n := range r.plans() {
		p.Plans = append(p.Plans, r.planPage(n, keys))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Source)) {
		p.Sources = append(p.Sources, sourceView{oneLine(name), clean(r.Source[name])})
	}
	return p
}

// columns lays out the stages and says what is new in each, and what is gone
// after it.
func (r *Report) columns(keys *keys) []*columnView {
	before := predecessors(r.Stages)
	columns := make([]*columnView, len(r.Stages))
	has := make([]map[int]bool, len(r.Stages))
	for i, s := range r.Stages {
		c := &columnView{Name: stageName(i, s), Program: oneLine(s.Program.Name), keys: keys.of(s.Program)}
		c.Same = before[i] >= 0 && s.Program.String() == r.Stages[before[i]].Program.String()
		columns[i], has[i] = c, make(map[int]bool)
		for _, key := range c.keys {
			has[i][key] = true
		}
	}
	// What the stages made from one still have; nil if there are none. A stage
	// that changed nothing is folded, so the one before it shows what goes after.
	after := make([]map[int]bool, len(r.Stages))
	for i := len(columns) - 1; i >= 0; i-- {
		j := before[i]
		if j < 0 || columns[i].Same && after[i] == nil {
			continue
		}
		if after[j] == nil {
			after[j] = make(map[int]bool)
		}
		if columns[i].Same {
			maps.Copy(after[j], after[i])
		} else {
			maps.Copy(after[j], has[i])
		}
	}
	for i, s := range r.Stages {
		c := columns[i]
		link := linker(fmt.Sprintf("s%d", i), s.Program)
		for _, v := range s.Program.Values {
			key := c.keys[v]
			line := newValueView(v, c.keys, link)
			line.New = before[i] >= 0 && !has[before[i]][key]
			line.Gone = after[i] != nil && !after[i][key]
			c.Values = append(c.Values, line)
		}
		for _, o := range s.Program.Outputs {
			c.Outputs = append(c.Outputs, outputView{
				Name: oneLine(o.Name), Arg: argView{fmt.Sprintf("%%%d", o.Value.ID), link(o.Value)}, Key: fmt.Sprint(c.keys[o.Value]),
			})
		}
	}
	return columns
}

// linker gives each value of a program an anchor of its own on the page.
func linker(prefix string, p *ir.Program) func(*ir.Value) string {
	at := make(map[*ir.Value]string, len(p.Values))
	for i, v := range p.Values {
		at[v] = fmt.Sprintf("%sv%d", prefix, i)
	}
	return func(v *ir.Value) string { return at[v] }
}

func newValueView(v *ir.Value, keys map[*ir.Value]int, link func(*ir.Value) string) valueView {
	view := valueView{
		Anchor: link(v), Key: fmt.Sprint(keys[v]), ID: fmt.Sprintf("%%%d", v.ID), Res: v.Res.String(),
		Type: fmt.Sprintf("%v%v", v.Type, v.Shape), Op: v.Op.String(), Attrs: v.AttrString(), Pos: oneLine(v.Pos),
	}
	for _, a := range v.Args {
		view.Args = append(view.Args, argView{fmt.Sprintf("%%%d", a.ID), link(a)})
		view.Reads += fmt.Sprintf(" %d ", keys[a])
	}
	return view
}
