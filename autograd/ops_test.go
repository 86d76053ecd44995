// Values, misuse texts and golden vectors of single operations.

package autograd

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
)

func zeros(shape ...int) *Var { return Variable(tensor.Zeros(tensor.Float64, shape...)) }

func TestMisuseNamesTheOpAndTheShapes(t *testing.T) {
	sparse := SparseConstant(exampleSparse())
	ints := Constant(tensor.Zeros(tensor.Int32, 2))
	single := func(shape ...int) *Var { return Constant(tensor.Zeros(tensor.Float32, shape...)) }
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"autograd: MatMul: inner dimensions differ: [3 4] x [5 6]", func() { zeros(3, 4).MatMul(zeros(5, 6)) }},
		{"autograd: MatMul: inner dimensions differ: [4 3] x [4 2]", func() { sparse.MatMul(zeros(4, 2)) }},
		{"autograd: MatMul: takes two matrices; MatVec takes a matrix and a vector, Dot two vectors: [3] x [3 2]", func() { zeros(3).MatMul(zeros(3, 2)) }},
		{"MatMul: takes dense operands only", func() { zeros(2, 4).MatMul(sparse) }},
		{"Add: takes dense operands only; the left operand of MatMul and Dropout may be sparse: [4 3]", func() { sparse.Add(zeros(3)) }},
		{"Add", func() { zeros(3).Add(zeros(4)) }},
		{"autograd: Add: operands of different types: f64 [3] x f32 [1]", func() { zeros(3).Add(single(1)) }},
		{"autograd: Minimum: operands of different types: f32 [] x f64 [3]", func() { single().Minimum(zeros(3)) }},
		{"autograd: MatMul: operands of different types: f64 [3 4] x f32 [4 5]", func() { zeros(3, 4).MatMul(single(4, 5)) }},
		{"autograd: MatMul: operands of different types: f64 [4 3] x f32 [3 2]", func() { sparse.MatMul(single(3, 2)) }},
		{"autograd: Concat: operands of different types: f64 [2] x f32 [3]", func() { Concat(0, zeros(2), single(3)) }},
		{"autograd: BroadcastTo: the shape does not broadcast to the asked one: [3 4] x [4]", func() { zeros(3, 4).BroadcastTo(4) }},
		{"SumTo", func() { zeros(3, 4).SumTo(3) }},
		{"Reshape", func() { zeros(3, 4).Reshape(5, 2) }},
		{"autograd: Sum: axis 2 does not exist: [3 4]", func() { zeros(3, 4).Sum(2) }},
		{"autograd: Mean: axis -1 appears twice: [3 4]", func() { zeros(3, 4).Mean(1, -1) }},
		{"autograd: Concat: needs at least one input", func() { Concat(0) }},
		{"Concat", func() { Concat(0, zeros(2, 3), zeros(2, 4)) }},
		{"autograd: Slice: axis 2 does not exist: [2 3]", func() { zeros(2, 3).Slice(2, 0, 1) }},
		{"Slice", func() { zeros(2, 3).Slice(0, 1, 3) }},
		{"IndexSelect", func() { zeros(2, 3).IndexSelect([]int32{0, 2}) }},
		{"tensor: Embedding: index 1 is 2, out of range [0, 2)", func() { Embedding(zeros(2, 3), ids(tensor.Shape{2, 1}, int32(0), 2), nil) }},
		{"tensor: Embedding: index 1 is -1, out of range [0, 2)", func() { Embedding(zeros(2, 3), ids(tensor.Shape{2}, int64(0), -1), nil) }},
		{"tensor: Embedding: index 0 is 4294967296, out of range [0, 2)", func() { Embedding(zeros(2, 3), ids(tensor.Shape{}, int64(1<<32)), nil) }},
		{"tensor: Embedding: index 0 is 2147483648, out of range [0, 2147483647)", func() { bits := 32; Embedding(zeros(1<<bits, 0), ids(tensor.Shape{1}, int64(1<<31)), nil) }},
		{"tensor: Embedding: element type f64, want i32 or i64", func() { Embedding(zeros(2, 3), zeros(2), nil) }},
		{"autograd: Embedding: takes dense operands only", func() { Embedding(zeros(2, 3), sparse, nil) }},
		{"autograd: Embedding: a scalar has no rows: []", func() { Embedding(zeros(), ids(tensor.Shape{1}, int32(0)), nil) }},
		{"autograd: Embedding: padding row 2 is outside [0, 2): [2 3]", func() { Embedding(zeros(2, 3), ids(tensor.Shape{1}, int32(0)), new(2)) }},
		{"autograd: Embedding: padding row -1 is outside [0, 2): [2 3]", func() { Embedding(zeros(2, 3), ids(tensor.Shape{1}, int32(0)), new(-1)) }},
		{"ScatterAddRows", func() { zeros(2, 3).ScatterAddRows(2, []int32{0, 2}) }},
		{"Softmax", func() { zeros().Softmax() }},
		{"autograd: Clamp: lower bound is not below the upper", func() { zeros(2).Clamp(1, 0) }},
		{"autograd: ELU: alpha is negative", func() { zeros(2).ELU(-1) }},
		{"autograd: Dropout: probability 1.5 is outside [0, 1]: [2]", func() { Dropout(zeros(2), 1.5, 0) }},
		{"Dropout", func() { Dropout(ints, 0.5, 0) }},
		{"autograd: CrossEntropy: takes a matrix: [2]", func() { CrossEntropy(zeros(2), nil, nil) }},
		{"autograd: CrossEntropy: 1 labels for 2 rows: [2 3]", func() { CrossEntropy(zeros(2, 3), []int32{0}, nil) }},
		{"autograd: CrossEntropy: label 3 of row 1 is outside [0, 3): [2 3]", func() { CrossEntropy(zeros(2, 3), []int32{0, 3}, nil) }},
		{"autograd: NLL: row 2 is outside [0, 2): [2 3]", func() { NLL(zeros(2, 3), []int32{0, 0}, []int32{2}) }},
		{"autograd: SetRequiresGrad: i32 values have no gradient: [2]", func() { Constant(ints.Tensor()).SetRequiresGrad(true) }},
		{"autograd: Variable: i32 values have no gradient: [2]", func() { Variable(ints.Tensor()) }},
		{"autograd: Parameter: i32 values have no gradient: [2]", func() { Parameter(ints.Tensor()) }},
		{"autograd: SetRequiresGrad: a sparse matrix has no gradient: [4 3]", func() { sparse.SetRequiresGrad(true) }},
		{"v is a result of Exp; only leaves can be changed", func() { zeros(2).Exp().SetRequiresGrad(false) }},
		{"autograd: SetTensor: shapes differ: [2] x [3]", func() { zeros(2).SetTensor(tensor.Zeros(tensor.Float64, 3)) }},
		{"autograd: SetTensor: dtype is f32, want f64: [2]", func() { zeros(2).SetTensor(tensor.Zeros(tensor.Float32, 2)) }},
		{"autograd: SetGradient: shapes differ: [2] x [3]", func() { zeros(2).SetGradient(tensor.Zeros(tensor.Float64, 3)) }},
		{"autograd: SetGradient: dtype is f32, want f64: [2]", func() { zeros(2).SetGradient(tensor.Zeros(tensor.Float32, 2)) }},
		{"autograd: SetGradient: v is a result of Exp; only leaves can be changed: [2]", func() { zeros(2).Exp().SetGradient(tensor.Zeros(tensor.Float64, 2)) }},
		{"autograd: SetGradient: i32 values have no gradient: [2]", func() { ints.SetGradient(ints.Tensor()) }},
		{"autograd: SetGradient: v is sparse: [4 3]", func() { sparse.SetGradient(tensor.Zeros(tensor.Float64, 4, 3)) }},
	} {
		wantMisuse(t, c.want, c.f)
	}
}

// A nil or zero Var, in every place, is misuse that names the op.
func TestNilOperandsAreMisuseOfTheOp(t *testing.T) {
	rows := []int32{0}
	for op, f := range map[string]func(v *Var){
		"Add": func(v *Var) { v.Add(zeros(1)) }, "Sub": func(v *Var) { v.Sub(zeros(1)) },
		"Mul": func(v *Var) { zeros(1).Mul(v) }, "Div": func(v *Var) { zeros(1).Div(v) },
		"Maximum": func(v *Var) { v.Maximum(v) }, "Minimum": func(v *Var) { zeros(1).Minimum(v) },
		"MatMul": func(v *Var) { zeros(1, 1).MatMul(v) }, "Transpose": func(v *Var) { v.Transpose() },
		"Neg": func(v *Var) { v.Neg() }, "Exp": func(v *Var) { v.Exp() }, "Log": func(v *Var) { v.Log() },
		"Sqrt": func(v *Var) { v.Sqrt() }, "Rsqrt": func(v *Var) { v.Rsqrt() }, "Recip": func(v *Var) { v.Recip() },
		"Abs": func(v *Var) { v.Abs() }, "Square": func(v *Var) { v.Square() }, "Pow": func(v *Var) { v.Pow(2) },
		"Clamp": func(v *Var) { v.Clamp(1, 0) }, "Scale": func(v *Var) { v.Scale(2) },
		"AddScalar": func(v *Var) { v.AddScalar(2) }, "Erf": func(v *Var) { v.Erf() },
		"ReLU": func(v *Var) { v.ReLU() }, "LeakyReLU": func(v *Var) { v.LeakyReLU(0.1) },
		"ELU": func(v *Var) { v.ELU(-1) }, "GELU": func(v *Var) { v.GELU() }, "SiLU": func(v *Var) { v.SiLU() },
		"Sigmoid": func(v *Var) { v.Sigmoid() }, "Tanh": func(v *Var) { v.Tanh() }, "Softplus": func(v *Var) { v.Softplus() },
		"Reshape": func(v *Var) { v.Reshape(1) }, "BroadcastTo": func(v *Var) { v.BroadcastTo(1) },
		"SumTo": func(v *Var) { v.SumTo(1) }, "Sum": func(v *Var) { v.Sum() }, "Mean": func(v *Var) { v.Mean() },
		"IndexSelect": func(v *Var) { v.IndexSelect(rows) }, "Embedding": func(v *Var) { Embedding(v, ids(tensor.Shape{}, int64(0)), nil) }, "ScatterAddRows": func(v *Var) { v.ScatterAddRows(1, rows) },
		"Concat": func(v *Var) { Concat(0, zeros(1), v) }, "Slice": func(v *Var) { v.Slice(0, 0, 1) },
		"Softmax": func(v *Var) { v.Softmax() }, "LogSoftmax": func(v *Var) { v.LogSoftmax() },
		"Dropout": func(v *Var) { Dropout(v, 0.5, 1) }, "CrossEntropy": func(v *Var) { CrossEntropy(v, rows, nil) },
		"NLL":      func(v *Var) { NLL(v, rows, nil) },
		"mine":     func(v *Var) { Custom("mine", []*Var{zeros(1), v}, nil, nil) },
		"Backward": func(v *Var) { v.Backward() }, "BackwardWith": func(v *Var) { v.BackwardWith(nil) },
		"Shape": func(v *Var) { v.Shape() }, "Item": func(v *Var) { v.Item() }, "DType": func(v *Var) { v.DType() }, "Detach": func(v *Var) { v.Detach() },
		"SetRequiresGrad": func(v *Var) { v.SetRequiresGrad(true) }, "SetTensor": func(v *Var) { v.SetTensor(nil) },
		"SetGradient": func(v *Var) { v.SetGradient(nil) },
		"Gradcheck":   func(v *Var) { Gradcheck(func(...*Var) *Var { return nil }, []*Var{v}) },
	} {
		wantMisuse(t, "autograd: "+op+": an operand is nil", func() { f(nil) })
		wantMisuse(t, "autograd: "+op+": an operand is nil", func() { f(&Var{}) })
	}
	wantMisuse(t, "autograd: MatMul: an operand is nil", func() { (*Var)(nil).MatMul(zeros(1, 1)) })
}

func TestNilTensorsAreMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		"autograd: Constant: the tensor is nil":                   func() { Constant(nil) },
		"autograd: Variable: the tensor is nil":                   func() { Variable(nil) },
		"autograd: Parameter: the tensor is nil":                  func() { Parameter(nil) },
		"autograd: SetTensor: the tensor is nil: [2]":             func() { zeros(2).SetTensor(nil) },
		"autograd: SetGradient: the gradient is nil; ZeroGrad":    func() { zeros(2).SetGradient(nil) },
		"autograd: SparseConstant: the matrix is nil":             func() { SparseConstant(nil) },
		"autograd: BackwardWith: the cotangent is nil":            func() { zeros(2).BackwardWith(nil) },
		"autograd: Input: the matrix is nil":                      func() { Input(nil) },
		"autograd: Input: there is no matrix, neither sparse nor": func() { Input(matrix{}) },
	} {
		wantMisuse(t, want, f)
	}
}

// Every method of a nil Var, those that only look at it too.
func TestMethodsOfANilVarAreMisuseThatNamesTheMethod(t *testing.T) {
	v := reflect.ValueOf((*Var)(nil))
	for i := range v.NumMethod() {
		f, name := v.Method(i), v.Type().Method(i).Name
		var args []reflect.Value
		for k := range f.Type().NumIn() {
			if !f.Type().IsVariadic() || k < f.Type().NumIn()-1 {
				args = append(args, reflect.Zero(f.Type().In(k)))
			}
		}
		wantMisuse(t, "autograd: "+name+": an operand is nil", func() { f.Call(args) })
	}
}

func TestNilOptionsFunctionsAndOutputsAreMisuse(t *testing.T) {
	x := Variable(tensor.Ones(tensor.Float64, 1, 1))
	labels := []int32{0}
	same := func(xs ...*Var) *Var { return xs[0] }
	for want, f := range map[string]func(){
		"autograd: CrossEntropy: option 1 is nil":      func() { CrossEntropy(x, labels, nil, LabelSmoothing(0), nil) },
		"autograd: NLL: option 0 is nil":               func() { NLL(x, labels, nil, nil) },
		"autograd: Backward: option 0 is nil":          func() { x.Sum().Backward(nil) },
		"autograd: Grad: option 0 is nil":              func() { Grad(x.Sum(), []*Var{x}, nil) },
		"autograd: Gradcheck: option 0 is nil":         func() { Gradcheck(same, []*Var{x}, nil) },
		"autograd: Gradcheck: the function is nil":     func() { Gradcheck(nil, []*Var{x}) },
		"autograd: Blockwise: the function is nil":     func() { Blockwise(nil, x) },
		"autograd: Checkpoint: the function is nil":    func() { Checkpoint(nil, x) },
		"autograd: Scope: the function is nil":         func() { Scope(nil, x) },
		"autograd: mine: output 1 is nil":              func() { Custom("mine", nil, []*tensor.Tensor{x.Tensor(), nil}, nil) },
		"autograd: mine: the backward function is nil": func() { Custom("mine", []*Var{x}, []*tensor.Tensor{x.Tensor()}, nil) },
	} {
		wantMisuse(t, want, f)
	}
	if err := Try(nil); err == nil || err.Error() != "autograd: Try: the function is nil" {
		t.Errorf("Try of nil: %v", err)
	}
}

// matrix is stored as whichever field is set.
type matrix struct {
	sparse *tensor.Sparse
	dense  *tensor.Tensor
}

func (m matrix) Sparse() *tensor.Sparse { return m.sparse }
func (m matrix) Dense() *tensor.Tensor  { return m.dense }

func TestInputIsSparseIfTheMatrixIs(t *testing.T) {
	s, d := exampleSparse(), tensor.Zeros(tensor.Float32, 2, 3)
	if x := Input(matrix{sparse: s}); x.Sparse() != s || x.RequiresGrad() {
		t.Errorf("of a sparse matrix: %v", x)
	}
	if x := Input(matrix{dense: d}); x.Tensor() != d || x.Sparse() != nil || x.RequiresGrad() {
		t.Errorf("of a dense matrix: %v", x)
	}
}

func TestLabelsOfRowsNotLookedAtMayBeAnything(t *testing.T) {
	x := zeros(3, 2)
	CrossEntropy(x, []int32{-1, 1, 99}, []int32{1}).Backward()
	wantGrad(t, x, 0, 0, 0.5, -0.5, 0, 0)
}

func TestCrossEntropyOverNoRowsIsNaNWithGradientZero(t *testing.T) {
	x := zeros(2, 2)
	loss := CrossEntropy(x, []int32{0, 0}, []int32{})
	if !math.IsNaN(loss.Tensor().Item()) {
		t.Errorf("loss %v, want NaN", loss.Tensor().Item())
	}
	loss.Backward()
	wantGrad(t, x, 0, 0, 0, 0)
}

func TestCrossEntropyOverRowsWithoutWeightIsNaNWithGradientZero(t *testing.T) {
	for _, opts := range [][]CrossEntropyOption{
		{ClassWeights([]float64{0, 1})},
		{ClassWeights([]float64{0, 1}), LabelSmoothing(0.5)}, // the other class has a loss
	} {
		for name, f := range map[string]func(x *Var, labels, rows []int32, opts ...CrossEntropyOption) *Var{"CrossEntropy": CrossEntropy, "NLL": NLL} {
			x := vec(1, -1, 2, 0.5).Reshape(2, 2).Detach()
			x.SetRequiresGrad(true)
			loss := f(x, []int32{0, 0}, nil, opts...)
			if !math.IsNaN(loss.Tensor().Item()) {
				t.Errorf("%s, %d options: loss %v, want NaN", name, len(opts), loss.Tensor().Item())
			}
			loss.Backward(RetainGraph())
			wantGrad(t, x, 0, 0, 0, 0)
			loss.Exp().Backward() // which multiplies the gradient by NaN
			wantGrad(t, x, 0, 0, 0, 0)
		}
	}
}

func TestCrossEntropyIsStableForHugeLogits(t *testing.T) {
	x := Variable(tensor.FromSlice([]float32{1e4, -1e4, -1e4, 1e4}, 2, 2))
	loss := CrossEntropy(x, []int32{0, 0}, nil)
	if got := loss.Tensor().Item(); got != 1e4 {
		t.Errorf("loss %v, want 1e4", got)
	}
	loss.Backward()
	wantGrad(t, x, 0, 0, -0.5, 0.5)
}

func TestTheGradientOfADivisorOfZeroIsZero(t *testing.T) {
	for _, d := range []float64{1e-30, 1e-40, -1e-40} {
		a, b := Variable(tensor.FromSlice([]float32{0}, 1)), Variable(tensor.FromSlice([]float32{float32(d)}, 1))
		a.Div(b).BackwardWith(tensor.FromSlice([]float32{1e10}, 1))
		if got := b.Gradient().At(0); got != 0 {
			t.Errorf("the gradient of %v under 0 is %v", d, got)
		}
	}
}

func TestMeanOverNothingIsNaN(t *testing.T) {
	if m := zeros(0, 3).Mean().Tensor().Item(); !math.IsNaN(m) {
		t.Errorf("mean %v, want NaN", m)
	}
	if s := zeros(0, 3).Sum().Tensor().Item(); s != 0 {
		t.Errorf("sum %v, want 0", s)
	}
}

// Dropout

func TestDropoutKeepsTheExpectationAndTheSeedFixesTheMask(t *testing.T) {
	x := Constant(tensor.Full(tensor.Float32, 1, 400, 100))
	y := Dropout(x, 0.6, 5).Tensor().Float64s()
	mean, kept := 0.0, 0
	for _, v := range y {
		mean += v / float64(len(y))
		if v != 0 {
			kept++
			if math.Abs(v-2.5) > 1e-6 {
				t.Fatalf("a kept element is %v, want 2.5", v)
			}
		}
	}
	if math.Abs(mean-1) > 0.03 || math.Abs(float64(kept)/40000-0.4) > 0.012 {
		t.Errorf("mean %v, kept %d of 40000; want about 1 and 16000", mean, kept)
	}
	if !slices.Equal(y, Dropout(x, 0.6, 5).Tensor().Float64s()) {
		t.Error("the same seed gave another mask")
	}
	if slices.Equal(y, Dropout(x, 0.6, 6).Tensor().Float64s()) {
		t.Error("another seed gave the same mask")
	}
}

func TestDropoutAtTheEndsOfItsRange(t *testing.T) {
	x := vec(1, 2)
	if Dropout(x, 0, 1) != x {
		t.Error("p = 0 is not the identity")
	}
	if y := Dropout(x, 1, 1).Tensor().Float64s(); y[0] != 0 || y[1] != 0 {
		t.Errorf("p = 1 gives %v", y)
	}
}

func TestDropoutOfASparseConstantDropsStoredValues(t *testing.T) {
	s := SparseConstant(exampleSparse())
	d := Dropout(s, 0.5, 3)
	want := Dropout(Constant(s.Sparse().Values()), 0.5, 3).Tensor().Float64s()
	if got := d.Sparse().Values().Float64s(); !slices.Equal(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}
	if &d.Sparse().Indices()[0] != &s.Sparse().Indices()[0] {
		t.Error("the structure was copied")
	}
	w := zeros(3, 2)
	dense := Constant(d.Sparse().ToDense())
	d.MatMul(w).Sum().Backward()
	got := w.Gradient().Float64s()
	w.ZeroGrad()
	dense.MatMul(w).Sum().Backward()
	wantGrad(t, w, got...)
}

// Var

func TestVarIsAGorgoniaValueGrad(t *testing.T) {
	w := Parameter(tensor.FromSlice([]float32{1, 2, 3, 4}, 2, 2))
	var vg gorgonia.ValueGrad = w
	if _, err := vg.Grad(); err == nil {
		t.Error("Grad before Backward returned no error")
	}
	w.Square().Sum().Backward()
	grad, err := vg.Grad()
	if err != nil {
		t.Fatal(err)
	}
	if got := grad.Data().([]float32); !slices.Equal(got, []float32{2, 4, 6, 8}) {
		t.Errorf("gradient %v", got)
	}
	vg.Value().Data().([]float32)[0] = 9
	grad.Data().([]float32)[0] = 7
	if w.Tensor().At(0, 0) != 9 || w.Gradient().At(0, 0) != 7 {
		t.Error("Value or Grad is a copy, want the live memory")
	}
}

func TestVarAccessors(t *testing.T) {
	w, c := Parameter(tensor.Zeros(tensor.Float32, 2, 3)), Constant(tensor.Zeros(tensor.Int64, 4))
	s := SparseConstant(exampleSparse())
	if !w.IsParameter() || !w.RequiresGrad() || zeros(1).IsParameter() || c.RequiresGrad() {
		t.Error("kinds of leaves are mixed up")
	}
	if !s.Shape().Equal(tensor.Shape{4, 3}) || s.DType() != tensor.Float64 || s.Tensor() != nil || w.Sparse() != nil || s.Value() != nil {
		t.Error("a sparse constant describes itself wrongly")
	}
	for v, want := range map[*Var]string{w: "parameter f32[2 3]", c: "constant i64[4]", s: "sparse constant f64[4 3]", w.Exp(): "Exp f32[2 3]"} {
		if v.String() != want {
			t.Errorf("String() = %q, want %q", v, want)
		}
	}
	fresh := tensor.Full(tensor.Float32, 1, 2, 3)
	w.SetTensor(fresh)
	if w.Tensor() != fresh {
		t.Error("SetTensor did not replace the value")
	}
}

// Golden vectors of an independent PyTorch implementation.

func TestGoldenOps(t *testing.T) {
	rowsEvery3 := []int32{}
	for v := int32(0); v < 37; v += 3 {
		rowsEvery3 = append(rowsEvery3, v)
	}
	ops := map[string]func(x *Var) *Var{
		"log_softmax": (*Var).LogSoftmax,
		"elu":         func(x *Var) *Var { return x.ELU(1) },
		"gelu_erf":    (*Var).GELU,
		"masked_cross_entropy": func(x *Var) *Var {
			labels := make([]int32, x.Shape()[0])
			for v := range labels {
				labels[v] = int32(v % 5)
			}
			return CrossEntropy(x, labels, rowsEvery3)
		},
	}
	for name, f := range ops {
		t.Run(name, func(t *testing.T) {
			g := shared.Golden(t, name)
			var input string
			for key := range g {
				if len(key) > 3 && key[:3] == "in_" {
					if input != "" {
						t.Fatalf("two inputs: %s and %s", input, key)
					}
					input = key[3:]
				}
			}
			in := tensor.FromSlice(g["in_"+input].F64, g["in_"+input].Shape...)
			cot := tensor.FromSlice(g["cotangent"].F64, g["cotangent"].Shape...)
			for _, p := range []struct {
				dt         tensor.DType
				suffix     string
				rtol, atol float64
			}{{tensor.Float64, "_f64", 1e-12, 1e-12}, {tensor.Float32, "_f32", 1e-5, 1e-5}} {
				x := Variable(in.To(p.dt))
				y := f(x)
				if y.Shape().Rank() == 0 {
					y = y.Reshape(1) // scalars are stored with one dimension
				}
				y.BackwardWith(cot.To(p.dt))
				wantClose(t, "out"+p.suffix, y.Tensor(), g["out"+p.suffix], p.rtol, p.atol)
				wantClose(t, "gradient"+p.suffix, x.Gradient(), g["grad_"+input+p.suffix], p.rtol, p.atol)
			}
		})
	}
}

func wantClose(t *testing.T, what string, got *tensor.Tensor, want shared.Array, rtol, atol float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), want.Shape)
	}
	for i, x := range got.Float64s() {
		var w float64
		if want.F64 != nil {
			w = want.F64[i]
		} else {
			w = float64(want.F32[i])
		}
		if !(math.Abs(x-w) <= atol+rtol*math.Abs(w)) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, x, w)
		}
	}
}

func TestTransposeKeepsAnOrderOfItsOwn(t *testing.T) {
	x := Variable(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 1, 3))
	order := []int{2, 0, 1}
	y := x.Transpose(order...)
	order[0], order[1] = 0, 2
	y.BackwardWith(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2, 1))
	wantGrad(t, x, 1, 3, 5, 2, 4, 6)
}
