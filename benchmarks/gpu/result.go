// What was measured.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// A header is what the numbers depend on: the first line of the JSON.
type header struct {
	Machine  harness.Machine `json:"machine"`
	Device   string          `json:"device"`
	Emulated bool            `json:"emulated"` // times mean nothing
	Copy     float64         `json:"copy_bytes_per_s"`
	Peer     string          `json:"peer"`            // version, or why there is none
	Sparse   string          `json:"sparse"`          // the same of cuSPARSE
	Notes    []string        `json:"notes,omitempty"` // what a reader should know of files that were put together
}

// A spread is the middle of some times, and what half of them lie between.
type spread struct {
	Q1     float64 `json:"q1_s"`
	Median float64 `json:"median_s"`
	Q3     float64 `json:"q3_s"`
}

func spreadOf(seconds []float64) spread {
	s := slices.Sorted(slices.Values(seconds))
	at := func(q float64) float64 { // between neighbours in proportion
		if len(s) == 0 {
			return math.NaN()
		}
		x := q * float64(len(s)-1)
		i := int(x)
		if i+1 == len(s) {
			return s[i]
		}
		return s[i] + (x-float64(i))*(s[i+1]-s[i])
	}
	return spread{at(0.25), at(0.5), at(0.75)}
}

// A result is one case. The first entry is ours.
type result struct {
	Case     string   `json:"case"`
	Pass     pass     `json:"pass"`
	Graph    string   `json:"graph"`
	Vertices int      `json:"vertices"`
	Edges    int      `json:"edges"`
	Bytes    int64    `json:"bytes,omitempty"` // of the gather bound, for kernels
	Share    float64  `json:"share,omitempty"` // of the bound's speed at the copy bandwidth
	Entries  []*entry `json:"entries"`

	Error string `json:"error,omitempty"` // why ours has no time
}

// An entry is one system in a case.
type entry struct {
	System string `json:"system"`
	spread
	Ratio  float64 `json:"ratio"`                // its time over ours, median of the rounds: above 1 we are faster
	Peak   int64   `json:"peak_bytes,omitempty"` // of the device's memory in a step of training
	Status string  `json:"status,omitempty"`     // why there are no times
}

func (b *bench) newResult(t *task) *result {
	r := &result{Case: t.name, Pass: t.pass, Graph: t.problem.name, Vertices: t.g.NumVertices(), Edges: t.g.NumEdges()}
	if t.pass == kernel {
		r.Bytes = t.program.bytes(int64(r.Vertices), int64(r.Edges))
	}
	return r
}

// judge computes how near ours is to the bound.
func (r *result) judge(bandwidth float64) {
	if r.Bytes > 0 && bandwidth > 0 {
		r.Share = float64(r.Bytes) / bandwidth / r.Entries[0].Median
	}
}

// of returns a system's entry that was timed, or nil.
func (r *result) of(system string) *entry {
	i := slices.IndexFunc(r.Entries, func(e *entry) bool { return e.System == system && e.Status == "" })
	if i < 0 {
		return nil
	}
	return r.Entries[i]
}

// best is the fastest of some systems, nil if none was timed.
func (r *result) best(systems ...string) (best *entry) {
	for _, s := range systems {
		if e := r.of(s); e != nil && (best == nil || e.Median < best.Median) {
			best = e
		}
	}
	return best
}

// A verdict is a target and what was reached.
type verdict struct {
	What   string  `json:"what"`
	Value  float64 `json:"value"`
	Target float64 `json:"target"`
	Met    bool    `json:"met"`
}

// verdicts judges a case; a case without the peer it is held against has none.
func (r *result) verdicts() (all []verdict) {
	add := func(what string, value, target float64, met bool) {
		all = append(all, verdict{fmt.Sprintf("%s %s, %s: %s", r.Case, r.Pass, r.Graph, what), value, target, met})
	}
	faster := map[string]float64{"gat": 3, "gcn": 1.2}
	if own, pyg := r.best(ours, oursGraph), r.best("pyg", "pyg graph"); r.Pass == epoch && own != nil && pyg != nil {
		if target := faster[r.Case]; target > 0 {
			x := pyg.Median / own.Median
			add("times as fast as PyTorch Geometric", x, target, x >= target)
		}
	}
	if own, pyg := r.of(ours), r.of("pyg"); own != nil && pyg != nil && own.Peak > 0 && pyg.Peak > 0 {
		x := float64(own.Peak) / float64(pyg.Peak)
		add("share of PyTorch Geometric's peak memory", x, 0.25, x <= 0.25)
	}
	for _, p := range programs() {
		if r.Pass == kernel && r.Case == p.name && p.target > 0 && r.Share > 0 {
			add("share of the gather bound", r.Share, p.target, r.Share >= p.target)
		}
	}
	return all
}

// jsonLine writes a value as one line.
func jsonLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

// String is the result in a line.
func (r *result) String() string {
	text := fmt.Sprintf("%s %s, %s:", r.Case, r.Pass, r.Graph)
	if r.Error != "" {
		return text + " " + r.Error
	}
	for _, e := range r.Entries {
		text += " " + e.System + " " + e.cell()
	}
	return text
}
