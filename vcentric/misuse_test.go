package vcentric_test

// Misuse: each panics with a typed error that says what is wrong and, if it is
// in the vertex function, in which line.

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// here is the line it is called in.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d: ", filepath.Base(file), line)
}

func wantMisuse[E error](t *testing.T, what string, f func(), parts ...string) {
	t.Helper()
	err := autograd.Try(f)
	var typed E
	if !errors.As(err, &typed) {
		t.Errorf("%s: error is %T %v, want a %T", what, err, err, typed)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error is %q; it should contain %q", what, err, part)
		}
	}
	if strings.Contains(err.Error(), "BUG") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error is %q", what, err)
	}
}

// A method has a line only where it is given to Compile.
func TestMisuseOfTheResultOfAMethodNamesTheLineThatCompilesIt(t *testing.T) {
	g, x := messy(t), vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, 6, 3)))
	one, at := vc.Compile("one", unsummed{"x"}.one), here()
	wantMisuse[*ir.Error](t, "one result", func() { one.Run(g, x) }, at, "Sum")
	many, at := vc.CompileMany("many", unsummed{"x"}.many), here()
	wantMisuse[*ir.Error](t, "several results", func() { many.RunMany(g, x) }, at, "Sum")
}

type unsummed struct{ feature string }

func (n unsummed) one(v vc.Vertex) vc.Value    { return v.InNeighbors().Feature(n.feature) }
func (n unsummed) many(v vc.Vertex) []vc.Value { return []vc.Value{n.one(v)} }

func TestMisuseInTheVertexFunctionNamesOpShapesAndLine(t *testing.T) {
	var other vc.Value // of another program
	vc.Compile("other", func(v vc.Vertex) vc.Value {
		other = v.Feature("x")
		return other
	}).Run(messy(t), vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, 6, 3))))
	helper := func(x vc.Value) vc.Value { return x.Reshape(7) } // blamed below: the line that calls vcentric
	x, f, w := vertex("x", 3), edge("f", 4), param("w", 4, 2)
	type bad struct {
		name string
		at   string
		f    func(v vc.Vertex) vc.Value
		want []string
	}
	for _, c := range []bad{
		{"unbound vertex feature", here(), func(v vc.Vertex) vc.Value { return v.Feature("y") }, []string{`vertex feature "y" is not bound`, `vertex feature "x" [3]`, `edge feature "f" [4]`, `param "w" [4 2]`}},
		{"unbound edge feature", here(), func(v vc.Vertex) vc.Value { return v.InEdges().Feature("x") }, []string{`edge feature "x" is not bound`}},
		{"unbound param", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Add(vc.Param("x")) }, []string{`param "x" is not bound`}},
		{"broadcast", here(), func(v vc.Vertex) vc.Value { return v.InEdges().Feature("f").Mul(v.Feature("x")) }, []string{"mul", "[4] and [3]"}},
		{"inner dimensions", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").MatMul(vc.Param("w")) }, []string{"matmul", "inner dimensions", "[3]", "[4 2]"}},
		{"product with a vertex value", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").MatMul(v.Feature("x")) }, []string{"matmul", "row shape [3]", "want a matrix"}},
		{"two hops", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().InNeighbors().Feature("x")) }, []string{"InNeighbors", "two hops"}},
		{"edges of a neighbour", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().SrcVertex().InEdges().Feature("f")) }, []string{"InEdges", "two hops"}},
		{"values of two programs", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Add(other) }, []string{"another program"}},
		{"values of two programs, first", here(), func(v vc.Vertex) vc.Value { return vc.Concat(other, v.Feature("x")) }, []string{"another program"}},
		{"zero value", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Add(vc.Value{}) }, []string{"zero Value"}},
		{"zero value, first", here(), func(v vc.Vertex) vc.Value { return vc.Value{}.Sub(v.Feature("x")) }, []string{"zero Value"}},
		{"method of the zero value", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Mul(vc.Value{}.Exp()) }, []string{"zero Value"}},
		{"aggregate of the zero value", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Value{}) }, []string{"zero Value"}},
		{"number added to the zero value", here(), func(v vc.Vertex) vc.Value { return vc.Value{}.AddScalar(1) }, []string{"zero Value"}},
		{"feature of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.Feature("x") }, []string{"zero Vertex"}},
		{"type of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.Type("x") }, []string{"zero Vertex"}},
		{"in-degree of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.InDegree() }, []string{"zero Vertex"}},
		{"out-degree of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.OutDegree() }, []string{"zero Vertex"}},
		{"in-edges of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Count(vc.Vertex{}.InEdges()) }, []string{"zero Vertex"}},
		{"out-edges of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Count(vc.Vertex{}.OutEdges()) }, []string{"zero Vertex"}},
		{"in-neighbours of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.InNeighbors().Feature("x") }, []string{"zero Vertex"}},
		{"out-neighbours of the zero vertex", here(), func(v vc.Vertex) vc.Value { return vc.Vertex{}.OutNeighbors().Feature("x") }, []string{"zero Vertex"}},
		{"feature of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.Feature("f")) }, []string{"zero Edge"}},
		{"type of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.Type("f")) }, []string{"zero Edge"}},
		{"type degree of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.TypeDegree()) }, []string{"zero Edge"}},
		{"source of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.Src("x")) }, []string{"zero Edge"}},
		{"destination of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.Dst("x")) }, []string{"zero Edge"}},
		{"type of the zero edge's source", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.SrcType("x")) }, []string{"zero Edge"}},
		{"type of the zero edge's destination", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Edge{}.DstType("x")) }, []string{"zero Edge"}},
		{"count of the zero edge", here(), func(v vc.Vertex) vc.Value { return vc.Count(vc.Edge{}) }, []string{"zero Edge"}},
		{"result is the zero value", here(), func(v vc.Vertex) vc.Value { return vc.Value{} }, []string{"zero Value"}},
		{"result of another program", here(), func(v vc.Vertex) vc.Value { return other }, []string{"another program"}},
		{"result is a param", here(), func(v vc.Vertex) vc.Value { return vc.Param("w") }, []string{"result", "param", "[4 2]"}},
		{"result is a number", here(), func(v vc.Vertex) vc.Value { return vc.Number(3) }, []string{"result", "param", "[]"}},
		{"result belongs to the neighbours", here(), func(v vc.Vertex) vc.Value { return v.InNeighbors().Feature("x") }, []string{"result", "src", "[3]", "Sum", "AtEdges"}},
		{"reshape negative", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(-1, -3) }, []string{"reshape", "negative", "[-1 -3]"}},
		{"reshape to an inferred dimension that there is not", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(-1, 2) }, []string{"reshape", "negative", "[-1 2]", "3 elements of [3]"}},
		{"reshape to two inferred dimensions", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(-1, -1, 3) }, []string{"reshape", "negative", "[-1 -1 3]"}},
		{"reshape to an inferred dimension of nothing", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(-1, 0) }, []string{"reshape", "negative", "[-1 0]"}},
		{"reshape size", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(2, 2) }, []string{"reshape", "[2 2]", "[3]"}},
		{"reshape to more elements than can be counted", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Slice(0, 0).Reshape(1<<32, 1<<32) }, []string{"reshape", "too many elements", "[4294967296 4294967296]"}},
		{"reshape to too many elements of nothing", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Slice(0, 0).Reshape(0, 1<<32, 1<<32) }, []string{"reshape", "too many elements"}},
		{"sum to another shape", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").SumTo(2) }, []string{"reduceto", "[3]", "[2]"}},
		{"slice past the end", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Slice(1, 4) }, []string{"slice", "[1, 4)", "[3]"}},
		{"slice of a scalar", here(), func(v vc.Vertex) vc.Value { return v.InDegree().Slice(0, 1) }, []string{"slice", "[]"}},
		{"sum of a scalar's last dimension", here(), func(v vc.Vertex) vc.Value { return v.InDegree().SumLast() }, []string{"sumlast", "scalar"}},
		{"mean of a scalar's last dimension", here(), func(v vc.Vertex) vc.Value { return v.InDegree().MeanLast() }, []string{"scalar"}},
		{"concat of scalars", here(), func(v vc.Vertex) vc.Value { return vc.Concat(v.InDegree(), v.OutDegree()) }, []string{"concat", "scalars"}},
		{"concat of nothing", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Add(vc.Concat()) }, []string{"concat", "0 operands, want at least 1"}},
		{"concat of ranks", here(), func(v vc.Vertex) vc.Value { return vc.Concat(v.Feature("x"), v.Feature("x").Reshape(1, 3)) }, []string{"concat", "[3]", "[1 3]"}},
		{"dropout above 1", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Dropout(1.5) }, []string{"dropout", "1.5"}},
		{"dropout below 0", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Dropout(-0.1) }, []string{"dropout", "-0.1"}},
		{"dropout of a param", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Mul(vc.Param("w").SumLast().SumTo().Dropout(0.5)) }, []string{"dropout", "param"}},
		{"shape of a param", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(vc.Param("w").Shape()...) }, []string{"shape"}},
	} {
		for _, training := range []bool{false, true} {
			g := messy(t)
			ins := []input{x, f, w}
			bindings := bindAll(ins, variables(g, tensor.Float32, ins))
			if training {
				bindings = append(bindings, vc.Training(1))
			}
			wantMisuse[*ir.Error](t, c.name, func() { vc.Compile("bad", c.f).Run(g, bindings...) }, append(c.want, c.at)...)
		}
	}
	wantMisuse[*vc.BindError](t, "no function", func() { vc.Compile("none", nil) }, "none: Compile", "nil")
	wantMisuse[*vc.BindError](t, "no function of several results", func() { vc.CompileMany("none", nil) }, "none: CompileMany", "nil")
	g := messy(t)
	for op, f := range map[string]func(p *vc.Program){
		"Run":      func(p *vc.Program) { p.Run(g) },
		"RunMany":  func(p *vc.Program) { p.RunMany(g) },
		"RunInto":  func(p *vc.Program) { p.RunInto(nil, g) },
		"Compiled": func(p *vc.Program) { p.Compiled(g) },
		"Explain":  func(p *vc.Program) { p.Explain(g) },
		"Without":  func(p *vc.Program) { p.Without() },
		"Native":   func(p *vc.Program) { p.Native("cc") },
		"Name":     func(p *vc.Program) { _ = p.Name() },
		"Call": func(p *vc.Program) {
			vc.Compile("outer", func(v vc.Vertex) vc.Value { return p.Call(v) }).Run(g)
		},
	} {
		for _, p := range []*vc.Program{nil, {}} {
			wantMisuse[*vc.BindError](t, op, func() { f(p) }, "no program: "+op+": the program is nil or empty: make it with Compile")
		}
	}
	// A helper of the user's is the user's function too.
	wantMisuse[*ir.Error](t, "in a helper", func() {
		vc.Compile("bad", func(v vc.Vertex) vc.Value { return helper(v.Feature("x")) }).Run(g, bindAll([]input{x}, variables(g, tensor.Float32, []input{x}))...)
	}, "reshape", "misuse_test.go:")
}

// What is bound and not read is no fault by itself, but the other half of a misspelt name.
func TestMissingFeaturesAreReportedWithWhatIsBoundInVain(t *testing.T) {
	g := messy(t)
	x := autograd.Constant(randn(tensor.Float32, 1, 6, 3))
	h, w := vc.VertexFeature("h", x), vc.ParamValue("w", autograd.Constant(randn(tensor.Float32, 2, 3)))
	vc.Compile("copy", func(v vc.Vertex) vc.Value { return v.Feature("h") }).Run(g, h, w)
	for _, c := range []struct {
		f    func(v vc.Vertex) vc.Value
		want string
	}{
		{func(v vc.Vertex) vc.Value { return vc.Param("w").Mul(v.Feature("hh")) }, `"hh" is not bound; bound are vertex feature "h" [3], param "w" [3]; not read so far: vertex feature "h" [3], param "w" [3]`},
		{func(v vc.Vertex) vc.Value { return v.Feature("h").Mul(vc.Param("weight")) }, `"weight" is not bound; bound are vertex feature "h" [3], param "w" [3]; not read so far: param "w" [3]`},
		{func(v vc.Vertex) vc.Value { return v.Feature("h").Mul(vc.Param("w")).Mul(v.Feature("x")) }, `"x" is not bound; bound are vertex feature "h" [3], param "w" [3]`},
	} {
		err := autograd.Try(func() { vc.Compile("conv", c.f).Run(g, h, w) })
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

func TestMisuseOnBipartiteGraphsNamesTheLine(t *testing.T) {
	g := messyBipartite(t)
	ins := []input{source("x", 3), destination("y", 3)}
	run := func(f func(v vc.Vertex) vc.Value) func() {
		return func() { vc.Compile("bad", f).Run(g, bindAll(ins, variables(g, tensor.Float32, ins))...) }
	}
	for _, c := range []struct {
		name, at string
		f        func(v vc.Vertex) vc.Value
		want     string
	}{
		{"out-degree of a destination", here(), func(v vc.Vertex) vc.Value { return v.OutDegree() }, "degree"},
		{"in-degree of a source", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().InDegree()) }, "degree"},
		{"source feature of the centre", here(), func(v vc.Vertex) vc.Value { return v.Feature("x") }, `destination feature "x" is not bound; bound are source feature "x" [3], destination feature "y" [3]`},
		{"destination feature of a neighbour", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("y")) }, `source feature "y" is not bound`},
	} {
		wantMisuse[*ir.Error](t, c.name, run(c.f), c.at, c.want)
	}
}

func TestMisuseOfBindingsNamesProgramFeatureAndShapes(t *testing.T) {
	c := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	csr, err := tensor.NewSparse(6, 2, make([]int32, 7), nil, tensor.Zeros(tensor.Float32, 0))
	if err != nil {
		t.Fatal(err)
	}
	sparse := autograd.SparseConstant(csr)
	const f32, f64 = tensor.Float32, tensor.Float64
	g, b := messy(t), messyBipartite(t)
	for _, k := range []struct {
		name     string
		g        *graph.Graph
		bindings []vc.Binding
		want     []string
	}{
		{"rows of a vertex feature", g, []vc.Binding{vc.VertexFeature("x", c(f32, 5, 3))}, []string{`vertex feature "x"`, "[5 3]", "6 rows", "vertices"}},
		{"rows of an edge feature", g, []vc.Binding{vc.EdgeFeature("x", c(f32, 6, 3))}, []string{`edge feature "x"`, "[6 3]", "12 rows", "edges"}},
		{"rows of a source feature", b, []vc.Binding{vc.SrcFeature("x", c(f32, 5, 3))}, []string{`source feature "x"`, "[5 3]", "4 rows"}},
		{"rows of a destination feature", b, []vc.Binding{vc.DstFeature("x", c(f32, 4, 3))}, []string{`destination feature "x"`, "[4 3]", "5 rows"}},
		{"a scalar as feature", g, []vc.Binding{vc.VertexFeature("x", c(f32))}, []string{`vertex feature "x"`, "[]", "6 rows"}},
		{"sparse", g, []vc.Binding{vc.VertexFeature("x", sparse)}, []string{`vertex feature "x"`, "sparse"}},
		{"integers", g, []vc.Binding{vc.VertexFeature("x", c(tensor.Int32, 6))}, []string{`vertex feature "x"`, "i32", "want f32 or f64"}},
		{"mixed types", g, []vc.Binding{vc.VertexFeature("x", c(f64, 6)), vc.ParamValue("w", c(f32, 3))}, []string{`param "w"`, "f32", "f64"}},
		{"mixed types, float32 first", g, []vc.Binding{vc.VertexFeature("x", c(f32, 6)), vc.ParamValue("w", c(f64, 3))}, []string{`param "w"`, "f64", "f32"}},
		{"bound twice", g, []vc.Binding{vc.VertexFeature("x", c(f32, 6)), vc.VertexFeature("x", c(f32, 6))}, []string{`vertex feature "x"`, "twice"}},
		{"training twice", g, []vc.Binding{vc.VertexFeature("x", c(f32, 6)), vc.Training(1), vc.Training(2)}, []string{"training", "twice"}},
		{"nil", g, []vc.Binding{vc.VertexFeature("x", nil)}, []string{`vertex feature "x"`, "nil"}},
		{"no name", g, []vc.Binding{vc.VertexFeature("", c(f32, 6))}, []string{"vertex feature", "name"}},
		{"a name the compiler uses", g, []vc.Binding{vc.VertexFeature("cotangent out", c(f32, 6))}, []string{`"cotangent out"`, "reserved"}},
		{"another name the compiler uses", g, []vc.Binding{vc.VertexFeature("saved out", c(f32, 6))}, []string{`"saved out"`, "reserved"}},
		{"vertex feature on a bipartite graph", b, []vc.Binding{vc.VertexFeature("x", c(f32, 5))}, []string{"bipartite", "SrcFeature", "DstFeature"}},
		{"source feature on a homogeneous graph", g, []vc.Binding{vc.SrcFeature("x", c(f32, 6))}, []string{"homogeneous", "VertexFeature"}},
		{"destination feature on a homogeneous graph", g, []vc.Binding{vc.DstFeature("x", c(f32, 6))}, []string{"homogeneous", "VertexFeature"}},
		{"no graph", nil, []vc.Binding{vc.VertexFeature("x", c(f32, 6))}, []string{"graph", "nil"}},
	} {
		traced := false
		p := vc.Compile("conv", func(v vc.Vertex) vc.Value { traced = true; return v.InDegree() })
		wantMisuse[*vc.BindError](t, k.name, func() { p.Run(k.g, k.bindings...) }, append(k.want, "vcentric: conv: ")...)
		if traced {
			t.Errorf("%s: the function ran before the bindings were checked", k.name)
		}
	}
}

// A run that failed leaves the program usable.
func TestProgramWorksAfterMisuse(t *testing.T) {
	p := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")) })
	g := messy(t)
	x := autograd.Constant(tensor.Full(tensor.Float32, 1, 6))
	if err := autograd.Try(func() { p.Run(g, vc.VertexFeature("y", x)) }); err == nil {
		t.Fatal("no error for an unbound feature")
	}
	got := p.Run(g, vc.VertexFeature("x", x)).Tensor().Float64s()
	near(t, "in-degrees", got, []float64{4, 3, 3, 0, 2, 0}, 0)
}

func TestSoftmaxOfWhatAllEdgesShareIsUniform(t *testing.T) {
	g := messy(t)
	x := autograd.Variable(randn(tensor.Float64, 1, 6, 2))
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"vertex value": func(v vc.Vertex) vc.Value { return vc.Softmax(v.Feature("x")) },
		"number":       func(v vc.Vertex) vc.Value { return vc.Softmax(v.Feature("x").Scale(0).Add(vc.Number(3))) },
	} {
		out := vc.Compile(name, f).Run(g, vc.VertexFeature("x", x))
		var want []float64
		for _, v := range g.Dst() {
			a := 1 / float64(g.InDegrees()[v])
			want = append(want, a, a)
		}
		near(t, name, out.Tensor().Float64s(), want, 1e-15)
	}
}
