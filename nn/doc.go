// Package nn has what models are made of: modules, parameters, layers,
// initialisers, losses and metrics.
//
// A module is any pointer to a struct. Its parameters are found by reflection
// over its exported fields, so a model is just a struct with a Forward method:
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
//	nn.Eval(m)
//
// What is in a field without a capital is not found, and so not trained or saved:
// [Summary] shows what is.
//
// One [RNG] seeds a whole model: every layer takes streams of its own from it.
//
// In evaluation mode, see [Eval], any number of goroutines may call one module's Forward at
// once. In training mode they may not: [Stochastic], and so every dropout, counts its
// draws, and [BatchNorm1d] moves its estimates.
//
// Layers and losses are torch.nn's in formulas, defaults and names. Weights that
// a product reads from the right are [in out]; where PyTorch's layout is kept for
// its checkpoints' sake, the layer says so. Files are safetensors: [Save] and
// [Load] for what a module has learnt, with [PyTorchLayout] and [FileNames] for checkpoints from
// and to PyTorch and [Partial] for a part of one, [SaveTraining] and [LoadTraining] for a run that is to go on as
// if never interrupted, [SaveTensors] and [LoadTensors] for anything else.
//
// # Reading order
//
//	walk.go            how fields become names
//	module.go          parameters, parts, freezing, modes
//	rng.go, stochastic.go, init.go, init_matrix.go
//	linear.go, bilinear.go, dropout.go, activation.go, embedding.go
//	sequential.go, mlp.go, attention.go, transformer.go
//	normalize.go, batchnorm.go
//	cell.go, recurrent.go, gru.go, lstm.go   steps and sequences
//	device.go          moving to a device, converting
//	checkpoint.go      computing again instead of keeping
//	loss.go, loss_elementwise.go, loss_ranking.go
//	metrics.go, metrics_f1.go, metrics_ranking.go
//	safetensors.go, safetensors_header.go, safetensors_data.go, safetensors_other.go   the file format
//	state.go, partial.go, training.go   what a module has learnt, a part of it, a whole run
package nn
