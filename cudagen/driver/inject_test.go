// Every call of the libraries is made to fail, one after the other.

package driver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

// scenario does everything that this package can do, and returns the first error
// of the work and that of Close.
func scenario(m *mock.Driver, o driver.DeviceOptions) (err, closeErr error) {
	register(m)
	d, err := system(m).Open(0, o)
	if err != nil {
		return err, nil
	}
	defer func() { closeErr = d.Close() }()
	var kept []*driver.Buffer
	for _, f := range []func(c *driver.Ctx) error{
		func(c *driver.Ctx) error { // copies and kernels, two streams
			k, err := loadKernels(m, c)
			if err != nil {
				return err
			}
			x, err := floats(c, "x", 1, 2, 3)
			if err != nil {
				return err
			}
			kept = append(kept, x)
			other, err := c.NewStream()
			if err != nil {
				return err
			}
			e, err := c.NewEvent(false)
			if err != nil {
				return err
			}
			r := c.Driver()
			if err := r.EventRecord(e, c.Stream()); err != nil {
				return err
			}
			if err := r.StreamWaitEvent(other, e); err != nil {
				return err
			}
			y, err := c.Alloc(12, "y")
			if err != nil {
				return err
			}
			if err := c.Copy(y, 0, x, 0, 12); err != nil {
				return err
			}
			if err := k.launchScale(c, x, 2, other); err != nil {
				return err
			}
			c.UsedIn(other, x)
			c.Free(y)
			if err := c.Destroy(e); err != nil {
				return err
			}
			if _, err := c.Time(func() error { return k.launchScale(c, x, 2, 0) }); err != nil {
				return err
			}
			if err := c.Destroy(other); err != nil {
				return err
			}
			_, err = read(c, x)
			return err
		},
		func(c *driver.Ctx) error { // products and a graph
			k, err := loadKernels(m, c)
			if err != nil {
				return err
			}
			x, err := floats(c, "x", 1, 2)
			if err != nil {
				return err
			}
			out, err := floats(c, "out", 0, 0)
			if err != nil {
				return err
			}
			blas, err := c.BLAS(0)
			if err != nil {
				return err
			}
			g, err := c.Capture(func() error {
				if err := step(c, k, x, out); err != nil {
					return err
				}
				return blas.Gemm(driver.Gemm{M: 1, N: 1, K: 2, Alpha: 1, A: x.Ptr(), B: x.Ptr(), C: out.Ptr(), LDA: 1, LDB: 2, LDC: 1})
			})
			if err != nil {
				return err
			}
			if err := c.Replay(g); err != nil {
				return err
			}
			if _, err := read(c, out); err != nil {
				return err
			}
			if err := c.DestroyGraph(g); err != nil {
				return err
			}
			if err := c.Destroy(k.module); err != nil {
				return err
			}
			c.Free(x)
			c.Free(out)
			return c.Trim()
		},
		func(c *driver.Ctx) error { // pinned memory, a buffer used elsewhere when it is freed
			h, err := c.AllocHost(64)
			if err != nil {
				return err
			}
			other, err := c.NewStream()
			if err != nil {
				return err
			}
			x, err := c.Alloc(64, "x")
			if err != nil {
				return err
			}
			if err := c.Driver().MemcpyHtoDAsync(x.Ptr(), h.Pointer(), 64, other); err != nil {
				return err
			}
			c.UsedIn(other, x)
			c.Free(x)
			if err := c.Driver().StreamSynchronize(other); err != nil {
				return err
			}
			if err := c.FreeHost(h); err != nil {
				return err
			}
			return c.Destroy(other)
		},
	} {
		if err := d.Do(f); err != nil {
			return err, nil
		}
	}
	for _, b := range kept {
		b.Free()
	}
	return d.Wait(), nil
}

func TestAFailureOfAnyCallLeavesNothingBehind(t *testing.T) {
	for name, o := range map[string]driver.DeviceOptions{"plain": {}, "pools": {Pools: true}, "debug": {Debug: true}} {
		t.Run(name, func(t *testing.T) {
			m := mock.New(mock.Options{SM: 80})
			if err, closeErr := scenario(m, o); err != nil || closeErr != nil {
				t.Fatal(err, closeErr)
			}
			clean(t, m)
			calls := m.Calls()
			if len(calls) < 100 {
				t.Fatalf("only %d calls", len(calls))
			}
			for _, code := range []driver.Result{driver.OutOfMemory, driver.UnknownDriverFailed} {
				silent := make(map[string]bool)
				for n, call := range calls {
					if testing.Short() && n%4 != int(code)%4 {
						continue
					}
					m := mock.New(mock.Options{SM: 80})
					m.FailAt(n, code)
					err, closeErr := scenario(m, o)
					var failed *driver.Error
					var leak *driver.LeakError
					function, _, _ := strings.Cut(call, "(")
					if err == nil && (closeErr == nil || errors.As(closeErr, &leak)) {
						silent[function] = true
					} else if all := errors.Join(err, closeErr); !errors.As(all, &failed) && !errors.As(all, &leak) {
						t.Errorf("call %d, %s: %v", n, call, all)
					}
					if l, f := m.Leaks(), m.Faults(); len(l)+len(f) > 0 {
						t.Errorf("call %d, %s fails with %v: leaked %q, faults %q\n(err %v; close %v)", n, call, code, l, f, err, closeErr)
					}
				}
				// Nobody needs to know of failures that were made good: asking again at
				// Close, an allocation after the cache was emptied, a query of an event.
				for function := range silent {
					switch function {
					case "cuEventQuery", "cuMemFree", "cuMemFreeHost", "cuStreamDestroy", "cuEventDestroy",
						"cuModuleUnload", "cuMemPoolTrimTo", "cublasDestroy", "cuCtxSetCurrent", "cuDevicePrimaryCtxRelease", "cuGraphExecDestroy":
					case "cuMemAlloc", "cuMemAllocAsync", "cuModuleLoadData", "cuGraphInstantiateWithFlags":
						if code != driver.OutOfMemory {
							t.Errorf("%s fails with %v and nobody learns of it", function, code)
						}
					default:
						t.Errorf("%s fails with %v and nobody learns of it", function, code)
					}
				}
			}
		})
	}
}

func TestTheCompilersFailureReachesTheCaller(t *testing.T) {
	m := mock.New(mock.Options{SM: 80})
	m.FailAt(0, 11)
	if _, err := driver.NewCubinCache(m.Compiler(), t.TempDir()); err == nil {
		t.Error("no version, but a cache")
	}
	c, err := driver.NewCubinCache(m.Compiler(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m.FailAt(0, 11)
	s := driver.Source{Name: "a.cu", Text: scaleSource, SM: 90}
	if _, err := c.Compile(s); err == nil {
		t.Error("no error")
	}
	if _, err := c.Compile(s); err != nil {
		t.Errorf("the failure is remembered: %v", err)
	}
}

func ExampleSystem_Open() {
	m := mock.New(mock.Options{}) // a program calls driver.Load
	register(m)
	sys := &driver.System{Driver: m, Compiler: m.Compiler(), BLAS: m.BLAS()}
	d, err := sys.Open(0, driver.DeviceOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	err = d.Do(func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		x, err := floats(c, "x", 1, 2, 3)
		if err != nil {
			return err
		}
		args := new(driver.Args).Buffer(x).Float32(10).Int32(3)
		if err := c.Launch(k.scale, driver.Launch{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 32}}, args); err != nil {
			return err
		}
		got, err := read(c, x)
		fmt.Println(got)
		return err
	})
	fmt.Println(err)
	// Output:
	// [10 20 30]
	// <nil>
}
