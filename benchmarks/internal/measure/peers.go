package measure

// Peers: tasks as files, and whether their losses are ours.

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
)

// A PeerSpec is a peer that may be there.
type PeerSpec struct {
	Name string
	harness.Peer
	Module string // folder of a Go program to be built, which is the command then
}

// OtherLosses is what a peer does that does not train our model.
const OtherLosses check.Pitfall = "other training losses than ours"

const (
	comparedLosses = 5
	lossTolerance  = 1e-3 // relative
)

// enterPeer starts a peer and lists it.
func (b *Bench) enterPeer(spec PeerSpec) {
	listed := report.System{Name: spec.Name, Kind: report.Peer}
	start, err := b.build(spec)
	var p *harness.PeerProcess
	if err == nil {
		p, err = start.Start()
	}
	if err != nil {
		listed.Missing = err.Error()
		if missing := new(harness.NotInstalled); errors.As(err, &missing) {
			listed.Missing = missing.Reason
		}
		b.add(listed, nil)
		return
	}
	listed.About = p.Version
	if p.Backend != "" {
		listed.About += "; " + p.Backend
	}
	b.add(listed, &entrant{name: spec.Name, peer: p, start: start})
}

// judgePeers compares losses of all models, of which a peer may lack some.
func (b *Bench) judgePeers() error {
	if !slices.ContainsFunc(b.entrants, func(e *entrant) bool { return e.peer != nil }) {
		return nil
	}
	t, err := b.task(b.Plan.Tasks[0])
	if err != nil {
		return err
	}
	for _, e := range b.entrants {
		if e.peer == nil {
			continue
		}
		for _, c := range b.Plan.Models {
			_, done, err := b.openTask(e, c, t)
			if err == nil {
				err = done()
			}
			if err != nil && !isWrong(err) {
				s := b.listed(e.name)
				s.Unsupported = append(s.Unsupported, fmt.Sprintf("%s: %v", c.Model, err))
			}
		}
	}
	return nil
}

// listed is an entrant's place in the results.
func (b *Bench) listed(name string) *report.System {
	i := slices.IndexFunc(b.Results.Systems, func(s report.System) bool { return s.Name == name })
	return &b.Results.Systems[i]
}

// build says how a peer is started; a program is built first.
func (b *Bench) build(spec PeerSpec) (harness.Peer, error) {
	start := spec.Peer
	start.Threads = b.Threads
	if spec.Module == "" {
		return start, nil
	}
	program := filepath.Join(b.folder, spec.Name)
	cmd := exec.Command("go", "build", "-o", program, ".")
	cmd.Dir = spec.Module
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return start, &harness.NotInstalled{Reason: fmt.Sprintf("building it: %v: %s", err, lines[len(lines)-1])}
	}
	start.Command = []string{program}
	return start, nil
}

// running is the peer's process, started anew if it has ended.
func (e *entrant) running() (*harness.PeerProcess, error) {
	if e.peer.Broken() {
		e.peer.Close()
		p, err := e.start.Start()
		if err != nil {
			return nil, err
		}
		e.peer = p
	}
	return e.peer, nil
}

// openTask gives a peer a task, and the first time compares its losses with ours: a peer
// with others is listed as wrong. done frees the task.
func (b *Bench) openTask(e *entrant, c workflow.Config, t *workflow.Task) (slot string, done func() error, err error) {
	folder, err := b.taskFolder(c, t)
	if err != nil {
		return "", nil, err
	}
	p, err := e.running()
	if err != nil {
		return "", nil, err
	}
	slot = filepath.Base(folder)
	if _, err := p.Do("open", slot, map[string]any{"task": folder}); err != nil {
		return "", nil, err
	}
	done = func() error {
		if p.Broken() {
			return nil
		}
		_, err := p.Do("close", slot, nil)
		return err
	}
	key := comparison{e.name, c, t}
	key.config.Seed = 0
	err, known := b.compared[key]
	if !known {
		err = b.compareLosses(p, slot, c, t)
		b.compared[key] = err
		if isWrong(err) {
			s := b.listed(e.name)
			s.Findings = append(s.Findings, check.Finding{Pitfall: OtherLosses, Call: fmt.Sprintf("%s on %s", c.Model, t.Name), Detail: err.Error()})
		}
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return slot, done, nil
}

// A comparison is one of losses, whatever the seed.
type comparison struct {
	peer   string
	config workflow.Config
	task   *workflow.Task
}

// taskFolder writes a task, once for each config.
func (b *Bench) taskFolder(c workflow.Config, t *workflow.Task) (string, error) {
	key := folderKey{c, t}
	if folder := b.folders[key]; folder != "" {
		return folder, nil
	}
	folder := filepath.Join(b.folder, fmt.Sprint("task", len(b.folders)))
	if err := workflow.WriteFolder(folder, c, t); err != nil {
		return "", err
	}
	b.folders[key] = folder
	return folder, nil
}

type folderKey struct {
	config workflow.Config
	task   *workflow.Task
}

// wrongLosses is the error of a peer that trains another model.
type wrongLosses struct{ ours, theirs []float64 }

func isWrong(err error) bool { return errors.As(err, new(*wrongLosses)) }

func (e *wrongLosses) Error() string {
	return fmt.Sprintf("different: losses %.6g, ours %.6g", e.theirs, e.ours)
}

// compareLosses returns an error unless the first losses are ours, without dropout.
func (b *Bench) compareLosses(p *harness.PeerProcess, slot string, c workflow.Config, t *workflow.Task) error {
	c.Dropout = 0
	m, err := workflow.New(c, t, workflow.Fused())
	if err != nil {
		return err
	}
	defer m.Close()
	ours, err := workflow.NewTrainer(m, t).Losses(comparedLosses)
	if err != nil {
		return err
	}
	r, err := p.Do("losses", slot, map[string]any{"steps": comparedLosses})
	if err != nil {
		return err
	}
	if !sameLosses(r.Losses, ours) {
		return &wrongLosses{ours, r.Losses}
	}
	return nil
}

func sameLosses(theirs, ours []float64) bool {
	if len(theirs) != len(ours) {
		return false
	}
	for i, want := range ours {
		// Negated, so that a NaN on either side is a difference.
		if !(math.Abs(theirs[i]-want) <= lossTolerance*math.Abs(want)) {
			return false
		}
	}
	return true
}

// PeersIn are the peers whose scripts and modules lie in a folder. An interpreter or
// module that is not there shows when a peer is started. Python's allocator keeps freed
// memory, as ours does.
func PeersIn(folder, python, dglPython string) []PeerSpec {
	script := func(name, interpreter string) PeerSpec {
		return PeerSpec{Name: name, Peer: harness.Peer{Command: []string{interpreter, filepath.Join(folder, name+".py")}, Env: []string{harness.HugePages}}}
	}
	module := func(name string) PeerSpec { return PeerSpec{Name: name, Module: filepath.Join(folder, name)} }
	return []PeerSpec{script("torch", python), script("pyg", python), script("dgl", dglPython), module("gomlx"), module("gorgonia")}
}
