package report

// The page.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

// Render writes the page, README.md, and its pictures to the folder of the results,
// with the results of other commands that lie there.
func Render(dir string) error {
	r, err := Load(dir)
	if err != nil {
		return err
	}
	imports, err := loadImports(dir)
	if err != nil {
		return err
	}
	pictures := r.pictures()
	for _, p := range pictures {
		if err := p.write(filepath.Join(dir, p.file)); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), r.page(pictures, imports), 0o644)
}

// page returns the Markdown.
func (r *Results) page(pictures []picture, imports *imports) []byte {
	p := &page{r: r, pictures: pictures}
	p.header()
	p.warnings()
	p.targets()
	p.detector()
	p.planted()
	p.accuracy()
	p.overhead()
	p.steps()
	p.kernels()
	p.memory()
	p.scaling()
	imports.write(p)
	return p.text.Bytes()
}

// WriteVerdicts writes the page's sections about who is right.
func (r *Results) WriteVerdicts(w io.Writer) error {
	p := &page{r: r}
	p.detector()
	p.planted()
	_, err := w.Write(p.text.Bytes())
	return err
}

// page is Markdown under way.
type page struct {
	r        *Results
	pictures []picture
	text     bytes.Buffer
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// heading starts a section, after one empty line.
func (p *page) heading(title string) {
	if !bytes.HasSuffix(p.text.Bytes(), []byte("\n\n")) {
		p.line("")
	}
	p.line("## %s\n", title)
}

// table writes rows under a head.
func (p *page) table(head []string, rows [][]string) {
	p.line("| %s |", strings.Join(head, " | "))
	p.line("|%s", strings.Repeat("---|", len(head)))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.NewReplacer("|", "\\|", "\n", " ").Replace(cell)
		}
		p.line("| %s |", strings.Join(row, " | "))
	}
	p.line("")
}

// picture shows the pictures of a section.
func (p *page) picture(section string) {
	for _, pic := range p.pictures {
		if pic.section == section {
			p.line("![%s](%s)\n", pic.title, pic.file)
		}
	}
}

func (p *page) header() {
	r, m := p.r, p.r.Machine
	p.line("# Results of the benchmark platform\n")
	p.line("This page and its pictures are made by `%s` from [%s](%s), which has every sample. `go run ./benchmarks -render` makes them anew from it.\n", r.Command, jsonName, jsonName)
	p.table([]string{"", ""}, [][]string{
		{"machine", fmt.Sprintf("%s, %d cores, %s, huge pages: %s", m.CPU, m.Cores, m.OS, m.HugePages)},
		{"versions", fmt.Sprintf("%s, kernels %s, commit %s, %s", m.Go, m.Kernels, r.Commit, r.Date)},
		{"timing", fmt.Sprintf("%d threads; %s", r.Threads, r.Timing)},
	})
	p.line("Systems take turns, A B C C B A, in each comparison; a cell is the median of the rounds and, in brackets, the quartiles. Peers in Python keep freed memory in huge pages, as our pool does, but for their memory's measurement.")
}

func (p *page) warnings() {
	list := p.r.Warnings()
	if len(list) == 0 {
		return
	}
	p.heading("Warnings")
	for _, w := range list {
		p.line("- %s", w)
	}
}

func (p *page) targets() {
	list := p.r.Verdicts()
	if len(list) == 0 {
		return
	}
	p.heading("Targets")
	var rows [][]string
	for _, v := range list {
		rows = append(rows, []string{v.Target, v.Value, harness.YesNo(v.Met)})
	}
	p.table([]string{"target", "measured", "met"}, rows)
}

func (p *page) detector() {
	p.heading("Who takes part, and is right")
	p.line("The pitfall detector makes every call with all flags, and its gradient, and the models of them, and compares with float64; peers have to have our first losses. Who is wrong is not timed.\n")
	var rows [][]string
	for _, s := range p.r.Systems {
		verdict := "right"
		switch {
		case s.Missing != "":
			verdict = "not there: " + s.Missing
		case s.Wrong():
			verdict = "**wrong**, see below"
		case s.Cases > 0:
			verdict = fmt.Sprintf("right in %s cases", harness.Number(float64(s.Cases)))
		}
		switch n := len(s.Unsupported); {
		case n > 0 && s.Kind == Peer: // models, each with a reason
			verdict += "; lacks " + strings.Join(s.Unsupported, "; ")
		case n > 0:
			verdict += fmt.Sprintf("; lacks %d forms of calls", n)
		}
		rows = append(rows, []string{s.Name, s.Kind, s.About, verdict})
	}
	p.table([]string{"system", "kind", "what it is", "verdict"}, rows)
	for _, s := range p.r.Systems {
		for _, f := range s.Findings {
			p.line("- **%s**: %s", s.Name, f)
		}
	}
}

func (p *page) planted() {
	if len(p.r.Planted) == 0 {
		return
	}
	p.heading("Planted pitfalls")
	p.line("Systems and models with one known mistake each, as published ones have had them.\n")
	var rows [][]string
	for _, planted := range p.r.Planted {
		found := "nothing"
		if len(planted.Found) > 0 {
			found = planted.Found[0].String()
		}
		rows = append(rows, []string{planted.Name, string(planted.Want), harness.YesNo(planted.Caught), found})
	}
	p.table([]string{"planted", "pitfall", "caught and named", "found"}, rows)
}

func (p *page) accuracy() {
	if len(p.r.Accuracy) == 0 {
		return
	}
	p.heading("Accuracy")
	p.line("The same model, initial weights and training for all; peers drop out by their own random numbers. Test accuracy at the lowest validation loss, mean ± deviation over seeds.\n")
	var rows [][]string
	for _, a := range p.r.Accuracy {
		cell := a.Status
		if cell == "" {
			s := check.SampleOf(a.Test)
			cell = fmt.Sprintf("%.3f ± %.3f (%d)", s.Mean, s.Std, s.N)
		}
		rows = append(rows, []string{a.Model, a.Task, a.System, cell})
	}
	p.table([]string{"model", "task", "system", "test accuracy (seeds)"}, rows)
}

// cell is a timing in a table.
func cell(t *Timing) string {
	switch {
	case t == nil:
		return ""
	case len(t.Seconds) == 0:
		return t.Status
	}
	low, high := t.Quartiles()
	return fmt.Sprintf("%s (%s – %s)", harness.Seconds(t.Median()), harness.Seconds(low), harness.Seconds(high))
}
