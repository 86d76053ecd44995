package pass_test

// Programs of gradients are programs like others: their gradients are differences of theirs, and
// every pass keeps what they mean.

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// derived is the case of a random program's gradients; nil if it has none.
func derived(seed uint64) *irtest.Case {
	c := irtest.New(seed)
	d := pass.Derive(c.Program, pass.Options{Want: wantAll})
	if len(d.Of) == 0 {
		return nil
	}
	c.Program = d.Program
	return c
}

func TestGradientsOfGradientsOfRandomProgramsMatchDirectionalDerivatives(t *testing.T) {
	const n = 500
	checked := 0
	for seed := range uint64(n) {
		c := derived(130_000 + seed)
		if c == nil {
			continue
		}
		var smooth bool
		err := try(func() (err error) {
			smooth, err = directional(newPoint(c.Program, &c.Graph.Structure, c.Seed, -2, 2))
			return err
		})
		if err != nil {
			t.Errorf("%v\n%v\n%v", err, c, pass.Grad(c.Program, wantAll))
		}
		if smooth {
			checked++
		}
	}
	if checked < n*6/10 {
		t.Errorf("only %d of %d points were smooth", checked, n)
	}
}

func TestEveryStepPreservesProgramsOfGradients(t *testing.T) {
	for seed := range uint64(200) {
		c := derived(140_000 + seed)
		if c == nil {
			continue
		}
		if err := try(func() error { _, err := follow(c); return err }); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
}

// A program of gradients has the gradients of the joint program, and says what they are of and
// what it is given.
func TestProgramsOfGradientsHaveThoseOfTheJointProgram(t *testing.T) {
	b := ir.NewBuilder("named", ir.F64, false)
	x, taken := b.Input("x", ir.Src, ir.Shape{2}), b.Input("∂y", ir.Param, ir.Shape{2})
	b.Output("y", b.Sum(ir.In, b.Exp(b.Mul(x, taken))))
	b.Output("flat", b.Op(ir.OpSign, ir.Attr{}, x))
	p, s := b.Program(), gradGraphs()[0]
	d := pass.Derive(p, pass.Options{Want: wantAll})
	if !slices.Equal(d.Of, []string{"vertex x", "param ∂y"}) || !slices.Equal(d.Given, []string{"∂∂y", ""}) {
		t.Fatalf("gradients of %q, given %q\n%v", d.Of, d.Given, d.Program)
	}
	pt := newPoint(p, s, 5, -2, 2)
	want, err := pt.gradients()
	if err != nil {
		t.Fatal(err)
	}
	in := make(tensors)
	for _, v := range d.Program.Inputs() {
		switch v.Attr.Name {
		case "∂∂y":
			in[ir.InputKey(v)] = pt.cot["y"]
		default:
			in[ir.InputKey(v)] = pt.x[p.Binding(v)]
		}
	}
	got, err := ir.Interpret(d.Program, s, in, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range d.Program.Outputs {
		if diff := irtest.Diff(tensors{"gradient": got[o.Name]}, tensors{"gradient": want[d.Of[i]]}, 1e-12); diff != "" {
			t.Errorf("of %s: %s", d.Of[i], diff)
		}
	}
}

// Third derivatives are those of the second.
func TestProgramsOfGradientsOfGradientsHaveGradients(t *testing.T) {
	checked := 0
	for seed := range uint64(60) {
		c := derived(150_000 + seed)
		if c == nil {
			continue
		}
		d := pass.Derive(c.Program, pass.Options{Want: wantAll})
		if len(d.Of) == 0 || len(d.Program.Values) > 2000 {
			continue
		}
		smooth, err := directional(newPoint(d.Program, &c.Graph.Structure, c.Seed, -1, 1))
		if err != nil {
			t.Errorf("%v\n%v", err, c)
		}
		if smooth {
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("only %d points were smooth", checked)
	}
}

func FuzzGradientsOfGradients(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := derived(seed)
		if c == nil {
			return
		}
		if _, err := directional(newPoint(c.Program, &c.Graph.Structure, seed, -2, 2)); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
		if err := try(func() error { _, err := follow(c); return err }); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	})
}
