// Package explain reports how a program was compiled: the IR after every pass,
// the rules that fired, the plans with their kernels and buffers, kernel source,
// and the flops and bytes that each step is predicted to take.
//
// A Report renders as text for a terminal (Text), as one self-contained page
// with a column a pass (HTML; after the page that GOSSAFUNC makes of Go's SSA),
// as Graphviz graphs (Graph, Graphviz, GraphvizPlan), and to a folder of files
// (Dump). It computes nothing that execution depends on.
//
// Reading order: report.go (what a report holds, its text), cost.go (flops and
// bytes), keys.go (which values of different stages are the same), html.go with
// page.html, graph.go, dump.go.
package explain
