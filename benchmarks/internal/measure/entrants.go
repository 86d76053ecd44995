package measure

// Who takes part: our programs, systems, plug-ins and peers; who of them is right.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/plugin"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/tensor"
)

// OursName is the name of the fused form, and cudaName that of it on a GPU.
const (
	OursName = "asterias"
	cudaName = OursName + "-cuda"
)

// An entrant takes part and is right.
type entrant struct {
	name   string
	form   workflow.Form        // nil for peers
	system system.System        // nil for ours and peers
	peer   *harness.PeerProcess // nil for others
	start  harness.Peer         // how the peer is started anew
	device *tensor.Device       // of form
	about  entrantSpec          // for a process of its own
}

// entrantSpec says which entrant another process of this program is to open.
type entrantSpec struct {
	Name   string `json:"name"`
	Plugin string `json:"plugin,omitempty"`
	Fused  bool   `json:"fused,omitempty"` // our programs, not a system
	CUDA   bool   `json:"cuda,omitempty"`  // on the first GPU
}

func (e *entrant) close() error {
	switch {
	case e.peer != nil:
		e.peer.Close() // it may have been ended, which is no fault of the run
	case e.system != nil:
		return e.system.Close()
	}
	return nil
}

// wanted tells whether a name is among those chosen.
func (b *Bench) wanted(name string) bool { return b.Systems == nil || slices.Contains(b.Systems, name) }

// Enter opens all that take part, and judges them. It is the first of Run's phases.
func (b *Bench) Enter() error {
	if b.wanted(OursName) {
		if err := b.enterFused("vertex-centric programs, fused", nil, entrantSpec{Name: OursName, Fused: true}); err != nil {
			return err
		}
	}
	if gpu, err := tensor.CUDA(0); err == nil && b.wanted(cudaName) { // the systems say why there is none
		if err := b.enterFused("the same on the first GPU", gpu, entrantSpec{Name: cudaName, Fused: true, CUDA: true}); err != nil {
			return err
		}
	}
	for _, spec := range systems.All() {
		if b.wanted(spec.Name) {
			if err := b.enter(spec.Name, spec.Doc, entrantSpec{Name: spec.Name}); err != nil {
				return err
			}
		}
	}
	for _, path := range b.Plugins {
		name := filepath.Base(path) // with its ending, which no system of the tree has
		if err := b.enter(name, "plug-in", entrantSpec{Name: name, Plugin: path}); err != nil {
			return err
		}
	}
	for _, spec := range b.Peers {
		if b.wanted(spec.Name) {
			b.enterPeer(spec)
		}
	}
	if err := b.judgePeers(); err != nil {
		return err
	}
	for _, name := range b.Systems {
		if !slices.ContainsFunc(b.Results.Systems, func(s report.System) bool { return s.Name == name }) {
			return fmt.Errorf("there is no system or peer %q", name)
		}
	}
	if b.Planted {
		return b.plantedPitfalls()
	}
	return nil
}

// enterFused judges our programs on a device and lists them.
func (b *Bench) enterFused(about string, d *tensor.Device, spec entrantSpec) error {
	listed := report.System{Name: spec.Name, Kind: report.Ours, About: about}
	if err := b.judgeModels(&listed, workflow.Fused(), d); err != nil {
		return err
	}
	if listed.Wrong() {
		b.log("%s is wrong: %v", spec.Name, listed.Findings[0])
		b.add(listed, nil)
		return nil
	}
	b.add(listed, &entrant{name: spec.Name, form: workflow.Fused(), device: d, about: spec})
	return nil
}

// add lists a system, with an entrant if it is there and right. Where the repository lies
// is of no interest to readers of the page.
func (b *Bench) add(s report.System, e *entrant) {
	here, _ := os.Getwd()
	s.Missing = strings.NewReplacer(b.folder+string(filepath.Separator), "", here+string(filepath.Separator), "").Replace(s.Missing)
	b.Results.Systems = append(b.Results.Systems, s)
	if e != nil {
		b.entrants = append(b.entrants, e)
	}
}

// open opens a system. A plug-in runs in a process of its own until it is known to be
// right.
func (s entrantSpec) open(checked bool) (system.System, error) {
	if s.Plugin != "" {
		return plugin.Open(s.Plugin, plugin.Options{InProcess: checked})
	}
	for _, spec := range systems.All() {
		if spec.Name == s.Name {
			return spec.Open()
		}
	}
	return nil, fmt.Errorf("no system %q", s.Name)
}

// enter judges a system and lists it.
func (b *Bench) enter(name, about string, spec entrantSpec) error {
	listed := report.System{Name: name, Kind: report.SystemAPI, About: about}
	sys, err := spec.open(false)
	if err != nil {
		listed.Missing = err.Error()
		b.add(listed, nil)
		return nil
	}
	if err := b.judge(&listed, sys); err != nil {
		return errors.Join(err, sys.Close())
	}
	if listed.Wrong() {
		b.log("%s is wrong: %v", name, listed.Findings[0])
		b.add(listed, nil)
		return sys.Close()
	}
	if spec.Plugin != "" { // from now on without the copies
		if err := sys.Close(); err != nil {
			return err
		}
		if sys, err = spec.open(true); err != nil {
			return err
		}
	}
	b.add(listed, &entrant{name: name, form: workflow.OverSystem(sys), system: sys, device: sys.Device(), about: spec})
	return nil
}
