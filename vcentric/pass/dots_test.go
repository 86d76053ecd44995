package pass

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Sums over edges that become products of rows are 0 where a row has no edges, whatever
// its factors are there: degree^-1/2 is infinite.
func TestSumsThatLeaveTheEdgesAreZeroWhereThereAreNone(t *testing.T) {
	for _, c := range []struct{ rule, text string }{
		{"reuse-sum", `program p f64 {
			%0:edge f64[1] = input name="a"
			%1:src f64[2] = input name="h"
			%2:edge f64[2] = mul %0 %1
			%3:dst f64[2] = sum %2 dir=in
			%4:dst f64[2] = input name="g"
			%5:dst f64[] = degree dir=in res=dst
			%6:dst f64[] = rsqrt %5
			%7:dst f64[2] = mul %4 %6
			%8:edge f64[2] = mul %7 %1
			%9:edge f64[1] = reduceto %8 shape=[1]
			%10:edge f64[1] = mul %0 %9
			%11:dst f64[1] = sum %10 dir=in
			output "out" %3
			output "t" %11
		}`},
		{"dot-out-of-sum", `program p f64 {
			%0:edge f64[1] = input name="a"
			%1:src f64[2] = input name="h"
			%2:edge f64[2] = mul %0 %1
			%3:dst f64[2] = sum %2 dir=in
			%4:dst f64[2] = input name="cotangent out"
			%5:dst f64[] = degree dir=in res=dst
			%6:dst f64[] = rsqrt %5
			%7:dst f64[2] = mul %4 %6
			%8:edge f64[2] = mul %7 %1
			%9:edge f64[1] = reduceto %8 shape=[1]
			%10:dst f64[1] = input name="cotangent t"
			%11:edge f64[1] = sub %9 %10
			%12:edge f64[1] = mul %11 %0
			%13:dst f64[1] = sum %12 dir=in
			output "out" %3
			output "t" %13
		}`},
		{"dot-out-of-sum", `program p f64 {
			%0:edge f64[1] = input name="a"
			%1:src f64[2] = input name="h"
			%2:edge f64[2] = mul %0 %1
			%3:dst f64[2] = sum %2 dir=in
			%4:dst f64[2] = input name="cotangent out"
			%5:edge f64[2] = mul %4 %1
			%6:edge f64[1] = reduceto %5 shape=[1]
			%7:dst f64[1] = input name="cotangent t"
			%8:dst f64[] = degree dir=in res=dst
			%9:dst f64[] = log %8
			%10:dst f64[1] = mul %7 %9
			%11:edge f64[1] = sub %6 %10
			%12:edge f64[1] = mul %11 %0
			%13:dst f64[1] = sum %12 dir=in
			output "out" %3
			output "t" %13
		}`},
	} {
		p, err := ir.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		rules, log := reuseRules(Options{}, nil), make(Log)
		q := rewrite(p, slices.DeleteFunc(rules, func(r Rule) bool { return r.Name != c.rule }), nil, log)
		if log[c.rule] != 1 {
			t.Errorf("%s fired %d times", c.rule, log[c.rule])
		}
		// Vertex 1 has no in-edges.
		s := &ir.Structure{NumSrc: 3, NumDst: 3, Src: []int32{0, 1, 2, 2}, Dst: []int32{0, 0, 2, 0}}
		in := map[string][]float64{
			"a@edge": {1, 2, 3, 4}, "h@src": {1, -2, 3, 5, -1, 2}, "g@dst": {1, 2, 3, 4, 5, 6},
			"cotangent out@dst": {1, 2, 3, 4, 5, 6}, "cotangent t@dst": {3, -2, 1},
		}
		want, err := ir.Interpret(p, s, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ir.Interpret(q, s, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range want["t"] {
			if d := got["t"][i] - x; !(d < 1e-12 && d > -1e-12) {
				t.Errorf("%s: row %d is %v, want %v\n%v", c.rule, i, got["t"][i], x, q)
			}
		}
	}
}
