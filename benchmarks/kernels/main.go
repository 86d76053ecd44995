// Flags, and the order of everything.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	harness.Timing
	anyway            bool
	peers             []string // forms
	graphs            []string
	widths, threads   []int
	filter            *regexp.Regexp
	python, dglPython string
	memoryLimit       int64 // bytes
	data              string
	json              string
	summary           []string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("kernels", flag.ContinueOnError)
	peers := f.String("peers", strings.Join(allForms, ","), "`forms` of the peers to run against")
	graphs := f.String("graphs", strings.Join(graphNames, ","), "`graphs` to run on")
	widths := f.String("widths", "16,64,128", "`numbers` of features")
	threads := f.String("threads", "1,2", "`numbers` of threads")
	filter := f.String("filter", "", "only cases whose program/graph/width, or bounds whose kind/program, matches this `regexp`")
	f.IntVar(&o.Rounds, "rounds", 7, "rounds a case")
	f.DurationVar(&o.Sample, "sample", 50*time.Millisecond, "least time of a sample, by repetition, and of the warm-up before it")
	f.DurationVar(&o.Settle, "settle", 40*time.Millisecond, "pause before a sample, for the other side's threads to stop spinning")
	f.DurationVar(&o.Budget, "budget", 30*time.Second, "time of a case's rounds; slow ones get fewer, three at least")
	f.DurationVar(&o.Long, "long", 300*time.Millisecond, "repetitions of this time need no warm-up")
	f.BoolVar(&o.anyway, "anyway", false, "count rounds that other processes disturb, too")
	f.StringVar(&o.python, "python", "python3", "Python `interpreter` that has PyTorch, and PyTorch Geometric if that is to run")
	f.StringVar(&o.dglPython, "dgl-python", "", "`interpreter` that has PyTorch and DGL; that of -python by default")
	limit := f.Int64("memory", 12, "`GiB` that a peer may use: more is an error of the form")
	f.StringVar(&o.data, "data", "", "`folder` of the datasets")
	f.StringVar(&o.json, "json", "", "`file` for the results as JSON, written after every case")
	summary := f.String("summary", "", "only print the tables of these JSON `files` of earlier runs")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.Rounds < 1 || o.Sample <= 0 {
		return o, errors.New("-rounds and -sample must be positive")
	}
	if o.peers, err = names("peers", *peers, allForms); err != nil {
		return o, err
	}
	if o.graphs, err = names("graphs", *graphs, slices.Concat(graphNames, extraGraphNames)); err != nil {
		return o, err
	}
	if o.widths, err = positive("widths", *widths); err != nil {
		return o, err
	}
	for _, n := range o.widths {
		if n%8 != 0 {
			return o, fmt.Errorf("-widths: %d is no multiple of 8, the heads of a program", n)
		}
	}
	if o.threads, err = positive("threads", *threads); err != nil {
		return o, err
	}
	if o.filter, err = regexp.Compile(*filter); err != nil {
		return o, fmt.Errorf("-filter: %w", err)
	}
	if o.dglPython == "" {
		o.dglPython = o.python
	}
	if *summary != "" {
		o.summary = strings.Split(*summary, ",")
	}
	o.memoryLimit = *limit << 30
	return o, nil
}

// names takes a list apart whose items are known; "" is none.
func names(flag, list string, known []string) (items []string, err error) {
	for item := range strings.SplitSeq(list, ",") {
		switch {
		case item == "":
		case !slices.Contains(known, item):
			return nil, fmt.Errorf("-%s: no %q, there are %s", flag, item, strings.Join(known, ", "))
		default:
			items = append(items, item)
		}
	}
	return items, nil
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
	if o.summary != nil {
		r, err := loadReports(o.summary)
		if err != nil {
			return err
		}
		return errors.Join(r.writeHeader(out), line(out), writeResults(out, r.Results), line(out), r.writeSummary(out, o.threads))
	}
	r := &report{
		Machine: harness.ThisMachine(kern.ISA() + ", BLAS " + cpu.BLAS() + tier()),
		Peers:   map[string]string{},
		Timing:  map[string]string{"rounds": fmt.Sprint(o.Rounds), "sample": o.Sample.String(), "settle": o.Settle.String(), "budget": o.Budget.String()},
	}
	for i, n := range o.threads {
		b := &bench{opts: o, threads: n}
		if len(o.peers) > 0 {
			b.peers = newPythonPeers(o, n)
		}
		if i == 0 {
			for _, p := range b.peers {
				r.Peers[strings.Join(p.forms(), " ")] = p.version()
			}
			if err := r.writeHeader(out); err != nil {
				return err
			}
		}
		err := harness.WithThreads(n, func() error { return b.all(r, out) })
		b.close()
		if err != nil {
			return err
		}
	}
	return errors.Join(line(out), r.writeSummary(out, o.threads), r.save(o.json))
}

func line(out io.Writer) error {
	_, err := fmt.Fprintln(out)
	return err
}

// all runs everything for the bench's number of threads.
func (b *bench) all(r *report, out io.Writer) error {
	add := func(x bound) { r.Bounds = append(r.Bounds, x) }
	b.compileBounds(add)
	if err := b.runBounds(add); err != nil {
		return err
	}
	for _, name := range b.opts.graphs {
		if err := b.onGraph(name, r, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// The case whose memory is bounded.
const (
	memoryGraph = "rmat200k"
	memoryWidth = 64
)

// onGraph runs the cases of one graph.
func (b *bench) onGraph(name string, r *report, out io.Writer) error {
	g, err := buildGraph(name, b.opts.data)
	if errors.Is(err, errNoData) {
		r.Notes = append(r.Notes, fmt.Sprintf("%s, %d threads: left out: %v", name, b.threads, err))
		return nil
	} else if err != nil {
		return err
	}
	done := func(x *result) error { // a long run may be cut short
		fmt.Fprintln(os.Stderr, x)
		r.Results = append(r.Results, x)
		return r.save(b.opts.json)
	}
	if err := b.cases(name, g, out, done); err != nil {
		return err
	}
	if name == memoryGraph && b.opts.filter.MatchString("memory/gat forward+backward") {
		return b.memoryBounds(name, g, memoryWidth,
			func(x bound) { r.Bounds = append(r.Bounds, x) }, func(text string) { r.Notes = append(r.Notes, text) })
	}
	return nil
}

// cases measures every program at every width, hands each result to done, and
// prints them.
func (b *bench) cases(name string, g *graph.Graph, out io.Writer, done func(*result) error) error {
	var results []*result
	for _, width := range b.opts.widths {
		for _, p := range programs() {
			title := fmt.Sprintf("%s/%s/%d", p.title(), name, width)
			if !b.opts.filter.MatchString(title) {
				continue
			}
			r, err := b.run(newTask(p, name, g, width))
			tensor.TrimMemory()
			if err == nil {
				err = done(r)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", title, err)
			}
			results = append(results, r)
		}
	}
	if len(results) == 0 {
		return nil
	}
	return errors.Join(line(out), writeResults(out, results))
}

// tier says if plans do not run on the Go executor.
func tier() string {
	if native := os.Getenv("ASTERIAS_CPU"); native != "" {
		return ", plans compiled by " + native
	}
	return ""
}
