package dense

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

var updateGolden = flag.Bool("update", false, "rewrite the goldens")

// Every operation of programs is spelled, and nothing else.
func TestEveryOperationIsSpelled(t *testing.T) {
	for _, op := range tensor.ProgramOps {
		if spelled[op.Name] == "" {
			t.Errorf("%s is not spelled", op.Name)
		}
	}
	for name := range spelledWhole {
		if spelled[name] == "" {
			t.Errorf("%s is no operation", name)
		}
	}
	if len(spelled) != len(tensor.ProgramOps) || len(programOps) != len(tensor.ProgramOps) {
		t.Errorf("%d operations, %d names, %d spellings", len(tensor.ProgramOps), len(programOps), len(spelled))
	}
}

func TestKernelTexts(t *testing.T) {
	step := func(op string, c float64, args ...int) tensor.ProgramStep {
		s := tensor.ProgramStep{Op: op, Type: tensor.Float32, C: c}
		copy(s.Args[:], args)
		return s
	}
	x := view(tensor.Float32, tensor.Shape{6, 8})
	bias := view(tensor.Float32, tensor.Shape{6, 8}, 0, 1)
	turned := view(tensor.Float32, tensor.Shape{6, 8}, 1, 6)
	epilogue := &tensor.Program{Steps: []tensor.ProgramStep{step("Add", 0, ^0, ^1), step("ReLU", 0, 0)}}
	chain := &tensor.Program{Steps: []tensor.ProgramStep{step("Scale", 2, ^0), step("SiLU", 0, 0), step("Mul", 0, 1, ^0)}}
	dropout := &tensor.Program{Steps: []tensor.ProgramStep{{Op: "Dropout", Type: tensor.Float32, Args: [3]int{^0}, C: 2, U: 7, V: 1 << 31}}}
	for name, text := range map[string]string{
		"linear_epilogue": mapWork(x, epilogue, []tensor.View{x, bias}).text(),
		"chain":           mapWork(x, chain, []tensor.View{x}).text(),
		"dropout":         mapWork(x, dropout, []tensor.View{x}).text(),
		"transposed_copy": mapWork(x, &tensor.Program{}, []tensor.View{turned}).text(),
		"softmax":         rowsTextOf("Softmax", tensor.Float32, 32),
		"adam":            updateText(updates["adam"], tensor.Float32),
	} {
		path := filepath.Join("testdata", name+".golden")
		if *updateGolden {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s has changed (go test -update writes it):\n%s", name, text)
		}
	}
}

// What a kernel depends on is in its key, and numbers are not: one text serves all.
func TestKernelsAreKnownByWhatTheirTextDependsOn(t *testing.T) {
	x := view(tensor.Float32, tensor.Shape{6, 8})
	scale := func(c float64, dst, x tensor.View) work {
		return mapWork(dst, &tensor.Program{Steps: []tensor.ProgramStep{{Op: "Scale", Type: x.DType, Args: [3]int{^0}, C: c}}}, []tensor.View{x})
	}
	a, b := scale(2, x, x), scale(3, view(tensor.Float32, tensor.Shape{100}), view(tensor.Float32, tensor.Shape{100}))
	if a.key != b.key || a.text() != b.text() {
		t.Errorf("%q and %q", a.key, b.key)
	}
	odd := x
	odd.Offset = 3
	wide := view(tensor.Float64, tensor.Shape{6, 8})
	texts := map[string]string{a.key: a.text()}
	for _, w := range []work{
		scale(2, x, odd), scale(2, wide, wide), scale(2, x, view(tensor.Float32, tensor.Shape{6, 8}, 1, 6)), scale(2, x, view(tensor.Float32, tensor.Shape{6, 8}, 0, 0)),
		scale(2, x, view(tensor.Float32, tensor.Shape{6, 8}, 0, 1)), scale(2, view(tensor.Float32, tensor.Shape{2, 3, 8}), view(tensor.Float32, tensor.Shape{2, 3, 8}, 3, 1, 6)),
		scale(2, view(tensor.Float32, tensor.Shape{3, 1 << 30}, 1, 3), view(tensor.Float32, tensor.Shape{3, 1 << 30})),
	} {
		if old, is := texts[w.key]; is && old != w.text() {
			t.Errorf("two texts have the key %q", w.key)
		}
		texts[w.key] = w.text()
	}
	if len(texts) != 6 { // some strided ones share theirs
		t.Errorf("%d texts", len(texts))
	}
}
