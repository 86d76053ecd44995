// Runs with averaged weights.

package train_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
)

// The weight is 1, 2, ... after the epochs.
func TestAveragesAreEvaluatedKeptAndGivenToTheModel(t *testing.T) {
	for name, c := range map[string]struct {
		decay     float64
		from      int
		monitor   bool
		accuracy  []float64 // of the epochs
		evaluated []float64
		model     float64 // when the run is over
	}{
		"decay":               {0.5, 0, false, make([]float64, 4), []float64{1, 1.5, 2.25, 3.125}, 3.125},
		"mean":                {0, 0, false, make([]float64, 4), []float64{1, 1.5, 2, 2.5}, 2.5},
		"mean from epoch 2":   {0, 2, false, make([]float64, 4), []float64{1, 2, 2.5, 3}, 3},
		"not yet":             {0, 9, false, make([]float64, 2), []float64{1, 2}, 2},
		"best of decay":       {0.5, 0, true, []float64{1, 3, 4, 2}, []float64{1, 1.5, 2.25, 3.125}, 2.25},
		"best before a mean":  {0, 3, true, []float64{1, 9, 4, 2}, []float64{1, 2, 3, 3.5}, 2},
		"best of a late mean": {0, 2, true, []float64{1, 2, 4, 9}, []float64{1, 2, 2.5, 3}, 3},
	} {
		cfg, m := scripted(c.accuracy)
		cfg.Maximize = true
		if !c.monitor {
			cfg.Monitor = ""
		}
		cfg.Average, cfg.AverageFrom = optim.NewAverage(nn.Parameters(m), optim.AverageConfig{Decay: c.decay}), c.from
		var evaluated, trained []float64
		evaluate, makeSteps := cfg.Evaluate, cfg.Train
		cfg.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
			evaluated = append(evaluated, m.W.Tensor().Item())
			return evaluate(e)
		}
		cfg.Train = func(e *train.Epoch) error {
			trained = append(trained, m.W.Tensor().Item())
			return makeSteps(e)
		}
		cfg.AfterEpoch = func(*train.Epoch, train.Metrics) { trained = append(trained, m.W.Tensor().Item()) }
		if _, err := train.Run(context.Background(), cfg); err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(evaluated, c.evaluated) || m.W.Tensor().Item() != c.model {
			t.Errorf("%s: evaluated %v, at the end %v; want %v, %v", name, evaluated, m.W.Tensor().Item(), c.evaluated, c.model)
		}
		if want := []float64{0, 1, 1, 2, 2, 3, 3, 4}[:2*len(c.accuracy)]; !slices.Equal(trained, want) {
			t.Errorf("%s: Train and AfterEpoch find %v, want %v", name, trained, want)
		}
		cfg.Average.Update() // it is not left swapped in
	}
}

func TestTheBestLossOfTrainingHasAveragedWeights(t *testing.T) {
	cfg, m := scripted(make([]float64, 3))
	cfg.Monitor, cfg.Maximize, cfg.EvaluateEvery = "loss", true, 100
	cfg.Average = optim.NewAverage(nn.Parameters(m), optim.AverageConfig{})
	r, err := train.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.W.Tensor().Item(), float64(1+r.Best)/2; got != want {
		t.Errorf("best epoch %d, the weight is %v, want %v", r.Best, got, want)
	}
}

// averaging gives a toy averages, of buffers, too, or not, and estimates for them in every
// evaluation, which draws dropout.
func averaging(y *toy, c optim.AverageConfig, from int, buffers bool) *toy {
	vars := nn.Parameters(y.model)
	for _, b := range nn.NamedBuffers(y.model) {
		if buffers {
			vars = append(vars, b.Var)
		}
	}
	y.Average, y.AverageFrom = optim.NewAverage(vars, c), from
	evaluate := y.Evaluate
	y.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
		nn.UpdateBatchNorm(y.model, func() { y.model.Forward(autograd.NoGrad(autograd.Constant(y.x))) })
		return evaluate(e)
	}
	return y
}

func TestRunWithAveragesInterruptedAnywhereAndResumedIsTheUninterruptedRunBitForBit(t *testing.T) {
	for from, decay := range map[int]float64{0: 0.9, 2: 0} {
		make := func(seed uint64, dir string) *toy {
			y := averaging(newToy(seed, dir, loops["Steps"]), optim.AverageConfig{Decay: decay}, from, from == 0)
			y.Accumulate = 2
			return y
		}
		wantDir := t.TempDir()
		want := make(1, wantDir)
		if _, err := want.run(); err != nil {
			t.Fatal(err)
		}
		if n, all := want.Average.Updates(), map[int]int{0: 2 * want.Epochs, 2: want.Epochs - 1}[from]; n != all {
			t.Errorf("from %d: %d updates, want %d", from, n, all)
		}
		for epoch := 1; epoch <= want.Epochs; epoch++ {
			for step := 0; step <= steps; step++ { // the last: in the evaluation
				dir := t.TempDir()
				first := make(1, dir)
				ctx, cancel := context.WithCancel(context.Background())
				first.ctx = ctx
				first.at = func(what string, at, i int) {
					if at == epoch && (what == "evaluation" && step == steps || what == "step" && i == step) {
						cancel()
					}
				}
				if _, err := first.run(); !errors.As(err, new(*train.Interrupted)) {
					t.Fatalf("from %d, epoch %d, step %d: error %v", from, epoch, step, err)
				}
				second := make(99, dir)
				second.Resume = true
				if _, err := second.run(); err != nil {
					t.Fatal(err)
				}
				sameRun(t, fmt.Sprintf("from %d, epoch %d, step %d", from, epoch, step), second, want, dir, wantDir)
			}
		}
	}
}

// An evaluation that makes estimates for the averages leaves those of training alone.
func TestEstimatesForAveragesAreKeptWithTheBestWeightsOnly(t *testing.T) {
	for _, buffers := range []bool{false, true} {
		plain, y := newToy(1, "", loops["Steps"]), averaging(newToy(1, "", loops["Steps"]), optim.AverageConfig{Decay: 0.5}, 0, buffers)
		y.model.Drop.P, plain.model.Drop.P = 0, 0 // the estimates draw from it
		trained := func(y *toy) *[][]float64 {
			all := new([][]float64)
			y.AfterEpoch = func(*train.Epoch, train.Metrics) { *all = append(*all, y.numbers()) }
			return all
		}
		want, got := trained(plain), trained(y)
		var estimates [][]float64
		evaluate := y.Evaluate
		y.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
			m, err := evaluate(e)
			estimates = append(estimates, y.model.Norm.RunningMean.Tensor().Float64s())
			return m, err
		}
		if _, err := plain.run(); err != nil {
			t.Fatal(err)
		}
		r, err := y.run()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(*got, *want, func(a, b []float64) bool { return slices.Equal(a, b) }) {
			t.Error("the averages change what is trained")
		}
		if end := y.model.Norm.RunningMean.Tensor().Float64s(); !slices.Equal(end, estimates[r.Best-1]) {
			t.Errorf("the model ends with the estimates %v, want %v", end, estimates[r.Best-1])
		}
	}
}

func TestAnErrorOrAPanicInAnEvaluationSwapsOut(t *testing.T) {
	broken := errors.New("broken")
	for name, end := range map[string]func() error{"error": func() error { return broken }, "panic": func() error { panic(broken) }} {
		cfg, m := scripted(make([]float64, 3))
		cfg.Average = optim.NewAverage(nn.Parameters(m), optim.AverageConfig{})
		cfg.Evaluate = func(e *train.Epoch) (train.Metrics, error) {
			if e.Number == 2 {
				return nil, end()
			}
			return train.Metrics{"score": 1}, nil
		}
		func() {
			defer func() { recover() }()
			if _, err := train.Run(context.Background(), cfg); !errors.Is(err, broken) {
				t.Errorf("%s: error %v", name, err)
			}
		}()
		cfg.Average.Update()
		if got := m.W.Tensor().Item(); got != 2 {
			t.Errorf("%s: the weight is %v, want what is trained", name, got)
		}
	}
}

func TestACheckpointWithoutAveragesIsNotResumedWithThem(t *testing.T) {
	for want, with := range map[string][2]bool{"average.updates: is missing": {false, true}, `tensor "average.average.`: {true, false}} {
		dir := filepath.Join(t.TempDir(), "run")
		for i, averaged := range with {
			cfg, m := scripted(make([]float64, 2))
			if cfg.Dir, cfg.Resume = dir, i == 1; averaged {
				cfg.Average = optim.NewAverage(nn.Parameters(m), optim.AverageConfig{})
			}
			_, err := train.Run(context.Background(), cfg)
			if i == 0 && err != nil || i == 1 && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("run %d: error %v, want %q", i, err, want)
			}
		}
	}
}
