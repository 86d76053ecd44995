package cpu

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// rectifiedProgram is the maximum of relu(a + b), a term of each end, and what else.
func rectifiedProgram(width int, more string) *ir.Program {
	return mustParse(strings.NewReplacer("W", fmt.Sprint(width), "MORE\n", more).Replace(
		`program rectified f32 {
  %0:src f32[W] = input name="a"
  %1:dst f32[W] = input name="b"
  %2:edge f32[W] = add %0 %1
  %3:edge f32[W] = relu %2
  %4:dst f32[W] = max %3 dir=in
  output "out" %4
MORE
}`))
}

func TestRectifiersOfSumsAreComputedWithThem(t *testing.T) {
	set := kern.For[float32]()
	for _, c := range []struct {
		more string
		want bool
	}{
		{"", true},
		{"  %5:dst f32[W] = sum %3 dir=in\n  output \"sum\" %5\n", true},
		{"  %5:dst f32[W] = sum %2 dir=in\n  output \"sum\" %5\n", false}, // it is read elsewhere
	} {
		for _, width := range []int{7, 16, 20, 64, 72} {
			p := rectifiedProgram(width, strings.ReplaceAll(c.more, "W", fmt.Sprint(width)))
			found := false
			for _, k := range Compile[float32](plan.Build(p)).kernels {
				for _, l := range k.loops {
					for _, i := range l.all {
						if _, ok := i.(*rectifiedSum[float32]); ok {
							found = true
						}
					}
				}
			}
			if want := c.want && width >= rowwise && set.AddsReLU(width); found != want {
				t.Errorf("width %d, with %q: computed at once %v, want %v", width, c.more, found, want)
			}
			for _, e := range append(graphs(), bipartiteGraphs()...) {
				p.Bipartite = e.bipartite
				mustAgreeOn(t, p, e, inputsOf(p, e.structure(), 44), 44)
			}
		}
	}
}

// TestGradientsOfRectifiersReadTheirResults has the rectifier's operand read by nothing else
// then, so that it is not kept; NaN is not positive.
func TestGradientsOfRectifiersReadTheirResults(t *testing.T) {
	set := kern.For[float32]()
	for _, c := range []struct {
		bound, other string
		gate         bool
	}{{"0", "0", true}, {"1", "0", false}, {"0", "1", false}} {
		for _, width := range []int{3, 16, 40} {
			p := mustParse(strings.NewReplacer("W", fmt.Sprint(width), "BOUND", c.bound, "OTHER", c.other).Replace(
				`program gate f32 {
  %0:src f32[W] = input name="a"
  %1:dst f32[W] = input name="b"
  %2:edge f32[W] = add %0 %1
  %3:edge f32[W] = relu %2
  %4:param f32[] = const num=BOUND
  %5:edge f32[W] = gt %2 %4
  %6:src f32[W] = input name="g"
  %7:param f32[] = const num=OTHER
  %8:edge f32[W] = select %5 %6 %7
  %9:dst f32[W] = sum %3 dir=in
  %10:dst f32[W] = sum %8 dir=in
  output "sum" %9
  output "gated" %10
}`))
			selects, sums := false, false
			for _, k := range Compile[float32](plan.Build(p)).kernels {
				for _, l := range k.loops {
					for _, i := range l.all {
						switch i.(type) {
						case *selection[float32]:
							selects = true
						case *rectifiedSum[float32]:
							sums = true
						}
					}
				}
			}
			if selects == c.gate || sums != (c.gate && width >= rowwise && set.AddsReLU(width)) {
				t.Errorf("width %d, bound %s, else %s: a selection %v, a rectified sum %v", width, c.bound, c.other, selects, sums)
			}
			for _, e := range graphs() {
				in := inputsOf(p, e.structure(), 45)
				for a, i := in["a@src"], 0; i < len(a); i += 5 {
					a[i] = math.NaN()
				}
				mustAgreeOn(t, p, e, in, 45)
			}
		}
	}
}
