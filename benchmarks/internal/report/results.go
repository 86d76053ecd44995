// Package report is what the benchmark platform measured, as JSON, as a page and as
// pictures. Everything is made from the JSON alone.
//
//	results.go   what was measured
//	judge.go     medians, shares, warnings
//	page.go      the page; page_*.go its sections
//	imports.go   results of other commands that the page has too
//	svg.go       pictures
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

// Results is everything one run measured.
type Results struct {
	Date     string          `json:"date"`
	Commit   string          `json:"commit"`
	Command  string          `json:"command"`
	Quick    bool            `json:"quick"`
	Threads  int             `json:"threads"`
	Timing   string          `json:"timing"` // rounds and samples, in words
	Machine  harness.Machine `json:"machine"`
	Systems  []System        `json:"systems"`
	Planted  []Planted       `json:"planted,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // what a reader has to know
	Accuracy []Accuracy      `json:"accuracy,omitempty"`
	Timings  []Timing        `json:"timings"`
	Memory   []Memory        `json:"memory,omitempty"`
}

// The kinds of systems.
const (
	Ours      = "ours"       // vertex-centric programs: the fused form
	SystemAPI = "system api" // systems behind the System API
	Peer      = "peer"       // processes of their own
)

// A System is who takes part, or why not.
type System struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	About   string `json:"about"`             // what it is, versions
	Missing string `json:"missing,omitempty"` // why it is not there

	// Findings of the pitfall detector, or of the comparison of losses: any of them
	// makes the system wrong, and it is not timed.
	Findings    []check.Finding `json:"findings,omitempty"`
	Unsupported []string        `json:"unsupported,omitempty"`
	Cases       int             `json:"cases,omitempty"` // how many calls the detector judged
}

// Wrong tells whether the system computes something else than it should.
func (s System) Wrong() bool { return len(s.Findings) > 0 }

// Planted is a system or a model with a known mistake, and whether it was caught.
type Planted struct {
	Name   string          `json:"name"`
	Want   check.Pitfall   `json:"want"`
	Caught bool            `json:"caught"` // and named
	Found  []check.Finding `json:"found"`
}

// Accuracy is that of trainings from several seeds.
type Accuracy struct {
	System string    `json:"system"`
	Model  string    `json:"model"`
	Task   string    `json:"task"`
	Test   []float64 `json:"test"` // of each seed, at the lowest validation loss
	Status string    `json:"status,omitempty"`
}

// The tables that timings are of.
const (
	KernelTable   = "kernels"
	StepTable     = "steps"
	EdgesTable    = "scaling with edges"
	WidthsTable   = "scaling with widths"
	StepEdgeTable = "steps by edges"
)

// The variants of a step.
const (
	Real        = ""             // all that there is to do
	NullKernels = "null kernels" // sparse kernels that return at once
	NullDevice  = "null device"  // all operations return at once
	Shrunk      = "shrunk"       // the step on two vertices of width 1
)

// ShrunkTask is the graph of two vertices.
const ShrunkTask = "shrunk"

// A Timing is one system at one case.
type Timing struct {
	Table    string `json:"table"`
	Case     string `json:"case"` // a call with flags, or a model
	Task     string `json:"task"` // the graph
	Vertices int    `json:"vertices"`
	Edges    int    `json:"edges"`
	Heads    int    `json:"heads,omitempty"`
	Width    int    `json:"width,omitempty"`
	System   string `json:"system"`
	Variant  string `json:"variant,omitempty"`

	Seconds   []float64 `json:"seconds"`          // of a repetition, each round
	Status    string    `json:"status,omitempty"` // why there are none
	Load      float64   `json:"load"`             // cores that others kept busy; negative if unknown
	Disturbed bool      `json:"disturbed,omitempty"`
}

// Memory is what one training step of a system takes, in bytes; negative is unknown.
type Memory struct {
	System string `json:"system"`
	Model  string `json:"model"`
	Task   string `json:"task"`
	Status string `json:"status,omitempty"`

	Graph       int64 `json:"graph"`       // structure, as the system stores it
	Features    int64 `json:"features"`    // of vertices
	Parameters  int64 `json:"parameters"`  // values, gradients, the optimiser's state
	Activations int64 `json:"activations"` // what lives between forward and backward
	Workspace   int64 `json:"workspace"`   // the rest of the peak: gradients under way, scratch
	Live        int64 `json:"live"`        // between two steps
	Peak        int64 `json:"peak"`        // in a step
	Resident    int64 `json:"resident"`    // of a fresh process, beyond an empty one, at most
	StepGrowth  int64 `json:"step_growth"` // of its resident memory in a step
}

// jsonName is the file of a run.
const jsonName = "results.json"

// Load reads the results of a folder.
func Load(dir string) (*Results, error) {
	text, err := os.ReadFile(filepath.Join(dir, jsonName))
	if err != nil {
		return nil, err
	}
	r := new(Results)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, jsonName), err)
	}
	return r, nil
}

// Save writes the results to a folder, which it makes.
func (r *Results) Save(dir string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, jsonName), append(text, '\n'), 0o644)
}
