package explain

// The report as a folder of files.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Dump writes the report to a folder, which it makes if need be:
//
//	00-traced.txt …     each stage, as ir.Parse reads it
//	plan-forward.txt    the plan, its predicted cost and its buffers; plan-backward.txt
//	plan-forward.dot    the plan as a graph; plan-backward.dot
//	graph.dot           the program as traced, as a graph
//	source.txt          kernel source
//	report.txt          all of it; report.html: the page
//
// Files of an earlier dump are replaced where they have the same name. No file
// is ever there in part: all are written under other names first, and an error
// until then leaves none of them.
func (r *Report) Dump(dir string) error {
	files, err := r.files()
	if err == nil {
		err = writeAll(dir, files)
	}
	if err != nil {
		return fmt.Errorf("explain: dump of %s: %w", r.Name, err)
	}
	return nil
}

type file struct {
	name string
	text []byte
}

// writeAll writes all files or, unless a file cannot take its name in the end,
// none.
func writeAll(dir string, files []file) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if at, err := os.Lstat(filepath.Join(dir, f.name)); err == nil && at.IsDir() {
			return fmt.Errorf("%s is a folder", filepath.Join(dir, f.name))
		}
	}
	var written []string // under temporary names
	defer func() {
		for _, name := range written {
			os.Remove(name)
		}
	}()
	for _, f := range files {
		name, err := writeTemp(dir, f.text)
		if name != "" {
			written = append(written, name)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := os.Rename(written[0], filepath.Join(dir, f.name)); err != nil {
			return err
		}
		written = written[1:]
	}
	return nil
}

// writeTemp writes a new file with a name of its own, which it returns once the file
// exists.
func writeTemp(dir string, text []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, ".explain-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return f.Name(), err
}

func (r *Report) files() ([]file, error) {
	var files []file
	add := func(name, text string) { files = append(files, file{name, []byte(text)}) }
	for i, s := range r.Stages {
		add(fmt.Sprintf("%02d-%s.txt", i, fileName(s.Name)), stageText(s.Program))
	}
	for _, p := range r.plans() {
		add("plan-"+p.name+".txt", r.planText(p.plan))
		add("plan-"+p.name+".dot", GraphvizPlan(p.plan))
	}
	if len(r.Stages) > 0 {
		add("graph.dot", Graphviz(r.Stages[0].Program))
	}
	if len(r.Source) > 0 {
		add("source.txt", r.sourceText())
	}
	add("report.txt", r.String())
	var page bytes.Buffer
	if err := r.HTML(&page); err != nil {
		return nil, err
	}
	add("report.html", page.String())
	return files, nil
}

const maxFileName = 60 // letters of a stage's name in its file's

// fileName keeps letters, digits and _ of a stage's name and puts - between
// words.
func fileName(stage string) string {
	words := strings.FieldsFunc(stage, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')
	})
	name := strings.Join(words, "-")
	return name[:min(len(name), maxFileName)]
}
