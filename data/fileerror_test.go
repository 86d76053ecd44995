// Tests of the errors about files.

package data

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGarbageIsAFaultOfItsFile gives every reader of a path what is no file of its kind.
func TestGarbageIsAFaultOfItsFile(t *testing.T) {
	const table = "thing\tlabel\na\tx\n"
	beside := func(path, name, content string) string {
		path = filepath.Join(filepath.Dir(path), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	rdf := func(triples, train, test string) error {
		_, err := LoadRDF(triples, train, test, RDFOptions{Name: "x"})
		return err
	}
	readers := map[string]func(path string) error{
		"npz":          func(p string) error { _, err := LoadNPZ(p, 1); return err },
		"tu":           func(p string) error { _, err := LoadTU(p); return err },
		"hgb":          func(p string) error { _, err := LoadHGB(p, 1); return err },
		"kg":           func(p string) error { _, err := LoadKG(p); return err },
		"gml":          func(p string) error { _, err := LoadGML(p); return err },
		"matrix":       func(p string) error { _, err := LoadMatrixMarket(p); return err },
		"edges":        func(p string) error { _, err := LoadEdgeList(p, EdgeListOptions{}); return err },
		"vertices":     func(p string) error { _, err := LoadVertexTable(p, []string{"a"}, VertexTableOptions{}); return err },
		"folds":        func(p string) error { _, err := LoadFolds(p, 3); return err },
		"communities":  func(p string) error { _, err := LoadCommunities("x", p, p); return err },
		"members":      func(p string) error { _, err := LoadCommunities("x", beside(p, "edges", "0 1\n"), p); return err },
		"triples":      func(p string) error { return rdf(p, beside(p, "train", table), beside(p, "test", table)) },
		"RDF training": func(p string) error { return rdf(beside(p, "triples", "<a> <p> <a> ."), p, p) },
		"RDF testing": func(p string) error {
			return rdf(beside(p, "triples", "<a> <p> <a> ."), beside(p, "train", table), p)
		},
	}
	for _, part := range planetoidParts {
		readers["planetoid "+part] = func(p string) error {
			for other, b := range tinyPlanetoid(t) {
				beside(p, "ind.tiny."+other, string(b))
			}
			beside(p, "ind.tiny."+part, read(p))
			_, err := LoadPlanetoid(filepath.Dir(p), "tiny")
			return err
		}
	}
	for _, name := range []string{"raw/edge", "raw/num-node-list", "raw/num-edge-list", "raw/node-feat", "raw/node-label", "split/time/train"} {
		readers["ogb "+name] = func(p string) error {
			for other, text := range tinyOGB() {
				beside(p, other+".csv", text)
			}
			beside(p, name+".csv", read(p))
			_, err := LoadOGB(filepath.Dir(p), OGBOptions{})
			return err
		}
	}
	npz := func(member string, content []byte) string {
		members := tinyNPZ(t)
		members[member] = content
		return string(zipBytes(t, members))
	}
	for kind, content := range map[string]string{
		"text":             "PK garbage \"\nnothing of use",
		"bytes":            "\x00\x01\x02\xff\n\xfe",
		"gzip":             "\x1f\x8b garbage",
		"gzip of garbage":  string(gzipBytes(t, []byte("garbage \""))),
		"zip":              "PK\x03\x04 garbage",
		"npz with a fault": npz("labels", npyInts(0, 1)),
		"npz with NaN":     npz("attr_data", npyBytes("<f4", "(3,)", rawInts(-1, -1, -1))),
	} {
		for name, load := range readers {
			path := write(t, "x", content)
			err := load(path)
			var fault *FileError
			if !errors.As(err, &fault) || errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(fault.File, filepath.Dir(path)) || strings.Count(err.Error(), filepath.Dir(path)) != 1 {
				t.Errorf("%s of %s: error %v", name, kind, err)
			}
		}
	}
}
