package cpu

import (
	"fmt"
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
