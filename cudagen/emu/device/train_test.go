package device_test

// Whole training steps, failures injected into them, and what must not be done.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
)

// A linear model y = X·w by gradient descent: residuals, gradient, update.
const trainText = `
extern "C" __global__ void residual(const float *__restrict__ y, const float *__restrict__ want, float *__restrict__ r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) r[i] = y[i] - want[i];
}

// The mean of squares, by one block.
extern "C" __global__ void loss(const float *__restrict__ r, float *__restrict__ out, int n) {
    __shared__ float part[64];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 64) sum += r[i] * r[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = part[0] / n;
}

extern "C" __global__ void update(float *__restrict__ w, const float *__restrict__ g, float rate, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] -= rate * g[i];
}
`

const samples, features = 96, 5

// trainer is the model on a device.
type trainer struct {
	residual, loss, update driver.Function
	x, want, w             *driver.Buffer
}

func newTrainer(m *device.Machine, c *driver.Ctx) (t trainer, err error) {
	code, _, err := m.System().Compiler.Compile(driver.Source{Name: "train.cu", Text: trainText, SM: c.Info().SM})
	if err != nil {
		return t, err
	}
	mod, err := c.Load(code)
	if err != nil {
		return t, err
	}
	for name, f := range map[string]*driver.Function{"residual": &t.residual, "loss": &t.loss, "update": &t.update} {
		if *f, err = c.Function(mod, name); err != nil {
			return t, err
		}
	}
	x, want := make([]float32, samples*features), make([]float32, samples)
	for i := range x {
		x[i] = float32(math.Sin(float64(i * i)))
		want[i/features] += x[i] * float32(i%features-2)
	}
	if t.x, err = upload(c, "x", x); err != nil {
		return t, err
	}
	if t.want, err = upload(c, "want", want); err != nil {
		return t, err
	}
	t.w, err = upload(c, "w", make([]float32, features))
	return t, err
}

// step trains once; the loss goes to a buffer.
func (t trainer) step(c *driver.Ctx, out *driver.Buffer) error {
	blas, err := c.BLAS(0)
	if err != nil {
		return err
	}
	y, err := c.Alloc(4*samples, "y")
	if err != nil {
		return err
	}
	defer c.Free(y)
	g, err := c.Alloc(4*features, "gradient")
	if err != nil {
		return err
	}
	defer c.Free(g)
	launch := func(f driver.Function, n, threads int, args *driver.Args) error {
		return c.Launch(f, driver.Launch{Grid: driver.Dim3{X: uint32((n + threads - 1) / threads)}, Block: driver.Dim3{X: uint32(threads)}}, args)
	}
	if err := blas.GemmRows(driver.Gemm{M: samples, N: 1, K: features, Alpha: 1, A: t.x.Ptr(), B: t.w.Ptr(), C: y.Ptr(), LDA: features, LDB: 1, LDC: 1}); err != nil {
		return err
	}
	if err := launch(t.residual, samples, 32, new(driver.Args).Buffer(y).Buffer(t.want).Buffer(y).Int32(samples)); err != nil {
		return err
	}
	if err := launch(t.loss, 1, 64, new(driver.Args).Buffer(y).Buffer(out).Int32(samples)); err != nil {
		return err
	}
	if err := blas.GemmRows(driver.Gemm{TransA: true, M: features, N: 1, K: samples, Alpha: 2.0 / samples, A: t.x.Ptr(), B: y.Ptr(), C: g.Ptr(), LDA: features, LDB: 1, LDC: 1}); err != nil {
		return err
	}
	return launch(t.update, features, 32, new(driver.Args).Buffer(t.w).Buffer(g).Float32(0.5).Int32(features))
}

// train runs steps, captured once if asked, and returns the last loss and the weights.
func train(m *device.Machine, d *driver.Device, steps int, captured bool) (loss float32, w []float32, err error) {
	err = d.Do(func(c *driver.Ctx) error {
		t, err := newTrainer(m, c)
		if err != nil {
			return err
		}
		out, err := upload(c, "loss", []float32{0})
		if err != nil {
			return err
		}
		step := func() error { return t.step(c, out) }
		if err := step(); err != nil {
			return err
		}
		if captured {
			k, err := c.Capture(step)
			if err != nil {
				return err
			}
			step = func() error { return c.Replay(k) }
		}
		for range steps - 1 {
			if err := step(); err != nil {
				return err
			}
		}
		losses, err := download(c, out)
		if err != nil {
			return err
		}
		loss = losses[0]
		w, err = download(c, t.w)
		for _, b := range []*driver.Buffer{t.x, t.want, t.w, out} {
			c.Free(b)
		}
		return err
	})
	return loss, w, err
}

func TestTrainingStepsRunOnTheDevice(t *testing.T) {
	var first []float32
	for _, o := range []device.Options{{}, {Order: 3}, {Schedule: 5}, {Emulator: emu.Options{Races: true}}} {
		for _, captured := range []bool{false, true} {
			m := machine(t, o)
			d := open(t, m, driver.DeviceOptions{Debug: !captured, Pools: captured})
			loss, w, err := train(m, d, 40, captured)
			if err != nil {
				t.Fatal(err)
			}
			if !(loss < 1e-5) {
				t.Errorf("%+v, captured %v: loss %v", o, captured, loss)
			}
			if first == nil {
				first = w
			}
			if !slices.Equal(w, first) {
				t.Errorf("%+v, captured %v: weights %v, want %v", o, captured, w, first)
			}
		}
	}
}

func TestFailuresAnywhereLeakNothing(t *testing.T) {
	probe := machine(t, device.Options{})
	d := open(t, probe, driver.DeviceOptions{})
	if _, _, err := train(probe, d, 2, true); err != nil {
		t.Fatal(err)
	}
	calls := len(probe.Driver().Calls())
	m := machine(t, device.Options{})
	step := 1
	if testing.Short() {
		step = 5
	}
	for at := 0; at < calls+20; at += step {
		m.Driver().FailAt(at, driver.UnknownDriverFailed)
		d, err := m.System().Open(0, driver.DeviceOptions{})
		if err == nil {
			_, _, err = train(m, d, 2, true)
			m.Driver().FailIf(nil)
			err = errors.Join(err, d.Close())
		}
		m.Driver().FailIf(nil)
		if err == nil && at < calls-20 {
			t.Errorf("call %d failed and nobody noticed", at)
		}
		if l := m.Driver().Leaks(); len(l) > 0 {
			t.Fatalf("call %d (%v): leaked: %s", at, err, strings.Join(l, "; "))
		}
	}
}

func TestMemoryEndsWithAnErrorThatListsBuffers(t *testing.T) {
	m := machine(t, device.Options{Memory: 64 << 20})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		free, total, err := c.Driver().MemGetInfo()
		if err != nil || free != 64<<20 || total != 64<<20 {
			return fmt.Errorf("%d of %d free, %v", free, total, err)
		}
		b, err := c.Alloc(50<<20, "large")
		if err != nil {
			return err
		}
		var full *driver.OutOfMemoryError
		if _, err := c.Alloc(20<<20, "more"); !errors.As(err, &full) || !strings.Contains(err.Error(), "large") {
			return fmt.Errorf("got %v", err)
		}
		c.Free(b)
		more, err := c.Alloc(40<<20, "more")
		if err != nil {
			return err
		}
		c.Free(more)
		return nil
	})
}

func TestWhatMayNotBeDoneIsRefused(t *testing.T) {
	m := machine(t, device.Options{})
	d, err := m.System().Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	compiler := m.System().Compiler
	var broken *driver.CompileError
	if _, log, err := compiler.Compile(driver.Source{Name: "a.cu", Text: `extern "C" __global__ void f() { x(); }`, SM: 90}); !errors.As(err, &broken) || !strings.Contains(log, "kernels:1:") {
		t.Errorf("%v, %s", err, log)
	}
	if _, _, err := compiler.Compile(driver.Source{Name: "a.cu", Text: "", Headers: map[string]string{"a.h": ""}, SM: 90}); !errors.As(err, &broken) {
		t.Error(err)
	}
	for image, want := range map[string]driver.Result{
		"ELF": driver.InvalidImage, "emulated kernels sm_75\n": driver.NoBinaryForGPU,
		"emulated kernels sm_90\n" + `struct s { int a[3]; }; extern "C" __global__ void f(s v) {}`: driver.NotSupported,
	} {
		if err := d.Do(func(c *driver.Ctx) error { _, err := c.Load([]byte(image)); return err }); !errors.Is(err, want) {
			t.Errorf("%q: %v", image, err)
		}
	}
	do(t, d, func(c *driver.Ctx) error {
		f, err := function(m, c, saxpyText, "saxpy")
		if err != nil {
			return err
		}
		b, err := c.Alloc(256, "b")
		if err != nil {
			return err
		}
		args := new(driver.Args).Buffer(b).Buffer(b).Float32(1).Int32(1)
		if err := c.Launch(f, driver.Launch{Grid: driver.Dim3{X: 1}, Shared: 16}, args); !errors.Is(err, driver.NotSupported) {
			t.Errorf("dynamic shared memory: %v", err)
		}
		if err := c.Launch(f, driver.Launch{Grid: driver.Dim3{X: 1}}, args.Int32(2)); !errors.Is(err, driver.InvalidValue) {
			t.Errorf("an argument too many: %v", err)
		}
		if err := c.Driver().MemsetD8Async(b.Ptr()+200, 0, 1000, c.Stream()); !errors.Is(err, driver.InvalidValue) {
			t.Errorf("a fill beyond the end: %v", err)
		}
		if err := c.Driver().MemFree(b.Ptr() + 8); !errors.Is(err, driver.InvalidValue) {
			t.Errorf("a free of what was not allocated: %v", err)
		}
		c.Free(b)
		return nil
	})
	if f := m.Driver().Faults(); len(f) != 4 {
		t.Errorf("faults: %s", strings.Join(f, "\n"))
	}
}

func TestFillsAndCopiesReachTheirBytes(t *testing.T) {
	m := machine(t, device.Options{Order: 7})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		b, err := c.Alloc(40, "b")
		if err != nil {
			return err
		}
		v := c.Driver()
		p, s := b.Ptr(), c.Stream()
		if err := errors.Join(v.MemsetD8Async(p, 7, 40, s), v.MemsetD32Async(p+4, 0x04030201, 3, s), v.MemcpyDtoDAsync(p+24, p+4, 6, s), v.MemsetD8Async(p+39, 9, 1, s)); err != nil {
			return err
		}
		got := make([]byte, 40)
		if err := c.Download(got, b, 0); err != nil {
			return err
		}
		want := slices.Repeat([]byte{7}, 40)
		copy(want[4:], []byte{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4})
		copy(want[24:], []byte{1, 2, 3, 4, 1, 2})
		want[39] = 9
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		c.Free(b)
		return nil
	})
}

func TestWithoutACompilerThereIsNoMachine(t *testing.T) {
	machine(t, device.Options{}) // skips where nothing is emulated
	t.Setenv("CXX", "no-such-compiler")
	var none *emu.NoCompilerError
	if _, err := device.New(context.Background(), device.Options{}); !errors.As(err, &none) {
		t.Error(err)
	}
}
