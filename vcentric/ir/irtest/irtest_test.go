package irtest_test

// The generator's own promises.

import (
	"math/rand/v2"
	"slices"
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

// x tanh(w) - y tanh(w) is 0 where x is y, and on a GPU, which fuses one of the
// products with the subtraction, some 1e-17 that may be above 0. A 0 among the inputs
// is not decided by rounding.
func TestWhatRoundingDecidesIsFound(t *testing.T) {
	b := ir.NewBuilder("kinks", ir.F64, false)
	x, y, w := b.Input("x", ir.Dst, ir.Shape{1}), b.Input("y", ir.Dst, ir.Shape{1}), b.Op(ir.OpTanh, ir.Attr{}, b.Input("w", ir.Param, ir.Shape{1}))
	b.Output("above", b.Gt(b.Sub(b.Mul(x, w), b.Mul(y, w)), b.Const(0)))
	b.Output("smooth", b.Mul(x, w))
	p, s := b.Program(), &ir.Structure{NumSrc: 4, NumDst: 4}
	in := map[string][]float64{"x@dst": {1.5, 2, 0, -1}, "y@dst": {1.5, 1, 0, -1}, "w@param": {0.7}}
	want, err := ir.Interpret(p, s, in, 1)
	if err != nil {
		t.Fatal(err)
	}
	unsettled, err := irtest.Unsettled(p, s, in, want, 1, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	if got := unsettled["above"]; !slices.Equal(got, []bool{true, false, false, true}) {
		t.Errorf("rounding decides %v", got)
	}
	if got := unsettled["smooth"]; slices.Contains(got, true) {
		t.Errorf("rounding decides %v of the smooth result", got)
	}
}
