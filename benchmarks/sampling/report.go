// What was measured, as tables and as JSON.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// formOurs is data.NeighborLoader.
const formOurs = "asterias"

// report is everything one run of the command measured.
type report struct {
	machine harness.Machine
	options options
	results []result
}

// A result is a form with a number of threads.
type result struct {
	Vertices int     `json:"vertices"`
	Edges    int     `json:"edges"`
	Fanouts  []int   `json:"fanouts"`
	Batch    int     `json:"batch"`
	Threads  int     `json:"threads"`
	Form     string  `json:"form"`
	Seconds  float64 `json:"s_per_batch"` // median
	Speedup  float64 `json:"speedup"`     // of ours over it, median of the rounds
	Status   string  `json:"status"`      // why there are no numbers; "" if there are

	BatchEdges    float32 `json:"batch_edges,omitempty"` // mean of ours
	BatchVertices float32 `json:"batch_vertices,omitempty"`

	Load      float64 `json:"load"`      // cores that others kept busy; negative if unknown
	Disturbed bool    `json:"disturbed"` // by that load: the numbers do not mean much
}

// writeHeader writes what the numbers depend on.
func (r *report) writeHeader(w io.Writer, peers []*peer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	m, o := r.machine, r.options
	fmt.Fprintf(t, "machine\t%s, %d cores, %s, %s\n", m.CPU, m.Cores, m.OS, m.Go)
	for _, p := range peers {
		if slices.ContainsFunc(p.forms, func(form string) bool { return slices.Contains(o.peers, form) }) {
			fmt.Fprintf(t, "%s\t%s\n", p.forms[0], p.version())
		}
	}
	fmt.Fprintf(t, "graph\tR-MAT, %s vertices, %s edges\n", harness.Number(float64(o.vertices)), harness.Number(float64(o.edges)))
	fmt.Fprintf(t, "batches\t%d seeds, fan-outs %v\n", o.batch, o.fanouts)
	fmt.Fprintf(t, "×\ta peer's time over ours, median of the rounds: above 1 we are faster\n")
	return t.Flush()
}

// writeResults writes the results of a number of threads.
func writeResults(w io.Writer, results []result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	ours := results[0]
	fmt.Fprintf(t, "\n%d threads: %s edges and %s vertices a batch\n", ours.Threads, harness.Number(float64(ours.BatchEdges)), harness.Number(float64(ours.BatchVertices)))
	fmt.Fprintln(t, "form\ttime a batch\tbatches a second\t×\t")
	for _, r := range results {
		note := r.Status
		if r.Disturbed {
			note = fmt.Sprintf("(load %.1f)", r.Load)
		}
		if r.Status != "" {
			fmt.Fprintf(t, "%s\t\t\t\t%s\n", r.Form, note)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Form, harness.Seconds(r.Seconds), harness.Number(1/r.Seconds), harness.Times(r.Speedup), note)
	}
	for _, x := range targets {
		if best := fastest(results, x.forms); best != nil {
			fmt.Fprintf(t, "over %s\t%s\t\t%s\tat least %s: %s\n", x.name, best.Form, harness.Times(best.Speedup), harness.Times(x.speedup), harness.YesNo(best.Speedup >= x.speedup))
		}
	}
	return t.Flush()
}

// fastest returns the fastest of some forms, nil if none was timed.
func fastest(results []result, forms []string) (best *result) {
	for i := range results {
		r := &results[i]
		if r.Status == "" && slices.Contains(forms, r.Form) && (best == nil || r.Seconds < best.Seconds) {
			best = r
		}
	}
	return best
}

// save writes the results to the file of -json: the machine, then a line each.
func (r *report) save() error {
	if r.options.json == "" {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if err := e.Encode(r.machine); err != nil {
		return err
	}
	for _, x := range r.results {
		if err := e.Encode(x); err != nil {
			return err
		}
	}
	return os.WriteFile(r.options.json, b.Bytes(), 0o644)
}
