package explain

// Which values of different stages are the same computation. Passes renumber
// values, so an id says nothing across stages; equal expressions of equal inputs
// do.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// keys numbers computations: two values have the same key if they apply the
// same op to values of the same keys.
type keys struct {
	number map[string]int // expression -> key
	saved  map[string]int // output that backward reads as an input -> key of its value
}

func newKeys() *keys {
	return &keys{number: make(map[string]int), saved: make(map[string]int)}
}

// of returns the keys of a program's values. Programs come in the order of the
// pipeline: what backward reads as saved is the value that forward saved.
func (k *keys) of(p *ir.Program) map[*ir.Value]int {
	of := make(map[*ir.Value]int, len(p.Values))
	for _, v := range p.Values {
		if key, ok := k.saved[savedName(v)]; ok {
			of[v] = key
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%v %v%v %v%s", v.Res, v.Type, v.Shape, v.Op, v.AttrString())
		for _, a := range v.Args {
			fmt.Fprintf(&b, " %d", of[a])
		}
		of[v] = k.intern(b.String())
	}
	for _, o := range p.Outputs {
		v := o.Value
		k.saved[saved(o.Name, v)] = of[v]
	}
	return of
}

func (k *keys) intern(expression string) int {
	key, ok := k.number[expression]
	if !ok {
		key = len(k.number) + 1
		k.number[expression] = key
	}
	return key
}

// saved is the name under which backward reads an output of forward from the
// side it was computed on.
func saved(output string, v *ir.Value) string {
	name := ir.SavedPrefix + strings.TrimPrefix(output, ir.SavedPrefix)
	return fmt.Sprintf("%v %v %v", name, v.Res, v.Shape)
}

// savedName is saved of the output that an input stands for; empty for values
// that are no such input.
func savedName(v *ir.Value) string {
	if v.Op != ir.OpInput || !strings.HasPrefix(v.Attr.Name, ir.SavedPrefix) {
		return ""
	}
	return saved(v.Attr.Name, v)
}
