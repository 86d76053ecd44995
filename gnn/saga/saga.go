package saga

import (
	"fmt"

	"github.com/asterias-ml/asterias/gnn/internal/udf"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// EdgeFunc computes a value of an edge from its source, its destination and itself.
type EdgeFunc func(src, dst vc.Vertex, e vc.Edge) vc.Value

// Layer is a layer as two functions and an accumulator.
type Layer struct {
	ApplyEdge   EdgeFunc
	Accumulator Accumulator // of the values of a vertex's in-edges; the zero value is Sum

	// ApplyVertex gives the vertex's new value from what was accumulated. If it is
	// nil, that is the value.
	ApplyVertex func(v vc.Vertex, acc vc.Value) vc.Value
}

// Accumulator makes one value of a vertex out of the values of its in-edges. Over no
// edges each of them gives 0.
type Accumulator struct {
	gather func(value vc.Value) vc.Value
	score  EdgeFunc // nil but for SoftmaxSum
}

// The accumulators beside SoftmaxSum, element by element.
var (
	Sum  = Accumulator{gather: vc.Sum}
	Mean = Accumulator{gather: vc.Mean}
	Max  = Accumulator{gather: vc.Max}
	Min  = Accumulator{gather: vc.Min}
)

// SoftmaxSum is the sum of the edges' values weighted by the softmax of their scores
// over the vertex's in-edges: attention. A score broadcasts against the value; with
// heads it is [heads 1]. It panics with *[Error] if score is nil.
func SoftmaxSum(score EdgeFunc) Accumulator {
	if score == nil {
		panic(&Error{Dialect: "saga", Function: "SoftmaxSum", Detail: "the score is nil; without one use Sum", Pos: udf.CallerLine()})
	}
	return Accumulator{gather: vc.Sum, score: score}
}

// Error is a layer whose functions cannot be compiled.
type Error = udf.Error

// Compile makes a program of a layer. The functions run when a new signature is first
// met: the score if there is one, ApplyEdge, ApplyVertex. It panics with *[Error] if
// ApplyEdge is nil.
func Compile(name string, l Layer) *vc.Program {
	if l.ApplyEdge == nil {
		panic(&Error{Dialect: "saga", Program: name, Function: "Compile", Detail: "a layer has an ApplyEdge function", Pos: udf.CallerLine()})
	}
	acc := l.Accumulator
	if acc.gather == nil {
		acc = Sum
	}
	return vc.Compile(name, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		src, dst := e.SrcVertex(), e.DstVertex()
		var score vc.Value
		if acc.score != nil {
			score = acc.score(src, dst, e)
		}
		out := acc.accumulate(score, l.ApplyEdge(src, dst, e), udf.Line(l.ApplyEdge))
		if l.ApplyVertex == nil {
			return out
		}
		out = l.ApplyVertex(v, out)
		what := udf.Ownerless(out, v, udf.Line(l.ApplyVertex))
		if udf.PerEdge(out, v, udf.Line(l.ApplyVertex)) {
			what = fmt.Sprintf("a value of the edges, %v", out)
		}
		if what != "" {
			panic(&Error{Dialect: "saga", Program: name, Function: "ApplyVertex", Pos: udf.Line(l.ApplyVertex),
				Detail: "returns " + what + "; want one of the vertex"})
		}
		return out
	})
}

// accumulate gathers what ApplyEdge, which begins at pos, gave; a score and value that
// do not fit are its fault.
func (a Accumulator) accumulate(score, value vc.Value, pos string) vc.Value {
	defer udf.At(pos)
	if a.score != nil {
		value = vc.Softmax(score).Mul(value)
	}
	return a.gather(value)
}
