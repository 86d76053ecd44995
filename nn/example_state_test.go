// Example of saving and loading a module.

package nn_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/nn"
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
	// error: nn: Load: tensor "hidden.weight": shape [2 8], want [3 8]
}
