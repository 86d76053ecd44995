// What other work on the device shares with this package: its queue, compiler and
// memory.

package dense

import (
	"errors"
	"time"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// Hand gives the device a function, which runs after all that came before, or
// becomes part of the capture that goes on. The error is that of one before.
func (b *Backend) Hand(f func(c *driver.Ctx) error) error { return b.do(f) }

// Wait runs a function after all that came before and returns its error or an earlier
// one. Within a capture, where nothing can be waited for, it is an error.
func (b *Backend) Wait(op string, f func(c *driver.Ctx) error) error { return b.wait(op, f) }

// Time returns how long the device took, by its own clock, for what f hands over. It
// waits for the device, before f too, so that nothing earlier is counted; if the device
// waits for f to hand something over, that is. Within a capture it is an error.
func (b *Backend) Time(f func()) (d time.Duration, err error) {
	const op = "Time"
	var start, end driver.Event
	err = b.wait(op, func(c *driver.Ctx) (err error) {
		if start, err = c.NewEvent(true); err != nil {
			return err
		}
		if err := c.Driver().CtxSynchronize(); err != nil {
			return err
		}
		return c.Driver().EventRecord(start, c.Stream())
	})
	defer func() {
		err = errors.Join(err, b.wait(op, func(c *driver.Ctx) (err error) {
			for _, e := range []driver.Event{start, end} {
				if e != 0 {
					err = errors.Join(err, c.Destroy(e))
				}
			}
			return err
		}))
	}()
	if err != nil {
		return 0, err
	}
	f()
	err = b.wait(op, func(c *driver.Ctx) (err error) {
		if end, err = c.NewEvent(true); err != nil {
			return err
		}
		if err := c.Driver().EventRecord(end, c.Stream()); err != nil {
			return err
		}
		if err := c.Driver().EventSynchronize(end); err != nil {
			return err
		}
		ms, err := c.Driver().EventElapsedTime(start, end)
		d = time.Duration(float64(ms) * float64(time.Millisecond))
		return err
	})
	return d, err
}

// Compile translates a text for the device.
func (b *Backend) Compile(name, text string) ([]byte, error) {
	return b.compile(driver.Source{Name: name, Text: text, Options: []string{"--std=c++17"}, SM: b.device.Info().SM})
}

// BufferOf returns the memory of a tensor of the device, on the device's goroutine.
func BufferOf(s tensor.Storage) (*driver.Buffer, error) { return s.(*memory).get() }

var seedKernel = work{
	key: "seed",
	text: func() string {
		return "AST_KERNEL(k)(u64 *dst, u64 seed, const u64 *tick) {\n  if (thread_index() == 0) *dst = r_seed(seed, tick);\n}\n"
	},
	blocks: 1,
}

// WriteSeed writes the seed of random numbers to 8 bytes, on the device's goroutine:
// within a capture one that differs at every replay.
func (b *Backend) WriteSeed(c *driver.Ctx, dst *driver.Buffer, seed uint64) error {
	w := seedKernel
	w.args = []argument{dst, seed, tick{}}
	return b.run(c, w)
}
