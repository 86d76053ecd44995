package check

// The gradients of all calls that have one, by package op.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/op"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

func (o Options) gradientHeads(g *graph) []int {
	heads := o.heads(g)
	return heads[:min(len(heads), 2)]
}

func (o Options) gradientWidths() []int {
	if o.Quick {
		return []int{3, 8}
	}
	return []int{1, 3, 8, 33}
}

// backward compares all gradients with the reference. One that is wrong is laid to
// those of its calls that are, or it is a finding of its own.
func (r *runner) backward(guilty blame) {
	lacking := make(map[string]bool)
	for _, c := range r.o.calls() {
		if c.flags.Reduce != system.Sum || slices.Contains(r.report.Unsupported, c.String()) {
			continue
		}
		for i, g := range r.graphs {
			if r.opened[g] == nil {
				continue
			}
			for _, heads := range r.o.gradientHeads(g) {
				for _, width := range r.o.gradientWidths() {
					for _, wWidth := range wWidths(c.kind, c.flags, width) {
						seed := rng.Fold(r.o.Seed, uint64(i), uint64(heads), uint64(width))
						p := newProblem(g, c.kind, c.flags, sizes{heads, width, wWidth}, seed)
						r.gradient(p, rng.Fold(seed, roleGradient), guilty, lacking)
					}
				}
			}
		}
	}
}

// gradient checks one.
func (r *runner) gradient(p *problem, seed uint64, guilty blame, lacking map[string]bool) {
	g := values(p.shape().Size(), seed)
	calls := &recorder{Graph: r.opened[p.g]}
	got, err := p.differentiate(calls, r.device, g)
	name := "gradient of " + p.kind.String()
	if errors.Is(err, system.ErrUnsupported) {
		if what := fmt.Sprintf("gradient of %s", callName(p.kind, p.flags)); !lacking[what] {
			lacking[what] = true
			r.report.Unsupported = append(r.report.Unsupported, what)
		}
		return
	}
	r.report.Cases++
	detail := ""
	if err != nil {
		detail = fmt.Sprintf("%s: %v", p, err)
	} else {
		detail = p.compare(p.backward(g), got)
	}
	if detail == "" {
		r.addGradient(name, nil, "")
		return
	}
	var pitfalls []Pitfall
	for _, c := range calls.made {
		for _, known := range guilty[c] {
			if !slices.Contains(pitfalls, known) {
				pitfalls = append(pitfalls, known)
			}
		}
		switch {
		case len(guilty[c]) > 0:
			detail += fmt.Sprintf("; through %s", c)
		case len(r.trials[c]) == 0:
			detail += fmt.Sprintf("; through %s, which was not checked", c)
		}
	}
	switch {
	case len(pitfalls) > 0:
	case err != nil:
		pitfalls = []Pitfall{CallFails}
	default:
		pitfalls = []Pitfall{WrongGradient}
	}
	r.addGradient(name, pitfalls, detail)
}

// addGradient counts a case of a gradient: one more of each of its findings, and of
// those of the pitfalls one more wrong. The first detail stays, of a small graph.
func (r *runner) addGradient(name string, pitfalls []Pitfall, detail string) {
	r.gradientCases[name]++
	for _, p := range pitfalls {
		i := slices.IndexFunc(r.report.Findings, func(f Finding) bool { return f.Call == name && f.Pitfall == p })
		if i < 0 {
			r.found(Finding{Pitfall: p, Call: name, Detail: detail})
			i = len(r.report.Findings) - 1
		}
		r.report.Findings[i].Cases++
	}
	for i := range r.report.Findings {
		if f := &r.report.Findings[i]; f.Call == name {
			f.Of = r.gradientCases[name]
		}
	}
}

// differentiate returns the gradients of the operands that package op computes.
func (p *problem) differentiate(g *recorder, d *tensor.Device, cotangent []float32) (got [3][]float32, err error) {
	variable := func(values []float32, rows, width int) *autograd.Var {
		if values == nil {
			return nil
		}
		t := tensor.FromSlice(slices.Clone(values), rows, p.heads, width)
		return autograd.Variable(t.ToDevice(d))
	}
	x := variable(p.x, p.g.vertices, p.width)
	y := variable(p.y, p.g.vertices, p.width)
	w := variable(p.w, len(p.g.src), p.wWidth)
	failed, _ := protected(func() error {
		return autograd.Try(func() {
			ops := op.New(g, d, p.g.vertices, p.g.src, p.g.dst)
			out := p.record(ops, x, y, w)
			g.made = nil // it has been judged
			out.BackwardWith(tensor.FromSlice(slices.Clone(cotangent), p.shape()...).ToDevice(d))
			for i, v := range []*autograd.Var{x, y, w} {
				if v != nil && v.Gradient() != nil {
					got[i] = tensor.Data[float32](v.Gradient().ToDevice(nil).Contiguous())
				}
			}
		})
	})
	return got, failed
}

// record makes the call through package op.
func (p *problem) record(ops *op.Ops, x, y, w *autograd.Var) *autograd.Var {
	switch p.kind {
	case system.SpMMv:
		return ops.SpMMv(x, p.flags)
	case system.SpMMve:
		return ops.SpMMve(x, w, p.flags)
	case system.SpMMe:
		return ops.SpMMe(w, p.flags)
	case system.SDDMMvv:
		return ops.SDDMMvv(x, y, p.flags)
	}
	return ops.SDDMMve(x, w, p.flags)
}

// compare describes the gradient that is off the most, if one is.
func (p *problem) compare(want gradients, got [3][]float32) string {
	for i, s := range []*sums{want.x, want.y, want.w} {
		if s == nil {
			continue
		}
		name := "xyw"[i : i+1]
		if len(got[i]) != len(s.value) {
			return fmt.Sprintf("%s: gradient of %s has %d elements, want %d", p, name, len(got[i]), len(s.value))
		}
		if at := s.worst(got[i]); at >= 0 {
			return fmt.Sprintf("%s: gradient of %s, element %d: got %v, want %.6g", p, name, at, got[i][at], s.value[at])
		}
	}
	return ""
}

// A recorder notes the calls of a graph. Their outputs hold NaN beforehand, so that what
// is left unwritten shows whatever was in memory.
type recorder struct {
	system.Graph
	made []call
}

func (r *recorder) note(k system.Kind, f system.Flags, out *tensor.Tensor) {
	if c := (call{k, f}); !slices.Contains(r.made, c) {
		r.made = append(r.made, c)
	}
	out.Fill(math.NaN())
}

func (r *recorder) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	r.note(system.SpMMv, f, out)
	return r.Graph.SpMMv(x, out, f)
}

func (r *recorder) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	r.note(system.SpMMve, f, out)
	return r.Graph.SpMMve(x, w, out, f)
}

func (r *recorder) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	r.note(system.SpMMe, f, out)
	return r.Graph.SpMMe(w, out, f)
}

func (r *recorder) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	r.note(system.SDDMMvv, f, out)
	return r.Graph.SDDMMvv(x, y, out, f)
}

func (r *recorder) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	r.note(system.SDDMMve, f, out)
	return r.Graph.SDDMMve(x, w, out, f)
}
