// Package nn has what models are made of: modules, parameters, layers,
// initialisers, losses and metrics.
//
// A module is any pointer to a struct. Its parameters are found by reflection
// over its fields, so a model is just a struct with a Forward method:
//
//	type MLP struct {
//		nn.Mode
//		Hidden, Out *nn.Linear
//		Drop        *nn.Dropout
//	}
//
//	func (m *MLP) Forward(x *autograd.Var) *autograd.Var {
//		return m.Out.Forward(m.Drop.Forward(m.Hidden.Forward(x).ReLU()))
//	}
//
//	nn.NamedParameters(m) // hidden.weight, hidden.bias, out.weight, out.bias
//	nn.SetTraining(m, false)
//
// One [RNG] seeds a whole model: every layer takes streams of its own from it.
//
// # Reading order
//
//	walk.go        how fields become names
//	module.go      NamedParameters, Parameters, ZeroGrad, SetTraining, Mode
//	rng.go, stochastic.go, init.go
//	linear.go, dropout.go, activation.go, sequential.go, embedding.go
//	normalize.go, batchnorm.go, cell.go, gru.go, lstm.go
//	loss.go, loss_elementwise.go, loss_ranking.go, metrics.go
//	state.go, safetensors.go   what a module has learnt, in files
package nn
