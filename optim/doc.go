// Package optim updates parameters from their gradients: [SGD], [Adam], [AdamW],
// [NAdam], [RMSprop], [Adagrad] and [Adadelta] with the semantics of torch.optim,
// and [Lion].
//
//	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01})
//	for range epochs {
//		opt.ZeroGrad()
//		loss(model).Backward()
//		opt.Step()
//	}
//
// Parameters come in groups with a learning rate and a weight decay of their
// own:
//
//	optim.NewAdam([]optim.Group{
//		{Params: nn.Parameters(model.Conv1), WeightDecay: 5e-4},
//		{Params: nn.Parameters(model.Conv2)},
//	}, optim.AdamConfig{LR: 0.01})
//
// A setting of 0 means its default where there is one. What is to be 0 is 1e-300 then, whose
// part in a sum is lost: AdamConfig{LR: 2e-4, Beta1: 1e-300} is the Adam without momentum of
// adversarial networks.
//
// Learning rates follow a [Scheduler] ([StepLR], [MultiStepLR], [CosineLR], [OneCycleLR],
// any function as a [LambdaLR]) or a metric ([ReduceLROnPlateau]); [ClipGradNorm],
// [ClipGradNormTensor] and [ClipGradValue] bound the gradients before a step. An [Average] keeps averaged weights, to
// evaluate and save the model with.
//
// A parameter without a gradient is left alone, with its state. State is kept
// per parameter, in its dtype; the update of one parameter is one pass over its
// memory, parallel when it is large, with the same bits for any number of
// threads. SGD and the Adams run on the kernels of tensor/kern.
//
// An infinite weight becomes NaN at the next step, whereas torch.optim leaves it: weight
// decay is added to its gradient where it is 0, too, and 0·Inf is NaN ([Lion] has none
// there). A mask of -Inf is to be a constant, not a parameter.
//
// On a device (nn.To) the state of a parameter is there too, and a step updates all
// parameters of the same settings in one kernel, up to 16 a launch.
//
// Optimisers, schedules and averages give what they remember as named tensors (State) and
// take it back (LoadState). nn.SaveTraining writes it to a file beside the model;
// a run resumed from it is bit for bit the uninterrupted one.
//
// Step is PyTorch's method, and also the name of Gorgonia's, with another
// signature. Solver returns the optimiser as a gorgonia.Solver, which trains any
// gorgonia.ValueGrad, nodes of a Gorgonia graph as well as ours. The other way
// round, Gorgonia's solvers train our parameters, which are ValueGrads.
package optim
