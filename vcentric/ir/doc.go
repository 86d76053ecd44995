// Package ir is the graph-aware intermediate representation of vertex-centric
// programs: single-assignment values, each of which says where it lives
// (its Residency), over one table of ops.
//
// Reading order: residency.go (where values live), value.go (values and
// programs), op.go (the op table), infer.go (shapes and residencies),
// gradrules.go (the gradient column of the table), build.go, print.go and
// parse.go (the text form), check.go, interp.go (the reference interpreter that
// defines what a program means).
//
// Sources: Seastar (Wu et al., EuroSys 2021) section 5.1 for graph types,
// Graphiler (Xie et al., MLSys 2022) section 4.1 for data residency.
package ir
