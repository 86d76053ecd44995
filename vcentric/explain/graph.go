package explain

// Programs and plans as Graphviz graphs: dot -Tsvg graph.dot.

import (
	"fmt"
	"io"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Graph writes a stage of the report as Graphviz does. It panics with *ir.Error
// if there is no such stage.
func (r *Report) Graph(w io.Writer, stage int) error {
	if stage < 0 || stage >= len(r.Stages) {
		panic(&ir.Error{Op: "explain.Graph", Detail: fmt.Sprintf("stage %d of %d", stage, len(r.Stages))})
	}
	_, err := io.WriteString(w, Graphviz(r.Stages[stage].Program))
	return err
}

// Graphviz is a program as a graph in the DOT language: a node a value, with its
// op, residency and row shape, coloured by residency; an edge an operand.
func Graphviz(p *ir.Program) string {
	d := newDot(p.Name)
	at := make(map[*ir.Value]string, len(p.Values))
	for i, v := range p.Values {
		at[v] = fmt.Sprintf("v%d", i)
		d.value(at[v], v)
	}
	for _, v := range p.Values {
		for _, a := range v.Args {
			d.edge(at[a], at[v])
		}
	}
	for i, o := range p.Outputs {
		name := fmt.Sprintf("out%d", i)
		d.node(name, o.Name, "shape=oval")
		d.edge(at[o.Value], name)
	}
	return d.close()
}

// GraphvizPlan is a plan as a graph in the DOT language: a cluster a step, and
// in a kernel one a loop; the buffers, through which steps meet, stand outside.
func GraphvizPlan(p *plan.Plan) string {
	d := newDot(p.Program.Name)
	for _, b := range p.Buffers {
		label := fmt.Sprintf("buffer %d, %v\n%s\n%v %v%v", b.Index, b.Role, b.Name, b.Res, b.Type, b.Shape)
		d.node(bufferNode(b), label, "shape=cylinder, fillcolor="+quoteDot(colour(b.Res)))
	}
	for i, step := range p.Steps {
		s := &dotStep{dot: d, plan: p, prefix: fmt.Sprintf("s%d", i), at: make(map[*ir.Value]string)}
		d.open(s.prefix, fmt.Sprintf("step %d: %s", i, Describe(step)))
		switch step := step.(type) {
		case *plan.Product:
			s.whole(step.Value, step.Out, step.A, step.B)
		case *plan.Total:
			s.whole(step.Value, step.Out, step.In)
		case *plan.Kernel:
			s.kernel(step)
		}
		d.end()
		for _, e := range s.edges {
			d.edge(e[0], e[1])
		}
	}
	return d.close()
}

func bufferNode(b *plan.Buffer) string { return fmt.Sprintf("b%d", b.Index) }

// dotStep draws one step. Edges wait for the end of its cluster: a node belongs
// to the cluster in which it is first named.
type dotStep struct {
	*dot
	plan   *plan.Plan
	prefix string
	nodes  int
	at     map[*ir.Value]string // the node of each value computed so far
	edges  [][2]string
}

func (s *dotStep) fresh() string {
	s.nodes++
	return fmt.Sprintf("%sn%d", s.prefix, s.nodes)
}

func (s *dotStep) connect(from, to string) { s.edges = append(s.edges, [2]string{from, to}) }

func (s *dotStep) whole(v *ir.Value, out *plan.Buffer, in ...*plan.Buffer) {
	n := s.fresh()
	s.value(n, v)
	for _, b := range in {
		s.connect(bufferNode(b), n)
	}
	s.connect(n, bufferNode(out))
}

// compute draws v, with edges from what it reads.
func (s *dotStep) compute(v *ir.Value) string {
	n := s.fresh()
	s.value(n, v)
	for _, a := range v.Args {
		s.connect(s.operand(a), n)
	}
	return n
}

// operand is the node that a value is read from: where the step computed it, or
// else its buffer. A constant has a node for each reader.
func (s *dotStep) operand(a *ir.Value) string {
	a = plan.Row(a)
	if n, ok := s.at[a]; ok {
		return n
	}
	if b := s.plan.BufferOf(a); b != nil {
		return bufferNode(b)
	}
	n := s.fresh()
	s.value(n, a)
	return n
}

func (s *dotStep) kernel(k *plan.Kernel) {
	row := func(vs []*ir.Value) {
		for _, v := range vs {
			s.at[v] = s.compute(v)
		}
	}
	rest := func(sums []plan.Sum, stores []plan.Store) {
		for _, t := range sums {
			s.connect(s.compute(t.Value), bufferNode(t.Out))
		}
		for _, t := range stores {
			s.connect(s.operand(t.Value), bufferNode(t.Buffer))
		}
	}
	row(k.Pre)
	for i, lp := range k.Loops {
		s.open(fmt.Sprintf("%sl%d", s.prefix, i), fmt.Sprintf("for each %v-edge", ir.Over(k.Rows)))
		row(lp.Edge)
		aggregates := make(map[*ir.Value]string)
		for _, v := range lp.Reduce {
			aggregates[v] = s.compute(v)
		}
		rest(lp.Totals, lp.Stores)
		for v, n := range aggregates { // readable when the loop has ended
			s.at[v] = n
		}
		s.end()
		row(lp.Post)
	}
	rest(k.Totals, k.Stores)
}

// dot writes a graph.
type dot struct {
	b     strings.Builder
	depth int
}

func newDot(name string) *dot {
	d := &dot{}
	d.line("digraph %s {", quoteDot(name))
	d.depth++
	d.line(`node [shape=box, style=filled, fillcolor="#ffffff", fontname="monospace"]`)
	return d
}

func (d *dot) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dot) node(name, label, attributes string) {
	d.line("%s [label=%s, %s]", name, quoteDot(label), attributes)
}

// value is the node of a value: its op and attributes, residency and row.
func (d *dot) value(name string, v *ir.Value) {
	attributes := "fillcolor=" + quoteDot(colour(v.Res))
	if v.Pos != "" {
		attributes += ", tooltip=" + quoteDot(oneLine(v.Pos))
	}
	d.node(name, fmt.Sprintf("%%%d = %v%s\n%v %v%v", v.ID, v.Op, v.AttrString(), v.Res, v.Type, v.Shape), attributes)
}

func (d *dot) edge(from, to string) { d.line("%s -> %s", from, to) }

func (d *dot) open(name, label string) {
	d.line("subgraph cluster_%s {", name)
	d.depth++
	d.line("label=%s", quoteDot(label))
}

func (d *dot) end() {
	d.depth--
	d.line("}")
}

func (d *dot) close() string {
	d.end()
	return d.b.String()
}

// quoteDot quotes text for DOT: quotes and backslashes would end or escape it,
// and Graphviz reads HTML entities in labels.
func quoteDot(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "&", "&amp;").Replace(clean(s)) + `"`
}

// colour is the fill of a value's node, by where the value lives.
func colour(r ir.Residency) string {
	switch r {
	case ir.Param:
		return "#eeeeee"
	case ir.Src:
		return "#cfe3fa"
	case ir.Dst:
		return "#fbe0c3"
	case ir.Edge:
		return "#d3eed6"
	}
	return "#e6d9f5" // a type's
}
