package train_test

// The loop: what it computes, when it stops, what it refuses.

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// The trainer adds nothing to the plain loop that its doc describes.
func TestRunIsThePlainLoop(t *testing.T) {
	y := newToy(1, "", loops["Steps"])
	y.Monitor, y.Evaluate = "", nil
	plain := newToy(1, "", loops["Steps"])
	schedule := optim.NewCosineLR(plain.Optimizer, optim.CosineLRConfig{Steps: 12})
	y.at = func(_ string, _, _ int) {
		if !y.model.Training() || !y.model.Drop.Training() {
			t.Error("the model is not training")
		}
	}
	var batches [][2]uint64
	y.Train = func(e *train.Epoch) error {
		for i := range e.Steps(steps) {
			batches = append(batches, [2]uint64{e.Seed, uint64(i)})
			if err := y.step(e, i); err != nil {
				return err
			}
		}
		return nil
	}
	result, err := y.run()
	if err != nil {
		t.Fatal(err)
	}
	var losses []float64
	x := autograd.Constant(plain.x)
	for _, b := range batches {
		loss := nn.CrossEntropy(plain.model.Forward(x), labels, toyRows(b[0], int(b[1])))
		plain.Optimizer.ZeroGrad()
		loss.Backward()
		optim.ClipGradNorm(nn.Parameters(plain.model), 0.5)
		plain.Optimizer.Step()
		schedule.Step()
		losses = append(losses, loss.Tensor().Item())
	}
	if !numtest.SameBits(y.numbers(), plain.numbers()) {
		t.Error("the weights differ")
	}
	var means []float64
	for l := range slices.Chunk(losses, steps) {
		means = append(means, (l[0]+l[1]+l[2])/steps)
	}
	if _, got := result.History.Series("loss"); !numtest.SameBits(got, means) {
		t.Errorf("losses %v, want %v", got, means)
	}
	if _, lr := result.History.Series("lr"); lr[len(lr)-1] != plain.Optimizer.Groups()[0].LR && len(lr) != y.Epochs {
		t.Errorf("learning rates %v", lr)
	}
	if y.model.Training() {
		t.Error("the model is left in training mode")
	}
	if result.Best != 0 || result.Stopped {
		t.Errorf("the result is %+v", result)
	}
}

// one is a model of one number, which is the epoch's.
type one struct {
	nn.Mode
	W *autograd.Var
}

// scripted is a run whose metric in epoch i is values[i-1].
func scripted(values []float64) (train.Config, *one) {
	m := &one{W: autograd.Parameter(tensor.Zeros(tensor.Float64, 1))}
	return train.Config{
		Model: m, Optimizer: optim.NewSGD(optim.Params(nn.Parameters(m)), optim.SGDConfig{LR: 1}), Epochs: len(values),
		Train: func(e *train.Epoch) error { return e.Step(m.W.Sum().Neg()) },
		Evaluate: func(e *train.Epoch) (train.Metrics, error) {
			return train.Metrics{"score": values[e.Number-1]}, nil
		},
		Monitor: "score", Output: io.Discard,
	}, m
}

func TestEarlyStoppingKeepsTheBestWeights(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		what     string
		values   []float64
		maximize bool
		patience int
		delta    float64
		epochs   int // made
		best     int
		stopped  bool
	}{
		{"falling", []float64{5, 4, 3, 2}, false, 1, 0, 4, 4, false},
		{"rising", []float64{5, 6, 7, 8}, false, 2, 0, 3, 1, true},
		{"rising is better", []float64{5, 6, 7, 8}, true, 2, 0, 4, 4, false},
		{"no patience setting", []float64{5, 6, 7, 4, 8}, false, 0, 0, 5, 4, false},
		{"improves in time", []float64{5, 6, 4, 6, 6, 3}, false, 2, 0, 5, 3, true},
		{"equal is not better", []float64{5, 5, 5, 5}, false, 2, 0, 3, 1, true},
		{"out of patience after the last epoch", []float64{5, 6, 7}, false, 2, 0, 3, 1, false},
		{"too little is not better", []float64{5, 4.9, 4.8, 4.5, 4}, false, 3, 0.5, 4, 1, true},
		{"little by little is", []float64{5, 4.9, 4.8, 4.4, 4}, false, 3, 0.5, 5, 4, false},
		{"NaN first", []float64{nan, 5, nan, 4}, false, 2, 0, 4, 4, false},
		{"infinity is a start", []float64{inf, 5, inf, inf, inf}, false, 2, 0, 4, 2, true},
		{"worst number is a start", []float64{-inf, -inf, 1}, true, 2, 0, 3, 3, false},
	} {
		cfg, m := scripted(c.values)
		cfg.Maximize, cfg.Patience, cfg.MinDelta = c.maximize, c.patience, c.delta
		r, err := train.Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.History.Epochs() != c.epochs || r.Best != c.best || r.Stopped != c.stopped {
			t.Errorf("%s: %d epochs, best %d, stopped %v; want %d, %d, %v", c.what, r.History.Epochs(), r.Best, r.Stopped, c.epochs, c.best, c.stopped)
		}
		if w := m.W.Tensor().Item(); w != float64(c.best) {
			t.Errorf("%s: the model is of epoch %v, want %v", c.what, w, c.best)
		}
	}
}

func TestAMonitorThatIsNeverANumberIsAnError(t *testing.T) {
	nan := math.NaN()
	for _, patience := range []int{0, 2} {
		cfg, m := scripted([]float64{nan, nan, nan, nan})
		cfg.Patience, cfg.Dir = patience, t.TempDir()
		for range 2 { // a run that has ended so ends so again
			r, err := train.Run(context.Background(), cfg)
			if r != nil || err == nil || !strings.Contains(err.Error(), `the monitored metric "score" was NaN in all`) || !strings.Contains(err.Error(), "may be empty") {
				t.Errorf("patience %d: result %v, error %v", patience, r, err)
			}
			cfg.Resume = true
		}
		cfg.Evaluate, cfg.Epochs, cfg.Patience = func(*train.Epoch) (train.Metrics, error) { return train.Metrics{"score": 1}, nil }, 6, 0
		if r, err := train.Run(context.Background(), cfg); err != nil || r.Best == 0 || m.W.Tensor().Item() != float64(r.Best) {
			t.Errorf("patience %d: a number after more epochs: result %+v, error %v", patience, r, err)
		}
	}
	accuracy, m := scripted(make([]float64, 3))
	accuracy.Evaluate = func(*train.Epoch) (train.Metrics, error) {
		return train.Metrics{"score": nn.Accuracy(m.W.Reshape(1, 1), []int32{0}, []int32{})}, nil
	}
	if _, err := train.Run(context.Background(), accuracy); err == nil {
		t.Error("the accuracy of no rows has a best epoch")
	}
}

func TestEvaluationsAreAsOftenAsAskedFor(t *testing.T) {
	cfg, _ := scripted(make([]float64, 8))
	cfg.EvaluateEvery = 3
	r, err := train.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if epochs, _ := r.History.Series("score"); !slices.Equal(epochs, []int{3, 6, 8}) {
		t.Errorf("evaluated in epochs %v", epochs)
	}
	if epochs, _ := r.History.Series("loss"); len(epochs) != 8 {
		t.Errorf("losses of epochs %v", epochs)
	}
	if m := r.History.At(4); len(m) != 2 {
		t.Errorf("metrics of epoch 4: %v", m)
	}
	if m := r.History.At(9); len(m) != 0 {
		t.Errorf("metrics of epoch 9: %v", m)
	}
}

func TestLossMayBeMonitoredWithoutEvaluation(t *testing.T) {
	cfg, m := scripted(make([]float64, 6))
	cfg.Evaluate, cfg.Monitor, cfg.Maximize = nil, "loss", true // it falls: the first is best
	r, err := train.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best != 1 || m.W.Tensor().Item() != 1 {
		t.Errorf("best epoch %d, weight %v", r.Best, m.W.Tensor().Item())
	}
}

func TestLossThatIsNoNumberEndsTheRunBeforeTheStep(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		cfg, m := scripted(make([]float64, 6))
		cfg.Dir = t.TempDir()
		cfg.Train = func(e *train.Epoch) error {
			loss := m.W.Sum().Neg()
			if e.Number == 3 {
				loss = loss.AddScalar(bad)
			}
			return e.Step(loss)
		}
		r, err := train.Run(context.Background(), cfg)
		var d *train.Diverged
		if r != nil || !errors.As(err, &d) || d.Epoch != 3 || math.Float64bits(d.Loss) != math.Float64bits(bad) && !math.IsNaN(bad) {
			t.Errorf("loss %v: error %v", bad, err)
		}
		if m.W.Tensor().Item() != 2 {
			t.Errorf("loss %v: the weight is %v", bad, m.W.Tensor().Item())
		}
	}
}

func TestErrorsOfTheUserEndTheRunAndNameTheEpoch(t *testing.T) {
	mine := errors.New("no more data")
	for what, change := range map[string]func(c *train.Config){
		"Train": func(c *train.Config) { c.Train = func(*train.Epoch) error { return mine } },
		"Evaluate": func(c *train.Config) {
			c.Evaluate = func(*train.Epoch) (train.Metrics, error) { return nil, mine }
		},
		"batches": func(c *train.Config) {
			c.Train = func(e *train.Epoch) error {
				for range train.Batches(e, func(yield func(int, error) bool) { yield(0, mine) }) {
					t.Error("there is a batch")
				}
				return nil
			}
		},
	} {
		cfg, _ := scripted(make([]float64, 3))
		change(&cfg)
		_, err := train.Run(context.Background(), cfg)
		if !errors.Is(err, mine) || err.Error() != "train: epoch 1: no more data" {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func TestMisuseIsATypedPanicThatSaysWhat(t *testing.T) {
	type config = train.Config
	for want, change := range map[string]func(c *config){
		"train: Run: the config has no model":                                                            func(c *config) { c.Model = nil },
		"train: Run: the config has no optimizer":                                                        func(c *config) { c.Optimizer = (*optim.SGD)(nil) },
		"train: Run: no parameter of the optimizer is one of the model":                                  func(c *config) { c.Model = nn.NewLinear(2, 1, nn.NewRNG(1)) },
		"train: Run: the config has no function Train":                                                   func(c *config) { c.Train = nil },
		"train: Run: Epochs is 0; want at least 1":                                                       func(c *config) { c.Epochs = 0 },
		"train: Run: Epochs is -1; want at least 1":                                                      func(c *config) { c.Epochs = -1 },
		"train: Run: Accumulate is -1":                                                                   func(c *config) { c.Accumulate = -1 },
		"train: Run: EvaluateEvery is -2":                                                                func(c *config) { c.EvaluateEvery = -2 },
		"train: Run: PrintEvery is -2":                                                                   func(c *config) { c.PrintEvery = -2 },
		"train: Run: Patience is -3":                                                                     func(c *config) { c.Patience = -3 },
		"train: Run: MinDelta is NaN":                                                                    func(c *config) { c.MinDelta = math.NaN() },
		"train: Run: Patience is 3, but Monitor names no metric":                                         func(c *config) { c.Monitor, c.Patience = "", 3 },
		`train: Run: Monitor is "score", but there is no function`:                                       func(c *config) { c.Evaluate = nil },
		`train: Run: Monitor is "x", which was not measured in epoch 1; there are ["loss" "lr" "score"]`: func(c *config) { c.Monitor = "x" },
		`train: Run: a metric cannot be named "\xff"`:                                                    func(c *config) { c.Monitor = "\xff" },
		"train: Run: Resume needs a Dir":                                                                 func(c *config) { c.Resume = true },
		"train: Run: Reports need a Dir":                                                                 func(c *config) { c.Reports = make([]train.Report, 1) },
		`train: Run: a part cannot be named "progress"`:                                                  func(c *config) { c.Parts = map[string]nn.Stateful{"progress": nn.NewRNG(1)} },
		`train: Run: a part cannot be named "average"`:                                                   func(c *config) { c.Parts = map[string]nn.Stateful{"average": nn.NewRNG(1)} },
		"train: Run: AverageFrom is -1":                                                                  func(c *config) { c.AverageFrom = -1 },
		"train: Run: AverageFrom is 2, but there is no Average":                                          func(c *config) { c.AverageFrom = 2 },
		"train: Run: no parameter of the average is one of the model": func(c *config) {
			c.Average = optim.NewAverage(nn.Parameters(nn.NewLinear(2, 1, nn.NewRNG(1))), optim.AverageConfig{})
		},
		`train: Run: a part cannot be named "learning_rates"`:            func(c *config) { c.Parts = map[string]nn.Stateful{"learning_rates": nn.NewRNG(1)} },
		"train: Step: there are no steps outside of the function Train":  func(c *config) { c.Evaluate = func(e *train.Epoch) (train.Metrics, error) { return nil, e.Step(nil) } },
		`train: Run: a metric cannot be named "a,b"`:                     func(c *config) { c.Evaluate = metric("a,b") },
		`train: Run: a metric cannot be named "epoch"`:                   func(c *config) { c.Evaluate = metric("epoch") },
		`train: Run: the metric "loss" is the trainer's`:                 func(c *config) { c.Evaluate = metric("loss") },
		"train: Steps: there is one loop over steps, in the function Tr": func(c *config) { c.Train = twice },
		"train: Steps: the number of steps is -1":                        func(c *config) { c.Train = func(e *train.Epoch) error { e.Steps(-1); return nil } },
		"train: Step: the epoch is nil":                                  func(c *config) { c.Train = func(*train.Epoch) error { return (*train.Epoch)(nil).Step(nil) } },
		"train: Batches: the sequence of batches is nil":                 func(c *config) { c.Train = func(e *train.Epoch) error { train.Batches[int](e, nil); return nil } },
		"train: Step: the loss is nil":                                   func(c *config) { c.Train = func(e *train.Epoch) error { return e.Step(nil) } },
		"train: Step: the loss is constant f32[2 1]; want one number":    func(c *config) { c.Train = stepOn(tensor.Ones(tensor.Float32, 2, 1)) },
		"train: Step: the loss is constant f32[0]; want one number":      func(c *config) { c.Train = stepOn(tensor.Ones(tensor.Float32, 0)) },
		"train: Run: schedule 0 is the zero Schedule":                    func(c *config) { c.Schedules = make([]train.Schedule, 1) },
		"train: Run: report 1 is nil": func(c *config) {
			c.Dir, c.Reports = "nowhere", []train.Report{func(string, *train.History) error { return nil }, nil}
		},
		`train: Run: a part cannot be named ""`:      func(c *config) { c.Parts = map[string]nn.Stateful{"": nn.NewRNG(1)} },
		`train: Run: a part cannot be named "a.b"`:   func(c *config) { c.Parts = map[string]nn.Stateful{"a.b": nn.NewRNG(1)} },
		`train: Run: a part cannot be named "model"`: func(c *config) { c.Parts = map[string]nn.Stateful{"model": nn.NewRNG(1)} },
		`train: Run: a part cannot be named "\xff"`:  func(c *config) { c.Parts = map[string]nn.Stateful{"\xff": nn.NewRNG(1)} },
		`train: Run: part "rng" is nil`:              func(c *config) { c.Parts = map[string]nn.Stateful{"rng": (*nn.RNG)(nil)} },
	} {
		cfg, _ := scripted(make([]float64, 2))
		change(&cfg)
		err := autograd.Try(func() { train.Run(context.Background(), cfg) })
		var typed *train.Error
		if !errors.As(err, &typed) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestAnEpochWithoutAStepIsAnError(t *testing.T) {
	none := func(func(int, error) bool) {}
	for what, f := range map[string]func(e *train.Epoch) error{
		"nothing": func(*train.Epoch) error { return nil },
		"Steps": func(e *train.Epoch) error {
			for range e.Steps(0) {
			}
			return nil
		},
		"Batches": func(e *train.Epoch) error {
			for range train.Batches(e, none) {
			}
			return nil
		},
	} {
		cfg, m := scripted(make([]float64, 3))
		cfg.Train = func(e *train.Epoch) error {
			if e.Number == 2 {
				return f(e)
			}
			return e.Step(m.W.Sum().Neg())
		}
		if r, err := train.Run(context.Background(), cfg); r != nil || err == nil || err.Error() != "train: epoch 2 made no step" {
			t.Errorf("%s: result %v, error %v", what, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cfg.Train = func(e *train.Epoch) error { cancel(); return f(e) }
		if _, err := train.Run(ctx, cfg); !errors.As(err, new(*train.Interrupted)) {
			t.Errorf("%s, the context having ended: error %v", what, err)
		}
	}
}

func TestNilPartsOfARunAreMisuse(t *testing.T) {
	var none context.Context
	for want, f := range map[string]func(){
		"train: EachEpoch: the schedule is nil":    func() { train.EachEpoch((*optim.StepLR)(nil)) },
		"train: EachStep: the schedule is nil":     func() { train.EachStep(nil) },
		"train: OnMetric: the schedule is nil":     func() { train.OnMetric("loss", nil) },
		"train: WriteCSV: the writer is nil":       func() { train.WriteCSV(nil, &train.History{}) },
		"train: WriteCSV: the history is nil":      func() { train.WriteCSV(io.Discard, nil) },
		"train: ReplaceFile: the function is nil":  func() { train.ReplaceFile("none", nil) },
		"train: Interruptible: the context is nil": func() { train.Interruptible(none) },
		"train: Batches: the epoch is nil":         func() { train.Batches(nil, func(func(int, error) bool) {}) },
		"train: Run: the context is nil": func() {
			cfg, _ := scripted(make([]float64, 1))
			train.Run(none, cfg)
		},
	} {
		var typed *train.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// An error that the context's end did not make is not lost with it.
func TestErrorsOfTheUserAreKeptWhenTheContextHasEnded(t *testing.T) {
	mine := errors.New("no more data")
	for what, change := range map[string]func(c *train.Config, stop func()){
		"Train": func(c *train.Config, stop func()) { c.Train = func(*train.Epoch) error { stop(); return mine } },
		"Evaluate": func(c *train.Config, stop func()) {
			c.Evaluate = func(*train.Epoch) (train.Metrics, error) { stop(); return nil, mine }
		},
		"batches": func(c *train.Config, stop func()) {
			c.Train = func(e *train.Epoch) error {
				for range train.Batches(e, func(yield func(int, error) bool) { stop(); yield(0, mine) }) {
					t.Error("there is a batch")
				}
				return nil
			}
		},
		"after Steps": func(c *train.Config, stop func()) {
			c.Train = func(e *train.Epoch) error {
				stop()
				for range e.Steps(3) {
					t.Error("there is a step")
				}
				return mine
			}
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cfg, _ := scripted(make([]float64, 3))
		change(&cfg, cancel)
		r, err := train.Run(ctx, cfg)
		if !errors.Is(err, mine) || !errors.As(err, new(*train.Interrupted)) || !strings.Contains(err.Error(), "train: epoch 1: no more data") || r == nil {
			t.Errorf("%s: result %v, error %v", what, r, err)
		}
	}
}

func TestEpochsThatAreKeptMakeNoSteps(t *testing.T) {
	var kept *train.Epoch
	cfg, m := scripted(make([]float64, 2))
	cfg.Train = func(e *train.Epoch) error { kept = e; return e.Step(m.W.Sum().Neg()) }
	if _, err := train.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	before := m.W.Tensor().Item()
	err := autograd.Try(func() { kept.Step(m.W.Sum().Neg()) })
	if !errors.As(err, new(*train.Error)) || m.W.Tensor().Item() != before {
		t.Errorf("error %v, the weight was %v and is %v", err, before, m.W.Tensor().Item())
	}
}

func metric(name string) func(*train.Epoch) (train.Metrics, error) {
	return func(*train.Epoch) (train.Metrics, error) { return train.Metrics{name: 1}, nil }
}

func stepOn(loss *tensor.Tensor) func(*train.Epoch) error {
	return func(e *train.Epoch) error { return e.Step(autograd.Constant(loss)) }
}

func twice(e *train.Epoch) error {
	for range 2 {
		for range e.Steps(1) {
		}
	}
	return nil
}
