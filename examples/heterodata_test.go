package examples

// Tiny sets with types, in the files that their readers take.

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeTyped makes kg/FB15k-237.tar.gz, rdf/aifb and hgb/ACM.zip: 24 things in two
// classes, even and odd ones, and links within the classes.
func writeTyped(t *testing.T, dir string) {
	t.Helper()
	const things = 24
	var triples, table, nodes, links strings.Builder
	rows := []string{"person\tlabel\n", "person\tlabel\n"} // training, test
	papers := []string{"", ""}
	for i := range things {
		fmt.Fprintf(&table, "<x%d> <knows> <x%d> .\n<x%d> <likes> \"%d\" .\n", i, (i+2)%things, i, i%2)
		rows[i/12] += fmt.Sprintf("x%d\t%d\n", i, i%2)
		fmt.Fprintf(&nodes, "%d\tpaper\t0\t%d,%d\n", i, i%2, i%3)
		fmt.Fprintf(&links, "%d\t%d\t0\t1\n%d\t%d\t1\t1\n", i, things+i%2, things+i%2, i)
		papers[i/12] += fmt.Sprintf("%d\tpaper\t0\t%d\n", i, i%2)
	}
	fmt.Fprintf(&nodes, "%d\tsubject\t1\n%d\tsubject\t1\n", things, things+1)
	triple := func(head, by, tail int) string { return fmt.Sprintf("x%d\tr%d\tx%d\n", head, by, tail%things) }
	for i := range things {
		triples.WriteString(triple(i, 0, i+2) + triple(i, 1, i+4))
	}

	create(t, dir, "kg/FB15k-237.tar.gz", func(w io.Writer) error {
		z := gzip.NewWriter(w)
		archive := tar.NewWriter(z)
		for name, text := range map[string]string{"train.txt": triples.String(), "valid.txt": triple(0, 0, 4), "test.txt": triple(1, 0, 5)} {
			if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
				return err
			}
			if _, err := io.WriteString(archive, text); err != nil {
				return err
			}
		}
		if err := archive.Close(); err != nil {
			return err
		}
		return z.Close()
	})
	create(t, dir, "rdf/aifb/aifb_stripped.nt.gz", func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if _, err := io.WriteString(z, table.String()); err != nil {
			return err
		}
		return z.Close()
	})
	for i, name := range []string{"trainingSet.tsv", "testSet.tsv"} {
		create(t, dir, "rdf/aifb/"+name, func(w io.Writer) error {
			_, err := io.WriteString(w, rows[i])
			return err
		})
	}
	create(t, dir, "hgb/ACM.zip", func(w io.Writer) error {
		return writeZip(w, map[string]string{
			"ACM/node.dat": nodes.String(), "ACM/link.dat": links.String(),
			"ACM/label.dat": papers[0], "ACM/label.dat.test": papers[1],
		})
	})
}

func writeZip(w io.Writer, files map[string]string) error {
	z := zip.NewWriter(w)
	for name, text := range files {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, text); err != nil {
			return err
		}
	}
	return z.Close()
}

// create writes a file below a folder.
func create(t *testing.T, dir, name string, write func(w io.Writer) error) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := write(file); err != nil {
		t.Fatal(err)
	}
}
