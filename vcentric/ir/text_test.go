package ir_test

// The text form: print, parse, print.

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
)

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := ir.Check(p); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func TestPrintParsePrintIsTheIdentity(t *testing.T) {
	programs := irtest.Layers()
	for seed := range uint64(500) {
		programs = append(programs, irtest.New(seed).Program)
	}
	for _, p := range programs {
		if got := parse(t, p.String()).String(); got != p.String() {
			t.Fatalf("printed\n%sparsed and printed\n%s", p, got)
		}
	}
}

func TestPrintParsePrintOfOddNames(t *testing.T) {
	for _, name := range []string{"", "my gat", "a#b", `quo"ted`, `back\slash`, "]", "[", "é", "new\nline", "}", "=", "%0", "\xff"} {
		b := ir.NewBuilder(name, ir.F32, false)
		b.Output(name, b.Input(name, ir.Src, ir.Shape{2}))
		q := parse(t, b.Program().String())
		if q.Name != name || q.Outputs[0].Name != name || q.Values[0].Attr.Name != name || q.String() != b.Program().String() {
			t.Errorf("%q comes back as\n%s", name, q)
		}
	}
}

func TestTextForm(t *testing.T) {
	const want = `program gcn f32 {
  %0:src f32[16] = input name="h"
  %1:dst f32[] = degree dir=in res=dst
  %2:param f32[] = const num=-0.5
  %3:param f32[16 2] = input name="W"
  %4:dst f32[16] = sum %0 dir=in
  %5:dst f32[16] = mul %4 %1
  %6:dst f32[2] = matmul %5 %3
  %7:dst f32[1 2] = reshape %6 shape=[1,2]
  %8:dst i32[1 2] = argmax %7 dir=in
  output "out" %7
  output "arg" %8
}
`
	if got := parse(t, want).String(); got != want {
		t.Errorf("comes back as\n%s", got)
	}
}

func TestParseSkipsCommentsAndBlankLines(t *testing.T) {
	p := parse(t, "# a comment\n\nprogram p f32 { # another\r\n\t%0:src f32[2 3] = input name=\"x # y\" # z\n  output \"out\" %0\n}\n # end")
	if got := p.Values[0].Attr.Name; got != "x # y" {
		t.Errorf("input named %q", got)
	}
}

func TestParseRejectsBadTexts(t *testing.T) {
	const head = "program p f32 {\n  %0:src f32[3] = input name=\"h\"\n"
	const two = head + "  %1:dst f32[3] = input name=\"h\"\n"
	for _, c := range []struct{ text, want string }{
		{"", "not closed"},
		{head, "not closed"},
		{"program p f32 {", "not closed"},
		{"program p f32", "line 1: want: program"},
		{"program p f32 directed {", "line 1: \"directed\" in the program's first line"},
		{"program p f32 types=1,2,3 {", "line 1: types=1,2,3: sources and destinations are the same vertices"},
		{"program p f32 types=1,1 {", "line 1: types=1,1: want three numbers"},
		{"program p f32 bipartite types=1,-2,3 {", "line 1: types=1,-2,3: \"-2\" types"},
		{"\n\nprogram p i32 {", `line 3: program of type "i32"`},
		{"program \"p f32 {", "line 1: want: program"},
		{"program \"\\z\" f32 {", "line 1: program name"},
		{head + "}\n%1:src f32[3] = neg %0", "line 4: text after }"},
		{head + "%2:src f32[3] = neg %0", `line 3: value "%2:src", want %1`},
		{head + "%1 f32[3] = neg %0", "line 3: value"},
		{head + "%1:src f32[3] neg %0", "line 3: want: %id:residency"},
		{head + "%1:vertex f32[3] = neg %0", `line 3: unknown residency "vertex"`},
		{head + "%1:src f16[3] = neg %0", `line 3: unknown type "f16[3]"`},
		{head + "%1:src f32 = neg %0", `line 3: type "f32" has no shape`},
		{head + "%1:src f32[3 = neg %0", "line 3: want: %id:residency"},
		{head + "%1:src f32[x] = neg %0", `line 3: dimension "x"`},
		{head + "%1:src f32[-3] = neg %0", `line 3: dimension "-3"`},
		{head + "%1:src f32[99999999] = input name=\"k\"", "line 3: dimension"},
		{head + "%1:src f32[9999 9999] = input name=\"k\"", "line 3: shape [9999 9999] is too large"},
		{head + "%1:src f32[3] = frobnicate %0", `line 3: unknown op "frobnicate"`},
		{head + "%1:src f32[3] = neg %1", `line 3: "%1" names no value above`},
		{head + "%1:src f32[3] = neg %-1", `line 3: "%-1" names no value above`},
		{head + "%1:src f32[3] = neg", "line 3: neg has 0 operands, want 1"},
		{head + "%1:src f32[3] = neg %0 %0", "line 3: neg has 2 operands, want 1"},
		{head + "%1:src f32[3] = concat", "line 3: concat has 0 operands"},
		{head + "%1:src f32[3] = neg %0 num=1", "line 3: neg has no attribute \"num=1\""},
		{head + "%1:src f32[3] = pow %0", "line 3: attribute num=VALUE is missing"},
		{head + "%1:src f32[3] = pow %0 exp=2", `line 3: attribute "exp=2" where num=VALUE is wanted`},
		{head + "%1:src f32[3] = pow %0 num=two", "line 3: attribute num"},
		{head + "%1:dst f32[3] = sum %0 dir=up", `line 3: attribute dir: direction "up"`},
		{head + "%1:src f32[] = degree dir=in res=up", `line 3: attribute res: residency "up"`},
		{head + "%1:src f32[3] = slice %0 lo=-1 hi=2", "line 3: attribute lo: -1 columns"},
		{head + "%1:src f32[3] = slice %0 lo=1 hi=9", "line 3: slice: columns [1, 9) of row shape [3]"},
		{head + "%1:src f32[3] = input name=h", "line 3: attribute name"},
		{head + "%1:dst f32[3] = neg %0", "line 3: neg gives src f32[3], the text says dst f32[3]"},
		{head + "%1:src f32[4] = neg %0", "line 3: neg gives src f32[3], the text says src f32[4]"},
		{head + "%1:src f64[3] = neg %0", "line 3: neg gives src f32[3], the text says src f64[3]"},
		{head + "%1:src f64[3] = input name=\"k\"", "line 3: f64 input in a f32 program"},
		{head + "%1:dst f32[4] = input name=\"h\"", "line 3: input: vertex h has rows f32[3] and rows f32[4]"},
		{head + "%1:edge f32[3] = dropout %0 num=1.5 site=0 res=edge", "line 3: dropout: probability 1.5"},
		{head + "%1:edge f32[3] = softmax %0 dir=out", "line 3: softmax: a src value is the same on all out-edges"},
		{head + "%1:src f32[3] = reshape %0 shape=[2,2]", "line 3: reshape: row shape [2 2] has not the 3 elements of [3]"},
		{head + "%1:dst i32[3] = argmax %0 dir=in\n%2:dst i32[3] = neg %1", "line 4: neg: operand 0 is an id"},
		{head + "%1:dst i32[3] = argmax %0 dir=in\n%2:src i32[3] = sum %1 dir=out", "line 4: sum: operand 0 is an id"},
		{two + "%2:src f32[] = degree dir=in res=param", "line 4: degree: only vertices have a degree"},
		{head + "output \"out\"", "line 3: want: output"},
		{head + "output out %0", "line 3: output name out"},
		{head + "output \"out\" %7", `line 3: "%7" names no value above`},
		{head + "output \"out\" %0\noutput \"out\" %0", `line 4: two outputs are named "out"`},
		{"program p f32 bipartite {\n%0:src f32[] = degree dir=in res=src", "line 2: degree: a src vertex of a bipartite graph has no in-edges"},
		{"program p f32 bipartite {\n%0:src f32[3] = input name=\"h\"\n%1:dst f32[3] = view %0 res=dst", "line 3: view: sources and destinations of a bipartite graph"},
	} {
		p, err := ir.Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\nerror %v, want %q", c.text, err, c.want)
		}
		if err != nil && p != nil {
			t.Errorf("%s\ngives a program with its error", c.text)
		}
	}
}

// Whatever the text: no panic, and what parses is valid and prints as what
// parses to the same text.
func FuzzParse(f *testing.F) {
	for _, p := range irtest.Layers() {
		f.Add(p.String())
	}
	for seed := range uint64(10) {
		f.Add(irtest.New(seed).Program.String())
	}
	f.Add("program p f32 {\n%0:src f32[2] = input name=\"a#\\\"b\" # c\n output \"\" %0\n}")
	f.Add("program \"a b\" f64 bipartite {\n%0:param f64[] = const num=NaN\n}")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ir.Parse(text)
		if err != nil {
			return
		}
		if err := ir.Check(p); err != nil {
			t.Fatalf("parsed, but %v\n%s", err, text)
		}
		once := p.String()
		q, err := ir.Parse(once)
		if err != nil {
			t.Fatalf("%v in its own print\n%s", err, once)
		}
		if twice := q.String(); twice != once {
			t.Fatalf("prints\n%sthen\n%s", once, twice)
		}
	})
}
