package irtest_test

// The generator's own promises.

import (
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
)

const cases = 1500

func TestCasesAreValidFiniteAndReproducible(t *testing.T) {
	for seed := range uint64(cases) {
		c := irtest.New(seed)
		if err := ir.Check(c.Program); err != nil {
			t.Fatalf("%v\n%v", err, c)
		}
		if again := irtest.New(seed); again.String() != c.String() {
			t.Fatalf("seed %d gives two cases:\n%v\n%v", seed, c, again)
		}
		out, err := ir.Interpret(c.Program, &c.Graph.Structure, c.Inputs(c.Program), seed)
		if err != nil {
			t.Fatalf("%v\n%v", err, c)
		}
		if !irtest.Finite(out) {
			t.Fatalf("a result is not finite: %v\n%v", out, c)
		}
	}
}

func TestScoresAreValidAndReproducible(t *testing.T) {
	for seed := range uint64(cases) {
		draw := func() *ir.Program { return irtest.Scores(rand.New(rand.NewPCG(seed, 2)), seed%3 == 2, seed%2 == 0) }
		p := draw()
		if err := ir.Check(p); err != nil {
			t.Fatalf("%v\n%v", err, p)
		}
		if again := draw(); again.String() != p.String() {
			t.Fatalf("seed %d gives two programs:\n%v\n%v", seed, p, again)
		}
	}
}

// Every op that users can trace must come up, or the tests that draw on the
// generator say nothing about it.
func TestCasesCoverOpsResidenciesAndRanks(t *testing.T) {
	type place struct {
		op  string
		res ir.Residency
	}
	ops, ranks, outputs := make(map[place]int), make(map[int]int), make(map[ir.Residency]int)
	for seed := range uint64(cases) {
		c := irtest.New(seed)
		for _, v := range c.Program.Values {
			ops[place{v.Op.String(), v.Res}]++
			ranks[len(v.Shape)]++
		}
		for _, o := range c.Program.Outputs {
			outputs[o.Value.Res]++
		}
	}
	for o := ir.OpInput; o <= ir.OpUnstack; o++ {
		switch o {
		case ir.OpOuter, ir.OpArgmax, ir.OpWinner, ir.OpTotal: // made by passes
			continue
		}
		var want []ir.Residency
		switch o.Info().Class {
		case ir.Elementwise, ir.Layout, ir.Dense:
			want = []ir.Residency{ir.Src, ir.Dst, ir.Edge}
		case ir.Aggregate:
			want = []ir.Residency{ir.Src, ir.Dst}
		case ir.EdgeNorm:
			want = []ir.Residency{ir.Edge}
		}
		switch o {
		case ir.OpInput:
			want = []ir.Residency{ir.Param, ir.Src, ir.Dst, ir.Edge, ir.SrcType, ir.DstType, ir.EdgeType}
		case ir.OpConst:
			want = []ir.Residency{ir.Param}
		case ir.OpDegree:
			want = []ir.Residency{ir.Src, ir.Dst}
		case ir.OpView:
			want = []ir.Residency{ir.Src, ir.Dst, ir.SrcType, ir.DstType}
		case ir.OpAt:
			want = []ir.Residency{ir.Src, ir.Dst, ir.Edge}
		case ir.OpPick:
			want = []ir.Residency{ir.Edge}
		case ir.OpStack:
			want = []ir.Residency{ir.Param}
		case ir.OpUnstack:
			want = []ir.Residency{ir.SrcType, ir.DstType, ir.EdgeType}
		}
		for _, r := range want {
			if ops[place{o.String(), r}] == 0 {
				t.Errorf("no %v with residency %v in %d cases", o, r, cases)
			}
		}
	}
	for rank := range 4 {
		if ranks[rank] == 0 {
			t.Errorf("no row of rank %d", rank)
		}
	}
	for _, r := range []ir.Residency{ir.Src, ir.Dst, ir.Edge} {
		if outputs[r] == 0 {
			t.Errorf("no %v output", r)
		}
	}
}

func TestLayersAreValid(t *testing.T) {
	for _, p := range irtest.Layers() {
		if err := ir.Check(p); err != nil {
			t.Error(err)
		}
	}
}
