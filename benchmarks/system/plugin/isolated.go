//go:build linux && !android && (amd64 || arm64)

package plugin

// A library in another process.

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// isolated runs a library in a worker, which it starts anew when it has died.
type isolated struct {
	path    string
	title   string
	options Options
	slots   [numSlots]*slot
	stats   *Stats
	worker  *process // nil: none runs
	last    *Error   // why the last one died
	fronts  uint     // bit k: the next call of kind k has its operands at the front
}

func openIsolated(path string, o Options, stats *Stats) (runner, error) {
	s := &isolated{path: path, options: o, stats: stats}
	for i, name := range []string{slotX: "x", slotY: "y", slotW: "w", slotOut: "out"} {
		var err error
		if s.slots[i], err = newSlot(name); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	if err := s.ready(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *isolated) name() string { return s.title }

// ready starts a worker with the library, unless one runs.
func (s *isolated) ready() error {
	if s.worker != nil {
		return nil
	}
	if s.last != nil && s.stats.Starts > s.options.Restarts {
		return &Error{Library: s.path, Call: openCall, Kind: GivenUp, Detail: fmt.Sprintf("its process died %d times", s.stats.Starts), Cause: s.last}
	}
	s.stats.Starts++
	var err error
	if s.worker, err = start(s.slots); err != nil {
		return err
	}
	a, err := s.ask(openCall, request{Order: orderOpen, Path: s.path}, nil)
	if err != nil {
		s.stop()
		return err
	}
	s.title = a.Name
	return nil
}

// stop ends the worker.
func (s *isolated) stop() {
	if s.worker != nil {
		s.worker.end()
		s.worker = nil
	}
}

func (s *isolated) close() error {
	s.stop()
	var err error
	for _, slot := range s.slots {
		if slot != nil {
			err = errors.Join(err, slot.close())
		}
	}
	return err
}

func (s *isolated) create(g *Graph) error {
	g.keep()
	if err := s.ready(); err != nil {
		return err
	}
	return s.createHere(g)
}

// createHere creates a graph in the worker that runs.
func (s *isolated) createHere(g *Graph) error {
	operands := []operand{
		{name: "src", slot: slotX, data: bytesOf(g.src)},
		{name: "dst", slot: slotY, data: bytesOf(g.dst)},
	}
	r := request{Order: orderCreate, Vertices: g.vertices, Edges: len(g.src)}
	a, err := s.lend(createCall, &r, operands, true)
	if err != nil {
		return err
	}
	g.handle, g.start, g.said = a.Graph, s.stats.Starts, a.Memory
	return nil
}

func (s *isolated) call(g *Graph, c system.Call) error {
	if err := s.ready(); err != nil {
		return err
	}
	if g.start != s.stats.Starts { // its process has died
		if err := s.createHere(g); err != nil {
			return err
		}
	}
	var operands []operand
	r := request{Order: orderCall, Graph: g.handle, Kind: c.Kind, Flags: c.Flags}
	for i, t := range [numSlots]*tensor.Tensor{slotX: c.X, slotY: c.Y, slotW: c.W, slotOut: c.Out} {
		if t != nil {
			name := [numSlots]string{"x", "y", "w", "out"}[i]
			operands = append(operands, operand{name: name, slot: i, data: bytesOf(tensor.Data[float32](t)), writable: i == slotOut})
			r.Operands = append(r.Operands, placed{Shape: shapeOf(t)})
		}
	}
	front := s.fronts&(1<<c.Kind) != 0
	s.fronts ^= 1 << c.Kind
	a, err := s.lend(label(c), &r, operands, !front)
	if err != nil {
		return err
	}
	out := operands[len(operands)-1]
	copy(out.data, s.slots[slotOut].mem[out.at:])
	s.stats.Calls++
	s.stats.Time += a.Time
	g.said = a.Memory
	return nil
}

func (s *isolated) memory(g *Graph) system.Memory { return g.said }

func (s *isolated) destroy(g *Graph) error {
	if s.worker == nil || g.start != s.stats.Starts {
		return nil // it went with its process
	}
	_, err := s.ask(destroyCall, request{Order: orderDestroy, Graph: g.handle}, nil)
	return err
}

// lend copies operands to shared memory, places them in the request, and asks.
func (s *isolated) lend(call string, r *request, operands []operand, back bool) (*reply, error) {
	shapes := r.Operands
	r.Operands = nil
	for i := range operands {
		o := &operands[i]
		slot := s.slots[o.slot]
		if err := s.fit(call, o.slot, len(o.data)); err != nil {
			return nil, err
		}
		o.placement = place(len(o.data), len(slot.mem), os.Getpagesize(), back)
		o.fill(slot.mem)
		copy(slot.mem[o.at:], o.data)
		p := placed{Slot: o.slot, Lo: o.lo, Hi: o.hi, At: o.at, Writable: o.writable}
		if i < len(shapes) {
			p.Shape = shapes[i].Shape
		}
		r.Operands = append(r.Operands, p)
	}
	a, err := s.ask(call, *r, operands)
	if s.worker == nil {
		return nil, err // how it died tells more
	}
	for _, o := range operands {
		before, after := o.damage(s.slots[o.slot].mem)
		switch {
		case after >= 0:
			return nil, s.error(call, OutOfBounds, "wrote "+pastEnd(uint64(after), o.name))
		case before >= 0:
			return nil, s.error(call, OutOfBounds, fmt.Sprintf("wrote %d bytes before %s", before, o.name))
		}
	}
	return a, err
}

// fit makes a slot large enough, here and in the worker.
func (s *isolated) fit(call string, i, size int) error {
	if err := s.slots[i].grow(size); err != nil {
		return err
	}
	capacity := len(s.slots[i].mem)
	if s.worker.size[i] == capacity {
		return nil
	}
	a, err := s.ask(call, request{Order: orderMap, Slot: i, Size: capacity}, nil)
	if err != nil {
		return err
	}
	s.worker.base[i], s.worker.size[i] = a.Base, capacity
	return nil
}

// ask sends a request to the worker. If that dies of it, there is none afterwards.
func (s *isolated) ask(call string, r request, operands []operand) (*reply, error) {
	a, err := s.worker.ask(r, s.options.Timeout)
	switch {
	case err != nil:
		return nil, s.died(call, err, operands)
	case a.Broken != "":
		s.stop()
		return nil, fmt.Errorf("plugin: %s: %s: %s", s.path, call, a.Broken)
	case a.Err != nil:
		return nil, a.Err
	}
	return a, nil
}

func (s *isolated) error(call string, kind Kind, detail string) *Error {
	return &Error{Library: s.path, Call: call, Kind: kind, Detail: detail}
}

// died finds out how the worker ended.
func (s *isolated) died(call string, reason error, operands []operand) error {
	p := s.worker
	s.worker = nil
	if errors.Is(reason, os.ErrDeadlineExceeded) && !p.hasEnded() {
		p.end()
		s.last = s.error(call, TimedOut, fmt.Sprintf("none in %v", s.options.Timeout))
		return s.last
	}
	state, killed := p.await(reason)
	c := readCrash(p.printed.String())
	status, _ := state.Sys().(syscall.WaitStatus)
	e := s.error(call, Exited, state.String())
	switch {
	case killed:
		e.Kind, e.Detail = Crashed, fmt.Sprintf("its process cannot be talked with: %v", reason)
	case c.signal != "":
		e.Kind, e.Detail = Crashed, c.String()
		if kind, detail, ok := locate(c.address, operands, p.base, p.size, guard); c.touched && ok {
			e.Kind, e.Detail = kind, detail
		}
	case status.Signaled():
		e.Kind = Crashed
	}
	if c.said != "" {
		e.Detail += fmt.Sprintf("; it printed %q", c.said)
	}
	s.last = e
	return e
}
