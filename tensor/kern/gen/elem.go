// Element types: the same instructions under two names.

package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elem is an element type.
type elem struct {
	name  string // in function names
	typ   string // in Go
	shift uint64 // log2 of its bytes
}

var (
	f32 = elem{"f32", "float32", 2}
	f64 = elem{"f64", "float64", 3}
)

func (e elem) bytes() int { return 1 << e.shift }

// ops are an element type's vector instructions; operands in Go's order, the
// destination last.
type ops struct {
	add, max, move, broadcast, fma func(...operand.Op)
	// To an address that is a multiple of the vector's size, past the caches.
	movePast func(operand.Op, operand.Op)
	// With a mask register: elements outside are not accessed and read as zeros.
	loadK, storeK func(...operand.Op)
	// With a mask vector, for AVX2.
	maskMove func(operand.Op, operand.Op, operand.Op)
}

func (e elem) ops(c *build.Context) ops {
	if e == f32 {
		return ops{
			add: c.VADDPS, max: c.VMAXPS, move: c.VMOVUPS, broadcast: c.VBROADCASTSS, fma: c.VFMADD231PS, movePast: c.VMOVNTPS,
			loadK:    func(o ...operand.Op) { c.VMOVUPS_Z(o[0], o[1], o[2]) },
			storeK:   c.VMOVUPS,
			maskMove: c.VMASKMOVPS,
		}
	}
	return ops{
		add: c.VADDPD, max: c.VMAXPD, move: c.VMOVUPD, broadcast: c.VBROADCASTSD, fma: c.VFMADD231PD, movePast: c.VMOVNTPD,
		loadK:    func(o ...operand.Op) { c.VMOVUPD_Z(o[0], o[1], o[2]) },
		storeK:   c.VMOVUPD,
		maskMove: c.VMASKMOVPD,
	}
}

// zero clears a vector register of an instruction set.
func (t *tile) zero(c *build.Context, v reg.VecPhysical) {
	if t.isa == "avx512" {
		c.VPXORD(v, v, v) // VXORPS knows 16 registers only
	} else {
		c.VXORPS(v, v, v)
	}
}
