// What can be asked of any module: its parameters, its parts, its mode.

package nn

import (
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/asterias-ml/asterias/autograd"
)

// Named is a parameter and the path of fields to it.
type Named struct {
	Name string // e.g. "layers.0.weight"
	Var  *autograd.Var
}

// NamedParameters lists the parameters of a module, a pointer to a struct or a
// slice such as [Sequential], in field order. A parameter is a non-nil
// *autograd.Var made by autograd.Parameter, in an exported field of the module
// or of anything reached from it through exported or embedded fields, pointers,
// interfaces, slices, arrays, and maps whose keys are strings, by ascending keys.
//
// A name is the path of field names in snake_case (Conv1 -> conv1, InProj ->
// in_proj) or of their `nn:"name"` tags, of slice indices, and of map keys as in
// torch.nn.ModuleDict; embedded structs add nothing to it. A parameter reached twice is listed once, under its first
// name.
//
// It panics with *[Error] if a map holds parameters whose keys are no strings or whose
// values are structs instead of pointers, or if two parameters have one name.
func NamedParameters(m any) []Named { return namedParameters("NamedParameters", m) }

func namedParameters(op string, m any) []Named {
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

// NamedBuffers lists the buffers of a module, the part of its [State] that is not
// trained, such as the running mean of a batch normalisation.
func NamedBuffers(m any) []Named {
	var list []Named
	for _, s := range stateOf("NamedBuffers", m) {
		if !s.Var.IsParameter() {
			list = append(list, s)
		}
	}
	return list
}

// NumParameters counts the numbers that are trained, frozen ones included.
func NumParameters(m any) int {
	n := 0
	for _, p := range namedParameters("NumParameters", m) {
		n += p.Var.Shape().Size()
	}
	return n
}

// ZeroGrad forgets the gradients of all parameters of a module.
func ZeroGrad(m any) {
	for _, p := range namedParameters("ZeroGrad", m) {
		p.Var.ZeroGrad()
	}
}

// Freeze keeps the parameters of a module, or of a part of one, from being
// trained: they require no gradient, and those that they have are forgotten, so
// that optimisers leave them alone. Do it before the forward pass.
//
// Modes are another matter: while a frozen part is in training mode, its dropout drops and
// the estimates of its BatchNorm1d move, as in PyTorch. To stop that, call Eval of the part,
// again after every Train of the whole, such as that of a trainer before each epoch.
func Freeze(m any) { setTrained("Freeze", m, false) }

// Unfreeze undoes [Freeze].
func Unfreeze(m any) { setTrained("Unfreeze", m, true) }

func setTrained(op string, m any, on bool) {
	for _, p := range namedParameters(op, m) {
		p.Var.SetRequiresGrad(on)
		if !on {
			p.Var.ZeroGrad()
		}
	}
}

// Apply calls f with a module and every struct that is part of it, each once,
// outer parts first, in the order of [NamedParameters]; part is a pointer to the
// struct, name the path to it, "" for m itself. What is embedded is one part with
// what embeds it. For example, to draw all weights anew:
//
//	nn.Apply(model, func(_ string, part any) {
//		if l, ok := part.(*nn.Linear); ok {
//			nn.Orthogonal(l.Weight, r)
//		}
//	})
func Apply(m any, f func(name string, part any)) {
	const op = "Apply"
	wantThere(op, "the function", f != nil)
	w := walker{op: op, onPart: f}
	w.run(m)
}

// Summary describes a module as a table of its parameters and buffers: name,
// type, shape, and how many numbers it trains.
func Summary(m any) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	total, frozen := 0, 0
	for _, s := range stateOf("Summary", m) {
		n, note := s.Var.Shape().Size(), ""
		switch {
		case !s.Var.IsParameter():
			note = "\tbuffer"
		case !s.Var.RequiresGrad():
			total, frozen, note = total+n, frozen+n, "\tfrozen"
		default:
			total += n
		}
		fmt.Fprintf(t, "%s\t%v %v\t%d%s\n", s.Name, s.Var.DType(), s.Var.Shape(), n, note)
	}
	t.Flush() // to a Builder, which never fails
	fmt.Fprintf(&b, "%s: %d parameters, %d of them frozen\n", reflect.TypeOf(m), total, frozen)
	return b.String()
}

// SetTraining switches a module and everything in it between training and
// evaluation: it calls SetTraining(on) of every part that has that method, found
// as by [NamedParameters], outer parts first. A type that overrides the method of
// a struct it embeds, such as [Mode], decides for it.
func SetTraining(m any, on bool) {
	w := walker{op: "SetTraining", onTrainer: func(t trainer) { t.SetTraining(on) }}
	w.run(m)
}

// Train switches a module to training; see [SetTraining].
func Train(m any) { SetTraining(m, true) }

// Eval switches a module to evaluation; see [SetTraining].
func Eval(m any) { SetTraining(m, false) }

// Mode is whether a module is training. Embedded in a module it answers
// [SetTraining]. The zero value is training.
type Mode struct{ evaluating bool }

// SetTraining switches to training or evaluation.
func (m *Mode) SetTraining(on bool) { m.evaluating = !on }

// Training tells whether the module is training.
func (m *Mode) Training() bool { return !m.evaluating }
