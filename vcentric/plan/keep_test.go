package plan_test

// Edge values that are kept.

import (
	"maps"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// A score that the loops over in-edges would gather h for, and those over out-edges
// gather g for anyway.
const scored = `program scored f64 {
	%0:src f64[16] = input name="h"
	%1:dst f64[16] = input name="g"
	%2:edge f64[16] = mul %0 %1
	%3:edge f64[1] = reduceto %2 shape=[1]
	%4:edge f64[1] = tanh %3
	%5:edge f64[16] = mul %4 %1
	%6:src f64[16] = sum %5 dir=out
	%7:src f64[1] = sum %4 dir=out
	%8:dst f64[1] = sum %4 dir=in
	output "a" %6
	output "b" %7
	output "c" %8
}`

// The same of one of three rows h, which the type of an edge picks.
const scoredByType = `program scored f64 types=1,1,3 {
	%0:src f64[3 W] = input name="h"
	%1:dst f64[W] = input name="g"
	%2:edge f64[W] = pick %0
	%3:edge f64[W] = mul %2 %1
	%4:edge f64[1] = reduceto %3 shape=[1]
	%5:edge f64[1] = tanh %4
	%6:edge f64[W] = mul %5 %1
	%7:src f64[W] = sum %6 dir=out
	%8:src f64[1] = sum %5 dir=out
	%9:dst f64[1] = sum %5 dir=in
	output "a" %7
	output "b" %8
	output "c" %9
}`

// A score that waits for the sum over in-edges of what it is made of; the loops over
// out-edges gather g anyway.
const waiting = `program waiting f64 {
	%0:src f64[16] = input name="h"
	%1:dst f64[16] = input name="g"
	%2:edge f64[16] = mul %0 %1
	%3:edge f64[1] = reduceto %2 shape=[1]
	%4:edge f64[1] = tanh %3
	%5:edge f64[16] = mul %4 %1
	%6:src f64[16] = sum %5 dir=out
	%7:dst f64[1] = sum %4 dir=in
	%8:edge f64[1] = sub %4 %7
	%9:src f64[1] = sum %8 dir=out
	%10:dst f64[1] = sum %8 dir=in
	output "a" %6
	output "b" %9
	output "c" %10
}`

func TestAnEdgeValueIsKeptIfWhatBothSidesWantWaitsForItsSum(t *testing.T) {
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(waiting) }
	mirrored := strings.NewReplacer(":src", ":dst", ":dst", ":src", "dir=in", "dir=out", "dir=out", "dir=in").Replace(waiting)
	for _, c := range []struct {
		name, text string
		kept       map[int]ir.Residency // by its number, the rows of the loops that store it
		gathers    int                  // of loops that compute the product
	}{
		{"out-edges have the rows", waiting, map[int]ir.Residency{4: ir.Src, 8: ir.Dst}, 1},
		{"in-edges have the rows", mirrored, map[int]ir.Residency{4: ir.Dst, 8: ir.Src}, 1},
		{"a sum of its own side", replaced("%7:dst f64[1] = sum %4 dir=in", "%7:src f64[1] = sum %4 dir=out"), map[int]ir.Residency{8: ir.Src}, 2},
		{"one side wants the score", replaced("%10:dst f64[1] = sum %8 dir=in", "%10:dst f64[1] = tanh %7"), nil, 2},
		{"rows are not many times wider", replaced("16", "7"), nil, 3},
		{"only reshaped", replaced("tanh %3", "reshape %3 shape=[1]"), map[int]ir.Residency{3: ir.Src, 8: ir.Dst}, 1},
		{"a second score of the first", replaced("%9:src f64[1] = sum %8 dir=out\n\t%10:dst f64[1] = sum %8 dir=in", `%9:edge f64[1] = tanh %8
			%10:src f64[1] = sum %9 dir=out
			%11:dst f64[1] = sum %9 dir=in
			%12:src f64[1] = sum %8 dir=out
			%13:dst f64[1] = sum %8 dir=in
			output "d" %12
			output "e" %13`, `"b" %9`, `"b" %10`, `"c" %10`, `"c" %11`), map[int]ir.Residency{4: ir.Src, 8: ir.Dst, 9: ir.Dst}, 1},
	} {
		p := pass.DCE(parse(t, c.text))
		pl := plan.Build(p)
		got, gathers := make(map[int]ir.Residency), 0
		for _, s := range pl.Steps {
			k := s.(*plan.Kernel)
			for _, lp := range k.Loops {
				for _, st := range lp.Stores {
					got[st.Value.ID] = k.Rows
				}
				for _, v := range lp.Edge {
					gathers += b2i(v.Op == ir.OpReduceTo)
				}
			}
		}
		if !maps.Equal(got, c.kept) || gathers != c.gathers {
			t.Errorf("%s: kept %v, %d loops compute the product; want %v, %d\n%v", c.name, got, gathers, c.kept, c.gathers, pl)
		}
		if without := plan.BuildWithout(p, plan.KeepEdgeValue); edgeBuffers(without) > 0 {
			t.Errorf("%s: without the rule something is kept\n%v", c.name, without)
		}
		agreeEverywhere(t, p)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestAnEdgeValueIsKeptIfThatSparesAGatherOfWideRows(t *testing.T) {
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(scored) }
	for _, c := range []struct {
		name string
		text string
		kept int          // values
		home ir.Residency // of the loops that store it
	}{
		{"out-edges have the rows", scored, 1, ir.Src},
		{"in-edges have the rows", replaced("%6:src f64[16] = sum %5 dir=out", "%6:dst f64[16] = sum %5 dir=in", "mul %4 %1", "mul %4 %0"), 1, ir.Dst},
		{"nobody has", replaced(`output "a" %6`, ""), 1, ir.Src},
		{"both have", replaced("}", "%9:edge f64[16] = mul %4 %0\n%10:dst f64[16] = sum %9 dir=in\noutput \"d\" %10\n}"), 0, 0},
		{"rows are not many times wider", replaced("16", "7"), 0, 0},
		{"it is summed on one side", replaced(`output "c" %8`, ""), 0, 0},
		{"it is a result too", replaced("}", "output \"e\" %4\n}"), 1, ir.Src},
	} {
		// Outputs stand last.
		lines, outputs := "", ""
		for line := range strings.Lines(strings.TrimSuffix(c.text, "}")) {
			if strings.Contains(line, "output") {
				outputs += line
			} else {
				lines += line
			}
		}
		p := pass.DCE(parse(t, lines+outputs+"}"))
		pl := plan.Build(p)
		if yes, no := taken(pl, plan.KeepEdgeValue); yes != c.kept || no != 0 {
			t.Errorf("%s: %d kept, %d not\n%v", c.name, yes, no, pl)
		}
		if n := edgeBuffers(pl); n != c.kept {
			t.Errorf("%s: %d edge tensors\n%v", c.name, n, pl)
		}
		for _, s := range pl.Steps {
			k := s.(*plan.Kernel)
			for _, lp := range k.Loops {
				if len(lp.Stores) > 0 && k.Rows != c.home {
					t.Errorf("%s: stored by loops of %v rows\n%v", c.name, k.Rows, pl)
				}
				if c.kept > 0 && len(lp.Stores) == 0 && len(lp.Edge) > 0 {
					t.Errorf("%s: computed again\n%v", c.name, pl)
				}
			}
		}
		without := plan.BuildWithout(p, plan.KeepEdgeValue)
		if yes, no := taken(without, plan.KeepEdgeValue); yes != 0 || no != c.kept {
			t.Errorf("%s: without the rule %d kept, %d not\n%v", c.name, yes, no, without)
		}
		agreeEverywhere(t, p)
	}
}

func TestOfRowsForEachTypeAnEdgeGathersOne(t *testing.T) {
	for width, kept := range map[string]int{"16": 1, "7": 0} {
		pl := plan.Build(parse(t, strings.ReplaceAll(scoredByType, "W", width)))
		if yes, _ := taken(pl, plan.KeepEdgeValue); yes != kept {
			t.Errorf("%s columns: %d kept, want %d\n%v", width, yes, kept, pl)
		}
		if reason := "8 B an edge in memory, instead of 128 B of rows"; kept > 0 && !strings.Contains(pl.String(), reason) {
			t.Errorf("%s columns: the reason is not %q\n%v", width, reason, pl)
		}
	}
}

// What a kept value is made of may come from the other side at any stage, and loops that
// could wait for others do not take its store along.
func TestKeptValuesAreStoredBeforeTheyAreRead(t *testing.T) {
	for _, text := range []string{
		// the score waits for a sum over in-edges, and a later sum over out-edges for it
		`program late f64 {
			%0:src f64[16] = input name="h"
			%1:dst f64[16] = input name="g"
			%2:dst f64[16] = sum %0 dir=in
			%3:edge f64[16] = mul %0 %2
			%4:edge f64[1] = reduceto %3 shape=[1]
			%5:src f64[1] = sum %4 dir=out
			%6:dst f64[1] = sum %4 dir=in
			%7:dst f64[16] = mul %6 %1
			%8:edge f64[16] = mul %7 %0
			%9:src f64[16] = sum %8 dir=out
			output "a" %5
			output "b" %9
		}`,
		// the score is made of a row that could wait for the later sum over out-edges
		`program row f64 {
			%0:src f64[16] = input name="h"
			%1:dst f64[16] = input name="g"
			%2:dst f64[16] = tanh %1
			%3:edge f64[16] = mul %0 %2
			%4:edge f64[1] = reduceto %3 shape=[1]
			%5:src f64[1] = sum %4 dir=out
			%6:dst f64[1] = sum %4 dir=in
			%7:dst f64[16] = mul %6 %1
			%8:edge f64[16] = mul %7 %0
			%9:src f64[16] = sum %8 dir=out
			output "a" %5
			output "b" %9
		}`,
		// two scores, the second made of the first's sums
		`program two f64 {
			%0:src f64[16] = input name="h"
			%1:dst f64[16] = input name="g"
			%2:edge f64[16] = mul %0 %1
			%3:edge f64[1] = reduceto %2 shape=[1]
			%4:src f64[1] = sum %3 dir=out
			%5:dst f64[1] = sum %3 dir=in
			%6:src f64[16] = input name="h2"
			%7:dst f64[16] = input name="g2"
			%8:edge f64[16] = mul %6 %7
			%9:edge f64[1] = reduceto %8 shape=[1]
			%10:edge f64[1] = mul %9 %4
			%11:edge f64[1] = mul %10 %5
			%12:src f64[1] = sum %11 dir=out
			%13:dst f64[1] = sum %11 dir=in
			output "a" %12
			output "b" %13
		}`,
	} {
		p := parse(t, text)
		pl := plan.Build(p)
		if yes, _ := taken(pl, plan.KeepEdgeValue); yes == 0 {
			t.Errorf("nothing is kept\n%v", pl)
		}
		agreeEverywhere(t, p)
	}
}
