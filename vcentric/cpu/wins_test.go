package cpu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// listedProgram has winners, of so many columns, in every place that takes lists: products
// with a matrix and with a transpose, to so many columns, sums, and an outer product.
func listedProgram(in, out int) *ir.Program {
	return mustParse(strings.NewReplacer("I", fmt.Sprint(in), "O", fmt.Sprint(out)).Replace(
		`program listed f64 {
  %0:src f64[I] = input name="a"
  %1:dst f64[I] = input name="b"
  %2:param f64[I O] = input name="W"
  %3:dst f64[O] = input name="g"
  %4:dst i32[O] = input name="won"
  %5:param f64[O I] = input name="V"
  %6:edge f64[I] = sub %0 %1
  %7:edge f64[O] = winner %4 %3 dir=in
  %8:edge f64[I] = matmulT %7 %2
  %9:edge f64[I] = matmul %7 %5
  %10:edge f64[I] = mul %8 %6
  %11:edge f64[I] = add %10 %9
  %12:src f64[I] = sum %11 dir=out
  %13:dst f64[I] = sum %10 dir=in
  %14:dst f64[O] = sum %7 dir=in
  %15:param f64[I O] = outer %6 %7 res=edge
  output "da" %12
  output "db" %13
  output "dg" %14
  output "dW" %15
}`))
}

// listings is how many kernels can list winners.
func listings(p *ir.Program) (n int) {
	for _, k := range Compile[float64](plan.Build(p)).kernels {
		if k.listing != nil {
			n++
		}
	}
	return n
}

func TestListsOfWinnersAgreeWithTheInterpreter(t *testing.T) {
	r := rand.New(rng.NewStream(42))
	dense := []edges{
		random("few rows", r, 70, 5, 700, true),
		random("just enough edges", r, 50, 50, 50*listedEdges, false),
		random("too few edges", r, 50, 50, 50*listedEdges-1, false),
	}
	for _, width := range [][2]int{{32, 32}, {33, 41}, {64, 130}, {128, 64}} {
		for name, p := range map[string]*ir.Program{"all": listedProgram(width[0], width[1]), "edgeconv": edgeConvBackward(width[0], width[1], 0)} {
			if n := listings(p); n != 2 {
				t.Errorf("%s, width %v: %d kernels list winners, want 2", name, width, n)
			}
			for _, e := range dense {
				p.Bipartite = e.bipartite
				mustAgreeOn(t, p, e, withWinners(p, e, 43), 43)
			}
		}
	}
	if !testing.Short() {
		p, e := listedProgram(33, 41), hub()
		mustAgreeOn(t, p, e, withWinners(p, e, 43), 43)
	}
}

// TestWinnersAreListedOnlyForThoseWhoTakeLists replaces a line of the program so that one of
// its kernels, or both, may not.
func TestWinnersAreListedOnlyForThoseWhoTakeLists(t *testing.T) {
	text := listedProgram(32, 32).String()
	for _, c := range []struct {
		from, to string
		want     int
	}{
		{"= sub %0 %1", "= add %0 %1", 2},
		{"= mul %8 %6", "= mul %7 %6", 0},                   // reads them one by one
		{"= sum %10 dir=in", "= sum %7 dir=in", 2},          // another sum of them
		{"outer %6 %7 res=edge", "outer %7 %6 res=edge", 1}, // on the other side
		{"outer %6 %7 res=edge", "outer %7 %7 res=edge", 1}, // on both
		{"matmul %7 %5", "matmul %6 %5", 1},                 // an edge that wins nothing takes part
		{"= add %10 %9", "= add %10 %7", 1},                 // of the out-edges' kernel alone
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		if changed == text {
			t.Fatalf("no %q in\n%s", c.from, text)
		}
		if n := listings(mustParse(changed)); n != c.want {
			t.Errorf("%q: %d kernels list winners, want %d", c.to, n, c.want)
		}
	}
	if n := listings(listedProgram(32, 31)); n != 0 {
		t.Errorf("31 columns: %d kernels list winners", n)
	}
	if n := listings(listedProgram(31, 32)); n != 0 {
		t.Errorf("products of 31 columns: %d kernels list winners", n)
	}
}

func TestListsByColumnHaveTheEdgesInOrder(t *testing.T) {
	s := wins[float64]{edges: winList[float64]{
		bounds: []int32{0, 2, 2, 5}, at: []int32{1, 3, 0, 1, 4}, values: []float64{10, 30, 2, 12, 42},
	}}
	l := s.byColumn(5)
	if got, want := fmt.Sprint(l.bounds, l.at, l.values), "[0 1 3 3 4 5] [2 0 2 0 2] [2 10 12 30 42]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
