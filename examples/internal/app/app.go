// Package app is what the examples share: flags, data, the loop over seeds,
// progress and the report. The models and their training settings are in the
// examples themselves.
//
//	app.go       an example: flags, seeds, report
//	vertices.go  classification of the vertices of one graph
//	graphs.go    classification of graphs, with cross-validation
//	progress.go  the progress line
//	cuda.go      what -device cuda is; emulated.go in its place, with -tags emulated
package app

import (
	"cmp"
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
	"strconv"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/tensor"
)

// Example is what a main says about itself.
type Example struct {
	Model    string   // its name in reports
	Datasets []string // the choices of -dataset
	Dataset  string   // the default of -dataset
	Epochs   int      // the default of -epochs
	Counts   string   // what -epochs counts; "" stands for passes over the training data

	// MinEpochs is the least that -epochs may be: 1 with package train.
	MinEpochs int

	Measure string // what Once returns; "" stands for accuracy

	// Once trains a model from one seed and returns how good it is on what is for
	// testing: one number, or one of every fold.
	Once func(ctx context.Context, t *Trial) ([]float64, error)
}

// Trial is one of an example's runs, from one seed.
type Trial struct {
	Dataset string
	Data    data.Options // whose seed is the trial's
	Epochs  int
	Seed    uint64
	Device  *tensor.Device // nil is the CPU
	Stderr  io.Writer      // for progress

	describe func(format string, args ...any)
	ms       []float64
}

// Describe prints what is known of the data, in the first of the trials.
func (t *Trial) Describe(format string, args ...any) { t.describe(format, args...) }

// Timed counts the time of one epoch's training, which begun at start.
func (t *Trial) Timed(start time.Time) {
	t.ms = append(t.ms, float64(time.Since(start).Microseconds())/1e3)
}

// Report is the last line of standard output with -json.
type Report struct {
	Dataset     string  `json:"dataset"`
	Model       string  `json:"model"`
	Seeds       int     `json:"seeds"`
	TestAccMean float64 `json:"test_acc_mean"` // or of another measure
	TestAccStd  float64 `json:"test_acc_std"`  // population
	EpochMS     float64 `json:"epoch_ms_median"`
	PeakRSSMB   float64 `json:"peak_rss_mb"`
	DeviceMB    float64 `json:"device_peak_mb,omitempty"` // of tensors on the device, with -device cuda
}

type flags struct {
	dataset, dir, device   string
	epochs, seeds, threads int
	seed                   uint64
	json                   bool
}

// Main runs an example and exits.
func (e Example) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := e.run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp): // who asks for help gets it: no failure
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "\ninterrupted")
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func (e Example) parse(args []string, stderr io.Writer) (flags, error) {
	var f flags
	fs := flag.NewFlagSet(e.Model, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are reported once, by Main
	fs.StringVar(&f.dataset, "dataset", e.Dataset, "one of "+strings.Join(e.Datasets, ", "))
	fs.StringVar(&f.dir, "data", "", "folder with the datasets' files; without it they are downloaded and cached")
	fs.StringVar(&f.device, "device", "cpu", "what computes: cpu, cuda or cuda:N")
	fs.IntVar(&f.epochs, "epochs", e.Epochs, cmp.Or(e.Counts, "passes over the training data, at most"))
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
	case !slices.Contains(e.Datasets, f.dataset):
		return f, fmt.Errorf("-dataset is %q; want one of %s", f.dataset, strings.Join(e.Datasets, ", "))
	case f.epochs < e.MinEpochs:
		return f, fmt.Errorf("-epochs is %d; want at least %d", f.epochs, e.MinEpochs)
	case f.seeds < 1:
		return f, fmt.Errorf("-seeds is %d; want at least 1", f.seeds)
	case f.threads < 1:
		return f, fmt.Errorf("-threads is %d; want at least 1", f.threads)
	}
	return f, nil
}

func (e Example) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f, err := e.parse(args, stderr)
	if err != nil {
		return err
	}
	tensor.SetThreads(f.threads)
	device, err := openDevice(f.device)
	if err != nil {
		return err
	}
	measure := cmp.Or(e.Measure, "accuracy")
	var accs, times []float64
	for i := range f.seeds {
		t := &Trial{
			Dataset: f.dataset, Epochs: f.epochs, Seed: f.seed + uint64(i), Device: device, Stderr: stderr,
			Data: data.Options{Dir: f.dir, Seed: f.seed + uint64(i), Log: func(format string, args ...any) {
				fmt.Fprintf(stderr, format+"\n", args...)
			}},
			describe: func(format string, args ...any) {
				if i == 0 {
					fmt.Fprintf(stdout, format+"\n", args...)
				}
			},
		}
		got, err := e.Once(ctx, t)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w (Options.Dir is -data DIR)", err)
		}
		if err != nil {
			return err
		}
		mean, _ := meanStd(got)
		fmt.Fprintf(stdout, "seed %d: test %s %.4f\n", t.Seed, measure, mean)
		accs, times = append(accs, got...), append(times, t.ms...)
	}
	r := Report{Dataset: f.dataset, Model: e.Model, Seeds: f.seeds, EpochMS: median(times), PeakRSSMB: peakRSSMB()}
	if device != nil {
		r.DeviceMB = float64(device.MemoryStats().Peak) / 1e6
	}
	r.TestAccMean, r.TestAccStd = meanStd(accs)
	fmt.Fprintf(stdout, "test %s %.4f ± %.4f over %d seeds, %.2f ms an epoch, peak memory %.0f MB\n",
		measure, r.TestAccMean, r.TestAccStd, r.Seeds, r.EpochMS, r.PeakRSSMB)
	if f.json {
		return json.NewEncoder(stdout).Encode(r)
	}
	return nil
}

// openDevice returns the device of a name, nil for the CPU. Without a GPU the error
// says in one line what was looked for and where.
func openDevice(name string) (*tensor.Device, error) {
	if name == "cpu" {
		return nil, nil
	}
	rest, ok := strings.CutPrefix(name, "cuda")
	index := 0
	if ok && rest != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(rest, ":"))
		ok = err == nil && n >= 0 && rest[0] == ':'
		index = n
	}
	if !ok {
		return nil, fmt.Errorf("-device is %q; want cpu, cuda or cuda:N", name)
	}
	return cuda(index)
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
