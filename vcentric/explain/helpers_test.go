package explain

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// gcnText is Σ over in-edges of n_u h_u, times n_v.
const gcnText = `program gcn f32 bipartite {
	%0:src f32[16] = input name="h"
	%1:src f32[] = input name="n"
	%2:dst f32[] = input name="n"
	%3:src f32[16] = mul %0 %1
	%4:dst f32[16] = sum %3 dir=in
	%5:dst f32[16] = mul %4 %2
	output "out" %5
}`

// gatText is GAT's aggregation with three heads of five features, its softmax
// written out: Σ e^(s-max s)·h_u / Σ e^(s-max s) for s = LeakyReLU(el_u + er_v).
const gatText = `program gat f32 bipartite {
	%0:src f32[3 5] = input name="h"
	%1:src f32[3 1] = input name="el"
	%2:dst f32[3 1] = input name="er"
	%3:edge f32[3 1] = add %1 %2
	%4:edge f32[3 1] = leakyrelu %3 num=0.2
	%5:dst f32[3 1] = max %4 dir=in
	%6:edge f32[3 1] = sub %4 %5
	%7:edge f32[3 1] = exp %6
	%8:dst f32[3 1] = sum %7 dir=in
	%9:edge f32[3 5] = mul %7 %0
	%10:dst f32[3 5] = sum %9 dir=in
	%11:dst f32[3 5] = div %10 %8
	output "out" %11
}`

// sizes has different numbers everywhere, so that a count of the wrong rows shows.
var sizes = plan.Sizes{NumSrc: 80, NumDst: 100, NumEdges: 1000, Types: ir.Types{Src: 2, Dst: 4, Edge: 3}}

// trained is the report of a program compiled with the gradients of all that it
// reads.
func trained(p *ir.Program) *Report {
	r := &Report{Name: p.Name, Signature: "all gradients", Sizes: plan.Sizes{NumSrc: 100, NumDst: 100, NumEdges: 1000, Types: p.Types}}
	r.Stages = []pass.Stage{{Name: "traced", Program: p}}
	watch := func(s pass.Stage) { r.Stages = append(r.Stages, s) }
	forward, backward, log := pass.Training(p, pass.Options{Watch: watch, Want: func(string) bool { return true }})
	r.Forward, r.Backward, r.Rules = plan.Build(forward), plan.Build(backward), log
	return r
}

// sample is a small report with something in every field.
func sample(t *testing.T) *Report {
	first := parse(t, `program gcn f32 bipartite {
	%0:src f32[16] = input name="h"
	%1:src f32[] = input name="n"
	%2:dst f32[] = input name="n"
	%3:src f32[16] = mul %0 %1
	%4:dst f32[16] = sum %3 dir=in
	%5:param f32[] = const num=1
	%6:dst f32[16] = mul %4 %5
	%7:dst f32[16] = mul %6 %2
	output "out" %7
}`)
	folded := parse(t, gcnText)
	for _, p := range []*ir.Program{first, folded} {
		for _, v := range p.Values {
			switch v.Op {
			case ir.OpMul:
				v.Pos = "gcn.go:11"
			case ir.OpSum:
				v.Pos = "gcn.go:12"
			}
		}
	}
	return &Report{
		Name: "gcn", Signature: `vertex "h" f32[16]`,
		Stages:  []pass.Stage{{Name: "traced", Program: first}, {Name: "cse", Program: first}, {Name: "fold", Program: folded}},
		Rules:   pass.Log{"identity": 1, "factor-out-of-sum": 2},
		Forward: plan.Build(folded), Sizes: sizes,
		Source:      map[string]string{"gcn_0": "if (a < b && c) x = \"y\";\n"},
		CompileTime: 1500 * time.Microsecond,
	}
}
