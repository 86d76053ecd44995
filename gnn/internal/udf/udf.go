// Package udf has what the dialects know about the functions that users give them:
// where they stand, and what the values that they return belong to.
package udf

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Error is a user's function that cannot be compiled: which function of which
// program, why, and its line.
type Error struct {
	Dialect, Program, Function, Detail string // no Program: outside any
	Pos                                string // file:line
}

func (e *Error) Error() string {
	s := e.Function + ": " + e.Detail
	if e.Program != "" {
		s = e.Program + ": " + s
	}
	s = e.Dialect + ": " + s
	if e.Pos != "" {
		s = e.Pos + ": " + s
	}
	return s
}

// Misuse marks the error as wrong use of the API.
func (e *Error) Misuse() {}

// Line is where a function begins.
func Line(f any) string {
	entry := reflect.ValueOf(f).Pointer()
	file, line := runtime.FuncForPC(entry).FileLine(entry)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// PerEdge tells whether a value has one row for each edge or each edge's neighbour,
// not one for the centre. The printed IR says where a value resides; what has not met
// the vertex v yet, as a number that is put at the edges, shows it when it does; a panic
// with an *ir.Error names the line pos.
func PerEdge(x vc.Value, v vc.Vertex, pos string) bool {
	defer At(pos)
	r := residency(x)
	if r == "" && !isZero(x) {
		r = residency(x.Add(v.InDegree()))
	}
	switch r {
	case ir.Edge.String(), ir.EdgeType.String(), ir.Src.String(), ir.SrcType.String():
		return true
	}
	return false
}

// OfCentre tells whether a value belongs to the centre or its type.
func OfCentre(x vc.Value) bool {
	r := residency(x)
	return r == ir.Dst.String() || r == ir.DstType.String()
}

// Shared tells whether a value is a param or a number, which all vertices share. v is a
// vertex of the program.
func Shared(x vc.Value, v vc.Vertex) bool {
	// It has not met a vertex yet. What all share stays with a source that it meets, what
	// is reduced of it belongs to the destination, and with a source that makes an edge's.
	return residency(x) == "" && !isZero(x) && residency(x.Add(v.InEdges().SrcVertex().OutDegree())) == ir.Src.String()
}

// Ownerless says what a value is that belongs to no vertex and no edge: the zero Value, a
// param, a number; "" of any other. v is the vertex that it should belong to; a panic with
// an *ir.Error names the line pos.
func Ownerless(x vc.Value, v vc.Vertex, pos string) string {
	defer At(pos)
	switch {
	case isZero(x):
		return "the zero Value"
	case Shared(x, v):
		return "a param or a number, which all vertices share"
	}
	return ""
}

func isZero(x vc.Value) bool { return reflect.ValueOf(x).IsZero() }

func residency(x vc.Value) string {
	_, text, _ := strings.Cut(x.String(), ":")
	r, _, _ := strings.Cut(text, " ")
	return r
}

// AtCaller, deferred by a method of a dialect, lets a panic with an *ir.Error name
// the line that called the method: the user's, not the dialect's.
func AtCaller() {
	if err := recover(); err != nil {
		panic(at(err, CallerLine()))
	}
}

// At, deferred, lets a panic with an *ir.Error name the given line.
func At(pos string) {
	if err := recover(); err != nil {
		panic(at(err, pos))
	}
}

func at(err any, pos string) any {
	if e, ok := err.(*ir.Error); ok {
		moved := *e
		moved.Pos = pos
		return &moved
	}
	return err
}

// skipped are the packages that a user's function calls into.
var skipped = []string{
	"github.com/asterias-ml/asterias/vcentric.", "github.com/asterias-ml/asterias/vcentric/",
	"github.com/asterias-ml/asterias/gnn/internal/udf.", "github.com/asterias-ml/asterias/gnn/message.",
	"github.com/asterias-ml/asterias/gnn/saga.", "runtime.",
}

// CallerLine is the line of the user's function that called into a dialect.
func CallerLine() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		ours := false
		for _, prefix := range skipped {
			ours = ours || strings.HasPrefix(f.Function, prefix)
		}
		if !ours {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
