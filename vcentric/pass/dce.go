package pass

// DCE drops the values that no output depends on.

import "github.com/asterias-ml/asterias/vcentric/ir"

// DCE returns the program without dead values, renumbered. Inputs that nothing
// reads are dead too.
func DCE(p *ir.Program) *ir.Program {
	live := make(map[*ir.Value]bool, len(p.Values))
	for _, o := range p.Outputs {
		live[o.Value] = true
	}
	for i := len(p.Values) - 1; i >= 0; i-- {
		if v := p.Values[i]; live[v] {
			for _, a := range v.Args {
				live[a] = true
			}
		}
	}
	out := *p
	out.Values = nil
	for _, v := range p.Values {
		if live[v] {
			out.Values = append(out.Values, v)
		}
	}
	out.Renumber()
	return &out
}
