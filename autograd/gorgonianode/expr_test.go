package gorgonianode

// Gorgonia's operations on our tape.

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// layerNorm is (x - mean) / sqrt(var + eps) · scale + shift over the rows of a matrix.
func layerNorm(in gorgonia.Nodes) (*gorgonia.Node, error) {
	x, rows := in[0], in[0].Shape()[0]
	column := func(n *gorgonia.Node) *gorgonia.Node { return gorgonia.Must(gorgonia.Reshape(n, gt.Shape{rows, 1})) }
	centred := gorgonia.Must(gorgonia.BroadcastSub(x, column(gorgonia.Must(gorgonia.Mean(x, 1))), nil, []byte{1}))
	variance := column(gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Square(centred)), 1)))
	eps := gorgonia.NewConstant(1e-3)
	std := gorgonia.Must(gorgonia.Sqrt(gorgonia.Must(gorgonia.Add(variance, eps))))
	normal := gorgonia.Must(gorgonia.BroadcastHadamardDiv(centred, std, nil, []byte{1}))
	scaled := gorgonia.Must(gorgonia.BroadcastHadamardProd(normal, in[1], nil, []byte{0}))
	return gorgonia.BroadcastAdd(scaled, in[2], nil, []byte{0})
}

func TestGradientsOfGorgoniasOperationsAreCentralDifferences(t *testing.T) {
	one := func(f func(*gorgonia.Node) (*gorgonia.Node, error)) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return func(in gorgonia.Nodes) (*gorgonia.Node, error) { return f(in[0]) }
	}
	two := func(f func(a, b *gorgonia.Node) (*gorgonia.Node, error)) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return func(in gorgonia.Nodes) (*gorgonia.Node, error) { return f(in[0], in[1]) }
	}
	for _, c := range []struct {
		name   string
		build  func(gorgonia.Nodes) (*gorgonia.Node, error)
		shapes [][]int
	}{
		{"tanh", one(gorgonia.Tanh), [][]int{{3, 4}}},
		{"sigmoid of a vector", one(gorgonia.Sigmoid), [][]int{{5}}},
		{"exp of a scalar", one(gorgonia.Exp), [][]int{{}}},
		{"cube", one(gorgonia.Cube), [][]int{{2, 3}}},
		{"rectify", one(gorgonia.Rectify), [][]int{{3, 4}}},
		{"softplus", one(gorgonia.Softplus), [][]int{{3, 4}}},
		{"softmax", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.SoftMax(in[0], 1) }, [][]int{{3, 4}}},
		{"log softmax", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.LogSoftMax(in[0], 1) }, [][]int{{3, 4}}},
		{"sparsemax", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Sparsemax(in[0]) }, [][]int{{2, 4}}},
		{"product of matrices", two(gorgonia.Mul), [][]int{{3, 4}, {4, 2}}},
		{"matrix and vector", two(gorgonia.Mul), [][]int{{3, 4}, {4}}},
		{"dot product", two(gorgonia.Mul), [][]int{{4}, {4}}},
		{"batched product", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.BatchedMatMul(in[0], in[1]) }, [][]int{{2, 3, 4}, {2, 4, 2}}},
		{"sum of elements", two(gorgonia.Add), [][]int{{3, 2}, {3, 2}}},
		{"difference", two(gorgonia.Sub), [][]int{{3, 2}, {3, 2}}},
		{"times a scalar", two(gorgonia.HadamardProd), [][]int{{3, 2}, {}}},
		{"an operand twice", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.HadamardProd(in[0], in[0]) }, [][]int{{3, 2}}},
		{"sum of all", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Sum(in[0]) }, [][]int{{3, 2}}},
		{"sum of an axis", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Sum(in[0], 1) }, [][]int{{3, 2}}},
		{"transpose", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Transpose(in[0], 1, 0) }, [][]int{{3, 2}}},
		{"reshape", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Reshape(in[0], gt.Shape{2, 3}) }, [][]int{{3, 2}}},
		{"slice", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Slice(in[0], nil, gorgonia.S(1, 3)) }, [][]int{{3, 4}}},
		{"concat", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Concat(0, in...) }, [][]int{{3, 2}, {2, 2}}},
		{"an input unchanged", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return in[0], nil }, [][]int{{3, 2}}},
		{"an ignored input", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[1]) }, [][]int{{3, 2}, {2, 2}}},
		{"layer norm", layerNorm, [][]int{{3, 4}, {1, 4}, {1, 4}}},
		{"convolution", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.Conv2d(in[0], in[1], gt.Shape{3, 3}, []int{1, 1}, []int{1, 1}, []int{1, 1})
		}, [][]int{{2, 2, 4, 4}, {3, 2, 3, 3}}},
		{"max pool", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.MaxPool2D(in[0], gt.Shape{2, 2}, []int{0, 0}, []int{2, 2})
		}, [][]int{{1, 2, 4, 4}}},
	} {
		var xs []*autograd.Var
		for i, s := range c.shapes {
			xs = append(xs, autograd.Variable(normals(tensor.Float64, uint64(i+1), s...)))
		}
		e := NewExpr(c.name, c.build)
		if err := autograd.Try(func() {
			if err := autograd.Gradcheck(e.Apply, xs); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestValuesOfGorgoniasOperationsMatchOurs(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		a, b := autograd.Constant(normals(dt, 1, 5, 4)), autograd.Constant(normals(dt, 2, 4, 3))
		mul := NewExpr("mul", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Mul(in[0], in[1]) })
		y := mul.Apply(a, b)
		if y.RequiresGrad() || y.DType() != dt {
			t.Errorf("%v: the result of constants is %v", dt, y)
		}
		numtest.Near(t, "product", y.Tensor().Float64s(), a.MatMul(b).Tensor().Float64s(), 1e-5)
	}
}

// One operation by itself, taken from a node that Gorgonia made.
func TestOpAppliesOneOperation(t *testing.T) {
	g := gorgonia.NewGraph()
	n := gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithName("n"), gorgonia.WithShape(3, 4))
	softmax := gorgonia.Must(gorgonia.SoftMax(n, 1)).Op()
	x := autograd.Variable(normals(tensor.Float64, 1, 3, 4))
	numtest.Near(t, "softmax", Op(softmax, x).Tensor().Float64s(), x.Softmax().Tensor().Float64s(), 1e-12)
	if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return Op(softmax, xs...).Tanh() }, []*autograd.Var{x}); err != nil {
		t.Error(err)
	}
}

// A Func as an Op on the tape again: out and in.
func TestOurNodeRunsInsideAnExpression(t *testing.T) {
	e := NewExpr("back again", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		y, err := Apply("tanh", func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, in)
		if err != nil {
			return nil, err
		}
		return gorgonia.Square(y)
	})
	if err := autograd.Gradcheck(e.Apply, []*autograd.Var{autograd.Variable(normals(tensor.Float64, 1, 2, 3))}); err != nil {
		t.Error(err)
	}
}

func TestGraphIsBuiltOnceForEachShapeTypeAndNeedOfGradients(t *testing.T) {
	builds := 0
	e := NewExpr("tanh", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		builds++
		return gorgonia.Tanh(in[0])
	})
	x := func(dt tensor.DType, shape ...int) *tensor.Tensor { return normals(dt, 1, shape...) }
	for _, c := range []struct {
		in   *autograd.Var
		want int
	}{
		{autograd.Variable(x(tensor.Float64, 2, 3)), 1},
		{autograd.Variable(x(tensor.Float64, 2, 3)), 1},
		{autograd.Constant(x(tensor.Float64, 2, 3)), 2},
		{autograd.Variable(x(tensor.Float64, 3, 2)), 3},
		{autograd.Variable(x(tensor.Float32, 2, 3)), 4},
		{autograd.Variable(x(tensor.Float32, 2, 3)), 4},
	} {
		if e.Apply(c.in); builds != c.want {
			t.Errorf("after %v: %d graphs were built, want %d", c.in, builds, c.want)
		}
	}
}

func TestTheGraphsUsedLastAreHeld(t *testing.T) {
	builds := 0
	e := NewExpr("tanh", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		builds++
		return gorgonia.Tanh(in[0])
	})
	apply := func(n int) *autograd.Var { return e.Apply(autograd.Variable(normals(tensor.Float64, 1, n))) }
	first := apply(1)
	for n := 2; n <= maxPrograms; n++ {
		apply(n)
	}
	second := apply(2)
	apply(maxPrograms + 1) // in the place of 1
	if len(e.programs) != maxPrograms || builds != maxPrograms+1 {
		t.Fatalf("%d graphs are held of %d, want %d of %d", len(e.programs), builds, maxPrograms, maxPrograms+1)
	}
	first.BackwardWith(normals(tensor.Float64, 1, 1)) // over the graph that is no longer held
	second.BackwardWith(normals(tensor.Float64, 1, 2))
	for _, c := range []struct{ n, want int }{{2, maxPrograms + 1}, {maxPrograms, maxPrograms + 1}, {1, maxPrograms + 2}, {3, maxPrograms + 3}, {2, maxPrograms + 3}} {
		if apply(c.n); builds != c.want {
			t.Errorf("after %d elements: %d graphs were built, want %d", c.n, builds, c.want)
		}
	}
}

// Values live until the backward pass, without one no longer than the result.
func TestAnExpressionKeepsNoValues(t *testing.T) {
	const n = 1 << 16
	e := NewExpr("tanh of tanh", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		return gorgonia.Tanh(gorgonia.Must(gorgonia.Tanh(in[0])))
	})
	for name, apply := range map[string]func(collected chan bool) *autograd.Var{
		"after a backward pass": func(collected chan bool) *autograd.Var {
			x := autograd.Variable(normals(tensor.Float64, 1, n))
			runtime.AddCleanup(&tensor.Data[float64](x.Tensor())[0], func(c chan bool) { c <- true }, collected)
			y := e.Apply(x)
			y.BackwardWith(normals(tensor.Float64, 2, n))
			return y
		},
		"of constants": func(collected chan bool) *autograd.Var {
			x := autograd.Constant(normals(tensor.Float64, 1, n))
			runtime.AddCleanup(&tensor.Data[float64](x.Tensor())[0], func(c chan bool) { c <- true }, collected)
			return e.Apply(x)
		},
	} {
		collected := make(chan bool, 1)
		y := apply(collected)
		for k := 0; len(collected) == 0; k++ {
			if k == 100 {
				t.Errorf("%s: the input is still reachable from the expression", name)
				break
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		runtime.KeepAlive(y)
	}
	runtime.KeepAlive(e)
}

// A max-pool keeps where its maxima are in itself: a second application before
// the first one's backward pass must not change the first one's gradient.
func TestApplicationsBeforeTheBackwardPassStayApart(t *testing.T) {
	maxPool := func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		return gorgonia.MaxPool2D(in[0], gt.Shape{2, 2}, []int{0, 0}, []int{2, 2})
	}
	n := gorgonia.NewTensor(gorgonia.NewGraph(), gt.Float64, 4, gorgonia.WithName("n"), gorgonia.WithShape(1, 1, 4, 4))
	op := gorgonia.Must(maxPool(gorgonia.Nodes{n})).Op()
	for name, pool := range map[string]func(...*autograd.Var) *autograd.Var{
		"expression": NewExpr("max pool", maxPool).Apply,
		"operation":  func(xs ...*autograd.Var) *autograd.Var { return Op(op, xs...) },
	} {
		weights := normals(tensor.Float64, 9, 1, 1, 2, 2)
		gradient := func(x *autograd.Var, between func()) []float64 {
			y := pool(x)
			between()
			y.BackwardWith(weights)
			return x.Gradient().Float64s()
		}
		a := func() *autograd.Var { return autograd.Variable(normals(tensor.Float64, 1, 1, 1, 4, 4)) }
		b := autograd.Variable(normals(tensor.Float64, 2, 1, 1, 4, 4))
		want := gradient(a(), func() {})
		if got := gradient(a(), func() { pool(b) }); !slices.Equal(got, want) {
			t.Errorf("%s: with another application between: %v, want %v", name, got, want)
		}
	}
}

func TestRetainedGraphGivesItsGradientTwice(t *testing.T) {
	e := NewExpr("tanh", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) })
	x := autograd.Variable(normals(tensor.Float64, 1, 4))
	g := normals(tensor.Float64, 2, 4)
	y := e.Apply(x)
	y.BackwardWith(g, autograd.RetainGraph())
	once := x.Gradient().Float64s()
	y.BackwardWith(g)
	for i, twice := range x.Gradient().Float64s() {
		if twice != 2*once[i] {
			t.Errorf("element %d: %v after one pass, %v after two", i, once[i], twice)
		}
	}
}

// reshape and identity share memory in Gorgonia; on the tape nothing does.
func TestResultsAndGradientsShareNoMemory(t *testing.T) {
	e := NewExpr("reshape", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Reshape(in[0], gt.Shape{4}) })
	x := autograd.Variable(normals(tensor.Float64, 1, 2, 2))
	y := e.Apply(x)
	if overlap(y.Value(), x.Value()) {
		t.Error("the result shares the input's memory")
	}
	g := normals(tensor.Float64, 2, 4)
	y.BackwardWith(g)
	if overlap(x.Gradient().Dense(), g.Dense()) {
		t.Error("the gradient shares the cotangent's memory")
	}
	if got := x.Gradient().Float64s(); !slices.Equal(got, g.Float64s()) {
		t.Errorf("the gradient is %v, want %v", got, g)
	}
}

func TestExpressionFollowsTheTrainingMode(t *testing.T) {
	dropout := NewExpr("dropout", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Dropout(in[0], 0.5) })
	x := autograd.Variable(tensor.Full(tensor.Float64, 1, 200))
	dropped := func() (n int) {
		for _, v := range dropout.Apply(x).Tensor().Float64s() {
			if v == 0 {
				n++
			}
		}
		return n
	}
	if n := dropped(); n < 50 || n > 150 {
		t.Errorf("%d of 200 were dropped in training", n)
	}
	nn.SetTraining(dropout, false)
	if n := dropped(); n != 0 {
		t.Errorf("%d were dropped in evaluation", n)
	}
	nn.SetTraining(dropout, true)
	if n := dropped(); n < 50 {
		t.Errorf("%d were dropped in training again", n)
	}
}

// An application's gradient belongs to its own draw.
func TestRandomOperationIsDifferentiatedAtItsOwnDraw(t *testing.T) {
	dropout := NewExpr("dropout", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Dropout(in[0], 0.5) })
	x := autograd.Variable(tensor.Full(tensor.Float64, 1, 100))
	y := dropout.Apply(x)
	dropout.Apply(x)
	y.BackwardWith(tensor.Full(tensor.Float64, 1, 100))
	if got, want := x.Gradient().Float64s(), y.Tensor().Float64s(); !slices.Equal(got, want) {
		t.Errorf("the gradient is %v for the result %v", got, want)
	}
}

func TestExpressionsRunFromSeveralGoroutines(t *testing.T) {
	e := NewExpr("mul", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Mul(in[0], in[1]) })
	w := autograd.Constant(normals(tensor.Float64, 1, 3, 3))
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := range 20 {
				x := autograd.Variable(normals(tensor.Float64, uint64(100*k+i), 2+k, 3))
				y := e.Apply(x, w)
				if want := x.MatMul(w); !near(y.Tensor().Float64s(), want.Tensor().Float64s()) {
					t.Errorf("goroutine %d: %v, want %v", k, y.Tensor(), want.Tensor())
				}
				y.BackwardWith(normals(tensor.Float64, 7, 2+k, 3))
			}
		})
	}
	wg.Wait()
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// bump is an operation of somebody's that has no gradient.
type bump struct{ gorgonia.Iop }

func (bump) String() string { return "bump" }

// bomb panics when it runs.
type bomb struct{ bump }

func (bomb) String() string { return "bomb" }

func (bomb) Do(...gorgonia.Value) (gorgonia.Value, error) { panic("boom") }

func TestMisuseOfExpressionsIsATypedErrorThatNamesTheOperation(t *testing.T) {
	x := autograd.Variable(normals(tensor.Float64, 1, 3, 2))
	build := func(f func(in gorgonia.Nodes) (*gorgonia.Node, error)) func() {
		return func() { NewExpr("layer", f).Apply(x, x) }
	}
	for _, c := range []struct {
		name string
		f    func()
		want []string
	}{
		{"shapes", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Mul(in[0], in[1]) }), []string{"layer", "[3 2] x [3 2]"}},
		{"build fails", build(func(gorgonia.Nodes) (*gorgonia.Node, error) { return nil, errors.New("no bricks") }), []string{"layer", "no bricks"}},
		{"nil", build(func(gorgonia.Nodes) (*gorgonia.Node, error) { return nil, nil }), []string{"layer", "not a node"}},
		{"another graph", build(func(gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.NewScalar(gorgonia.NewGraph(), gt.Float64, gorgonia.WithName("s")), nil
		}), []string{"layer", "not a node"}},
		{"a node without value", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.Add(in[0], gorgonia.NewMatrix(in[0].Graph(), gt.Float64, gorgonia.WithName("empty"), gorgonia.WithShape(3, 2)))
		}), []string{"layer", "empty"}},
		{"an operation without gradient", func() { Op(bump{}, x) }, []string{"bump", "no symbolic gradient"}},
		{"the same in the middle", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			y, err := gorgonia.ApplyOp(bump{}, in[0])
			if err != nil {
				return nil, err
			}
			return gorgonia.Tanh(y)
		}), []string{"layer", "bump", "no symbolic gradient"}},
		{"a comparison", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Gt(in[0], in[1], true) }), []string{"layer", "requires a gradient", ">"}},
		{"build panics by Must", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.Must(gorgonia.Reshape(in[0], gt.Shape{7})), nil
		}), []string{"layer", "panic: ", "6", "7"}},
		{"build reads an input that there is not", build(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return in[2], nil }), []string{"layer", "index out of range [2] with length 2"}},
		{"build panics with a text", build(func(gorgonia.Nodes) (*gorgonia.Node, error) { panic("no mortar") }), []string{"layer", "panic: no mortar"}},
		{"an operation panics", func() { Op(bomb{}, x.Detach()) }, []string{"bomb", "panic: boom"}},
		{"nil build", func() { NewExpr("layer", nil).Apply(x) }, []string{"layer", "the function that builds the graph is nil"}},
		{"the zero value", func() { new(Expr).Apply(x) }, []string{"make it with NewExpr"}},
		{"a nil expression", func() { (*Expr)(nil).Apply(x) }, []string{"make it with NewExpr"}},
		{"nil operation", func() { Op(nil, x) }, []string{"nil"}},
		{"no inputs", func() { Op(bump{}) }, []string{"bump", "input"}},
		{"nil input", func() { Op(bump{}, nil) }, []string{"bump", "input 0"}},
		{"an empty tensor", func() { Op(bump{}, autograd.Constant(tensor.Zeros(tensor.Float32, 0, 3))) }, []string{"bump", "no elements"}},
	} {
		err := autograd.Try(c.f)
		var typed *autograd.Error
		if !errors.As(err, &typed) {
			t.Errorf("%s: the error is %v", c.name, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error is %q; it should contain %q", c.name, err, w)
			}
		}
	}
	// Without a gradient to compute, such operations are fine.
	for _, free := range []*autograd.Var{autograd.Constant(normals(tensor.Float64, 1, 3, 2)), autograd.NoGrad(x)} {
		if y := Op(bump{}, free); !slices.Equal(y.Tensor().Float64s(), free.Tensor().Float64s()) {
			t.Errorf("bump of %v is %v", free, y.Tensor())
		}
	}
}

func BenchmarkExpr(b *testing.B) {
	e := NewExpr("tanh", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) })
	x := autograd.Variable(normals(tensor.Float64, 1, 16))
	g := normals(tensor.Float64, 2, 16)
	for b.Loop() {
		e.Apply(x).BackwardWith(g)
		x.ZeroGrad()
	}
}

func BenchmarkNode(b *testing.B) {
	for _, m := range []string{"ours", "gorgonia"} {
		b.Run(m, func(b *testing.B) {
			g := gorgonia.NewGraph()
			x := newNode(b, g, "x", normals(tensor.Float64, 1, 16))
			y := gorgonia.Must(gorgonia.Tanh(x))
			if m == "ours" {
				y = apply(b, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, gorgonia.Nodes{x})
			}
			if _, err := gorgonia.Grad(weighted(b, y), x); err != nil {
				b.Fatal(err)
			}
			vm := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(x))
			defer vm.Close()
			for b.Loop() {
				if err := vm.RunAll(); err != nil {
					b.Fatal(err)
				}
				vm.Reset()
			}
		})
	}
}

// ExampleExpr puts a Gorgonia expression between operations of ours.
func ExampleExpr() {
	softplus := NewExpr("softplus", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Softplus(in[0]) })
	x := autograd.Variable(tensor.FromSlice([]float64{-1, 0, 1}, 3))
	softplus.Apply(x.Scale(2)).Sum().Backward()
	fmt.Printf("%.4f\n", x.Gradient().Float64s())
	// Output: [0.2384 1.0000 1.7616]
}
