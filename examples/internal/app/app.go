// Package app is what the vertex classification examples share: flags, data,
// the loop over seeds, the progress line and the report. The models and their
// training settings are in the examples themselves.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// Run is a model ready to be trained from one seed.
type Run struct {
	Model     any                                 // whose modes are switched between training and evaluation
	Optimizer optim.Optimizer                     // over its parameters
	Forward   func(x *autograd.Var) *autograd.Var // the logits of all vertices from their features
}

// Setup makes a run from a dataset and a seed.
type Setup func(d *data.Dataset, r *nn.RNG) Run

// Report is the last line of standard output with -json.
type Report struct {
	Dataset     string  `json:"dataset"`
	Model       string  `json:"model"`
	Seeds       int     `json:"seeds"`
	TestAccMean float64 `json:"test_acc_mean"`
	TestAccStd  float64 `json:"test_acc_std"` // population
	EpochMS     float64 `json:"epoch_ms_median"`
	PeakRSSMB   float64 `json:"peak_rss_mb"`
}

type flags struct {
	dataset, dir           string
	epochs, seeds, threads int
	seed                   uint64
	json                   bool
}

// Main runs an example and exits. epochs is the default of -epochs.
func Main(model string, epochs int, setup Setup) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, model, epochs, os.Args[1:], setup, os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "\ninterrupted")
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func parse(model string, epochs int, args []string, stderr io.Writer) (flags, error) {
	var f flags
	fs := flag.NewFlagSet(model, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are reported once, by Main
	fs.StringVar(&f.dataset, "dataset", "karate", "one of "+strings.Join(data.Names(), ", "))
	fs.StringVar(&f.dir, "data", "", "folder with the datasets' files; without it they are downloaded and cached")
	fs.IntVar(&f.epochs, "epochs", epochs, "training steps")
	fs.Uint64Var(&f.seed, "seed", 0, "first seed")
	fs.IntVar(&f.seeds, "seeds", 1, "number of runs, with consecutive seeds")
	fs.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "goroutines that compute")
	fs.BoolVar(&f.json, "json", false, "end standard output with one JSON object")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stderr)
			fs.Usage()
		}
		return f, err
	}
	switch {
	case fs.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case f.epochs < 0:
		return f, fmt.Errorf("-epochs is %d", f.epochs)
	case f.seeds < 1:
		return f, fmt.Errorf("-seeds is %d; want at least 1", f.seeds)
	case f.threads < 1:
		return f, fmt.Errorf("-threads is %d; want at least 1", f.threads)
	}
	return f, nil
}

func run(ctx context.Context, model string, epochs int, args []string, setup Setup, stdout, stderr io.Writer) error {
	f, err := parse(model, epochs, args, stderr)
	if err != nil {
		return err
	}
	tensor.SetThreads(f.threads)
	d, err := data.Load(ctx, f.dataset, data.Options{
		Dir:  f.dir,
		Seed: f.seed,
		Log:  func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) },
	})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (Options.Dir is -data DIR)", err)
	}
	if err != nil {
		return err
	}
	d = d.RowNormalize()
	if err := d.Validate(); err != nil {
		return err
	}
	cols := d.Features.Cols()
	fmt.Fprintf(stdout, "%s: %d vertices, %d edges, %d features, %d classes; %d train, %d val, %d test\n",
		d.Name, d.Graph.NumVertices(), d.Graph.NumEdges(), cols, d.NumClasses, len(d.Train), len(d.Val), len(d.Test))
	var accs, times []float64
	for i := range f.seeds {
		seed := f.seed + uint64(i)
		line := newProgress(stderr, fmt.Sprintf("%s seed %d", model, seed), f.epochs)
		best, ms, err := trainOnce(ctx, d, setup(d, nn.NewRNG(seed)), f.epochs, line)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "seed %d: test accuracy %.4f after %d epochs\n", seed, best.testAcc, best.epoch)
		accs, times = append(accs, best.testAcc), append(times, ms...)
	}
	r := Report{Dataset: d.Name, Model: model, Seeds: f.seeds, EpochMS: median(times), PeakRSSMB: peakRSSMB()}
	r.TestAccMean, r.TestAccStd = meanStd(accs)
	fmt.Fprintf(stdout, "test accuracy %.4f ± %.4f over %d seeds, %.2f ms an epoch, peak memory %.0f MB\n",
		r.TestAccMean, r.TestAccStd, r.Seeds, r.EpochMS, r.PeakRSSMB)
	if f.json {
		return json.NewEncoder(stdout).Encode(r)
	}
	return nil
}

// trainOnce trains for the given epochs and returns the accuracy on the test
// vertices at the epoch of the lowest validation loss, as the papers choose
// their models (after the last epoch if there are no validation vertices), and
// the milliseconds that each training step took.
func trainOnce(ctx context.Context, d *data.Dataset, r Run, epochs int, line *progress) (best result, ms []float64, err error) {
	defer line.done()
	x := autograd.Input(d.Features)
	best = evaluate(d, r, x, 0)
	for epoch := 1; epoch <= epochs; epoch++ {
		if err := ctx.Err(); err != nil {
			return best, nil, err
		}
		start := time.Now()
		nn.SetTraining(r.Model, true)
		r.Optimizer.ZeroGrad()
		loss := nn.CrossEntropy(r.Forward(x), d.Labels, d.Train)
		loss.Backward()
		r.Optimizer.Step()
		ms = append(ms, float64(time.Since(start).Microseconds())/1e3)
		value := loss.Tensor().Item()
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return best, nil, fmt.Errorf("the loss is %v after %d epochs", value, epoch)
		}
		now := evaluate(d, r, x, epoch)
		if len(d.Val) == 0 || now.valLoss < best.valLoss {
			best = now
		}
		if line.due(epoch) {
			line.print(epoch, value, now)
		}
	}
	return best, ms, nil
}

// result is what one evaluation saw.
type result struct {
	epoch                     int
	valLoss                   float64
	trainAcc, valAcc, testAcc float64
}

func evaluate(d *data.Dataset, r Run, x *autograd.Var, epoch int) result {
	nn.SetTraining(r.Model, false)
	logits := r.Forward(autograd.NoGrad(x))
	e := result{
		epoch:    epoch,
		trainAcc: nn.Accuracy(logits, d.Labels, d.Train),
		testAcc:  nn.Accuracy(logits, d.Labels, d.Test),
	}
	if len(d.Val) > 0 {
		e.valLoss = nn.CrossEntropy(logits, d.Labels, d.Val).Tensor().Item()
		e.valAcc = nn.Accuracy(logits, d.Labels, d.Val)
	}
	return e
}

func meanStd(x []float64) (mean, std float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		std += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, math.Sqrt(std)
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
