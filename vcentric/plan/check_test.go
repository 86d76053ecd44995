package plan_test

// A checker of plans: it follows the steps in order and says what is read
// before it is there.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

type inspector struct {
	p       *plan.Plan
	written map[*plan.Buffer]int // the step that wrote a buffer; -1 for inputs
}

// check reports the first rule that a plan breaks:
//   - a value is computed before it is read, in the registers of the same kernel
//     and, if it is an aggregate, after its loop; or its buffer was wholly
//     written by an earlier step;
//   - every buffer is written once, and every buffer but inputs is written;
//   - a kernel's values fit its rows, and a store fits its buffer;
//   - the matrix of a product is in memory, whoever computes it;
//   - a buffer lives while it is touched, and shares its slot with none that lives
//     at the same time;
//   - every output has its buffer.
func check(p *plan.Plan) error {
	c := &inspector{p: p, written: make(map[*plan.Buffer]int)}
	for i, b := range p.Buffers {
		if b.Index != i {
			return fmt.Errorf("buffer %d has index %d", i, b.Index)
		}
		if b.Role == plan.Input {
			c.written[b] = -1
		}
	}
	for i, step := range p.Steps {
		if err := c.step(i, step); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	for _, b := range p.Buffers {
		if _, ok := c.written[b]; !ok {
			return fmt.Errorf("buffer %d (%s) is never written", b.Index, b.Name)
		}
	}
	if len(p.Outputs) != len(p.Program.Outputs) {
		return fmt.Errorf("%d output buffers for %d outputs", len(p.Outputs), len(p.Program.Outputs))
	}
	for i, o := range p.Program.Outputs {
		b := p.Outputs[i]
		if b.Name != o.Name || b.Res != o.Value.Res || b.Type != o.Value.Type || !b.Shape.Equal(o.Value.Shape) || b.Role != plan.Output && b.Role != plan.Saved {
			return fmt.Errorf("output %q has buffer %d: %v %v%v", o.Name, b.Index, b.Res, b.Type, b.Shape)
		}
	}
	for i, s := range p.Slots {
		for j, b := range s.Buffers {
			if b.Slot != i || j > 0 && s.Buffers[j-1].Last >= b.First || b.Type != s.Buffers[0].Type {
				return fmt.Errorf("buffer %d, of steps %d to %d, in slot %d", b.Index, b.First, b.Last, i)
			}
		}
	}
	for _, b := range p.Buffers {
		if (b.Slot < 0) != (b.Role == plan.Input) {
			return fmt.Errorf("buffer %d in slot %d", b.Index, b.Slot)
		}
		if b.Role != plan.Input && (c.written[b] != b.First || b.Role != plan.Temp && b.Last != len(p.Steps)) {
			return fmt.Errorf("buffer %d, written by step %d, lives from %d to %d", b.Index, c.written[b], b.First, b.Last)
		}
	}
	for _, v := range p.Program.Values {
		if v.Op == ir.OpConst && p.BufferOf(v) != nil {
			return fmt.Errorf("constant %v has a buffer to read it from", v)
		}
	}
	return nil
}

func (c *inspector) write(step int, v *ir.Value, b *plan.Buffer) error {
	if at, ok := c.written[b]; ok {
		return fmt.Errorf("buffer %d is written again, after step %d", b.Index, at)
	}
	if b.Res != v.Res || b.Type != v.Type || b.Width() != v.Width() {
		return fmt.Errorf("%v stored to buffer %d: %v %v%v", v, b.Index, b.Res, b.Type, b.Shape)
	}
	c.written[b] = step
	return nil
}

// alive tells whether a step may touch a buffer.
func alive(step int, b *plan.Buffer) error {
	if b.Role != plan.Input && (step < b.First || step > b.Last) {
		return fmt.Errorf("buffer %d, of steps %d to %d, is read", b.Index, b.First, b.Last)
	}
	return nil
}

// readable tells whether v's buffer is complete before a step.
func (c *inspector) readable(step int, v *ir.Value) error {
	b := c.p.BufferOf(v)
	if b == nil {
		return fmt.Errorf("%v has no buffer", v)
	}
	if at, ok := c.written[b]; !ok || at >= step {
		return fmt.Errorf("buffer %d of %v is read before it is written", b.Index, v)
	}
	return alive(step, b)
}

// isNumber tells whether v is a constant in some shape, which is read nowhere.
func isNumber(v *ir.Value) bool {
	for v.Op == ir.OpReshape || v.Op.Info().Class == ir.Alias {
		v = v.Args[0]
	}
	return v.Op == ir.OpConst
}

func (c *inspector) step(i int, step plan.Step) error {
	switch step := step.(type) {
	case *plan.Kernel:
		return c.kernel(i, step)
	case *plan.Product:
		for j, b := range []*plan.Buffer{step.A, step.B} {
			if err := c.operand(i, step.Value.Args[j], b); err != nil {
				return err
			}
		}
		return c.write(i, step.Value, step.Out)
	case *plan.Total:
		if err := c.operand(i, step.Value.Args[0], step.In); err != nil {
			return err
		}
		return c.write(i, step.Value, step.Out)
	}
	return fmt.Errorf("unknown step %T", step)
}

func (c *inspector) operand(step int, v *ir.Value, b *plan.Buffer) error {
	if plan.Row(v).Op == ir.OpConst { // a buffer for this step alone
		if at, ok := c.written[b]; !ok || at >= step {
			return fmt.Errorf("buffer %d of constant %v is read before it is written", b.Index, v)
		}
		return alive(step, b)
	}
	if b != c.p.BufferOf(v) {
		return fmt.Errorf("operand %v is not in the buffer of the step", v)
	}
	return c.readable(step, v)
}

func (c *inspector) kernel(i int, k *plan.Kernel) error {
	if k.Rows == ir.Edge || !k.Rows.IsVertex() && len(k.Loops)+len(k.Totals) > 0 {
		return fmt.Errorf("kernel over %v rows with %d loops", k.Rows, len(k.Loops))
	}
	row := make(map[*ir.Value]bool) // registers of the row
	read := func(v *ir.Value, edge map[*ir.Value]bool) error {
		v = plan.Row(v)
		if isNumber(v) || row[v] || edge[v] {
			return nil
		}
		if edge == nil && !v.Res.Within(k.Rows) {
			return fmt.Errorf("%v is read at a %v row", v, k.Rows)
		}
		return c.readable(i, v)
	}
	compute := func(vs []*ir.Value, edge map[*ir.Value]bool) error {
		for _, v := range vs {
			for _, a := range v.Args {
				if err := read(a, edge); err != nil {
					return fmt.Errorf("for %v: %w", v, err)
				}
			}
			if v.Op.Info().Class == ir.Dense && !isNumber(v.Args[1]) {
				if err := c.readable(i, v.Args[1]); err != nil {
					return fmt.Errorf("for %v: %w", v, err)
				}
			}
			if edge != nil {
				edge[v] = true
			} else if row[v] || v.Res != k.Rows {
				return fmt.Errorf("%v computed twice or at the wrong rows", v)
			}
			if class := v.Op.Info().Class; edge == nil && class == ir.Aggregate || (edge != nil) != (v.Res == ir.Edge) || class == ir.Alias || class == ir.Reduction || v.Op == ir.OpOuter || plan.Row(v) != v {
				return fmt.Errorf("%v is in the wrong place", v)
			}
			if edge == nil {
				row[v] = true
			}
		}
		return nil
	}
	totals := func(sums []plan.Sum, level ir.Residency, edge map[*ir.Value]bool) error {
		for _, s := range sums {
			if op := s.Value.Op; op != ir.OpOuter && op != ir.OpTotal || s.Value.Level() != level {
				return fmt.Errorf("%v summed over %v rows", s.Value, level)
			}
			for _, a := range s.Value.Args {
				if err := read(a, edge); err != nil {
					return fmt.Errorf("for %v: %w", s.Value, err)
				}
			}
			if err := c.write(i, s.Value, s.Out); err != nil {
				return err
			}
		}
		return nil
	}
	if err := compute(k.Pre, nil); err != nil {
		return err
	}
	for _, lp := range k.Loops {
		if len(lp.Reduce)+len(lp.Stores)+len(lp.Totals) == 0 {
			return fmt.Errorf("a loop that nothing comes of")
		}
		edge := make(map[*ir.Value]bool)
		if err := compute(lp.Edge, edge); err != nil {
			return err
		}
		for _, v := range lp.Reduce {
			if v.Op.Info().Class != ir.Aggregate || v.Res != k.Rows || v.Attr.Dir != ir.Over(k.Rows) || row[v] {
				return fmt.Errorf("%v reduced over the %v-edges of a row", v, ir.Over(k.Rows))
			}
			if err := read(v.Args[0], edge); err != nil {
				return fmt.Errorf("for %v: %w", v, err)
			}
		}
		if err := totals(lp.Totals, ir.Edge, edge); err != nil {
			return err
		}
		for _, s := range lp.Stores {
			if s.Value.Res != ir.Edge {
				return fmt.Errorf("%v stored once an edge", s.Value)
			}
			if err := read(s.Value, edge); err != nil {
				return err
			}
			if err := c.write(i, s.Value, s.Buffer); err != nil {
				return err
			}
		}
		for _, v := range lp.Reduce {
			row[v] = true
		}
		if err := compute(lp.Post, nil); err != nil {
			return err
		}
	}
	if err := totals(k.Totals, k.Rows, nil); err != nil {
		return err
	}
	for _, s := range k.Stores {
		if s.Value.Res == ir.Edge {
			return fmt.Errorf("edge value %v stored once a row", s.Value)
		}
		if err := read(s.Value, nil); err != nil {
			return err
		}
		if err := c.write(i, s.Value, s.Buffer); err != nil {
			return err
		}
	}
	return nil
}
