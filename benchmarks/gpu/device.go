// The GPU, or an emulated one.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/tensor"
)

// A card is a GPU with its libraries, from which devices are opened: each has memory
// and kernels of its own.
type card struct {
	system   *driver.System
	emulated bool
	folder   string // of compiled kernels: those of the emulator are no use to others
	end      func() error
}

// openCard finds the libraries of "cuda", or starts an "emulated" machine.
func openCard(kind string) (*card, error) {
	if kind == "cuda" {
		s, err := driver.Load()
		return &card{system: s, end: func() error { return nil }}, err
	}
	folder, err := os.MkdirTemp("", "emulated-kernels-")
	if err != nil {
		return nil, err
	}
	m, err := device.New(context.Background(), device.Options{})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return &card{m.System(), true, folder, func() error { return errors.Join(m.Close(), os.RemoveAll(folder)) }}, nil
}

// A gpu is an open device.
type gpu struct {
	*tensor.Device
	backend *cudagen.Backend
}

// open opens a device. cuBLAS has its memory then, which is no case's.
func (c *card) open() (*gpu, error) {
	b, err := cudagen.Open(c.system, 0, driver.DeviceOptions{Pools: true}, c.folder)
	if err != nil {
		return nil, err
	}
	g := &gpu{tensor.NewDevice("cuda", 0, b), b}
	failure := autograd.Try(func() {
		x := tensor.Ones(tensor.Float32, 2, 2).ToDevice(g.Device)
		tensor.MatMul(x, x).Free()
		x.Free()
	})
	if err := errors.Join(failure, g.Synchronize()); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// time is how long f took on the device. What the device panics with comes back as an
// error.
func (g *gpu) time(f func() error) (time.Duration, error) {
	var failed, panicked error
	d, err := g.backend.Time(func() {
		panicked = autograd.Try(func() { failed = f() })
	})
	return d, errors.Join(failed, panicked, err)
}

// copyBandwidth is the bytes a second, read and written, of copies of n bytes within
// the device's memory: the median of some.
func (g *gpu) copyBandwidth(n, times int) (float64, error) {
	var seconds []float64
	err := g.backend.Wait("copy", func(c *driver.Ctx) error {
		from, err := c.Alloc(n, "copied")
		if err != nil {
			return err
		}
		defer c.Free(from)
		to, err := c.Alloc(n, "copy")
		if err != nil {
			return err
		}
		defer c.Free(to)
		if err := c.Fill(from, 0, n, 1); err != nil {
			return err
		}
		for i := range times + 1 {
			d, err := c.Time(func() error { return c.Copy(to, 0, from, 0, n) })
			if err != nil {
				return err
			}
			if i > 0 { // the first touches the memory
				seconds = append(seconds, d.Seconds())
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("copy bandwidth: %w", err)
	}
	return 2 * float64(n) / spreadOf(seconds).Median, nil
}
