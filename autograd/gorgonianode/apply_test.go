package gorgonianode

// Values and gradients of our functions in Gorgonia's graphs.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func apply(t testing.TB, f Func, inputs gorgonia.Nodes, opts ...Option) *gorgonia.Node {
	t.Helper()
	n, err := Apply("f", f, inputs, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// gat is one layer of a graph attention network on a small graph.
func gat(t testing.TB) Func {
	t.Helper()
	program := vc.Compile("gat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		alpha := vc.Softmax(e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2))
		return vc.Sum(alpha.Mul(e.Src("h")))
	})
	g, err := graph.New(4, []int32{0, 1, 2, 3, 3, 0}, []int32{1, 2, 0, 0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	return func(xs ...*autograd.Var) *autograd.Var {
		return program.Run(g, vc.VertexFeature("h", xs[0]), vc.VertexFeature("el", xs[1]), vc.VertexFeature("er", xs[2]))
	}
}

func TestGradientsInBothMachinesAreCentralDifferences(t *testing.T) {
	f64 := func(seed uint64, shape ...int) *tensor.Tensor { return normals(tensor.Float64, seed, shape...) }
	rows := tensor.FromSlice([]int32{2, 0, 2}, 3)
	captured := autograd.Constant(f64(50, 4, 3))
	for _, c := range []struct {
		name string
		xs   []*tensor.Tensor
		f    Func
		opts []Option
	}{
		{"tanh", []*tensor.Tensor{f64(1, 3, 4)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, nil},
		{"softmax", []*tensor.Tensor{f64(2, 3, 4)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Softmax() }, nil},
		{"vector", []*tensor.Tensor{f64(3, 5)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Exp() }, nil},
		{"four axes", []*tensor.Tensor{f64(4, 2, 1, 2, 3)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Sigmoid() }, nil},
		{"linear", []*tensor.Tensor{f64(5, 3, 4), f64(6, 4, 2), f64(7, 2)}, func(xs ...*autograd.Var) *autograd.Var {
			return xs[0].MatMul(xs[1]).Add(xs[2])
		}, nil},
		{"shape declared", []*tensor.Tensor{f64(5, 3, 4), f64(6, 4, 2)}, func(xs ...*autograd.Var) *autograd.Var {
			return xs[0].MatMul(xs[1])
		}, []Option{WithOutput(tensor.Float64, 3, 2)}},
		{"scalar result", []*tensor.Tensor{f64(8, 3, 4)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Square().Sum() }, nil},
		{"scalar input", []*tensor.Tensor{f64(9, 3, 2), f64(10)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Mul(xs[1]).Exp() }, nil},
		{"an input unchanged", []*tensor.Tensor{f64(11, 3, 2)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0] }, nil},
		{"a view of an input", []*tensor.Tensor{f64(12, 3, 2)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Reshape(6) }, nil},
		{"an ignored input", []*tensor.Tensor{f64(13, 3, 2), f64(14, 2, 2)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, nil},
		{"captured values", []*tensor.Tensor{f64(15, 2, 4)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].MatMul(captured) }, nil},
		{"one element", []*tensor.Tensor{f64(16, 1, 1)}, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Exp() }, nil},
		{"integers", []*tensor.Tensor{f64(17, 3, 2), rows}, func(xs ...*autograd.Var) *autograd.Var {
			return xs[0].IndexSelect(tensor.Data[int32](xs[1].Tensor())).Tanh()
		}, nil},
		{"vertex-centric program", []*tensor.Tensor{f64(18, 4, 3), f64(19, 4), f64(20, 4)}, gat(t), nil},
	} {
		checkGradients(t, c.name, c.xs, func(g *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
			return weighted(t, apply(t, c.f, in, c.opts...))
		})
	}
}

// Nodes of ours between Gorgonia's, an input used twice and a node used twice.
func TestGradientsFlowThroughGorgoniaAndBack(t *testing.T) {
	xs := []*tensor.Tensor{normals(tensor.Float64, 1, 3, 3), normals(tensor.Float64, 2, 3, 3)}
	mul := func(xs ...*autograd.Var) *autograd.Var { return xs[0].MatMul(xs[1]) }
	checkGradients(t, "x twice", xs[:1], func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
		return weighted(t, apply(t, mul, gorgonia.Nodes{in[0], in[0]}))
	})
	checkGradients(t, "between", xs, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
		h := gorgonia.Must(gorgonia.Tanh(gorgonia.Must(gorgonia.Mul(in[0], in[1]))))
		y := apply(t, mul, gorgonia.Nodes{h, in[1]})
		z := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Softmax() }, gorgonia.Nodes{y})
		return weighted(t, gorgonia.Must(gorgonia.Add(gorgonia.Must(gorgonia.HadamardProd(y, z)), gorgonia.Must(gorgonia.Sigmoid(h)))))
	})
	checkGradients(t, "transposed and sliced operands", xs, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
		tr := gorgonia.Must(gorgonia.Transpose(in[0], 1, 0))
		part := gorgonia.Must(gorgonia.Slice(in[1], nil, gorgonia.S(0, 2)))
		return weighted(t, apply(t, mul, gorgonia.Nodes{tr, part}))
	})
}

// Two nodes of one function must not be taken for one: they have records of
// their own.
func TestEqualNodesStayApart(t *testing.T) {
	xs := []*tensor.Tensor{normals(tensor.Float64, 1, 3, 2)}
	checkGradients(t, "equal nodes", xs, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
		f := func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }
		a, b := apply(t, f, in), apply(t, f, in)
		if a == b {
			t.Fatal("two applications are one node")
		}
		return weighted(t, gorgonia.Must(gorgonia.HadamardProd(a, b)))
	})
}

func TestFloat32GradientsMatchGorgoniasOwn(t *testing.T) {
	xs := []*tensor.Tensor{normals(tensor.Float32, 1, 5, 4), normals(tensor.Float32, 2, 4, 3)}
	for _, m := range machines {
		cost, grads := evaluate(t, m, xs, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
			return weighted(t, apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].MatMul(xs[1]).Tanh() }, in))
		})
		wantCost, want := evaluate(t, m, xs, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
			return weighted(t, gorgonia.Must(gorgonia.Tanh(gorgonia.Must(gorgonia.Mul(in[0], in[1])))))
		})
		numtest.Near(t, m.name+": cost", []float64{cost}, []float64{wantCost}, 1e-5)
		for i := range want {
			numtest.Near(t, fmt.Sprintf("%s: gradient %d", m.name, i), grads[i], want[i], 1e-5)
		}
	}
}

// Gorgonia writes a sum over its first operand if nothing else needs that. Ours
// may be an input's memory or a parameter's.
func TestValuesThatGorgoniaOverwritesAreNotOurs(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 2, 2))
	table := autograd.Parameter(normals(tensor.Float64, 2, 2, 2))
	want := table.Tensor().Float64s()
	y := apply(t, func(...*autograd.Var) *autograd.Var { return table }, gorgonia.Nodes{x})
	gorgonia.Must(gorgonia.Add(y, x))
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
	if got := table.Tensor().Float64s(); !slices.Equal(got, want) {
		t.Errorf("the parameter became %v, was %v", got, want)
	}
}

// What is taken in stays what it is: row-major memory is shared; views, what is
// column-major and int are copied.
func TestValuesBecomeTensors(t *testing.T) {
	m := gt.New(gt.WithShape(2, 3), gt.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	tr := m.Clone().(*gt.Dense)
	if err := tr.T(); err != nil {
		t.Fatal(err)
	}
	part, err := m.Slice(nil, gt.S(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	partT, err := tr.Slice(gt.S(0, 3)) // all of it
	if err != nil {
		t.Fatal(err)
	}
	someInts, err := gt.New(gt.WithShape(2, 2), gt.WithBacking([]int{1, 2, 3, 4})).Slice(nil, gt.S(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	columns := gt.New(gt.WithShape(2, 3), gt.AsFortran([]float64{1, 2, 3, 4, 5, 6})) // given row by row
	columnsT := columns.Clone().(*gt.Dense)
	if err := columnsT.T(); err != nil {
		t.Fatal(err)
	}
	emptyT := gt.New(gt.WithShape(0, 3), gt.Of(gt.Float64))
	if err := emptyT.T(); err != nil {
		t.Fatal(err)
	}
	someColumns, err := columns.Slice(nil, gt.S(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	row, err := columns.Slice(gt.S(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v     gorgonia.Value
		shape []int
		want  []float64
	}{
		{m, []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
		{tr, []int{3, 2}, []float64{1, 4, 2, 5, 3, 6}},
		{part.(*gt.Dense), []int{2, 2}, []float64{2, 3, 5, 6}},
		{part.Clone().(*gt.Dense), []int{2, 2}, []float64{2, 3, 5, 6}},
		{partT.Clone().(*gt.Dense), []int{3, 2}, []float64{1, 4, 2, 5, 3, 6}},
		{someInts.Clone().(*gt.Dense), []int{2}, []float64{2, 4}},
		{gt.New(gt.WithShape(2), gt.WithBacking([]int{7, -8})), []int{2}, []float64{7, -8}},
		{gt.New(gt.WithShape(2), gt.WithBacking([]int32{7, -8})), []int{2}, []float64{7, -8}},
		{columns, []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
		{columnsT, []int{3, 2}, []float64{1, 4, 2, 5, 3, 6}},
		{someColumns.(*gt.Dense), []int{2, 2}, []float64{2, 3, 5, 6}},
		{row.(*gt.Dense), []int{3}, []float64{4, 5, 6}},
		{gt.New(gt.WithShape(2, 2, 2), gt.AsFortran([]int{0, 1, 2, 3, 4, 5, 6, 7})), []int{2, 2, 2}, []float64{0, 1, 2, 3, 4, 5, 6, 7}},
		{gt.New(gt.FromScalar(2.5)), nil, []float64{2.5}},
		{gt.New(gt.FromScalar(7)), nil, []float64{7}},
		{gt.New(gt.WithShape(0, 3), gt.Of(gt.Float32)), []int{0, 3}, nil},
		{gt.New(gt.WithShape(2, 0), gt.Of(gt.Int)), []int{2, 0}, nil},
		{emptyT, []int{3, 0}, nil},
		{gt.New(gt.WithShape(0, 3), gt.AsFortran(nil), gt.Of(gt.Float64)), []int{0, 3}, nil},
		{gorgonia.NewF64(0.5), nil, []float64{0.5}},
		{gorgonia.NewF32(0.5), nil, []float64{0.5}},
		{gorgonia.NewI(5), nil, []float64{5}},
		{gorgonia.NewI32(5), nil, []float64{5}},
		{gorgonia.NewI64(5), nil, []float64{5}},
	} {
		got, err := toTensor(c.v)
		if err != nil {
			t.Errorf("%T: %v", c.v, err)
			continue
		}
		if !got.Shape().Equal(c.shape) || !slices.Equal(got.Float64s(), c.want) {
			t.Errorf("%T: %v, want %v of shape %v", c.v, got, c.want, c.shape)
		}
	}
	shared, err := toTensor(m)
	if err != nil {
		t.Fatal(err)
	}
	if tensor.Data[float64](shared)[0] = 9; m.Float64s()[0] != 9 {
		t.Error("a plain value is copied")
	}
	for _, v := range []gorgonia.Value{
		nil, gorgonia.NewU8(1),
		gt.New(gt.WithShape(2), gt.WithBacking([]int{1, 2}, []bool{true, false})),
		gt.New(gt.WithShape(2, 2), gt.AsFortran([]float64{1, 2, 3, 4}, []bool{true, false, false, false})),
		gt.New(gt.WithShape(0), gt.Of(gt.Uint8)),
		gt.New(gt.WithShape(2), gt.WithBacking([]string{"a", "b"})),
	} {
		if _, err := toTensor(v); err == nil {
			t.Errorf("%T has a tensor", v)
		}
	}
}

// Two costs that share our node: each has a backward pass over the same record.
func TestTwoSymbolicPassesShareOneRecord(t *testing.T) {
	x := normals(tensor.Float64, 1, 3)
	g := gorgonia.NewGraph()
	n := newNode(t, g, "x", x)
	y := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, gorgonia.Nodes{n})
	o := y.Op().(*op)
	var grads gorgonia.Nodes
	for k := 1; k <= 2; k++ {
		c := newNode(t, g, fmt.Sprint("cotangent ", k), tensor.Full(tensor.Float64, float64(k), 3))
		ds, err := o.SymDiff(gorgonia.Nodes{n}, y, c)
		if err != nil {
			t.Fatal(err)
		}
		grads = append(grads, ds...)
	}
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	for range 2 {
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		for k, d := range grads {
			for i, got := range floats(t, d.Value()) {
				th := math.Tanh(tensor.Data[float64](x)[i])
				if want := float64(k+1) * (1 - th*th); math.Abs(got-want) > 1e-12 {
					t.Errorf("pass %d, element %d: %v, want %v", k, i, got, want)
				}
			}
		}
		m.Reset()
	}
}

// Gorgonia cannot address the elements of an empty value, and its machines run in
// goroutines of their own, where a panic ends the program.
func TestInputsWithoutElementsRun(t *testing.T) {
	empty := tensor.Zeros(tensor.Float64, 0, 3)
	p := autograd.Parameter(tensor.Zeros(tensor.Float64, 0, 3))
	for _, m := range machines {
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", empty)
		weights, err := Parameters(g, p)
		if err != nil {
			t.Fatal(err)
		}
		cost := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Add(p).Sum() }, gorgonia.Nodes{x},
			WithParameters([]*autograd.Var{p}, weights))
		if m.name == "tape machine" { // without BindDualValues: Gorgonia cannot add empty values
			if _, err := gorgonia.Grad(cost, x, weights[0]); err != nil {
				t.Fatal(err)
			}
			tape := gorgonia.NewTapeMachine(g)
			err = tape.RunAll()
			tape.Close()
		} else {
			err = m.run(g, cost, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if got := floats(t, cost.Value()); !slices.Equal(got, []float64{0}) {
			t.Errorf("%s: the sum of nothing is %v", m.name, got)
		}
	}
}

func TestColumnMajorInputsHaveTheGradientsOfRowMajorOnes(t *testing.T) {
	x := normals(tensor.Float64, 1, 3, 2)
	for _, m := range machines {
		layer := func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
			return weighted(t, apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, in))
		}
		_, want := evaluate(t, m, []*tensor.Tensor{x}, layer)
		columns := gt.New(gt.WithShape(3, 2), gt.AsFortran(x.Float64s()))
		g := gorgonia.NewGraph()
		in := gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithName("x"), gorgonia.WithShape(3, 2), gorgonia.WithValue(columns))
		if err := m.run(g, layer(g, gorgonia.Nodes{in}), gorgonia.Nodes{in}); err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		d, err := in.Grad()
		if err != nil {
			t.Fatal(err)
		}
		numtest.Near(t, m.name, floats(t, d), want[0], 1e-12)
	}
}
