// The programs: each what one vertex does, and what it is held against.

package main

import (
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

const leakySlope = 0.2

// pass says what of a program is timed.
type pass uint8

const (
	forward  pass = iota
	training      // the result and the gradients
	backward      // the gradients alone: peers are not asked
	penalty       // the gradients of the sum of squares of the gradients: through these
)

var passNames = [...]string{"forward", "forward+backward", "backward", "gradient penalty"}

func (p pass) String() string { return passNames[p] }

// A program is one row of the tables for each graph and width.
type program struct {
	name   string
	pass   pass
	form   string   // its name in peers.py
	peers  []string // forms that peers.py has
	f      func(v vc.Vertex) vc.Value
	inputs func(g *graph.Graph, width int) []input
	wanted []string // inputs whose gradients are wanted, unless forward
	types  int      // of edges; 0 for a program that knows of none: it runs on graphs without

	// target is the geometric mean of speed-ups over the best peer to reach, and
	// atLeast what no case may fall below; 0 if the row only informs.
	target, atLeast float64
	// roofline is the share of the pure gather's speed to reach at widths of 64
	// and more; 0 for none.
	roofline float64
	// tolerance is how far values may differ from a peer's, measured against the
	// largest of their tensor; usualTolerance if 0.
	tolerance float64
	// strays is the share of values that may differ by more.
	strays float64
}

func (p program) title() string { return p.name + " " + p.pass.String() }

// worstCase is the speed-up that no case of a judged program may miss.
const worstCase = 1.5

// The forms of peers.py, and the table's columns.
const (
	formCSR    = "csr"
	formCSROwn = "csr-own" // with a gradient rule of its own: PyTorch has none
	formGather = "gather"
	formPyG    = "pyg"
	formPyGCSR = "pyg-csr"
	formDGL    = "dgl"
	formSplit  = "split" // with the first layer of an edge's MLP computed for vertices, as our compiler does by itself
	formDGLOwn = "dgl-split"
)

var (
	allForms = []string{formCSR, formCSROwn, formGather, formSplit, formPyG, formPyGCSR, formDGL, formDGLOwn}
	// rewritten are those that we wrote for peers to be faster than what they have.
	rewritten = []string{formCSROwn, formSplit, formDGLOwn}
)

var (
	usualForms    = []string{formCSR, formGather, formPyG, formDGL}
	trainingForms = []string{formCSROwn, formGather, formPyG, formDGL}
	gcnForms      = []string{formCSR, formGather, formPyG, formPyGCSR, formDGL}
)

func programs() []program {
	gat := []string{"h", "el", "er"}
	rgcn := []string{"h", "W"}
	mlp := []string{"h", "W1", "b1", "W2", "b2"}
	edgeForms := []string{formGather, formSplit, formPyG, formDGL, formDGLOwn}
	return []program{
		{name: "gcn", form: "gcn", peers: gcnForms, f: aggregate, inputs: gcnInputs, target: 3, atLeast: worstCase, roofline: 0.75},
		{name: "appnp step", form: "appnp", peers: usualForms, f: appnp, inputs: appnpInputs},
		{name: "max pool", form: "pool", peers: usualForms, f: pool, inputs: poolInputs},
		{name: "gat", form: "gat", peers: usualForms, f: attention, inputs: gatInputs(1), target: 4, atLeast: worstCase, roofline: 0.75},
		{name: "gat 8 heads", form: "gat", peers: usualForms, f: attention, inputs: gatInputs(8)},
		{name: "gat", pass: training, form: "gat", peers: trainingForms, f: attention, inputs: gatInputs(1), wanted: gat, target: 10, atLeast: worstCase},
		{name: "gat 8 heads", pass: training, form: "gat", peers: trainingForms, f: attention, inputs: gatInputs(8), wanted: gat},
		{name: "gat", pass: backward, form: "gat", f: attention, inputs: gatInputs(1), wanted: gat, roofline: 0.5},
		{name: "gat", pass: penalty, form: "gat", peers: []string{formGather, formPyG}, f: attention, inputs: gatInputs(1), wanted: gat, tolerance: 1e-3},
		{name: "rgcn", form: "rgcn", peers: usualForms, f: relational, inputs: rgcnInputs, types: edgeTypes, target: 5, atLeast: worstCase},
		{name: "rgcn", pass: training, form: "rgcn", peers: trainingForms, f: relational, inputs: rgcnInputs, types: edgeTypes, wanted: rgcn, target: 5, atLeast: worstCase},
		{name: "edgeconv", form: "edgeconv", peers: edgeForms, f: edgeConv, inputs: edgeConvInputs, target: 3, atLeast: worstCase},
		{name: "edgeconv", pass: training, form: "edgeconv", peers: edgeForms, f: edgeConv, inputs: edgeConvInputs, wanted: mlp, target: 3, atLeast: worstCase,
			// Where two edges attain a maximum within rounding, its gradient goes to either.
			tolerance: 5e-3, strays: 1e-3},
	}
}

// aggregate is GCN after its product: norm_v Σ_u norm_u h_u, where norm is 1/√degree.
func aggregate(v vc.Vertex) vc.Value {
	norm := func(v vc.Vertex) vc.Value { return v.InDegree().Maximum(vc.Number(1)).Rsqrt() }
	u := v.InNeighbors()
	return vc.Sum(u.Feature("h").Mul(norm(u))).Mul(norm(v))
}

// appnp is a step 0.9 Σ_e w_e h_u + 0.1 x_v.
func appnp(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Sum(e.Feature("w").Mul(e.Src("h"))).Scale(0.9).Add(v.Feature("x").Scale(0.1))
}

// pool is max_u h_u.
func pool(v vc.Vertex) vc.Value { return vc.Max(v.InNeighbors().Feature("h")) }

// attention is GAT after its products: features [heads width/heads], scores [heads 1].
func attention(v vc.Vertex) vc.Value {
	e := v.InEdges()
	score := e.Src("el").Add(e.Dst("er")).LeakyReLU(leakySlope)
	return vc.Sum(vc.Softmax(score).Mul(e.Src("h")))
}

// relational is R-GCN without its weight for the vertex itself: Σ_e h_u W_r / c_vr
// with r the edge's type and c_vr the number of the vertex's in-edges of type r.
func relational(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Sum(e.Src("h").MatMul(e.Type("W")).Div(e.TypeDegree()))
}

// edgeConv is max_u W2·ReLU(W1·[h_v ‖ h_u - h_v] + b1) + b2.
func edgeConv(v vc.Vertex) vc.Value {
	e := v.InEdges()
	x := vc.Concat(e.Dst("h"), e.Src("h").Sub(e.Dst("h")))
	hidden := x.MatMul(vc.Param("W1")).Add(vc.Param("b1")).ReLU()
	return vc.Max(hidden.MatMul(vc.Param("W2")).Add(vc.Param("b2")))
}
