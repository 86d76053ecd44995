// Package check is the pitfall detector: it tells whether a system computes what the
// System API says, before anybody looks at how fast it does, and names what it does
// instead.
//
//	report, err := check.Run(sys, check.Options{Quick: true})
//	if !report.OK() {
//		fmt.Println(report.Markdown())
//	}
//
// [Run] makes every call with all its flags on small graphs made to tell mistakes
// apart (directed, duplicate edges, self-loops, vertices without edges, a hub, none at
// all), for odd and even widths and several heads. Outputs hold NaN beforehand and lie
// between guard zones, inputs are looked at afterwards. Results are compared with sums
// in float64, gradients, taken through package op, likewise. A difference is compared
// with what the known mistakes would give: GNN systems have been published with most of
// them (Gong et al. 2024, section V-B).
//
// [Model] does the same for whole models: biases, dropout, normalisation, gradients.
// [Accuracy] compares what training reached.
//
// # Tolerance
//
// A sum of n terms t_i may be off by (n + 8) 2^-23 Σ|t_i|: twice what rounding in any
// order to float32 can do, with room for coefficients that are rounded products. There
// is no other tolerance, so half precision is an error.
//
// # Reading order
//
//	pitfall.go    what can be wrong; findings and the report
//	graphs.go     the graphs
//	problem.go    a call with operands
//	coefficient.go  normalisation, right and wrong
//	reference.go  its result in float64, right or by a known mistake
//	gradient.go   its gradients in float64
//	guard.go      tensors in guard zones
//	trial.go      making a call and judging it
//	diagnose.go   which mistake explains a wrong result
//	run.go        all calls; backward.go all gradients
//	explain.go    from failed calls to findings
//	model.go      whole models: what is asked of them
//	reference_model.go gcn.go gin.go gat.go matrix.go  the models in float64
//	verdict.go comparison.go dropout.go  what is checked of a model
//	accuracy.go   what training reached
//
// Package planted has a system or a model for each pitfall.
package check
