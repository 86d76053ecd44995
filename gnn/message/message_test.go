package message_test

// Message passing: what layers compute, and what of them cannot be compiled.

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn/message"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// typed has 6 vertices of 2 types and 12 edges of 3: loops, duplicates, a vertex
// without edges.
func typed(t testing.TB) *graph.Graph {
	t.Helper()
	g, err := graph.New(6,
		[]int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2},
		[]int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2},
		graph.WithEdgeTypes([]int32{0, 1, 2, 0, 1, 1, 0, 0, 2, 2, 0, 1}, 3),
		graph.WithVertexTypes([]int32{0, 1, 1, 0, 0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randn(seed uint64, shape ...int) *autograd.Var {
	x := make([]float64, tensor.Shape(shape).Size())
	for i := range x {
		x[i] = rng.Normal(seed, uint64(i))
	}
	return autograd.Variable(tensor.FromSlice(x, shape...))
}

// bindings are features for a graph: x [3] of vertices, f [3] of edges, a [3] of
// edge types, k [3] of vertex types, and the param w [3 2].
func bindings(g *graph.Graph) ([]vc.Binding, []*autograd.Var) {
	x, f, a, k, w := randn(1, g.NumSrc(), 3), randn(2, g.NumEdges(), 3), randn(3, 3, 3), randn(4, 2, 3), randn(5, 3, 2)
	all := []*autograd.Var{x, f, a, k, w}
	shared := []vc.Binding{vc.EdgeFeature("f", f), vc.EdgeTypeFeature("a", a), vc.ParamValue("w", w)}
	if g.IsBipartite() {
		own, ownType := randn(6, g.NumDst(), 3), randn(7, 2, 3)
		return append(shared, vc.SrcFeature("x", x), vc.DstFeature("x", own), vc.SrcTypeFeature("k", k), vc.DstTypeFeature("k", ownType)), append(all, own, ownType)
	}
	return append(shared, vc.VertexFeature("x", x), vc.VertexTypeFeature("k", k)), all
}

// Every way to data, in a layer and in the vertex function that means the same: one
// plan, one result.
func TestLayersEqualTheVertexFunctionsTheyMean(t *testing.T) {
	homogeneous := typed(t)
	bipartite, err := graph.NewBipartite(4, 3, []int32{3, 0, 0, 2, 3}, []int32{2, 1, 1, 0, 2},
		graph.WithEdgeTypes([]int32{2, 0, 1, 1, 0}, 3), graph.WithSrcTypes([]int32{0, 1, 1, 0}, 2), graph.WithDstTypes([]int32{0, 1, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		layer  message.Layer
		vertex func(v vc.Vertex) vc.Value
		both   bool // also on bipartite graphs
	}{
		{"every kind of data", message.Layer{
			Message: func(e message.Edges) message.Fields {
				ends := e.Src("x").Mul(e.SrcType("k")).Add(e.Dst("x").Mul(e.DstType("k")))
				return message.Fields{"m": ends.Mul(e.Data("f")).Mul(e.Type("a")).Div(e.TypeDegree())}
			},
			Reduce: func(n message.Nodes) message.Fields { return message.Fields{"max": vc.Max(n.Mailbox("m"))} },
			Update: func(n message.Nodes) vc.Value {
				return n.Data("max").Add(n.Data("x")).Mul(n.Type("k")).MatMul(vc.Param("w"))
			},
		}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			ends := e.Src("x").Mul(e.SrcType("k")).Add(e.Dst("x").Mul(e.DstType("k")))
			m := ends.Mul(e.Feature("f")).Mul(e.Type("a")).Div(e.TypeDegree())
			return vc.Max(m).Add(v.Feature("x")).Mul(v.Type("k")).MatMul(vc.Param("w"))
		}, true},
		{"degrees", message.Layer{
			Message: func(e message.Edges) message.Fields {
				return message.Fields{"m": e.Src("x").Mul(e.SrcInDegree()).Mul(e.SrcOutDegree()).Mul(e.DstInDegree())}
			},
			Reduce: func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} },
			Update: func(n message.Nodes) vc.Value { return n.Data("sum").Add(n.InDegree()).Mul(n.OutDegree()) },
		}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			u := e.SrcVertex()
			m := u.Feature("x").Mul(u.InDegree()).Mul(u.OutDegree()).Mul(e.DstVertex().InDegree())
			return vc.Sum(m).Add(v.InDegree()).Mul(v.OutDegree())
		}, false},
		{"two mailboxes, reduced together and alone", message.Layer{
			Message: func(e message.Edges) message.Fields {
				return message.Fields{"s": e.Src("x").Mul(e.Dst("x")), "x": e.Src("x")}
			},
			Reduce: func(n message.Nodes) message.Fields {
				return message.Fields{
					"att":  vc.Sum(vc.Softmax(n.Mailbox("s")).Mul(n.Mailbox("x"))),
					"mean": vc.Mean(n.Mailbox("x")),
				}
			},
			Update: func(n message.Nodes) vc.Value { return vc.Concat(n.Data("att"), n.Data("mean")) },
		}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			s := e.Src("x").Mul(e.Dst("x"))
			att := vc.Sum(vc.Softmax(s).Mul(e.Src("x")))
			return vc.Concat(att, vc.Mean(e.Src("x")))
		}, true},
		{"no update", message.Layer{
			Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("x").Add(e.Data("f"))} },
			Reduce:  func(n message.Nodes) message.Fields { return message.Fields{"min": vc.Min(n.Mailbox("m"))} },
		}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Min(e.Src("x").Add(e.Feature("f")))
		}, true},
		{"a message of the destination alone counts once for each edge", message.Layer{
			Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Dst("x")} },
			Reduce:  func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} },
		}, func(v vc.Vertex) vc.Value { return vc.Sum(vc.AtEdges(v.Feature("x"))) }, true},
		{"a message that all share", message.Layer{
			Message: func(e message.Edges) message.Fields { return message.Fields{"w": vc.Param("w")} },
			Reduce:  func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("w"))} },
		}, func(v vc.Vertex) vc.Value { return vc.Sum(vc.Param("w")) }, true},
		{"what was reduced hides a feature of its name", message.Layer{
			Message: func(e message.Edges) message.Fields { return message.Fields{"x": e.Src("x")} },
			Reduce: func(n message.Nodes) message.Fields {
				return message.Fields{"x": vc.Sum(n.Mailbox("x")).Add(n.Data("x"))}
			},
			Update: func(n message.Nodes) vc.Value { return n.Data("x").ReLU() },
		}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Src("x")).Add(v.Feature("x")).ReLU()
		}, true},
	} {
		for _, g := range []*graph.Graph{homogeneous, bipartite} {
			if g.IsBipartite() && !c.both {
				continue
			}
			binds, vars := bindings(g)
			layer, vertex := message.Compile("layer", c.layer), vc.Compile("layer", c.vertex)
			a, b := layer.Compiled(g, binds...), vertex.Compiled(g, binds...)
			if a.Forward.String() != b.Forward.String() || a.Backward.String() != b.Backward.String() {
				t.Errorf("%s, %v: the plans are\n%v%v\nwant\n%v%v", c.name, g, a.Forward, a.Backward, b.Forward, b.Backward)
			}
			if !numtest.SameBits(layer.Run(g, binds...).Tensor().Float64s(), vertex.Run(g, binds...).Tensor().Float64s()) {
				t.Errorf("%s, %v: the results differ", c.name, g)
			}
			if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return layer.Run(g, binds...) }, vars); err != nil {
				t.Errorf("%s, %v: %v", c.name, g, err)
			}
		}
	}
}

// here is the line it is called in.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d: ", filepath.Base(file), line)
}

func TestWhatCannotBeCompiledSaysWhyAndWhere(t *testing.T) {
	sends := func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("x"), "s": e.Data("f")} }
	sums := func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} }
	g := typed(t)
	binds, _ := bindings(g)
	var kept message.Edges
	for _, c := range []struct {
		name, at string
		layer    message.Layer
		want     []string
	}{
		{"a mailbox not reduced", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": n.Mailbox("m")} }},
			[]string{"message: bad: Reduce:", `"h" is made of mailbox "m", which is not reduced`, "src", "[3]", "vc.Sum"}},
		{"a function of a mailbox not reduced", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": n.Mailbox("s").Exp()} }},
			[]string{"Reduce:", `"h" is made of mailbox "s"`, "edge", "exp"}},
		{"two mailboxes mixed, not reduced", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields {
			return message.Fields{"h": n.Mailbox("s").Mul(n.Mailbox("m"))}
		}}, []string{`"h" is a mix of mailboxes ["s" "m"], which is not reduced`}},
		{"softmax alone reduces nothing", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": vc.Softmax(n.Mailbox("s"))} }},
			[]string{`"h" is made of mailbox "s"`, "softmax"}},
		{"one of two fields not reduced", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields {
			return message.Fields{"a": vc.Sum(n.Mailbox("m")), "b": n.Mailbox("m")}
		}, Update: func(n message.Nodes) vc.Value { return n.Data("a") }}, []string{`"b" is made of mailbox "m"`}},
		{"a mailbox of the destination not reduced", here(), message.Layer{Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Dst("x")} }, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": n.Mailbox("m")} }},
			[]string{"Reduce:", `"h" is made of mailbox "m", which is not reduced`}},
		{"a mailbox of numbers not reduced", here(), message.Layer{Message: func(message.Edges) message.Fields { return message.Fields{"m": vc.Number(1)} }, Reduce: func(n message.Nodes) message.Fields {
			return message.Fields{"h": n.Mailbox("m").Scale(2)}
		}, Update: func(n message.Nodes) vc.Value { return n.Data("h").Add(n.Data("x")) }}, []string{"Reduce:", `"h" is made of mailbox "m", which is not reduced`}},
		{"a mailbox of params not reduced", here(), message.Layer{Message: func(message.Edges) message.Fields { return message.Fields{"m": vc.Param("w")} }, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": n.Mailbox("m")} },
			Update: func(n message.Nodes) vc.Value { return n.Data("h").Add(n.Data("x")) }}, []string{"Reduce:", `"h" is made of mailbox "m", which is not reduced`}},
		{"a mailbox of the destination's type not reduced", here(), message.Layer{Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.DstType("k")} }, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": n.Mailbox("m").Exp()} }},
			[]string{"Reduce:", `"h" is made of mailbox "m", which is not reduced`}},
		{"the zero value out of Reduce", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": {}} }},
			[]string{"message: bad: Reduce:", `"h" is the zero Value`}},
		{"a param out of Reduce", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": vc.Param("w")} }},
			[]string{"message: bad: Reduce:", `"h" is a param or a number`}},
		{"a number out of Update", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return vc.Number(1).Exp() }},
			[]string{"message: bad: Update:", "returns a param or a number"}},
		{"the zero value out of Update", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return vc.Value{} }},
			[]string{"message: bad: Update:", "returns the zero Value"}},
		{"a mailbox without messages", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return message.Fields{"h": vc.Sum(n.Mailbox("z"))} }},
			[]string{"Reduce:", `mailbox "z" has no messages; sent are ["m" "s"]`}},
		{"a mailbox in Update", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return vc.Sum(n.Mailbox("m")) }},
			[]string{"Update:", `reads mailbox "m", which only Reduce has`}},
		{"no messages", here(), message.Layer{Message: func(e message.Edges) message.Fields { return nil }, Reduce: sums}, []string{"Message: sends no messages"}},
		{"nothing reduced", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields { return nil }}, []string{"returns the fields []; a layer without Update has one"}},
		{"two fields and no update", here(), message.Layer{Message: sends, Reduce: func(n message.Nodes) message.Fields {
			return message.Fields{"a": vc.Sum(n.Mailbox("m")), "b": vc.Max(n.Mailbox("m"))}
		}}, []string{`returns the fields ["a" "b"]`}},
		{"an edge value out of Update", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return n.Data("sum").Add(kept.Data("f")) }},
			[]string{"Update: returns a value of the edges", "[3]"}},
		{"an unbound feature of the source", here(), message.Layer{Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("y")} }, Reduce: sums},
			[]string{`vertex feature "y" is not bound`, `vertex feature "x" [3]`}},
		{"an unbound feature of the edge", here(), message.Layer{Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Data("x")} }, Reduce: sums},
			[]string{`edge feature "x" is not bound`}},
		{"an unbound feature of the node", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return n.Data("total") }},
			[]string{`vertex feature "total" is not bound`}},
		{"an unbound feature of a type", here(), message.Layer{Message: sends, Reduce: sums, Update: func(n message.Nodes) vc.Value { return n.Type("x") }},
			[]string{`vertex type feature "x" is not bound`}},
		{"shapes that do not fit", "message_test.go:", message.Layer{Message: func(e message.Edges) message.Fields {
			return message.Fields{"m": e.Src("x").Mul(e.Src("x").Slice(0, 2))}
		}, Reduce: sums},
			[]string{"mul", "[3] and [2]"}},
		{"the zero value as a message", "message_test.go:", message.Layer{Message: func(e message.Edges) message.Fields { return message.Fields{"m": {}} }, Reduce: sums},
			[]string{"zero Value"}},
	} {
		if c.name == "an edge value out of Update" {
			c.layer.Message = func(e message.Edges) message.Fields { kept = e; return sends(e) }
		}
		err := autograd.Try(func() { message.Compile("bad", c.layer).Run(g, binds...) })
		if !errors.As(err, new(*message.Error)) && !errors.As(err, new(*ir.Error)) {
			t.Errorf("%s: the error is %T %v", c.name, err, err)
			continue
		}
		for _, part := range append(c.want, c.at) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error is %q; it should contain %q", c.name, err, part)
			}
		}
	}
}

func TestZeroEdgesAndNodesAreMisuseThatNamesTheLine(t *testing.T) {
	g := typed(t)
	binds, _ := bindings(g)
	edges := map[string]func(e message.Edges) vc.Value{
		"Src": func(e message.Edges) vc.Value { return e.Src("x") }, "Dst": func(e message.Edges) vc.Value { return e.Dst("x") },
		"Data": func(e message.Edges) vc.Value { return e.Data("f") }, "Type": func(e message.Edges) vc.Value { return e.Type("x") },
		"SrcType": func(e message.Edges) vc.Value { return e.SrcType("x") }, "DstType": func(e message.Edges) vc.Value { return e.DstType("x") },
		"TypeDegree": message.Edges.TypeDegree, "SrcInDegree": message.Edges.SrcInDegree,
		"SrcOutDegree": message.Edges.SrcOutDegree, "DstInDegree": message.Edges.DstInDegree,
	}
	nodes := map[string]func(n message.Nodes) vc.Value{
		"Data": func(n message.Nodes) vc.Value { return n.Data("x") }, "Type": func(n message.Nodes) vc.Value { return n.Type("x") },
		"Mailbox": func(n message.Nodes) vc.Value { return n.Mailbox("m") }, "InDegree": message.Nodes.InDegree, "OutDegree": message.Nodes.OutDegree,
	}
	check := func(what, want string, l message.Layer) {
		t.Helper()
		err := autograd.Try(func() { message.Compile("bad", l).Run(g, binds...) })
		typed := errors.As(err, new(*message.Error)) || errors.As(err, new(*ir.Error))
		if !typed || !strings.HasPrefix(err.Error(), "message_test.go:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %T %v", what, err, err)
		}
	}
	sums := func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} }
	for name, read := range edges {
		check(name, "the zero Edge was used", message.Layer{
			Message: func(message.Edges) message.Fields { x := read(message.Edges{}); return message.Fields{"m": x} },
			Reduce:  sums,
		})
	}
	for name, read := range nodes {
		check(name, "message: Reduce or Update: reads the zero Nodes", message.Layer{
			Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("x")} },
			Reduce:  func(message.Nodes) message.Fields { x := read(message.Nodes{}); return message.Fields{"h": x} },
		})
	}
}

// What concerns one side of a bipartite graph only is misuse that names the line.
func TestDegreesThatABipartiteGraphHasNotNameTheLine(t *testing.T) {
	g, err := graph.NewBipartite(2, 1, []int32{0, 1}, []int32{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	sums := func(n message.Nodes) message.Fields { return message.Fields{"sum": vc.Sum(n.Mailbox("m"))} }
	x := []vc.Binding{vc.SrcFeature("x", randn(1, 2, 3))}
	for op, layer := range map[string]message.Layer{
		"in-degree of a source": {
			Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.SrcInDegree()} },
			Reduce:  sums,
		},
		"out-degree of a destination": {
			Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("x")} },
			Reduce:  sums,
			Update:  func(n message.Nodes) vc.Value { return n.OutDegree() },
		},
	} {
		err := autograd.Try(func() { message.Compile("bad", layer).Run(g, x...) })
		if !errors.As(err, new(*ir.Error)) || !strings.HasPrefix(err.Error(), "message_test.go:") || !strings.Contains(err.Error(), "degree") {
			t.Errorf("%s: the error is %T %v", op, err, err)
		}
	}
}

func TestCompileWantsItsFunctions(t *testing.T) {
	sends := func(e message.Edges) message.Fields { return nil }
	for _, l := range []message.Layer{{}, {Message: sends}, {Reduce: func(n message.Nodes) message.Fields { return nil }}} {
		err := autograd.Try(func() { message.Compile("bad", l) })
		if !errors.As(err, new(*message.Error)) || !strings.Contains(err.Error(), "message_test.go:") || !strings.Contains(err.Error(), "a layer has a Message and a Reduce function") {
			t.Errorf("the error is %T %v", err, err)
		}
	}
}

// A panic of the user's own passes through, unchanged.
func TestOtherPanicsPassThrough(t *testing.T) {
	g := typed(t)
	binds, _ := bindings(g)
	defer func() {
		if err := recover(); err != "the user's own" {
			t.Errorf("the panic is %v", err)
		}
	}()
	message.Compile("own", message.Layer{
		Message: func(e message.Edges) message.Fields { panic("the user's own") },
		Reduce:  func(n message.Nodes) message.Fields { return nil },
	}).Run(g, binds...)
}

// A layer on graphs that are easily forgotten.
func TestLayersOnDegenerateGraphs(t *testing.T) {
	layer := message.Compile("mean", message.Layer{
		Message: func(e message.Edges) message.Fields { return message.Fields{"m": e.Src("x")} },
		Reduce:  func(n message.Nodes) message.Fields { return message.Fields{"mean": vc.Mean(n.Mailbox("m"))} },
	})
	for _, n := range []int{0, 1, 3} {
		g, err := graph.New(n, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := layer.Run(g, vc.VertexFeature("x", randn(1, n, 3)))
		if !slices.Equal(out.Tensor().Float64s(), make([]float64, 3*n)) {
			t.Errorf("%d vertices without edges: %v", n, out.Tensor().Float64s())
		}
	}
}

// The order of a layer's messages is that of their names, not that of a map.
func TestOneLayerHasOneIR(t *testing.T) {
	g := typed(t)
	binds, _ := bindings(g)
	first := ""
	for range 20 {
		p := message.Compile("same", message.Layer{
			Message: func(e message.Edges) message.Fields {
				return message.Fields{"a": e.Dst("x"), "b": e.Dst("x").Exp(), "c": e.Dst("x").Neg()}
			},
			Reduce: func(n message.Nodes) message.Fields {
				return message.Fields{"sum": vc.Sum(n.Mailbox("a").Add(n.Mailbox("b")).Mul(n.Mailbox("c")))}
			},
		})
		switch ir := p.Compiled(g, binds...).Traced.String(); {
		case first == "":
			first = ir
		case ir != first:
			t.Fatalf("the IR is\n%s\nand\n%s", first, ir)
		}
	}
}
