// Tables and JSON.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// writeHeader writes what the numbers depend on.
func (r *report) writeHeader(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	m := r.Machine
	fmt.Fprintf(t, "machine\t%s, %d cores, %s, transparent huge pages: %s\n", m.CPU, m.Cores, m.OS, m.HugePages)
	fmt.Fprintf(t, "ours\t%s, kernels %s\n", m.Go, m.Kernels)
	for _, peer := range slices.Sorted(maps.Keys(r.Peers)) {
		fmt.Fprintf(t, "%s\t%s\n", peer, r.Peers[peer])
	}
	fmt.Fprintf(t, "rounds\t%s of at least %s, at most %s a case\n", r.Timing["rounds"], r.Timing["sample"], r.Timing["budget"])
	fmt.Fprintf(t, "×\ta peer's time over ours, median of the rounds: above 1 we are faster\n")
	fmt.Fprintf(t, "roofline\tthe time of a pure gather of the same rows over ours\n")
	return t.Flush()
}

// writeResults writes cases as a table, with a column for each form.
func writeResults(w io.Writer, results []*result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "program\tgraph\twidth\tthreads\tours\troofline\t%s\tbest\t×\n", strings.Join(allForms, "\t"))
	var notes []string
	for _, r := range results {
		cells := make([]string, len(allForms))
		for _, p := range r.Peers {
			cell := harness.Seconds(p.Seconds)
			if p.Status != "" {
				cell, _, _ = strings.Cut(p.Status, ":")
			}
			if strings.HasPrefix(p.Status, "error") {
				notes = append(notes, fmt.Sprintf("%s, %s, %d, %d threads, %s: %s", r.Program, r.Graph, r.Width, r.Threads, p.Form, p.Status))
			}
			cells[slices.Index(allForms, p.Form)] = cell
		}
		form, speedup := "", ""
		if best := r.best(); best != nil {
			form, speedup = best.Form, harness.Times(best.Speedup)
		}
		if r.Disturbed {
			speedup += fmt.Sprintf(" (load %.1f)", r.Load)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%.2f\t%s\t%s\t%s\n", r.Program, r.Graph, r.Width, r.Threads,
			harness.Seconds(r.Ours), r.Roofline, strings.Join(cells, "\t"), form, speedup)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, note := range notes {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}

// writeSummary writes the geometric means and what they are to be.
func (r *report) writeSummary(w io.Writer, threads []int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if all := summarise(r.Results, threads); len(all) > 0 {
		fmt.Fprintln(t, "program\tthreads\tcases\ttarget\tmean ×\tworst ×\tof\tmet\tstock ×\tworst ×\tmet\troofline\ttarget\tof\tmet")
		for _, s := range all {
			best, stock := "\t\t\t", "\t\t" // mean, worst, of, met; mean, worst, met
			if s.worst != nil {
				worst := s.worst.best()
				best = fmt.Sprintf("%s\t%s\t%s/%d %s\t%s", harness.Times(s.speedup), harness.Times(worst.Speedup),
					s.worst.Graph, s.worst.Width, worst.Form, s.program.verdict(s.speedup, worst.Speedup))
			}
			if s.stock > s.speedup {
				stock = fmt.Sprintf("%s\t%s\t%s", harness.Times(s.stock), harness.Times(s.weakest), s.program.verdict(s.stock, s.weakest))
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.program.title(), s.threads, s.cases,
				harness.Times(s.program.target), best, stock,
				share(s.roofline), share(s.program.roofline), place(s.lowest), s.rooflineVerdict())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(r.Bounds) > 0 {
		fmt.Fprintln(t, "\ncase\tthreads\tquantity\tvalue\tat most\tmet")
	}
	for _, b := range r.Bounds {
		limit := ""
		if b.Limit >= 0 {
			limit = harness.Number(b.Limit)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", b.Case, b.Threads, b.Quantity, harness.Number(b.Value), limit, b.verdict())
	}
	for _, note := range r.Notes {
		fmt.Fprintln(t, note)
	}
	return t.Flush()
}

// share renders a roofline; "" for none.
func share(x float64) string {
	if x == 0 || math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}

// place names the case of a result; "" for none.
func place(r *result) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s/%d", r.Graph, r.Width)
}

// save writes the report to a file; "" is no file.
func (r *report) save(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// loadReports joins the results of earlier runs; what they say of the machine is
// the first one's.
func loadReports(paths []string) (*report, error) {
	var all *report
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r := new(report)
		if err := json.Unmarshal(text, r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if all == nil {
			all = r
			continue
		}
		if r.Machine != all.Machine {
			return nil, fmt.Errorf("%s is of another machine than %s: tables have one", path, paths[0])
		}
		all.Results = append(all.Results, r.Results...)
		all.Bounds = append(all.Bounds, r.Bounds...)
		all.Notes = append(all.Notes, r.Notes...)
	}
	return all, nil
}
