package gnn_test

// HeteroLinear, and the models for heterogeneous graphs: their parameters' names,
// what they compute, that they learn.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// university is a heterogeneous graph of students in three classes, who attend
// courses of their class more often than others, live in rooms by chance, and know
// one another. One type has no vertices, one edge type no edges. Features: students
// have noise, courses a faint hint of their class, rooms nothing.
func university(t testing.TB) (h *graph.Hetero, xs map[string]*autograd.Var, labels []int32) {
	t.Helper()
	const students, courses, rooms, classes = 90, 12, 20, 3
	draw := func(seed uint64, i, n int) int32 { return int32(rng.Hash(seed, uint64(i)) % uint64(n)) }
	labels = make([]int32, students)
	var attends, lives, knows [2][]int32
	for s := range students {
		labels[s] = draw(1, s, classes)
		for k := range 4 {
			c := draw(2, 4*s+k, courses)
			if k > 0 { // mostly of the class
				c = c/classes*classes + labels[s]
			}
			attends[0], attends[1] = append(attends[0], int32(s)), append(attends[1], c)
		}
		lives[0], lives[1] = append(lives[0], int32(s)), append(lives[1], draw(3, s, rooms))
		knows[0], knows[1] = append(knows[0], int32(s)), append(knows[1], draw(4, s, students))
	}
	var b graph.HeteroBuilder
	b.Vertices("student", students).Vertices("course", courses).Vertices("room", rooms).Vertices("club", 0)
	b.Edges(graph.EdgeType{Src: "student", Name: "attends", Dst: "course"}, attends[0], attends[1])
	b.Edges(graph.EdgeType{Src: "course", Name: "attended by", Dst: "student"}, attends[1], attends[0])
	b.Edges(graph.EdgeType{Src: "room", Name: "houses", Dst: "student"}, lives[1], lives[0])
	b.Edges(graph.EdgeType{Src: "student", Name: "knows", Dst: "student"}, knows[0], knows[1])
	b.Edges(graph.EdgeType{Src: "student", Name: "joins", Dst: "club"}, nil, nil)
	h, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	hints := make([]float64, courses*4)
	for i := range hints {
		hints[i] = rng.Normal(5, uint64(i))
		if i%4 == i/4%classes {
			hints[i] += 1.5
		}
	}
	xs = map[string]*autograd.Var{
		"student": autograd.Constant(randn(tensor.Float32, 6, students, 7)),
		"course":  autograd.Constant(tensor.FromSlice(hints, courses, 4).To(tensor.Float32)),
	}
	return h, xs, labels
}

var universityWidths = map[string]int{"student": 7, "course": 4}

func TestHeteroLinearProjectsEachTypeByItself(t *testing.T) {
	h, xs, _ := university(t)
	l := gnn.NewHeteroLinear(h, universityWidths, 3, nn.NewRNG(1))
	var names []string
	for _, p := range nn.NamedParameters(l) {
		names = append(names, p.Name)
	}
	if want := []string{"types.student.weight", "types.student.bias", "types.course.weight", "types.course.bias", "types.room.weight", "types.club.weight"}; !slices.Equal(names, want) {
		t.Fatalf("parameters %q, want %q", names, want)
	}
	stir(l)
	out := rowsOf(l.Forward(h, xs))
	view := h.Homogeneous()
	if len(out) != view.Graph.NumVertices() {
		t.Fatalf("%d rows", len(out))
	}
	for i, name := range h.VertexTypes() {
		for local, v := range view.VertexIDs[i] {
			var want []float64
			switch part := l.At(i).(type) {
			case *nn.Linear:
				want = affine(rowsOf(xs[name])[local], part)
			case *nn.Embedding:
				want = rowsOf(part.Weight)[local]
			}
			near(t, name, out[v], want, 1e-5)
		}
	}

	for _, i := range []int{-1, len(h.VertexTypes())} {
		if err := autograd.Try(func() { l.At(i) }); !isMisuse(err, fmt.Sprintf("gnn: HeteroLinear: vertex type %d of 4", i)) {
			t.Errorf("At(%d): %v", i, err)
		}
	}

	// Sparse features are the same features.
	csr := make([]int32, 91)
	cols := make([]int32, 90*7)
	for i := range csr {
		csr[i] = int32(7 * i)
	}
	for i := range cols {
		cols[i] = int32(i % 7)
	}
	sparse, err := tensor.NewSparse(90, 7, csr, cols, xs["student"].Tensor().Reshape(630))
	if err != nil {
		t.Fatal(err)
	}
	with := map[string]*autograd.Var{"student": autograd.SparseConstant(sparse), "course": xs["course"]}
	near(t, "sparse", l.Forward(h, with).Tensor().Float64s(), l.Forward(h, xs).Tensor().Float64s(), 1e-5)
}

// On a graph whose vertices are in any order, and on a block, each vertex has the row
// that it has in the whole graph in order of types.
func TestHeteroLinearOnOtherOrdersOfVertices(t *testing.T) {
	h, xs, _ := university(t)
	l := gnn.NewHeteroLinear(h, universityWidths, 3, nn.NewRNG(1))
	stir(l)
	view := h.Homogeneous()
	want := rowsOf(l.Forward(h, xs))
	order := []int32{120, 3, 95, 3, 101, 60, 0, 121, 92} // rooms, students and courses, one twice
	local := make([][]int32, len(h.VertexTypes()))
	types := make([]int32, len(order))
	for i, v := range order {
		types[i] = view.Graph.VertexTypes()[v]
		local[types[i]] = append(local[types[i]], view.LocalVertex[v])
	}
	some := map[string]*autograd.Var{"student": xs["student"].IndexSelect(local[0]), "course": xs["course"].IndexSelect(local[1])}
	ids := map[string][]int32{"room": local[2], "club": {}}
	g, err := graph.New(len(order), nil, nil, graph.WithVertexTypes(types, 4))
	if err != nil {
		t.Fatal(err)
	}
	block, err := graph.NewBipartite(len(order), 2, nil, nil, graph.WithSrcTypes(types, 4), graph.WithDstTypes(types[:2], 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graph.Graph{g, block} {
		got := rowsOf(l.ForwardOn(g, some, ids))
		if len(got) != len(order) {
			t.Fatalf("%v: %d rows", g, len(got))
		}
		for i, v := range order {
			near(t, "row", got[i], want[v], 1e-6)
		}
	}
	untyped := mustGraph(t, len(order), nil, nil)
	wantMisuses(t, map[string]func(){
		"gnn: HeteroLinear: the graph is nil":                                                                                     func() { l.ForwardOn(nil, some, ids) },
		"gnn: HeteroLinear: the graph has 0 vertex types, the layer takes 4":                                                      func() { l.ForwardOn(untyped, some, ids) },
		"gnn: HeteroLinear: no ids of type \"room\", which has no features: want the row of the table for each of its 2 vertices": func() { l.ForwardOn(g, some, nil) },
		"gnn: HeteroLinear: 1 ids for 2 vertices of type \"room\"":                                                                func() { l.ForwardOn(g, some, map[string][]int32{"room": {1}, "club": {}}) },
		"gnn: HeteroLinear: ids of type \"course\", which the layer has no table for":                                             func() { l.ForwardOn(g, some, map[string][]int32{"course": {1, 2, 3}}) },
		"gnn: HeteroLinear: features of type \"dean\"; the graph has [\"student\" \"course\" \"room\" \"club\"]": func() {
			l.ForwardOn(g, some, map[string][]int32{"dean": {1}})
		},
	})
}

func TestHeteroLinearGradientsEqualCentralDifferences(t *testing.T) {
	var b graph.HeteroBuilder
	h, err := b.Vertices("a", 2).Vertices("b", 3).Vertices("c", 1).Vertices("none", 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	l := gnn.NewHeteroLinear(h, map[string]int{"a": 3, "b": 2, "none": 4}, 2, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	stir(l)
	xs := map[string]*autograd.Var{
		"a":    autograd.Variable(randn(tensor.Float64, 1, 2, 3)),
		"b":    autograd.Variable(randn(tensor.Float64, 2, 3, 2)),
		"none": autograd.Variable(tensor.Zeros(tensor.Float64, 0, 4)),
	}
	leaves := append([]*autograd.Var{xs["a"], xs["b"], xs["none"]}, nn.Parameters(l)...)
	if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return l.Forward(h, xs) }, leaves); err != nil {
		t.Error(err)
	}
	shuffled, err := graph.New(6, nil, nil, graph.WithVertexTypes([]int32{2, 1, 0, 1, 1, 0}, 4))
	if err != nil {
		t.Fatal(err)
	}
	if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return l.ForwardOn(shuffled, xs, map[string][]int32{"c": {0}}) }, leaves); err != nil {
		t.Error(err)
	}
}

func TestHeteroLinearRejectsWhatDoesNotFit(t *testing.T) {
	h, xs, _ := university(t)
	r := nn.NewRNG(1)
	l := gnn.NewHeteroLinear(h, universityWidths, 3, r)
	var b graph.HeteroBuilder
	other, err := b.Vertices("student", 90).Build()
	if err != nil {
		t.Fatal(err)
	}
	b = graph.HeteroBuilder{}
	grown, err := b.Vertices("student", 90).Vertices("course", 12).Vertices("room", 21).Vertices("club", 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	with := func(name string, x *autograd.Var) map[string]*autograd.Var {
		all := map[string]*autograd.Var{"student": xs["student"], "course": xs["course"]}
		all[name] = x
		return all
	}
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	wantMisuses(t, map[string]func(){
		"gnn: HeteroLinear: size 0; want sizes above 0":    func() { gnn.NewHeteroLinear(h, nil, 0, r) },
		"gnn: HeteroLinear: the graph has no vertex types": func() { gnn.NewHeteroLinear(nil, nil, 3, r) },
		`gnn: HeteroLinear: a width for type "dean"; the graph has ["student" "course" "room" "club"]`: func() {
			gnn.NewHeteroLinear(h, map[string]int{"dean": 1}, 3, r)
		},
		"gnn: HeteroLinear: size -1; want 0 or more": func() { gnn.NewHeteroLinear(h, map[string]int{"room": -1}, 3, r) },
		`gnn: HeteroLinear: the graph has not the vertex types ["student" "course" "room" "club"] that the layer was made for`: func() { l.Forward(other, xs) },
		`gnn: HeteroLinear: features of type "dean"; the graph has ["student" "course" "room" "club"]`:                         func() { l.Forward(h, with("dean", v(1, 1))) },
		`gnn: HeteroLinear: features of type "room", which the layer has a table for`:                                          func() { l.Forward(h, with("room", v(20, 3))) },
		`gnn: HeteroLinear: the table of type "room" has 20 rows, the graph 21 vertices of the type`:                           func() { l.Forward(grown, xs) },
		`gnn: HeteroLinear: x of type "course" is nil`:                                                                         func() { l.Forward(h, with("course", nil)) },
		`gnn: HeteroLinear: x of type "course" has 11 rows, the graph 12 vertices of the type`:                                 func() { l.Forward(h, with("course", v(11, 4))) },
		`gnn: HeteroLinear: x of type "student" has 6 features, the layer takes 7`:                                             func() { l.Forward(h, with("student", v(90, 6))) },
	})
}

// heteroModels are the models for the university, as functions of nothing.
func heteroModels(t testing.TB, seed uint64) map[string]struct {
	module  any
	forward func() *autograd.Var
} {
	h, xs, _ := university(t)
	r := nn.NewRNG(seed)
	g := h.Homogeneous().Graph
	rgcn := gnn.NewRGCN(g.NumVertices(), 8, 3, 5, gnn.RGCNConfig{}, 0.2, r)
	bases := gnn.NewRGCN(g.NumVertices(), 8, 3, 5, gnn.RGCNConfig{Bases: 2}, 0.2, r)
	hgt := gnn.NewHGT(h, universityWidths, 8, 2, 2, 3, gnn.HGTConfig{Dropout: 0.2, Norm: true}, r)
	hgn := gnn.NewSimpleHGN(h, universityWidths, gnn.SimpleHGNSizes{Dim: 8, Heads: 2, Layers: 2, EdgeDim: 4}, 3, 0.05, 0.2, r)
	return map[string]struct {
		module  any
		forward func() *autograd.Var
	}{
		"rgcn":          {rgcn, func() *autograd.Var { return rgcn.Forward(g) }},
		"rgcn of bases": {bases, func() *autograd.Var { return bases.Forward(g) }},
		"hgt":           {hgt, func() *autograd.Var { return hgt.Forward(h, xs) }},
		"simple hgn":    {hgn, func() *autograd.Var { return hgn.Forward(h, xs) }},
	}
}

func TestHeteroModelsLearnTheUniversity(t *testing.T) {
	if testing.Short() {
		t.Skip("trains four models")
	}
	_, _, labels := university(t)
	var all, rows, held []int32 // of students, which come first
	for s := range labels {
		if all = append(all, int32(s)); s%3 == 0 {
			held = append(held, int32(s))
		} else {
			rows = append(rows, int32(s))
		}
	}
	for name, m := range heteroModels(t, 1) {
		opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(m.module), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.02})
		nn.Train(m.module)
		for range 60 {
			opt.ZeroGrad()
			loss := nn.CrossEntropy(m.forward().Slice(0, 0, len(labels)), labels, rows)
			loss.Backward()
			opt.Step()
		}
		nn.Eval(m.module)
		logits := m.forward().Slice(0, 0, len(all))
		train, test := nn.Accuracy(logits, labels, rows), nn.Accuracy(logits, labels, held)
		t.Logf("%s: accuracy %.2f on the training students, %.2f on the others", name, train, test)
		if train < 0.9 || test < 0.75 {
			t.Errorf("%s: accuracy %.2f on the training students, %.2f on the others", name, train, test)
		}
	}
}

func TestHeteroModelsAreSavedAndLoadedByName(t *testing.T) {
	as, bs := heteroModels(t, 1), heteroModels(t, 2)
	for name, a := range as {
		b := bs[name]
		nn.Eval(a.module)
		nn.Eval(b.module)
		want := a.forward().Tensor().Float64s()
		if slices.Equal(want, b.forward().Tensor().Float64s()) {
			t.Errorf("%s: two seeds give one model", name)
		}
		var file bytes.Buffer
		if err := nn.Save(&file, a.module); err != nil {
			t.Fatal(err)
		}
		if _, typed := a.module.(*gnn.HGT); typed && !strings.Contains(file.String(), `"input.types.course.weight"`) {
			t.Errorf("%s: no parameter carries the name of a vertex type", name)
		}
		if err := nn.Load(&file, b.module); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !sameBits(b.forward().Tensor().Float64s(), want) {
			t.Errorf("%s: the model loaded computes something else", name)
		}
	}
}

// On a graph whose vertices are in another order the logits are in that order.
func TestHeteroModelsTakeVerticesInAnyOrder(t *testing.T) {
	h, xs, _ := university(t)
	view := h.Homogeneous()
	n := view.Graph.NumVertices()
	place, types := make([]int32, n), make([]int32, n) // vertex v of the view is place[v] of g
	there, ids := map[string]*autograd.Var{}, map[string][]int32{}
	for i, name := range h.VertexTypes() {
		var backwards []int32
		for local, v := range slices.Backward(view.VertexIDs[i]) {
			place[v] = int32(len(backwards)*n/h.NumVertices(name) + i) // spread, against the order of the type
			backwards = append(backwards, int32(local))
		}
		if x := xs[name]; x != nil {
			there[name] = x.IndexSelect(backwards)
		} else {
			ids[name] = backwards
		}
	}
	order := make([]int32, n)
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return int(place[a]) - int(place[b]) })
	for at, v := range order {
		place[v], types[at] = int32(at), view.Graph.VertexTypes()[v]
	}
	src, dst := make([]int32, view.Graph.NumEdges()), make([]int32, view.Graph.NumEdges())
	for e := range src {
		src[e], dst[e] = place[view.Graph.Src()[e]], place[view.Graph.Dst()[e]]
	}
	g, err := graph.New(n, src, dst, graph.WithVertexTypes(types, 4), graph.WithEdgeTypes(view.Graph.EdgeTypes(), 5))
	if err != nil {
		t.Fatal(err)
	}
	if g.SrcByType().IsIdentity() {
		t.Fatal("the vertices are in order of types")
	}
	for name, m := range heteroModels(t, 1) {
		on, ok := m.module.(interface {
			ForwardOn(g *graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32) *autograd.Var
		})
		if !ok {
			continue
		}
		nn.Eval(m.module)
		near(t, name, on.ForwardOn(g, there, ids).IndexSelect(place).Tensor().Float64s(), m.forward().Tensor().Float64s(), 1e-4)
		wantMisuses(t, map[string]func(){ // as many rooms as the table has rows, in an order that is not told
			`gnn: HeteroLinear: no ids of type "room", which has no features: want the row of the table for each of its 20 vertices`: func() { on.ForwardOn(g, there, nil) },
		})
	}
}

func TestOneSeedGivesOneHeteroModel(t *testing.T) {
	as, bs := heteroModels(t, 3), heteroModels(t, 3)
	for name, a := range as {
		if !sameBits(a.forward().Tensor().Float64s(), bs[name].forward().Tensor().Float64s()) {
			t.Errorf("%s: two models of one seed differ", name)
		}
	}
}

func TestHeteroModelsRejectWhatMakesNoSense(t *testing.T) {
	h, xs, _ := university(t)
	r := nn.NewRNG(1)
	size := gnn.SimpleHGNSizes{Dim: 8, Heads: 2, Layers: 2, EdgeDim: 4}
	wantMisuses(t, map[string]func(){
		"gnn: HGT: size 0; want sizes above 0":                   func() { gnn.NewHGT(h, nil, 8, 2, 0, 3, gnn.HGTConfig{}, r) },
		"gnn: HGTConv: 9 features are not made of 2 equal heads": func() { gnn.NewHGT(h, nil, 9, 2, 1, 3, gnn.HGTConfig{}, r) },
		"gnn: SimpleHGN: size -1; want sizes above 0":            func() { gnn.NewSimpleHGN(h, nil, size, -1, 0.05, 0.5, r) },
		"gnn: RGCNEmbedding: size 0; want sizes above 0":         func() { gnn.NewRGCN(0, 8, 3, 2, gnn.RGCNConfig{}, 0, r) },
		"gnn: HeteroLinear: the graph has no vertex types": func() {
			gnn.NewHGT(&graph.Hetero{}, nil, 8, 2, 1, 3, gnn.HGTConfig{}, r)
		},
	})
	var typed *nn.Error
	for name, f := range map[string]func(){
		"zero HGT":       func() { (&gnn.HGT{}).Forward(h, xs) },
		"zero SimpleHGN": func() { (&gnn.SimpleHGN{}).Forward(h, xs) },
		"dropout of 2":   func() { gnn.NewSimpleHGN(h, nil, size, 3, 0.05, 2, r) },
	} {
		if err := autograd.Try(f); !errors.As(err, &typed) && !isMisuse(err, "gnn: ") {
			t.Errorf("%s: the error is %T %v", name, err, err)
		}
	}
}

// Weights of relations are found by number: a graph with the same relations in another
// order, or with others, would silently get the wrong ones.
func TestHeteroModelsRejectGraphsOfOtherRelations(t *testing.T) {
	graphOf := func(types ...graph.EdgeType) *graph.Hetero {
		b := new(graph.HeteroBuilder).Vertices("a", 2).Vertices("b", 2)
		for _, e := range types {
			b.Edges(e, []int32{0, 1}, []int32{1, 1})
		}
		h, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	likes, owns := graph.EdgeType{Src: "a", Name: "likes", Dst: "b"}, graph.EdgeType{Src: "a", Name: "owns", Dst: "b"}
	h := graphOf(likes, owns)
	hgt := gnn.NewHGT(h, nil, 4, 2, 1, 3, gnn.HGTConfig{}, nn.NewRNG(1))
	hgn := gnn.NewSimpleHGN(h, nil, gnn.SimpleHGNSizes{Dim: 4, Heads: 2, Layers: 1, EdgeDim: 2}, 3, 0.05, 0, nn.NewRNG(1))
	for what, other := range map[string]*graph.Hetero{
		"[(a, owns, b) (a, likes, b)]": graphOf(owns, likes),
		"[(a, likes, b) (a, has, b)]":  graphOf(likes, graph.EdgeType{Src: "a", Name: "has", Dst: "b"}),
		"[(a, likes, b)]":              graphOf(likes),
	} {
		wantMisuses(t, map[string]func(){
			"gnn: HGT: the graph has the edge types " + what + ", the model was made for [(a, likes, b) (a, owns, b)]":       func() { hgt.Forward(other, nil) },
			"gnn: SimpleHGN: the graph has the edge types " + what + ", the model was made for [(a, likes, b) (a, owns, b)]": func() { hgn.Forward(other, nil) },
		})
	}
	same := graphOf(likes, owns)
	hgt.Forward(same, nil)
	hgn.Forward(same, nil)
}
