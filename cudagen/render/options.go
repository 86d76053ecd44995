package render

// How kernels are cut: what a tuner can turn.

import (
	"math/bits"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Options steer rendering. The zero value is a good choice.
type Options struct {
	Tuning
	Steps map[int]Tuning // of single steps, in place of Tuning; Chunk and Hub are one for all

	// Degree is the average number of edges of a row that kernels can expect; 0 for
	// 16. Rows of many edges and few columns are shared by more threads.
	Degree int
}

// Tuning is how the kernels of a step are cut. 0 stands for the default.
type Tuning struct {
	// Lanes is the number of threads beside each other along a row's columns, a
	// power of 2 up to 256. The default covers the widest row with vectors of 16 bytes,
	// in a warp at most. Rows that take more than 64 numbers of a thread have more
	// lanes, up to a block's, and so have those whose outer products are summed for more
	// than 32.
	Lanes int
	// Slots is the number of a row's edges that a group takes side by side, a power of
	// 2 so that Lanes*Slots <= 32. The default gives a slot 4 edges of an average row; a
	// row whose edges call for exponentials or the like has half a warp at most, for a
	// slot without an edge then costs what the others cost. So the tuner found it for GCN
	// and GAT of 16 and 64 columns, 20 edges a row, on an H200: by 8 to 19 % of a kernel's
	// time.
	Slots int
	// Unroll is the number of edges whose loads a thread has in flight. The default is
	// 4, and less where a row takes many numbers of a thread.
	Unroll int
	// Block is the number of threads of a block, a power of 2; 128.
	Block int
	// Hub is the number of edges beyond which a row is cut into chunks; 512. Chunk is
	// their length; 256. A group waits for memory about once for Slots*Unroll edges, so
	// a longer row would take longer than all others together on graphs that fill a GPU
	// a few times over.
	Hub, Chunk int
	// Nest is the number of edge types from which on the types of a row are an outer loop
	// and the edges of a type the inner one, as far as what reads an aggregate of each
	// type allows it; 3. With -1 an aggregate always has accumulators for all types.
	Nest int
}

const (
	warp      = 32
	maxLanes  = 256
	maxHeld   = 64       // numbers of a row that a thread has
	maxOuter  = 32       // numbers of a sum of outer products that a thread had better have
	maxShared = 48 << 10 // bytes of static shared memory
	maxGroups = 8192     // of a grid with partial sums, those that have one together counted once, and
	maxSums   = 1 << 22  // the partial sums that they have together
)

func (o Options) filled() Options {
	if o.Degree == 0 {
		o.Degree = 16
	}
	if o.Block == 0 {
		o.Block = 128
	}
	if o.Hub == 0 {
		o.Hub = 512
	}
	if o.Chunk == 0 {
		o.Chunk = 256
	}
	return o
}

// check refuses what threads cannot be cut into.
func (t Tuning) check() {
	for _, c := range []struct {
		what   string
		n, max int
	}{{"lanes", t.Lanes, maxLanes}, {"slots", t.Slots, warp}, {"threads of a block", t.Block, 1024}} {
		if c.n < 0 || c.n > c.max || c.n&(c.n-1) != 0 {
			refuse("%d %s are no power of 2 up to %d", c.n, c.what, c.max)
		}
	}
	if t.Unroll < 0 || t.Unroll > warp {
		refuse("%d edges in flight", t.Unroll)
	}
	if t.Nest < -1 {
		refuse("loops over %d types", t.Nest)
	}
}

// tuning is that of the step.
func (r *renderer) tuning() Tuning {
	t := r.options.Tuning
	if own, ok := r.options.Steps[r.step]; ok {
		t = own
		if t.Block == 0 {
			t.Block = r.options.Block
		}
	}
	if t.Nest == 0 {
		t.Nest = 3
	}
	t.check()
	return t
}

// shape is how a kernel's threads are cut.
type shape struct {
	lanes, slots, unroll int
	groups               int // of a block
}

// threads is the number of threads of a group.
func (s shape) threads() int { return s.lanes * s.slots }

// block is the number of threads of a block.
func (s shape) block() int { return s.groups * s.threads() }

// shapeFor cuts the threads for rows whose widest is given, as is the size of the
// largest outer product that is summed over rows, and whether there are loops and their
// edges call for functions.
func (r *renderer) shapeFor(width, outer int, loops, heavy bool) shape {
	o, t := r.options, r.tuning()
	s := shape{lanes: t.Lanes, slots: t.Slots, unroll: t.Unroll}
	v := vectorOf(width, r.plan.Program.Type)
	if s.lanes == 0 {
		s.lanes = min(powerOf2((width+v-1)/v), warp)
		if outer <= maxHeld*maxLanes { // then its sums are in registers
			s.lanes = max(s.lanes, min(powerOf2((outer+maxOuter-1)/maxOuter), maxLanes))
		}
	}
	for s.lanes < maxLanes && (width+s.lanes-1)/s.lanes > maxHeld {
		s.lanes *= 2
	}
	if held := (width + s.lanes - 1) / s.lanes; held > maxHeld {
		refuse("a row of %d numbers: %d threads hold %d at most", width, s.lanes, s.lanes*maxHeld)
	}
	if s.slots == 0 {
		s.slots = 1
		most := warp
		if heavy {
			most /= 2
		}
		for loops && s.slots*8 <= o.Degree && s.slots*2*s.lanes <= most {
			s.slots *= 2
		}
	}
	if s.lanes > warp {
		s.slots = 1
	}
	s.slots = max(min(s.slots, warp/min(s.lanes, warp)), 1)
	if s.unroll == 0 {
		held := (width + s.lanes - 1) / s.lanes
		s.unroll = max(min(4, 32/max(held, 1)), 1)
	}
	s.groups = max(t.Block/s.threads(), 1)
	if s.lanes > warp {
		s.groups = 1
	}
	return s
}

// vectorOf is how many numbers of a row of the width a load takes: as many as 16
// bytes hold if the width is a multiple of that.
func vectorOf(width int, t ir.DType) int {
	v := 16 / t.Size()
	for v > 1 && width%v != 0 {
		v /= 2
	}
	return v
}

// powerOf2 is the smallest power of 2 that is at least n.
func powerOf2(n int) int {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}
