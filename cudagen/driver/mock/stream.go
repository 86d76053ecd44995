// Streams as queues, events as marks in them.

package mock

import "github.com/asterias-ml/asterias/cudagen/driver"

// op is a piece of queued work.
type op struct {
	name string
	run  func() driver.Result // nil: nothing to do
	wait *mark                // not before this is reached
	set  *mark                // reached with this op
}

// mark is one recording of an event.
type mark struct {
	stream  *stream
	done    bool
	time    int64
	capture *capture        // recorded in one
	known   map[*stream]int // how much of each capturing stream comes before it
}

type stream struct {
	flags driver.StreamFlags
	queue []*op

	capture *capture
	seq     int             // ops captured
	known   map[*stream]int // how much of other capturing streams comes before the next op
}

type event struct {
	flags driver.EventFlags
	mark  *mark // nil: never recorded
}

// stream looks a handle up.
func (c *context) stream(call string, s driver.Stream) (*stream, driver.Result) {
	if s == 0 {
		return c.legacy, 0
	}
	if q := c.streams[s]; q != nil {
		return q, 0
	}
	c.d.fault("%s: %#x is no stream of this context", call, s)
	return nil, driver.InvalidHandle
}

// work runs a call that queues an op, which make returns; nil for none.
func (d *Driver) work(call string, s driver.Stream, make func(c *context, q *stream) (*op, driver.Result), args ...any) error {
	return d.do(call, func(c *context) driver.Result {
		q, r := c.stream(call, s)
		if r != 0 {
			return r
		}
		if r := c.refused(call, q); r != 0 {
			return r
		}
		o, r := make(c, q)
		if r != 0 || o == nil {
			return r
		}
		o.name = call
		c.enqueue(q, o)
		return 0
	}, append(args, s)...)
}

// enqueue appends work to a stream, or to what it captures. The legacy stream
// waits for the streams that block, and nothing overtakes it.
func (c *context) enqueue(q *stream, o *op) {
	switch {
	case q.capture != nil:
		q.seq++
		q.capture.ops = append(q.capture.ops, o)
	case q == c.legacy:
		c.runBlocking()
		q.queue = append(q.queue, o)
		c.run(q)
	default:
		q.queue = append(q.queue, o)
	}
}

// step runs a stream's next op, and first what it waits for.
func (c *context) step(q *stream) {
	o := q.queue[0]
	if o.wait != nil {
		for !o.wait.done {
			c.step(o.wait.stream)
		}
	}
	q.queue = q.queue[1:]
	c.clock++
	if o.run != nil && c.sticky == 0 {
		c.sticky = o.run()
	}
	if o.set != nil {
		o.set.done, o.set.time = true, c.clock
	}
}

// run empties a stream.
func (c *context) run(q *stream) {
	for len(q.queue) > 0 {
		c.step(q)
	}
}

func (c *context) runAll() {
	for _, q := range c.streams {
		c.run(q)
	}
}

func (c *context) runBlocking() {
	for _, q := range c.streams {
		if q.flags&driver.StreamNonBlocking == 0 {
			c.run(q)
		}
	}
}

func (d *Driver) StreamCreate(f driver.StreamFlags) (s driver.Stream, err error) {
	err = d.do("cuStreamCreate", func(c *context) driver.Result {
		s = driver.Stream(d.handle())
		c.streams[s] = &stream{flags: f}
		return 0
	}, f)
	return s, err
}

func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.destroy("cuStreamDestroy", func(c *context) driver.Result {
		q, r := c.stream("cuStreamDestroy", s)
		if r != 0 {
			return r
		}
		if q.capture != nil {
			d.fault("cuStreamDestroy(%#x): the stream is capturing", s)
			q.capture.invalid = true
		}
		c.run(q)
		delete(c.streams, s)
		return 0
	}, s)
}

func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.do("cuStreamSynchronize", func(c *context) driver.Result {
		q, r := c.waitable("cuStreamSynchronize", s)
		if r == 0 {
			c.run(q)
		}
		return r
	}, s)
}

func (d *Driver) StreamQuery(s driver.Stream) (done bool, err error) {
	err = d.do("cuStreamQuery", func(c *context) driver.Result {
		q, r := c.waitable("cuStreamQuery", s)
		done = r == 0 && len(q.queue) == 0
		return r
	}, s)
	return done, err
}

// waitable returns a stream that may be waited for: one that does not capture.
func (c *context) waitable(call string, s driver.Stream) (*stream, driver.Result) {
	q, r := c.stream(call, s)
	if r == 0 && q.capture != nil {
		c.d.fault("%s(%#x): the stream is capturing", call, s)
		q.capture.invalid = true
		return nil, driver.CaptureUnsupported
	}
	return q, r
}

func (d *Driver) EventCreate(f driver.EventFlags) (e driver.Event, err error) {
	err = d.do("cuEventCreate", func(c *context) driver.Result {
		e = driver.Event(d.handle())
		c.events[e] = &event{flags: f}
		return 0
	}, f)
	return e, err
}

func (d *Driver) EventDestroy(e driver.Event) error {
	return d.destroy("cuEventDestroy", func(c *context) driver.Result {
		if _, r := c.event("cuEventDestroy", e, false); r != 0 {
			return r
		}
		delete(c.events, e)
		return 0
	}, e)
}

// event looks a handle up; recorded asks for one that was recorded.
func (c *context) event(call string, e driver.Event, recorded bool) (*event, driver.Result) {
	v := c.events[e]
	switch {
	case v == nil:
		c.d.fault("%s: %#x is no event of this context", call, e)
		return nil, driver.InvalidHandle
	case recorded && v.mark == nil:
		c.d.fault("%s: event %#x was never recorded", call, e)
		return nil, driver.InvalidHandle
	}
	return v, 0
}

func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.work("cuEventRecord", s, func(c *context, q *stream) (*op, driver.Result) {
		v, r := c.event("cuEventRecord", e, false)
		if r != 0 {
			return nil, r
		}
		v.mark = &mark{stream: q, capture: q.capture}
		if q.capture != nil {
			v.mark.known = merge(q.known, map[*stream]int{q: q.seq})
			return nil, 0
		}
		return &op{set: v.mark}, 0
	}, e)
}

func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.work("cuStreamWaitEvent", s, func(c *context, q *stream) (*op, driver.Result) {
		v, r := c.event("cuStreamWaitEvent", e, true)
		if r != 0 {
			return nil, r
		}
		if q.capture != nil || v.mark.capture != nil {
			return nil, c.joinCapture(q, v.mark)
		}
		return &op{wait: v.mark}, 0
	}, e)
}

// outside returns an event that was recorded outside captures.
func (c *context) outside(call string, e driver.Event) (*event, driver.Result) {
	v, r := c.event(call, e, true)
	if r == 0 && v.mark.capture != nil {
		c.d.fault("%s: event %#x was recorded in a capture", call, e)
		return nil, driver.CapturedEvent
	}
	return v, r
}

func (d *Driver) EventQuery(e driver.Event) (done bool, err error) {
	err = d.do("cuEventQuery", func(c *context) driver.Result {
		v, r := c.outside("cuEventQuery", e)
		done = r == 0 && v.mark.done
		return r
	}, e)
	return done, err
}

func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.do("cuEventSynchronize", func(c *context) driver.Result {
		v, r := c.outside("cuEventSynchronize", e)
		if r != 0 {
			return r
		}
		for !v.mark.done {
			c.step(v.mark.stream)
		}
		return 0
	}, e)
}

func (d *Driver) EventElapsedTime(start, end driver.Event) (ms float32, err error) {
	const call = "cuEventElapsedTime"
	err = d.do(call, func(c *context) driver.Result {
		a, r := c.outside(call, start)
		if r != 0 {
			return r
		}
		b, r := c.outside(call, end)
		if r != 0 {
			return r
		}
		if (a.flags|b.flags)&driver.EventDisableTiming != 0 {
			d.fault("%s: an event without timing", call)
			return driver.InvalidHandle
		}
		if !a.mark.done || !b.mark.done {
			return driver.NotReady
		}
		ms = float32(b.mark.time-a.mark.time) / 1000
		return 0
	}, start, end)
	return ms, err
}
