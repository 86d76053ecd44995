// Flags, and the order of everything.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/tensor/kern"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "gpu:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	harness.Timing
	devices            bool
	device, peerDevice string
	graphs             []string
	filter             *regexp.Regexp
	python             string // empty: no peer
	out                string
	tune               bool
	limit              time.Duration
	copied             int // bytes
	summary            []string
}

const (
	cuda     = "cuda"
	emulated = "emulated"
)

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("gpu", flag.ContinueOnError)
	f.BoolVar(&o.devices, "devices", false, "only print which GPUs and libraries there are; an error if there is none")
	f.StringVar(&o.device, "device", cuda, "`device`: cuda, or emulated, whose times mean nothing")
	graphs := f.String("graphs", "", "`graphs`: "+strings.Join(sizeNames(true), ", ")+"; by default all that suit the device")
	filter := f.String("filter", "", "only cases whose \"case pass/graph\" matches this `regexp`")
	f.StringVar(&o.python, "python", "python3", "`interpreter` that has PyTorch, and PyTorch Geometric; \"\" for no peer")
	f.StringVar(&o.peerDevice, "peer-device", "", "PyTorch's `device`; by default cuda, or cpu beside an emulated device")
	f.StringVar(&o.out, "out", "", "`folder` for results.jsonl and results.md")
	f.BoolVar(&o.tune, "tune", true, "time tuned kernels, too")
	f.DurationVar(&o.limit, "limit", 4*time.Minute, "no case begins after this time")
	summary := f.String("summary", "", "only print the page of these results.jsonl `files` of runs before")
	f.IntVar(&o.Rounds, "rounds", 9, "rounds a case")
	f.DurationVar(&o.Sample, "sample", 20*time.Millisecond, "least time of a sample, by repetition, and of the warm-up before it")
	f.DurationVar(&o.Budget, "budget", 4*time.Second, "time of a case's rounds; slow ones get fewer, three at least")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.device != cuda && o.device != emulated {
		return o, fmt.Errorf("-device: no %q, there are %s and %s", o.device, cuda, emulated)
	}
	if o.Rounds < 1 || o.Sample <= 0 {
		return o, errors.New("-rounds and -sample must be positive")
	}
	if o.filter, err = regexp.Compile(*filter); err != nil {
		return o, fmt.Errorf("-filter: %w", err)
	}
	if *summary != "" {
		o.summary = strings.Split(*summary, ",")
	}
	o.graphs, o.copied = sizeNames(false), 1<<30
	peerDevice := cuda
	if o.device == emulated {
		o.graphs, o.copied, peerDevice = []string{"tiny", "tiny-layers"}, 1<<16, "cpu"
		o.Rounds, o.Sample = 1, 1 // time does not matter
	}
	if o.peerDevice == "" {
		o.peerDevice = peerDevice
	}
	if *graphs != "" {
		o.graphs = strings.Split(*graphs, ",")
	}
	for _, g := range o.graphs {
		if !slices.Contains(sizeNames(true), g) {
			return o, fmt.Errorf("-graphs: no %q, there are %s", g, strings.Join(sizeNames(true), ", "))
		}
	}
	return o, nil
}

// run runs the command and prints to out as it goes. Cases that fail are in the
// results, and an error at the end.
func run(args []string, out io.Writer) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.summary != nil {
		return summarise(o.summary, out)
	}
	if o.devices {
		if _, err := fmt.Fprint(out, cudagen.Devices()); err != nil {
			return err
		}
	}
	c, err := openCard(o.device)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	if o.devices {
		return nil
	}
	g, err := c.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	b := &bench{opts: o, card: c, gpu: g, until: time.Now().Add(o.limit)}
	if b.copied, err = g.copyBandwidth(o.copied, 15); err != nil {
		return err
	}
	h := b.header()
	if b.peer != nil {
		defer b.peer.close()
	}
	if b.sparse != nil {
		defer func() { err = errors.Join(err, b.sparse.close(g)) }()
	}
	files, err := openFiles(o.out, h)
	if err != nil {
		return err
	}
	results, notes, runErr := b.all(files.jsonl)
	return errors.Join(runErr, files.finish(h, results, notes), writePage(out, h, results, notes))
}

// header starts the peer and loads cuSPARSE, if they are there.
func (b *bench) header() header {
	h := header{
		Machine: harness.ThisMachine(kern.ISA()), Device: b.gpu.backend.Device().Info().String(),
		Emulated: b.card.emulated, Copy: b.copied, Peer: "none asked for",
	}
	if b.opts.python != "" {
		b.peer = newPeer(b.opts.python, b.opts.peerDevice, max(1, runtime.NumCPU()/2))
		h.Peer = b.peer.version()
	}
	var err error
	if b.sparse, err = openSparse(b.card, b.gpu); err != nil {
		h.Sparse = err.Error()
	} else {
		h.Sparse = b.sparse.version
	}
	return h
}

// all runs the cases that the flags ask for, then those that are timed with tuned
// kernels again. Each result is a line in jsonl at once.
func (b *bench) all(jsonl io.Writer) (results []*result, notes []string, err error) {
	var done []*task
	for _, name := range b.opts.graphs {
		p := &problem{name: name}
		for _, t := range tasks(p) {
			if !b.opts.filter.MatchString(t.title()) {
				continue
			}
			if b.late() {
				notes = append(notes, t.title()+": the time was over")
				continue
			}
			if p.g == nil {
				built, failure := sizeOf(name).build()
				if failure != nil {
					return results, notes, errors.Join(err, failure)
				}
				*p = *built
				b.before = b.gpu.MemoryStats().Live
			}
			r, failure := b.run(t)
			b.release()
			if failure != nil {
				r = b.newResult(t)
				r.Error = failure.Error()
				err = errors.Join(err, fmt.Errorf("%s: %w", t.title(), failure))
			} else {
				done = append(done, t)
			}
			results = append(results, r)
			fmt.Fprintln(os.Stderr, r)
			if failure := jsonLine(jsonl, r); failure != nil {
				return results, notes, failure
			}
		}
	}
	if b.opts.tune {
		more, failure := b.tuneAll(done, results, jsonl)
		notes, err = append(notes, more...), errors.Join(err, failure)
	}
	return results, notes, err
}

// tuneAll adds tuned kernels to the results of tasks that were done.
func (b *bench) tuneAll(done []*task, results []*result, jsonl io.Writer) (notes []string, err error) {
	folder, err := os.MkdirTemp("", "tuning-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	tuned, err := b.tuned(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tuned.Close()) }()
	for _, t := range done {
		if b.late() {
			notes = append(notes, t.title()+", tuned: the time was over")
			continue
		}
		r := results[slices.IndexFunc(results, func(r *result) bool {
			return r.Case == t.name && r.Pass == t.pass && r.Graph == t.problem.name
		})]
		failure := b.tune(t, r, tuned)
		b.release()
		if failure != nil {
			err = errors.Join(err, fmt.Errorf("%s, tuned: %w", t.title(), failure))
			continue
		}
		fmt.Fprintln(os.Stderr, r)
		if failure := jsonLine(jsonl, r); failure != nil {
			return notes, failure
		}
	}
	return notes, err
}

// files are where results go.
type files struct {
	folder string
	jsonl  io.WriteCloser
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// openFiles starts the file of JSON lines; without a folder there is none.
func openFiles(folder string, h header) (*files, error) {
	if folder == "" {
		return &files{jsonl: discard{io.Discard}}, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(folder, "results.jsonl"))
	if err != nil {
		return nil, err
	}
	return &files{folder, f}, jsonLine(f, h)
}

// finish writes the page.
func (f *files) finish(h header, results []*result, notes []string) error {
	err := f.jsonl.Close()
	if f.folder == "" {
		return err
	}
	page, failure := os.Create(filepath.Join(f.folder, "results.md"))
	if failure != nil {
		return errors.Join(err, failure)
	}
	return errors.Join(err, writePage(page, h, results, notes), page.Close())
}
