// The command: flags, data, the runs and their report.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd/gorgonianode"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/tensor"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp): // who asks for help gets it: no failure
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "interrupted")
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type flags struct {
	dataset, dir            string
	epochs, hidden, threads int
	seed                    uint64
	json                    bool
}

func parse(args []string, stderr io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("gorgonia_swap", flag.ContinueOnError)
	set.SetOutput(io.Discard) // errors are reported once, by main
	set.StringVar(&f.dataset, "dataset", "cora", "one of "+strings.Join(data.Names(), ", "))
	set.StringVar(&f.dir, "data", "", "folder with the datasets' files; without it they are downloaded and cached")
	set.IntVar(&f.epochs, "epochs", 200, "training steps of each net")
	set.IntVar(&f.hidden, "hidden", 16, "hidden features")
	set.Uint64Var(&f.seed, "seed", 0, "seed of the weights")
	set.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "goroutines that compute")
	set.BoolVar(&f.json, "json", false, "end standard output with one JSON object")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			set.SetOutput(stderr)
			set.Usage()
		}
		return f, err
	}
	switch {
	case set.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q", set.Arg(0))
	case f.epochs < 1:
		return f, fmt.Errorf("-epochs is %d; want at least 1", f.epochs)
	case f.hidden < 1:
		return f, fmt.Errorf("-hidden is %d; want at least 1", f.hidden)
	case f.threads < 1:
		return f, fmt.Errorf("-threads is %d; want at least 1", f.threads)
	}
	return f, nil
}

// report is the last line of standard output with -json.
type report struct {
	Dataset string            `json:"dataset"`
	Seed    uint64            `json:"seed"`
	Epochs  int               `json:"epochs"`
	Nets    map[string]result `json:"nets"`
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f, err := parse(args, stderr)
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
	_, features := d.Features.Dims()
	fmt.Fprintf(stdout, "%s: %d vertices, %d edges, %d features, %d classes\n",
		d.Name, d.Graph.NumVertices(), d.Graph.NumEdges(), features, d.NumClasses)
	r := report{Dataset: d.Name, Seed: f.seed, Epochs: f.epochs, Nets: make(map[string]result)}
	onFeatures, onHidden := swapped(d, gorgonianode.WithoutGradient(0)), swapped(d)
	for _, net := range []struct {
		name          string
		first, second layer
	}{
		{"perceptron", dense, dense},
		{"one layer swapped", dense, onHidden},
		{"both layers swapped", onFeatures, onHidden},
	} {
		n, err := newNet(d, f.hidden, f.seed, net.first, net.second)
		if err != nil {
			return fmt.Errorf("%s: %w", net.name, err)
		}
		best, err := n.train(ctx, d, f.epochs)
		if err != nil {
			return fmt.Errorf("%s: %w", net.name, err)
		}
		fmt.Fprintf(stdout, "%-20s test accuracy %.4f after %d epochs, %.1f ms an epoch\n", net.name+":", best.TestAcc, best.Epoch, best.EpochMS)
		r.Nets[net.name] = best
	}
	if f.json {
		return json.NewEncoder(stdout).Encode(r)
	}
	return nil
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
