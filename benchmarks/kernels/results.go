// What was measured, judged against the targets.

package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// report is everything one run of the command measured.
type report struct {
	Machine harness.Machine   `json:"machine"`
	Peers   map[string]string `json:"peers"` // versions, or why one is missing
	Timing  map[string]string `json:"timing"`
	Results []*result         `json:"results"`
	Bounds  []bound           `json:"bounds"`
	Notes   []string          `json:"notes"`
}

// A result is one case: a program on a graph at a width. Speed-ups are a peer's
// time over ours: above 1 we are faster.
type result struct {
	Program  string        `json:"program"` // with its pass
	Graph    string        `json:"graph"`
	Width    int           `json:"width"`
	Threads  int           `json:"threads"`
	Ours     float64       `json:"ours_s"`   // median seconds
	Gather   float64       `json:"gather_s"` // the pure gather's
	Roofline float64       `json:"roofline"` // median of the rounds' gather over ours
	Peers    []*peerResult `json:"peers"`

	Load      float64 `json:"load"`      // cores that others kept busy in the rounds that count; negative if unknown
	Disturbed bool    `json:"disturbed"` // by that load: the numbers do not mean much
}

// String is the result in a line.
func (r *result) String() string {
	text := fmt.Sprintf("%s/%s/%d, %d threads: %s, roofline %.2f", r.Program, r.Graph, r.Width, r.Threads, harness.Seconds(r.Ours), r.Roofline)
	if best := r.best(); best != nil {
		text += fmt.Sprintf(", %s %s: %s", best.Form, harness.Seconds(best.Seconds), harness.Times(best.Speedup))
	}
	return text
}

// A peerResult is one form of a peer in a case.
type peerResult struct {
	Form    string  `json:"form"`
	Seconds float64 `json:"s"`       // median
	Speedup float64 `json:"speedup"` // median of the rounds' ratios
	Status  string  `json:"status"`  // why there are no numbers; "" if there are
}

// best is the fastest form, nil if none was timed.
func (r *result) best() *peerResult { return r.bestOf(allForms) }

// bestStock is the fastest form that peers have themselves.
func (r *result) bestStock() *peerResult {
	return r.bestOf(slices.DeleteFunc(slices.Clone(allForms), func(form string) bool { return slices.Contains(rewritten, form) }))
}

func (r *result) bestOf(forms []string) *peerResult {
	var best *peerResult
	for _, p := range r.Peers {
		if p.Status == "" && slices.Contains(forms, p.Form) && (best == nil || p.Speedup < best.Speedup) {
			best = p
		}
	}
	return best
}

// A bound is a quantity that has a limit.
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

// A summary is a program's cases at one number of threads.
type summary struct {
	program  program
	threads  int
	cases    int     // with a peer
	speedup  float64 // geometric mean over the best peers; NaN without
	worst    *result // the smallest speed-up
	stock    float64 // as speedup, over the best forms that peers have themselves
	weakest  float64 // the smallest speed-up over those
	roofline float64 // the smallest at widths of rooflineWidth and more; NaN without
	lowest   *result // that case
}

// rooflineWidth is the width from which on the roofline is judged: narrower rows
// are not what the time goes into.
const rooflineWidth = 64

// summarise gathers the cases of each program, for each number of threads.
func summarise(results []*result, threads []int) (all []summary) {
	for _, n := range threads {
		for _, p := range programs() {
			s := summary{program: p, threads: n, weakest: math.Inf(1), roofline: math.NaN()}
			var speedups, stock []float64
			for _, r := range results {
				if r.Threads != n || r.Program != p.title() {
					continue
				}
				if best := r.best(); best != nil {
					speedups = append(speedups, best.Speedup)
					if s.worst == nil || best.Speedup < s.worst.best().Speedup {
						s.worst = r
					}
				}
				if best := r.bestStock(); best != nil {
					stock, s.weakest = append(stock, best.Speedup), min(s.weakest, best.Speedup)
				}
				if r.Width >= rooflineWidth && !(r.Roofline >= s.roofline) {
					s.roofline, s.lowest = r.Roofline, r
				}
			}
			s.cases, s.speedup, s.stock = len(speedups), harness.Geomean(speedups), harness.Geomean(stock)
			if s.cases > 0 || s.lowest != nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// verdict judges a mean and a worst case; "" if there is nothing to judge.
func (p program) verdict(mean, worst float64) string {
	if p.target == 0 || math.IsNaN(mean) {
		return ""
	}
	return harness.YesNo(mean >= p.target && worst >= p.atLeast)
}

func (s summary) rooflineVerdict() string {
	if s.program.roofline == 0 || s.lowest == nil {
		return ""
	}
	return harness.YesNo(s.roofline >= s.program.roofline)
}
