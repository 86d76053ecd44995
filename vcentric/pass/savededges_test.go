package pass_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// Attention whose scores are of vertices, or bound to edges, or made of wide rows.
const (
	scoresOfVertices = `program p f64 {
		%0:src f64[2 1] = input name="el"
		%1:dst f64[2 1] = input name="er"
		%2:edge f64[2 1] = add %0 %1
		%3:edge f64[2 1] = leakyrelu %2 num=0.2
		%4:edge f64[2 1] = softmax %3 dir=in
		%5:src f64[2 64] = input name="h"
		%6:edge f64[2 64] = mul %4 %5
		%7:dst f64[2 64] = sum %6 dir=in
		output "out" %7
	}`
	reshaped = `program p f64 {
		%0:src f64[2] = input name="el"
		%1:dst f64[2] = input name="er"
		%2:edge f64[2] = add %0 %1
		%3:edge f64[2] = leakyrelu %2 num=0.2
		%4:edge f64[2] = softmax %3 dir=in
		%5:edge f64[2 1] = reshape %4 shape=[2,1]
		%6:src f64[2 64] = input name="h"
		%7:edge f64[2 64] = mul %5 %6
		%8:dst f64[2 64] = sum %7 dir=in
		output "out" %8
	}`
	partlyBound = `program p f64 {
		%0:src f64[1] = input name="el"
		%1:dst f64[1] = input name="er"
		%2:edge f64[1] = input name="w"
		%3:edge f64[1] = leakyrelu %2 num=0.2
		%4:edge f64[1] = add %0 %1
		%5:edge f64[1] = add %4 %3
		%6:edge f64[1] = softmax %5 dir=in
		%7:src f64[64] = input name="h"
		%8:edge f64[64] = mul %6 %7
		%9:dst f64[64] = sum %8 dir=in
		output "out" %9
	}`
	// With a sum of dot products of the forward pass, whose keys and queries are given, which is no
	// reason to save: those of the backward pass, of eight heads of 8 columns, are not kept.
	productsOfForward = `program p f64 {
		%0:src f64[8 1] = input name="el"
		%1:dst f64[8 1] = input name="er"
		%2:src f64[64] = input name="k"
		%3:dst f64[64] = input name="q"
		%4:edge f64[64] = mul %2 %3
		%5:edge f64[1] = reduceto %4 shape=[1]
		%6:edge f64[1] = tanh %5
		%7:dst f64[1] = sum %6 dir=in
		%8:edge f64[8 1] = add %0 %1
		%9:edge f64[8 1] = add %8 %7
		%10:edge f64[8 1] = softmax %9 dir=in
		%11:src f64[8 8] = input name="h"
		%12:edge f64[8 8] = mul %10 %11
		%13:dst f64[8 8] = sum %12 dir=in
		output "out" %13
	}`
	wideScores = `program p f64 {
		%0:src f64[64] = input name="h"
		%1:dst f64[64] = input name="h"
		%2:edge f64[64] = add %0 %1
		%3:edge f64[64] = tanh %2
		%4:edge f64[1] = reduceto %3 shape=[1]
		%5:edge f64[1] = softmax %4 dir=in
		%6:edge f64[64] = mul %5 %0
		%7:dst f64[64] = sum %6 dir=in
		output "out" %7
	}`
)

func TestForwardSavesNarrowValuesOfEdgesWhereVerticesHaveFew(t *testing.T) {
	few, many := pass.Sizes{Src: 1, Dst: 1, Edges: 1}, pass.Sizes{Src: 1, Dst: 1, Edges: 16}
	softmax, slope := ir.OpMul, ir.OpSelect // what they are computed by in the end
	for _, c := range []struct {
		name, text string
		sizes      pass.Sizes
		off        []string
		want       []ir.Op
	}{
		{"scores of vertices", scoresOfVertices, few, nil, []ir.Op{softmax, slope}},
		{"many edges", scoresOfVertices, many, nil, nil},
		{"graphs of any size", scoresOfVertices, pass.Sizes{}, nil, nil},
		{"turned off", scoresOfVertices, few, []string{pass.SaveEdgeValue}, nil},
		{"reshaped", reshaped, few, nil, []ir.Op{softmax, slope}},
		{"scores that are bound in part", partlyBound, few, nil, []ir.Op{softmax}}, // not what is made of that alone
		{"products of the forward pass", productsOfForward, few, nil, nil},
		{"wide scores", wideScores, few, nil, []ir.Op{softmax}}, // not the derivative of tanh
	} {
		p, err := ir.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		forward, backward, log := pass.Training(p, pass.Options{Sizes: c.sizes, Off: c.off, Want: func(b string) bool { return !strings.HasSuffix(b, " k") && !strings.HasSuffix(b, " q") }})
		var got []ir.Op
		for _, o := range forward.Outputs[1:] {
			if o.Value.Res == ir.Edge {
				got = append(got, o.Value.Op)
			}
		}
		read := 0
		for _, v := range backward.Inputs() {
			if v.Res == ir.Edge && v.Attr.Name != "w" {
				read++
			}
		}
		if !slices.Equal(got, c.want) || read != len(c.want) || log[pass.SaveEdgeValue] != len(c.want) {
			t.Errorf("%s: %v are saved and %d values read, want %v; the rule fired %d times\n%v\n%v", c.name, got, read, c.want, log[pass.SaveEdgeValue], forward, backward)
		}
	}
}
