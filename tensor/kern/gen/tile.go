// The tile kernel of the matrix product, C = A·B, as an avo program.

package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile is one kernel: a panel of C, any number of rows by at most two vectors of
// columns, row tile by row tile with the sums in registers. An element of C is one
// sum in the order of the depth, whatever the tile's height, so results do not
// depend on how C is cut.
type tile struct {
	isa, name string
	elem      elem
	width     int   // bytes of a vector
	heights   []int // rows of a tile, descending to 1
	lower     []int // numbers of rows left that two tiles of the second height suit better
	unrolled  int   // steps of the depth that the highest tile takes at once, a multiple of 4 or 0
	mask      reg.Register
	table     operand.Mem // windows on it are masks, for AVX2
	nextStep  operand.Mem // bytes from a line of what comes next to another
}

func tiles() []*tile {
	var all []*tile
	for _, e := range []elem{f32, f64} {
		all = append(all,
			&tile{isa: "avx512", elem: e, width: 64, heights: []int{14, 8, 4, 2, 1}, lower: []int{16, 17}, mask: reg.K1},
			&tile{isa: "avx2", elem: e, width: 32, heights: []int{6, 4, 2, 1}, lower: []int{8, 9}, mask: reg.Y15, unrolled: 8})
	}
	for _, t := range all {
		t.name = "gemm" + strings.ToUpper(t.isa) + strings.ToUpper(t.elem.name)
	}
	return all
}

// perVector is how many elements a vector has.
func (t *tile) perVector() int { return t.width / t.elem.bytes() }

// shape is a case of the number of columns.
type shape struct {
	label   string
	mode    uint32 // the bits of which mode must have one; 0 if it does not matter
	cols    int    // at most
	width   int    // bytes of a vector
	vectors int
	masked  bool   // the last vector may not be full
	next    string // the label of the case of more columns
}

// shapes lists the cases. With AVX-512 a mask costs nothing, so the last vector
// always has one. There a panel of one vector's columns can be computed in vectors of
// half the size: with one multiplication for each element of A that is broadcast,
// the broadcasts are the limit, and those of 512 bits take some processors twice
// as long (Zen 4: 80 GFLOP/s so, 105 with 256 bits; Zen 5: 230 so, 115 with 256 bits).
// AVX2's masked stores are slow.
func (t *tile) shapes() []shape {
	w := t.perVector()
	if t.isa == "avx512" {
		return []shape{
			{label: "half", cols: w / 2, width: 32, vectors: 1, masked: true, next: "more"},
			{label: "halves", mode: modeHalves, cols: w, width: 32, vectors: 2, masked: true, next: "whole"},
			{label: "one", cols: w, width: 64, vectors: 1, masked: true, next: "wide"},
			{label: "two", cols: 2 * w, width: 64, vectors: 2, masked: true},
		}
	}
	return []shape{
		{label: "partOne", cols: w - 1, width: 32, vectors: 1, masked: true, next: "more"},
		{label: "one", cols: w, width: 32, vectors: 1, next: "wide"},
		{label: "partTwo", cols: 2*w - 1, width: 32, vectors: 2, masked: true, next: "full"},
		{label: "two", cols: 2 * w, width: 32, vectors: 2},
	}
}

// registers are the vector registers of a case.
type registers struct {
	sums []reg.VecPhysical
	bs   []reg.VecPhysical // a row of B
	as   []reg.VecPhysical // broadcast elements of A, in turn
}

func (t *tile) registers(s shape) registers {
	switch {
	case s.width == 64:
		return registers{zmm[:28], zmm[28:30], zmm[30:]}
	case t.isa == "avx512":
		return registers{ymm[:28], ymm[28:30], ymm[30:]}
	}
	return registers{ymm[:12], ymm[12:14], ymm[14:15]} // and the mask
}

var zmm, ymm = vectors(reg.VecPhysical.AsZ), vectors(reg.VecPhysical.AsY)

// vectors returns the 32 vector registers in one of their sizes.
func vectors(as func(reg.VecPhysical) reg.Register) []reg.VecPhysical {
	var all []reg.VecPhysical
	for _, r := range []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	} {
		all = append(all, as(r).(reg.VecPhysical))
	}
	return all
}

// The general registers.
var (
	rA       = reg.RDI // the tile's first element of A
	rARow    = reg.RSI // bytes from a row of A to the next
	rARow3   = reg.R8  // three times that
	rADepth  = reg.R9  // bytes from a column of A to the next
	rB       = reg.R10
	rBDepth  = reg.R11 // bytes from a row of B to the next
	rC       = reg.R12 // the tile's first element of C
	rCRow    = reg.R13
	rDepth   = reg.RCX // what is left of the depth
	rWalk    = []reg.GPPhysical{reg.RAX, reg.RBX, reg.RDX}
	rBDepth3 = reg.RDX // three times rBDepth, where two registers walk
	rAhead   = reg.R14 // what to prefetch of A
	rStep    = reg.R15 // bytes from there to what to prefetch next
	rNext    = reg.RBP // what to bring to the second-level cache; saved, as there is a frame
	rScratch = reg.RAX // outside the depth loop
	rMode    = reg.RBX
	rOut     = reg.RDX
)

// The bits of mode; package kern has the same.
const (
	modeAccumulate = 1
	modeReLU       = 2
	modePast       = 4
	modeHalves     = 8
)

// write adds the kernel to a file.
func (t *tile) write(c *build.Context) {
	if t.isa == "avx2" {
		t.table = t.maskTable(c)
	}
	c.Function(t.name)
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr(fmt.Sprintf("func(rows, cols, depth int, a *%[1]s, aRow, aDepth int, b *%[1]s, bDepth int, c *%[1]s, cRow int, bias *%[1]s, mode int, next *%[1]s)", t.elem.typ))
	c.Pragma("noescape")
	c.Doc(fmt.Sprintf("%s computes rows x cols of C, 1 <= cols <= %d, as GemmKernel says.", t.name, 2*t.perVector()))
	left := c.AllocLocal(8) // rows left
	t.nextStep = c.AllocLocal(8)

	c.Load(c.Param("a"), rA)
	c.Load(c.Param("aRow"), rARow)
	c.Load(c.Param("aDepth"), rADepth)
	c.Load(c.Param("bDepth"), rBDepth)
	c.Load(c.Param("c"), rC)
	c.Load(c.Param("cRow"), rCRow)
	for _, r := range []reg.GPPhysical{rARow, rADepth, rBDepth, rCRow} {
		c.SHLQ(operand.U8(t.elem.shift), r)
	}
	c.LEAQ(operand.Mem{Base: rARow, Index: rARow, Scale: 2}, rARow3)
	// A step ahead per step down: along rows of A a line, or what a tile has of a column
	// if that is less than half of one, along columns a row.
	step := 64
	if part := t.heights[0] * t.elem.bytes(); part < step/2 {
		step = part
	}
	c.MOVQ(operand.U32(step), rStep)
	c.CMPQ(rADepth, rStep)
	c.CMOVQGT(rADepth, rStep)
	// What comes next, line by line, or the same line again.
	c.MOVQ(operand.U32(64), t.nextStep)
	c.Load(c.Param("next"), rNext)
	c.TESTQ(rNext, rNext)
	c.JNZ(operand.LabelRef("ahead"))
	c.MOVQ(rA, rNext)
	c.MOVQ(operand.U32(0), t.nextStep)
	c.Label("ahead")
	c.Load(c.Param("rows"), rScratch)
	c.MOVQ(rScratch, left)

	c.Load(c.Param("cols"), rDepth)
	for _, s := range t.shapes() {
		if s.next != "" {
			c.CMPQ(rDepth, operand.U32(s.cols))
			c.JG(operand.LabelRef(s.next))
		}
		if s.mode != 0 {
			c.Load(c.Param("mode"), rMode)
			c.TESTQ(operand.U32(s.mode), rMode)
			c.JZ(operand.LabelRef(s.next))
		}
		t.setMask(c, s)
		t.panel(c, s, left)
		if s.next != "" {
			c.Label(s.next)
		}
	}
}

// setMask lets the mask select the columns of the last vector; rDepth is the
// number of columns.
func (t *tile) setMask(c *build.Context, s shape) {
	if !s.masked {
		return
	}
	if s.vectors == 2 {
		c.SUBQ(operand.U8(s.width/t.elem.bytes()), rDepth)
	}
	if t.isa == "avx512" {
		c.MOVL(operand.U32(1), rScratch.As32())
		c.SHLL(reg.CL, rScratch.As32())
		c.DECL(rScratch.As32())
		c.KMOVW(rScratch.As32(), t.mask)
		return
	}
	// A window on ones followed by zeros.
	c.LEAQ(t.table.Offset(t.width), rScratch)
	c.SHLQ(operand.U8(t.elem.shift), rDepth)
	c.SUBQ(rDepth, rScratch)
	c.VMOVDQU(operand.Mem{Base: rScratch}, t.mask)
}
