package plan_test

// Plans of random programs: well formed, and the same results as the program.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func wantAll(string) bool { return true }

// try turns a panic into an error, so that the case is reported.
func try(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// agree plans p without the rules in off, checks the plan, and runs it against the
// program itself.
func agree(c *irtest.Case, p *ir.Program, in map[string][]float64, off ...string) (map[string][]float64, error) {
	var out map[string][]float64
	pl := (*plan.Plan)(nil)
	err := try(func() error {
		pl = plan.BuildWithout(p, off...)
		if err := check(pl); err != nil {
			return err
		}
		want, err := ir.Interpret(p, &c.Graph.Structure, in, c.Seed)
		if err != nil {
			return err
		}
		out = execute(pl, &c.Graph.Structure, in, c.Seed)
		if d := irtest.Diff(out, want, 1e-12); d != "" {
			return fmt.Errorf("%s", d)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w\n%v%v", err, p, pl)
	}
	return out, nil
}

// planned runs a case's program, its optimised form, and the two halves of its
// training through their plans; passOff and off are rules to leave out.
func planned(c *irtest.Case, passOff []string, off ...string) error {
	o := pass.Options{Off: passOff, Want: wantAll}
	p, _ := pass.Forward(c.Program, o)
	if _, err := agree(c, p, c.Inputs(p), off...); err != nil {
		return fmt.Errorf("inference: %w", err)
	}
	forward, backward, _ := pass.Training(c.Program, o)
	saved, err := agree(c, forward, c.Inputs(forward), off...)
	if err != nil {
		return fmt.Errorf("forward: %w", err)
	}
	in := c.Inputs(backward)
	for _, v := range backward.Inputs() {
		if name, ok := strings.CutPrefix(v.Attr.Name, ir.SavedPrefix); ok {
			if saved[name] == nil {
				name = v.Attr.Name
			}
			in[ir.InputKey(v)] = saved[name]
		}
	}
	if _, err := agree(c, backward, in, off...); err != nil {
		return fmt.Errorf("backward: %w", err)
	}
	return nil
}

func TestPlansOfRandomProgramsAgreeWithTheInterpreter(t *testing.T) {
	for seed := range uint64(800) {
		c := irtest.New(seed)
		if err := planned(c, nil); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
}

func TestPlansOfProgramsOfGradientsAgreeWithTheInterpreter(t *testing.T) {
	for seed := range uint64(250) {
		c := irtest.New(90_000 + seed)
		d := pass.Derive(c.Program, pass.Options{Want: wantAll})
		if len(d.Of) == 0 {
			continue
		}
		c.Program = d.Program
		if err := planned(c, nil); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
}

// Without the rules that simplify, plans meet shapes of programs that they
// otherwise would not: products on edges, views, deep chains.
func TestPlansAgreeWithoutTheRulesThatMoveWork(t *testing.T) {
	off := []string{"matmul-of-sum", "matmul-of-concat", "sum-of-matmul", "outer-off-edges", "regroup",
		"dropout-of-product", "factor-out-of-sum", "view-to-leaf", "reuse-sum", "constant", "identity", "layout"}
	for seed := range uint64(300) {
		c := irtest.New(40_000 + seed)
		if err := planned(c, off); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
}

// Every rule can be left out, and the results stay.
func TestPlansAgreeWithoutTheRulesOfPlans(t *testing.T) {
	for seed := range uint64(300) {
		c := irtest.New(60_000 + seed)
		if err := planned(c, nil, rules[seed%3:seed%3+1]...); err != nil {
			t.Errorf("without %s: %v\n%v", rules[seed%3], err, c)
		}
		if err := planned(c, nil, rules...); err != nil {
			t.Errorf("without any rule: %v\n%v", err, c)
		}
	}
}

var rules = plan.Rules()

func TestPlansOfLayersAgree(t *testing.T) {
	for i, p := range irtest.Layers() {
		for j, g := range irtest.Graphs(false) {
			c := &irtest.Case{Seed: uint64(100*i + j), Program: p, Graph: g}
			if err := planned(c, nil); err != nil {
				t.Errorf("%v\n%v", err, c)
			}
		}
	}
}

func FuzzPlans(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(2_000_000 + seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := irtest.New(seed)
		if err := planned(c, nil); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	})
}

// The point of the whole: training the usual layers holds no tensor with an
// edge dimension but those that the caller brings.
func TestTrainingOfLayersHoldsNoEdgeTensor(t *testing.T) {
	for _, p := range irtest.Layers() {
		forward, backward, _ := pass.Training(p, pass.Options{Want: func(binding string) bool { return !strings.HasPrefix(binding, "edge ") }})
		for _, half := range []*ir.Program{forward, backward} {
			for _, b := range plan.Build(half).Buffers {
				if b.Res == ir.Edge && b.Role != plan.Input {
					t.Errorf("%s has the edge buffer %q: %s", half.Name, b.Name, b.Reason)
				}
			}
		}
		for _, o := range forward.Outputs {
			if o.Value.Res == ir.Edge {
				t.Errorf("%s saves %q of every edge", forward.Name, o.Name)
			}
		}
	}
}

func TestPlansAreReproducible(t *testing.T) {
	for seed := range uint64(200) {
		c := irtest.New(seed)
		forward, backward, _ := pass.Training(c.Program, pass.Options{Want: wantAll})
		for _, p := range []*ir.Program{forward, backward} {
			if a, b := plan.Build(p).String(), plan.Build(p).String(); a != b {
				t.Fatalf("two plans of one program:\n%s\n%s", a, b)
			}
		}
	}
}

func TestGoldenPlans(t *testing.T) {
	examples := []*ir.Program{irtest.Layer("gcn"), irtest.Layer("gat"), irtest.Layer("sage_max"), irtest.Layer("edgeconv"),
		parse(t, programs["edgemlp"]), parse(t, programs["rgcn"])}
	for _, p := range examples {
		forward, backward := trained(p)
		for _, half := range []*ir.Program{forward, backward} {
			golden(t, half.Name, plan.Build(half).String())
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}
