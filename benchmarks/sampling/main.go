// Flags, and the order of everything.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/data"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sampling:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	harness.Timing
	anyway            bool
	peers             []string // forms
	vertices, edges   int
	fanouts, threads  []int
	batch             int
	python, dglPython string
	json              string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("sampling", flag.ContinueOnError)
	peers := f.String("peers", strings.Join(allForms, ","), "`forms` of the peers to run against")
	f.IntVar(&o.vertices, "vertices", 1_000_000, "`number` of vertices of the R-MAT graph")
	f.IntVar(&o.edges, "edges", 20_000_000, "`number` of its edges")
	fanouts := f.String("fanouts", "15,10", "`numbers` of edges into a vertex, those into the seeds first")
	f.IntVar(&o.batch, "batch", 1024, "`number` of seeds of a batch")
	threads := f.String("threads", "1,2", "`numbers` of workers or threads")
	f.IntVar(&o.Rounds, "rounds", 7, "rounds")
	f.DurationVar(&o.Sample, "sample", 500*time.Millisecond, "least time of a sample, by more batches, and of the warm-up before it")
	f.DurationVar(&o.Settle, "settle", 40*time.Millisecond, "pause before a sample, for the other side's threads to stop spinning")
	f.DurationVar(&o.Budget, "budget", 5*time.Minute, "time of the rounds of a number of threads; slow ones get fewer, three at least")
	f.BoolVar(&o.anyway, "anyway", false, "count rounds that other processes disturb, too")
	f.StringVar(&o.python, "python", "python3", "Python `interpreter` that has PyTorch and NumPy, and PyTorch Geometric if that is to run")
	f.StringVar(&o.dglPython, "dgl-python", "", "`interpreter` that has PyTorch and DGL; that of -python by default")
	f.StringVar(&o.json, "json", "", "`file` for the results, a line of JSON each")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.Rounds < 1 || o.Sample <= 0 || o.batch < 1 || o.vertices < 1 || o.edges < 0 {
		return o, errors.New("-rounds, -sample, -batch and -vertices must be positive")
	}
	for item := range strings.SplitSeq(*peers, ",") {
		switch {
		case item == "": // none
		case !slices.Contains(allForms, item):
			return o, fmt.Errorf("-peers: no %q, there are %s", item, strings.Join(allForms, ", "))
		default:
			o.peers = append(o.peers, item)
		}
	}
	if o.fanouts, err = positive("fanouts", *fanouts); err != nil {
		return o, err
	}
	if o.threads, err = positive("threads", *threads); err != nil {
		return o, err
	}
	if o.dglPython == "" {
		o.dglPython = o.python
	}
	return o, nil
}

func positive(flag, list string) (numbers []int, err error) {
	for item := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-%s: %q is no positive number", flag, item)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// run runs the command and prints to out as it goes.
func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	g, err := data.RMAT(data.RMATConfig{Vertices: o.vertices, Edges: o.edges, Seed: 1})
	if err != nil {
		return err
	}
	g.In()
	r := &report{machine: harness.ThisMachine("Go"), options: o}
	for i, n := range o.threads {
		b := &bench{options: o, graph: g, threads: n, peers: newPeers(o, n)}
		if i == 0 {
			if err := r.writeHeader(out, b.peers); err != nil {
				return err
			}
		}
		var results []result
		err := harness.WithThreads(n, func() (err error) { results, err = b.run(); return err })
		b.close()
		if err != nil {
			return err
		}
		r.results = append(r.results, results...)
		if err := errors.Join(writeResults(out, results), r.save()); err != nil {
			return err
		}
	}
	return nil
}
