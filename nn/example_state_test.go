// Examples of saving and loading a module and a run.

package nn_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func ExampleSaveFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.safetensors")

	trained := newClassifier(2, 8, 2, nn.NewRNG(1))
	if err := nn.SaveFile(path, trained); err != nil {
		fmt.Println(err)
		return
	}

	m := newClassifier(2, 8, 2, nn.NewRNG(2))
	fmt.Println("error:", nn.LoadFile(path, m))
	fmt.Println("same weights:", m.Out.Weight.Tensor().String() == trained.Out.Weight.Tensor().String())

	larger := newClassifier(3, 8, 2, nn.NewRNG(2))
	file, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	fmt.Println("error:", nn.Load(file, larger))
	// Output:
	// error: <nil>
	// same weights: true
	// error: nn: Load: tensor "hidden.weight": shape [2 8], want [3 8]; Partial and SkipMismatched take over what fits
}

// The trained layers get a new head.
func ExamplePartial() {
	var file bytes.Buffer
	trained := newClassifier(2, 8, 2, nn.NewRNG(1))
	if err := nn.Save(&file, trained); err != nil {
		fmt.Println(err)
		return
	}

	m := newClassifier(2, 8, 5, nn.NewRNG(2))
	var left nn.LoadReport
	if err := nn.Load(&file, m, nn.Partial(&left), nn.SkipMismatched()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("new:", left.Mismatched)
	nn.Freeze(m.Hidden) // if the head alone is to be trained
	fmt.Println("same layers:", m.Hidden.Weight.Tensor().String() == trained.Hidden.Weight.Tensor().String())
	// Output:
	// new: [out.weight out.bias]
	// same layers: true
}

func ExampleSaveTraining() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.safetensors")
	x := autograd.Constant(tensor.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2))

	// train trains for some epochs, from the file if resume, and returns the last loss.
	train := func(epochs int, resume bool) (loss float64, err error) {
		m := newClassifier(2, 32, 2, nn.NewRNG(1))
		opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.05})
		schedule := optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 5})
		run := &nn.Training{Model: m, Parts: map[string]nn.Stateful{"optimizer": opt, "schedule": schedule}}
		if resume {
			if err := nn.LoadTraining(path, run); err != nil {
				return 0, err
			}
		}
		for ; run.Epoch < epochs; run.Epoch++ {
			opt.ZeroGrad()
			l := nn.CrossEntropy(m.Forward(x), []int32{0, 1, 1, 0}, nil)
			l.Backward()
			opt.Step()
			schedule.Step()
			loss = l.Item()
		}
		return loss, nn.SaveTraining(path, run)
	}
	whole, err1 := train(20, false)
	_, err2 := train(8, false)
	resumed, err3 := train(20, true)
	fmt.Println(err1, err2, err3, "same loss:", whole == resumed)
	// Output: <nil> <nil> <nil> same loss: true
}
