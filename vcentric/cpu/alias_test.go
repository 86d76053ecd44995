package cpu

import (
	"strings"
	"testing"
)

// Scores that others read under another shape, or for each edge, are there for them, though a
// softmax would need them no more.
func TestScoresThatAnAliasReadsAreKept(t *testing.T) {
	text := `program alias f64 {
  %0:src f64[1] = input name="el"
  %1:dst f64[1] = input name="er"
  %2:edge f64[1] = add %0 %1
  %3:edge f64ALIAS
  %4:dst f64[1] = max %2 dir=in
  %5:edge f64[1] = sub %3 %4
  %6:edge f64[1] = exp %5
  %7:dst f64[1] = sum %6 dir=in
  %8:edge f64SHAPE = square %3
  %9:dst f64SHAPE = sum %8 dir=in
  output "sums" %7
  output "scores" %3
  output "squares" %9
}`
	for _, c := range [][]string{
		{"ALIAS", "[1] = at %2 res=edge", "SHAPE", "[1]"},
		{"ALIAS", "[] = reshape %2 shape=[]", "SHAPE", "[]"},
		{"ALIAS", "[1] = at %2 res=edge", "SHAPE", "[1]", "  output \"squares\" %9\n", ""},
		{"ALIAS", "[1] = at %2 res=edge", "SHAPE", "[1]", "  output \"scores\" %3\n", ""},
	} {
		p := mustParse(strings.NewReplacer(c...).Replace(text))
		for _, e := range graphs() {
			mustAgree(t, p, e, 9)
		}
	}
}
