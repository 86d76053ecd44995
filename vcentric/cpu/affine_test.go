package cpu

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// countOf is how many instructions of a kind the loops of a program have, and how many
// rows the kernels sum up before.
func countOf(p *ir.Program, is func(instr[float64]) bool) (n, rows int) {
	for _, s := range Compile[float64](plan.Build(p)).steps {
		k, ok := s.(*kernel[float64])
		if !ok {
			continue
		}
		list := k.pre
		for _, l := range k.loops {
			list = append(append(list[:len(list):len(list)], l.all...), l.post...)
		}
		for _, i := range list {
			if is(i) {
				n++
			}
			if _, ok := i.(*rowTerms[float64]); ok {
				rows++
			}
		}
	}
	return n, rows
}

func TestTermsOfARowAreAddedUpOnce(t *testing.T) {
	base := `program terms f64 {
  %0:src f64[W] = input name="a"
  %1:dst f64[W] = input name="b"
  %2:dst f64[W] = input name="c"
  %3:param f64[W] = input name="p"
  %4:edge f64[W] = sub %0 %1
  %5:edge f64[W] = add %2 %4
  %6:edge f64[W] = sub %3 %5
  %7:edge f64[W] = relu %6
  %8:dst f64[W] = sum %7 dir=in
  %9:dst f64[W] = max %7 dir=in
  output "sum" %8
  output "max" %9
}`
	for _, c := range []struct {
		name, width string
		replace     []string
		sums, pairs int // of a row's terms, and over edges
	}{
		{"all", "17", nil, 1, 1},
		{"two heads", "2 8", nil, 1, 1},
		{"narrow", "15", nil, 0, 0},
		{"two of edges", "17", []string{"sub %3 %5", "sub %0 %5"}, 1, 2},
		{"read twice", "17", []string{"relu %6", "mul %6 %5"}, 1, 2},
		{"one of the row", "17", []string{"add %2 %4", "add %0 %4", "sub %3 %5", "sub %0 %5"}, 0, 3},
	} {
		p := mustParse(strings.NewReplacer(append(c.replace, "W", c.width)...).Replace(base))
		pairs, sums := countOf(p, func(i instr[float64]) bool { _, ok := i.(*pair[float64]); return ok })
		if sums != c.sums || pairs != c.pairs {
			t.Errorf("%s: %d sums of a row's terms and %d instructions on pairs of rows, want %d and %d", c.name, sums, pairs, c.sums, c.pairs)
		}
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			p.Bipartite = e.bipartite
			mustAgree(t, p, e, 61)
		}
		p.Bipartite = false
		mustAgreeInParts(t, p, star(600), 62)
	}
}

func TestAProductAddsItsBias(t *testing.T) {
	base := `program bias f64 {
  %0:edge f64[9] = input name="x"
  %1:dst f64[20] = input name="y"
  %2:param f64[9 20] = input name="W"
  %3:param f64[20] = input name="b"
  %4:edge f64[9] = relu %0
  %5:edge f64[20] = matmul %4 %2
  %6:edge f64[20] = add %3 %5
  %7:edge f64[20] = exp %6
  %8:dst f64[20] = sum %7 dir=in
  output "out" %8
}`
	for _, c := range []struct {
		name    string
		replace []string
		want    int
	}{
		{"a parameter", nil, 1},
		{"a row's", []string{"add %3 %5", "add %1 %5"}, 0},
		{"read twice", []string{"exp %6", "mul %6 %5"}, 0},
		{"of a sum of three", []string{"exp %6", "add %6 %1"}, 0},
	} {
		p := mustParse(strings.NewReplacer(c.replace...).Replace(base))
		build := together(ir.Dst)
		n := 0
		for _, s := range Compile[float64](build(p)).steps {
			for _, i := range s.(*kernel[float64]).loops[0].all {
				if m, ok := i.(*tileProduct[float64]); ok && m.bias != nil {
					n++
				}
			}
		}
		if n != c.want {
			t.Errorf("%s: %d products have a bias, want %d", c.name, n, c.want)
		}
		for _, e := range graphs() {
			mustAgreeAs(t, build, p, e, inputsOf(p, e.structure(), 63), 63, 1e-4)
		}
	}
}

func TestAProductOfRowsAddsItsBias(t *testing.T) {
	p := mustParse(`program rows f64 {
  %0:src f64[9] = input name="x"
  %1:param f64[9 20] = input name="W"
  %2:param f64[20] = input name="b"
  %3:dst f64[9] = sum %0 dir=in
  %4:dst f64[20] = matmul %3 %1
  %5:dst f64[20] = add %4 %2
  %6:dst f64[20] = relu %5
  output "out" %6
  output "sum" %5
}`)
	build := together(ir.Dst)
	k := Compile[float64](build(p)).steps[0].(*kernel[float64])
	if m, ok := k.loops[0].post[0].(*tileProduct[float64]); !ok || m.bias == nil {
		t.Errorf("after the loop comes %T, want a product with a bias", k.loops[0].post[0])
	}
	for _, e := range graphs() {
		mustAgreeAs(t, build, p, e, inputsOf(p, e.structure(), 64), 64, 1e-4)
	}
}
