package main

// From the text of a signature to what it says.

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A SyntaxError is a text that is no signature.
type SyntaxError struct {
	Text   string
	Offset int // in bytes, of what is wrong
	Detail string
}

// Error returns the text with a caret below what is wrong.
func (e *SyntaxError) Error() string {
	column := utf8.RuneCountInString(e.Text[:e.Offset])
	return fmt.Sprintf("column %d: %s\n\t%s\n\t%s^", column+1, e.Detail, e.Text, strings.Repeat(" ", column))
}

const maxDims = 4

// Parse reads a signature.
func Parse(text string) (s *Signature, err error) {
	p := &parser{text: oneLine(text)}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *SyntaxError:
			s, err = nil, e
		default:
			panic(e)
		}
	}()
	p.next()
	return p.signature(), nil
}

// oneLine makes spaces of all that separates words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// A parser reads one token ahead. What is wrong leaves it as a panic with a
// *SyntaxError, which Parse returns.
type parser struct {
	text       string
	token      string // "" at the end
	start, end int    // of the token

	used map[string]string // names in C and Go, and what has them
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&SyntaxError{p.text, at, fmt.Sprintf(format, args...)})
}

// next reads a token: a word, a number, or one other character.
func (p *parser) next() {
	at := p.end
	for at < len(p.text) && p.text[at] == ' ' {
		at++
	}
	p.start, p.end = at, at
	for p.end < len(p.text) && isWord(p.text[p.end]) {
		p.end++
	}
	if p.end == p.start && at < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[at:])
		p.end += n
	}
	p.token = p.text[p.start:p.end]
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// found says what the token is, for people.
func (p *parser) found() string {
	if p.token == "" {
		return "the end"
	}
	return strconv.Quote(p.token)
}

// expect reads over a token.
func (p *parser) expect(token, where string) {
	if p.token != token {
		p.fail(p.start, "%s is expected %s, not %s", strconv.Quote(token), where, p.found())
	}
	p.next()
}

// accept reads over a token if it is the next.
func (p *parser) accept(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) signature() *Signature {
	s := &Signature{Text: p.text}
	p.used = make(map[string]string)
	for _, name := range templateNames {
		p.used[name] = "the generated code"
	}
	p.expect("status", "first")
	at := p.start
	s.Name = p.name("of the kernel")
	p.claim(at, "the kernel", Exported(s.Name))
	p.expect("(", "after the name")
	p.expect("graph_t", "as the first parameter")
	at = p.start
	s.Graph = p.name("of the graph")
	p.claim(at, "the graph", s.Graph, Local(s.Graph))
	for p.accept(",") {
		s.Params = append(s.Params, p.param())
	}
	end := p.start
	p.expect(")", "or \",\" after a parameter")
	p.accept(";")
	if p.token != "" {
		p.fail(p.start, "nothing is expected after the signature, not %s", p.found())
	}
	p.check(s, end)
	return s
}

// check looks at the signature as a whole.
func (p *parser) check(s *Signature, end int) {
	if len(s.Inputs()) == 0 {
		p.fail(end, "no array is an input: one at least is const")
	}
	if len(s.Outputs()) == 0 {
		p.fail(end, "no array is an output: one at least is not const")
	}
	known := map[string]bool{"N": true, "E": true}
	for _, in := range s.Inputs() {
		for _, d := range in.Dims {
			known[d] = true
		}
	}
	for _, out := range s.Outputs() {
		for _, d := range out.Dims {
			if isLetter(d) && !known[d] {
				p.fail(end, "length %s of output %s is not that of an input", d, out.Name)
			}
		}
	}
}

func (p *parser) param() Param {
	isConst := p.accept("const")
	if p.token == "array_t" {
		p.next()
		at := p.start
		param := Param{Name: p.name("of an array"), Output: !isConst}
		p.claim(at, "another array", param.Name, param.Go(), param.Data(), param.Gradient())
		if p.token != "[" {
			p.fail(p.start, "the shape is expected after array %s, such as [N][F], not %s", param.Name, p.found())
		}
		for p.token == "[" {
			if len(param.Dims) == maxDims {
				p.fail(p.start, "array %s has more than %d dimensions", param.Name, maxDims)
			}
			p.next()
			param.Dims = append(param.Dims, p.dim())
			p.expect("]", "after a dimension")
		}
		return param
	}
	if isConst {
		p.fail(p.start, "array_t is expected after const, not %s", p.found())
	}
	for _, scalar := range scalars {
		if p.token == scalar.Name {
			p.next()
			at := p.start
			param := Param{Name: p.name("of a parameter"), Scalar: scalar}
			p.claim(at, "another parameter", param.Name, param.Go())
			return param
		}
	}
	p.fail(p.start, "a type is expected, not %s: [const] array_t, bool, int, float, double, op_t, reduce_t or norm_t", p.found())
	return Param{}
}

func (p *parser) dim() string {
	d := p.token
	digits := strings.TrimLeft(d, "0123456789")
	switch {
	case d == "":
	case digits == "" && d[0] != '0' && len(d) <= 6:
		p.next()
		return d
	case isLetter(d) && strings.Trim(d[1:], "0123456789") == "" && len(d) <= 3:
		p.next()
		return d
	}
	p.fail(p.start, "a dimension is expected, not %s: a number, or a capital letter, such as N, E, F or F2", p.found())
	return ""
}

// name reads a name of C.
func (p *parser) name(of string) string {
	name := p.token
	if name == "" || name[0] < 'a' || name[0] > 'z' || strings.ToLower(name) != name {
		p.fail(p.start, "the name %s is expected, in small letters, not %s", of, p.found())
	}
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || reserved[name] {
		p.fail(p.start, "%q means something else in C or Go", name)
	}
	p.next()
	return name
}

// claim gives names to something, as they are spelled in C and Go.
func (p *parser) claim(at int, what string, names ...string) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
			p.fail(at, "%q means something else in Go", name)
		}
		if other := p.used[name]; other != "" {
			p.fail(at, "%s has the name %q already", other, name)
		}
		p.used[name] = what
	}
}

// templateNames are what the templates use where names of the signature are seen.
var templateNames = strings.Fields(`
	Library Open Graph Error
	autograd dlpack errors exec filepath fmt math os purego rand slices strconv strings sync system tensor testing
	arguments allArguments backward cases draw graphs inputs library operand operands outputs reference
	args compare data_of drawn dst err failure gradients handle lent list results run src
	TestKernelMatchesReference TestGradientsMatchCentralDifferences`)

// reserved are the keywords of C and C++, less those that Go has too, and the names that
// compilers define as macros.
var reserved = func() map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(`
		alignas alignof and asm auto bitand bitor bool catch char class compl constexpr delete do double
		enum explicit export extern float friend inline int long mutable namespace new noexcept not
		nullptr operator or private protected public register restrict short signed sizeof static
		template this throw try typedef typeid typename typeof union unsigned using virtual void
		volatile while xor
		linux unix i386
		array_t graph_t op_t reduce_t norm_t status const main`) {
		set[word] = true
	}
	return set
}()
