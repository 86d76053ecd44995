package plan

// Lifetimes, and the memory that buffers share.
//
// The memory of a run is allocated as a whole before its first step: a slot for
// each set of buffers that take turns. Two buffers can take turns if they have
// the same number of bytes on every graph and no step touches both. A temporary
// may also live where an output is written later. Colouring intervals from left
// to right takes as few slots as are needed at any one step.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Slot is memory that buffers of equal size share, one after the other; an output
// is the last of its slot.
type Slot struct{ Buffers []*Buffer }

// Bytes is the size of the slot on a graph.
func (s *Slot) Bytes(n Sizes) int64 { return s.Buffers[0].Bytes(n) }

// Peak is the number of bytes that a run on a graph allocates: all slots.
func (p *Plan) Peak(s Sizes) int64 {
	var n int64
	for _, slot := range p.Slots {
		n += slot.Bytes(s)
	}
	return n
}

// share finds the lifetime of every buffer and gives all but inputs a slot.
func (p *Plan) share() {
	p.lifetimes()
	p.Slots = nil
	order := slices.Clone(p.Buffers)
	slices.SortStableFunc(order, func(x, y *Buffer) int { return cmp.Compare(x.First, y.First) })
	free := make(map[size][]int) // slots whose last buffer is dead, by size
	var live []*Buffer
	for _, b := range order {
		if b.Role == Input {
			continue
		}
		live = slices.DeleteFunc(live, func(a *Buffer) bool {
			over := a.Last < b.First
			if over {
				k := p.sizeOf(a)
				free[k] = append(free[k], a.Slot)
			}
			return over
		})
		live = append(live, b)
		k := p.sizeOf(b)
		if n := len(free[k]); n > 0 {
			b.Slot, free[k] = free[k][n-1], free[k][:n-1]
		} else {
			b.Slot = len(p.Slots)
			p.Slots = append(p.Slots, &Slot{})
		}
		s := p.Slots[b.Slot]
		s.Buffers = append(s.Buffers, b)
	}
}

// size is what buffers must have in common to be of equal size on every graph.
type size struct {
	rows  ir.Residency
	width int
	typ   ir.DType
}

func (p *Plan) sizeOf(b *Buffer) size {
	s := size{b.Res, b.Width(), b.Type}
	if !p.Program.Bipartite { // sources and destinations are as many
		switch b.Res {
		case ir.Src:
			s.rows = ir.Dst
		case ir.SrcType:
			s.rows = ir.DstType
		}
	}
	return s
}

// lifetimes finds the first and the last step that touches each buffer. What the
// caller brings is there before the first step, what he gets is there after the
// last.
func (p *Plan) lifetimes() {
	for _, b := range p.Buffers {
		b.First, b.Last, b.Slot = len(p.Steps), -1, -1
	}
	for i, s := range p.Steps {
		p.touch(s, func(b *Buffer) { b.First, b.Last = min(b.First, i), max(b.Last, i) })
	}
	for _, b := range p.Buffers {
		switch b.Role {
		case Input:
			b.First = -1
		case Output, Saved:
			b.Last = len(p.Steps)
		}
	}
}

// touch calls f for every buffer that a step reads or writes.
func (p *Plan) touch(s Step, f func(*Buffer)) {
	switch s := s.(type) {
	case *Product:
		f(s.A)
		f(s.B)
		f(s.Out)
	case *Total:
		f(s.In)
		f(s.Out)
	case *Kernel:
		s.operands(func(a *ir.Value) {
			if b := p.BufferOf(a); b != nil {
				f(b)
			}
		})
		for _, lp := range s.Loops {
			for _, sum := range lp.Totals {
				f(sum.Out)
			}
			for _, store := range lp.Stores {
				f(store.Buffer)
			}
		}
		for _, sum := range s.Totals {
			f(sum.Out)
		}
		for _, store := range s.Stores {
			f(store.Buffer)
		}
	}
}
