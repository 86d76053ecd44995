package ir

// The checker that runs after every pass in tests.

import "fmt"

// Check reports the first broken invariant: values are numbered in their order,
// operands precede their users, every residency, type and shape is the inferred
// one, and outputs are values of the program with distinct names.
func Check(p *Program) error {
	seen := make(map[*Value]bool, len(p.Values))
	for i, v := range p.Values {
		if v.ID != i {
			return fmt.Errorf("ir: %s: value %d is numbered %d", p.Name, i, v.ID)
		}
		info := v.Op.Info()
		if n := info.Arity; n >= 0 && len(v.Args) != n || n < 0 && len(v.Args) == 0 {
			return fmt.Errorf("ir: %s: %v: %d operands, want %d", p.Name, v, len(v.Args), n)
		}
		for _, a := range v.Args {
			if !seen[a] {
				return fmt.Errorf("ir: %s: %v: operand %%%d is not above it", p.Name, v, a.ID)
			}
		}
		fresh := &Value{Op: v.Op, Attr: v.Attr, Args: v.Args, Type: p.Type}
		if v.Op == OpInput {
			fresh.Res, fresh.Shape, fresh.Type = v.Res, v.Shape, v.Type
		}
		if err := infer(p, fresh); err != nil {
			return fmt.Errorf("ir: %s: %v: %w", p.Name, v, err)
		}
		if fresh.Res != v.Res || fresh.Type != v.Type || !fresh.Shape.Equal(v.Shape) {
			return fmt.Errorf("ir: %s: %v: inferred %v %v%v", p.Name, v, fresh.Res, fresh.Type, fresh.Shape)
		}
		seen[v] = true
	}
	names := make(map[string]bool, len(p.Outputs))
	for _, o := range p.Outputs {
		if !seen[o.Value] {
			return fmt.Errorf("ir: %s: output %q is no value of the program", p.Name, o.Name)
		}
		if names[o.Name] {
			return fmt.Errorf("ir: %s: two outputs are named %q", p.Name, o.Name)
		}
		names[o.Name] = true
	}
	return nil
}
