// What other work on the device shares with this package: its queue, compiler and
// memory.

package dense

import (
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// Hand gives the device a function, which runs after all that came before, or
// becomes part of the capture that goes on. The error is that of one before.
func (b *Backend) Hand(f func(c *driver.Ctx) error) error { return b.do(f) }

// Wait runs a function after all that came before and returns its error or an earlier
// one. Within a capture, where nothing can be waited for, it is an error.
func (b *Backend) Wait(op string, f func(c *driver.Ctx) error) error { return b.wait(op, f) }

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
