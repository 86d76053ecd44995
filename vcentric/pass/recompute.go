package pass

// Recompute splits a program with gradients into forward and backward. Edge
// values do not cross: backward recomputes them from inputs and from the
// vertex-sized values (aggregates, matrix products) that forward keeps, so
// that nothing with an edge dimension lives from one to the other that the user
// did not ask for (Seastar section 5.3; dgNN, Zhang et al., MLSys 2022), but for
// the numbers of edges that are cheaper to save where vertices have few (savededges.go).

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Split returns the forward program, whose outputs are followed by what it
// saves for backward, and the backward program, whose outputs are the
// gradients. Backward reads the output x of forward as the input ir.SavedPrefix+x.
// Edge values are saved if they are among those given.
func Split(p *ir.Program, edges map[*ir.Value]bool) (forward, backward *ir.Program) {
	s := &split{
		prog:   p,
		edges:  edges,
		late:   dependents(p, isCotangent),
		output: make(map[*ir.Value]string),
		fate:   make(map[*ir.Value]fate),

		reshaped: make(map[*ir.Value]*ir.Value),
	}
	for _, o := range p.Outputs {
		if !isGrad(o) && s.output[o.Value] == "" {
			s.output[o.Value] = o.Name
		}
	}
	for _, o := range p.Outputs {
		for v := o.Value; !isGrad(o) && v.Op == ir.OpReshape; v = v.Args[0] {
			s.reshaped[v.Args[0]] = o.Value
		}
	}
	s.decide()
	return s.forward(), s.backward()
}

func isGrad(o ir.Output) bool { return strings.HasPrefix(o.Name, ir.GradPrefix) }

// fate is how backward comes by a value of the forward part.
type fate uint8

const (
	unneeded fate = iota
	recompute
	save
)

type split struct {
	prog   *ir.Program
	edges  map[*ir.Value]bool   // those that forward saves if backward reads them
	late   map[*ir.Value]bool   // depends on a cotangent
	output map[*ir.Value]string // the output of forward that holds a value
	fate   map[*ir.Value]fate

	reshaped map[*ir.Value]*ir.Value // the output of forward that is a value's reshape
}

// decide walks from the users down: what backward reads is recomputed if it is
// a leaf or an edge value, saved if it took edges, a matrix product or a sum
// over the row to compute, and otherwise recomputed only from what is there
// anyway. Views and reshapes are free, so what they see is saved instead.
func (s *split) decide() {
	var cheap []*ir.Value
	var need func(v *ir.Value)
	need = func(v *ir.Value) {
		if s.late[v] || s.fate[v] != unneeded {
			return
		}
		class := v.Op.Info().Class
		switch {
		case s.output[v] != "" && class != ir.Leaf, s.edges[v]:
			s.fate[v] = save
		case class == ir.Leaf || class == ir.Alias || v.Op == ir.OpReshape || v.Res == ir.Edge:
			s.fate[v] = recompute
			for _, a := range v.Args {
				need(a)
			}
		case (class == ir.Elementwise || class == ir.Layout) && v.Op != ir.OpReduceTo:
			s.fate[v] = recompute // for now: settled below
			cheap = append(cheap, v)
		default:
			s.fate[v] = save
		}
	}
	for _, v := range s.prog.Values {
		if s.late[v] {
			for _, a := range v.Args {
				need(a)
			}
		}
	}
	for _, o := range s.prog.Outputs {
		if isGrad(o) {
			need(o.Value)
		}
	}
	slices.SortFunc(cheap, func(x, y *ir.Value) int { return x.ID - y.ID })
	for _, v := range cheap {
		there := func(a *ir.Value) bool {
			return s.fate[a] != unneeded || a.Op.Info().Class == ir.Leaf || s.fromLeaves(a)
		}
		if !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !there(a) }) {
			for _, a := range v.Args {
				s.recomputeLeaves(a)
			}
			continue
		}
		s.fate[v] = save
	}
}

// fromLeaves tells whether v is row-wise arithmetic on leaves.
func (s *split) fromLeaves(v *ir.Value) bool { return v.Res != ir.Edge && fromLeaves(v) }

// recomputeLeaves marks v and what it is computed from.
func (s *split) recomputeLeaves(v *ir.Value) {
	if s.fate[v] == unneeded {
		s.fate[v] = recompute
		for _, a := range v.Args {
			s.recomputeLeaves(a)
		}
	}
}

func (s *split) forward() *ir.Program {
	p := *s.prog
	p.Name += ".forward"
	p.Outputs = nil
	for _, o := range s.prog.Outputs {
		if !isGrad(o) {
			p.Outputs = append(p.Outputs, o)
		}
	}
	for _, v := range s.prog.Values {
		if s.fate[v] == save && s.output[v] == "" && s.reshaped[v] == nil {
			s.output[v] = fmt.Sprintf("%s%%%d", ir.SavedPrefix, v.ID)
			p.Outputs = append(p.Outputs, ir.Output{Name: s.output[v], Value: v})
		}
	}
	return DCE(transform(&p, func(*ir.Builder, *ir.Value) *ir.Value { return nil }))
}

func (s *split) backward() *ir.Program {
	b := ir.BuilderLike(s.prog)
	b.Program().Name += ".backward"
	to := make(map[*ir.Value]*ir.Value)
	for _, v := range s.prog.Values {
		switch {
		case s.fate[v] == save && s.reshaped[v] != nil:
			o := s.reshaped[v]
			to[v] = b.Reshape(b.InputOf(ir.SavedPrefix+s.output[o], o), v.Shape)
		case s.fate[v] == save:
			to[v] = b.InputOf(ir.SavedPrefix+strings.TrimPrefix(s.output[v], ir.SavedPrefix), v)
		case s.late[v] || s.fate[v] == recompute:
			to[v] = b.Copy(v, mapped(v.Args, to))
		}
	}
	for _, o := range s.prog.Outputs {
		if isGrad(o) {
			b.Output(o.Name, to[o.Value])
		}
	}
	return DCE(b.Program())
}
