// Package densetest gives tests a CUDA device without a GPU: kernels of package dense run
// on the host, on the grid of package emu. With the flag -cuda, which it gives to the test
// binaries that import it, the shared device is the machine's first GPU instead.
package densetest

import (
	"context"
	"errors"
	"flag"
	"os"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/tensor"
)

var onGPU = flag.Bool("cuda", false, "run on the first GPU instead of the emulator")

var shared struct {
	once sync.Once
	d    *tensor.Device
	err  error
}

// Device returns the device that all tests of a process use: with -cuda the GPU, with
// checks around every buffer. It skips the test where there is no C++ compiler, unless
// ASTERIAS_REQUIRE_TOOLS=1.
func Device(t testing.TB) *tensor.Device {
	t.Helper()
	shared.once.Do(func() {
		if *onGPU {
			shared.d, shared.err = openGPU()
		} else {
			shared.d, _, shared.err = open(device.Options{}, driver.DeviceOptions{})
		}
	})
	skip(t, shared.err)
	return shared.d
}

// Open returns a device and its machine of a test's own, emulated always. Both are closed at the test's end.
func Open(t testing.TB, o device.Options, d driver.DeviceOptions) (*tensor.Device, *device.Machine) {
	t.Helper()
	dev, m, err := open(o, d)
	skip(t, err)
	t.Cleanup(func() {
		dev.Close()
		m.Close()
	})
	return dev, m
}

// Captured captures a step, which has been run once, and returns what replays it.
func Captured(t testing.TB, d *tensor.Device, step func()) (replay func()) {
	t.Helper()
	g, err := dense.Capture(d, step)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return func() {
		t.Helper()
		if err := g.Replay(); err != nil {
			t.Fatal(err)
		}
	}
}

func skip(t testing.TB, err error) {
	t.Helper()
	var none *emu.NoCompilerError
	switch {
	case err == nil:
	case errors.As(err, &none) && os.Getenv("ASTERIAS_REQUIRE_TOOLS") != "1":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
}

func openGPU() (*tensor.Device, error) {
	s, err := driver.Load()
	if err != nil {
		return nil, err
	}
	b, err := dense.Open(s, 0, driver.DeviceOptions{Debug: true}, "")
	if err != nil {
		return nil, err
	}
	return tensor.NewDevice("cuda", 0, b), nil
}

func open(o device.Options, d driver.DeviceOptions) (*tensor.Device, *device.Machine, error) {
	m, err := device.New(context.Background(), o)
	if err != nil {
		return nil, nil, err
	}
	gpu, err := m.System().Open(0, d)
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	compile := func(s driver.Source) ([]byte, error) {
		code, _, err := m.System().Compiler.Compile(s)
		return code, err
	}
	return tensor.NewDevice("cuda", 0, dense.New(gpu, compile)), m, nil
}
