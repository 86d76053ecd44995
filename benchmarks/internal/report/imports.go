package report

// Results of other commands that the page has too: accuracies of the examples, and
// what the other benchmark commands wrote.

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders and files of the results that are looked for.
const (
	accuracyDir = "accuracy" // *.json: lines that examples print with -json
	pageName    = "README.md"
)

// imports are those results.
type imports struct {
	accuracies []exampleReport
	others     []other
}

// exampleReport is a line of an example.
type exampleReport struct {
	Dataset     string  `json:"dataset"`
	Model       string  `json:"model"`
	Seeds       int     `json:"seeds"`
	TestAccMean float64 `json:"test_acc_mean"`
	TestAccStd  float64 `json:"test_acc_std"`
	EpochMS     float64 `json:"epoch_ms_median"`
	PeakRSSMB   float64 `json:"peak_rss_mb"`
}

// other is what another command wrote: Markdown, plain text, or JSON, which the page
// only points to.
type other struct{ name, ext, text string }

func loadImports(dir string) (*imports, error) {
	in := &imports{}
	files, err := filepath.Glob(filepath.Join(dir, accuracyDir, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		reports, err := readAccuracies(file)
		if err != nil {
			return nil, err
		}
		in.accuracies = append(in.accuracies, reports...)
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries { // sorted by name
		ext := filepath.Ext(e.Name())
		if e.Name() == pageName || e.Name() == jsonName || e.IsDir() || !slices.Contains([]string{".md", ".txt", ".json"}, ext) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		in.others = append(in.others, other{strings.TrimSuffix(e.Name(), ext), ext, string(text)})
	}
	// What there is to read comes before its samples.
	slices.SortStableFunc(in.others, func(a, b other) int { return cmp.Or(cmp.Compare(a.name, b.name), -cmp.Compare(a.ext, b.ext)) })
	return in, nil
}

// readAccuracies reads the lines of a file; what is no JSON object, such as an
// example's other output, is left out.
func readAccuracies(file string) (list []exampleReport, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for lines, n := bufio.NewScanner(bytes.NewReader(text)), 1; lines.Scan(); n++ {
		if !bytes.HasPrefix(lines.Bytes(), []byte("{")) {
			continue
		}
		var r exampleReport
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, n, err)
		}
		if r.Model == "" || r.Seeds < 1 {
			return nil, fmt.Errorf("%s: line %d is no report of an example: no model or no seeds", file, n)
		}
		list = append(list, r)
	}
	return list, nil
}

// write adds the sections.
func (in *imports) write(p *page) {
	if len(in.accuracies) > 0 {
		p.heading("Accuracies of the examples")
		p.line("`go run ./examples/MODEL -dataset SET -json`; mean ± deviation over seeds, in %s. Epochs and memory are what the runs saw, beside other work: no benchmark.\n", "`accuracy/`")
		var rows [][]string
		for _, r := range in.accuracies {
			rows = append(rows, []string{
				r.Model, r.Dataset, fmt.Sprintf("%.3f ± %.3f", r.TestAccMean, r.TestAccStd), fmt.Sprint(r.Seeds),
				fmt.Sprintf("%.3g ms", r.EpochMS), fmt.Sprintf("%.0f MB", r.PeakRSSMB),
			})
		}
		p.table([]string{"model", "dataset", "test", "seeds", "epoch", "peak memory"}, rows)
	}
	for _, o := range in.others {
		switch o.ext {
		case ".md":
			p.line("%s\n", strings.TrimSpace(lowered(o.text)))
		case ".txt":
			p.heading("`go run ./benchmarks/" + o.name + "`")
			p.line("```text\n%s\n```\n", strings.TrimRight(o.text, "\n"))
		case ".json":
			p.line("Samples of `go run ./benchmarks/%s`: [%s.json](%s.json).\n", o.name, o.name, o.name)
		}
	}
}

// lowered is Markdown whose headings are one level down.
func lowered(text string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if strings.HasPrefix(line, "#") && !code {
			b.WriteByte('#')
		}
		b.WriteString(line)
	}
	return b.String()
}
