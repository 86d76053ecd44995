package ir

// Values and programs.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shape is the shape of one row: the trailing dimensions after the vertex or
// edge dimension. A scalar per row is Shape{}.
type Shape []int

// Size is the number of elements a row holds.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Equal tells whether two shapes are the same.
func (s Shape) Equal(t Shape) bool { return slices.Equal(s, t) }

// String prints the shape as [8 4].
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, d := range s {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(d))
	}
	b.WriteByte(']')
	return b.String()
}

// DType is the type of the numbers of a value.
type DType uint8

const (
	// F32 and F64 are the number types of a program's tensors.
	F32 DType = iota
	F64
	// I32 holds edge ids: the winners of a maximum.
	I32
)

var dtypeNames = [...]string{F32: "f32", F64: "f64", I32: "i32"}

func (d DType) String() string { return dtypeNames[d] }

// InRange is x as far as the type's range goes: what float32 has no number for is ±Inf or ±0 to
// kernels, and so to whoever asks what a constant is.
func (d DType) InRange(x float64) float64 {
	if y := float64(float32(x)); d == F32 && (y == 0 || math.IsInf(y, 0)) {
		return y
	}
	return x
}

// Size is the number of bytes of one number.
func (d DType) Size() int {
	if d == F64 {
		return 8
	}
	return 4
}

// Attr holds the compile-time attributes of a value; which of them an op uses
// is a column of the op table.
type Attr struct {
	Num, Num2 float64   // constant, slope, exponent, probability; bounds of clamp
	Name      string    // input: the name it is bound by
	Dir       Dir       // aggregations: over in- or out-edges
	Res       Residency // the level of dropout, at, total and outer; the target of view and unstack
	To        Residency // total and outer: the types whose rows are summed apart; Param for all together
	Typed     bool      // aggregations and degree: one result for each edge type
	Heads     bool      // outer: one product for each of the dimension before the last
	Shape     Shape     // the target of reshape, expand and reduceto; the order of permute
	Lo, Hi    int       // slice: columns [Lo, Hi); pad: Lo columns before, Hi after
	Site      int       // dropout: which dropout of the program, so masks differ
}

// Value is one single-assignment value of a program.
type Value struct {
	ID    int
	Op    Op
	Args  []*Value
	Attr  Attr
	Res   Residency
	Type  DType
	Shape Shape
	Pos   string // file:line of the user's function that made it
}

// Width is the number of elements in a row of v.
func (v *Value) Width() int { return v.Shape.Size() }

// Level is the residency that v's op iterates over: the edges for
// aggregations and for what normalises over edges, the value's own rows for
// everything else.
func (v *Value) Level() Residency {
	switch v.Op {
	case OpSum, OpMax, OpArgmax, OpSoftmax, OpWinner, OpPick:
		return Edge
	case OpTotal, OpOuter:
		return v.Attr.Res
	}
	return v.Res
}

// Output is a named result of a program.
type Output struct {
	Name  string
	Value *Value
}

// Names of what differentiating a program adds to it.
const (
	CotangentPrefix = "cotangent " // + output: the input that holds the output's cotangent
	GradPrefix      = "grad "      // + binding: the output that holds the binding's gradient
	SavedPrefix     = "saved "     // + value: what forward keeps and backward reads
)

// Types are the numbers of types of sources, destinations and edges; 0 where
// the graph has none. On a homogeneous graph the first two are one number.
type Types struct{ Src, Dst, Edge int }

// Of is the number of rows of a value of a type residency.
func (t Types) Of(r Residency) int {
	switch r {
	case SrcType:
		return t.Src
	case DstType:
		return t.Dst
	case EdgeType:
		return t.Edge
	}
	panic("BUG: ir: " + r.String() + " has no types")
}

// Program is a list of values in dependency order and the results among them.
type Program struct {
	Name      string
	Type      DType // F32 or F64: the type of every number that is not an id
	Bipartite bool  // sources and destinations are different vertices
	Types     Types // of the graph's vertices and edges
	Values    []*Value
	Outputs   []Output
}

// Inputs returns the inputs of the program in order.
func (p *Program) Inputs() []*Value {
	var in []*Value
	for _, v := range p.Values {
		if v.Op == OpInput {
			in = append(in, v)
		}
	}
	return in
}

// Binding names what an input is bound to at run time: on a homogeneous graph a
// vertex feature is one tensor, whichever side it is read from.
func (p *Program) Binding(v *Value) string {
	kind := v.Res.String()
	switch {
	case p.Bipartite:
	case v.Res.IsVertex():
		kind = "vertex"
	case v.Res == SrcType || v.Res == DstType:
		kind = "vertextype"
	}
	return kind + " " + v.Attr.Name
}

// Uses counts, for each value, how often it is read by others and as an output.
func (p *Program) Uses() map[*Value]int {
	n := make(map[*Value]int, len(p.Values))
	for _, v := range p.Values {
		for _, a := range v.Args {
			n[a]++
		}
	}
	for _, o := range p.Outputs {
		n[o.Value]++
	}
	return n
}

// Renumber gives the values consecutive ids in their order.
func (p *Program) Renumber() {
	for i, v := range p.Values {
		v.ID = i
	}
}

// Error is misuse found while a program is traced or checked: it names the op,
// the operands, and the line of the user's function.
type Error struct {
	Op     string
	Detail string
	Pos    string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("vcentric: %s: %s", e.Op, e.Detail)
	if e.Pos != "" {
		s = e.Pos + ": " + s
	}
	return s
}

// Misuse marks the error as wrong use of the API.
func (e *Error) Misuse() {}
