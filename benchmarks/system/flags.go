package system

// What a call is to do.

// Op is what two values become that meet on an edge: ⊗ of the paper.
type Op uint8

// The operations, element by element but for OpDot, the inner product of a head's
// features, which SDDMMvv alone has. OpCopy, which SDDMMve alone has, is the vertex's
// value.
const (
	OpMul Op = iota
	OpAdd
	OpSub
	OpDiv
	OpDot
	OpCopy
	numOps
)

// Reduce is what the values of a vertex's edges become: ⊕ of the paper. Over no edges
// it is 0. A mean is a sum with NormMean.
type Reduce uint8

// The reductions.
const (
	Sum Reduce = iota
	Max
	Min
	numReduces
)

// Norm is the normalisation by degree: the coefficient c_e of the edge u→v, for
// in-degrees d⁻ and out-degrees d⁺, which count edges, and 0 as 1. Seen as matrices, with
// A_vu the edges from u to v, the graph is replaced by S, and a transposed call
// multiplies by Sᵀ: degrees that divide results of the call divide the operand of its
// transposed one. Degrees are those of the graph as it was given, whatever the direction.
type Norm uint8

// The normalisations.
const (
	NormNone Norm = iota // S = A
	NormMean             // S = D⁻^-1 A: c_e = 1/d⁻_v, the mean over in-neighbours
	NormLeft             // S = A D⁺^-1: c_e = 1/d⁺_u, each vertex spreads its value evenly
	NormBoth             // S = D⁻^-½ A D⁺^-½: c_e = 1/√(d⁻_v d⁺_u), as in GCN
	numNorms
)

var (
	opNames     = [numOps]string{"mul", "add", "sub", "div", "dot", "copy"}
	reduceNames = [numReduces]string{"sum", "max", "min"}
	normNames   = [numNorms]string{"none", "mean", "left", "both"}
)

func name(names []string, i uint8) string {
	if int(i) >= len(names) {
		return "invalid"
	}
	return names[i]
}

func (o Op) String() string     { return name(opNames[:], uint8(o)) }
func (r Reduce) String() string { return name(reduceNames[:], uint8(r)) }
func (n Norm) String() string   { return name(normNames[:], uint8(n)) }

// Flags say what a call is to do. What a call does not have is zero: SpMMv and SpMMe
// have no operator, SDDMM no reduction, only sums of SpMMv and of SpMMve with OpMul or
// OpDiv a normalisation. A system may divide by multiplying with the reciprocal.
type Flags struct {
	Op        Op
	Reduce    Reduce
	Norm      Norm
	Transpose bool
}

// String is readable and short: "mul, sum, both, transposed".
func (f Flags) String() string {
	s := f.Op.String() + ", " + f.Reduce.String()
	if f.Norm != NormNone {
		s += ", " + f.Norm.String()
	}
	if f.Transpose {
		s += ", transposed"
	}
	return s
}
