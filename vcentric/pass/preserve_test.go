package pass_test

// Every step of the pipeline keeps what a program means: random programs on
// random graphs, before = after, with all rules and with each one left out.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

const tolerance = 1e-9

type tensors = map[string][]float64

// wantAll asks for the gradient of every input that is not one of Grad's own.
func wantAll(string) bool { return true }

// eval runs a program that a pass made of the case's program.
func eval(c *irtest.Case, p *ir.Program, in tensors) (tensors, error) {
	if err := ir.Check(p); err != nil {
		return nil, err
	}
	return ir.Interpret(p, &c.Graph.Structure, in, c.Seed)
}

// backwardInputs binds a backward program: what forward saved, and inputs.
func backwardInputs(c *irtest.Case, backward *ir.Program, forward tensors) (tensors, error) {
	in := c.Inputs(backward)
	for _, v := range backward.Inputs() {
		name, isSaved := strings.CutPrefix(v.Attr.Name, ir.SavedPrefix)
		if !isSaved {
			continue
		}
		x, ok := forward[name]
		if !ok {
			x, ok = forward[v.Attr.Name]
		}
		if !ok {
			return nil, fmt.Errorf("backward reads %q, forward has no such output", v.Attr.Name)
		}
		in[ir.InputKey(v)] = x
	}
	return in, nil
}

// checker follows a program through the pipeline.
type checker struct {
	c     *irtest.Case
	last  map[string]string // the text of the stage before, by the program's name
	want  tensors           // the outputs of the program, and gradients once there are any
	saved tensors           // what forward gave when it was split off
	err   error
}

func isGrad(name string, _ []float64) bool { return strings.HasPrefix(name, ir.GradPrefix) }

func (k *checker) watch(s pass.Stage) {
	if k.err != nil {
		return
	}
	if d := k.difference(s); d != "" {
		k.err = fmt.Errorf("%s: %s\nbefore:\n%safter:\n%v", s.Name, d, k.last[s.Program.Name], s.Program)
	}
	k.last[s.Program.Name] = s.Program.String()
}

// difference says how a stage differs from what it should give.
func (k *checker) difference(s pass.Stage) string {
	in, want := k.c.Inputs(s.Program), maps.Clone(k.want)
	switch {
	case strings.HasSuffix(s.Program.Name, ".forward"):
		maps.DeleteFunc(want, isGrad)
	case strings.HasSuffix(s.Program.Name, ".backward"):
		maps.DeleteFunc(want, func(name string, x []float64) bool { return !isGrad(name, x) })
		var err error
		if in, err = backwardInputs(k.c, s.Program, k.saved); err != nil {
			return err.Error()
		}
	}
	got, err := eval(k.c, s.Program, in)
	if err != nil {
		return err.Error()
	}
	switch s.Name {
	case "grad":
		defer func() { k.want = got }()
	case "split forward":
		k.saved = got
	}
	return irtest.Diff(got, want, tolerance)
}

func newChecker(c *irtest.Case, want tensors) *checker {
	return &checker{c: c, want: want, last: map[string]string{c.Program.Name: c.Program.String()}}
}

// follow runs a case through Forward and through Training, every stage checked
// against the one before. Halves are compared with the joint program, which
// chains them: backward reads what forward gave.
func follow(c *irtest.Case, off ...string) (pass.Log, error) {
	want, err := eval(c, c.Program, c.Inputs(c.Program))
	if err != nil {
		return nil, err
	}
	log := make(pass.Log)
	count := func(l pass.Log) {
		for rule, n := range l {
			log[rule] += n
		}
	}
	k := newChecker(c, want)
	_, l := pass.Forward(c.Program, pass.Options{Off: off, Watch: k.watch})
	count(l)
	if k.err != nil {
		return nil, fmt.Errorf("forward: %w", k.err)
	}
	k = newChecker(c, want)
	forward, backward, l := pass.Training(c.Program, pass.Options{Off: off, Watch: k.watch, Want: wantAll})
	count(l)
	if k.err != nil {
		return nil, fmt.Errorf("training: %w", k.err)
	}
	if log[pass.Unsettled] > 0 {
		return nil, fmt.Errorf("rules do not settle: %v", log)
	}
	return log, chained(c, forward, backward, k.want)
}

// chained compares the final halves, one after the other, with the gradients of
// the joint program.
func chained(c *irtest.Case, forward, backward *ir.Program, want tensors) error {
	saved, err := eval(c, forward, c.Inputs(forward))
	if err != nil {
		return err
	}
	in, err := backwardInputs(c, backward, saved)
	if err != nil {
		return err
	}
	got, err := eval(c, backward, in)
	if err != nil {
		return err
	}
	maps.Copy(got, saved)
	if d := irtest.Diff(got, want, tolerance); d != "" {
		return fmt.Errorf("halves: %s\n%v%v", d, forward, backward)
	}
	return nil
}

// try turns a panic of a pass into an error, so that the case is reported.
func try(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

func preserved(t *testing.T, seed uint64, off ...string) (log pass.Log) {
	t.Helper()
	c := irtest.New(seed)
	err := try(func() (err error) {
		log, err = follow(c, off...)
		return err
	})
	if err != nil {
		t.Errorf("off %v: %v\n%v", off, err, c)
	}
	return log
}

const preservedCases = 1200

func TestEveryStepPreservesRandomPrograms(t *testing.T) {
	log := make(pass.Log)
	for seed := range uint64(preservedCases) {
		for rule, n := range preserved(t, seed) {
			log[rule] += n
		}
	}
	for _, rule := range pass.Rules() {
		if log[rule] == 0 {
			t.Errorf("rule %s never fired in %d programs", rule, preservedCases)
		}
	}
}

func TestEveryStepPreservesRandomProgramsWithEachRuleOff(t *testing.T) {
	for i, rule := range pass.Rules() {
		for seed := range uint64(30) {
			log := preserved(t, 10_000+100*uint64(i)+seed, rule)
			if log[rule] != 0 {
				t.Errorf("rule %s fired although it is off", rule)
			}
		}
	}
	for seed := range uint64(60) {
		preserved(t, 20_000+seed, pass.Rules()...)
	}
}

func TestEveryStepPreservesLayers(t *testing.T) {
	for i, p := range irtest.Layers() {
		for j, g := range irtest.Graphs(false) {
			c := &irtest.Case{Seed: uint64(100*i + j), Program: p, Graph: g, Ties: j%2 == 1}
			if err := try(func() error { _, err := follow(c); return err }); err != nil {
				t.Errorf("%v\n%v", err, c)
			}
		}
	}
}

// The pipeline twice gives the same text: nothing hangs on the order of a map.
func TestPipelineIsReproducible(t *testing.T) {
	for seed := range uint64(200) {
		c := irtest.New(seed)
		text := func() string {
			p, _ := pass.Forward(c.Program, pass.Options{})
			f, b, _ := pass.Training(c.Program, pass.Options{Want: wantAll})
			return p.String() + f.String() + b.String()
		}
		if a, b := text(), text(); a != b {
			t.Fatalf("two runs differ:\n%s\n%s\n%v", a, b, c)
		}
	}
}

// Passes build new programs; the one they are given is the caller's.
func TestPassesLeaveTheirProgramAlone(t *testing.T) {
	for seed := range uint64(200) {
		c := irtest.New(seed)
		before := c.Program.String()
		pass.Forward(c.Program, pass.Options{})
		pass.Training(c.Program, pass.Options{Want: wantAll})
		if after := c.Program.String(); after != before {
			t.Fatalf("before:\n%safter:\n%s", before, after)
		}
	}
}

func FuzzPasses(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(1_000_000+seed, uint8(0))
	}
	rules := slices.Insert(pass.Rules(), 0, "none")
	f.Fuzz(func(t *testing.T, seed uint64, off uint8) {
		preserved(t, seed, rules[int(off)%len(rules)])
	})
}
