package vcentric_test

// Misuse of types and of the two directions.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestMisuseOfTypeBindingsNamesFeatureAndRows(t *testing.T) {
	c := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	plain, g, b := messy(t), typed(t, messy(t), 0), typed(t, messyBipartite(t), 0) // 4 edge types; 3 vertex types, or 3 and 2
	for _, k := range []struct {
		name string
		g    *graph.Graph
		bind vc.Binding
		want []string
	}{
		{"rows of an edge type feature", g, vc.EdgeTypeFeature("W", c(12, 3)), []string{`edge type feature "W"`, "[12 3]", "4 rows", "edge types"}},
		{"rows of a vertex type feature", g, vc.VertexTypeFeature("W", c(4, 3)), []string{`vertex type feature "W"`, "[4 3]", "3 rows", "vertex types"}},
		{"rows of a source type feature", b, vc.SrcTypeFeature("W", c(2, 3)), []string{`source type feature "W"`, "[2 3]", "3 rows", "source types"}},
		{"rows of a destination type feature", b, vc.DstTypeFeature("W", c(3, 3)), []string{`destination type feature "W"`, "[3 3]", "2 rows", "destination types"}},
		{"a scalar", g, vc.EdgeTypeFeature("W", c()), []string{`edge type feature "W"`, "[]", "4 rows"}},
		{"edge types of a graph without", plain, vc.EdgeTypeFeature("W", c(4, 3)), []string{`edge type feature "W"`, "[4 3]", "the graph has no edge types"}},
		{"vertex types of a graph without", plain, vc.VertexTypeFeature("W", c(3, 3)), []string{`vertex type feature "W"`, "[3 3]", "the graph has no vertex types"}},
		{"vertex types on a bipartite graph", b, vc.VertexTypeFeature("W", c(3, 3)), []string{"bipartite", "SrcTypeFeature", "DstTypeFeature"}},
		{"source types on a homogeneous graph", g, vc.SrcTypeFeature("W", c(3, 3)), []string{"homogeneous", "VertexTypeFeature"}},
		{"destination types on a homogeneous graph", g, vc.DstTypeFeature("W", c(3, 3)), []string{"homogeneous", "VertexTypeFeature"}},
		{"nil", g, vc.EdgeTypeFeature("W", nil), []string{`edge type feature "W"`, "nil"}},
	} {
		p := vc.Compile("conv", func(v vc.Vertex) vc.Value { return v.InDegree() })
		wantMisuse[*vc.BindError](t, k.name, func() { p.Run(k.g, k.bind) }, append(k.want, "vcentric: conv: ")...)
	}
}

func TestMisuseOfTypesInTheVertexFunctionNamesTheLine(t *testing.T) {
	ins := []input{vertex("x", 3), edge("f", 4), edgeType("W", 3, 2), vertexType("V", 3, 2), edgeType("H", 2, 3, 5), param("P", 3, 2)}
	square := func(v vc.Vertex) vc.Value { return v.Feature("x").Reshape(3, 1).Mul(v.Feature("x")) }
	for _, c := range []struct {
		name, at string
		f        func(v vc.Vertex) vc.Value
		want     []string
	}{
		{"unbound edge type feature", here(), func(v vc.Vertex) vc.Value { return v.InEdges().Type("V") }, []string{`edge type feature "V" is not bound`, `vertex type feature "V" [3 2]`}},
		{"unbound vertex type feature", here(), func(v vc.Vertex) vc.Value { return v.Type("W") }, []string{`vertex type feature "W" is not bound`}},
		{"a type's feature as a vertex's", here(), func(v vc.Vertex) vc.Value { return v.Feature("V") }, []string{`vertex feature "V" is not bound`}},
		{"inner dimensions", here(), func(v vc.Vertex) vc.Value { return v.InEdges().Feature("f").MatMul(v.InEdges().Type("W")) }, []string{"matmul", "inner dimensions", "[4]", "[3 2]"}},
		{"heads of another number", here(), func(v vc.Vertex) vc.Value { return square(v).MatMul(v.InEdges().Type("H")) }, []string{"matmul", "[3 3]", "[2 3 5]"}},
		{"inner dimensions of one row and heads", here(), func(v vc.Vertex) vc.Value { return square(v).Reshape(1, 9).MatMul(v.InEdges().Type("H")) }, []string{"matmul", "inner dimensions", "[1 9]", "[2 3 5]"}},
		{"heads of a row without", here(), func(v vc.Vertex) vc.Value { return v.Feature("x").MatMul(v.InEdges().Type("H")) }, []string{"matmul", "[3]", "[2 3 5]"}},
		{"result of a neighbour's type", here(), func(v vc.Vertex) vc.Value { return v.InEdges().SrcType("V") }, []string{"result", "neighbour's type", "AtEdges"}},
		{"no such aggregator", here(), func(v vc.Vertex) vc.Value { return vc.ByType(vc.BySum, 4, v.InEdges().Feature("f")) }, []string{"bytype", "aggregator 4"}},
		{"no such inner aggregator", here(), func(v vc.Vertex) vc.Value { return vc.ByType(9, vc.ByMax, v.InEdges().Feature("f")) }, []string{"bytype", "aggregator 9"}},
		{"order that is no permutation", here(), func(v vc.Vertex) vc.Value { return v.Type("V").Permute(0, 0).SumLast() }, []string{"permute", "[3 2]", "[0 0]"}},
		{"order of too few dimensions", here(), func(v vc.Vertex) vc.Value { return v.Type("V").Permute(0).SumLast() }, []string{"permute", "[3 2]"}},
		{"softmax of a scalar's last dimension", here(), func(v vc.Vertex) vc.Value { return v.InDegree().SoftmaxLast() }, []string{"softmaxlast", "scalar"}},
		{"maximum of a scalar's last dimension", here(), func(v vc.Vertex) vc.Value { return v.InDegree().MaxLast() }, []string{"maxlast", "scalar"}},
	} {
		g := typed(t, messy(t), 0)
		bindings := bindAll(ins, variables(g, tensor.Float32, ins))
		wantMisuse[*ir.Error](t, c.name, func() { vc.Compile("bad", c.f).Run(g, bindings...) }, append(c.want, c.at)...)
	}
}

// What asks for types runs on graphs that have some, and says so on others.
func TestTypesOfGraphsWithoutTypesAreMisuse(t *testing.T) {
	g := messy(t)
	x := vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, 6, 3)))
	none := vc.EdgeTypeFeature("W", autograd.Constant(tensor.Zeros(tensor.Float32, 0, 3)))
	for _, c := range []struct {
		name, at string
		f        func(v vc.Vertex) vc.Value
	}{
		{"type degree", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().TypeDegree()) }},
		{"by type", here(), func(v vc.Vertex) vc.Value { return vc.ByType(vc.BySum, vc.BySum, v.InEdges().Src("x")) }},
		{"softmax by type", here(), func(v vc.Vertex) vc.Value { return vc.SoftmaxByType(v.InEdges().Src("x")) }},
		{"a feature of no edge types", here(), func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Type("W").Mul(v.Feature("x"))) }},
	} {
		wantMisuse[*ir.Error](t, c.name, func() { vc.Compile("bad", c.f).Run(g, x, none) }, "types", c.at)
	}
}

func TestValuesOfBothDirectionsDoNotMix(t *testing.T) {
	g := messy(t)
	ins := []input{vertex("x", 3), edge("f", 3), param("w", 3)}
	const mixed = "in-edges met one of the out-edges"
	fin := func(v vc.Vertex) vc.Value { return v.InEdges().Feature("f") }
	fout := func(v vc.Vertex) vc.Value { return v.OutEdges().Feature("f") }
	xin := func(v vc.Vertex) vc.Value { return v.InNeighbors().Feature("x") }
	xout := func(v vc.Vertex) vc.Value { return v.OutNeighbors().Feature("x") }
	for _, c := range []struct {
		name, at string
		f        func(v vc.Vertex) vc.Value
	}{
		{"features of the edges", here(), func(v vc.Vertex) vc.Value { return fin(v).Add(fout(v)) }},
		{"neighbours", here(), func(v vc.Vertex) vc.Value { return vc.Sum(xin(v).Mul(xout(v))) }},
		{"a neighbour and an edge", here(), func(v vc.Vertex) vc.Value { return vc.Sum(xout(v).Mul(fin(v))) }},
		{"concatenation", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Concat(v.Feature("x"), fin(v), fout(v))) }},
		{"selection", here(), func(v vc.Vertex) vc.Value { return vc.Select(fin(v), fout(v), v.Feature("x")) }},
		{"an in-edge value made of the centre's", here(), func(v vc.Vertex) vc.Value { return vc.AtEdges(v.Feature("x")).Mul(fout(v)) }},
		{"weights of the other direction", here(), func(v vc.Vertex) vc.Value { return vc.Sum(vc.Softmax(fin(v)).Mul(xout(v))) }},
		{"ends of the other direction's edges", here(), func(v vc.Vertex) vc.Value { return vc.Sum(xin(v).Mul(v.OutEdges().Src("x"))) }},
	} {
		wantMisuse[*ir.Error](t, c.name, func() {
			vc.Compile("bad", c.f).Run(g, bindAll(ins, variables(g, tensor.Float32, ins))...)
		}, mixed, "aggregate", c.at)
	}
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"out-edges":        func(v vc.Vertex) vc.Value { return vc.Sum(v.OutEdges().Feature("f")) },
		"out-neighbours":   func(v vc.Vertex) vc.Value { return vc.Sum(v.OutNeighbors().Feature("x")) },
		"their edges' end": func(v vc.Vertex) vc.Value { return vc.Sum(v.OutEdges().Dst("x")) },
	} {
		b := messyBipartite(t)
		wantMisuse[*ir.Error](t, name, func() {
			vc.Compile("bad", f).Run(b, bindAll(forBipartite(ins), variables(b, tensor.Float32, forBipartite(ins)))...)
		}, "Out", "bipartite", "misuse_types_test.go:")
	}
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"edges of a neighbour":      func(v vc.Vertex) vc.Value { return vc.Sum(v.OutNeighbors().OutEdges().Feature("f")) },
		"neighbours of a neighbour": func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().OutNeighbors().Feature("x")) },
	} {
		wantMisuse[*ir.Error](t, name, func() {
			vc.Compile("bad", f).Run(g, bindAll(ins, variables(g, tensor.Float32, ins))...)
		}, "two hops", "misuse_types_test.go:")
	}
}
