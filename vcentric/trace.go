package vcentric

// Tracing: running the user's function once on stand-ins, to get its IR.

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// tracer builds the IR of one program for one signature.
type tracer struct {
	b      *ir.Builder
	sig    *signature
	leaves map[string]*ir.Value
	built  map[*later]*ir.Value
	read   []bool             // of each of the signature's bindings: it has been, so far
	lets   []map[string]Value // what Call has put in the place of features, innermost last
	pos    string
	sites  int // dropouts met so far
}

// trace runs f and returns its program. A function of several results has them
// as outputs out0, out1, …; one of a single result has out.
func trace(name string, f function, sig *signature) *ir.Program {
	if vertexFunctions() > maxNested {
		panic(&BindError{Program: name, Name: "Run", Detail: "the vertex function runs its own program, or one that runs it; use Call"})
	}
	t := &tracer{
		b:      ir.NewBuilder(name, sig.dtype, sig.bipartite),
		sig:    sig,
		leaves: make(map[string]*ir.Value),
		built:  make(map[*later]*ir.Value),
		read:   make([]bool, len(sig.bound)),
	}
	t.b.SetTypes(sig.types)
	values := f.trace(Vertex{t, noEdges, ir.Dst})
	if len(values) == 0 {
		f.fail("has no results")
	}
	results := make([]*ir.Value, len(values))
	for i, x := range values {
		results[i] = t.result(x, f)
	}
	t.at("")
	for i, v := range results {
		t.b.Output(f.output(i), v)
	}
	return t.b.Program()
}

// function is what the user wrote: of one result or of several.
type function struct {
	one  func(Vertex) Value
	many func(Vertex) []Value
}

func (f function) trace(v Vertex) []Value {
	if f.one != nil {
		return []Value{f.one(v)}
	}
	return f.many(v)
}

func (f function) output(i int) string {
	if f.one != nil {
		return "out"
	}
	return fmt.Sprint("out", i)
}

// fail panics with an error that names the line on which the function begins.
func (f function) fail(format string, args ...any) {
	entry := reflect.ValueOf(f.many).Pointer()
	if f.one != nil {
		entry = reflect.ValueOf(f.one).Pointer()
	}
	file, line := runtime.FuncForPC(entry).FileLine(entry)
	panic(&ir.Error{Op: "result", Detail: fmt.Sprintf(format, args...), Pos: fmt.Sprintf("%s:%d", filepath.Base(file), line)})
}

// result checks what the user's function returned: a value of its vertex or of
// one of its vertex's edges.
func (t *tracer) result(x Value, f function) *ir.Value {
	switch {
	case x.t == nil && x.later == nil:
		f.fail("is the zero Value")
	case x.later == nil && x.t != t:
		f.fail("is a value of another program, or of another run of this one")
	}
	v := x.in(t)
	switch v.Res {
	case ir.Param:
		f.fail("is a param %v, shared by all: use it with a vertex value, or return it per edge with AtEdges", v.Shape)
	case ir.EdgeType:
		f.fail("is the value of an edge's type, %v: return it per edge with AtEdges", v.Shape)
	case ir.DstType, ir.SrcType:
		if x.edges == noEdges {
			return t.b.Op(ir.OpAt, ir.Attr{Res: ir.Dst}, v)
		}
		f.fail("is the value of a neighbour's type, %v: return it per edge with AtEdges", v.Shape)
	case ir.Src, ir.Dst:
		if x.edges != noEdges {
			f.fail("is a neighbour's value, %v %v: aggregate it, for example with Sum, or return it per edge with AtEdges", v.Res, v.Shape)
		}
	}
	return v
}

func (t *tracer) at(pos string) *tracer {
	t.pos = pos
	t.b.At(pos)
	return t
}

func (t *tracer) centre(op string, v Vertex) {
	if v.edges != noEdges {
		panic(&ir.Error{Op: op, Detail: "a neighbour's own edges are two hops away: only the centre's can be reached", Pos: callerLine()})
	}
}

func (t *tracer) homogeneous(op string) {
	if t.sig.bipartite {
		panic(&ir.Error{Op: op, Detail: "a destination of a bipartite graph has no out-edges: run on the reversed graph", Pos: callerLine()})
	}
}

// leaf returns the input of a binding, made once for each side it is read from.
func (t *tracer) leaf(kind bindKind, name string, res ir.Residency, pos string) *ir.Value {
	i := slices.IndexFunc(t.sig.bound, func(b boundShape) bool { return b.kind == kind && b.name == name })
	if i < 0 {
		panic(&ir.Error{Op: "feature", Detail: fmt.Sprintf("%v %q is not bound; bound are %s%s", kind, name, listed(t.sig.bound), t.unread()), Pos: pos})
	}
	t.read[i] = true
	key := fmt.Sprint(kind, name, res)
	if t.leaves[key] == nil {
		t.leaves[key] = t.at(pos).b.Input(name, res, t.sig.bound[i].shape)
	}
	return t.leaves[key]
}

// unread names what is bound and has not been read: the other half of a misspelt name is
// often among them. A program may leave bindings unread; alone that is no fault.
func (t *tracer) unread() string {
	var rest []boundShape
	for i, b := range t.sig.bound {
		if !t.read[i] {
			rest = append(rest, b)
		}
	}
	if len(rest) == 0 {
		return ""
	}
	return "; not read so far: " + listed(rest)
}

func (t *tracer) vertexFeature(name string, v Vertex) Value {
	if x, ok := t.let(name); ok {
		return t.seen(x, v)
	}
	kind := vertexFeature
	if t.sig.bipartite {
		kind = dstFeature
		if v.res == ir.Src {
			kind = srcFeature
		}
	}
	return Value{t: t, v: t.leaf(kind, name, v.res, callerLine()), edges: v.edges}
}

func (t *tracer) vertexType(name string, v Vertex) Value {
	kind := vertexTypeFeature
	if t.sig.bipartite {
		kind = dstTypeFeature
		if v.res == ir.Src {
			kind = srcTypeFeature
		}
	}
	return Value{t: t, v: t.leaf(kind, name, v.res.TypeOf(), callerLine()), edges: v.edges}
}

func (t *tracer) edgeFeature(name string, e edges) Value {
	return Value{t: t, v: t.leaf(edgeFeature, name, ir.Edge, callerLine()), edges: e}
}

func (t *tracer) edgeType(name string, e edges) Value {
	return Value{t: t, v: t.leaf(edgeTypeFeature, name, ir.EdgeType, callerLine()), edges: e}
}

func (t *tracer) param(name string) *ir.Value { return t.leaf(param, name, ir.Param, t.pos) }

func (t *tracer) degree(d ir.Dir, v Vertex) Value {
	return Value{t: t, v: t.at(callerLine()).b.Degree(d, v.res), edges: v.edges}
}

func (t *tracer) typeDegree(e edges) Value {
	d := e.dir()
	b := t.at(callerLine()).b
	counts := b.TypeDegree(d)
	return Value{t: t, v: b.Op(ir.OpPick, ir.Attr{}, counts), edges: e}
}

// dropout is the identity in runs that do not train. Each dropout of a program
// is a site of its own, so that their masks differ.
func (t *tracer) dropout(x *ir.Value, p float64) *ir.Value {
	if !(p >= 0 && p <= 1) { // also false for NaN; here and not in the IR, which has no dropout without training
		panic(&ir.Error{Op: "dropout", Detail: fmt.Sprintf("probability %v outside [0, 1]", p), Pos: t.pos})
	}
	if x.Res == ir.Param {
		panic(&ir.Error{Op: "dropout", Detail: fmt.Sprintf("a param %v has no row to mask: drop it outside the program", x.Shape), Pos: t.pos})
	}
	site := t.sites
	t.sites++
	if !t.sig.training {
		return x
	}
	res := x.Res
	switch res { // a type's value is dropped for each vertex or edge by itself
	case ir.SrcType:
		res = ir.Src
	case ir.DstType:
		res = ir.Dst
	case ir.EdgeType:
		res = ir.Edge
	}
	return t.b.Op(ir.OpDropout, ir.Attr{Num: p, Site: site, Res: res}, x)
}

// packagePath is the import path whose frames callerLine skips.
const packagePath = "github.com/asterias-ml/asterias/vcentric."

// maxNested is how many vertex functions may run inside of each other.
const maxNested = 8

// vertexFunctions is how many vertex functions are being traced by this goroutine, each
// inside of the one before: how often trace is on its stack.
func vertexFunctions() int {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	count := 0
	frames := runtime.CallersFrames(pcs[:n])
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function == packagePath+"trace" {
			count++
		}
	}
	return count
}

// callerLine is the line outside this package that called into it: the line of
// the user's function.
func callerLine() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, packagePath) || strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
