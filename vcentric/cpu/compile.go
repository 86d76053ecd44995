package cpu

// From the values of a plan's kernel to instructions.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// compiler compiles one kernel.
type compiler[T kern.Float] struct {
	prog *Program[T]
	plan *plan.Kernel
	mode mode

	roomless map[*ir.Value]bool        // row values that take no registers
	computed map[*ir.Value]bool        // by this kernel
	uses     map[*ir.Value]int         // how often the kernel reads a value
	aliases  map[*ir.Value][]*ir.Value // of edge values
	inside   map[*ir.Value]bool        // computed within the instruction that reads it
	place    map[*ir.Value]*operand[T] // where computed values are
	affine   map[*ir.Value]*affine
	ofGraph  []ofGraph
	bias     map[*ir.Value]*withBias
	axpby    map[*ir.Value]*axpby   // of its rows
	made     map[*ir.Value]instr[T] // what computes its values of rows

	edge, row, rowInts int // elements a row of the registers so far
	widest             [2]int
	scratch            [2]int // the widest op of a level
	products           [2]bool
	types              int  // of the weights of products over edges
	byType             bool // a product takes the sums of those types that have edges (bySlots)
	narrows            bool // the loop, to the edges that win
	listing            *listing
	cost               cost

	kept map[*ir.Value]*plan.Buffer // of edge values that are computed where they are kept

	fetched      map[int]*fetch[T]  // by buffer
	recalled     map[int]*recall[T] // by buffer
	fetchOrder   []*fetch[T]
	fetchedWidth int
	inLoop       map[int]bool // the buffers that the loop at hand fetches or recalls
	touched      []instr[T]   // the fetches and recalls whose registers the instruction at hand reads

	beforeLoops []instr[T] // over rows

	staging staging // of what it reads and writes of its rows

	weights []*weight[T] // of products
	sums    int          // elements of a chunk's partial sums
	results []total      // where they go
}

func compileKernel[T kern.Float](x *Program[T], p *plan.Kernel) *kernel[T] {
	k := compileFor(x, p, forTiles, nil)
	k.hub, k.covered = hubKernel(x, p), coveredKernel(x, p)
	if k.covered != nil {
		k.covered.hub = k.hub
	}
	return k
}

// mode is what a kernel is compiled for.
type mode uint8

const (
	forTiles mode = iota // of rows
	forHubs              // tiles have one row, whose values are all in registers
	forCover             // tiles are the blocks of a graph's layout (typedcover.go)
)

// compileFor compiles a kernel for a mode; roomless values take no registers there.
func compileFor[T kern.Float](x *Program[T], p *plan.Kernel, m mode, roomless map[*ir.Value]bool) *kernel[T] {
	hubs := m == forHubs
	c := &compiler[T]{
		prog: x, plan: p, mode: m, roomless: roomless,
		computed: make(map[*ir.Value]bool),
		uses:     make(map[*ir.Value]int),
		aliases:  make(map[*ir.Value][]*ir.Value),
		inside:   make(map[*ir.Value]bool),
		place:    make(map[*ir.Value]*operand[T]),
		affine:   make(map[*ir.Value]*affine),
		bias:     make(map[*ir.Value]*withBias),
		axpby:    make(map[*ir.Value]*axpby),
		made:     make(map[*ir.Value]instr[T]),
		kept:     make(map[*ir.Value]*plan.Buffer),
		fetched:  make(map[int]*fetch[T]),
		recalled: make(map[int]*recall[T]),
	}
	c.scan()
	if !hubs {
		c.storeInPlace()
	}
	c.keepInPlace()
	k := &kernel[T]{rows: p.Rows}
	k.pre = c.before(p.Pre)
	done := make(map[*ir.Value]instr[T])
	reads := make(map[*ir.Value][]instr[T]) // the fetches whose registers an instruction reads
	fetched := make(map[instr[T]]bool)      // by this loop or an earlier one
	for _, lp := range p.Loops {
		l := &loop[T]{only: c.winnersOf(p, lp)}
		c.inLoop = make(map[int]bool)
		for _, v := range lp.Edge {
			if c.isFree(v) || c.inside[v] {
				continue
			}
			fetches := c.fetches(v)
			i, old := done[v]
			if !old {
				c.touched = nil
				i = c.instr(overEdges, v)
				done[v], reads[v] = i, c.touched
			}
			// An instruction of an earlier loop reads what was fetched there, whether or not
			// anybody else in this one does.
			for _, f := range append(fetches, reads[v]...) {
				if !slices.Contains(l.all, f) {
					l.all = append(l.all, f)
				}
				if !fetched[f] {
					fetched[f] = true
					l.fresh = append(l.fresh, f)
				}
			}
			if !old {
				l.fresh = append(l.fresh, i)
			}
			l.all = append(l.all, i)
		}
		for _, v := range lp.Reduce {
			l.reduce = append(l.reduce, c.reducer(v))
		}
		pairSums(l)
		l.stores = c.storeAll(overEdges, lp.Stores)
		l.totals = c.totals(overEdges, lp.Totals)
		l.post = c.instrs(overRows, lp.Post)
		k.loops = append(k.loops, l)
	}
	k.pre = append(k.pre, c.beforeLoops...)
	c.rectify(k, done)
	c.shareRows(k, done)
	c.fetchTogether(k)
	for n, l := range k.loops {
		c.scores(l, p.Loops[n].Reduce, done)
		c.endSums(l, p.Loops[n])
	}
	softmaxes(k.loops)
	k.stores = c.storeAll(overRows, p.Stores)
	k.sums = c.totals(overRows, p.Totals)
	if !hubs {
		c.bySlots(k, p)
	}
	k.weights, k.totals, k.ofGraph, k.byType, k.listing = c.weights, c.results, c.ofGraph, c.byType, c.listing
	if len(k.weights) > 0 {
		k.packing = x.packings
		x.packings++
	}
	k.fetches, k.besideWidth = c.fetchOrder, c.fetchedWidth
	k.staging = &c.staging
	c.finish(k)
	k.lent = c.lent(k, p)
	if !hubs {
		k.attention = c.attentionOf(k, p)
	}
	return k
}

// scan notes what the kernel computes and how often it reads each value.
func (c *compiler[T]) scan() {
	read := func(a *ir.Value) {
		c.uses[a]++
		for a.Op == ir.OpReshape && a.Res != ir.Edge { // a plan has no step for it: the reader reads what it reshapes
			a = a.Args[0]
			c.uses[a]++
		}
	}
	note := func(vs []*ir.Value) {
		for _, v := range vs {
			if c.computed[v] {
				continue // a later loop needs the same edge value
			}
			c.computed[v] = true
			if c.isAlias(v) && v.Res == ir.Edge {
				c.aliases[v.Args[0]] = append(c.aliases[v.Args[0]], v)
			}
			for _, a := range v.Args {
				read(a)
			}
		}
	}
	totals := func(sums []plan.Sum) {
		for _, s := range sums {
			for _, a := range s.Value.Args {
				read(a)
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
		totals(l.Totals)
	}
	stored(c.plan.Stores)
	totals(c.plan.Totals)
	for v := range c.computed {
		c.absorb(v)
	}
	for _, l := range c.plan.Loops {
		c.absorbTerms(l.Edge)
	}
	for v := range c.computed {
		c.absorbProduct(v)
	}
	for v := range c.computed {
		c.absorbWeights(v)
	}
}

// edgeReaders is how often an edge value is read, by itself or by an alias.
func (c *compiler[T]) edgeReaders(v *ir.Value) int {
	n := c.uses[v]
	for _, alias := range c.aliases[v] {
		n += c.edgeReaders(alias) - 1
	}
	return n
}

// isAlias tells whether v only reads its operand in another shape or place.
func (c *compiler[T]) isAlias(v *ir.Value) bool {
	return v.Op == ir.OpReshape || v.Op == ir.OpAt && c.computed[v]
}

// isFree tells whether v takes no instruction: who reads it reads its operand.
func (c *compiler[T]) isFree(v *ir.Value) bool {
	return c.isAlias(v) || v.Op == ir.OpPick && c.computed[v]
}

// base is the value whose rows v reads.
func (c *compiler[T]) base(v *ir.Value) *ir.Value {
	for c.isAlias(v) && !c.isStored(v) {
		v = v.Args[0]
	}
	return v
}

// isStored tells whether v, of edges, is to be read from memory as it is: a reshape that
// a step reads has a buffer, where what it reshapes has none.
func (c *compiler[T]) isStored(v *ir.Value) bool {
	return v.Res == ir.Edge && !c.computed[v] && c.prog.plan.BufferOf(v) != nil
}

// storeInPlace gives row values that are stored their buffer as register.
func (c *compiler[T]) storeInPlace() {
	for _, s := range c.plan.Stores {
		v := c.base(s.Value)
		if c.computed[v] && c.place[v] == nil {
			c.place[v] = &operand[T]{place: ownBuffer, width: v.Width(), buffer: s.Buffer.Index, unread: c.uses[v] == 1}
			c.writesOwn(s.Buffer.Index)
			c.widest[overRows] = max(c.widest[overRows], v.Width())
		}
	}
}

// keepInPlace notes which edge values are stored where the rows of a tile may lie side by
// side: they are computed there.
func (c *compiler[T]) keepInPlace() {
	for _, l := range c.plan.Loops {
		for _, s := range l.Stores {
			v := c.base(s.Value)
			if c.computed[v] && v.Type != ir.I32 && c.prog.edgePlace(s.Buffer) != edgeBuffer {
				c.kept[v] = s.Buffer
			}
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
		if b := c.kept[v]; b != nil {
			o.home, o.buffer = c.prog.edgePlace(b), b.Index
		}
	case v.Type == ir.I32:
		o.offset = c.rowInts
		c.rowInts += width
	case c.roomless[v]:
		o.offset = -len(c.place) - 1 // nobody else's
		c.place[v] = o
		return *o
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
	if v.Op == ir.OpPick && c.computed[v] {
		return c.pick(v.Args[0])
	}
	if c.computed[v] {
		o := c.place[v]
		if o == nil {
			panic(fmt.Sprintf("BUG: cpu: %v is read before it is computed", v))
		}
		return *o
	}
	res, width := v.Res, v.Width()
	for !c.isStored(v) && (v.Op == ir.OpReshape || v.Op.Info().Class == ir.Alias) {
		v = v.Args[0]
	}
	if v.Op == ir.OpConst {
		return operand[T]{place: constant, width: 1, value: []T{T(v.Attr.Num)}}
	}
	buf := c.prog.plan.BufferOf(v)
	if buf == nil {
		panic(fmt.Sprintf("BUG: cpu: %v has no buffer", v))
	}
	o := operand[T]{place: c.placeOf(res), width: width, buffer: buf.Index}
	if o.place == edgeBuffer {
		o.place = c.prog.edgePlace(buf)
	}
	switch o.place {
	case ownBuffer:
		c.readsOwn(buf.Index)
	case otherBuffer:
		c.staging.gathered = max(c.staging.gathered, width)
	}
	if c.inLoop[buf.Index] {
		switch {
		case o.place == otherBuffer:
			f := c.fetched[buf.Index]
			c.touched = append(c.touched, f)
			return f.dst
		case o.isOfEdges():
			r := c.recalled[buf.Index]
			c.touched = append(c.touched, r)
			return r.dst
		}
	}
	return o
}

// pick finds the part of x's row that belongs to the type of the edge.
func (c *compiler[T]) pick(x *ir.Value) operand[T] {
	o := c.operand(x)
	o.types = c.prog.plan.Program.Types.Edge
	o.width /= o.types
	return o
}

func (c *compiler[T]) argument(v *ir.Value, to ir.Shape) argument[T] {
	return argument[T]{operand: c.operand(v), cast: newCast(v.Shape, to)}
}

// instrs compiles the values of a level in order.
func (c *compiler[T]) instrs(at level, vs []*ir.Value) []instr[T] {
	var out []instr[T]
	for _, v := range vs {
		if !c.isFree(v) && !c.inside[v] {
			c.made[v] = c.instr(at, v)
			out = append(out, c.made[v])
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
	if a := c.affine[v]; a != nil {
		return c.affineOf(v, a)
	}
	if b := c.bias[v]; b != nil {
		c.spread(at, v)
		c.spread(at, b.product.Args[0])
		return c.productOf(at, b.product, b)
	}
	if s := c.weightedSum(at, v); s != nil {
		return s
	}
	args := v.Args
	if v.Op.Info().Class == ir.Dense {
		args = args[:1] // a weight is packed
	}
	for _, a := range append([]*ir.Value{v}, args...) {
		c.spread(at, a)
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
		if gt := v.Args[0]; c.inside[gt] && c.isGate(v) {
			return c.gate(at, v)
		} else if c.inside[gt] {
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
		return &degrees[T]{dst: c.register(at, v), dir: v.Attr.Dir, typed: v.Attr.Typed}
	case ir.OpExpand:
		return &expansion[T]{at: at, x: arg(0), dst: c.register(at, v)}
	case ir.OpConcat, ir.OpSlice, ir.OpPad:
		return c.columns(at, v)
	case ir.OpPermute:
		index := ir.PermuteIndex(v.Args[0].Shape, v.Attr.Shape)
		return &permutation[T]{at: at, x: c.operand(v.Args[0]), dst: c.register(at, v), index: index}
	case ir.OpMaxLast, ir.OpFirstMax:
		x := v.Args[0]
		i := rowMax[T]{at: at, x: c.operand(x), dst: c.register(at, v), cols: x.Shape[len(x.Shape)-1]}
		if v.Op == ir.OpFirstMax {
			return &firstMax[T]{i}
		}
		return &i
	case ir.OpMatMul, ir.OpMatMulT:
		return c.productOf(at, v, nil)
	case ir.OpWinner:
		find := c.operand
		if v.Attr.Typed {
			find = c.pick
		}
		return &winner[T]{x: find(v.Args[0]), y: find(v.Args[1]), dst: c.register(at, v), listed: c.listing.reads(v)}
	}
	panic(fmt.Sprintf("BUG: cpu: no instruction for %v", v))
}

// spread makes room for the rows of a value spread to the shape of an op.
func (c *compiler[T]) spread(at level, v *ir.Value) {
	if !c.roomless[c.base(v)] {
		c.scratch[at] = max(c.scratch[at], v.Width())
	}
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
		worthwhile := 2 // columns for a call of the kernel: a sum may end with it,
		if at == overEdges {
			worthwhile = 8 // which no value of edges is
		}
		if y.cast.kind == inner && x.cast.kind == same && y.cast.group >= worthwhile {
			return &scale[T]{at: at, x: x, y: y, dst: dst, group: y.cast.group}
		}
		if x.cast.kind == inner && y.cast.kind == same && x.cast.group >= worthwhile {
			return &scale[T]{at: at, x: y, y: x, dst: dst, group: x.cast.group}
		}
	}
	if p := c.pair(at, v, &x, &y, dst); p != nil {
		return p
	}
	if i := c.withOwn(at, v, &x, &y, dst); i != nil {
		return i
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
		if at == overRows {
			c.writesOwn(s.Buffer.Index)
		}
		if s.Buffer.Type == ir.I32 {
			out = append(out, &storeIDs[T]{at: at, x: x, buffer: s.Buffer.Index})
		} else {
			out = append(out, &store[T]{at: at, x: x, buffer: s.Buffer.Index, to: c.prog.edgePlace(s.Buffer)})
		}
	}
	return out
}
