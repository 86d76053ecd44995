package ir

// Reading the text form of a program back.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxDim bounds each dimension and the width of a row in program text, so that
// hostile text cannot ask for huge rows.
const maxDim = 1 << 24

// Parse reads what Program.String prints. The residency, type and shape that
// the text gives each value are checked against those its op infers. Text after
// # on a line is a comment.
func Parse(text string) (p *Program, err error) {
	ps := parser{}
	for i, line := range strings.Split(text, "\n") {
		f := splitFields(strings.TrimSpace(line))
		if len(f) == 0 {
			continue
		}
		if err := ps.line(f); err != nil {
			return nil, fmt.Errorf("ir: line %d: %w", i+1, err)
		}
	}
	if !ps.closed {
		return nil, fmt.Errorf("ir: program is not closed with }")
	}
	return ps.p, nil
}

type parser struct {
	p      *Program
	closed bool
}

func (ps *parser) line(f []string) error {
	switch {
	case ps.closed:
		return fmt.Errorf("text after }")
	case ps.p == nil:
		return ps.header(f)
	case len(f) == 1 && f[0] == "}":
		ps.closed = true
		return nil
	case f[0] == "output":
		return ps.output(f)
	}
	return ps.value(f)
}

// splitFields splits at spaces outside quotes and brackets, up to a comment.
func splitFields(line string) []string {
	var out []string
	quoted, escaped, depth, start, end := false, false, 0, -1, len(line)
	for i, c := range line {
		switch {
		case escaped:
			escaped = false
		case c == '\\' && quoted:
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '#':
			end = i
		}
		if i == end {
			break
		}
		if c == ' ' && !quoted && depth <= 0 {
			if start >= 0 {
				out = append(out, line[start:i])
				start = -1
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, strings.TrimSpace(line[start:end]))
	}
	return out
}

func (ps *parser) header(f []string) error {
	if len(f) < 4 || f[0] != "program" || f[len(f)-1] != "{" {
		return fmt.Errorf("want: program NAME f32|f64 [bipartite] [types=SRC,DST,EDGE] and an opening brace")
	}
	typ := slices.Index(dtypeNames[:I32], f[2])
	if typ < 0 {
		return fmt.Errorf("program of type %q", f[2])
	}
	name := f[1]
	if name[0] == '"' {
		var err error
		if name, err = strconv.Unquote(name); err != nil {
			return fmt.Errorf("program name %s: %w", f[1], err)
		}
	}
	ps.p = &Program{Name: name, Type: DType(typ)}
	rest := f[3 : len(f)-1]
	if len(rest) > 0 && rest[0] == "bipartite" {
		ps.p.Bipartite = true
		rest = rest[1:]
	}
	if len(rest) > 0 && strings.HasPrefix(rest[0], "types=") {
		var err error
		if ps.p.Types, err = parseTypes(strings.TrimPrefix(rest[0], "types="), ps.p.Bipartite); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%q in the program's first line", rest[0])
	}
	return nil
}

func parseTypes(s string, bipartite bool) (t Types, err error) {
	f := strings.Split(s, ",")
	if len(f) != 3 {
		return t, fmt.Errorf("types=%s: want three numbers", s)
	}
	for i, n := range []*int{&t.Src, &t.Dst, &t.Edge} {
		if *n, err = strconv.Atoi(f[i]); err != nil || *n < 0 || *n > maxDim {
			return t, fmt.Errorf("types=%s: %q types", s, f[i])
		}
	}
	if !bipartite && t.Src != t.Dst {
		return t, fmt.Errorf("types=%s: sources and destinations are the same vertices", s)
	}
	return t, nil
}

func (ps *parser) output(f []string) error {
	if len(f) != 3 {
		return fmt.Errorf(`want: output "name" %%id`)
	}
	name, err := strconv.Unquote(f[1])
	if err != nil {
		return fmt.Errorf("output name %s: %w", f[1], err)
	}
	if slices.ContainsFunc(ps.p.Outputs, func(o Output) bool { return o.Name == name }) {
		return fmt.Errorf("two outputs are named %q", name)
	}
	v, err := ps.ref(f[2])
	if err != nil {
		return err
	}
	ps.p.Outputs = append(ps.p.Outputs, Output{Name: name, Value: v})
	return nil
}

func (ps *parser) ref(s string) (*Value, error) {
	id, err := strconv.Atoi(strings.TrimPrefix(s, "%"))
	if err != nil || s[0] != '%' || id < 0 || id >= len(ps.p.Values) {
		return nil, fmt.Errorf("%q names no value above", s)
	}
	return ps.p.Values[id], nil
}

// value reads: %id:res typeshape = op args attrs
func (ps *parser) value(f []string) error {
	if len(f) < 4 || f[2] != "=" {
		return fmt.Errorf("want: %%id:residency type[shape] = op and its operands and attributes")
	}
	id, res, ok := strings.Cut(f[0], ":")
	if want := "%" + strconv.Itoa(len(ps.p.Values)); !ok || id != want {
		return fmt.Errorf("value %q, want %s", f[0], want)
	}
	r := slices.Index(residencyNames[:], res)
	if r < 0 {
		return fmt.Errorf("unknown residency %q", res)
	}
	open := strings.IndexByte(f[1], '[')
	if open < 0 {
		return fmt.Errorf("type %q has no shape", f[1])
	}
	typ := slices.Index(dtypeNames[:], f[1][:open])
	if typ < 0 {
		return fmt.Errorf("unknown type %q", f[1])
	}
	shape, err := parseShape(f[1][open:], " ")
	if err != nil {
		return err
	}
	op, ok := opByName(f[3])
	if !ok {
		return fmt.Errorf("unknown op %q", f[3])
	}
	v := &Value{ID: len(ps.p.Values), Op: op, Type: ps.p.Type}
	rest := f[4:]
	for len(rest) > 0 && rest[0][0] == '%' {
		a, err := ps.ref(rest[0])
		if err != nil {
			return err
		}
		v.Args = append(v.Args, a)
		rest = rest[1:]
	}
	if n := op.Info().Arity; n >= 0 && len(v.Args) != n || n < 0 && len(v.Args) == 0 {
		return fmt.Errorf("%v has %d operands, want %d", op, len(v.Args), n)
	}
	if err := v.parseAttrs(rest); err != nil {
		return err
	}
	if op == OpInput {
		v.Res, v.Type, v.Shape = Residency(r), DType(typ), shape
		if v.Type != I32 && v.Type != ps.p.Type {
			return fmt.Errorf("%v input in a %v program", v.Type, ps.p.Type)
		}
	}
	if err := infer(ps.p, v); err != nil {
		return fmt.Errorf("%v: %w", op, err)
	}
	if v.Width() > maxDim {
		return fmt.Errorf("%v: row shape %v is too wide", op, v.Shape)
	}
	if v.Res != Residency(r) || v.Type != DType(typ) || !v.Shape.Equal(shape) {
		return fmt.Errorf("%v gives %v %v%v, the text says %s %s", op, v.Res, v.Type, v.Shape, res, f[1])
	}
	ps.p.Values = append(ps.p.Values, v)
	return nil
}

func parseShape(s, sep string) (Shape, error) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil, fmt.Errorf("shape %q", s)
	}
	shape, size := Shape{}, 1
	if s = s[1 : len(s)-1]; s == "" {
		return shape, nil
	}
	for d := range strings.SplitSeq(s, sep) {
		n, err := strconv.Atoi(d)
		if err != nil || n < 0 || n > maxDim {
			return nil, fmt.Errorf("dimension %q", d)
		}
		if size *= max(n, 1); size > maxDim {
			return nil, fmt.Errorf("shape [%s] is too large", s)
		}
		shape = append(shape, n)
	}
	return shape, nil
}

func (v *Value) parseAttrs(fields []string) error {
	for _, key := range v.Op.Info().Attrs {
		key, optional := strings.CutSuffix(key, "?")
		val, ok := "", false
		if len(fields) > 0 {
			val, ok = strings.CutPrefix(fields[0], key+"=")
		}
		switch {
		case ok:
			fields = fields[1:]
		case optional:
			continue
		case len(fields) > 0:
			return fmt.Errorf("attribute %q where %s=VALUE is wanted", fields[0], key)
		default:
			return fmt.Errorf("attribute %s=VALUE is missing", key)
		}
		if err := v.setAttr(key, val); err != nil {
			return fmt.Errorf("attribute %s: %w", key, err)
		}
		if optional && v.Attr.isZero(key) {
			return fmt.Errorf("attribute %s=%s says nothing", key, val)
		}
	}
	if len(fields) > 0 {
		return fmt.Errorf("%v has no attribute %q", v.Op, fields[0])
	}
	return nil
}

func (v *Value) setAttr(key, val string) (err error) {
	a := &v.Attr
	switch key {
	case "num":
		a.Num, err = strconv.ParseFloat(val, 64)
	case "num2":
		a.Num2, err = strconv.ParseFloat(val, 64)
	case "name":
		a.Name, err = strconv.Unquote(val)
	case "dir":
		switch val {
		case "in":
			a.Dir = In
		case "out":
			a.Dir = Out
		default:
			err = fmt.Errorf("direction %q", val)
		}
	case "res":
		a.Res, err = parseResidency(val)
	case "to":
		a.To, err = parseResidency(val)
	case "typed":
		a.Typed, err = strconv.ParseBool(val)
	case "heads":
		a.Heads, err = strconv.ParseBool(val)
	case "shape":
		a.Shape, err = parseShape(val, ",")
	case "lo":
		a.Lo, err = parseColumns(val)
	case "hi":
		a.Hi, err = parseColumns(val)
	case "site":
		a.Site, err = strconv.Atoi(val)
	}
	return err
}

func parseResidency(s string) (Residency, error) {
	r := slices.Index(residencyNames[:], s)
	if r < 0 {
		return 0, fmt.Errorf("residency %q", s)
	}
	return Residency(r), nil
}

func parseColumns(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && (n < 0 || n > maxDim) {
		err = fmt.Errorf("%d columns", n)
	}
	return n, err
}
