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
)

// sections in the order they run. Each adds its results for one number of
// threads to the section of the report.
var sections = []struct {
	name string
	run  func(b *bench) error
}{
	{"gemm", func(b *bench) error { return gemmSection(b, fieldShapes) }},
	{"mlp", func(b *bench) error { return mlpSection(b, coraNet) }},
	{"elementwise", func(b *bench) error { return elementwiseSection(b, 1_000_000) }},
	{"ops", func(b *bench) error { return opsSection(b, 1<<16) }},
	{"float64", func(b *bench) error { return doubleSection(b, 1<<16) }},
	{"modules", func(b *bench) error { return modulesSection(b, 1<<16) }},
	{"tape", func(b *bench) error { return tapeSection(b, 1000) }},
	{"memory", func(b *bench) error { return memorySection(b, coraNet) }},
	{"optim", func(b *bench) error { return optimSection(b, 1<<20) }},
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "dense:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	harness.Timing
	peers   []string
	threads []int
	filter  *regexp.Regexp
	blas    string
	python  string
	json    string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("dense", flag.ContinueOnError)
	peers := f.String("peers", strings.Join(allPeers, ","), "`peers` to run against")
	threads := f.String("threads", "1,2", "`numbers` of threads, each for all sections")
	filter := f.String("filter", "", "only cases whose section/case matches this `regexp`")
	f.IntVar(&o.Rounds, "rounds", 11, "rounds a comparison")
	f.DurationVar(&o.Sample, "sample", 50*time.Millisecond, "least time of a sample, by repetition, and of the warm-up before it")
	f.DurationVar(&o.Settle, "settle", 40*time.Millisecond, "pause before a sample, for the other side's threads to stop spinning")
	f.DurationVar(&o.Budget, "budget", 15*time.Second, "time of a comparison; slow ones get fewer rounds")
	f.StringVar(&o.blas, "blas", "", "BLAS `library` of the peer openblas; the first of the usual ones by default")
	f.StringVar(&o.python, "python", "python3", "Python `interpreter` that has PyTorch")
	f.StringVar(&o.json, "json", "", "`file` for the results as JSON")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.Rounds < 1 || o.Sample <= 0 {
		return o, errors.New("-rounds and -sample must be positive")
	}
	for peer := range strings.SplitSeq(*peers, ",") {
		switch {
		case peer == "": // none
		case !slices.Contains(allPeers, peer):
			return o, fmt.Errorf("-peers: no peer %q, there are %s", peer, strings.Join(allPeers, ", "))
		default:
			o.peers = append(o.peers, peer)
		}
	}
	for text := range strings.SplitSeq(*threads, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-threads: %q is no number of threads", text)
		}
		o.threads = append(o.threads, n)
	}
	if o.filter, err = regexp.Compile(*filter); err != nil {
		return o, fmt.Errorf("-filter: %w", err)
	}
	return o, nil
}

// run runs the command and prints to out as it goes.
func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	var file *os.File
	if o.json != "" {
		if file, err = os.Create(o.json); err != nil { // not after all the work
			return err
		}
	}
	b := newBench(o)
	defer b.close()
	if err := b.report.writeHeader(out); err != nil {
		return err
	}
	for _, s := range sections {
		if err := b.runSection(s.name, s.run); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if results := b.section; len(results.Comparisons)+len(results.Bounds) > 0 {
			if err := results.writeText(out); err != nil {
				return err
			}
		}
	}
	if file == nil {
		return nil
	}
	return errors.Join(b.report.writeJSON(file), file.Close())
}

// runSection runs a section for every number of threads.
func (b *bench) runSection(name string, run func(b *bench) error) error {
	b.section = &section{Name: name}
	b.report.Sections = append(b.report.Sections, b.section)
	load := harness.NewLoadMeter()
	for _, n := range b.opts.threads {
		b.threads = n
		if err := harness.WithThreads(n, func() error { return run(b) }); err != nil {
			return err
		}
	}
	b.section.OtherLoad = load.Cores()
	return nil
}
