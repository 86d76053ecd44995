package dense

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// view returns a view for planning: nothing is read through it.
func view(dt tensor.DType, shape tensor.Shape, strides ...int) tensor.View {
	if strides == nil {
		strides = rowMajor(shape)
	}
	return tensor.View{DType: dt, Shape: shape, Strides: strides}
}

// planProgram returns a program of one operation on operands of its kind of types.
func planProgram(op tensor.ProgramOp, dt tensor.DType) (*tensor.Program, []tensor.DType) {
	s := tensor.ProgramStep{Op: op.Name, Type: dt}
	types := make([]tensor.DType, op.Args)
	for k := range types {
		types[k], s.Args[k] = dt, ^k
	}
	switch op.Name {
	case "And", "Or", "Xor", "Not":
		for k := range types {
			types[k] = tensor.Bool
		}
		s.Type = tensor.Bool
	case "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "IsNaN", "IsInf", "IsFinite":
		s.Type = tensor.Bool
	case "Where":
		types[0] = tensor.Bool
	case "Cast":
		s.Type = tensor.Int32
	case "Coordinate":
		s.Type = tensor.Int64
	}
	return &tensor.Program{Steps: []tensor.ProgramStep{s}}, types
}

// everyKernel lists a text of every kind of kernel in a type: by name.
func everyKernel(dt tensor.DType) map[string]string {
	all := map[string]string{}
	add := func(w work) { all[w.key] = w.text() }
	for _, op := range tensor.ProgramOps {
		p, types := planProgram(op, dt)
		out := p.Steps[0].Type
		packed := []tensor.View{view(out, tensor.Shape{64})}
		strided := []tensor.View{view(out, tensor.Shape{3, 5})}
		for _, t := range types {
			packed = append(packed, view(t, tensor.Shape{64}))
			strided = append(strided, view(t, tensor.Shape{3, 5}, 1, 3))
		}
		add(mapWork(packed[0], p, packed[1:]))
		add(mapWork(strided[0], p, strided[1:]))
	}
	for _, op := range tensor.ProgramOps {
		if spelledWhole[op.Name] == "" {
			continue
		}
		for _, whole := range []tensor.DType{tensor.Int32, tensor.Int64} {
			p, types := planProgram(op, whole)
			var xs []tensor.View
			for _, t := range types {
				xs = append(xs, view(t, tensor.Shape{64}))
			}
			add(mapWork(view(whole, tensor.Shape{64}), p, xs))
		}
	}
	for _, op := range slices.Sorted(maps.Keys(folds)) {
		t := dt
		if op == "Any" || op == "All" {
			t = tensor.Bool
		}
		for _, g := range []int{8, 256} {
			all[fmt.Sprintf("rows %s %d", op, g)] = foldText("ROWS", op, t, g)
		}
		all["columns "+op] = foldText("COLUMNS", op, t, 32)
	}
	for _, op := range []string{"Softmax", "LogSoftmax", "SoftmaxGrad", "LogSoftmaxGrad", "LayerNorm", "LayerNormGrad"} {
		for _, g := range []int{8, 256} {
			all[fmt.Sprintf("%s %d", op, g)] = rowsTextOf(op, dt, g)
		}
	}
	for _, kind := range []string{"THREADS", "BLOCKS"} {
		all["scan Sum "+kind] = scanTextOf(kind, "Sum", dt)
		all["scan Prod "+kind] = scanTextOf(kind, "Prod", tensor.Int64)
	}
	for _, kind := range []string{"SMALL", "STEP", "START", "TAKE"} {
		all["sort "+kind] = sortTextOf(kind, dt, true)
	}
	all["segment"] = segmentTextOf(dt)
	for _, whole := range []tensor.DType{tensor.Int32, tensor.Int64} {
		all[fmt.Sprint("offsets ", whole)] = offsetsTextOf(whole)
	}
	for name, u := range updates {
		all["update "+name] = updateText(u, dt)
	}
	return all
}
