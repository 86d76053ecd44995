// Cases: ours against each peer that is asked for and there.

package main

import (
	"fmt"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/tensor/openblas/cblas"
)

// The peers besides PyTorch.
const (
	peerOpenBLAS = "openblas"
	peerGonum    = "gonum"
	peerGorgonia = "gorgonia"
)

var allPeers = []string{peerOpenBLAS, peerGonum, peerTorch, peerTorchTuned, peerGorgonia}

// A bench is one run of the command.
type bench struct {
	opts    options
	report  *report
	section *section // being filled
	threads int      // of the cases being run

	torches map[torchKind]torchStart
	blas    *cblas.Library // nil if not asked for, or not there
	blasErr error
}

type torchKind struct {
	threads int
	tuned   bool
}

// torchStart is what came of starting PyTorch; a failure is not tried again.
type torchStart struct {
	process *harness.Process
	err     error
}

// newBench finds out which of the peers are there.
func newBench(o options) *bench {
	b := &bench{opts: o, torches: map[torchKind]torchStart{}}
	b.opts.Load = func() func() float64 { return harness.NewLoadMeter().Cores }
	b.report = &report{Machine: harness.ThisMachine(ourKernels()), Peers: map[string]string{}, Timing: map[string]string{
		"rounds": fmt.Sprint(o.Rounds), "sample": o.Sample.String(), "settle": o.Settle.String(), "budget": o.Budget.String(),
	}}
	for _, peer := range o.peers {
		b.report.Peers[peer] = b.peerVersion(peer)
	}
	return b
}

func (b *bench) peerVersion(peer string) string {
	switch peer {
	case peerTorch, peerTorchTuned:
		p, err := b.torch(torchKind{b.opts.threads[0], peer == peerTorchTuned})
		if err != nil {
			return err.Error()
		}
		return p.Version
	case peerOpenBLAS:
		if b.blas, b.blasErr = openBLAS(b.opts.blas); b.blasErr != nil {
			return b.blasErr.Error()
		}
		return b.blas.Version()
	case peerGonum:
		return moduleVersion("gonum.org/v1/gonum")
	case peerGorgonia:
		return moduleVersion("gorgonia.org/gorgonia") + ", BLAS " + gorgoniaBLAS()
	}
	panic("BUG: no peer " + peer)
}

// torch returns the PyTorch process of a kind, started when first asked for.
func (b *bench) torch(k torchKind) (*harness.Process, error) {
	s, ok := b.torches[k]
	if !ok {
		s.process, s.err = startTorch(b.opts.python, k.threads, k.tuned)
		b.torches[k] = s
	}
	return s.process, s.err
}

func (b *bench) close() {
	for _, s := range b.torches {
		if s.err == nil {
			s.process.Close()
		}
	}
}

// entry sets a contender up for a case, from the same state every time.
type entry func() (harness.Contender, error)

// A rival is a peer's entry, and the speed-up over it that is wanted; 0 if it
// only informs.
type rival struct {
	peer   string
	label  string // in the table; the peer by default
	target float64
	enter  entry
}

// A match is one case of ours against its rivals.
type match struct {
	name      string
	units     int // a repetition's operations, to which times are related; 1 by default
	tolerance float64
	ours      entry
	rivals    []rival
}

// torchRivals are PyTorch's entries, stock and tuned, for a case of torch.py.
func (b *bench) torchRivals(target float64, name string, args map[string]any, data ...*tensor.Tensor) []rival {
	var rivals []rival
	for _, peer := range []string{peerTorch, peerTorchTuned} {
		kind := torchKind{b.threads, peer == peerTorchTuned}
		rivals = append(rivals, rival{peer: peer, target: target, enter: func() (harness.Contender, error) {
			p, err := b.torch(kind)
			if err != nil {
				return harness.Contender{}, err
			}
			return p.Enter("only", name, args, items(data)...)
		}})
	}
	return rivals
}

// items are tensors as a peer's data.
func items(ts []*tensor.Tensor) (xs []any) {
	for _, t := range ts {
		xs = append(xs, t)
	}
	return xs
}

// wanted tells whether -filter lets a case run.
func (b *bench) wanted(name string) bool {
	return b.opts.filter.MatchString(b.section.Name + "/" + name)
}

// compare runs a match and adds a row for each rival asked for; without any,
// one for ours alone. A rival that is missing or computes something else is a
// row that says so. An error is one of our own side.
func (b *bench) compare(m match) error {
	if !b.wanted(m.name) {
		return nil
	}
	met := false
	for _, r := range m.rivals {
		if _, asked := b.report.Peers[r.peer]; !asked {
			continue
		}
		met = true
		row, err := b.meet(m, r)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		b.section.Comparisons = append(b.section.Comparisons, row)
	}
	if met {
		return nil
	}
	ours, err := b.alone(m)
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	b.section.Comparisons = append(b.section.Comparisons, comparison{Case: m.name, Threads: b.threads, Ours: ours})
	return nil
}

// alone returns our median time of a unit, in seconds.
func (b *bench) alone(m match) (float64, error) {
	c, err := m.ours()
	if err != nil {
		return 0, err
	}
	s, err := b.opts.Measure(c)
	if err != nil {
		return 0, err
	}
	return harness.Median(s.Seconds[0]) / float64(max(m.units, 1)), nil
}

// meet sets both sides up, compares what they compute, and times them.
func (b *bench) meet(m match, r rival) (comparison, error) {
	row := comparison{Case: m.name, Threads: b.threads, Peer: r.peer, Target: r.target}
	if r.label != "" {
		row.Peer = r.label
	}
	ours, err := m.ours()
	if err != nil {
		return row, err
	}
	got, err := ours.Output()
	if err != nil {
		return row, err
	}
	peer, err := r.enter()
	if err != nil {
		row.Status = harness.Status(err)
		return row, nil
	}
	want, err := peer.Output()
	if err != nil {
		row.Status = harness.Status(err)
		return row, nil
	}
	if err := harness.Agree(got, want, m.tolerance); err != nil {
		row.Status = "error: not the same work: " + err.Error()
		return row, nil
	}
	s, err := b.opts.Measure(ours, peer)
	if err != nil {
		row.Status = harness.Status(err) // only peers' runs fail: ours would panic
		return row, nil
	}
	a, p, units := s.Seconds[0], s.Seconds[1], float64(max(m.units, 1))
	row.Ours, row.Theirs = harness.Median(a)/units, harness.Median(p)/units
	row.Medians, row.Rounds = row.Theirs/row.Ours, harness.MedianRatio(p, a)
	row.Load, row.Disturbed = s.Load, s.Disturbed
	return row, nil
}

// bound adds a row for a quantity of ours.
func (b *bench) bound(name, quantity string, value, limit float64) {
	b.section.Bounds = append(b.section.Bounds, bound{name, b.threads, quantity, value, limit})
}

// ourKernels names what our side runs on: its kernels, and its matrix product.
func ourKernels() string { return kern.ISA() + ", BLAS " + cpu.BLAS() }
