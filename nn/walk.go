// The walk over a module's fields that gives every parameter its name.

package nn

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/asterias-ml/asterias/autograd"
)

var varType = reflect.TypeFor[*autograd.Var]()

// trainer is what SetTraining looks for.
type trainer interface{ SetTraining(on bool) }

// walker visits what is reachable from a module through exported and embedded
// fields, pointers, interfaces, slices, arrays and maps by string: in field order, maps
// by ascending keys, each pointer once, so shared parts are visited under their first name and cycles end.
type walker struct {
	op        string // for error messages
	seen      map[pointer]bool
	onVar     func(name string, v *autograd.Var)
	onTrainer func(t trainer)
	onStruct  func(name string, v reflect.Value)
	onPart    func(name string, part any)
	parts     map[string]bool // names of the parts so far
}

// pointer identifies a visited value; the type tells a struct from its first
// field.
type pointer struct {
	address uintptr
	typ     reflect.Type
}

func (w *walker) run(m any) {
	v := reflect.ValueOf(m)
	if k := v.Kind(); k != reflect.Pointer && k != reflect.Slice || k == reflect.Pointer && v.IsNil() {
		misuse(w.op, fmt.Sprintf("a module is a non-nil pointer to a struct, not %T", m))
	}
	w.seen, w.parts = map[pointer]bool{}, map[string]bool{}
	w.visit("", v)
}

func (w *walker) visit(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || !w.enter(v) {
			return
		}
		switch {
		case v.Type() == varType:
			if w.onVar != nil {
				w.onVar(name, v.Interface().(*autograd.Var))
			}
		case v.Type().Elem().Kind() == reflect.Struct:
			w.part(name, v)
			w.visitFields(name, v.Elem(), w.train(v))
		default:
			w.visit(name, v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.visit(name, v.Elem())
		}
	case reflect.Struct:
		if v.CanAddr() {
			w.visit(name, v.Addr())
		} else { // a struct value in an interface
			w.part(name, v)
			w.visitFields(name, v, w.train(v))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.visit(join(name, strconv.Itoa(i)), v.Index(i))
		}
	case reflect.Map:
		w.visitMap(name, v)
	}
}

// part reports a struct, unless it is embedded in one of the same name.
func (w *walker) part(name string, v reflect.Value) {
	if w.onPart != nil && !w.parts[name] && v.CanInterface() {
		w.parts[name] = true
		w.onPart(name, v.Interface())
	}
}

// train tells whether v has the method SetTraining, and reports it if so.
func (w *walker) train(v reflect.Value) bool {
	t, ok := v.Interface().(trainer)
	if ok && w.onTrainer != nil {
		w.onTrainer(t)
	}
	return ok
}

// enter tells whether the pointer is visited for the first time.
func (w *walker) enter(v reflect.Value) bool {
	p := pointer{v.Pointer(), v.Type()}
	if w.seen[p] {
		return false
	}
	w.seen[p] = true
	return true
}

// visitFields visits the fields of a struct; covered says that the struct, or
// the one it is embedded in, has SetTraining.
func (w *walker) visitFields(name string, v reflect.Value, covered bool) {
	t := v.Type()
	if w.onStruct != nil {
		w.onStruct(name, v)
	}
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Anonymous:
			w.visitEmbedded(name, f, v.Field(i), covered)
		case f.IsExported():
			w.visit(join(name, fieldName(f)), v.Field(i))
		}
	}
}

// visitEmbedded visits an embedded field. The parameters of an embedded struct
// are named as the outer struct's own unless a tag says otherwise. If the outer
// struct has SetTraining, be it promoted from here or one that overrides it, the
// embedded struct's is not called. Of an embedded struct of unexported type, or a
// pointer to one, the exported fields are visited, as Go promotes them.
func (w *walker) visitEmbedded(name string, f reflect.StructField, v reflect.Value, covered bool) {
	if tag := f.Tag.Get("nn"); tag != "" {
		name = join(name, tag)
	} else if f.Type == varType {
		name = join(name, fieldName(f))
	}
	switch {
	case v.Kind() == reflect.Struct && (covered || !f.IsExported()):
		if v.CanAddr() {
			w.part(name, v.Addr())
		}
		w.visitFields(name, v, covered)
	case (covered || !f.IsExported()) && f.Type != varType && v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct:
		if !v.IsNil() && w.enter(v) {
			w.part(name, v)
			w.visitFields(name, v.Elem(), covered)
		}
	case f.IsExported():
		w.visit(name, v)
	}
}

// visitMap visits the values of a map by ascending keys. They must be shared with the
// map, as pointers are: what a copy of a struct is told, the map does not see.
func (w *walker) visitMap(name string, m reflect.Value) {
	switch elem := m.Type().Elem().Kind(); {
	case m.Type().Key().Kind() != reflect.String:
		w.rejectParametersIn(name, m, "a map's keys must be strings, by which its parts are named")
	case elem == reflect.Struct || elem == reflect.Array:
		w.rejectParametersIn(name, m, "a map's values must be pointers")
	default:
		keys := m.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			w.visit(join(name, key.String()), m.MapIndex(key))
		}
	}
}

// rejectParametersIn panics with why if a map holds a parameter.
func (w *walker) rejectParametersIn(name string, m reflect.Value, why string) {
	probe := walker{op: w.op, seen: map[pointer]bool{}}
	probe.onVar = func(_ string, v *autograd.Var) {
		if v.IsParameter() {
			misuse(w.op, name+": "+why)
		}
	}
	for it := m.MapRange(); it.Next(); {
		probe.visit(name, it.Value())
	}
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

func fieldName(f reflect.StructField) string {
	if tag := f.Tag.Get("nn"); tag != "" {
		return tag
	}
	return snake(f.Name)
}

// snake writes a Go name as PyTorch would: Conv1 -> conv1, InProj -> in_proj,
// QKVProj -> qkv_proj, Conv1D -> conv1d, Layer2Norm -> layer2_norm.
func snake(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 {
			nextLower := i+1 < len(rs) && unicode.IsLower(rs[i+1])
			if unicode.IsLower(rs[i-1]) || nextLower && rs[i-1] != '_' {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
