package pass

// The rewriter that all rule-based passes share.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Rule is a named rewrite of one value: Apply returns what replaces v, or nil.
// It sees v and everything above it in the program under construction.
type Rule struct {
	Name  string
	Apply func(b *ir.Builder, v *ir.Value) *ir.Value

	// ApplyUses takes Apply's place where a rule asks how often a value is read,
	// in the program as the sweep found it.
	ApplyUses func(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value

	Needed bool // gradients or plans do without what it rewrites: it cannot be left out
}

func (r *Rule) apply(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if r.ApplyUses != nil {
		return r.ApplyUses(b, v, uses)
	}
	return r.Apply(b, v)
}

// Log says which rules fired, and how often.
type Log map[string]int

// moreRounds is how many sweeps a pass may take beyond one for each value of its program:
// a rule may move a value past one other in a sweep.
const moreRounds = 64

// unsettled counts, in a log, the passes that were ended by their bound. Their programs are
// right, since each sweep's is, but rules of theirs undo each other: no test may meet one.
const unsettled = "BUG: unsettled"

// rewrite applies rules to every value until none fires. Rules named in off
// are left out.
func rewrite(p *ir.Program, rules []Rule, off []string, log Log) *ir.Program {
	for range moreRounds + len(p.Values) {
		fired := 0
		old, copied := p.Uses(), make(map[*ir.Value]int)
		uses := func(v *ir.Value) int { return copied[v] }
		next := 0
		p = transform(p, func(b *ir.Builder, v *ir.Value) *ir.Value {
			copied[v] = old[p.Values[next]]
			next++
			for _, r := range rules {
				if slices.Contains(off, r.Name) {
					continue
				}
				if w := r.apply(b, v, uses); w != nil {
					copied[w] += copied[v]
					log[r.Name]++
					fired++
					return w
				}
			}
			return nil
		})
		p = DCE(p) // also of what rules built before they gave up
		if fired == 0 {
			return p
		}
	}
	log[unsettled]++
	return p
}

// transform rebuilds a program value by value; f may replace the copy it is
// given.
func transform(p *ir.Program, f func(b *ir.Builder, v *ir.Value) *ir.Value) *ir.Program {
	b := ir.BuilderLike(p)
	to := make(map[*ir.Value]*ir.Value, len(p.Values))
	for _, v := range p.Values {
		c := b.Copy(v, mapped(v.Args, to))
		if w := f(b, c); w != nil {
			if w.Res != c.Res || !w.Shape.Equal(c.Shape) || w.Type != c.Type {
				panic(fmt.Sprintf("BUG: pass: %v rewritten to %v", c, w))
			}
			c = w
		}
		to[v] = c
	}
	for _, o := range p.Outputs {
		b.Output(o.Name, to[o.Value])
	}
	return b.Program()
}

func mapped(args []*ir.Value, to map[*ir.Value]*ir.Value) []*ir.Value {
	if args == nil {
		return nil
	}
	out := make([]*ir.Value, len(args))
	for i, a := range args {
		out[i] = to[a]
	}
	return out
}

func isConst(v *ir.Value, x float64) bool { return v.Op == ir.OpConst && v.Attr.Num == x }
