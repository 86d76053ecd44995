package message

// What Reduce and Update see.

import (
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/gnn/internal/udf"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Nodes stands for every node that edges may enter.
type Nodes struct {
	t     *trace
	stage stage
}

type stage uint8

const (
	reducing stage = iota
	updating
)

func (s stage) String() string { return [...]string{"Reduce", "Update"}[s] }

// trace panics with *[Error] for the zero Nodes.
func (n Nodes) trace() *trace {
	if n.t == nil {
		panic(&Error{Dialect: "message", Function: "Reduce or Update", Detail: "reads the zero Nodes; use those that it is given", Pos: udf.CallerLine()})
	}
	return n.t
}

// Mailbox is the messages of a name: one value for each of the node's in-edges, to be
// reduced. Only Reduce has a mailbox.
func (n Nodes) Mailbox(name string) vc.Value {
	t := n.trace()
	x, sent := t.mailbox[name]
	switch {
	case n.stage != reducing:
		t.fail(n.stage.String(), udf.CallerLine(), "reads mailbox %q, which only Reduce has", name)
	case !sent:
		t.fail(n.stage.String(), udf.CallerLine(), "mailbox %q has no messages; sent are %q", name, slices.Sorted(maps.Keys(t.mailbox)))
	}
	if !slices.Contains(t.read, name) {
		t.read = append(t.read, name)
	}
	return x
}

// Data is a feature of the node; in Update also what Reduce returned, which comes
// before a feature of its name.
func (n Nodes) Data(name string) vc.Value {
	defer udf.AtCaller()
	t := n.trace()
	if x, ok := t.reduced[name]; ok {
		return x
	}
	return t.v.Feature(name)
}

// Type is a feature of the node's type.
func (n Nodes) Type(name string) vc.Value {
	defer udf.AtCaller()
	return n.trace().v.Type(name)
}

// InDegree is the number of messages of each name in the node's mailbox.
func (n Nodes) InDegree() vc.Value {
	defer udf.AtCaller()
	return n.trace().v.InDegree()
}

// OutDegree is the number of edges that leave the node; not on a bipartite graph.
func (n Nodes) OutDegree() vc.Value {
	defer udf.AtCaller()
	return n.trace().v.OutDegree()
}
