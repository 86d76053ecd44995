package cpu

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// attentionBackward is the program of the roofline with so many heads and columns a head.
func attentionBackward(heads, cols int) *ir.Program {
	return mustParse(strings.NewReplacer("H D", fmt.Sprint(heads, " ", cols), "H", fmt.Sprint(heads)).Replace(gatBackward))
}

// TestAttentionBackwardAgreesWithTheInterpreter covers operands fetched side by side,
// and rows shared by a dot product and a sum.
func TestAttentionBackwardAgreesWithTheInterpreter(t *testing.T) {
	for _, hd := range [][2]int{{1, 7}, {3, 5}, {2, 8}, {4, 4}, {8, 2}, {4, 8}, {1, 128}, {8, 16}, {20, 5}, {16, 8}, {24, 4}} {
		p := attentionBackward(hd[0], hd[1])
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			p.Bipartite = e.bipartite
			mustAgree(t, p, e, 31)
		}
	}
	mustAgreeInParts(t, attentionBackward(1, 128), star(600), 32)
	mustAgreeInParts(t, attentionBackward(3, 5), star(600), 33)
}

// countShared is how many dot products share their rows with a sum.
func countShared(p *ir.Program) int {
	n := 0
	for _, s := range Compile[float64](plan.Build(p)).steps {
		if k, ok := s.(*kernel[float64]); ok {
			for _, l := range k.loops {
				for _, i := range l.all {
					if _, ok := i.(*dotSum[float64]); ok {
						n++
					}
				}
			}
		}
	}
	return n
}

func TestADotProductSharesItsRowsUnlessTheWeightsNeedIt(t *testing.T) {
	text := `program shares f64 {
  %0:src f64[W] = input name="h"
  %1:dst f64[W] = input name="q"
  %2:edge f64[] = input name="w"
  %3:edge f64[W] = mul %0 %1
  %4:edge f64[] = reduceto %3 shape=[]
  %5:edge f64[] = exp %OF
  %6:edge f64[W] = mul %0 %WEIGHT
  %7:dst f64[W] = sum %6 dir=in
  %8:dst f64[] = sum %4 dir=in
  output "sum" %7
  output "dots" %8
}`
	for _, c := range []struct {
		width, of, weight string
		want              int
	}{{"128", "2", "5", 1}, {"128", "4", "5", 0}, {"16", "2", "5", 1}, {"128", "2", "4", 0}, {"16", "2", "4", 0}} {
		p := mustParse(strings.NewReplacer("OF", c.of, "WEIGHT", c.weight, "[W]", "["+c.width+"]").Replace(text))
		if got := countShared(typed(t, p, ir.F64)); got != c.want {
			t.Errorf("width %s, weights %%%s, of %%%s: %d products share their rows, want %d", c.width, c.weight, c.of, got, c.want)
		}
		mustAgree(t, p, graphs()[6], 34)
	}
}

// attentionTraining is the forward program of the roofline that serves backward.
func attentionTraining(heads, cols int) *ir.Program {
	return mustParse(strings.NewReplacer("H D", fmt.Sprint(heads, " ", cols), "H", fmt.Sprint(heads)).Replace(gatTraining))
}

// TestAttentionTrainingAgreesWithTheInterpreter covers two sums of the same rows.
func TestAttentionTrainingAgreesWithTheInterpreter(t *testing.T) {
	for _, hd := range [][2]int{{1, 7}, {3, 5}, {2, 8}, {4, 4}, {8, 2}, {4, 8}, {1, 128}, {8, 16}, {20, 5}, {16, 8}, {24, 4}} {
		p := attentionTraining(hd[0], hd[1])
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			p.Bipartite = e.bipartite
			mustAgree(t, p, e, 35)
		}
	}
	mustAgreeInParts(t, attentionTraining(1, 128), star(600), 36)
	mustAgreeInParts(t, attentionTraining(3, 5), star(600), 37)
}

func TestTwoScaledSumsOfTheSameRowsAreOneWalk(t *testing.T) {
	pairs := 0
	for _, s := range Compile[float64](plan.Build(typed(t, attentionTraining(8, 4), ir.F64))).steps {
		for _, l := range s.(*kernel[float64]).loops {
			for _, r := range l.reduce {
				if _, ok := r.(*scaledSums[float64]); ok {
					pairs++
				}
			}
		}
	}
	if pairs != 1 {
		t.Errorf("%d pairs of sums, want 1", pairs)
	}
}
