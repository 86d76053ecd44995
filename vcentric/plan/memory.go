package plan

// What must be in memory, and which kernel stores it.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

func (b *builder) inputs() {
	for _, v := range b.plan.Program.Inputs() {
		b.buffer(v, v.Attr.Name, Input, "bound by the caller")
	}
}

func (b *builder) buffer(v *ir.Value, name string, role Role, reason string) *Buffer {
	buf := &Buffer{Index: len(b.plan.Buffers), Name: name, Role: role, Res: v.Res, Type: v.Type, Shape: v.Shape, Reason: reason}
	b.plan.Buffers = append(b.plan.Buffers, buf)
	if b.plan.bufferOf[v] == nil && v.Op != ir.OpConst { // readers of a constant have its number
		b.plan.bufferOf[v] = buf
	}
	return buf
}

// outputs gives each output its buffer, and says which kernel stores what no
// step would put there by itself.
func (b *builder) outputs() {
	for _, o := range b.plan.Program.Outputs {
		v := Row(o.Value)
		first := b.plan.bufferOf[v] == nil
		role, reason := Output, "result of the program"
		if strings.HasPrefix(o.Name, ir.SavedPrefix) {
			role, reason = Saved, "kept for backward, which could not recompute it row by row"
			if v.Res == ir.Edge {
				reason = "kept for backward, where vertices have so few edges that computing it again costs more"
			}
		}
		buf := b.buffer(v, o.Name, role, reason)
		buf.Shape = o.Value.Shape
		b.plan.Outputs = append(b.plan.Outputs, buf)
		switch place := b.fuse.place[v]; {
		case (place == ownStep || place == inTotals) && first: // its step or kernel writes the buffer
		case v.Res == ir.Edge:
			b.storeEdge(v, buf)
		case place == inRow:
			b.storing = append(b.storing, storing{b.key(v), Store{v, buf}})
		default: // an input, a constant, a view, or a product that is two outputs
			b.storing = append(b.storing, storing{kernelKey{b.fuse.complete(v), v.Res}, Store{v, buf}})
		}
	}
	for _, o := range b.plan.Program.Outputs {
		if Row(o.Value).Op.Info().Class == ir.Alias {
			b.demand(o.Value, "read by the kernel of the other side")
		}
	}
}

func (b *builder) storeEdge(v *ir.Value, buf *Buffer) {
	key := b.key(v)
	g := b.at(key)
	g.edgeStores = append(g.edgeStores, v)
	b.storing = append(b.storing, storing{key, Store{v, buf}})
}

// demand makes sure that v is in memory.
func (b *builder) demand(v *ir.Value, reason string) {
	v = resolve(v)
	if v.Op == ir.OpConst || b.plan.bufferOf[v] != nil {
		return
	}
	buf := b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, reason)
	switch place := b.fuse.place[v]; {
	case place == ownStep || place == inTotals:
	case v.Res == ir.Edge:
		b.storeEdge(v, buf)
	default:
		b.storing = append(b.storing, storing{b.key(v), Store{v, buf}})
	}
}

// operand puts what a step reads into memory, constants too.
func (b *builder) operand(v *ir.Value, reason string) {
	v = resolve(v)
	if v.Op != ir.OpConst {
		b.demand(v, reason)
	} else if b.constants[v] == nil {
		b.constants[v] = b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, reason)
		b.storing = append(b.storing, storing{kernelKey{b.fuse.complete(v), v.Res}, Store{v, b.constants[v]}})
	}
}

// stores finds what kernels read from memory, gives it buffers, and hangs all
// stores into their kernels.
func (b *builder) stores() {
	for _, s := range b.plan.Steps {
		if k, ok := s.(*Kernel); ok {
			k.operands(func(a *ir.Value) { b.demand(a, reasonRead(a, k.Rows)) })
		}
	}
	for _, s := range b.storing {
		g := b.group[s.key]
		k := g.kernel
		if v := s.store.Value; v.Res == ir.Edge {
			lp := k.Loops[g.level[v]-1]
			lp.Stores = append(lp.Stores, s.store)
		} else {
			k.Stores = append(k.Stores, s.store)
		}
	}
}

// operands calls read for the values that the kernel needs and has not computed
// by then: they are read from memory. A value computed in a loop is a register
// there and in later loops of the kernel; aggregates become readable when their
// loop has ended.
func (k *Kernel) operands(read func(a *ir.Value)) {
	have := make(map[*ir.Value]bool)
	one := func(a *ir.Value) {
		if a = Row(a); !have[a] {
			read(a)
		}
	}
	compute := func(vs []*ir.Value) {
		for _, v := range vs {
			for _, a := range v.Args {
				one(a)
			}
			have[v] = true
		}
	}
	totals := func(sums []Sum) {
		for _, s := range sums {
			for _, a := range s.Value.Args {
				one(a)
			}
		}
	}
	stores := func(ss []Store) {
		for _, s := range ss {
			one(s.Value)
		}
	}
	compute(k.Pre)
	for _, lp := range k.Loops {
		compute(lp.Edge)
		compute(lp.Reduce)
		totals(lp.Totals)
		stores(lp.Stores)
		compute(lp.Post)
	}
	totals(k.Totals)
	stores(k.Stores)
}

func reasonRead(a *ir.Value, rows ir.Residency) string {
	switch {
	case a.Res == ir.Param || a.Res.IsType():
		return "shared by many rows of a kernel"
	case a.Res == rows:
		return "crosses from one kernel to another"
	case a.Op == ir.OpView:
		return "read by the kernel of the other side"
	}
	return fmt.Sprintf("a %v value read across edges", a.Res)
}
