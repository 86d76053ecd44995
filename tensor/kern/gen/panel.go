// The body of a tile kernel: the depth loop and what follows it.

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panel computes all rows of C for one case of columns, the tallest tiles first. The
// sums of a low tile are so few that each waits for itself, so what is left of the
// rows is spread over higher ones where that helps.
func (t *tile) panel(c *build.Context, s shape, left operand.Mem) {
	label := func(height int) string { return fmt.Sprintf("%s%d", s.label, height) }
	done := s.label + "Done"
	for i, h := range t.heights {
		next := done
		if i+1 < len(t.heights) {
			next = label(t.heights[i+1])
		}
		c.Label(label(h))
		c.CMPQ(left, operand.U32(h))
		c.JLT(operand.LabelRef(next))
		if i == 0 {
			for _, n := range t.lower {
				c.CMPQ(left, operand.U32(n))
				c.JEQ(operand.LabelRef(next))
			}
		}
		t.body(c, s, h, label(h))
		c.SUBQ(operand.U32(h), left)
		if i <= 1 {
			c.JMP(operand.LabelRef(label(h)))
		}
	}
	c.Label(done)
	c.VZEROUPPER()
	c.RET()
}

// body computes one tile and moves on to the one below.
func (t *tile) body(c *build.Context, s shape, height int, label string) {
	o, r := t.elem.ops(c), t.registers(s)
	sum := func(row, v int) reg.VecPhysical { return r.sums[row*s.vectors+v] }
	each := func(f func(row, v int)) {
		for row := range height {
			for v := range s.vectors {
				f(row, v)
			}
		}
	}
	// eachOut does the same with the address of the row of C.
	eachOut := func(f func(row, v int, at operand.Mem)) {
		c.MOVQ(rC, rOut)
		for row := range height {
			for v := range s.vectors {
				f(row, v, s.vector(rOut, v))
			}
			if row+1 < height {
				c.ADDQ(rCRow, rOut)
			}
		}
	}

	c.Comment(fmt.Sprintf("%d rows, %d vectors", height, s.vectors))
	// C's next panel; storing to this one was prepared the same way.
	t.unlessPast(c, s, label+"Begun", func() {
		eachOut(func(_, v int, _ operand.Mem) { c.PREFETCHT0(s.vector(rOut, s.vectors+v)) })
	}, nil)
	each(func(row, v int) { t.zero(c, sum(row, v)) })
	t.startRows(c, height)
	// A's next tile: the last byte of its first column, so that columns that cross
	// a cache line are there too.
	c.IMUL3Q(operand.U32(height), rARow, rAhead)
	c.LEAQ(operand.Mem{Base: rA, Index: rAhead, Scale: 1, Disp: height*t.elem.bytes() - 1}, rAhead)
	c.Load(c.Param("b"), rB)
	c.Load(c.Param("depth"), rDepth)
	if height == t.heights[0] && t.unrolled > 0 {
		t.unroll(c, s, label)
	}
	c.TESTQ(rDepth, rDepth)
	c.JZ(operand.LabelRef(label + "Summed"))
	c.Label(label + "Depth")
	if height == t.heights[0] {
		prefetch := c.PREFETCHT0
		if t.isa == "avx512" && s.vectors == 1 { // a tall A streams by, faster than to the first cache
			prefetch = c.PREFETCHT1
		}
		prefetch(operand.Mem{Base: rAhead})
		c.ADDQ(rStep, rAhead)
		if s.vectors > 1 { // else loads are the limit
			c.PREFETCHT1(operand.Mem{Base: rNext})
			c.ADDQ(t.nextStep, rNext)
		}
	}
	t.step(c, s, height, operand.Mem{Base: rB}, 0)
	for i := 0; i*rowsPerWalk < height; i++ {
		c.ADDQ(rADepth, rWalk[i])
	}
	c.ADDQ(rBDepth, rB)
	c.DECQ(rDepth)
	c.JNZ(operand.LabelRef(label + "Depth"))
	c.Label(label + "Summed")

	c.Load(c.Param("mode"), rMode)
	c.TESTQ(operand.U32(modeAccumulate), rMode)
	c.JZ(operand.LabelRef(label + "Fresh"))
	eachOut(func(row, v int, at operand.Mem) {
		t.load(o, s, v, at, r.bs[v])
		o.add(r.bs[v], sum(row, v), sum(row, v))
	})
	c.Label(label + "Fresh")

	c.Load(c.Param("bias"), rScratch)
	c.TESTQ(rScratch, rScratch)
	c.JZ(operand.LabelRef(label + "Unbiased"))
	for v := range s.vectors {
		t.load(o, s, v, s.vector(rScratch, v), r.bs[v])
	}
	each(func(row, v int) { o.add(r.bs[v], sum(row, v), sum(row, v)) })
	c.Label(label + "Unbiased")

	c.TESTQ(operand.U32(modeReLU), rMode)
	c.JZ(operand.LabelRef(label + "Linear"))
	t.zero(c, r.bs[0])
	// The last source is what comes out if one is a NaN: the sum.
	each(func(row, v int) { o.max(sum(row, v), r.bs[0], sum(row, v)) })
	c.Label(label + "Linear")

	t.unlessPast(c, s, label+"Stored", func() {
		eachOut(func(row, v int, at operand.Mem) { t.store(o, s, v, sum(row, v), at) })
	}, func() {
		eachOut(func(row, v int, at operand.Mem) { o.movePast(sum(row, v), at) })
	})
	for _, x := range [][2]reg.GPPhysical{{rARow, rA}, {rCRow, rC}} {
		c.IMUL3Q(operand.U32(height), x[0], rScratch)
		c.ADDQ(rScratch, x[1])
	}
}

// full tells whether a case's panels may be written past the caches: those that have all columns
// of a tile, which are whole lines. AVX2's, of one line, gain nothing.
func (t *tile) full(s shape) bool { return t.isa == "avx512" && s.cols == 2*t.perVector() }

// unlessPast does what near does, or what past does, nothing if it is nil, where mode asks for that
// and the case allows it; both go on at label.
func (t *tile) unlessPast(c *build.Context, s shape, label string, near, past func()) {
	if !t.full(s) {
		near()
		return
	}
	c.Load(c.Param("mode"), rMode)
	c.TESTQ(operand.U32(modePast), rMode)
	if past == nil {
		c.JNZ(operand.LabelRef(label))
		near()
	} else {
		c.JNZ(operand.LabelRef(label + "Past"))
		near()
		c.JMP(operand.LabelRef(label))
		c.Label(label + "Past")
		past()
	}
	c.Label(label)
}

// step adds the products of one column of A, which is so many steps down from where the
// walking registers are, with a row of B.
func (t *tile) step(c *build.Context, s shape, height int, b operand.Mem, down int) {
	o, r := t.elem.ops(c), t.registers(s)
	for v := range s.vectors {
		t.load(o, s, v, b.Offset(v*s.width), r.bs[v])
	}
	for row := range height {
		a := r.as[row%len(r.as)]
		o.broadcast(t.element(row).Offset(down*t.elem.bytes()), a)
		for v := range s.vectors {
			o.fma(r.bs[v], a, r.sums[row*s.vectors+v])
		}
	}
}

// unroll takes several steps down at once while there are as many, if A's rows are contiguous:
// what is left besides loads and products is a seventh of the instructions in place of a third,
// which counts where two threads share a core and its front end.
func (t *tile) unroll(c *build.Context, s shape, label string) {
	const line = 64
	height, bytes := t.heights[0], t.elem.bytes()
	c.CMPQ(rADepth, operand.U32(bytes))
	c.JNE(operand.LabelRef(label + "Single"))
	c.SUBQ(operand.U32(t.unrolled), rDepth)
	c.JLT(operand.LabelRef(label + "Left"))
	c.LEAQ(operand.Mem{Base: rBDepth, Index: rBDepth, Scale: 2}, rBDepth3)
	c.Label(label + "Several")
	for at := 0; at < t.unrolled*height*bytes; at += line {
		c.PREFETCHT0(operand.Mem{Base: rAhead, Disp: at})
	}
	c.ADDQ(operand.U32(t.unrolled*height*bytes), rAhead)
	if s.vectors > 1 {
		for range t.unrolled / 3 {
			c.PREFETCHT1(operand.Mem{Base: rNext})
			c.ADDQ(t.nextStep, rNext)
		}
	}
	for down := range t.unrolled {
		b := operand.Mem{Base: rB}
		switch n := down % 4; n {
		case 1, 2:
			b.Index, b.Scale = rBDepth, uint8(n)
		case 3:
			b.Index, b.Scale = rBDepth3, 1
		}
		t.step(c, s, height, b, down)
		if down%4 == 3 {
			c.LEAQ(operand.Mem{Base: rB, Index: rBDepth, Scale: 4}, rB)
		}
	}
	for i := 0; i*rowsPerWalk < height; i++ {
		c.ADDQ(operand.U32(t.unrolled*bytes), rWalk[i])
	}
	c.SUBQ(operand.U32(t.unrolled), rDepth)
	c.JGE(operand.LabelRef(label + "Several"))
	c.Label(label + "Left")
	c.ADDQ(operand.U32(t.unrolled), rDepth)
	c.Label(label + "Single")
}

// vector is the address of vector v of a row.
func (s shape) vector(row reg.Register, v int) operand.Mem {
	return operand.Mem{Base: row, Disp: v * s.width}
}

// rowsPerWalk is how many rows of A are reached from one register that walks
// along the depth: the others lie 1, 2, 3 and 4 strides further on.
const rowsPerWalk = 5

// startRows lets the walking registers point to rows 0, 5, 10 of A.
func (t *tile) startRows(c *build.Context, height int) {
	c.MOVQ(rA, rWalk[0])
	for i := 1; i*rowsPerWalk < height; i++ {
		c.LEAQ(operand.Mem{Base: rWalk[i-1], Index: rARow, Scale: 4}, rWalk[i])
		c.ADDQ(rARow, rWalk[i])
	}
}

// element is the address of A's element in a row of the tile.
func (t *tile) element(row int) operand.Mem {
	walk := rWalk[row/rowsPerWalk]
	switch n := row % rowsPerWalk; n {
	case 0:
		return operand.Mem{Base: walk}
	case 3:
		return operand.Mem{Base: walk, Index: rARow3, Scale: 1}
	default:
		return operand.Mem{Base: walk, Index: rARow, Scale: uint8(n)}
	}
}

// load reads vector v of a row that lies at an address.
func (t *tile) load(o ops, s shape, v int, at operand.Mem, to reg.VecPhysical) {
	switch {
	case !s.masked || v+1 < s.vectors:
		o.move(at, to)
	case t.isa == "avx512":
		o.loadK(at, t.mask, to)
	default:
		o.maskMove(at, t.mask, to)
	}
}

// store writes vector v of a row that lies at an address.
func (t *tile) store(o ops, s shape, v int, from reg.VecPhysical, at operand.Mem) {
	switch {
	case !s.masked || v+1 < s.vectors:
		o.move(from, at)
	case t.isa == "avx512":
		o.storeK(from, t.mask, at)
	default:
		o.maskMove(from, t.mask, at)
	}
}

// maskTable is a vector of ones and one of zeros; a window on it selects the
// first elements of a vector.
func (t *tile) maskTable(c *build.Context) operand.Mem {
	table := c.StaticGlobal(t.name + "Mask")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 2 * t.width / 8 {
		ones := operand.U64(0)
		if i < t.width/8 {
			ones = ^ones
		}
		c.AddDatum(8*i, ones)
	}
	return table
}
