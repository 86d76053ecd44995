// Stream capture and graphs.

package mock

import (
	"maps"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// capture is a stream's work while it is recorded instead of run, together with
// that of the streams that joined it.
type capture struct {
	origin  *stream
	mode    driver.CaptureMode
	thread  uint64
	streams []*stream
	ops     []*op // in an order that keeps every dependency
	invalid bool
}

type graph struct {
	ops     []*op
	pending int // launches that have not run
}

func merge(a, b map[*stream]int) map[*stream]int {
	out := maps.Clone(a)
	if out == nil {
		out = make(map[*stream]int)
	}
	for s, n := range b {
		out[s] = max(out[s], n)
	}
	return out
}

// unsafeInCapture refuses a call that would wait for the device or change
// memory while a stream captures. Unless it waits, a relaxed capture allows it.
func (c *context) unsafeInCapture(call string, waits bool) driver.Result {
	for _, q := range c.streams {
		if q.capture == nil || q.capture.mode == driver.CaptureRelaxed && !waits {
			continue
		}
		if q.capture.mode == driver.CaptureThreadLocal && q.capture.thread != goroutine() {
			continue
		}
		c.d.fault("%s: not allowed while a stream captures", call)
		q.capture.invalid = true
		return driver.CaptureUnsupported
	}
	return 0
}

// refused returns why a stream takes no work: its capture has failed.
func (c *context) refused(call string, q *stream) driver.Result {
	if q.capture != nil && q.capture.invalid {
		return driver.CaptureInvalidated
	}
	if q == c.legacy {
		for _, other := range c.streams {
			if other.capture != nil && other.flags&driver.StreamNonBlocking == 0 {
				c.d.fault("%s: work in the legacy stream while a stream that blocks captures", call)
				other.capture.invalid = true
				return driver.CaptureUnsupported
			}
		}
	}
	return 0
}

// joinCapture makes a stream's next work depend on a mark where one of them is
// part of a capture.
func (c *context) joinCapture(q *stream, m *mark) driver.Result {
	switch {
	case m.capture == nil:
		c.d.fault("cuStreamWaitEvent: a capture waits for an event from outside")
		q.capture.invalid = true
		return driver.CaptureIsolation
	case m.capture.origin == nil:
		c.d.fault("cuStreamWaitEvent: the event's capture has ended")
		return driver.CapturedEvent
	case q.capture == nil:
		q.capture, q.seq, q.known = m.capture, 0, nil
		m.capture.streams = append(m.capture.streams, q)
	case q.capture != m.capture:
		c.d.fault("cuStreamWaitEvent: two captures cannot be merged")
		q.capture.invalid, m.capture.invalid = true, true
		return driver.CaptureInvalidated
	}
	q.known = merge(q.known, m.known)
	return 0
}

func (d *Driver) StreamBeginCapture(s driver.Stream, m driver.CaptureMode) error {
	const call = "cuStreamBeginCapture"
	return d.do(call, func(c *context) driver.Result {
		q, r := c.stream(call, s)
		switch {
		case r != 0:
			return r
		case q == c.legacy:
			d.fault("%s: the legacy stream cannot be captured", call)
			return driver.CaptureUnsupported
		case q.capture != nil:
			d.fault("%s(%#x): the stream is capturing already", call, s)
			return driver.IllegalState
		}
		q.capture = &capture{origin: q, mode: m, thread: goroutine(), streams: []*stream{q}}
		q.seq, q.known = 0, nil
		return 0
	}, s, m)
}

func (d *Driver) StreamEndCapture(s driver.Stream) (g driver.Graph, err error) {
	const call = "cuStreamEndCapture"
	err = d.destroy(call, func(c *context) driver.Result {
		q, r := c.stream(call, s)
		if r != 0 {
			return r
		}
		k := q.capture
		switch {
		case k == nil:
			d.fault("%s(%#x): the stream is not capturing", call, s)
			return driver.IllegalState
		case k.origin != q:
			d.fault("%s(%#x): the capture began in another stream", call, s)
			k.invalid = true
			return driver.CaptureUnmatched
		case k.mode != driver.CaptureRelaxed && k.thread != goroutine():
			d.fault("%s(%#x): the capture began on another thread", call, s)
			return driver.CaptureWrongThread
		}
		unjoined := false
		for _, other := range k.streams {
			unjoined = unjoined || other != q && q.known[other] < other.seq
			other.capture = nil
		}
		k.origin = nil
		switch {
		case k.invalid:
			return driver.CaptureInvalidated
		case unjoined:
			d.fault("%s(%#x): a stream that joined the capture was not joined again", call, s)
			return driver.CaptureUnjoined
		}
		g = driver.Graph(d.handle())
		c.graphs[g] = &graph{ops: k.ops}
		return 0
	}, s)
	return g, err
}

func (d *Driver) StreamIsCapturing(s driver.Stream) (capturing bool, err error) {
	err = d.do("cuStreamIsCapturing", func(c *context) driver.Result {
		q, r := c.stream("cuStreamIsCapturing", s)
		capturing = r == 0 && q.capture != nil
		return r
	}, s)
	return capturing, err
}

func (d *Driver) GraphInstantiate(g driver.Graph) (x driver.GraphExec, err error) {
	err = d.do("cuGraphInstantiateWithFlags", func(c *context) driver.Result {
		k := c.graphs[g]
		if k == nil {
			d.fault("cuGraphInstantiateWithFlags: %#x is no graph", g)
			return driver.InvalidValue
		}
		x = driver.GraphExec(d.handle())
		c.execs[x] = &graph{ops: k.ops}
		return 0
	}, g)
	return x, err
}

func (d *Driver) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	return d.work("cuGraphLaunch", s, func(c *context, q *stream) (*op, driver.Result) {
		k := c.execs[x]
		if k == nil {
			d.fault("cuGraphLaunch: %#x is no executable graph", x)
			return nil, driver.InvalidValue
		}
		k.pending++
		return &op{run: func() driver.Result {
			k.pending--
			for _, o := range k.ops {
				if o.run == nil {
					continue
				}
				c.clock++
				if r := o.run(); r != 0 {
					return r
				}
			}
			return 0
		}}, 0
	}, x)
}

func (d *Driver) GraphDestroy(g driver.Graph) error {
	return d.destroy("cuGraphDestroy", func(c *context) driver.Result {
		if c.graphs[g] == nil {
			d.fault("cuGraphDestroy: %#x is no graph", g)
			return driver.InvalidValue
		}
		delete(c.graphs, g)
		return 0
	}, g)
}

func (d *Driver) GraphExecDestroy(x driver.GraphExec) error {
	return d.destroy("cuGraphExecDestroy", func(c *context) driver.Result {
		if c.execs[x] == nil {
			d.fault("cuGraphExecDestroy: %#x is no executable graph", x)
			return driver.InvalidValue
		}
		if n := c.execs[x].pending; n > 0 && c.sticky == 0 {
			d.fault("cuGraphExecDestroy(%#x): %d launches have not run", x, n)
		}
		delete(c.execs, x)
		return 0
	}, x)
}
