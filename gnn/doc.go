// Package gnn has graph neural network layers and the models made of them. Each
// layer is a vertex-centric program, one a file; its comment is its formula.
//
// Layers take the graph with every call, so one model runs on any graph:
//
//	conv := gnn.NewGCNConv(in, out, nn.NewRNG(seed))
//	y := conv.Forward(g, x)
//
// Their parameters are found by package nn, as those of any module. As there, any number of
// goroutines may call one model's Forward at once in evaluation mode, see [nn.Eval], but
// not in training mode, in which dropout counts its draws and batch normalisation moves its
// estimates.
//
// Layers of one hop, all but APPNP, SGConv, ChebConv, TAGConv, GGNNConv and DirGNNConv, also
// run on blocks, the bipartite graphs of neighbour sampling: x is then [NumSrc in], the
// destinations are the first NumDst sources, and the result is [NumDst out]. The models GCN, GAT, SAGE,
// RGCN and HGT take a block for each layer with ForwardBlocks, HeteroConv one with ForwardOn.
//
// Layers that can read edge features take them as another argument, [E edge] in order of
// edge ids, nil if they were made without.
//
// Layers that propagate as GCN does, and their models, take one weight an edge with
// ForwardWeighted, w [E] in order of edge ids, and norm by weighted degrees; so do
// GraphConv and GGNNConv, without a norm:
//
//	y := conv.ForwardWeighted(g, x, w)
//
// Heterogeneous graphs are homogeneous ones with types: [HeteroLinear] brings the
// features of each vertex type to one width, and the vertices of type t are the rows
// VertexIDs[t] of [graph.Hetero.Homogeneous].
//
// SAGEConv, GraphConv, GATConv, GATv2Conv, NNConv and TransformerConv also run on one
// relation, between two kinds of vertices whose features may be of different widths; so do GINConv and
// GINEConv, for features of one width, which they add:
//
//	conv := gnn.NewSAGEConv(authorWidth, out, gnn.SAGEConfig{}, r, gnn.DstFeatures(paperWidth))
//	y := conv.ForwardPair(hetero.Relation(writes), authors, papers) // a row for each paper
//
// SAGEConv and GraphConv with [NoRoot] read the features of sources alone.
//
// [HeteroConv] has such a layer for each relation of a heterogeneous graph, as PyG's does, and
// takes and gives features by the names of vertex types:
//
//	conv := gnn.NewHeteroConv(hetero, map[graph.EdgeType]gnn.PairConv{writes: ..., cites: ...}, gnn.HeteroConfig{})
//	y := conv.Forward(hetero, map[string]*autograd.Var{"author": authors, "paper": papers}, nil)
//
// [DirGNNConv] has a layer for each direction of the edges of a directed graph.
//
// Results for whole graphs come from
// [Readout] and the other poolings, scores of edges from [Dot], [DistMult] and [TransE].
// Like the poolings, [GraphNorm] and the other normalisations take the batch that says which
// graph each vertex is of, as does [ToDenseBatch], which gives each graph a matrix of its own:
//
//	h = norm.Forward(batch, conv.Forward(g, h)).ReLU()
//
// [LightGCN] learns vectors of users and items, and [Recommend] finds the best items by them,
// or by those of any model.
//
// [LabelPropagation] predicts without parameters from the labels that are known, and
// [CorrectAndSmooth] makes the predictions of any model better by them.
//
// [Node2Vec], [GAE], [VGAE] and [DeepGraphInfomax] learn from a graph without labels.
//
// Package layerwise runs layers over graphs that are too large for a whole pass; packages
// message and saga are two more ways of writing layers.
//
// For what has no layer there are the sparse ops (SpMM, SpMMEdge, SDDMM,
// EdgeSoftmax, SegmentReduce), and package vcentric for the rest.
package gnn
