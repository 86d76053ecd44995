package cpu

import (
	"strings"
	"testing"
)

// What a loop fetches is for instructions of later loops as well, which run again there if
// a row has more edges than the registers hold. Here nothing in the second loop but such an
// instruction reads what the first fetched.
func TestLaterLoopsOfHubsFetchWhatTheirInstructionsRead(t *testing.T) {
	text := `program twice f64 {
  %0:SIDE f64[8] = input name="k"
  %1:dst f64[8] = input name="q"
  %2:edge f64[8] = sub %0 %1
  %3:edge f64[8] = abs %2
  %4:dst f64[8] = sum %3 dir=in
  READ
  %7:dst f64[1] = max %6 dir=in
  %8:edge f64[1] = sub %6 %7
  %9:edge f64[1] = exp %8
  %10:dst f64[1] = sum %9 dir=in
  output "sums" %4
  output "parts" %10
}`
	for _, side := range []string{"src", "edge"} {
		for _, read := range []string{
			"%5:edge f64[8] = mul %0 %1\n  %6:edge f64[1] = reduceto %5 shape=[1]",
			"%5:edge f64[16] = concat %0 %1\n  %6:edge f64[1] = reduceto %5 shape=[1]",
			"%5:edge f64[8] = select %2 %0 %1\n  %6:edge f64[1] = reduceto %5 shape=[1]",
		} {
			p := mustParse(strings.NewReplacer("SIDE", side, "READ", read).Replace(text))
			mustAgreeInParts(t, p, star(700), 5)
			mustAgreeInParts(t, p, star(4500), 5) // beyond the registers without parts, too
		}
	}
}
