package main

// From a signature to files.

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// module is what the generated package imports from.
const module = "github.com/asterias-ml/asterias"

//go:embed template/*.tmpl
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"exported": Exported,
	"local":    Local,
	"upper":    strings.ToUpper,
	"join":     strings.Join,
	"inc":      func(i int) int { return i + 1 },
	"quoted":   quoted,
	"gos":      func(list []indexed) string { return commas(list, func(p indexed) string { return p.Go() }) },
	"grads":    func(list []indexed) string { return commas(list, func(p indexed) string { return p.Gradient() }) },
	"words":    words,
}).ParseFS(templateFiles, "template/*.tmpl"))

// A File is one of those that are generated.
type File struct {
	Name string // with slashes, below the folder
	Text []byte
}

// Generate returns the files of a package.
func Generate(s *Signature, pkg string) ([]File, error) {
	if !token.IsIdentifier(pkg) || pkg == "main" || strings.ToLower(pkg) != pkg {
		return nil, fmt.Errorf("%q is no name for a package that is imported", pkg)
	}
	frame := newFrame(s, pkg)
	var files []File
	for _, name := range []string{
		"adapter.go", "op.go", "backward.go", "kernel/kernel.h", "kernel/kernel.c", "reference_test.go", "kernel_test.go", "README.md",
	} {
		var b strings.Builder
		if err := templates.ExecuteTemplate(&b, path.Base(name)+".tmpl", frame); err != nil {
			return nil, fmt.Errorf("BUG: gen: %s: %w", name, err)
		}
		text := []byte(b.String())
		if path.Ext(name) == ".go" {
			var err error
			if text, err = format.Source(text); err != nil {
				return nil, fmt.Errorf("BUG: gen: %s: %w\n%s", name, err, b.String())
			}
		}
		files = append(files, File{strings.Replace(name, "kernel/kernel.", "kernel/"+s.Name+".", 1), text})
	}
	return files, nil
}

// Write writes files below a folder, which is made if there is none. If one is there
// already, nothing is written.
func Write(dir string, files []File) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s: %w; nothing is written", name, fs.ErrExist)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := writeNew(name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// writeNew writes a file that is not there.
func writeNew(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// A frame is what the templates see.
type frame struct {
	Module, Package, Text, Name, Graph       string
	Params, Arrays, Inputs, Outputs, Scalars []indexed
	Lengths                                  []string // N, E, then those that inputs bring along
	Free                                     []string // the latter
	Sizes                                    []string // of C: "H = x->shape[1]"
	TestSizes                                string   // of Free, in Go
}

// indexed is a parameter and its place among its kind.
type indexed struct {
	Param
	Index int
}

func newFrame(s *Signature, pkg string) *frame {
	f := &frame{Module: module, Package: pkg, Text: s.Text, Name: s.Name, Graph: s.Graph, Lengths: s.Lengths()}
	for _, p := range s.Params {
		kind := &f.Scalars
		if p.Scalar == nil && p.Output {
			kind = &f.Outputs
		} else if p.Scalar == nil {
			kind = &f.Inputs
		}
		in := indexed{p, len(*kind)}
		*kind = append(*kind, in)
		f.Params = append(f.Params, in)
		if p.Scalar == nil {
			f.Arrays = append(f.Arrays, in)
		}
	}
	f.Free = f.Lengths[2:]
	f.Sizes = []string{"N = " + s.Graph + "->vertices", "E = " + s.Graph + "->edges"}
	for _, letter := range f.Free {
		f.Sizes = append(f.Sizes, letter+" = "+f.where(letter))
	}
	f.TestSizes = testSizes(len(f.Free))
	return f
}

// where returns the C expression of a length that an input brings along.
func (f *frame) where(letter string) string {
	for _, in := range f.Inputs {
		if k := slices.Index(in.Dims, letter); k >= 0 {
			return fmt.Sprintf("%s->shape[%d]", in.Name, k)
		}
	}
	panic("BUG: gen: no input has length " + letter)
}

// testSizes returns lists of n lengths: all 1, odd, and such that fill vectors.
func testSizes(n int) string {
	if n == 0 {
		return "{}"
	}
	lists := make([]string, 3)
	for k, of := range []func(i int) int{
		func(int) int { return 1 },
		func(i int) int { return 3 + 2*i },
		func(i int) int { return 2 << (2 * (i % 2)) },
	} {
		numbers := make([]string, n)
		for i := range numbers {
			numbers[i] = fmt.Sprint(of(i))
		}
		lists[k] = "{" + strings.Join(numbers, ", ") + "}"
	}
	return strings.Join(lists, ", ")
}

// HasCode tells whether a parameter is a code of package system.
func (f *frame) HasCode() bool {
	return slices.ContainsFunc(f.Scalars, func(p indexed) bool { return p.Scalar.Coded() })
}

// Has tells whether a parameter is a scalar of a type.
func (f *frame) Has(scalar string) bool {
	return slices.ContainsFunc(f.Scalars, func(p indexed) bool { return p.Scalar.Name == scalar })
}

func commas(list []indexed, name func(indexed) string) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = name(p)
	}
	return strings.Join(names, ", ")
}

func quoted(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return strings.Join(out, ", ")
}

// words lists names for people: "x, y and w".
func words(list []indexed) string {
	s := commas(list, func(p indexed) string { return p.Go() })
	if i := strings.LastIndex(s, ", "); i >= 0 {
		s = s[:i] + " and " + s[i+2:]
	}
	return s
}
