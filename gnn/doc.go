// Package gnn has graph neural network layers and the models made of them. Each
// layer is a vertex-centric program, one a file; its comment is its formula.
//
// Layers take the graph with every call, so one model runs on any graph:
//
//	conv := gnn.NewGCNConv(in, out, nn.NewRNG(seed))
//	y := conv.Forward(g, x)
//
// Their parameters are found by package nn, as those of any module.
package gnn
