package render

// What launches need to know of a graph: its extent, and its arrays.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Extent is the sizes of a graph, and how many hubs and chunks of them each
// direction has.
type Extent struct {
	plan.Sizes
	Hubs, Chunks [2]int // by ir.Dir
}

// Quantity is a size that a count is made of.
type Quantity uint8

const (
	One Quantity = iota
	Rows
	Hubs
	Chunks
)

// Count is a number that depends on the extent of a graph alone: the sum of its
// terms.
type Count []Term

// Term is min(ceil(quantity * Times / Per), Max) * By; Times, Per and By count as 1
// if they are 0, and Max as infinite.
type Term struct {
	Of                  Quantity
	Res                 ir.Residency // of Rows
	Dir                 ir.Dir       // of Hubs and Chunks
	Times, Per, Max, By int
}

// Of is the count on a graph.
func (c Count) Of(x *Extent) int {
	n := 0
	for _, t := range c {
		n += t.of(x)
	}
	return n
}

func (t Term) of(x *Extent) int {
	n := 1
	switch t.Of {
	case Rows:
		n = x.Rows(t.Res)
	case Hubs:
		n = x.Hubs[t.Dir]
	case Chunks:
		n = x.Chunks[t.Dir]
	}
	n *= max(t.Times, 1)
	n = (n + max(t.Per, 1) - 1) / max(t.Per, 1)
	if t.Max > 0 {
		n = min(n, t.Max)
	}
	return n * max(t.By, 1)
}

// constant is a count that is the same on all graphs.
func constant(n int) Count {
	if n == 0 {
		return nil
	}
	return Count{{Times: n}}
}

// Array names an array of a graph.
type Array struct {
	Name ArrayName
	Dir  ir.Dir       // of the edges of a CSR
	Res  ir.Residency // of a list of vertices or edges: Src, Dst or Edge
}

// ArrayName is what an array holds.
type ArrayName uint8

const (
	// Of the CSR of a direction.
	Offsets    ArrayName = iota // where the edges of each row begin, and the end
	Neighbors                   // the other end of the edge at a position
	EdgeIDs                     // its id
	EdgeTypes                   // its type; the edges of a row are in order of types
	Across                      // its position in the CSR of the other direction
	Order                       // the rows by descending degree
	HubFirst                    // the first chunk of each hub, and their number
	ChunkHub                    // the hub of each chunk, in the order of Order
	ChunkBegin                  // the first position of each chunk; it ends where the next one begins or its row ends

	// Of Src, Dst or Edge.
	TypeOf // the type of each vertex or edge
	ByType // the vertices or edges in order of their types

	// Of Src or Dst.
	End // the vertex at that end of each edge
)

// Hubs are the rows of a CSR with very many edges, and their chunks.
type HubTable struct {
	First, Hub, Begin []int32 // HubFirst, ChunkHub, ChunkBegin
}

// NewHubs finds the rows with more than hub edges and cuts their edges into chunks of
// so many, and where another type begins: the edges of a row are in order of types.
func NewHubs(csr *graph.CSR, hub, chunk int) *HubTable {
	t := &HubTable{First: []int32{0}}
	for h, r := range csr.DegreeOrder() {
		if csr.Degree(int(r)) <= hub {
			break
		}
		end := csr.Offsets[r+1]
		for at, begin := csr.Offsets[r], int32(-1); at < end; at++ {
			if begin < 0 || at-begin == int32(chunk) || csr.Types != nil && csr.Types[at] != csr.Types[begin] {
				begin = at
				t.Hub, t.Begin = append(t.Hub, int32(h)), append(t.Begin, begin)
			}
		}
		t.First = append(t.First, int32(len(t.Hub)))
	}
	return t
}

// Len is the number of hubs.
func (t *HubTable) Len() int { return len(t.First) - 1 }

// NewExtent is the extent of a graph with the hubs of its directions; nil for those
// of which no kernel meets the edges.
func NewExtent(g *graph.Graph, hubs [2]*HubTable) *Extent {
	x := &Extent{Sizes: plan.Sizes{
		NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges(),
		Types: ir.Types{Src: g.NumSrcTypes(), Dst: g.NumDstTypes(), Edge: g.NumEdgeTypes()},
	}}
	for d, t := range hubs {
		if t != nil {
			x.Hubs[d], x.Chunks[d] = t.Len(), len(t.Hub)
		}
	}
	return x
}

// HostArray finds an array; hubs are those of each direction.
func HostArray(a Array, g *graph.Graph, hubs [2]*HubTable) []int32 {
	csr := func(d ir.Dir) *graph.CSR {
		if d == ir.Out {
			return g.Out()
		}
		return g.In()
	}
	switch a.Name {
	case Offsets:
		return csr(a.Dir).Offsets
	case Neighbors:
		return csr(a.Dir).Neighbors
	case EdgeIDs:
		return csr(a.Dir).EdgeIDs
	case EdgeTypes:
		return csr(a.Dir).Types
	case Across:
		return csr(a.Dir).PositionsIn(csr(1 - a.Dir))
	case Order:
		return csr(a.Dir).DegreeOrder()
	case HubFirst:
		return hubs[a.Dir].First
	case ChunkHub:
		return hubs[a.Dir].Hub
	case ChunkBegin:
		return hubs[a.Dir].Begin
	}
	return vertexArray(a, g)
}

// vertexArray is HostArray of what belongs to vertices, or to edges by id.
func vertexArray(a Array, g *graph.Graph) []int32 {
	switch a {
	case Array{Name: TypeOf, Res: ir.Src}:
		return g.SrcTypes()
	case Array{Name: TypeOf, Res: ir.Dst}:
		return g.DstTypes()
	case Array{Name: TypeOf, Res: ir.Edge}:
		return g.EdgeTypes()
	case Array{Name: ByType, Res: ir.Src}:
		return g.SrcByType().Order
	case Array{Name: ByType, Res: ir.Dst}:
		return g.DstByType().Order
	case Array{Name: ByType, Res: ir.Edge}:
		return g.EdgesByType().Order
	case Array{Name: End, Res: ir.Src}:
		return g.Src()
	}
	return g.Dst()
}
