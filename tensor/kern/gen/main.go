// Command gen writes the assembly of package kern that is generated: the tile
// kernels of the matrix product, for AVX-512, for AVX2 with FMA, and for NEON.
//
//	go run . [-dir ..]         writes the files
//	go run . [-dir ..] -check  fails if a file differs from what would be written
//
// It is a module of its own so that its dependencies are not the users'.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// A source is a file to generate.
type source struct {
	name string
	text []byte
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("dir", "..", "where package kern is")
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	flag.Parse()
	sources, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	do := write
	if *check {
		do = compare
	}
	for _, s := range sources {
		if err := do(filepath.Join(*dir, s.name), s.text); err != nil {
			log.Fatal(err)
		}
	}
}

func write(path string, text []byte) error { return os.WriteFile(path, text, 0o644) }

func compare(path string, text []byte) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return fmt.Errorf("%s is not what gen writes: run go generate in tensor/kern", path)
	}
	return nil
}
