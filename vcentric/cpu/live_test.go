package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// edgeConvBackward is the gradients of EdgeConv's max_u W·relu(a_u - b_v): of a by
// out-edges, of b by in-edges, and of W. With types, the maximum is each type's own.
func edgeConvBackward(in, out, types int) *ir.Program {
	head, attr, width := "", "dir=in", fmt.Sprint(out)
	if types > 0 {
		head, attr, width = fmt.Sprintf("types=0,0,%d ", types), "dir=in typed=true", fmt.Sprint(types, " ", out)
	}
	return mustParse(strings.NewReplacer("TYPES ", head, "WINS", attr, "Q", width, "I", fmt.Sprint(in), "O", fmt.Sprint(out)).Replace(
		`program edgeconv f64 TYPES {
  %0:src f64[I] = input name="a"
  %1:dst f64[I] = input name="b"
  %2:param f64[I O] = input name="W"
  %3:dst f64[Q] = input name="g"
  %4:dst i32[Q] = input name="won"
  %5:edge f64[I] = sub %0 %1
  %6:edge f64[I] = relu %5
  %7:edge f64[O] = winner %4 %3 WINS
  %8:edge f64[I] = matmulT %7 %2
  %9:param f64[] = const num=0
  %10:edge f64[I] = gt %5 %9
  %11:edge f64[I] = select %10 %8 %9
  %12:edge f64[I] = neg %11
  %13:src f64[I] = sum %11 dir=out
  %14:dst f64[I] = sum %12 dir=in
  %15:param f64[I O] = outer %6 %7 res=edge
  output "da" %13
  output "db" %14
  output "dW" %15
}`))
}

// withWinners draws inputs in which the ids of a vertex's maxima are those of edges that
// it has, mostly of few.
func withWinners(p *ir.Program, e edges, seed uint64) map[string][]float64 {
	in, s := inputsOf(p, e.structure(), seed), e.structure()
	r := rand.New(rng.NewStream(seed))
	for _, v := range p.Inputs() {
		if v.Type != ir.I32 {
			continue
		}
		types := max(p.Types.Edge, 1)
		edgesOf := make([][]int, s.NumDst*types)
		for i, to := range s.Dst {
			row := int(to) * types
			if types > 1 {
				row += int(s.EdgeTypes[i])
			}
			edgesOf[row] = append(edgesOf[row], i)
		}
		won, width := in[ir.InputKey(v)], v.Width()/types
		for k := range won {
			own := edgesOf[k/width]
			if won[k] = -1; len(own) > 0 {
				won[k] = float64(own[r.IntN(min(len(own), 1+r.IntN(len(own))))])
			}
		}
	}
	return in
}

// narrowed is how many loops are narrowed to the edges that win.
func narrowed(p *ir.Program) int {
	n := 0
	for _, s := range Compile[float64](plan.Build(p)).steps {
		if k, ok := s.(*kernel[float64]); ok {
			for _, l := range k.loops {
				if l.only != nil {
					n++
				}
			}
		}
	}
	return n
}

func TestLoopsOfWinnersAgreeWithTheInterpreter(t *testing.T) {
	agree := func(p *ir.Program, e edges) {
		p.Bipartite = e.bipartite
		mustAgreeOn(t, p, e, withWinners(p, e, 41), 41)
	}
	for _, width := range [][2]int{{1, 1}, {3, 2}, {16, 8}, {17, 40}, {64, 64}} {
		p := edgeConvBackward(width[0], width[1], 0)
		if n := narrowed(p); n != 2 {
			t.Errorf("width %v: %d loops are narrowed, want 2", width, n)
		}
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			agree(p, e)
		}
	}
	if !testing.Short() {
		agree(edgeConvBackward(16, 8, 0), large())
		agree(edgeConvBackward(16, 8, 0), hub())
	}
	for _, d := range []int{5, 24} {
		p := edgeConvBackward(d, d, 3)
		for _, e := range graphs() {
			agree(p, e.withTypes(p.Types))
		}
	}
}

// TestLoopsAreNarrowedOnlyIfNoOtherEdgeCounts replaces a line of a program whose
// loop can be narrowed, and says whether it still can.
func TestLoopsAreNarrowedOnlyIfNoOtherEdgeCounts(t *testing.T) {
	base := `program base f64 {
  %0:dst i32[3] = input name="won"
  %1:dst f64[3] = input name="g"
  %2:edge f64[3] = input name="x"
  %3:edge f64[3] = winner %0 %1 dir=in
  %4:edge f64[3] = mul %2 %3
  %5:edge f64[3] = neg %4
  %6:dst f64[3] = sum %5 dir=in
  output "out" %6
}`
	for _, c := range []struct {
		name, old, new string
		want           int
	}{
		{"product", "", "", 1},
		{"sum with another winner", "mul %2 %3", "add %3 %3", 1},
		{"sum with what is not zero", "mul %2 %3", "add %2 %3", 0},
		{"no zero of zero", "neg %4", "exp %4", 0},
		{"zero over zero", "mul %2 %3", "div %3 %2", 0},
		{"maximum", "sum %5", "max %5", 0},
		{"all edges wanted", `output "out" %6`, "output \"out\" %6\n  output \"edges\" %5", 0},
		{"no winner", "winner %0 %1 dir=in", "mul %2 %1", 0},
	} {
		p := mustParse(strings.Replace(base, c.old, c.new, 1))
		if n := narrowed(p); n != c.want {
			t.Errorf("%s: %d loops are narrowed, want %d", c.name, n, c.want)
		}
		for _, e := range graphs() {
			mustAgree(t, p, e, 44)
		}
	}
}

// TestEdgesThatWinNothingAddNothing is what sets a narrowed loop apart from one that
// multiplies by zero.
func TestEdgesThatWinNothingAddNothing(t *testing.T) {
	p := mustParse(`program infinite f64 {
  %0:src f64[1] = input name="x"
  %1:dst i32[1] = input name="won"
  %2:dst f64[1] = input name="g"
  %3:edge f64[1] = winner %1 %2 dir=in
  %4:edge f64[1] = mul %3 %0
  %5:dst f64[1] = sum %4 dir=in
  output "out" %5
}`)
	e := edges{name: "three to one", src: 4, dst: 4, from: []int32{0, 1, 2}, to: []int32{3, 3, 3}}
	s, in := e.structure(), make(map[string][]float64)
	for i, x := range [][]float64{{math.Inf(-1), 5, math.NaN(), 0}, {-1, -1, -1, 1}, {2, 2, 2, 2}} {
		in[ir.InputKey(p.Inputs()[i])] = x
	}
	got := prepare[float64](plan.Build(p), e.build(t), s, in)(Options{Threads: 1})[0]
	if want := []float64{0, 0, 0, 10}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
