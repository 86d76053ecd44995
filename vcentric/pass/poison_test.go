package pass

import "github.com/asterias-ml/asterias/vcentric/ir"

// Poisoned is a program that computes what p does, but on rows that nobody reads is infinite,
// and so are derivatives; nil if every row of every value is read. It multiplies values by 1.
func Poisoned(p *ir.Program) *ir.Program {
	b, read := ir.BuilderLike(p), readersOf(p)
	to := make(map[*ir.Value]*ir.Value)
	poisoned := 0
	for i, v := range p.Values {
		x := b.Copy(v, mapped(v.Args, to))
		to[v] = x
		of := rows{read[v], v.Res}
		if !of.unread() || v.Type == ir.I32 || v.Op == ir.OpDegree {
			continue
		}
		poisoned++
		one := b.Recip(b.Op(ir.OpSign, ir.Attr{}, of.count(b)))
		if i%2 == 0 { // one that depends on the value
			y := b.Select(of.count(b), b.Add(b.Square(x), b.Const(1)), b.Const(0))
			one = b.Div(y, y)
		}
		to[v] = b.Mul(x, one)
	}
	if poisoned == 0 {
		return nil
	}
	for _, o := range p.Outputs {
		b.Output(o.Name, to[o.Value])
	}
	return b.Program()
}
