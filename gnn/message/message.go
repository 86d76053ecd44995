package message

// The layer and its three functions.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/gnn/internal/udf"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Fields are named values: the messages of an edge, or what a node makes of them.
type Fields map[string]vc.Value

// Layer is a layer as three functions.
type Layer struct {
	// Message makes the messages that each edge sends to its destination.
	Message func(e Edges) Fields

	// Reduce makes one value of each of its fields out of a node's mailbox, with the
	// aggregates of package vcentric: Sum, Mean, Max, Min, Softmax, ByType.
	Reduce func(n Nodes) Fields

	// Update gives the node's new value. Its Data has what Reduce returned beside the
	// features. If it is nil, Reduce returns one field and that is the value.
	Update func(n Nodes) vc.Value
}

// Error is a layer whose functions cannot be compiled.
type Error = udf.Error

// Compile makes a program of a layer. The functions run when a new signature is
// first met, Message first. It panics with *[Error] if Message or Reduce is nil.
func Compile(name string, l Layer) *vc.Program {
	if l.Message == nil || l.Reduce == nil {
		panic(&Error{Dialect: "message", Program: name, Function: "Compile", Detail: "a layer has a Message and a Reduce function", Pos: udf.CallerLine()})
	}
	return vc.Compile(name, func(v vc.Vertex) vc.Value {
		t := &trace{program: name, v: v}
		return t.layer(l)
	})
}

// trace is one run of a layer's functions.
type trace struct {
	program string
	v       vc.Vertex
	mailbox Fields
	read    []string // the mailboxes read so far
	reduced Fields
}

func (t *trace) fail(function, pos, format string, args ...any) {
	panic(&Error{Dialect: "message", Program: t.program, Function: function, Detail: fmt.Sprintf(format, args...), Pos: pos})
}

func (t *trace) layer(l Layer) vc.Value {
	t.mailbox = maps.Clone(l.Message(Edges{t.v.InEdges()}))
	if len(t.mailbox) == 0 {
		t.fail("Message", udf.Line(l.Message), "sends no messages")
	}
	for _, name := range slices.Sorted(maps.Keys(t.mailbox)) { // in one order: it is that of the IR
		// What the destination alone or all share is still one message for each edge, to be reduced.
		if x := t.mailbox[name]; udf.OfCentre(x) || udf.Shared(x, t.v) {
			t.mailbox[name] = vc.AtEdges(x)
		}
	}
	fields := l.Reduce(Nodes{t, reducing})
	names := slices.Sorted(maps.Keys(fields))
	for _, name := range names {
		if udf.PerEdge(fields[name], t.v, udf.Line(l.Reduce)) {
			t.fail("Reduce", udf.Line(l.Reduce), "%q is %s, which is not reduced (%v): a node has one value for each of its in-edges there; make one of them with vc.Sum, Mean, Max or Min",
				name, t.mail(), fields[name])
		}
	}
	t.reduced = fields
	if l.Update == nil {
		if len(names) != 1 {
			t.fail("Reduce", udf.Line(l.Reduce), "returns the fields %q; a layer without Update has one", names)
		}
		if what := udf.Ownerless(fields[names[0]], t.v, udf.Line(l.Reduce)); what != "" {
			t.fail("Reduce", udf.Line(l.Reduce), "%q is %s; want a value of the node", names[0], what)
		}
		return fields[names[0]]
	}
	out := l.Update(Nodes{t, updating})
	if what := udf.Ownerless(out, t.v, udf.Line(l.Update)); what != "" {
		t.fail("Update", udf.Line(l.Update), "returns %s; want a value of the node", what)
	}
	if udf.PerEdge(out, t.v, udf.Line(l.Update)) {
		t.fail("Update", udf.Line(l.Update), "returns a value of the edges, %v; want one of the node", out)
	}
	return out
}

// mail names the mailboxes that a value can be made of.
func (t *trace) mail() string {
	switch len(t.read) {
	case 0:
		return "a value of the edges"
	case 1:
		return fmt.Sprintf("made of mailbox %q", t.read[0])
	}
	return fmt.Sprintf("a mix of mailboxes %q", t.read)
}
