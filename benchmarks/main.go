package main

// Flags, and the order of everything.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/measure"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system/plugin"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/tensor/kern"
)

func main() {
	plugin.Serve()
	measure.ServeMemory()
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	measure.Options
	quick, check, render bool
	out                  string
	command              string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	f.BoolVar(&o.quick, "quick", false, "a taste of everything in two minutes")
	f.BoolVar(&o.check, "check", false, "only find out who is right")
	f.BoolVar(&o.Planted, "planted", false, "show that planted pitfalls are caught, as a full run does")
	f.BoolVar(&o.render, "render", false, "only write the page of the results in -out")
	f.StringVar(&o.out, "out", filepath.Join("benchmarks", "results"), "`folder` of results and page")
	f.StringVar(&o.Data, "data", "", "`folder` of the datasets; without it they are downloaded and cached")
	f.IntVar(&o.Threads, "threads", 2, "`number` of threads, for peers too")
	names := f.String("systems", "", "`names` of systems and peers that take part; all by default")
	f.Func("plugin", "shared `library` of the C form of the System API; may be repeated", func(path string) error {
		o.Plugins = append(o.Plugins, path)
		return nil
	})
	peers := f.String("peers", filepath.Join("benchmarks", "peers"), "`folder` of the peers; \"\" for none")
	python := f.String("python", "python3", "Python `interpreter` with PyTorch and PyTorch Geometric")
	dglPython := f.String("dgl-python", "", "`interpreter` with DGL; that of -python by default")
	gomlx := f.String("gomlx", "", "`command` of the peer GoMLX; by default the module is built")
	gorgonia := f.String("gorgonia", "", "`command` of the peer Gorgonia; by default the program is built")
	f.IntVar(&o.Timing.Rounds, "rounds", 0, "rounds of a comparison; 11 by default, 5 with -quick")
	f.BoolVar(&o.Anyway, "anyway", false, "count rounds that other processes disturb, too")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case o.Threads < 1 || o.Timing.Rounds < 0:
		return o, errors.New("-threads and -rounds must be positive")
	}
	o.Planted = o.Planted || !o.quick && !o.check
	if *names != "" {
		o.Systems = strings.Split(*names, ",")
	}
	if *dglPython == "" {
		dglPython = python
	}
	if *peers != "" {
		o.Peers = measure.PeersIn(*peers, *python, *dglPython)
		for i, p := range o.Peers {
			if command := map[string]string{"gomlx": *gomlx, "gorgonia": *gorgonia}[p.Name]; command != "" {
				o.Peers[i] = measure.PeerSpec{Name: p.Name, Peer: harness.Peer{Command: strings.Fields(command)}}
			}
		}
	}
	o.setTiming()
	o.command = strings.Join(slices.Concat([]string{"go run ./benchmarks"}, withoutFolders(args)), " ")
	return o, nil
}

// withoutFolders are arguments without the folders of this machine.
func withoutFolders(args []string) []string {
	short := slices.Clone(args)
	for i, a := range short {
		flag, value, joined := strings.Cut(a, "=")
		switch {
		case filepath.IsAbs(a):
			short[i] = filepath.Base(a)
		case joined && filepath.IsAbs(value):
			short[i] = flag + "=" + filepath.Base(value)
		}
	}
	return short
}

// setTiming sets what a comparison takes. Most contests have ten contenders or more.
func (o *options) setTiming() {
	t := harness.Timing{Rounds: 11, Sample: 30 * time.Millisecond, Settle: 10 * time.Millisecond, Budget: 20 * time.Second, Long: 100 * time.Millisecond}
	if o.quick {
		t = harness.Timing{Rounds: 5, Sample: 3 * time.Millisecond, Settle: time.Millisecond, Budget: 600 * time.Millisecond, Long: 10 * time.Millisecond}
	}
	if o.Timing.Rounds > 0 {
		t.Rounds = o.Timing.Rounds
	}
	o.Timing = t
}

// run runs the command and prints to out as it goes.
func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.render {
		return report.Render(o.out)
	}
	o.Log = out
	small, notes := measure.Cora, []string(nil)
	if _, err := workflow.Load(o.Data, "cora"); err != nil {
		notes = append(notes, fmt.Sprintf("Cora is not to be had (%v): a random graph of its sizes is in its place", err))
		small = measure.LikeCora
	}
	o.Plan = measure.Full(small)
	if o.quick {
		o.Plan = measure.Quick(small)
	}
	return o.measure(notes)
}

// measure runs the plan and writes results and page.
func (o options) measure(notes []string) (err error) {
	b, err := measure.New(o.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	r := b.Results
	r.Notes = notes
	r.Date, r.Commit, r.Command = time.Now().UTC().Format(time.DateOnly), commit(), o.command
	r.Machine = harness.ThisMachine(kern.ISA())
	t := o.Timing
	r.Timing = fmt.Sprintf("up to %d rounds of samples of at least %v, %v apart, at most %v a comparison", t.Rounds, t.Sample, t.Settle, t.Budget)
	if o.check {
		return harness.WithThreads(o.Threads, func() error {
			if err := b.Enter(); err != nil {
				return err
			}
			return r.WriteVerdicts(o.Log)
		})
	}
	if err := b.Run(func(r *report.Results) error { return r.Save(o.out) }); err != nil {
		return err
	}
	if err := report.Render(o.out); err != nil {
		return err
	}
	fmt.Fprintf(o.Log, "see %s\n", filepath.Join(o.out, "README.md"))
	return nil
}

// commit is that of the working tree, with a + if it has changes.
func commit() string {
	text, err := exec.Command("git", "describe", "--always", "--dirty=+", "--exclude=*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
