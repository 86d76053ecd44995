package vcentric

// Bindings: which tensors the names in a program stand for in one run, and the
// signature they have together.

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

type bindKind uint8

const (
	vertexFeature bindKind = iota
	srcFeature
	dstFeature
	edgeFeature
	vertexTypeFeature
	srcTypeFeature
	dstTypeFeature
	edgeTypeFeature
	param
	training
)

var bindNames = [...]string{
	"vertex feature", "source feature", "destination feature", "edge feature",
	"vertex type feature", "source type feature", "destination type feature", "edge type feature", "param", "training",
}

func (k bindKind) String() string { return bindNames[k] }

// Binding gives a run one of its tensors, or says that the run trains.
type Binding struct {
	kind bindKind
	name string
	v    *autograd.Var
	seed uint64
}

// VertexFeature binds a tensor with a row per vertex of a homogeneous graph:
// [N, ...]. It can be read from both ends of an edge.
func VertexFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: vertexFeature, name: name, v: x}
}

// SrcFeature binds a tensor with a row per source vertex of a bipartite graph.
func SrcFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: srcFeature, name: name, v: x}
}

// DstFeature binds a tensor with a row per destination vertex of a bipartite graph.
func DstFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: dstFeature, name: name, v: x}
}

// EdgeFeature binds a tensor with a row per edge, in edge id order: [E, ...]. On a graph of
// [graph.Graph.SortEdges] sums over in-edges read it where it lies: one of rows with a weight each is
// 1.3 to 2.8 times as fast as where its weights have to be picked.
func EdgeFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: edgeFeature, name: name, v: x}
}

// VertexTypeFeature binds a tensor with a row per vertex type of a homogeneous
// graph with typed vertices: [T, ...]. It can be read from both ends of an edge.
func VertexTypeFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: vertexTypeFeature, name: name, v: x}
}

// SrcTypeFeature binds a tensor with a row per type of source vertices of a
// bipartite graph.
func SrcTypeFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: srcTypeFeature, name: name, v: x}
}

// DstTypeFeature binds a tensor with a row per type of destination vertices of a
// bipartite graph.
func DstTypeFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: dstTypeFeature, name: name, v: x}
}

// EdgeTypeFeature binds a tensor with a row per edge type of a graph with typed
// edges: [R, ...], such as the weights W_r of R-GCN, [R, F, O].
func EdgeTypeFeature(name string, x *autograd.Var) Binding {
	return Binding{kind: edgeTypeFeature, name: name, v: x}
}

// ParamValue binds what Param names: a tensor of any shape, shared by all.
func ParamValue(name string, x *autograd.Var) Binding {
	return Binding{kind: param, name: name, v: x}
}

// Training turns on the program's dropouts. Runs with the same seed drop the
// same elements, also runs of another program: give each run of each layer a
// seed of its own, such as nn.Stochastic hands out.
func Training(seed uint64) Binding { return Binding{kind: training, seed: seed} }

// BindError is misuse of Run: something bound does not fit the graph or the rest.
type BindError struct {
	Program, Name, Detail string
}

func (e *BindError) Error() string {
	return fmt.Sprintf("vcentric: %s: %s: %s", e.Program, e.Name, e.Detail)
}

// Misuse marks the error as wrong use of the API.
func (e *BindError) Misuse() {}

// boundShape is what a signature knows of one binding.
type boundShape struct {
	kind  bindKind
	name  string
	shape ir.Shape
	grad  bool
}

// signature is all that compiling depends on.
type signature struct {
	dtype     ir.DType
	bipartite bool
	training  bool
	types     ir.Types
	sized     bool
	degree    int // if sized, as degreeOf has it: what the cost model goes by
	edges     int // of a row, about: what a device's kernels are made for
	numEdges  int // of the first graph: what a device has the memory for
	bound     []boundShape
}

// sizes are what the cost model goes by: nothing for programs that leave it no choice,
// those without gradients on graphs without types.
func (s *signature) sizes() pass.Sizes {
	if !s.sized {
		return pass.Sizes{}
	}
	return pass.Sizes{Src: 1, Dst: 1, Edges: float64(uint(1) << s.degree)}
}

func listed(bound []boundShape) string {
	if len(bound) == 0 {
		return "no features at all"
	}
	parts := make([]string, len(bound))
	for i, b := range bound {
		parts[i] = fmt.Sprintf("%v %q %v", b.kind, b.name, b.shape)
	}
	return strings.Join(parts, ", ")
}

// rows is how many rows a binding of a kind must have on a graph, and of what.
func (k bindKind) rows(g *graph.Graph) (n int, what string) {
	switch k {
	case edgeFeature:
		return g.NumEdges(), "edges"
	case srcFeature:
		return g.NumSrc(), "vertices"
	case edgeTypeFeature:
		return g.NumEdgeTypes(), "edge types"
	case srcTypeFeature:
		return g.NumSrcTypes(), "source types"
	case dstTypeFeature:
		return g.NumDstTypes(), "destination types"
	case vertexTypeFeature:
		return g.NumVertexTypes(), "vertex types"
	}
	return g.NumDst(), "vertices"
}

// onHomogeneous and onBipartite tell which graphs a kind is for.
func (k bindKind) onHomogeneous() bool { return k == vertexFeature || k == vertexTypeFeature }

func (k bindKind) onBipartite() bool {
	return k == srcFeature || k == dstFeature || k == srcTypeFeature || k == dstTypeFeature
}

// ofTypes tells whether the rows belong to types.
func (k bindKind) ofTypes() bool {
	return k == edgeTypeFeature || k == vertexTypeFeature || k == srcTypeFeature || k == dstTypeFeature
}

// check panics with *BindError unless the bindings fit the graph, and returns where they are and
// what they hold.
func check(program string, g *graph.Graph, bindings []Binding) (*tensor.Device, tensor.DType) {
	if g == nil {
		panic(&BindError{Program: program, Name: "graph", Detail: "is nil"})
	}
	first, want := -1, tensor.Float32 // the binding whose type, want, the others must have
	for i := range bindings {
		b := &bindings[i]
		fail := func(format string, args ...any) {
			panic(&BindError{Program: program, Name: b.title(), Detail: fmt.Sprintf(format, args...)})
		}
		for k := range i {
			if c := &bindings[k]; c.kind == b.kind && c.name == b.name {
				fail("is bound twice")
			}
		}
		if b.kind == training {
			continue
		}
		switch {
		case b.v == nil:
			fail("is nil")
		case b.name == "":
			fail("has no name")
		case reserved(b.name):
			fail("has a reserved name")
		case b.v.Sparse() != nil:
			fail("is sparse: multiply it by a weight first, or make it dense")
		}
		switch dt := b.v.DType(); {
		case dt != tensor.Float32 && dt != tensor.Float64:
			fail("holds %v; want f32 or f64", dt)
		case first < 0:
			first, want = i, dt
		case dt != want:
			fail("holds %v, %s %v; want one type: tensor.Tensor.To converts", dt, bindings[first].title(), want)
		}
		switch {
		case b.kind == param:
			continue
		case b.kind.onHomogeneous() && g.IsBipartite():
			fail("on a bipartite graph: bind SrcFeature or DstFeature, SrcTypeFeature or DstTypeFeature")
		case b.kind.onBipartite() && !g.IsBipartite():
			fail("on a homogeneous graph: bind VertexFeature or VertexTypeFeature")
		}
		shape := b.v.Shape()
		if n, what := b.kind.rows(g); len(shape) == 0 || shape[0] != n {
			if n == 0 && b.kind.ofTypes() {
				fail("has shape %v; the graph has no %s", shape, what)
			}
			fail("has shape %v; want %d rows, one for each of the graph's %s", shape, n, what)
		}
	}
	return deviceOf(program, bindings), want
}

// title names the binding in messages.
func (b Binding) title() string {
	if b.kind == training {
		return b.kind.String()
	}
	return fmt.Sprintf("%v %q", b.kind, b.name)
}

// reserved tells whether the compiler gives such names to what it adds.
func reserved(name string) bool {
	return strings.HasPrefix(name, ir.CotangentPrefix) || strings.HasPrefix(name, ir.GradPrefix) || strings.HasPrefix(name, ir.SavedPrefix)
}

// appendKey appends what is equal for equal signatures alone; what is bound is on the device and
// holds dt.
func appendKey(key []byte, g *graph.Graph, device *tensor.Device, dt tensor.DType, bindings []Binding) []byte {
	number := func(n int) { key = binary.AppendUvarint(key, uint64(n)) }
	if g.IsBipartite() {
		key = append(key, 'b')
	}
	if dt == tensor.Float64 {
		key = append(key, 'd')
	}
	t := typesOf(g)
	sized := t != (ir.Types{})
	if sized {
		key = append(key, 't')
		number(t.Src)
		number(t.Dst)
		number(t.Edge)
	}
	if device != nil {
		// Kernels are the device's, and for rows of about so many edges.
		key = fmt.Appendf(append(key, 'D'), "%p ", device)
		number(degreeOf(g))
		if c, ok := device.Backend().(DeviceCompiler); ok {
			number(c.PlanFor(g.NumEdges()).EdgeBytes)
		}
	}
	recording := recorded(bindings)
	for i := range bindings {
		b := &bindings[i]
		key = append(key, ';', byte(b.kind))
		if b.kind == training {
			continue
		}
		number(len(b.name))
		key = append(key, b.name...)
		if recording && b.v.RequiresGrad() {
			key, sized = append(key, 'g'), true
		}
		shape := b.rowShape()
		key = append(key, ' ')
		number(len(shape))
		for _, d := range shape {
			number(d)
		}
	}
	if sized {
		key = append(key, 'n')
		number(degreeOf(g))
	}
	return key
}

// recorded reports whether the tape will want gradients of what is bound.
func recorded(bindings []Binding) bool {
	if !slices.ContainsFunc(bindings, func(b Binding) bool { return b.kind != training && b.v.RequiresGrad() }) {
		return false
	}
	var room [16]*autograd.Var // for nearly all programs; those of more bindings allocate
	vs := room[:0]
	for _, b := range bindings {
		if b.kind != training {
			vs = append(vs, b.v)
		}
	}
	return autograd.Recording(vs...)
}

// rowShape is the shape without the dimension of vertices or edges.
func (b *Binding) rowShape() tensor.Shape {
	if b.kind == param {
		return b.v.Shape()
	}
	return b.v.Shape()[1:]
}

func newSignature(g *graph.Graph, bindings []Binding) *signature {
	s := &signature{bipartite: g.IsBipartite(), types: typesOf(g), edges: 3 << degreeOf(g) / 4, degree: degreeOf(g), numEdges: g.NumEdges()}
	s.sized = s.types != (ir.Types{})
	recording := recorded(bindings)
	for _, b := range bindings {
		if b.kind == training {
			s.training = true
			continue
		}
		if b.v.DType() == tensor.Float64 {
			s.dtype = ir.F64
		}
		grad := recording && b.v.RequiresGrad()
		s.sized = s.sized || grad
		s.bound = append(s.bound, boundShape{b.kind, b.name, ir.Shape(slices.Clone(b.rowShape())), grad})
	}
	return s
}

func typesOf(g *graph.Graph) ir.Types {
	return ir.Types{Src: g.NumSrcTypes(), Dst: g.NumDstTypes(), Edge: g.NumEdgeTypes()}
}

// degreeOf is the number of bits of the mean in-degree: coarse, so that graphs
// alike share what is compiled.
func degreeOf(g *graph.Graph) int {
	return bits.Len(uint(g.NumEdges() / max(g.NumDst(), 1)))
}
