package vcentric_test

// What was compiled last is found without a key, and exactly where the key would find it.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// given is what a program is looked up for.
type given struct {
	what     string
	g        *graph.Graph
	bindings []vc.Binding
}

// find is what a lookup comes to: the plans, or how it panics.
func (c given) find(p *vc.Program) (found *vc.Compiled, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%T: %v", v, v)
		}
	}()
	return p.Compiled(c.g, c.bindings...), nil
}

func TestTheLastPlansAreFoundExactlyWhereTheKeyFindsThem(t *testing.T) {
	conv := func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h")).Mul(vc.Param("w")).Dropout(0.5)
	}
	ofEdges := func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Feature("f")) }
	const f32, f64 = tensor.Float32, tensor.Float64
	of := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	learnt := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Parameter(tensor.Zeros(dt, shape...))
	}
	freed := of(f32, 6, 4)
	freed.Tensor().Free()
	unrecorded := autograd.NoGrad(of(f32, 6, 4))
	sparse, err := tensor.NewSparse(6, 4, make([]int32, 7), nil, tensor.Zeros(f32, 0))
	if err != nil {
		t.Fatal(err)
	}

	h, w, train := vc.VertexFeature("h", of(f32, 6, 4)), vc.ParamValue("w", of(f32, 4)), vc.Training(1)
	hGrad, wGrad := vc.VertexFeature("h", learnt(f32, 6, 4)), vc.ParamValue("w", learnt(f32, 4))
	g, dense, empty := messy(t), hub(t, 1, 6, 100), mustGraph(t, 6, nil, nil)
	cases := []given{
		{"a feature and a parameter", g, []vc.Binding{h, w}},
		{"other tensors", g, []vc.Binding{vc.VertexFeature("h", of(f32, 6, 4)), vc.ParamValue("w", of(f32, 4))}},
		{"many edges", dense, []vc.Binding{h, w}},
		{"no edges", empty, []vc.Binding{h, w}},
		{"more vertices", hub(t, 1, 9, 10), []vc.Binding{vc.VertexFeature("h", of(f32, 9, 4)), w}},
		{"more vertices than rows", hub(t, 1, 9, 10), []vc.Binding{h, w}},
		{"f64", g, []vc.Binding{vc.VertexFeature("h", of(f64, 6, 4)), vc.ParamValue("w", of(f64, 4))}},
		{"two number types", g, []vc.Binding{h, vc.ParamValue("w", of(f64, 4))}},
		{"integers", g, []vc.Binding{vc.VertexFeature("h", of(tensor.Int32, 6, 4)), w}},
		{"wider", g, []vc.Binding{vc.VertexFeature("h", of(f32, 6, 5)), vc.ParamValue("w", of(f32, 5))}},
		{"a row of another rank", g, []vc.Binding{vc.VertexFeature("h", of(f32, 6, 1, 4)), w}},
		{"no row", g, []vc.Binding{vc.VertexFeature("h", of(f32)), w}},
		{"a number", g, []vc.Binding{h, vc.ParamValue("w", of(f32))}},
		{"the gradient of the feature", g, []vc.Binding{hGrad, w}},
		{"the gradient of the parameter", g, []vc.Binding{h, wGrad}},
		{"both gradients", g, []vc.Binding{hGrad, wGrad}},
		{"both gradients, many edges", dense, []vc.Binding{hGrad, wGrad}},
		{"a gradient that is not recorded", g, []vc.Binding{vc.VertexFeature("h", unrecorded), wGrad}},
		{"no gradient, nor would it be recorded", g, []vc.Binding{vc.VertexFeature("h", unrecorded), w}},
		{"training", g, []vc.Binding{h, w, train}},
		{"training with another seed", g, []vc.Binding{h, w, vc.Training(2)}},
		{"training first", g, []vc.Binding{train, h, w}},
		{"training with a gradient", g, []vc.Binding{hGrad, w, train}},
		{"training twice", g, []vc.Binding{h, train, train}},
		{"the parameter first", g, []vc.Binding{w, h}},
		{"a feature for a parameter", g, []vc.Binding{h, vc.VertexFeature("w", of(f32, 6, 4))}},
		{"a feature of edges", g, []vc.Binding{vc.EdgeFeature("h", of(f32, 12, 4)), w}},
		{"another name", g, []vc.Binding{vc.VertexFeature("x", of(f32, 6, 4)), w}},
		{"twice the feature", g, []vc.Binding{h, h}},
		{"one more", g, []vc.Binding{h, w, vc.ParamValue("more", of(f32, 4))}},
		{"one less", g, []vc.Binding{h}},
		{"nothing", g, nil},
		{"a nil tensor", g, []vc.Binding{h, vc.ParamValue("w", nil)}},
		{"a freed tensor", g, []vc.Binding{vc.VertexFeature("h", freed), w}},
		{"a sparse matrix", g, []vc.Binding{vc.VertexFeature("h", autograd.SparseConstant(sparse)), w}},
		{"no graph", nil, []vc.Binding{h, w}},
		{"two vertex sets", messyBipartite(t), []vc.Binding{vc.SrcFeature("h", of(f32, 4, 4)), w}},
		{"two vertex sets, one feature", messyBipartite(t), []vc.Binding{h, w}},
		{"two types", withTypes(t, 6, 20, 2, 2), []vc.Binding{h, w}},
		{"three types of edges", withTypes(t, 6, 20, 3, 2), []vc.Binding{h, w}},
		{"two types, many edges", withTypes(t, 6, 200, 2, 2), []vc.Binding{h, w}},
	}
	f := []vc.Binding{vc.EdgeFeature("f", of(f32, 7, 4))} // fits graphs of one vertex set and of two
	casesOfEdges := []given{
		{"one vertex set", mustGraph(t, 5, []int32{3, 0, 0, 1, 3, 0, 1}, []int32{0, 4, 4, 1, 1, 0, 4}), f},
		{"two vertex sets", messyBipartite(t), f},
	}
	other := given{"", mustGraph(t, 6, make([]int32, 7), make([]int32, 7)), []vc.Binding{h, w, f[0], vc.ParamValue("of no case", of(f32))}}
	var found, refused int
	compare := func(p *vc.Program, cases []given) {
		for _, first := range cases {
			for _, second := range cases {
				byKey := func(c given) (*vc.Compiled, error) {
					if _, err := other.find(p); err != nil {
						t.Fatal(err)
					}
					return c.find(p) // something else was last
				}
				want, wantErr := byKey(second)
				before, _ := byKey(first)
				got, gotErr := second.find(p)
				if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
					t.Errorf("%s, then %s: %v, want %v", first.what, second.what, gotErr, wantErr)
				}
				if got != want {
					t.Errorf("%s, then %s: other plans than by the key", first.what, second.what)
				}
				switch {
				case wantErr != nil:
					refused++
				case got == before:
					found++
				}
			}
		}
	}
	compare(vc.Compile("conv", conv), cases)
	compare(vc.Compile("of edges", ofEdges), casesOfEdges)
	if found <= len(cases) || refused == 0 {
		t.Errorf("%d pairs have plans together, %d are refused", found, refused)
	}
}
