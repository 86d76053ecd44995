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
	pos    string
	sites  int // dropouts met so far
}

// trace runs f and returns its program.
func trace(name string, f func(Vertex) Value, sig *signature) *ir.Program {
	t := &tracer{
		b:      ir.NewBuilder(name, sig.dtype, sig.bipartite),
		sig:    sig,
		leaves: make(map[string]*ir.Value),
	}
	out := t.result(f(Vertex{t, ir.Dst}), f)
	t.at("")
	t.b.Output("out", out)
	return t.b.Program()
}

// result checks what the user's function returned: a value of its vertex or of
// one of its vertex's edges.
func (t *tracer) result(x Value, f func(Vertex) Value) *ir.Value {
	fail := func(format string, args ...any) {
		entry := reflect.ValueOf(f).Pointer()
		file, line := runtime.FuncForPC(entry).FileLine(entry)
		panic(&ir.Error{Op: "result", Detail: fmt.Sprintf(format, args...), Pos: fmt.Sprintf("%s:%d", filepath.Base(file), line)})
	}
	switch {
	case x.t == nil && x.later == nil:
		fail("is the zero Value")
	case x.later == nil && x.t != t:
		fail("is a value of another program, or of another run of this one")
	}
	v := x.in(t)
	switch v.Res {
	case ir.Param:
		fail("is a param %v, shared by all: use it with a vertex value, or return it per edge with AtEdges", v.Shape)
	case ir.Src:
		fail("is a neighbour's value, src %v: aggregate it, for example with Sum, or return it per edge with AtEdges", v.Shape)
	}
	return v
}

func (t *tracer) at(pos string) *tracer {
	t.pos = pos
	t.b.At(pos)
	return t
}

func (t *tracer) centre(op string, v Vertex) {
	if v.res != ir.Dst {
		panic(&ir.Error{Op: op, Detail: "a neighbour's own edges are two hops away: only the centre's can be reached", Pos: callerLine()})
	}
}

// leaf returns the input of a binding, made once for each side it is read from.
func (t *tracer) leaf(kind bindKind, name string, res ir.Residency, pos string) *ir.Value {
	i := slices.IndexFunc(t.sig.bound, func(b boundShape) bool { return b.kind == kind && b.name == name })
	if i < 0 {
		panic(&ir.Error{Op: "feature", Detail: fmt.Sprintf("%v %q is not bound; bound are %s", kind, name, t.sig.list()), Pos: pos})
	}
	key := fmt.Sprint(kind, name, res)
	if t.leaves[key] == nil {
		t.leaves[key] = t.b.Input(name, res, t.sig.bound[i].shape)
	}
	return t.leaves[key]
}

func (t *tracer) vertexFeature(name string, res ir.Residency) Value {
	kind := vertexFeature
	if t.sig.bipartite {
		kind = dstFeature
		if res == ir.Src {
			kind = srcFeature
		}
	}
	return Value{t: t, v: t.leaf(kind, name, res, callerLine())}
}

func (t *tracer) edgeFeature(name string) Value {
	return Value{t: t, v: t.leaf(edgeFeature, name, ir.Edge, callerLine())}
}

func (t *tracer) param(name string) *ir.Value { return t.leaf(param, name, ir.Param, t.pos) }

func (t *tracer) degree(d ir.Dir, res ir.Residency) Value {
	return Value{t: t, v: t.at(callerLine()).b.Degree(d, res)}
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
	return t.b.Op(ir.OpDropout, ir.Attr{Num: p, Site: site, Res: x.Res}, x)
}

// packagePath is the import path whose frames callerLine skips.
const packagePath = "github.com/asterias-ml/asterias/vcentric."

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
