package serve

// Training until the validation loss is lowest.

import (
	"errors"
	"fmt"
	"math"
)

// A Trainer trains a task's model from its initial parameters.
type Trainer interface {
	// Step makes a training step and returns the loss before it.
	Step() (float64, error)
	// Logits is the model's output without dropout, [Vertices Classes].
	Logits() ([]float32, error)
	Close() error
}

// best is an epoch's accuracies and its validation loss.
type best struct {
	Test float64 `json:"test"`
	Val  float64 `json:"val"`
	Loss float64 `json:"loss"`
}

func train(t *Task, tr Trainer, epochs int) (*best, error) {
	if len(t.Val) == 0 || len(t.Test) == 0 {
		return nil, errors.New("training needs validation and test vertices")
	}
	var b *best
	for range epochs {
		if _, err := tr.Step(); err != nil {
			return nil, err
		}
		logits, err := tr.Logits()
		if err != nil {
			return nil, err
		}
		if len(logits) != t.Vertices*t.Classes {
			return nil, fmt.Errorf("%d logits of %d vertices in %d classes", len(logits), t.Vertices, t.Classes)
		}
		loss, val := judge(t, logits, t.Val)
		if !math.IsNaN(loss) && !math.IsInf(loss, 0) && (b == nil || loss < b.Loss) {
			_, test := judge(t, logits, t.Test)
			b = &best{Test: test, Val: val, Loss: loss}
		}
	}
	if b == nil {
		return nil, errors.New("the validation loss was never finite")
	}
	return b, nil
}

// judge is the mean cross entropy and the accuracy over rows.
func judge(t *Task, logits []float32, rows []int32) (loss, accuracy float64) {
	for _, v := range rows {
		row := logits[int(v)*t.Classes : (int(v)+1)*t.Classes]
		top := 0
		for c, x := range row {
			if x > row[top] {
				top = c
			}
		}
		var sum float64
		for _, x := range row {
			sum += math.Exp(float64(x - row[top]))
		}
		loss += math.Log(sum) - float64(row[t.Labels[v]]-row[top])
		if top == int(t.Labels[v]) {
			accuracy++
		}
	}
	n := float64(len(rows))
	return loss / n, accuracy / n
}
