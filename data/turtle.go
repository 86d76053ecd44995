// RDF triples: the Turtle language (W3C 2014) as far as data sets use it, of
// which N-Triples is a part, and which N3 files without rules are written in.

package data

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// eachTriple reads Turtle and calls emit with every triple, in the order in
// which they end. A term is an IRI without brackets, a blank node beginning with
// "_:", or a literal as N-Triples writes it, beginning with a quote. IRIs are
// resolved against a base only by appending; a blank node without a name gets
// one that no file can hold.
func eachTriple(file string, r io.Reader, emit func(s, p, o string) error) error {
	t := &turtle{scanner: newScanner(file, r), emit: emit, prefixes: make(map[string]string)}
	for {
		t.skip()
		if t.atEnd() {
			if t.err != nil {
				return t.errorf("")
			}
			return nil
		}
		if err := t.statement(); err != nil {
			return err
		}
	}
}

type turtle struct {
	*scanner
	emit     func(s, p, o string) error
	prefixes map[string]string
	base     string
	blanks   int // blank nodes without a name
	depth    int
}

// maxIRI bounds the bytes of an IRI, also of one that a prefix or a base stands
// for: each of them stands in few bytes of the text.
const maxIRI = 64 << 10

const (
	rdfNamespace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xsdNamespace = "http://www.w3.org/2001/XMLSchema#"
)

// statement reads a directive or the triples of one subject.
func (t *turtle) statement() error {
	if t.peek(0) == '@' {
		t.take()
		word, err := t.takeWhile(isLetter)
		if err != nil {
			return err
		}
		if err := t.directive(word); err != nil {
			return err
		}
		return t.expect('.')
	}
	if word, ok := t.keyword("PREFIX", "BASE"); ok {
		return t.directive(word)
	}
	list := t.peek(0) == '['
	subject, err := t.term(false)
	if err != nil {
		return err
	}
	t.skip()
	if !list || t.peek(0) != '.' { // a list of properties may stand alone
		if err := t.properties(subject); err != nil {
			return err
		}
	}
	return t.expect('.')
}

// keyword reads one of some words that stand before a blank, in any case.
func (t *turtle) keyword(words ...string) (string, bool) {
	for _, word := range words {
		b, _ := t.r.Peek(len(word) + 1)
		if len(b) > len(word) && strings.EqualFold(string(b[:len(word)]), word) && isBlank(b[len(word)]) {
			for range word {
				t.take()
			}
			return strings.ToLower(word), true
		}
	}
	return "", false
}

func (t *turtle) directive(word string) error {
	t.skip()
	switch word {
	case "prefix":
		name, err := t.prefixName()
		if err != nil {
			return err
		}
		if t.peek(0) != ':' {
			return t.errorf("no colon after the prefix %.40q", name)
		}
		t.take()
		t.skip()
		iri, err := t.iri()
		if err != nil {
			return err
		}
		if len(t.prefixes) >= maxMembers {
			return t.errorf("more than %d prefixes", maxMembers)
		}
		t.prefixes[name] = iri
		return nil
	case "base":
		iri, err := t.iri()
		t.base = iri
		return err
	}
	return t.errorf("@%.40s is not read", word)
}

// expect reads blanks and one given byte.
func (t *turtle) expect(want byte) error {
	t.skip()
	if t.atEnd() {
		return t.errorf("the text ends where %q should be", want)
	}
	if got := t.peek(0); got != want {
		return t.errorf("%q where %q should be", got, want)
	}
	t.take()
	return nil
}

// properties reads predicates and objects of a subject, up to what ends them.
func (t *turtle) properties(subject string) error {
	for {
		t.skip()
		predicate, err := t.predicate()
		if err != nil {
			return err
		}
		for {
			t.skip()
			object, err := t.term(true)
			if err != nil {
				return err
			}
			if err := t.emit(subject, predicate, object); err != nil {
				return t.errorf("%w", err)
			}
			t.skip()
			if t.peek(0) != ',' {
				break
			}
			t.take()
		}
		if t.peek(0) != ';' {
			return nil
		}
		for t.peek(0) == ';' { // several are allowed, and one at the end
			t.take()
			t.skip()
		}
		if c := t.peek(0); c == '.' || c == ']' {
			return nil
		}
	}
}

func (t *turtle) predicate() (string, error) {
	if next := t.peek(1); t.peek(0) == 'a' && (isBlank(next) || next == '<' || next == '[' || next == '"') {
		t.take()
		return rdfNamespace + "type", nil
	}
	if t.peek(0) == '<' {
		return t.iri()
	}
	return t.prefixed()
}

// term reads a subject or an object.
func (t *turtle) term(literals bool) (string, error) {
	switch c := t.peek(0); {
	case t.atEnd():
		return "", t.errorf("the text ends where a term should be")
	case c == '<':
		return t.iri()
	case c == '[':
		return t.blank()
	case c == '(':
		return t.collection()
	case c == '_' && t.peek(1) == ':':
		t.take()
		t.take()
		name, err := t.localName()
		if err == nil && name == "" {
			err = t.errorf("a blank node without a name")
		}
		return "_:" + name, err
	case !literals:
		return t.prefixed()
	case c == '"' || c == '\'':
		return t.literal()
	case isDigit(c) || c == '+' || c == '-' || c == '.' && isDigit(t.peek(1)):
		return t.number()
	}
	return t.prefixed()
}

// iri reads <…>.
func (t *turtle) iri() (string, error) {
	if t.peek(0) != '<' {
		return "", t.errorf("%q where < should be", t.peek(0))
	}
	t.take()
	var iri []byte
	for {
		switch c := t.take(); {
		case c == '>':
			if t.base != "" && !strings.Contains(string(iri), ":") {
				return t.join(t.base, string(iri))
			}
			return t.join("", string(iri))
		case len(iri) > maxIRI: // there is more to come
			return t.join("", string(iri))
		case c <= ' ' || c == '<' || c == '"':
			return "", t.errorf("an IRI that begins with %.40q has no end", iri)
		case c == '\\':
			r, err := t.escape(false)
			if err != nil {
				return "", err
			}
			iri = utf8.AppendRune(iri, r)
		default:
			iri = append(iri, c)
		}
	}
}

// join makes an IRI of what a base or a prefix stands for and the rest.
func (t *turtle) join(namespace, rest string) (string, error) {
	if len(namespace)+len(rest) > maxIRI {
		return "", t.errorf("an IRI is longer than %d bytes", maxIRI)
	}
	return namespace + rest, nil
}

// prefixName reads what stands before a colon: a name whose dots do not end it.
func (t *turtle) prefixName() (string, error) {
	return t.takeWhile(func(c byte) bool { return isName(c) || c == '.' && isName(t.peek(1)) })
}

// prefixed reads prefix:name, true or false.
func (t *turtle) prefixed() (string, error) {
	prefix, err := t.prefixName()
	if err != nil {
		return "", err
	}
	if t.peek(0) != ':' {
		if prefix == "true" || prefix == "false" {
			return `"` + prefix + `"^^<` + xsdNamespace + "boolean>", nil
		}
		if t.atEnd() {
			return "", t.errorf("the text ends where a term should be")
		}
		return "", t.errorf("%.40q is not a term", prefix+string(rune(t.peek(0))))
	}
	t.take()
	iri, ok := t.prefixes[prefix]
	if !ok {
		return "", t.errorf("the prefix %.40q is not declared", prefix)
	}
	name, err := t.localName()
	if err != nil {
		return "", err
	}
	return t.join(iri, name)
}

// localName reads a name whose dots do not end it.
func (t *turtle) localName() (string, error) {
	var name []byte
	for {
		c := t.peek(0)
		switch {
		case c == '\\' && t.peek(1) > ' ':
			t.take() // what follows stands for itself
		case c == '.' && isName(t.peek(1)), c == ':', c == '%', c != 0 && isName(c):
		default:
			return string(name), nil
		}
		if name = append(name, t.take()); len(name) > maxLine {
			return "", t.errorf("a name is longer than %d bytes", maxLine)
		}
	}
}

// newBlank names a blank node as no file can: a name has no bracket.
func (t *turtle) newBlank() string {
	t.blanks++
	return "_:[" + strconv.Itoa(t.blanks) + "]"
}

func (t *turtle) enter() error {
	if t.depth++; t.depth > maxNesting {
		return t.errorf("nested deeper than %d", maxNesting)
	}
	t.take()
	t.skip()
	return nil
}

// blank reads [ … ], the properties of a blank node.
func (t *turtle) blank() (string, error) {
	if err := t.enter(); err != nil {
		return "", err
	}
	defer func() { t.depth-- }()
	node := t.newBlank()
	if t.peek(0) != ']' {
		if err := t.properties(node); err != nil {
			return "", err
		}
	}
	return node, t.expect(']')
}

// collection reads ( … ), which stands for the cells of a list.
func (t *turtle) collection() (string, error) {
	if err := t.enter(); err != nil {
		return "", err
	}
	defer func() { t.depth-- }()
	first, last := rdfNamespace+"nil", ""
	for t.skip(); t.peek(0) != ')'; t.skip() {
		item, err := t.term(true)
		if err != nil {
			return "", err
		}
		cell := t.newBlank()
		if last == "" {
			first = cell
		} else if err := t.emit(last, rdfNamespace+"rest", cell); err != nil {
			return "", t.errorf("%w", err)
		}
		if err := t.emit(cell, rdfNamespace+"first", item); err != nil {
			return "", t.errorf("%w", err)
		}
		last = cell
	}
	t.take()
	if last != "" {
		if err := t.emit(last, rdfNamespace+"rest", rdfNamespace+"nil"); err != nil {
			return "", t.errorf("%w", err)
		}
	}
	return first, nil
}

// literal reads a string with its language or type.
func (t *turtle) literal() (string, error) {
	text, err := t.quoted()
	if err != nil {
		return "", err
	}
	value := quoteLiteral(text)
	switch {
	case t.peek(0) == '@':
		t.take()
		language, err := t.takeWhile(func(c byte) bool { return isLetter(c) || c == '-' || isDigit(c) })
		if err == nil && language == "" {
			err = t.errorf("a literal without the name of its language")
		}
		return value + "@" + language, err
	case t.peek(0) == '^' && t.peek(1) == '^':
		t.take()
		t.take()
		t.skip()
		var kind string
		if t.peek(0) == '<' {
			kind, err = t.iri()
		} else {
			kind, err = t.prefixed()
		}
		return value + "^^<" + kind + ">", err
	}
	return value, nil
}

// quoted reads a string in one or three quotes of either kind.
func (t *turtle) quoted() (string, error) {
	quote := t.take()
	long := t.peek(0) == quote && t.peek(1) == quote
	if long {
		t.take()
		t.take()
	}
	start := t.line
	var text []byte
	for {
		if t.atEnd() || len(text) > maxLine {
			return "", t.errorf("the string that begins in line %d has no end", start)
		}
		c := t.take()
		switch {
		case c == quote && !long:
			return string(text), nil
		case c == quote && t.peek(0) == quote && t.peek(1) == quote:
			for t.peek(2) == quote { // a quote right before the end
				if text = append(text, t.take()); len(text) > maxLine {
					return "", t.errorf("the string that begins in line %d has no end", start)
				}
			}
			t.take()
			t.take()
			return string(text), nil
		case (c == '\n' || c == '\r') && !long:
			return "", t.errorf("the string that begins in line %d has no end", start)
		case c == '\\':
			r, err := t.escape(true)
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, r)
		default:
			text = append(text, c)
		}
	}
}

// escape reads what follows a backslash: a code point, or in strings also a
// letter.
func (t *turtle) escape(letters bool) (rune, error) {
	c := t.take()
	digits := 0
	switch c {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits > 0 {
		hex := make([]byte, digits)
		for i := range hex {
			hex[i] = t.take()
		}
		x, err := strconv.ParseUint(string(hex), 16, 32)
		// Halves of surrogate pairs have no form in UTF-8: all would be the same character.
		if err != nil || x > utf8.MaxRune || !utf8.ValidRune(rune(x)) {
			return 0, t.errorf("%q is not a code point of a character", hex)
		}
		return rune(x), nil
	}
	if i := strings.IndexByte(`tbnrf"'\`, c); letters && i >= 0 {
		return rune("\t\b\n\r\f\"'\\"[i]), nil
	}
	return 0, t.errorf(`\%c is not an escape`, c)
}

// quoteLiteral writes a string as N-Triples does.
func quoteLiteral(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(text) + `"`
}

// number reads an integer, a decimal or a double.
func (t *turtle) number() (string, error) {
	var text []byte
	kind := "integer"
	for {
		c, next := t.peek(0), t.peek(1)
		switch {
		case isDigit(c), len(text) == 0 && (c == '+' || c == '-'):
		case c == '.' && kind == "integer" && (isDigit(next) || next == 'e' || next == 'E'):
			kind = "decimal"
		case (c == 'e' || c == 'E') && kind != "double":
			kind = "double"
			if next == '+' || next == '-' {
				text = append(text, t.take())
			}
		default:
			if _, err := strconv.ParseFloat(string(text), 64); err != nil {
				return "", t.errorf("%.40q is not a number", text)
			}
			return `"` + string(text) + `"^^<` + xsdNamespace + kind + ">", nil
		}
		if text = append(text, t.take()); len(text) > 400 {
			return "", t.errorf("%.40q is not a number", text)
		}
	}
}

func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// isName tells whether a byte may stand in a name. Bytes of other alphabets all
// may.
func isName(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c >= utf8.RuneSelf
}
