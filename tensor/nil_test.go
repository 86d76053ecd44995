// Nil, or what was freed, where a tensor is wanted: a typed error that names the operation, of
// every function of the package.

package tensor

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// takers are the functions that take tensors.
var takers = map[string]any{
	"Abs": Abs, "AbsGrad": AbsGrad, "Acos": Acos, "Acosh": Acosh, "Add": Add, "AddInto": AddInto, "AddScalar": AddScalar,
	"All": All, "AllClose": AllClose, "AllFinite": AllFinite, "And": And, "Any": Any, "ArgSort": ArgSort, "Argmax": Argmax, "Argmin": Argmin, "Asin": Asin,
	"Asinh": Asinh, "Atan": Atan, "Atan2": Atan2, "Atanh": Atanh, "BatchNorm": BatchNorm, "BatchNormGrad": BatchNormGrad, "Ceil": Ceil, "Chain": Chain, "ChainSum": ChainSum, "Chunk": Chunk, "Clamp": Clamp,
	"ClampGrad": ClampGrad, "Concat": Concat, "Cos": Cos, "Cosh": Cosh, "CrossEntropy": CrossEntropy, "CrossEntropyGrad": CrossEntropyGrad,
	"CumProd": CumProd, "CumSum": CumSum, "CumSumGrad": CumSumGrad, "DiagEmbed": DiagEmbed,
	"Div": Div, "Dot": Dot, "Dropout": Dropout, "ELU": ELU, "ELUGrad": ELUGrad, "Equal": Equal, "EqualScalar": EqualScalar,
	"Erf": Erf, "ErfGrad": ErfGrad, "Erfc": Erfc, "Exp": Exp, "Expm1": Expm1, "Flip": Flip, "Floor": Floor, "FloorDiv": FloorDiv, "FullLike": FullLike,
	"GELU": GELU, "GELUGrad": GELUGrad, "GRU": GRU, "GateLeakyReLU": GateLeakyReLU, "GateReLU": GateReLU, "Gather": Gather, "GatherGrad": GatherGrad, "Greater": Greater,
	"GreaterEqual": GreaterEqual, "GreaterEqualScalar": GreaterEqualScalar, "GreaterScalar": GreaterScalar, "Hypot": Hypot, "IndexSelect": IndexSelect,
	"IndexSelectAxis": IndexSelectAxis, "IsFinite": IsFinite, "IsInf": IsInf, "IsNaN": IsNaN, "LSTM": LSTM, "LayerNorm": LayerNorm,
	"LayerNormGrad": LayerNormGrad, "LeakyReLU": LeakyReLU, "Less": Less, "LessEqual": LessEqual, "LessEqualScalar": LessEqualScalar, "LessScalar": LessScalar,
	"Linear": Linear, "Log": Log, "Log10": Log10, "Log1p": Log1p, "Log2": Log2, "LogSoftmax": LogSoftmax,
	"LogSoftmaxGrad": LogSoftmaxGrad, "LogSumExp": LogSumExp, "MaskedFill": MaskedFill, "MaskedSelect": MaskedSelect, "MatMul": MatMul,
	"MatMulAdd": MatMulAdd, "Max": Max, "MaxAlong": MaxAlong, "Maximum": Maximum, "Mean": Mean, "Min": Min, "MinAlong": MinAlong,
	"Minimum": Minimum, "Mul": Mul, "Neg": Neg, "NewSparse": NewSparse, "NonZero": NonZero, "Norm": Norm, "Not": Not,
	"NotEqual": NotEqual, "NotEqualScalar": NotEqualScalar, "OneHot": OneHot, "Or": Or, "Outer": Outer, "Pad": Pad, "Pow": Pow, "PowT": PowT, "Prod": Prod,
	"RandLike": RandLike, "ReLU": ReLU, "Recip": Recip, "Remainder": Remainder, "Repeat": Repeat, "Roll": Roll, "Round": Round,
	"Rsqrt": Rsqrt, "Scale": Scale, "Scatter": Scatter, "ScatterAdd": ScatterAdd, "ScatterAddAxis": ScatterAddAxis,
	"ScatterAddRows": ScatterAddRows, "ScatterAddRowsInto": ScatterAddRowsInto, "SharesMemory": SharesMemory, "SiLU": SiLU, "SiLUGrad": SiLUGrad, "Sigmoid": Sigmoid,
	"SigmoidGrad": SigmoidGrad, "Sign": Sign, "Sin": Sin, "Sinh": Sinh, "Softmax": Softmax, "SoftmaxGrad": SoftmaxGrad,
	"Softplus": Softplus, "SoftplusGrad": SoftplusGrad, "Sort": Sort, "SparseMatMul": SparseMatMul, "Split": Split, "Sqrt": Sqrt,
	"SqrtGrad": SqrtGrad, "Square": Square, "Stack": Stack, "Std": Std, "Step": Step, "Sub": Sub, "Sum": Sum, "SumTo": SumTo,
	"TakeRows": TakeRows, "TakeRowsGrad": TakeRowsGrad, "Tan": Tan, "Tanh": Tanh, "TanhGrad": TanhGrad, "TopK": TopK, "Tril": Tril, "Triu": Triu, "Trunc": Trunc,
	"Unnarrow": Unnarrow, "Var": Var, "VecDot": VecDot, "Where": Where, "Xor": Xor, "ZerosLike": ZerosLike,
	"Borrow": Borrow[float64], "Data": Data[float64], "Update": Update,
}

// optional are the operands whose being nil is no misuse, counted from 1: weights and
// biases may be left out, and NewSparse returns errors.
var optional = map[string][]int{
	"BatchNorm": {2, 3}, "BatchNormGrad": {5}, "GRU": {3}, "LayerNorm": {2, 3}, "LayerNormGrad": {5}, "Linear": {3}, "NewSparse": {5},
}

func TestNilAndFreedOperandsAreMisuseThatNamesTheOperation(t *testing.T) {
	some, row, mask, index := Ones(Float64, 2, 2), Ones(Float64, 2), Ones(Bool, 2, 2), Zeros(Int64, 2, 2)
	special := map[string]*Tensor{ // operands of another type, by function and place
		"And 0": mask, "And 1": mask, "Or 0": mask, "Or 1": mask, "Xor 0": mask, "Xor 1": mask, "Not 0": mask,
		"Where 0": mask, "MaskedFill 1": mask, "MaskedSelect 1": mask,
		"LayerNorm 1": row, "BatchNorm 1": row, "BatchNormGrad 2": row, "BatchNormGrad 3": row, "TakeRows 1": index, "TakeRowsGrad 1": index, "OneHot 0": index, "Gather 2": index, "GatherGrad 3": index, "Scatter 2": index, "ScatterAdd 2": index,
	}
	indptr := []int32{0, 1, 2}
	sparse, err := NewSparse(2, 2, indptr, []int32{0, 1}, Ones(Float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	freed := freedTensor()
	isOperand := map[reflect.Type]bool{reflect.TypeFor[*Tensor](): true, reflect.TypeFor[*Sparse](): true, reflect.TypeFor[[]*Tensor](): true, reflect.TypeFor[[][]*Tensor](): true}
	for name, f := range takers {
		v := reflect.ValueOf(f)
		args := func() (all []reflect.Value) {
			for i := range v.Type().NumIn() {
				switch in := v.Type().In(i); in {
				case reflect.TypeFor[*Tensor]():
					operand := some
					if x := special[fmt.Sprint(name, " ", i)]; x != nil {
						operand = x
					}
					all = append(all, reflect.ValueOf(operand))
				case reflect.TypeFor[*Sparse]():
					all = append(all, reflect.ValueOf(sparse))
				case reflect.TypeFor[[][]*Tensor]():
					all = append(all, reflect.ValueOf([][]*Tensor{{some}}))
				case reflect.TypeFor[[]*Tensor]():
					all = append(all, reflect.ValueOf([]*Tensor{some, some}))
				default:
					all = append(all, reflect.Zero(in))
				}
			}
			return all
		}
		for i := range v.Type().NumIn() {
			in := v.Type().In(i)
			if !isOperand[in] {
				continue
			}
			for _, x := range []*Tensor{nil, freed} {
				fine := x == nil && slices.Contains(optional[name], i+1) || x == freed && (name == "SharesMemory" || name == "NewSparse")
				if fine || x == freed && in == reflect.TypeFor[*Sparse]() {
					continue
				}
				bad := args()
				switch in {
				case reflect.TypeFor[[]*Tensor]():
					bad[i] = reflect.ValueOf([]*Tensor{some, x})
				case reflect.TypeFor[[][]*Tensor]():
					bad[i] = reflect.ValueOf([][]*Tensor{{some}, {x}})
				case reflect.TypeFor[*Sparse]():
					bad[i] = reflect.Zero(in)
				default:
					bad[i] = reflect.ValueOf(x)
				}
				wantUnusable(t, name, fmt.Sprintf("%s with argument %d", name, i), x == freed, func() {
					if v.Type().IsVariadic() {
						v.CallSlice(bad)
					} else {
						v.Call(bad)
					}
				})
			}
		}
	}
}

func TestMethodsOfNilAndOfWhatWasFreedAreMisuseThatNamesTheMethod(t *testing.T) {
	freed := freedTensor()
	for _, receiver := range []any{(*Tensor)(nil), (*Sparse)(nil), freed} {
		v := reflect.ValueOf(receiver)
		if v.NumMethod() == 0 {
			t.Errorf("%T has no methods", receiver)
		}
		for i := range v.NumMethod() {
			f, name := v.Method(i), v.Type().Method(i).Name
			var args []reflect.Value
			for k := range f.Type().NumIn() {
				if !f.Type().IsVariadic() || k < f.Type().NumIn()-1 {
					args = append(args, reflect.Zero(f.Type().In(k)))
				}
			}
			if receiver == freed && (name == "Free" || name == "Freed") {
				continue
			}
			wantUnusable(t, name, fmt.Sprintf("%s of an unusable %T", name, receiver), receiver == freed, func() { f.Call(args) })
		}
	}
}

func TestNilAndFreedOperandsOfMethodsAreMisuse(t *testing.T) {
	sparse, err := NewSparse(1, 1, []int32{0, 1}, []int32{0}, Ones(Float32, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Tensor{nil, freedTensor()} {
		for op, f := range map[string]func(){
			"CopyFrom":   func() { Ones(Float32, 2).CopyFrom(x) },
			"WithValues": func() { sparse.WithValues(x) },
		} {
			wantUnusable(t, op, op, x != nil, f)
		}
	}
}

func TestWhatWasFreedMayBeFreedAgainAndIsKnown(t *testing.T) {
	x := freedTensor()
	if x.Free(); !x.Freed() || Ones(Float32, 1).Freed() {
		t.Error("Freed is wrong")
	}
}

func freedTensor() *Tensor {
	x := Ones(Float64, 2, 2)
	x.Free()
	return x
}

// wantUnusable fails unless f panics with the error of a nil operand of op, or a freed one.
func wantUnusable(t *testing.T, op, what string, freed bool, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		err, _ := r.(error)
		want, is, typed := "is nil", new(NilError), false
		if typed = errors.As(err, &is) && is.Op == op; freed {
			is := new(FreedError)
			want, typed = "has been freed", errors.As(err, &is) && is.Op == op
		}
		if !typed || err.Error() != "tensor: "+op+": an operand "+want {
			t.Errorf("%s, freed %t: %T %v", what, freed, r, r)
		}
	}()
	f()
}

// The list above has every function of the package that takes tensors.
func TestTheListOfFunctionsThatTakeTensorsIsWhole(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || !takesTensors(f) {
				continue
			}
			found++
			if takers[f.Name.Name] == nil {
				t.Errorf("%s is not in the list", f.Name.Name)
			}
		}
	}
	if found != len(takers) {
		t.Errorf("the list has %d functions, the package %d", len(takers), found)
	}
}

func takesTensors(f *ast.FuncDecl) (found bool) {
	for _, p := range f.Type.Params.List {
		ast.Inspect(p.Type, func(n ast.Node) bool {
			star, ok := n.(*ast.StarExpr)
			if ok {
				name, _ := star.X.(*ast.Ident)
				found = found || name != nil && (name.Name == "Tensor" || name.Name == "Sparse")
			}
			return true
		})
	}
	return found
}
