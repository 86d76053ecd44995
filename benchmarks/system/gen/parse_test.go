package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestSignaturesAreRead(t *testing.T) {
	s, err := Parse("\n status  spmm_scaled ( graph_t g ,const array_t x[N][H][F],\n\tconst array_t w[ E ][H][1], array_t out[N][H][F], op_t op, float a_b)\t;")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range s.Params {
		fmt.Fprintf(&b, "%s/%s %v", p.Name, p.Go(), p.Dims)
		if p.Output {
			b.WriteString(" out")
		}
		if p.Scalar != nil {
			b.WriteString(" " + p.Scalar.Name)
		}
		b.WriteString("; ")
	}
	const want = "x/x [N H F]; w/w [E H 1]; out/out [N H F] out; op/op [] op_t; a_b/aB [] float; "
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
	if s.Name != "spmm_scaled" || s.Graph != "g" || fmt.Sprint(s.Lengths()) != "[N E H F]" {
		t.Errorf("%q of %q, lengths %v", s.Name, s.Graph, s.Lengths())
	}
}

func TestWhatIsNoSignatureIsAnErrorWithItsPlace(t *testing.T) {
	// The mark ¦ is where the error points to.
	const io = "const array_t x[N], array_t y[N]"
	for _, c := range []struct{ text, want string }{
		{"¦", `"status" is expected first, not the end`},
		{"¦void f(graph_t g, " + io + ")", `"status" is expected first, not "void"`},
		{"status ¦(graph_t g)", `the name of the kernel is expected, in small letters, not "("`},
		{"status ¦SpMM(graph_t g)", `in small letters, not "SpMM"`},
		{"status ¦2f(graph_t g)", `in small letters, not "2f"`},
		{"status ¦double(graph_t g)", `"double" means something else in C or Go`},
		{"status ¦graph(graph_t g)", `the generated code has the name "Graph" already`},
		{"status f ¦graph_t g", `"(" is expected after the name, not "graph_t"`},
		{"status f(¦const array_t x[N])", `"graph_t" is expected as the first parameter, not "const"`},
		{"status f(graph_t¦)", `the name of the graph is expected, in small letters, not ")"`},
		{"status f(graph_t g ¦" + io + ")", `")" is expected or "," after a parameter, not "const"`},
		{"status f(graph_t g, ¦)", `a type is expected, not ")"`},
		{"status f(graph_t g, ¦tensor x)", `a type is expected, not "tensor": [const] array_t, bool, int`},
		{"status f(graph_t g, const ¦int x)", `array_t is expected after const, not "int"`},
		{"status f(graph_t g, array_t x¦)", `the shape is expected after array x, such as [N][F], not ")"`},
		{"status f(graph_t g, array_t x[¦])", `a dimension is expected, not "]"`},
		{"status f(graph_t g, array_t x[¦n])", `a dimension is expected, not "n"`},
		{"status f(graph_t g, array_t x[¦0])", `a dimension is expected, not "0"`},
		{"status f(graph_t g, array_t x[¦12345678])", `a dimension is expected, not "12345678"`},
		{"status f(graph_t g, array_t x[¦FF])", `a dimension is expected, not "FF"`},
		{"status f(graph_t g, array_t x[¦-1])", `a dimension is expected, not "-"`},
		{"status f(graph_t g, array_t x[N¦, F])", `"]" is expected after a dimension, not ","`},
		{"status f(graph_t g, array_t x[1][1][1][1]¦[1])", "array x has more than 4 dimensions"},
		{"status f(graph_t g, const array_t x[N], array_t ¦x[N])", `another array has the name "x" already`},
		{"status f(graph_t g, const array_t a_b[N], array_t ¦aB[N])", `in small letters, not "aB"`},
		{"status f(graph_t g, const array_t a_b[N], array_t ¦a__b[N])", `another array has the name "aB" already`},
		{"status f(graph_t g, const array_t x[N], float ¦x_data)", `another array has the name "x_data" already`},
		{"status f(graph_t g, const array_t ¦g[N])", `the graph has the name "g" already`},
		{"status f(graph_t g, const array_t ¦err[N])", `the generated code has the name "err" already`},
		{"status f(graph_t g, const array_t ¦len[N])", `"len" means something else`},
		{"status f(graph_t g, const array_t ¦type_[N])", `"type" means something else in Go`},
		{"status f(graph_t g, const array_t ¦restrict[N])", `"restrict" means something else`},
		{"status f(graph_t g, const array_t ¦linux[N])", `"linux" means something else`},
		{"status f(graph_t g, " + io + ") ¦f", `nothing is expected after the signature, not "f"`},
		{"status f(graph_t g, " + io + ");¦;", `nothing is expected after the signature, not ";"`},
		{"status f(graph_t g, " + io + "¦", `")" is expected or "," after a parameter, not the end`},
		{"status f(graph_t g¦)", "no array is an input"},
		{"status f(graph_t g, const array_t x[N]¦)", "no array is an output"},
		{"status f(graph_t g, const array_t x[N][F], array_t y[N][H]¦)", "length H of output y is not that of an input"},
		{"status f(graph_t g, ¦é)", `not "é"`},
	} {
		at := strings.Index(c.text, "¦")
		text := strings.Replace(c.text, "¦", "", 1)
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, c.want)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if want := fmt.Sprintf("column %d: ", at+1); !strings.HasPrefix(lines[0], want) || lines[1] != "\t"+text || lines[2] != "\t"+strings.Repeat(" ", at)+"^" {
			t.Errorf("want a caret at %s\n%s", want, err)
		}
	}
}

// What is accepted becomes Go that can be formatted, whatever the names; its text is
// accepted again, and says the same.
func FuzzParse(f *testing.F) {
	f.Add(scaled)
	for _, signature := range others {
		f.Add(signature)
	}
	f.Add("status f(graph_t g, array_t x[N")
	f.Add("status \xff(")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			_ = err.Error()
			return
		}
		if _, err := Generate(s, "p"); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(s.Text)
		if err != nil || fmt.Sprint(again.Params) != fmt.Sprint(s.Params) || again.Name != s.Name {
			t.Fatalf("%q is read as %v, %v", s.Text, again, err)
		}
	})
}
