// Package peers holds other frameworks, each in a process of its own that trains the
// models of package workflow and answers requests on standard input; the README has the
// protocol. Its tests compare the first losses of every peer that is installed with a
// plain float64 reference.
//
//	peer.py   what the Python peers share: protocol, tasks, training
//	torch.py  plain PyTorch
//	pyg.py    PyTorch Geometric
//	dgl.py    DGL
//	serve     what the Go peers share
//	gorgonia  stock Gorgonia
//	gomlx     GoMLX, a module of its own
package peers
