package main

// The command.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "gen:", err)
		}
		os.Exit(2)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", "", "the `folder` to write to")
	pkg := flags.String("package", "", "the `name` of the Go package")
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: gen -out folder -package name 'signature'\n\nsuch as\n\n\tstatus spmm(graph_t g, const array_t x[N][F], array_t out[N][F], bool transpose)\n\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *pkg == "" || flags.NArg() != 1 {
		flags.Usage()
		return errors.New("-out, -package and one signature are wanted")
	}
	signature, err := Parse(flags.Arg(0))
	if err != nil {
		return err
	}
	files, err := Generate(signature, *pkg)
	if err != nil {
		return err
	}
	if err := Write(*out, files); err != nil {
		return err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	fmt.Fprintf(stdout, "%s: %s\nwhat is next says %s\n", *out, strings.Join(names, ", "), filepath.Join(*out, "README.md"))
	return nil
}
