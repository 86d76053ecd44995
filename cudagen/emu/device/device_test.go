package device_test

// The driver's stack on the emulated machine.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
)

// machine starts a machine; at the test's end nothing may be leaked on it.
func machine(t testing.TB, o device.Options) *device.Machine {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	m, err := device.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if l := m.Driver().Leaks(); len(l) > 0 {
			t.Errorf("leaked: %s", strings.Join(l, "; "))
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// open opens the machine's device; nothing may be done wrong on it.
func open(t testing.TB, m *device.Machine, o driver.DeviceOptions) *driver.Device {
	t.Helper()
	d, err := m.System().Open(0, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if f := m.Driver().Faults(); len(f) > 0 {
			t.Errorf("faults: %s", strings.Join(f, "; "))
		}
	})
	return d
}

func do(t testing.TB, d *driver.Device, f func(c *driver.Ctx) error) {
	t.Helper()
	if err := d.Do(f); err != nil {
		t.Fatal(err)
	}
}

const saxpyText = `
extern "C" __global__ void __launch_bounds__(128) saxpy(float *__restrict__ y, const float *__restrict__ x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
`

// function compiles and loads a text and returns one of its kernels.
func function(m *device.Machine, c *driver.Ctx, text, name string) (driver.Function, error) {
	code, _, err := m.System().Compiler.Compile(driver.Source{Name: name + ".cu", Text: text, SM: c.Info().SM})
	if err != nil {
		return 0, err
	}
	mod, err := c.Load(code)
	if err != nil {
		return 0, err
	}
	return c.Function(mod, name)
}

func upload(c *driver.Ctx, label string, x []float32) (*driver.Buffer, error) {
	b, err := c.Alloc(4*len(x), label)
	if err != nil {
		return nil, err
	}
	return b, c.Upload(b, 0, driver.AsBytes(x))
}

func download(c *driver.Ctx, b *driver.Buffer) ([]float32, error) {
	x := make([]float32, b.Bytes()/4)
	return x, c.Download(driver.AsBytes(x), b, 0)
}

func saxpy(c *driver.Ctx, f driver.Function, y, x *driver.Buffer, a float32, n int) error {
	args := new(driver.Args).Buffer(y).Buffer(x).Float32(a).Int32(int32(n))
	return c.Launch(f, driver.Launch{Grid: driver.Dim3{X: uint32(n+127) / 128}, Block: driver.Dim3{X: 128}}, args)
}

// ramp returns n numbers whose sums are exact.
func ramp(n int, from float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = from + float32(i%17)
	}
	return x
}

func TestSaxpyRunsThroughTheDevice(t *testing.T) {
	for _, order := range []uint64{0, 1, 2} {
		for _, o := range []driver.DeviceOptions{{}, {Debug: true}, {Pools: true}} {
			m := machine(t, device.Options{Order: order, Schedule: order})
			d := open(t, m, o)
			do(t, d, func(c *driver.Ctx) error {
				f, err := function(m, c, saxpyText, "saxpy")
				if err != nil {
					return err
				}
				const n = 1000
				x, err := upload(c, "x", ramp(n, -3))
				if err != nil {
					return err
				}
				y, err := upload(c, "y", ramp(n, 5))
				if err != nil {
					return err
				}
				for range 3 {
					if err := saxpy(c, f, y, x, 2, n); err != nil {
						return err
					}
				}
				got, err := download(c, y)
				if err != nil {
					return err
				}
				for i, v := range got {
					if want := ramp(n, 5)[i] + 6*ramp(n, -3)[i]; v != want {
						return fmt.Errorf("order %d, %+v: y[%d] = %v, want %v", order, o, i, v, want)
					}
				}
				c.Free(x)
				c.Free(y)
				return nil
			})
		}
	}
}

func TestProductsOfAllTransposesMatchTheDefinition(t *testing.T) {
	m := machine(t, device.Options{})
	d := open(t, m, driver.DeviceOptions{Debug: true})
	do(t, d, func(c *driver.Ctx) error {
		blas, err := c.BLAS(0)
		if err != nil {
			return err
		}
		const rows, cols, inner, batch = 5, 7, 3, 2
		for transposes := range 4 {
			for _, beta := range []float64{0, 0.5} {
				for _, pad := range []int{0, 2} {
					g := driver.Gemm{
						Type: driver.Float32, TransA: transposes&1 != 0, TransB: transposes&2 != 0,
						M: rows, N: cols, K: inner, Alpha: 2, Beta: beta, Batch: batch,
						LDA: inner + pad, LDB: cols + pad, LDC: cols + pad, // by rows
					}
					if g.TransA {
						g.LDA = rows + pad
					}
					if g.TransB {
						g.LDB = inner + pad
					}
					const each = 100
					g.StrideA, g.StrideB, g.StrideC = each, each, each
					a, b, out := ramp(each*batch, -4), ramp(each*batch, -7), ramp(each*batch, 1)
					if beta == 0 {
						for i := range out {
							out[i] = float32(math.NaN())
						}
					}
					want := append([]float32{}, out...)
					for i := range batch * rows * cols {
						k, r, col := i/(rows*cols), i/cols%rows, i%cols
						var sum float32
						for j := range inner {
							x, y := a[k*each+r*g.LDA+j], b[k*each+j*g.LDB+col]
							if g.TransA {
								x = a[k*each+j*g.LDA+r]
							}
							if g.TransB {
								y = b[k*each+col*g.LDB+j]
							}
							sum += x * y
						}
						at := &want[k*each+r*g.LDC+col]
						if beta == 0 {
							*at = 0
						}
						*at = 2*sum + float32(beta)**at
					}
					bufs := make([]*driver.Buffer, 3)
					for i, x := range [][]float32{a, b, out} {
						if bufs[i], err = upload(c, "matrix", x); err != nil {
							return err
						}
					}
					g.A, g.B, g.C = bufs[0].Ptr(), bufs[1].Ptr(), bufs[2].Ptr()
					if err := blas.GemmRows(g); err != nil {
						return err
					}
					got, err := download(c, bufs[2])
					if err != nil {
						return err
					}
					for i := range got {
						if got[i] != want[i] && !(got[i] != got[i] && want[i] != want[i]) {
							return fmt.Errorf("%v, beta %v: element %d is %v, want %v", g, beta, i, got[i], want[i])
						}
					}
					for _, b := range bufs {
						c.Free(b)
					}
				}
			}
		}
		return nil
	})
}

func TestCapturedStepsAreReplayed(t *testing.T) {
	m := machine(t, device.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		f, err := function(m, c, saxpyText, "saxpy")
		if err != nil {
			return err
		}
		blas, err := c.BLAS(0)
		if err != nil {
			return err
		}
		const n = 16
		x, err := upload(c, "x", ramp(n, 1))
		if err != nil {
			return err
		}
		y, err := upload(c, "y", make([]float32, n))
		if err != nil {
			return err
		}
		z, err := upload(c, "z", make([]float32, n))
		if err != nil {
			return err
		}
		k, err := c.Capture(func() error {
			// y += 2x; z = y·x as 4 x 4 matrices by rows, by way of temporary memory
			if err := saxpy(c, f, y, x, 2, n); err != nil {
				return err
			}
			t, err := c.Alloc(4*n, "temporary")
			if err != nil {
				return err
			}
			defer c.Free(t)
			g := driver.Gemm{M: 4, N: 4, K: 4, LDA: 4, LDB: 4, LDC: 4, Alpha: 1, A: y.Ptr(), B: x.Ptr(), C: t.Ptr()}
			if err := blas.GemmRows(g); err != nil {
				return err
			}
			return c.Driver().MemcpyDtoDAsync(z.Ptr(), t.Ptr(), 4*n, c.Stream())
		})
		if err != nil {
			return err
		}
		if got, err := download(c, y); err != nil || got[3] != 0 {
			return fmt.Errorf("capturing ran the work: %v, %v", got, err)
		}
		for step := 1; step <= 3; step++ {
			if err := c.Replay(k); err != nil {
				return err
			}
			got, err := download(c, z)
			if err != nil {
				return err
			}
			base := ramp(n, 1)
			for i := range got {
				var want float32
				for j := range 4 {
					want += 2 * float32(step) * base[i/4*4+j] * base[j*4+i%4]
				}
				if got[i] != want {
					return fmt.Errorf("step %d: z[%d] = %v, want %v", step, i, got[i], want)
				}
			}
		}
		return c.DestroyGraph(k)
	})
}

func TestAKernelsFaultIsADriverErrorThatNamesTheKernel(t *testing.T) {
	m := machine(t, device.Options{})
	d, err := m.System().Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error) {
		t.Helper()
		var f *emu.Fault
		var e *driver.Error
		if !errors.As(err, &f) || f.Kernel != "saxpy" || !errors.As(err, &e) || !errors.Is(err, driver.IllegalAddress) || !strings.Contains(err.Error(), "kernel saxpy: block (4,0,0)") {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("Synchronize", d.Do(func(c *driver.Ctx) error {
		f, err := function(m, c, saxpyText, "saxpy")
		if err != nil {
			return err
		}
		x, err := upload(c, "x", ramp(512, 0))
		if err != nil {
			return err
		}
		y, err := upload(c, "y", ramp(4096, 0))
		if err != nil {
			return err
		}
		if err := saxpy(c, f, y, x, 1, 4096); err != nil {
			return err
		}
		return c.Synchronize()
	}))
	check("Wait", d.Wait())
	check("Close", d.Close())
	if f := m.Driver().Faults(); len(f) != 1 || !strings.Contains(f[0], "behind the end of argument 1") {
		t.Errorf("faults: %q", f)
	}
	// A device opened after it works again.
	if d, err = m.System().Open(0, driver.DeviceOptions{}); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	do(t, d, func(c *driver.Ctx) error {
		x, err := upload(c, "x", ramp(8, 0))
		if err != nil {
			return err
		}
		got, err := download(c, x)
		if err == nil && got[7] != 7 {
			err = fmt.Errorf("got %v", got)
		}
		return err
	})
}
