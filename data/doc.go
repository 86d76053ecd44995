// Package data gives graph learning its datasets: it reads the files they are
// published in, fetches them if they are not there, and generates random ones.
//
//   - [Load] finds a known dataset by name, in a folder, in the cache or on a
//     public mirror; [Names] lists them. It gives a [Dataset], one class a
//     vertex. Sets for other tasks have functions of their own: [LoadGraphs] a
//     [GraphDataset], [LoadHetero] a [HeteroDataset], [LoadEntities] an
//     [EntityDataset], [LoadTriples] a [TripleDataset] and [LoadMultiLabel] a
//     [MultiLabelDataset]; [NamesOf] lists them by [Task].
//   - Files are read by [LoadPlanetoid], [LoadNPZ], [LoadTU], [LoadHGB],
//     [LoadRDF], [LoadKG], [LoadOGB] and its kin, and [LoadCommunities]; graphs
//     alone by [LoadEdgeList], [LoadGML] and [LoadMatrixMarket], what is known of
//     their vertices by [LoadVertexTable]. [EdgeIndex] takes edges from PyTorch
//     Geometric.
//   - [WriteNPZ], [Dataset.WriteNPZ], [WriteEdgeList] and [WriteMatrix] write
//     files whole or not at all.
//   - [GCNNorm], [AddInverse], [DropEdges], [Dataset.RowNormalize], [Dataset.LargestComponent],
//     [Dataset.Subset], [Dataset.Reorder], [Dataset.AddVirtualVertex], [HeteroDataset.AddSelfLoops]
//     and [HeteroDataset.Hetero] transform, some of them sets of graphs, too;
//     [RandomSplit], [FractionSplit] and [KFold] split, [RandomLinkSplit] and
//     [RandomHeteroLinkSplit] for link prediction; [NegativeLinks] draws pairs that no
//     edge joins. [KNN] joins points to their nearest, [Radius] to all that are near.
//   - [DegreeFeatures], [DegreeProfile], [ConstantFeatures], [RandomWalkEncoding] and
//     [LaplacianEncoding] are features that graphs have by themselves; [Features.Append],
//     [Dataset.AddFeatures] and methods of [GraphDataset] put them beside others.
//   - [NeighborLoader], [LinkLoader], [HeteroNeighborLoader], [HeteroLinkLoader],
//     [ClusterLoader], [WalkLoader] and, of whole graphs, [GraphLoader] make mini-batches
//     ahead of their use, the same for any number of workers; [RandomWalks] are walks alone.
//   - [Karate] is embedded, so there is always something to train on.
//   - [SBM] and [RMAT] generate graphs, the same for any number of threads.
//
// Edges have the order of their files; those of undirected citation and co-author
// graphs that of sources where the file has both directions. [graph.Graph.SortEdges]
// puts them in the order of destinations, for values of edges that forward passes read.
//
// Every file is taken as hostile: text is read as a stream, sizes are checked
// before memory is asked for, only known classes of pickles are built, and a
// fault is an error that says where it is ([FileError]: the file and the line).
package data
