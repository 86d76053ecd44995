// Package planted has systems and models with one mistake each, to see the detector of
// package check find it: those that GnnBench found in published systems, and the others
// that the detector has names for.
//
// They are for that alone. Some write where they must not, into the guard zones that
// package check puts around outputs.
//
//	all.go     the list
//	fault.go   what can be planted in a system
//	system.go  a plain system that has a fault, or none
//	model.go   plain GCN, GIN and GAT that have a fault, or none
//	layers.go  their layers
package planted
