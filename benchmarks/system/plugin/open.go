package plugin

// Libraries as systems.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// Options say how a library is run.
type Options struct {
	// InProcess runs it in this process, without protection: a crash is the program's.
	// The other options do not count then.
	InProcess bool
	// Timeout is how long a call may take, 0 for ten seconds.
	Timeout time.Duration
	// Restarts is how often its process is started anew after it died, 0 for eight
	// times, negative for never.
	Restarts int
}

func (o Options) withDefaults() Options {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Restarts == 0 {
		o.Restarts = 8
	}
	return o
}

// Stats is what the library took.
type Stats struct {
	Calls  int           // that returned, of the five and not of graphs'
	Time   time.Duration // in them, measured beside the library
	Starts int           // of its process, 0 in this one
}

// System is a library as a system. Its calls may come from several goroutines; they run
// one at a time.
type System struct {
	mu     sync.Mutex
	path   string
	name   string
	stats  Stats
	closed bool
	run    runner // nil: opening failed
}

// A runner has a library somewhere.
type runner interface {
	name() string
	create(g *Graph) error
	call(g *Graph, c system.Call) error
	memory(g *Graph) system.Memory
	destroy(g *Graph) error
	close() error
}

// served tells whether Serve was called.
var served atomic.Bool

// Open loads a library. It fails with an [*Error] of kind NotALibrary, MissingSymbol or
// BadVersion, or of what the library does when it is loaded. It panics with a
// [*ServeError] if Serve was not called.
func Open(path string, o Options) (*System, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	if !o.InProcess && !served.Load() {
		panic(&ServeError{})
	}
	s := &System{path: full}
	if o.InProcess {
		s.run, err = openDirect(full, &s.stats)
	} else {
		s.run, err = openIsolated(full, o.withDefaults(), &s.stats)
	}
	if err != nil {
		return nil, err
	}
	s.name = s.run.name()
	return s, nil
}

// Name is what the library says, or the name of its file.
func (s *System) Name() string {
	if s.name == "" {
		return filepath.Base(s.path)
	}
	return s.name
}

// Path is where the library is.
func (s *System) Path() string { return s.path }

// Device is the CPU.
func (s *System) Device() *tensor.Device { return nil }

// Stats returns what the library took so far.
func (s *System) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// NewGraph has the library store a graph.
func (s *System) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if len(src) != len(dst) {
		return nil, fmt.Errorf("plugin: NewGraph: %d sources, %d destinations", len(src), len(dst))
	}
	g := &Graph{system: s, vertices: vertices, src: src, dst: dst}
	if err := s.run.create(g); err != nil {
		return nil, err
	}
	if !g.kept {
		g.src, g.dst = nil, nil
	}
	return g, nil
}

var errClosed = errors.New("plugin: closed")

// Close ends the library's process. Graphs are gone with it.
func (s *System) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.run.close()
}

// Graph is a graph in a library.
type Graph struct {
	system   *System
	vertices int
	src, dst []int32       // what it is created from, again if its process dies
	kept     bool          // src and dst are this graph's own
	handle   uint64        // of the runner
	start    int           // of which process
	said     system.Memory // in the last reply
	closed   bool
}

// keep copies the caller's slices, for later.
func (g *Graph) keep() {
	if !g.kept {
		g.src, g.dst, g.kept = slices.Clone(g.src), slices.Clone(g.dst), true
	}
}

// SpMMv makes the call.
func (g *Graph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMv, X: x, Out: out, Flags: f})
}

// SpMMve makes the call.
func (g *Graph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMve, X: x, W: w, Out: out, Flags: f})
}

// SpMMe makes the call.
func (g *Graph) SpMMe(w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SpMMe, W: w, Out: out, Flags: f})
}

// SDDMMvv makes the call.
func (g *Graph) SDDMMvv(x, y, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SDDMMvv, X: x, Y: y, Out: out, Flags: f})
}

// SDDMMve makes the call.
func (g *Graph) SDDMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	return g.make(system.Call{Kind: system.SDDMMve, X: x, W: w, Out: out, Flags: f})
}

func (g *Graph) make(c system.Call) error {
	s := g.system
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.closed || s.closed {
		return errClosed
	}
	return s.run.call(g, c)
}

// Memory is what the library says, or said before it died; nothing if it does not say.
func (g *Graph) Memory() system.Memory {
	s := g.system
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.closed || s.closed {
		return system.Memory{}
	}
	return s.run.memory(g)
}

// Close has the library free the graph.
func (g *Graph) Close() error {
	s := g.system
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.closed || s.closed {
		return nil
	}
	g.closed = true
	return s.run.destroy(g)
}

// label is how a call is named in errors.
func label(c system.Call) string { return fmt.Sprintf("%v(%v)", c.Kind, c.Flags) }

// Calls of the API that are not of system.Kind.
const (
	openCall    = "open"
	createCall  = "create graph"
	destroyCall = "destroy graph"
)
