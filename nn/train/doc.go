// Package train runs the loop around a model that is being trained: epochs, early
// stopping, the best weights, checkpoints that a run goes on from as if never
// interrupted, a progress bar, metrics in files.
//
//	ctx, stop := train.Interruptible(context.Background())
//	defer stop()
//	result, err := train.Run(ctx, train.Config{
//		Model: model, Optimizer: opt, Epochs: 200,
//		Train: func(e *train.Epoch) error {
//			return e.Step(nn.CrossEntropy(model.Forward(g, x), d.Labels, d.Train))
//		},
//		Evaluate: func(e *train.Epoch) (train.Metrics, error) {
//			logits := model.Forward(g, autograd.NoGrad(x))
//			return train.Metrics{"val_acc": nn.Accuracy(logits, d.Labels, d.Val)}, nil
//		},
//		Monitor: "val_acc", Maximize: true, Patience: 50,
//		Dir: "runs/gcn", Resume: true,
//	})
//
// None of it is needed: a model trains in a plain loop of ZeroGrad, Backward and
// Step, and [nn.SaveTraining] saves that. With many steps an epoch, the function
// Train is such a loop over [Epoch.Steps] or [Batches].
//
// # Files
//
// In Config.Dir there are, after every save,
//
//	last.safetensors    the whole run: see nn.SaveTraining
//	best.safetensors    the best weights, if a metric is monitored: for nn.LoadFile
//	metrics.csv         a row for every epoch
//	events.out.tfevents.*  the same for TensorBoard, one file for each start
//
// and what Config.Reports write, such as the learning curves of package curves. A
// file takes the place of the one before it when it is complete; events are
// appended by whole epochs. What is after the last save when a process dies is
// done again by the resumed run, with the same bits.
//
// # Reading order
//
//	config.go     what a run is made of
//	run.go        the loop over epochs
//	epoch.go      the steps of one epoch
//	accumulate.go the gradients of several batches, for one step of the optimiser
//	schedule.go   learning rates that follow the run
//	average.go    averaged weights, to evaluate and to keep
//	progress.go   where the run is, as a part of its checkpoint
//	history.go    the metrics of all epochs
//	save.go       the files of a run
//	csv.go, events.go   metrics as files
//	display.go    the progress bar, or plain lines
//	interrupt.go  Ctrl-C
package train
