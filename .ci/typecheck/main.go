// Typecheck checks that the packages of the current folder, with their tests, have correct
// types on other platforms, in seconds where compiling them and all they import for each
// takes minutes:
//
//	typecheck linux/arm64 windows/amd64
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, target := range os.Args[1:] {
		errors, err := check(target)
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
			os.Exit(1)
		}
		for _, e := range errors {
			fmt.Printf("%s: %s\n", target, e)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check returns what is wrong with the packages on a platform, GOOS/GOARCH.
func check(target string) ([]string, error) {
	goos, goarch, ok := strings.Cut(target, "/")
	if !ok {
		return nil, fmt.Errorf("want GOOS/GOARCH")
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Env:   append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
		Tests: true,
		ParseFile: func(files *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
			if f != nil && !strings.HasPrefix(name, root+string(os.PathSeparator)) {
				withoutBodies(f)
			}
			return f, err
		},
	}, "./...")
	if err != nil {
		return nil, err
	}
	var errors []string
	for _, p := range all {
		if strings.HasSuffix(p.ID, ".test") { // a generated main
			continue
		}
		for _, e := range p.Errors {
			errors = append(errors, e.Error())
		}
		errors = append(errors, bodiless(p)...)
	}
	slices.Sort(errors)
	return slices.Compact(errors), nil // tests come in packages that repeat what they test
}

// bodiless returns the functions without a body of a package without assembly, which only
// the compiler minds.
func bodiless(p *packages.Package) []string {
	if slices.ContainsFunc(p.OtherFiles, func(name string) bool { return strings.HasSuffix(name, ".s") }) {
		return nil
	}
	var errors []string
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				errors = append(errors, fmt.Sprintf("%s: missing function body", p.Fset.Position(fn.Pos())))
			}
		}
	}
	return errors
}

// withoutBodies leaves only the declarations of what others import.
func withoutBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
