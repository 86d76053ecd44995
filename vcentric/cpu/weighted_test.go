package cpu

import (
	"strings"
	"testing"
)

func TestRowsTimesConstantsAreAddedInOneWalk(t *testing.T) {
	base := `program shares f64 {
  %0:src f64[W] = input name="h"
  %1:dst f64[W] = input name="x"
  %2:param f64[W] = input name="p"
  %3:dst f64[W] = sum %0 dir=in
  %4:param f64[] = const num=0.75
  %5:dst f64[W] = mul %3 %4
  %6:param f64[] = const num=-0.25
  %7:dst f64[W] = mul %6 %1
  %8:dst f64[W] = add %5 %7
  output "out" %8
}`
	for _, c := range []struct {
		name, width string
		replace     []string
		sums        int
	}{
		{"a share of the sum and one of the row", "17", nil, 1},
		{"two heads", "2 8", nil, 1},
		{"narrow", "15", nil, 0},
		{"a difference", "17", []string{"add %5 %7", "sub %5 %7"}, 1},
		{"one share", "17", []string{"add %5 %7", "sub %3 %7"}, 1},
		{"no share", "17", []string{"add %5 %7", "add %3 %1"}, 1},
		{"of a parameter", "17", []string{"%7:dst f64[W] = mul %6 %1", "%7:param f64[17] = mul %6 %2"}, 1},
		{"the same twice", "17", []string{"add %5 %7", "add %7 %7"}, 1},
		{"a share that is read twice", "17", []string{"  output", "  output \"share\" %5\n  output"}, 1},
		{"both are", "17", []string{"  output", "  output \"share\" %5\n  output \"rest\" %7\n  output"}, 1},
		{"no result, and no share", "17", []string{"add %5 %7", "add %3 %1", "  output \"out\" %8", "  %9:dst f64[17] = tanh %8\n  output \"out\" %9"}, 0},
		{"three shares", "17", []string{"  output \"out\" %8", "  %9:dst f64[17] = mul %4 %1\n  %10:dst f64[17] = sub %8 %9\n  output \"out\" %10"}, 2},
	} {
		text := strings.NewReplacer(append(c.replace, "W", c.width)...).Replace(base)
		p := mustParse(text)
		n, _ := countOf(p, func(i instr[float64]) bool { _, ok := i.(*weightedSum[float64]); return ok })
		if n != c.sums {
			t.Errorf("%s: %d weighted sums, want %d", c.name, n, c.sums)
		}
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			p.Bipartite = e.bipartite
			mustAgree(t, p, e, 81)
		}
		p.Bipartite = false
		mustAgreeInParts(t, p, star(600), 82)
	}
}
