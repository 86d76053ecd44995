package check

// What can be wrong, and how it is reported.

import (
	"fmt"
	"strings"
)

// A Pitfall is a known mistake. Its text says what the system does.
type Pitfall string

// Pitfalls of calls.
const (
	NotTransposed  Pitfall = "SpMM in place of its transpose"
	Transposed     Pitfall = "the transpose where it is not asked for"
	EndsSwapped    Pitfall = "the ends of edges are taken for each other"
	NormAfter      Pitfall = "normalised after instead of before the transposed SpMM"
	NormSide       Pitfall = "normalised at the wrong end of the edges"
	NormMissing    Pitfall = "not normalised"
	WrongNorm      Pitfall = "another normalisation than the one asked for"
	WrongDegree    Pitfall = "normalised by the wrong degree"
	ZeroDegree     Pitfall = "degree 0 not counted as 1"
	EmptyReduction Pitfall = "a reduction over no edges is not 0"
	OddWidth       Pitfall = "odd widths are wrong, even ones right"
	HeadsIgnored   Pitfall = "several heads are wrong, one is right"
	DuplicateEdges Pitfall = "duplicate edges are counted once"
	EdgeOrder      Pitfall = "edges' values in another order than the edges were given"
	SlicesKept     Pitfall = "the caller's slices are read after NewGraph"
	SlicesChanged  Pitfall = "NewGraph changes the caller's slices"
	RowsUnwritten  Pitfall = "rows of vertices without edges are left unwritten"
	Unwritten      Pitfall = "parts of the output are left unwritten"
	OutputRead     Pitfall = "the output is added to instead of written"
	OutOfBounds    Pitfall = "writes outside its output"
	InputsChanged  Pitfall = "changes its inputs"
	NotRepeatable  Pitfall = "results differ from run to run"
	NonFinite      Pitfall = "NaN or Inf lost or made up"
	WrongGradient  Pitfall = "wrong gradient"
	WrongValues    Pitfall = "wrong values"
	CallFails      Pitfall = "returns an error for a valid call"
	CallPanics     Pitfall = "panics"
	NoGraph        Pitfall = "does not take a valid graph"
	PartSupported  Pitfall = "lacks a call for some sizes, not for all"
)

// Pitfalls of models. Those of calls that normalise count for models too.
const (
	MissingBias       Pitfall = "missing bias"
	MissingParameter  Pitfall = "missing parameter"
	DeadParameter     Pitfall = "a parameter that does nothing"
	DroppedDropout    Pitfall = "dropped dropout"
	DropoutInEval     Pitfall = "dropout in evaluation"
	DropoutRate       Pitfall = "dropout at another rate"
	DropoutScale      Pitfall = "dropout without the scale 1/(1-p)"
	DropoutSeed       Pitfall = "dropout does not follow its seed"
	DropoutGradient   Pitfall = "dropout missing in the backward pass"
	BackwardNorm      Pitfall = "backward pass not normalised"
	BackwardDirection Pitfall = "backward pass by SpMM in place of its transpose"
	BackwardNormAfter Pitfall = "backward pass normalised after instead of before the transposed SpMM"
	MissingGradient   Pitfall = "a parameter without a gradient"
	WrongOutput       Pitfall = "another model than the reference"
	ModelFails        Pitfall = "the model fails"
	WrongAccuracy     Pitfall = "another accuracy than the reference's"
)

// A Finding is one pitfall of one call, or of a model.
type Finding struct {
	Pitfall Pitfall `json:"pitfall"`
	Call    string  `json:"call"`   // "SpMMv", "gradient of SpMMv", a part of a model
	Cases   int     `json:"cases"`  // how many were wrong
	Of      int     `json:"of"`     // of how many
	Detail  string  `json:"detail"` // the smallest case and the numbers
}

// String is the finding in one line.
func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s", f.Call, f.Pitfall)
	if f.Of > 1 {
		s += fmt.Sprintf(" (%d of %d cases)", f.Cases, f.Of)
	}
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// A Report is what was found out about a system or a model.
type Report struct {
	Name        string    `json:"name"`
	Cases       int       `json:"cases"` // how many calls were judged, gradients among them
	Findings    []Finding `json:"findings"`
	Unsupported []string  `json:"unsupported"` // what the system says it lacks: "SpMMe(mul, max)"
	Notes       []string  `json:"notes"`       // worth knowing, not wrong
}

// OK tells whether nothing is wrong. Calls that are not supported are not wrong.
func (r Report) OK() bool { return len(r.Findings) == 0 }

// Has tells whether there is a finding of this pitfall.
func (r Report) Has(p Pitfall) bool {
	for _, f := range r.Findings {
		if f.Pitfall == p {
			return true
		}
	}
	return false
}

// Markdown is the report as a paragraph and lists.
func (r Report) Markdown() string {
	var b strings.Builder
	if r.OK() {
		fmt.Fprintf(&b, "**%s** is right in %d cases.\n", r.Name, r.Cases)
	} else {
		fmt.Fprintf(&b, "**%s** is wrong:\n\n", r.Name)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- **%s**: %s", f.Call, f.Pitfall)
		if f.Of > 1 {
			fmt.Fprintf(&b, " (%d of %d cases)", f.Cases, f.Of)
		}
		if f.Detail != "" {
			fmt.Fprintf(&b, "  \n  %s", f.Detail)
		}
		b.WriteByte('\n')
	}
	if len(r.Unsupported) > 0 {
		fmt.Fprintf(&b, "\nNot supported: %s.\n", strings.Join(r.Unsupported, "; "))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nNote: %s.\n", n)
	}
	return b.String()
}
