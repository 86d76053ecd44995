// Package workflow is the models that systems are compared with, each written once
// for all of them: GCN, GIN and GAT of any depth. Parameters, dropout masks, loss,
// optimiser and the training loop are the same; only the sparse part of a layer
// comes from a [Form]: the five calls of a system, or our own fused vertex-centric
// programs. The same seed gives the same numbers up to rounding.
//
// With S the graph, normalised by both degrees, A the sum over in-edges:
//
//	GCN  h' = S(h W) + b                                 Kipf, Welling, ICLR 2017
//	GIN  h' = W₂ ReLU((1+ε) h W₁ + A(h W₁) + b₁) + b₂    Xu et al., ICLR 2019
//	GAT  h' = ‖ₖ Σ_u αᵏ_uv z_u + b,  z = h W             Veličković et al., ICLR 2018
//
// Between layers stand ReLU, or ELU after GAT's concatenated heads, and dropout; the
// last layer of GAT averages its heads. The graphs of GCN and GAT have a loop at
// every vertex. GIN's first product stands before the sum, which is the same by
// associativity and never sums rows as wide as the features.
//
// # Reading order
//
//	config.go  which model, and the sizes that the paper of GnnBench has
//	params.go  parameters by name, and where they start
//	task.go    a graph with features and labels
//	load.go    tasks: Cora and its like, generated graphs, next to nothing
//	model.go   the model, for any form
//	calls.go   layers over the System API
//	fused.go   layers as vertex-centric programs
//	train.go   the training step and loop
//	hooks.go   a model as the pitfall detector sees it
//	folder.go  a task as files, for peers in other processes
package workflow
