package plan

// What a plan is made of.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Plan is a program as steps that run in order on row-major buffers.
type Plan struct {
	Program *ir.Program
	Buffers []*Buffer
	Steps   []Step
	Outputs []*Buffer // of each output of the program, in order
	Slots   []*Slot   // the memory of all buffers but inputs

	Decisions []Decision // what each rule came to, in program order

	bufferOf map[*ir.Value]*Buffer
}

// Role says why a buffer exists.
type Role uint8

const (
	Input  Role = iota // bound by the caller
	Output             // a result of the program
	Saved              // kept by a forward program for its backward program
	Temp               // crosses from one step to another
)

var roleNames = [...]string{Input: "input", Output: "output", Saved: "saved", Temp: "temp"}

func (r Role) String() string { return roleNames[r] }

// Buffer is a tensor of the plan: a row of the given shape for each row of its
// residency.
type Buffer struct {
	Index  int // position in Plan.Buffers
	Name   string
	Role   Role
	Res    ir.Residency
	Type   ir.DType
	Shape  ir.Shape
	Reason string // why the value is in memory and not in a kernel's registers

	// The steps from First to Last touch the buffer: First is -1 for inputs, and
	// Last is len(Plan.Steps) for what outlives the run. Slot is the position in
	// Plan.Slots of the memory it lies in meanwhile; -1 for inputs, which bring
	// their own.
	First, Last, Slot int

	home    ir.Residency // of what crosses from one plan to another (CrossInOrder)
	crosses bool
}

// Width is the number of elements in a row.
func (b *Buffer) Width() int { return b.Shape.Size() }

// Sizes is what a buffer's length depends on: the rows of each residency.
type Sizes struct {
	NumSrc, NumDst, NumEdges int
	Types                    ir.Types
}

// Rows is the leading dimension of a residency; 1 for Param.
func (s Sizes) Rows(r ir.Residency) int {
	switch r {
	case ir.Src:
		return s.NumSrc
	case ir.Dst:
		return s.NumDst
	case ir.Edge:
		return s.NumEdges
	case ir.Param:
		return 1
	}
	return s.Types.Of(r)
}

// Bytes is the size of the buffer on a graph.
func (b *Buffer) Bytes(s Sizes) int64 {
	return int64(s.Rows(b.Res)) * int64(b.Width()) * int64(b.Type.Size())
}

// BufferOf returns the buffer that holds v, or nil for a value that lives only
// inside kernels and for constants. A view shares the buffer of what it views,
// and so do the reshape of a row and a stack of types.
func (p *Plan) BufferOf(v *ir.Value) *Buffer { return p.bufferOf[resolve(v)] }

// Step is a *Kernel, a *Product or a *Total.
type Step interface{ isStep() }

func (*Kernel) isStep()  {}
func (*Product) isStep() {}
func (*Total) isStep()   {}

// Kernel is one pass over rows: destinations with their in-edges, sources with
// their out-edges, or rows without edges: the single one of Param, or one for
// each type.
//
// For each row: Pre, then each loop over the row's edges followed by its Post,
// then the totals and stores. An operand that the kernel does not compute is read from its
// buffer: at the row itself if its residency is Rows, at the other end of the
// edge if it is the other vertex residency, at the edge's id if it is Edge, at
// the type of the row, of the edge or of its other end if it is a type's.
//
// A matrix product among a kernel's values multiplies the rows of a tile by a
// matrix that is in memory: a param, or one of a type of the row or edge. A matrix of
// one number may be a constant, which has no buffer.
type Kernel struct {
	Rows   ir.Residency
	Pre    []*ir.Value // row values, in order
	Loops  []*Loop
	Stores []Store // row values to memory
	Totals []Sum   // row values summed over all rows
}

// Loop is one pass over a row's edges.
type Loop struct {
	Edge   []*ir.Value // every edge value that the loop needs, in order; those that an earlier loop had too are recomputed unless the executor kept them
	Reduce []*ir.Value // aggregates: ready when the loop ends
	Stores []Store     // edge values to memory, at the edge's id or in the order of [Plan.Home]
	Totals []Sum       // edge values summed over all edges
	Post   []*ir.Value // row values that need the aggregates, in order
}

// Sum is a reduction over all rows or edges of a kernel into one buffer: Value.Op
// is OpTotal, or OpOuter, the sum of outer products; Value.Res is Param, or the
// types whose rows or edges are summed apart. The result is there when the kernel
// has ended. Partial sums belong to ranges of rows that the graph alone fixes,
// and are added in their order.
type Sum struct {
	Value *ir.Value
	Out   *Buffer
}

// Store writes a value to a buffer.
type Store struct {
	Value  *ir.Value
	Buffer *Buffer
}

// Product is a matrix product over materialised operands: Value.Op is OpMatMul
// (A·B), OpMatMulT (A·Bᵀ) or OpOuter (Aᵀ·B over the rows of Level).
type Product struct {
	Value     *ir.Value
	A, B, Out *Buffer
	Level     ir.Residency
}

// Total sums the rows of a buffer, for each type apart if Value.Res is a type
// residency. In may be a param or a type's value, read at every row of the level.
type Total struct {
	Value   *ir.Value
	In, Out *Buffer
	Level   ir.Residency
}
