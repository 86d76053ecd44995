// From tiles to files: one assembly file an instruction set and element type,
// and for each architecture one file of Go declarations.

package main

import (
	"errors"
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

const (
	constraint = "amd64,!noasm" // in the old syntax
	declared   = "gemm_tiles_amd64.go"
)

var config = printer.Config{Name: "tensor/kern/gen", Pkg: "kern"}

// generate returns all files.
func generate() ([]source, error) {
	var sources []source
	stubs := build.NewContext()
	stubs.ConstraintExpr(constraint)
	all, err := stubs.Result()
	if err != nil {
		return nil, err
	}
	for _, t := range tiles() {
		c := build.NewContext()
		c.ConstraintExpr(constraint)
		t.write(c)
		file, err := c.Result()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		name := fmt.Sprintf("gemm_%s_%s_amd64.s", t.isa, t.elem.name)
		text, err := render(file, printer.NewGoAsm)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sources = append(sources, source{name, text})
		all.Sections = append(all.Sections, file.Sections...)
	}
	text, err := print(all, printer.NewStubs)
	sources = append(sources, source{declared, text})
	return append(sources, neonSources()...), err
}

// render checks and completes the functions of a file and prints it.
func render(file *ir.File, p printer.Builder) ([]byte, error) {
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return print(file, p)
}

func print(file *ir.File, p printer.Builder) ([]byte, error) {
	text, err := p(config).Print(file)
	if err == nil && len(text) == 0 {
		err = errors.New("nothing to print")
	}
	return text, err
}
