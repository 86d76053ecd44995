// Package message writes layers as message passing: a function of the edges that
// makes messages, one of the nodes that reduces their mailbox, one that updates
// them, as in DGL's user-defined functions and Graphiler (Xie et al., MLSys 2022,
// section 2).
//
//	gat := message.Compile("gat", message.Layer{
//		Message: func(e message.Edges) message.Fields {
//			return message.Fields{
//				"z": e.Src("z"),
//				"s": e.Src("z").Dot(vc.Param("al")).Add(e.Dst("z").Dot(vc.Param("ar"))).LeakyReLU(0.2),
//			}
//		},
//		Reduce: func(n message.Nodes) message.Fields {
//			alpha := vc.Softmax(n.Mailbox("s")).Reshape(heads, 1)
//			return message.Fields{"h": vc.Sum(alpha.Mul(n.Mailbox("z")))}
//		},
//		Update: func(n message.Nodes) vc.Value { return n.Data("h").Add(vc.Param("b")) },
//	})
//	y := gat.Run(g, vc.VertexFeature("z", z), ...)
//
// What Compile returns is a program of package vcentric: the functions are traced by
// its builder to the same IR, so a layer compiles to the plan that it has as a
// vertex function. Edge values of a mailbox are never stored: functions of them are
// fused into the reduction.
//
// A function that cannot be compiled is misuse: running the program panics with an
// *[Error], or an *ir.Error of the op, that says why and in which line; autograd.Try
// makes it an error. That is the case for a mailbox, or a mix of several, that
// Reduce returns without reducing it, a mailbox that no message was sent to, and
// features that are not bound.
package message
