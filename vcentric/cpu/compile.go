package cpu

// From the values of a plan's kernel to instructions.

import (
	"fmt"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// A tile's registers should stay in the L1 cache: the widest of edges holds
// about tileElements and the widest of rows about rowElements, but no fewer than
// so many edges or rows. A row with more edges than that is still taken whole
// while the registers together have splitElements or less and stay in the L2
// cache; beyond, its edge values are computed anew for each loop.
const (
	tileElements  = 2048
	rowElements   = 8192
	maxTileEdges  = 512
	minTileEdges  = 32
	maxTileRows   = 256
	minTileRows   = 8
	splitElements = 1 << 18
	maxWholeEdges = 4096
)

// compiler compiles one kernel.
type compiler[T kern.Float] struct {
	prog *Program[T]
	plan *plan.Kernel

	computed map[*ir.Value]bool        // by this kernel
	uses     map[*ir.Value]int         // how often the kernel reads a value
	inside   map[*ir.Value]bool        // computed within the instruction that reads it
	place    map[*ir.Value]*operand[T] // where computed values are

	edge, row, rowInts int // elements a row of the registers so far
	widest             [2]int
	scratch            [2]int // the widest op of a level
	cost               cost
}

func compileKernel[T kern.Float](x *Program[T], p *plan.Kernel) *kernel[T] {
	c := &compiler[T]{
		prog: x, plan: p,
		computed: make(map[*ir.Value]bool),
		uses:     make(map[*ir.Value]int),
		inside:   make(map[*ir.Value]bool),
		place:    make(map[*ir.Value]*operand[T]),
	}
	c.scan()
	c.storeInPlace()
	k := &kernel[T]{rows: p.Rows}
	k.pre = c.instrs(overRows, p.Pre)
	done := make(map[*ir.Value]instr[T])
	for _, lp := range p.Loops {
		l := &loop[T]{}
		for _, v := range lp.Edge {
			if c.isAlias(v) || c.inside[v] {
				continue
			}
			i, old := done[v]
			if !old {
				i = c.instr(overEdges, v)
				done[v] = i
				l.fresh = append(l.fresh, i)
			}
			l.all = append(l.all, i)
		}
		for _, v := range lp.Reduce {
			l.reduce = append(l.reduce, c.reducer(v))
		}
		l.stores = c.storeAll(overEdges, lp.Stores)
		l.post = c.instrs(overRows, lp.Post)
		k.loops = append(k.loops, l)
	}
	k.stores = c.storeAll(overRows, p.Stores)
	c.finish(k)
	return k
}

// scan notes what the kernel computes and how often it reads each value.
func (c *compiler[T]) scan() {
	note := func(vs []*ir.Value) {
		for _, v := range vs {
			if c.computed[v] {
				continue // a later loop needs the same edge value
			}
			c.computed[v] = true
			for _, a := range v.Args {
				c.uses[a]++
				for a.Op == ir.OpReshape && a.Res != ir.Edge { // a plan has no step for it: v reads what it reshapes
					a = a.Args[0]
					c.uses[a]++
				}
			}
		}
	}
	stored := func(stores []plan.Store) {
		for _, s := range stores {
			c.uses[s.Value]++
		}
	}
	note(c.plan.Pre)
	for _, l := range c.plan.Loops {
		note(l.Edge)
		note(l.Reduce)
		note(l.Post)
		stored(l.Stores)
	}
	stored(c.plan.Stores)
	for v := range c.computed {
		c.absorb(v)
	}
}

// isAlias tells whether v only reads its operand in another shape or place.
func (c *compiler[T]) isAlias(v *ir.Value) bool {
	return v.Op == ir.OpReshape || v.Op == ir.OpAtEdge && c.computed[v]
}

// base is the value whose rows v reads.
func (c *compiler[T]) base(v *ir.Value) *ir.Value {
	for c.isAlias(v) {
		v = v.Args[0]
	}
	return v
}

// storeInPlace gives row values that are stored their buffer as register.
func (c *compiler[T]) storeInPlace() {
	for _, s := range c.plan.Stores {
		v := c.base(s.Value)
		if c.computed[v] && c.place[v] == nil {
			c.place[v] = &operand[T]{place: ownBuffer, width: v.Width(), buffer: s.Buffer.Index}
			c.widest[overRows] = max(c.widest[overRows], v.Width())
		}
	}
}

// register makes room for a value that the kernel computes.
func (c *compiler[T]) register(at level, v *ir.Value) operand[T] {
	if o := c.place[v]; o != nil {
		return *o
	}
	width := v.Width()
	o := &operand[T]{place: ownRegister, width: width}
	switch {
	case at == overEdges:
		o.place, o.offset = edgeRegister, c.edge
		c.edge += width
	case v.Type == ir.I32:
		o.offset = c.rowInts
		c.rowInts += width
	default:
		o.offset = c.row
		c.row += width
	}
	c.place[v] = o
	c.widest[at] = max(c.widest[at], width)
	return *o
}

// operand finds a value that an instruction reads.
func (c *compiler[T]) operand(v *ir.Value) operand[T] {
	v = c.base(v)
	if c.computed[v] {
		o := c.place[v]
		if o == nil {
			panic(fmt.Sprintf("BUG: cpu: %v is read before it is computed", v))
		}
		return *o
	}
	res := v.Res
	for v.Op == ir.OpView || v.Op == ir.OpReshape {
		v = v.Args[0]
	}
	if v.Op == ir.OpConst {
		return operand[T]{place: constant, width: 1, value: []T{T(v.Attr.Num)}}
	}
	buf := c.prog.plan.BufferOf(v)
	if buf == nil {
		panic(fmt.Sprintf("BUG: cpu: %v has no buffer", v))
	}
	o := operand[T]{place: otherBuffer, width: v.Width(), buffer: buf.Index}
	switch res {
	case ir.Param:
		o.place = paramBuffer
	case c.plan.Rows:
		o.place = ownBuffer
	case ir.Edge:
		o.place = edgeBuffer
	}
	return o
}

func (c *compiler[T]) argument(v *ir.Value, to ir.Shape) argument[T] {
	return argument[T]{operand: c.operand(v), cast: newCast(v.Shape, to)}
}

// instrs compiles the values of a level in order.
func (c *compiler[T]) instrs(at level, vs []*ir.Value) []instr[T] {
	var out []instr[T]
	for _, v := range vs {
		if !c.isAlias(v) && !c.inside[v] {
			out = append(out, c.instr(at, v))
		}
	}
	return out
}

// instr compiles one value.
func (c *compiler[T]) instr(at level, v *ir.Value) instr[T] {
	c.charge(at, v.Width())
	if v.Op == ir.OpReduceTo {
		return c.reduceTo(at, v)
	}
	for _, a := range append([]*ir.Value{v}, v.Args...) {
		c.scratch[at] = max(c.scratch[at], a.Width())
	}
	arg := func(n int) argument[T] { return c.argument(v.Args[n], v.Shape) }
	switch {
	case v.Op.Info().Unary != nil:
		return &unary[T]{at: at, x: arg(0), dst: c.register(at, v), f: unaryLoop(c.prog.set, v.Op, v.Attr)}
	case v.Op.Info().Binary != nil:
		return c.binary(at, v)
	}
	switch v.Op {
	case ir.OpSelect:
		if gt := v.Args[0]; c.inside[gt] {
			bound, above, below := T(gt.Args[1].Attr.Num), T(v.Args[1].Attr.Num), T(v.Args[2].Attr.Num)
			set := c.prog.set
			f := func(dst, x []T) { set.Step(dst, x, bound, above, below) }
			return &unary[T]{at: at, x: c.argument(gt.Args[0], v.Shape), dst: c.register(at, v), f: f}
		}
		return &selection[T]{at: at, c: arg(0), x: arg(1), y: arg(2), dst: c.register(at, v)}
	case ir.OpDropout:
		return &dropout[T]{
			at: at, x: arg(0), dst: c.register(at, v), site: v.Attr.Site,
			threshold: rng.Threshold(v.Attr.Num), scale: T(ir.DropoutScale(v.Attr.Num)),
		}
	case ir.OpDegree:
		return &degrees[T]{dst: c.register(at, v), dir: v.Attr.Dir}
	case ir.OpExpand:
		return &expansion[T]{at: at, x: arg(0), dst: c.register(at, v)}
	case ir.OpConcat, ir.OpSlice, ir.OpPad:
		return c.columns(at, v)
	case ir.OpWinner:
		return &winner[T]{x: c.operand(v.Args[0]), y: c.operand(v.Args[1]), dst: c.register(at, v)}
	}
	panic(fmt.Sprintf("BUG: cpu: no instruction for %v", v))
}

func (c *compiler[T]) binary(at level, v *ir.Value) instr[T] {
	x, y := c.argument(v.Args[0], v.Shape), c.argument(v.Args[1], v.Shape)
	dst := c.register(at, v)
	set := c.prog.set
	if y.place == constant && x.cast.kind == same {
		if f := withConstant(set, v.Op, y.value[0], false); f != nil {
			return &unary[T]{at: at, x: x, dst: dst, f: f}
		}
	}
	if x.place == constant && y.cast.kind == same {
		if f := withConstant(set, v.Op, x.value[0], true); f != nil {
			return &unary[T]{at: at, x: y, dst: dst, f: f}
		}
	}
	if v.Op == ir.OpMul {
		const worthwhile = 8 // columns for a call of the kernel
		if y.cast.kind == inner && x.cast.kind == same && y.cast.group >= worthwhile {
			return &scale[T]{at: at, x: x, y: y, dst: dst, group: y.cast.group}
		}
		if x.cast.kind == inner && y.cast.kind == same && x.cast.group >= worthwhile {
			return &scale[T]{at: at, x: y, y: x, dst: dst, group: x.cast.group}
		}
	}
	return &binary[T]{at: at, x: x, y: y, dst: dst, f: binaryLoop(set, v.Op)}
}

// columns compiles the moves of columns of the last dimension.
func (c *compiler[T]) columns(at level, v *ir.Value) instr[T] {
	i := &columns[T]{at: at, cols: v.Shape[len(v.Shape)-1], zero: v.Op == ir.OpPad}
	to := 0
	for _, a := range v.Args {
		cols := a.Shape[len(a.Shape)-1]
		p := part[T]{x: c.operand(a), cols: cols, to: to, n: cols}
		switch v.Op {
		case ir.OpSlice:
			p.from, p.n = v.Attr.Lo, i.cols
		case ir.OpPad:
			p.to = v.Attr.Lo
		}
		to += p.n
		i.parts = append(i.parts, p)
	}
	i.dst = c.register(at, v)
	return i
}

func (c *compiler[T]) storeAll(at level, stores []plan.Store) []instr[T] {
	var out []instr[T]
	for _, s := range stores {
		x := c.operand(s.Value)
		if x.place == ownBuffer && x.buffer == s.Buffer.Index {
			continue // it was computed there
		}
		c.charge(at, x.width)
		if s.Buffer.Type == ir.I32 {
			out = append(out, &storeIDs[T]{at: at, x: x, buffer: s.Buffer.Index})
		} else {
			out = append(out, &store[T]{at: at, x: x, buffer: s.Buffer.Index})
		}
	}
	return out
}

// charge adds the work of an instruction to what a row or an edge costs.
func (c *compiler[T]) charge(at level, width int) {
	const dispatch = 4
	if at == overEdges {
		c.cost.edge += int64(width) + dispatch
	} else {
		c.cost.row += int64(width) + dispatch
	}
}

// finish fixes the size of the tiles, and so what a worker must hold.
func (c *compiler[T]) finish(k *kernel[T]) {
	tile := func(at level, elements, least, most int) int {
		return min(max(elements/max(c.widest[at], c.scratch[at], 1), least), most)
	}
	k.tileEdges = tile(overEdges, tileElements, minTileEdges, maxTileEdges)
	k.tileRows = tile(overRows, rowElements, minTileRows, maxTileRows)
	whole := splitElements / max(c.edge+(len(worker[T]{}.scratch)+1)*c.scratch[overEdges], 1)
	k.wholeEdges = max(min(whole, maxWholeEdges), k.tileEdges)
	k.cost = cost{row: c.cost.row + 16, edge: c.cost.edge}
	c.prog.size.include(sizes{
		edge: c.edge * k.wholeEdges, row: c.row * k.tileRows, rowInts: c.rowInts * k.tileRows,
		scratch: max(c.scratch[overEdges]*k.wholeEdges, c.scratch[overRows]*k.tileRows),
		rows:    k.tileRows, ids: max(k.wholeEdges, k.tileRows),
	})
}
