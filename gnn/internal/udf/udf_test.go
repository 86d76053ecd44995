package udf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn/internal/udf"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestPerEdgeTellsValuesOfEdgesFromThoseOfTheCentre(t *testing.T) {
	g, err := graph.New(2, []int32{0}, []int32{1}, graph.WithEdgeTypes([]int32{0}, 1), graph.WithVertexTypes([]int32{0, 0}, 1))
	if err != nil {
		t.Fatal(err)
	}
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 2, 3))
	f, k := autograd.Constant(tensor.Zeros(tensor.Float32, 1, 3)), autograd.Constant(tensor.Zeros(tensor.Float32, 1, 3))
	vc.Compile("values", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		for what, c := range map[string]struct {
			value vc.Value
			want  bool
		}{
			"source":             {e.Src("x"), true},
			"edge":               {e.Feature("f"), true},
			"type of the edge":   {e.Type("k"), true},
			"type of the source": {e.SrcType("k"), true},
			"mix of both ends":   {e.Src("x").Add(e.Dst("x")), true},
			"softmax":            {vc.Softmax(e.Src("x")), true},
			"centre":             {v.Feature("x"), false},
			"type of the centre": {v.Type("k"), false},
			"sum":                {vc.Sum(e.Src("x")), false},
			"number":             {vc.Number(1), false},
			"param":              {vc.Param("w"), false},
			"sum of a param":     {vc.Sum(vc.Param("w")), false},
			"param at the edges": {vc.AtEdges(vc.Param("w")), true},
			"zero value":         {vc.Value{}, false},
		} {
			if got := udf.PerEdge(c.value, v, ""); got != c.want {
				t.Errorf("%s: %v is a value of the edges: %v", what, c.value, got)
			}
			if got, want := udf.OfCentre(c.value), what == "centre" || what == "type of the centre" || what == "sum"; got != want {
				t.Errorf("%s: %v is a value of the centre: %v", what, c.value, got)
			}
			want := map[string]string{"zero value": "the zero Value", "number": "a param or a number, which all vertices share", "param": "a param or a number, which all vertices share"}[what]
			if got := udf.Ownerless(c.value, v, ""); got != want {
				t.Errorf("%s: %v is %q, want %q", what, c.value, got, want)
			}
		}
		return v.Feature("x")
	}).Run(g, vc.VertexFeature("x", x), vc.EdgeFeature("f", f), vc.EdgeTypeFeature("k", k), vc.VertexTypeFeature("k", k), vc.ParamValue("w", k))
}

func TestPanicsAreMovedToTheLineOfTheUser(t *testing.T) {
	broken := &ir.Error{Op: "mul", Detail: "does not fit", Pos: "elsewhere.go:1"}
	for want, f := range map[string]func(){
		"mine.go:7: vcentric: mul: does not fit": func() { defer udf.At("mine.go:7"); panic(broken) },
		"udf_test.go:":                           func() { defer udf.AtCaller(); panic(broken) },
	} {
		var moved *ir.Error
		if err := autograd.Try(f); !errors.As(err, &moved) || moved == broken || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
	if broken.Pos != "elsewhere.go:1" {
		t.Errorf("the error itself was changed: %v", broken)
	}
}

func TestLineIsWhereAFunctionBegins(t *testing.T) {
	f := func() {}
	if got := udf.Line(f); !strings.HasPrefix(got, "udf_test.go:") {
		t.Errorf("the line is %s", got)
	}
}
