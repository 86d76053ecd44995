// What was measured, as tables and as JSON.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// report is everything one run of the command measured.
type report struct {
	Machine  harness.Machine   `json:"machine"`
	Peers    map[string]string `json:"peers"` // versions, or why one is missing
	Timing   map[string]string `json:"timing"`
	Sections []*section        `json:"sections"`
}

// A section is the results of one topic.
type section struct {
	Name        string       `json:"name"`
	Comparisons []comparison `json:"comparisons"`
	Bounds      []bound      `json:"bounds"`
	Notes       []string     `json:"notes"`
	OtherLoad   float64      `json:"other_load"` // cores busy with other processes meanwhile; negative if unknown
}

// A comparison is one case of ours against one peer. Speed-ups are the peer's
// time over ours: above 1 we are faster.
type comparison struct {
	Case    string  `json:"case"`
	Threads int     `json:"threads"`
	Peer    string  `json:"peer"`    // "" if ours ran alone
	Ours    float64 `json:"ours_s"`  // median seconds
	Theirs  float64 `json:"peer_s"`  // median seconds
	Medians float64 `json:"medians"` // speed-up of the medians
	Rounds  float64 `json:"rounds"`  // median of the rounds' speed-ups, which is judged
	Target  float64 `json:"target"`  // the speed-up to reach; 0 for none
	Status  string  `json:"status"`  // why there are no numbers; "" if there are

	Load      float64 `json:"load"`      // cores that others kept busy in the rounds that count; negative if unknown
	Disturbed bool    `json:"disturbed"` // by that load: the numbers do not mean much
}

func (c comparison) verdict() string {
	if c.Target == 0 {
		return ""
	}
	return harness.YesNo(c.Rounds >= c.Target)
}

// caveat warns of a row that others disturbed.
func (c comparison) caveat() string {
	if !c.Disturbed {
		return ""
	}
	return fmt.Sprintf(" (load %.1f)", c.Load)
}

// A bound is a quantity of ours alone.
type bound struct {
	Case     string  `json:"case"`
	Threads  int     `json:"threads"`
	Quantity string  `json:"quantity"`
	Value    float64 `json:"value"`
	Limit    float64 `json:"limit"` // at most; negative for no limit
}

func (b bound) verdict() string {
	if b.Limit < 0 {
		return ""
	}
	return harness.YesNo(b.Value <= b.Limit)
}

// writeHeader writes what the numbers depend on.
func (r *report) writeHeader(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	m := r.Machine
	fmt.Fprintf(t, "machine\t%s, %d cores, %s, transparent huge pages: %s\n", m.CPU, m.Cores, m.OS, m.HugePages)
	fmt.Fprintf(t, "ours\t%s, kernels %s\n", m.Go, m.Kernels)
	for _, peer := range allPeers {
		if version, ok := r.Peers[peer]; ok {
			fmt.Fprintf(t, "%s\t%s\n", peer, version)
		}
	}
	fmt.Fprintf(t, "rounds\t%s of at least %s, at most %s a comparison\n", r.Timing["rounds"], r.Timing["sample"], r.Timing["budget"])
	fmt.Fprintf(t, "×\tthe peer's time over ours: above 1 we are faster; judged by the median of the rounds' ratios\n")
	return t.Flush()
}

// writeText writes the section's tables and notes.
func (s *section) writeText(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", s.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(s.Comparisons) > 0 {
		fmt.Fprintln(t, "case\tthreads\tpeer\tours\tpeer's\tof medians\tof rounds\ttarget\tmet")
	}
	for _, c := range s.Comparisons {
		switch {
		case c.Status != "":
			fmt.Fprintf(t, "%s\t%d\t%s\t\t\t\t\t%s\t%s\n", c.Case, c.Threads, c.Peer, harness.Times(c.Target), c.Status)
		case c.Peer == "":
			fmt.Fprintf(t, "%s\t%d\t-\t%s\t\t\t\t\t\n", c.Case, c.Threads, harness.Seconds(c.Ours))
		default:
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s%s\n", c.Case, c.Threads, c.Peer, harness.Seconds(c.Ours), harness.Seconds(c.Theirs),
				harness.Times(c.Medians), harness.Times(c.Rounds), harness.Times(c.Target), c.verdict(), c.caveat())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(s.Bounds) > 0 {
		fmt.Fprintln(t, "case\tthreads\tquantity\tours\tat most\tmet")
	}
	for _, b := range s.Bounds {
		limit := ""
		if b.Limit >= 0 {
			limit = harness.Number(b.Limit)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", b.Case, b.Threads, b.Quantity, harness.Number(b.Value), limit, b.verdict())
	}
	for _, note := range s.Notes {
		fmt.Fprintf(t, "%s\n", note)
	}
	if s.OtherLoad >= 0 {
		fmt.Fprintf(t, "(meanwhile other processes kept %.2f cores busy)\n", s.OtherLoad)
	}
	return t.Flush()
}

func (r *report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
