// Package system is the System API of GnnBench (Gong et al. 2024, Table I): the five
// sparse calls that graph neural networks are made of, over a graph that a system
// stores as it likes.
//
//	SpMMv    vertices' values             → a value for each vertex
//	SpMMve   vertices' and edges' values  → a value for each vertex
//	SpMMe    edges' values                → a value for each vertex
//	SDDMMvv  both ends' values            → a value for each edge
//	SDDMMve  one end's and edges' values  → a value for each edge
//
// The calls are fine-grained on purpose: models, normalisation, gradients and memory
// are the same for every system (packages op and workflow), so that a comparison is
// one of kernels. What is to be transposed and where degrees divide is said in flags,
// which leaves no room for the mistakes that the paper found.
//
// # Reading order
//
//	system.go   System and Graph: what is implemented
//	flags.go    operator, reduction, direction, normalisation
//	call.go     a call as a value: what fits, and how it is made
//
// Below it:
//
//	op       the calls as differentiable operations
//	systems  the systems in the tree
//	check    the pitfall detector: is a system right?
//	plugin   systems in shared libraries, each in a process of its own
//	capi     the C form of the API, and an example
//	gen      from a signature to adapter, operation, C header and test
package system
