// What can be asked of any module: its parameters and its mode.

package nn

import "github.com/asterias-ml/asterias/autograd"

// Named is a parameter and the path of fields to it.
type Named struct {
	Name string // e.g. "layers.0.weight"
	Var  *autograd.Var
}

// NamedParameters lists the parameters of a module, a pointer to a struct or a
// slice such as [Sequential], in field order. A parameter is a non-nil
// *autograd.Var made by autograd.Parameter, in an exported field of the module
// or of anything reached from it through exported or embedded fields, pointers,
// interfaces, slices and arrays.
//
// A name is the path of field names in snake_case (Conv1 -> conv1, InProj ->
// in_proj) or of their `nn:"name"` tags, and of slice indices; embedded structs
// add nothing to it. A parameter reached twice is listed once, under its first
// name.
//
// It panics with *[Error] if a map holds parameters, because its order is
// random, or if two parameters have one name.
func NamedParameters(m any) []Named {
	const op = "NamedParameters"
	var list []Named
	names := map[string]bool{}
	w := walker{op: op, onVar: func(name string, v *autograd.Var) {
		if !v.IsParameter() {
			return
		}
		if names[name] {
			misuse(op, "two parameters are named "+name)
		}
		names[name] = true
		list = append(list, Named{name, v})
	}}
	w.run(m)
	return list
}

// Parameters lists the parameters of a module in the order of [NamedParameters].
func Parameters(m any) []*autograd.Var {
	named := NamedParameters(m)
	vs := make([]*autograd.Var, len(named))
	for i, n := range named {
		vs[i] = n.Var
	}
	return vs
}

// ZeroGrad forgets the gradients of all parameters of a module.
func ZeroGrad(m any) {
	for _, v := range Parameters(m) {
		v.ZeroGrad()
	}
}

// SetTraining switches a module and everything in it between training and
// evaluation: it calls SetTraining(on) of every part that has that method, found
// as by [NamedParameters], outer parts first. A type that overrides the method of
// a struct it embeds, such as [Mode], decides for it.
func SetTraining(m any, on bool) {
	w := walker{op: "SetTraining", onTrainer: func(t trainer) { t.SetTraining(on) }}
	w.run(m)
}

// Mode is whether a module is training. Embedded in a module it answers
// [SetTraining]. The zero value is training.
type Mode struct{ evaluating bool }

// SetTraining switches to training or evaluation.
func (m *Mode) SetTraining(on bool) { m.evaluating = !on }

// Training tells whether the module is training.
func (m *Mode) Training() bool { return !m.evaluating }
