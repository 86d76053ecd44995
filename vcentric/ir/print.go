package ir

// The text form of a program. Parse reads it back.

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// wordChars make a program name that needs no quotes.
const wordChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

// String prints the program:
//
//	program gcn f32 {
//	  %0:src f32[16] = input name="h"
//	  %1:dst f32[16] = sum %0 dir=in
//	  output "out" %1
//	}
func (p *Program) String() string {
	var b strings.Builder
	kind := ""
	if p.Bipartite {
		kind = " bipartite"
	}
	if p.Types != (Types{}) {
		kind += fmt.Sprintf(" types=%d,%d,%d", p.Types.Src, p.Types.Dst, p.Types.Edge)
	}
	name := p.Name
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return !strings.ContainsRune(wordChars, c) }) {
		name = strconv.Quote(name)
	}
	fmt.Fprintf(&b, "program %s %v%s {\n", name, p.Type, kind)
	for _, v := range p.Values {
		b.WriteString("  ")
		v.print(&b)
		b.WriteByte('\n')
	}
	for _, o := range p.Outputs {
		fmt.Fprintf(&b, "  output %q %%%d\n", o.Name, o.Value.ID)
	}
	b.WriteString("}\n")
	return b.String()
}

// String prints one value as its line of the program.
func (v *Value) String() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v *Value) print(w io.Writer) {
	fmt.Fprintf(w, "%%%d:%v %v%v = %v", v.ID, v.Res, v.Type, v.Shape, v.Op)
	for _, a := range v.Args {
		fmt.Fprintf(w, " %%%d", a.ID)
	}
	io.WriteString(w, v.AttrString())
}

// AttrString prints the attributes that the op has, each as " key=value".
func (v *Value) AttrString() string {
	var b strings.Builder
	for _, key := range v.Op.Info().Attrs {
		key, optional := strings.CutSuffix(key, "?")
		if optional && v.Attr.isZero(key) {
			continue
		}
		b.WriteString(" " + key + "=")
		switch key {
		case "num":
			b.WriteString(strconv.FormatFloat(v.Attr.Num, 'g', -1, 64))
		case "num2":
			b.WriteString(strconv.FormatFloat(v.Attr.Num2, 'g', -1, 64))
		case "name":
			b.WriteString(strconv.Quote(v.Attr.Name))
		case "dir":
			b.WriteString(v.Attr.Dir.String())
		case "res":
			b.WriteString(v.Attr.Res.String())
		case "to":
			b.WriteString(v.Attr.To.String())
		case "typed":
			b.WriteString(strconv.FormatBool(v.Attr.Typed))
		case "heads":
			b.WriteString(strconv.FormatBool(v.Attr.Heads))
		case "shape":
			b.WriteString(strings.ReplaceAll(v.Attr.Shape.String(), " ", ","))
		case "lo":
			b.WriteString(strconv.Itoa(v.Attr.Lo))
		case "hi":
			b.WriteString(strconv.Itoa(v.Attr.Hi))
		case "site":
			b.WriteString(strconv.Itoa(v.Attr.Site))
		default:
			panic("BUG: ir: attribute " + key + " has no text form")
		}
	}
	return b.String()
}

// isZero tells whether an attribute that need not print has nothing to say.
func (a *Attr) isZero(key string) bool {
	switch key {
	case "to":
		return a.To == Param
	case "typed":
		return !a.Typed
	case "heads":
		return !a.Heads
	}
	panic("BUG: ir: attribute " + key + " always prints")
}
