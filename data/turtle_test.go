// Tests of the reader of RDF triples.

package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// triplesOf reads a text and returns its triples, written with blanks between.
func triplesOf(text string) (triples []string, err error) {
	err = eachTriple("f", strings.NewReader(text), func(s, p, o string) error {
		triples = append(triples, s+" "+p+" "+o)
		return nil
	})
	return triples, err
}

func TestTurtleIsRead(t *testing.T) {
	const typ = rdfNamespace + "type"
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing":       {" # only a comment", nil},
		"N-Triples":     {"<s> <p> <o> .\n<s> <p> \"o\" .\n_:x <p> _:y1.\n", []string{"s p o", `s p "o"`, "_:x p _:y1"}},
		"no blanks":     {"<s><p><o>,<q>;<r>_:x.<s><p><t>.", []string{"s p o", "s p q", "s r _:x", "s p t"}},
		"lists":         {"<s> <p> <o> , <q> ; <r> <t> ; ; .", []string{"s p o", "s p q", "s r t"}},
		"prefixes":      {"@prefix : <http://a#> .\nPREFIX b: <http://b/>\n:s a b:o.\nb:x.y :p b: .", []string{"http://a#s " + typ + " http://b/o", "http://b/x.y http://a#p http://b/"}},
		"base":          {"@base <http://a/> . <s> <p> <http://b> . BASE <http://c/> <s> <p> <o> .", []string{"http://a/s http://a/p http://b", "http://c/s http://c/p http://c/o"}},
		"the document":  {"<> a <o> .", []string{" " + typ + " o"}},
		"blank":         {"<s> <p> [ <q> <o>; <r> [] ] .", []string{"_:[1] q o", "_:[1] r _:[2]", "s p _:[1]"}},
		"blank subject": {"[ <q> <o> ] <p> <t> . [ <q> <u> ] .", []string{"_:[1] q o", "_:[1] p t", "_:[2] q u"}},
		"collection":    {"<s> <p> (<a> \"b\") , () .", []string{"_:[1] " + rdfNamespace + "first a", "_:[1] " + rdfNamespace + "rest _:[2]", "_:[2] " + rdfNamespace + `first "b"`, "_:[2] " + rdfNamespace + "rest " + rdfNamespace + "nil", "s p _:[1]", "s p " + rdfNamespace + "nil"}},
		"literals":      {`@prefix x: <http://x#> . <s> <p> "a"@en-GB , 'b'^^<t> , "c"^^x:d .`, []string{`s p "a"@en-GB`, `s p "b"^^<t>`, `s p "c"^^<http://x#d>`}},
		"long literals": {"<s> <p> \"\"\"a\n\"b\"\"\"\" , '''c''', \"\" .", []string{`s p "a\n\"b\""`, `s p "c"`, `s p ""`}},
		"escapes":       {`<s\u0041> <p> "\t\"\\\u00e4\U0001F600\n" .`, []string{"sA p \"\t\\\"\\\\ä😀\\n\""}},
		"numbers":       {"<s> <p> 1 , -2.5 , 1e3 , +.5E-1 , true . <s> <p> 7.", []string{`s p "1"^^<` + xsdNamespace + `integer>`, `s p "-2.5"^^<` + xsdNamespace + `decimal>`, `s p "1e3"^^<` + xsdNamespace + `double>`, `s p "+.5E-1"^^<` + xsdNamespace + `double>`, `s p "true"^^<` + xsdNamespace + `boolean>`, `s p "7"^^<` + xsdNamespace + `integer>`}},
		"a decimal without a digit before the point": {"<s> <p> .5 , .25.", []string{`s p ".5"^^<` + xsdNamespace + `decimal>`, `s p ".25"^^<` + xsdNamespace + `decimal>`}},
		"dots in a prefix":                           {"@prefix a.b: <x> . a.b:c a.b:d true.", []string{`xc xd "true"^^<` + xsdNamespace + `boolean>`}},
		"comments":                                   {"<s> # x <p>\n<p> <o#p> . # y", []string{"s p o#p"}},
		"escaped name":                               {"@prefix : <x> . :a\\,b :p :c%20d:e .", []string{"xa,b xp xc%20d:e"}},
		"other alphabet":                             {"@prefix ä: <x> . ä:ö ä:ü ä:ß .", []string{"xö xü xß"}},
	} {
		got, err := triplesOf(tt.text)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, tt.want)
		}
	}
}

// hostileTurtle is texts that are refused with the given words.
var hostileTurtle = []struct{ name, text, want string }{
	{"cut subject", "<s> <p> <o> .\n<s", `f:2: an IRI that begins with "s" has no end`},
	{"cut after subject", "<s> ", "f:1: the text ends where a term should be"},
	{"cut predicate", "<s> <p> ", "f:1: the text ends where a term should be"},
	{"cut statement", "<s> <p> <o>\n", `f:2: the text ends where '.' should be`},
	{"cut literal", "<s> <p>\n\"o", "f:2: the string that begins in line 2 has no end"},
	{"cut long literal", "<s> <p>\n\"\"\"o\n\n", "f:4: the string that begins in line 2 has no end"},
	{"line in a literal", "<s> <p> \"o\n\" .", "the string that begins in line 1 has no end"},
	{"cut list", "<s> <p> [ <q> <o>", "f:1: the text ends where ']' should be"},
	{"cut collection", "<s> <p> ( <o>", "the text ends where a term should be"},
	{"blank in an IRI", "<s t> <p> <o> .", `an IRI that begins with "s" has no end`},
	{"unknown prefix", "<s> <p> x:y .", `the prefix "x" is not declared`},
	{"literal subject", "\"s\" <p> <o> .", `"\"" is not a term`},
	{"literal predicate", "<s> \"p\" <o> .", `is not a term`},
	{"no dot", "<s> <p> <o> <q> .", `f:1: '<' where '.' should be`},
	{"rules", "{ <s> <p> <o> } => { } .", `"{" is not a term`},
	{"directive", "@keywords a .", "@keywords is not read"},
	{"prefix without colon", "@prefix x <y> .", `no colon after the prefix "x"`},
	{"prefix without IRI", "@prefix x: y .", "where < should be"},
	{"escape", `<s> <p> "\x" .`, `\x is not an escape`},
	{"code point", `<s> <p> "\uD8G0" .`, "is not a code point"},
	{"half of a pair", `<s> <p> "\uD83D\uDE00" .`, "is not a code point"},
	{"half of a pair in an IRI", `<s\uDC00> <p> <o> .`, "is not a code point"},
	{"large code point", `<s> <p> "\UFFFFFFFF" .`, "is not a code point"},
	{"number", "<s> <p> +- .", `"+" is not a number`},
	{"number of digits", "<s> <p> " + strings.Repeat("1", 1000) + " .", "is not a number"},
	{"language", "<s> <p> \"o\"@ .", "without the name of its language"},
	{"blank without name", "_: <p> <o> .", "a blank node without a name"},
	{"nesting", "<s> <p> " + strings.Repeat("[ <p> ", 100), "f:1: nested deeper than 64"},
	{"collections", "<s> <p> " + strings.Repeat("( ", 100), "f:1: nested deeper than 64"},
	{"bytes", "\x00\x01\x02", "is not a term"},
	{"endless IRI", "<s> <p> <" + strings.Repeat("o", maxLine+100) + "> .", "f:1: an IRI is longer than 65536 bytes"},
	{"endless base", "@base <" + strings.Repeat("b", maxIRI) + "> . <s:s> <p:p>\n<o> .", "f:2: an IRI is longer than"},
	{"base of a base", "@base <" + strings.Repeat("b", maxIRI) + "> . @base <b> .", "f:1: an IRI is longer than"},
	{"endless prefix", "@prefix : <" + strings.Repeat("b", maxIRI) + "> . <s> <p>\n:o .", "f:2: an IRI is longer than"},
	{"prefix of a base", "@base <" + strings.Repeat("b", maxIRI) + "> . @prefix : <b> .", "f:1: an IRI is longer than"},
	{"endless datatype", "@prefix : <" + strings.Repeat("b", maxIRI) + "> . <s> <p>\n\"o\"^^:o .", "f:2: an IRI is longer than"},
	{"endless quotes", `<s> <p> """` + strings.Repeat(`"`, maxLine+100) + " .", "the string that begins in line 1 has no end"},
	{"endless name", "@prefix : <x> . :s :p :" + strings.Repeat("o", maxLine+100) + " .", "a name is longer than"},
}

func TestHostileTurtleIsRefused(t *testing.T) {
	for _, tt := range hostileTurtle {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, tt.want, func() error { _, err := triplesOf(tt.text); return err })
		})
	}
	// What the one who is told says is a fault of the line.
	err := eachTriple("f", strings.NewReader("\n<s> <p> <o> ."), func(s, p, o string) error { return errors.New("enough") })
	if err == nil || err.Error() != "f:2: enough" {
		t.Errorf("error %v", err)
	}
}

func TestIRIsAreReadUpToTheirLimit(t *testing.T) {
	long := strings.Repeat("b", maxIRI-1)
	for _, text := range []string{
		"<s:s> <p:p> <" + long + "o> .",
		"@base <" + long + "> . <s:s> <p:p> <o> .",
		"@prefix : <" + long + "> . <s:s> <p:p> :o .",
	} {
		if got, err := triplesOf(text); err != nil || len(got) != 1 || got[0] != "s:s p:p "+long+"o" {
			t.Errorf("%.20q: %.40q, error %v", text, got, err)
		}
	}
}

// FuzzTriples reads what it read again, written as N-Triples.
func FuzzTriples(f *testing.F) {
	for _, tt := range hostileTurtle {
		if len(tt.text) < 5000 {
			f.Add(tt.text)
		}
	}
	f.Add("@prefix : <http://a#> .\n:s a [ :p ( 1 2.5 ) ; :q \"x\"@en, '''y\n'''^^:t ] .")
	f.Add(`<s> <p> "\t\"\\\u00e4\U0001F600\n" . _:x <p> _:y .`)
	f.Fuzz(func(t *testing.T, text string) {
		triples, err := triplesOf(text)
		if err != nil {
			var fault *FileError
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Line > strings.Count(text, "\n")+1 {
				t.Errorf("error %v", err)
			}
			return
		}
		var nt strings.Builder
		err = eachTriple("f", strings.NewReader(text), func(s, p, o string) error {
			for _, term := range []string{s, p, o} {
				if !strings.HasPrefix(term, `"`) {
					// Names of blank nodes are not all of N-Triples.
					term = "<" + fmt.Sprintf("%x", term) + ">"
				}
				nt.WriteString(term + " ")
			}
			nt.WriteString(".\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		again, err := triplesOf(nt.String())
		if err != nil || len(again) != len(triples) {
			t.Errorf("%d triples, again %d, error %v", len(triples), len(again), err)
		}
	})
}
