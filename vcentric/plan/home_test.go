package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// A wide edge value in memory, since a matrix product reads it as a step of its own.
const multiplied = `program multiplied f64 {
	%0:src f64[16] = input name="h"
	%1:edge f64[16] = input name="e"
	%2:param f64[16 512] = input name="W"
	%3:edge f64[16] = mul %0 %1
	%4:edge f64[512] = matmul %3 %2
	%5:edge f64[512] = tanh %4
	output "a" %5
}`

func TestKeptEdgesLieInTheOrderOfTheKernelThatStoresThemUnlessOthersReadThem(t *testing.T) {
	for _, c := range []struct {
		text string
		off  []string
		want map[string]ir.Residency // of those that have a home
	}{
		{scored, nil, map[string]ir.Residency{"%4": ir.Src}},
		{waiting, nil, map[string]ir.Residency{"%4": ir.Src, "%8": ir.Dst}},
		{multiplied, []string{plan.FuseEdgeProduct}, nil},
	} {
		p := plan.BuildWithout(parse(t, c.text), c.off...)
		got, edges := make(map[string]ir.Residency), 0
		for _, b := range p.Buffers {
			if b.Res == ir.Edge && b.Role == plan.Temp {
				edges++
			}
			if rows, ok := p.Home(b); ok {
				got[b.Name] = rows
			}
		}
		if edges == 0 || !maps.Equal(got, c.want) {
			t.Errorf("%s: of %d edge values that are kept, %v have a home, want %v", p.Program.Name, edges, got, c.want)
		}
	}
}

// What forward saves of edges, and two programs that read it: in a loop, and in a product that may
// be a step of its own.
const (
	saving = `program p.forward f64 {
	%0:src f64[16] = input name="h"
	%1:dst f64[16] = input name="g"
	%2:edge f64[16] = mul %0 %1
	%3:edge f64[16] = tanh %2
	%4:dst f64[16] = sum %3 dir=in
	output "out" %4
	output "saved %3" %3
}`
	readInLoop = `program p.backward f64 {
	%0:edge f64[16] = input name="saved %3"
	%1:dst f64[16] = input name="cotangent out"
	%2:edge f64[16] = mul %0 %1
	%3:src f64[16] = sum %2 dir=out
	output "grad vertex h" %3
}`
	multipliedBySome = `program p.backward f64 {
	%0:edge f64[16] = input name="saved %3"
	%1:param f64[16 512] = input name="W"
	%2:edge f64[512] = matmul %0 %1
	%3:edge f64[512] = tanh %2
	%4:src f64[512] = sum %3 dir=out
	output "grad vertex h" %4
}`
)

func TestSavedEdgesLieInTheOrderOfForwardUnlessAStepOfBackwardReadsThem(t *testing.T) {
	for _, c := range []struct {
		backward string
		off      []string
		inOrder  bool
	}{
		{readInLoop, nil, true},
		{multipliedBySome, nil, true},
		{multipliedBySome, []string{plan.FuseEdgeProduct}, false},
	} {
		forward, backward := plan.BuildWithout(parse(t, saving)), plan.BuildWithout(parse(t, c.backward), c.off...)
		both := slices.Concat(forward.Buffers, backward.Buffers)
		for _, crossed := range []bool{false, true} {
			if crossed {
				plan.CrossInOrder(forward, backward)
			}
			found := 0
			for _, b := range both {
				if b.Name != "saved %3" {
					continue
				}
				found++
				rows, ok := forward.Home(b)
				if ok != (crossed && c.inOrder) || ok && rows != ir.Dst {
					t.Errorf("%s without %v: %v %q has home %v, %t, told of each other %t", backward.Program.Name, c.off, b.Role, b.Name, rows, ok, crossed)
				}
			}
			if found != 2 {
				t.Errorf("%d buffers hold what is saved, want one of each plan", found)
			}
		}
	}
}
