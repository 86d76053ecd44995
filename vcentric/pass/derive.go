package pass

// Derive makes a program of a program's gradients, for gradients of gradients. Grad's result is
// one program of both, of which Split makes halves that hand values on; this one stands alone.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// A Derivative is a program of the gradients of another one, to be differentiated in turn.
type Derivative struct {
	Program *ir.Program // its results are gradients
	Of      []string    // the binding that each is of
	Given   []string    // for each result of the other program, the input that is its cotangent; "" if there is none
}

// Derive returns the program of the gradients that Want asks for. It reads what p reads and
// cotangents, as features and params like others, and computes anew what p computes. No
// cotangent has one of the names, which are bound, if not read.
func Derive(p *ir.Program, o Options, names ...string) Derivative {
	g := gradientsOf(shield(run(p, traced, o, make(Log))), o.Want, nil)
	d := Derivative{Given: make([]string, len(p.Outputs))}
	taken := make(map[string]bool)
	for _, name := range names {
		taken[name] = true
	}
	for _, v := range g.Inputs() {
		taken[v.Attr.Name] = true
	}
	for i, out := range p.Outputs {
		for _, v := range g.Inputs() {
			if v.Attr.Name != ir.CotangentPrefix+out.Name {
				continue
			}
			name := "∂" + out.Name
			for taken[name] { // by a feature, or a derivative before
				name = "∂" + name
			}
			taken[name], v.Attr.Name, d.Given[i] = true, name, name
		}
	}
	outputs := g.Outputs[len(p.Outputs):]
	g.Outputs = make([]ir.Output, len(outputs))
	for i, out := range outputs {
		d.Of = append(d.Of, strings.TrimPrefix(out.Name, ir.GradPrefix))
		g.Outputs[i] = ir.Output{Name: fmt.Sprint("out", i), Value: out.Value}
	}
	d.Program = DCE(g)
	return d
}
