package message

// What Message sees.

import (
	"github.com/asterias-ml/asterias/gnn/internal/udf"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Edges stands for every edge.
type Edges struct{ e vc.Edge }

// Src is a feature of the edge's source.
func (e Edges) Src(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.Src(name)
}

// Dst is a feature of the edge's destination.
func (e Edges) Dst(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.Dst(name)
}

// Data is a feature of the edge.
func (e Edges) Data(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.Feature(name)
}

// SrcType is a feature of the type of the edge's source.
func (e Edges) SrcType(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.SrcType(name)
}

// DstType is a feature of the type of the edge's destination.
func (e Edges) DstType(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.DstType(name)
}

// Type is a feature of the edge's type.
func (e Edges) Type(name string) vc.Value {
	defer udf.AtCaller()
	return e.e.Type(name)
}

// TypeDegree is how many in-edges of the edge's destination have the edge's type.
func (e Edges) TypeDegree() vc.Value {
	defer udf.AtCaller()
	return e.e.TypeDegree()
}

// SrcInDegree is the number of edges that enter the edge's source; not on a
// bipartite graph.
func (e Edges) SrcInDegree() vc.Value {
	defer udf.AtCaller()
	return e.e.SrcVertex().InDegree()
}

// SrcOutDegree is the number of edges that leave the edge's source.
func (e Edges) SrcOutDegree() vc.Value {
	defer udf.AtCaller()
	return e.e.SrcVertex().OutDegree()
}

// DstInDegree is the number of edges that enter the edge's destination.
func (e Edges) DstInDegree() vc.Value {
	defer udf.AtCaller()
	return e.e.DstVertex().InDegree()
}
