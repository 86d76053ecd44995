package check

// One model held against the reference: its parameters, its output, its gradients.

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// A comparison is of one model with the reference.
type comparison struct {
	*modelCheck
	spec      Spec
	net       Net
	params    map[string]*matrix
	present   []parameter // in the model, and of some effect
	cotangent *matrix
	base      *tensor.Tensor // the model's output
}

// setParameters gives the model its parameters and tells whether it has enough of them
// to go on. A bias that is missing is 0 from here on.
func (t *comparison) setParameters() bool {
	enough := true
	var values map[string]*tensor.Tensor
	if err, _ := protected(func() error { values = t.net.Parameters(); return nil }); err != nil {
		t.found(ModelFails, "parameters", "%v", err)
		return false
	}
	for _, p := range t.spec.parameters() {
		v := values[p.name]
		switch {
		case v == nil && p.isBias():
			t.found(MissingBias, p.name, "the model has no such parameter: %s", strings.Join(names(values), ", "))
			t.params[p.name] = newMatrix(p.rows, p.cols)
		case v == nil:
			t.found(MissingParameter, p.name, "the model has %s", strings.Join(names(values), ", "))
			enough = false
		case v.Size() != p.rows*p.cols:
			t.found(WrongOutput, p.name, "the parameter has shape %v, want %d elements", v.Shape(), p.rows*p.cols)
			enough = false
		default:
			t.present = append(t.present, p)
			if err := t.set(p, t.params[p.name]); err != nil {
				t.found(ModelFails, p.name, "%v", err)
				enough = false
			}
		}
	}
	return enough
}

func names(values map[string]*tensor.Tensor) []string {
	var list []string
	for name := range values {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// set gives the model values of a parameter.
func (t *comparison) set(p parameter, m *matrix) error {
	values := make([]float32, len(m.v))
	for i, x := range m.v {
		values[i] = float32(x)
	}
	err, _ := protected(func() error {
		shape := t.net.Parameters()[p.name].Shape()
		t.net.SetParameter(p.name, tensor.FromSlice(values, shape...))
		return nil
	})
	return err
}

// evaluation runs the model twice: it has no dropout to draw.
func (t *comparison) evaluation() bool {
	t.base = t.forward(t.net, false, 1)
	again := t.forward(t.net, false, 2)
	if t.base == nil || again == nil {
		return false
	}
	if !slices.Equal(t.base.Float64s(), again.Float64s()) && tensor.AllFinite(t.base) {
		t.found(DropoutInEval, "evaluation", "two runs give two outputs")
		return false
	}
	return true
}

// everyParameterCounts moves each parameter and looks for a change of the output. A
// bias that has no effect is as good as missing.
func (t *comparison) everyParameterCounts() bool {
	enough := true
	var counts []parameter
	for _, p := range t.present {
		moved := newMatrix(p.rows, p.cols)
		for i, x := range t.params[p.name].v {
			moved.v[i] = x + 0.5 + 0.25*float64(i%3)
		}
		if err := t.set(p, moved); err != nil {
			t.found(ModelFails, p.name, "%v", err)
			return false
		}
		out := t.forward(t.net, false, 1)
		if err := t.set(p, t.params[p.name]); err != nil || out == nil {
			return false
		}
		switch {
		case !slices.Equal(out.Float64s(), t.base.Float64s()):
			counts = append(counts, p)
		case p.isBias():
			t.found(MissingBias, p.name, "the output does not move when the parameter does")
			t.params[p.name] = newMatrix(p.rows, p.cols)
		default:
			t.found(DeadParameter, p.name, "the output does not move when the parameter does")
			enough = false
		}
	}
	t.present = counts
	return enough
}

// A modelCandidate is a mistake of a model with its name.
type modelCandidate struct {
	name Pitfall
	m    modelMistake
}

// forwardCandidates are mistakes of the forward pass.
func (t *comparison) forwardCandidates() []modelCandidate {
	list := []modelCandidate{
		{Transposed, modelMistake{flip: true}},
		{DuplicateEdges, modelMistake{once: true}},
	}
	switch t.arch {
	case GCN:
		list = append(list,
			modelCandidate{NormMissing, modelMistake{s: noCoefficient}},
			modelCandidate{WrongNorm, modelMistake{s: instead(system.NormMean)}},
			modelCandidate{WrongNorm, modelMistake{s: instead(system.NormLeft)}},
			modelCandidate{NormSide, modelMistake{s: otherEnd}},
			modelCandidate{WrongDegree, modelMistake{s: inDegrees}},
			modelCandidate{WrongDegree, modelMistake{s: outDegrees}},
			modelCandidate{WrongDegree, modelMistake{s: oneMore}})
	case GIN:
		list = append(list, modelCandidate{WrongNorm, modelMistake{s: instead(system.NormMean)}})
	}
	return list
}

// output compares the output, and returns the mistake that explains it, none for a right
// one. It is not ok if nothing does.
func (t *comparison) output() (m modelMistake, ok bool) {
	detail := differs(t.base, newReference(t.spec, t.params, m).run(nil))
	if detail == "" {
		return m, true
	}
	for _, c := range t.forwardCandidates() {
		if differs(t.base, newReference(t.spec, t.params, c.m).run(nil)) == "" {
			t.found(c.name, "forward pass", "%s", detail)
			return c.m, true
		}
	}
	t.found(WrongOutput, "forward pass", "%s", detail)
	return m, false
}

// backwardCandidates are mistakes of the backward pass alone, beside those of the
// forward pass.
func (t *comparison) backwardCandidates(m modelMistake) []modelCandidate {
	if t.arch == GAT {
		return nil
	}
	with := func(back coefficient, flip bool) modelMistake {
		w := m
		w.back, w.backFlip = back, flip
		return w
	}
	list := []modelCandidate{{BackwardDirection, with(nil, true)}}
	if t.arch == GCN {
		list = append(list,
			modelCandidate{BackwardNormAfter, with(otherEnd, false)},
			modelCandidate{BackwardNorm, with(noCoefficient, false)},
			modelCandidate{BackwardDirection, with(noCoefficient, true)})
	}
	return list
}

// gradients compares them, with those of a model that has the forward pass's mistake.
func (t *comparison) gradients(m modelMistake) {
	got := t.gradientsOf(t.net, t.cotangent, false, 1)
	if got == nil {
		return
	}
	var compared []parameter
	for _, p := range t.present {
		if got[p.name] == nil {
			t.found(MissingGradient, "gradient of "+p.name, "there is none")
			continue
		}
		compared = append(compared, p)
	}
	wrong := func(m modelMistake) (first string, detail string, count int) {
		r := newReference(t.spec, t.params, m)
		r.run(t.cotangent)
		for _, p := range compared {
			if d := differs(got[p.name], r.grads[p.name]); d != "" {
				if count == 0 {
					first, detail = p.name, d
				}
				count++
			}
		}
		return first, detail, count
	}
	name, detail, count := wrong(m)
	if count == 0 {
		return
	}
	detail = fmt.Sprintf("gradient of %s: %s; %d of %d gradients", name, detail, count, len(compared))
	for _, c := range t.backwardCandidates(m) {
		if _, _, n := wrong(c.m); n == 0 {
			t.found(c.name, "backward pass", "%s", detail)
			return
		}
	}
	t.found(WrongGradient, "backward pass", "%s", detail)
}
