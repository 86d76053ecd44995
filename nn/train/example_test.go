package train_test

import (
	"context"
	"fmt"
	"io"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// A perceptron learns the parity of two numbers' signs.
func ExampleRun() {
	x := autograd.Constant(tensor.FromSlice([]float32{-1, -1, -1, 1, 1, -1, 1, 1}, 4, 2))
	labels := []int32{0, 1, 1, 0}
	model := nn.NewMLP([]int{2, 8, 2}, nn.MLPConfig{}, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.05})

	ctx, stop := train.Interruptible(context.Background())
	defer stop()
	result, err := train.Run(ctx, train.Config{
		Model: model, Optimizer: opt, Epochs: 500,
		Train: func(e *train.Epoch) error {
			return e.Step(nn.CrossEntropy(model.Forward(x), labels, nil))
		},
		Evaluate: func(e *train.Epoch) (train.Metrics, error) {
			return train.Metrics{"acc": nn.Accuracy(model.Forward(autograd.NoGrad(x)), labels, nil)}, nil
		},
		Monitor: "acc", Maximize: true, Patience: 20,
		Output: io.Discard, // a bar or lines on standard error else
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("stopped early:", result.Stopped, "- accuracy", result.History.At(result.Best)["acc"])
	// Output: stopped early: true - accuracy 1
}
