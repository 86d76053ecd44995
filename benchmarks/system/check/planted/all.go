package planted

// The list.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

// Planted is a system, or a model, with one mistake.
type Planted struct {
	Name   string
	Want   check.Pitfall // what it is found to do
	System system.System // nil: it is a model
	Arch   check.Arch
	Model  check.Builder
}

// Check looks for the mistake.
func (p Planted) Check(o check.Options) (check.Report, error) {
	if p.System != nil {
		return check.Run(p.System, o)
	}
	return check.Model(p.Name, p.Arch, p.Model, o)
}

// Right returns a system without a mistake.
func Right() system.System { return newPlain("right", fault{}) }

// All returns everything that has one: first what Gong et al. found in published
// systems.
func All() []Planted {
	var list []Planted
	model := func(name string, want check.Pitfall, f modelFault) {
		list = append(list, Planted{Name: name, Want: want, Arch: check.GCN, Model: Model(f)})
	}
	sys := func(name string, want check.Pitfall, f fault) {
		list = append(list, Planted{Name: name, Want: want, System: newPlain(name, f)})
	}

	model("missing-bias", check.MissingBias, modelFault{without: "bias"})
	sys("norm-after", check.NormAfter, fault{divisor: dividedAfter})
	sys("no-transpose", check.NotTransposed, fault{turnSpMM: func(system.Flags) bool { return false }})
	sys("even-widths", check.OddWidth, fault{keep: even})
	model("dropped-dropout", check.DroppedDropout, modelFault{dropout: notDropped})
	model("backward-norm-after", check.BackwardNormAfter, modelFault{backScale: wrongEnds})
	model("backward-no-transpose", check.BackwardDirection, modelFault{backSame: true})
	model("backward-no-norm", check.BackwardNorm, modelFault{backScale: noScale})

	sys("always-transposed", check.Transposed, fault{turnSpMM: func(system.Flags) bool { return true }})
	sys("ends-swapped", check.EndsSwapped, fault{turnSDDMM: func(f system.Flags) bool { return !f.Transpose }})
	sys("even-widths-or-error", check.OddWidth, fault{before: refuseOdd})
	sys("norm-before", check.NormSide, fault{divisor: dividedBefore})
	sys("no-norm", check.NormMissing, fault{divisor: notDivided})
	sys("one-norm", check.WrongNorm, fault{divisor: alwaysBoth})
	sys("out-degree", check.WrongDegree, fault{divisor: outForIn})
	sys("zero-degree", check.ZeroDegree, fault{finish: zeroByZero})
	sys("empty-max", check.EmptyReduction, fault{empty: -math.MaxFloat32})
	sys("one-head", check.HeadsIgnored, fault{keep: firstHead})
	sys("one-head-of-weights", check.HeadsIgnored, fault{weight: headZero})
	sys("heads-panic", check.HeadsIgnored, fault{before: panicOnHeads})
	sys("no-duplicates", check.DuplicateEdges, fault{store: withoutRepeats})
	sys("csr-order", check.EdgeOrder, fault{store: sorted})
	sys("slices-kept", check.SlicesKept, fault{store: borrowed})
	sys("slices-changed", check.SlicesChanged, fault{store: reordered})
	sys("rows-unwritten", check.RowsUnwritten, fault{keep: withEdges})
	sys("unwritten", check.Unwritten, fault{keep: firstPart})
	sys("adds", check.OutputRead, fault{add: true})
	sys("overrun", check.OutOfBounds, fault{after: overrun})
	sys("clobbers", check.InputsChanged, fault{after: clobber})
	sys("noisy", check.NotRepeatable, fault{finish: noisy})
	sys("finite-only", check.NonFinite, fault{value: finite})
	sys("half-precision", check.WrongValues, fault{value: half})
	sys("out-of-workspace", check.CallFails, fault{before: outOfWorkspace})
	sys("panics", check.CallPanics, fault{before: crash})
	sys("small-only", check.PartSupported, fault{before: smallOnly})
	sys("no-empty-graph", check.NoGraph, fault{store: noLoneVertices})

	model("bias-ignored", check.MissingBias, modelFault{ignores: "bias"})
	model("bias-not-trained", check.MissingGradient, modelFault{detach: "bias"})
	model("no-weight", check.MissingParameter, modelFault{without: "weight"})
	model("model-no-norm", check.NormMissing, modelFault{scale: noScale})
	model("model-mean", check.WrongNorm, modelFault{scale: meanEnd})
	model("model-in-degrees", check.WrongDegree, modelFault{scale: inEnds})
	model("model-transposed", check.Transposed, modelFault{turned: true})
	model("dropout-in-evaluation", check.DropoutInEval, modelFault{dropout: alwaysDropped})
	model("dropout-keeps-p", check.DropoutRate, modelFault{dropout: keptForDropped})
	model("dropout-not-scaled", check.DropoutScale, modelFault{dropout: notScaled})
	model("dropout-one-seed", check.DropoutSeed, modelFault{dropout: oneSeed})
	model("dropout-forward-only", check.DropoutGradient, modelFault{dropout: forwardOnly})
	model("tanh", check.WrongOutput, modelFault{activation: (*autograd.Var).Tanh})
	model("out-of-memory", check.ModelFails, modelFault{fails: true})
	return list
}
