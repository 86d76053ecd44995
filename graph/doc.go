// Package graph holds the structure of graphs, without features: which vertex
// each edge leaves and enters, the types of edges and vertices, and the two
// compressed sparse row (CSR) forms that message passing reads.
//
// A [Graph] is immutable and safe for concurrent use. What is derived from it
// (the CSR by destination, the reverse CSR, degrees, the order of rows by
// degree, of vertices and edges by type, and of rows that share neighbours) is built when
// first asked for, once, in linear time.
//
// # Edges and their ids
//
// Edge e goes from Src()[e] to Dst()[e]; its id e is its position in the lists
// the graph was built from, and edge features are stored in this order. Both
// CSRs carry the ids, and within a row edges stand in id order, or, if edges
// have types, in order of (type, id). Duplicate edges, self-loops, isolated
// vertices and graphs with no vertex or no edge are legal. Vertex and edge ids
// are int32.
//
// # Types
//
// Edges and vertices may have types, small integers ([WithEdgeTypes],
// [WithVertexTypes]); types are in no order of their own and some may be empty.
// What is computed with a parameter of each type goes over vertices or edges
// type by type ([Graph.EdgesByType], [Graph.SrcByType], [Graph.DstByType]). What
// has no types is one type there, so such a loop serves it as well.
//
// [Hetero] has named types of vertices and relations between them, each with vertices
// numbered from 0, and is a view of one graph with types: [Hetero.Homogeneous] and
// [FromHomogeneous]. [RelationsOf] has the relations of its blocks.
//
// # Homogeneous and bipartite graphs
//
// In a graph made by [New] sources and destinations are the same vertices. In
// one made by [NewBipartite] they are two sets, each numbered from 0, as in
// the blocks of neighbour sampling.
//
// # Errors
//
// Edge lists, types and vertex lists are the user's data: a fault in them is
// an error that names the offending entry. Asking a bipartite graph for what
// only a homogeneous one has is misuse and panics with a [*BipartiteError].
// Results that would exceed int32 panic with a [*SizeError] in transforms and
// are errors where an error is returned.
//
// Slices returned by methods are the graph's own: they are read-only.
package graph
