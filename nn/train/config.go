// What a run is made of.

package train

import (
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// Metrics are numbers measured in one epoch, by name, such as "val_loss". The
// trainer adds "loss", the mean over the epoch's calls of Step, and "lr", the learning
// rate of the optimiser's first group; a comma, a quote or a control character
// in a name is misuse.
type Metrics map[string]float64

// Config is a training run. Model, Optimizer, Epochs and Train are needed.
type Config struct {
	Model     any             // a module; switched to training for Train, to evaluation for Evaluate
	Optimizer optim.Optimizer // over its parameters, or some of them
	Epochs    int             // how many epochs the run has, 1 or more, those before a resumption included

	// Train makes the steps of one epoch by calling e.Step with the loss of each.
	// Its error ends the run, as does an epoch without a step, such as one of a
	// loader that drops the only batch because it is not full.
	Train func(e *Epoch) error
	// Evaluate measures the model, after epochs EvaluateEvery, 2·EvaluateEvery, ...
	// and the last; nil: nothing is measured. Its error ends the run. Give the model
	// autograd.NoGrad of its input, which saves memory.
	Evaluate      func(e *Epoch) (Metrics, error)
	EvaluateEvery int // 0 means 1

	// Accumulate is how many calls of Epoch.Step lead to one step of the optimiser;
	// 0 means 1. The optimiser gets the mean of their gradients: of batches of equal
	// size whose losses are means, that is the gradient of one batch which holds them
	// all, but for what a model takes from the batch, as BatchNorm1d does. Every call
	// counts the same, whatever its batch's size. Those left over when Train returns
	// lead to a step of their own, the mean of them.
	//
	// AfterBackward, and schedules of EachStep, follow the optimiser's steps; the
	// metric "loss", what is shown and [Interrupted] count the calls.
	Accumulate int
	// AfterBackward is called before every step of the optimiser, when the gradients
	// are what it gets: the place to clip them.
	//
	//	AfterBackward: func() { optim.ClipGradNorm(params, 5) }
	AfterBackward func()
	// Schedules move learning rates, in this order. They are part of the checkpoint.
	Schedules []Schedule
	// Average has averages of the model's weights, updated after every step of the
	// optimiser, or if AverageFrom is n > 0 only after epochs n, n+1, ... as stochastic
	// weight averaging has it. Evaluate, the best weights and the model when the run is
	// over have the averages, as soon as there are some; Train and AfterEpoch have what is
	// trained. It is part of the checkpoint. Where BatchNorm1d is, call nn.UpdateBatchNorm
	// in Evaluate, whose estimates go with the best weights, or after a run without Monitor.
	//
	//	Average: optim.NewAverage(nn.Parameters(model), optim.AverageConfig{Decay: 0.999})
	Average     *optim.Average
	AverageFrom int
	// AfterEpoch is called with all metrics of an epoch, after the schedules.
	AfterEpoch func(e *Epoch, m Metrics)

	// Monitor is the metric that decides which epoch is best, which is then saved
	// and, when the run is over, what the model has; "": none does. To resume a run
	// with another metric or the other Maximize is an error; with none the best epoch
	// so far is forgotten, though its file stays.
	Monitor  string
	Maximize bool    // larger is better, as of an accuracy, instead of smaller
	MinDelta float64 // what is better by no more than this is not better
	Patience int     // stop after that many evaluations in a row without a better one; 0: never

	// Seed is what Epoch.Seed is made from.
	Seed uint64
	// Parts are what else the run's future depends on, such as an *nn.RNG, by names
	// that nn.SaveTraining takes; "optimizer", "progress", "average" and
	// "learning_rate0", "learning_rate1", ... are the trainer's.
	Parts map[string]nn.Stateful

	// Dir is the folder for the run's files, made if need be; "": none are written.
	Dir string
	// Resume goes on from Dir's checkpoint if there is one. Without it such a
	// checkpoint is an error: a run is not overwritten by mistake.
	Resume bool
	// SaveEvery is the least time between two saves; 0 means a minute, a negative
	// time saves after every epoch. A run is also saved when it begins, ends or is
	// interrupted.
	SaveEvery time.Duration
	// Reports write more files with every save.
	Reports []Report

	// Output is where progress is shown: a bar if it is a terminal, lines if not.
	// nil means os.Stderr; io.Discard shows nothing.
	Output io.Writer
	// PrintEvery is after how many epochs there is a line; 0 means a twentieth of
	// Epochs. There is always one after the last.
	PrintEvery int
}

// A Report writes a file about a run into its folder.
type Report func(dir string, h *History) error

// The names of the trainer's own parts. Parts are loaded in order of names, and
// schedules set learning rates then: the optimizer, which has the rates of the
// moment of saving, is to come after them.
const (
	schedulePart  = "learning_rate" // and a number
	optimizerPart = "optimizer"
	progressPart  = "progress"
	averagePart   = "average"
)

// checked returns the config with its defaults; it panics if it makes no sense.
func (c Config) checked() Config {
	const op = "Run"
	switch {
	case isNil(c.Model):
		misuse(op, "the config has no model")
	case isNil(c.Optimizer):
		misuse(op, "the config has no optimizer")
	case c.Train == nil:
		misuse(op, "the config has no function Train")
	case c.Epochs < 1:
		misuse(op, "Epochs is %d; want at least 1", c.Epochs)
	case c.Accumulate < 0:
		misuse(op, "Accumulate is %d", c.Accumulate)
	case c.EvaluateEvery < 0:
		misuse(op, "EvaluateEvery is %d", c.EvaluateEvery)
	case c.PrintEvery < 0:
		misuse(op, "PrintEvery is %d", c.PrintEvery)
	case c.Patience < 0:
		misuse(op, "Patience is %d", c.Patience)
	case !(c.MinDelta >= 0) || math.IsInf(c.MinDelta, 0):
		misuse(op, "MinDelta is %v", c.MinDelta)
	case c.Patience > 0 && c.Monitor == "":
		misuse(op, "Patience is %d, but Monitor names no metric", c.Patience)
	case c.Monitor != "" && c.Monitor != lossMetric && c.Evaluate == nil:
		misuse(op, "Monitor is %q, but there is no function Evaluate", c.Monitor)
	case c.Dir == "" && c.Resume:
		misuse(op, "Resume needs a Dir")
	case c.Dir == "" && len(c.Reports) > 0:
		misuse(op, "Reports need a Dir")
	case c.AverageFrom < 0:
		misuse(op, "AverageFrom is %d", c.AverageFrom)
	case c.AverageFrom > 0 && c.Average == nil:
		misuse(op, "AverageFrom is %d, but there is no Average", c.AverageFrom)
	}
	if !trains(c.Optimizer, c.Model) {
		misuse(op, "no parameter of the optimizer is one of the model: the run would train nothing")
	}
	if c.Average != nil && !hasAny(c.Model, c.Average.Vars()) {
		misuse(op, "no parameter of the average is one of the model")
	}
	if c.Monitor != "" {
		checkMetrics(Metrics{c.Monitor: 0})
	}
	for name, part := range c.Parts {
		switch {
		case name == optimizerPart, name == progressPart, name == averagePart, strings.HasPrefix(name, schedulePart),
			name == "", name == "model", name == "streams", name == "epoch", // and so on: see nn.Training
			strings.Contains(name, "."), !utf8.ValidString(name):
			misuse(op, "a part cannot be named %q", name)
		case isNil(part):
			misuse(op, "part %q is nil", name)
		}
	}
	for i, s := range c.Schedules {
		if s.state == nil {
			misuse(op, "schedule %d is the zero Schedule; make it with EachEpoch, EachStep or OnMetric", i)
		}
	}
	for i, report := range c.Reports {
		if report == nil {
			misuse(op, "report %d is nil", i)
		}
	}
	if c.Accumulate == 0 {
		c.Accumulate = 1
	}
	if c.EvaluateEvery == 0 {
		c.EvaluateEvery = 1
	}
	if c.PrintEvery == 0 {
		c.PrintEvery = max(1, c.Epochs/20)
	}
	if c.SaveEvery == 0 {
		c.SaveEvery = time.Minute
	}
	return c
}

// trains tells whether a parameter of the model is one of the optimizer's.
func trains(o optim.Optimizer, model any) bool {
	return slices.ContainsFunc(o.Groups(), func(g optim.Group) bool { return hasAny(model, g.Params) })
}

// hasAny tells whether one of the Vars is a parameter of the model.
func hasAny(model any, vars []*autograd.Var) bool {
	of := map[*autograd.Var]bool{}
	for _, p := range nn.Parameters(model) {
		of[p] = true
	}
	return slices.ContainsFunc(vars, func(p *autograd.Var) bool { return of[p] })
}

// checkMetrics panics for names that files cannot hold.
func checkMetrics(m Metrics) {
	for name := range m {
		if name == "" || name == "epoch" || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r == ',' || r == '"' || r < ' ' || r == 0x7f }) {
			misuse("Run", "a metric cannot be named %q", name)
		}
	}
}
