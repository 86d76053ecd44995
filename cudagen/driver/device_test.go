// Tests of the executor.

package driver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

func TestDevicesDescribesTheMachine(t *testing.T) {
	m := mock.New(mock.Options{Devices: 2, SM: 86, Memory: 8 << 30})
	infos, err := system(m).Devices()
	if err != nil || len(infos) != 2 {
		t.Fatal(infos, err)
	}
	if got, want := infos[1].String(), "cuda:1 Mock GPU, sm_86, 4 multiprocessors, 8.0 GiB, CUDA 12.4"; got != want {
		t.Errorf("got %q", got)
	}
	if !infos[0].Pools || infos[0].SharedPerBlock != 48<<10 || infos[0].L2Bytes != 1<<20 {
		t.Errorf("%+v", infos[0])
	}
	clean(t, m)
}

func TestOpenOfADeviceThatIsNotThereFails(t *testing.T) {
	m := mock.New(mock.Options{})
	if _, err := system(m).Open(1, driver.DeviceOptions{}); !errors.Is(err, driver.InvalidDevice) || !strings.Contains(err.Error(), "cuda:1") {
		t.Errorf("%v", err)
	}
	clean(t, m)
}

func TestDoRunsOnOneThreadAndReturnsTheError(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	want := errors.New("mine")
	if err := d.Do(func(c *driver.Ctx) error { return want }); err != want {
		t.Errorf("%v", err)
	}
	// The mock takes a goroutine for a thread: the context must be there each time.
	for range 10 {
		do(t, d, func(c *driver.Ctx) error { return c.Driver().CtxSynchronize() })
	}
}

func TestFunctionsRunInTheOrderTheyWereHandedOver(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	var got []int
	for i := range 3000 { // more than the queue holds
		if err := d.Go(func(*driver.Ctx) error { got = append(got, i); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3000 || !slices.IsSorted(got) {
		t.Errorf("%d functions ran, in order: %v", len(got), slices.IsSorted(got))
	}
}

func TestAFailureOfGoSkipsWhatFollowsAndReachesTheNextDo(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	want := errors.New("first")
	ran := false
	hand := func(f func(*driver.Ctx) error) {
		if err := d.Go(f); err != nil {
			t.Fatal(err)
		}
	}
	hand(func(*driver.Ctx) error { return want })
	hand(func(*driver.Ctx) error { ran = true; return errors.New("second") })
	if err := d.Do(func(*driver.Ctx) error { ran = true; return nil }); err != want || ran {
		t.Errorf("%v, ran %v", err, ran)
	}
	if err := d.Wait(); err != nil {
		t.Errorf("the failure is reported twice: %v", err)
	}
}

func TestSettleWaitsAndLeavesTheFailureToTheNextDo(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	want := errors.New("first")
	ran := 0
	for range 3000 { // more than the queue takes
		if err := d.Go(func(*driver.Ctx) error { ran++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if d.Settle(); ran != 3000 {
		t.Errorf("%d functions had run", ran)
	}
	if err := d.Go(func(*driver.Ctx) error { return want }); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		d.Settle()
	}
	if err := d.Wait(); err != want {
		t.Errorf("Wait: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d.Settle() // of a closed device nothing is awaited
}

func TestPanicsReachTheCaller(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	value := errors.New("a value")
	caught := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	if v := caught(func() { _ = d.Do(func(*driver.Ctx) error { panic(value) }) }); v != value {
		t.Errorf("Do panicked with %v", v)
	}
	if err := d.Go(func(*driver.Ctx) error { panic(value) }); err != nil {
		t.Fatal(err)
	}
	if v := caught(func() { _ = d.Wait() }); v != value {
		t.Errorf("Wait panicked with %v", v)
	}
	do(t, d, func(*driver.Ctx) error { return nil }) // the device lives
}

func TestAPanicNobodySawIsAnErrorOfClose(t *testing.T) {
	m := mock.New(mock.Options{})
	d, err := system(m).Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Go(func(*driver.Ctx) error { panic("unseen") }); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err == nil || !strings.Contains(err.Error(), "unseen") {
		t.Errorf("%v", err)
	}
	clean(t, m)
}

func TestCloseRunsWhatIsQueuedAndEndsTheDevice(t *testing.T) {
	m := mock.New(mock.Options{})
	d, err := system(m).Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b *driver.Buffer
	ran := 0
	for range 10 {
		if err := d.Go(func(c *driver.Ctx) (err error) { ran++; b, err = c.Alloc(10, "left"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil || ran != 10 {
		t.Errorf("%v, %d ran", err, ran)
	}
	clean(t, m)
	if err := d.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if err := d.Do(func(*driver.Ctx) error { return nil }); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("Do: %v", err)
	}
	if err := d.Go(func(*driver.Ctx) error { return nil }); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("Go: %v", err)
	}
	if err := d.Wait(); !errors.Is(err, driver.ErrClosed) {
		t.Errorf("Wait: %v", err)
	}
	if text := misuse(t, func() { b.Ptr() }); !strings.Contains(text, `"left"`) {
		t.Errorf("%s", text)
	}
	b.Free() // nothing to do, nothing to fail
}

func TestAFunctionThatEndsTheGoroutineClosesTheDevice(t *testing.T) {
	m := mock.New(mock.Options{})
	d, err := system(m).Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, d, func(c *driver.Ctx) error { _, err := floats(c, "x", 1, 2, 3); return err })
	err = d.Do(func(*driver.Ctx) error { runtime.Goexit(); return nil })
	if err == nil || !strings.Contains(err.Error(), "ended by a function") {
		t.Errorf("Do: %v", err)
	}
	if err := d.Do(func(*driver.Ctx) error { return nil }); err == nil {
		t.Error("the device takes work")
	}
	clean(t, m)
}

func TestManyGoroutinesShareADevice(t *testing.T) {
	m := mock.New(mock.Options{Seed: 3})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	var k kernels
	do(t, d, func(c *driver.Ctx) (err error) { k, err = loadKernels(m, c); return err })
	var wg sync.WaitGroup
	var live atomic.Int64
	for g := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range 25 {
				var b *driver.Buffer
				x := make([]float32, 1+r.IntN(2000))
				for j := range x {
					x[j] = float32(g + i + j)
				}
				err := d.Do(func(c *driver.Ctx) (err error) { b, err = floats(c, fmt.Sprint("goroutine ", g), x...); return err })
				if err != nil {
					t.Error(err)
					return
				}
				live.Add(int64(b.Bytes()))
				if err := d.Go(func(c *driver.Ctx) error { return k.launchScale(c, b, 2, 0) }); err != nil {
					t.Error(err)
				}
				var got []float32
				if err := d.Do(func(c *driver.Ctx) (err error) { got, err = read(c, b); return err }); err != nil {
					t.Error(err)
					return
				}
				for j := range x {
					if got[j] != 2*x[j] {
						t.Errorf("goroutine %d, round %d: element %d is %v, want %v", g, i, j, got[j], 2*x[j])
						return
					}
				}
				d.Stats()
				d.LiveBuffers()
				if i%2 == 0 {
					b.Free()
					live.Add(int64(-b.Bytes()))
				}
			}
		})
	}
	wg.Wait()
	do(t, d, func(*driver.Ctx) error { return nil }) // frees that were queued are done
	if s := d.Stats(); s.Live > uint64(live.Load()) {
		t.Errorf("%d bytes alive, at most %d expected", s.Live, live.Load())
	}
}

func TestUnreachableBuffersAreFreed(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		for range 100 {
			if _, err := c.Alloc(1000, "dropped"); err != nil {
				return err
			}
		}
		return nil
	})
	for deadline := time.Now().Add(20 * time.Second); d.Stats().Live > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are alive", d.Stats().Live)
		}
		runtime.GC()
		do(t, d, func(*driver.Ctx) error { return nil })
	}
	if n := m.Count("cuMemFree"); n > 0 {
		t.Errorf("%d blocks went back to the driver instead of the cache", n)
	}
}

func TestAFreeWaitsForWorkHandedOverBefore(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	var k kernels
	var b *driver.Buffer
	do(t, d, func(c *driver.Ctx) (err error) {
		if k, err = loadKernels(m, c); err == nil {
			b, err = floats(c, "x", 1, 2)
		}
		return err
	})
	hold := make(chan struct{})
	for _, f := range []func(*driver.Ctx) error{
		func(*driver.Ctx) error { <-hold; return nil },
		func(c *driver.Ctx) error { return k.launchScale(c, b, 3, 0) },
	} {
		if err := d.Go(f); err != nil {
			t.Fatal(err)
		}
	}
	b.Free() // behind the launch in the queue
	close(hold)
	if err := d.Wait(); err != nil {
		t.Fatal(err)
	}
	if d.Stats().Live != 0 {
		t.Error("the buffer is alive")
	}
	if text := misuse(t, b.Free); !strings.Contains(text, "twice") {
		t.Error(text)
	}
}

func TestMisusePanicsThroughDo(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	var b *driver.Buffer
	do(t, d, func(c *driver.Ctx) (err error) { b, err = c.Alloc(16, "small"); return err })
	for name, f := range map[string]func(c *driver.Ctx) error{
		"Alloc":     func(c *driver.Ctx) error { _, err := c.Alloc(-1, "x"); return err },
		"Upload":    func(c *driver.Ctx) error { return c.Upload(b, 8, make([]byte, 9)) },
		"Download":  func(c *driver.Ctx) error { return c.Download(make([]byte, 4), b, -1) },
		"Copy":      func(c *driver.Ctx) error { return c.Copy(b, 0, b, 4, 8) },
		"Fill":      func(c *driver.Ctx) error { return c.Fill(b, 17, 0, 0) },
		"AllocHost": func(c *driver.Ctx) error { _, err := c.AllocHost(0); return err },
		"Destroy":   func(c *driver.Ctx) error { return c.Destroy(driver.Event(77)) },
	} {
		text := misuse(t, func() { _ = d.Do(f) })
		if !strings.HasPrefix(text, "cuda: "+name+": ") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestTwoDevicesWorkSideBySide(t *testing.T) {
	m := mock.New(mock.Options{Devices: 2, Seed: 1})
	register(m)
	var buffers [2]*driver.Buffer
	var devices [2]*driver.Device
	for i := range devices {
		d, err := system(m).Open(i, driver.DeviceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			if i == 0 { // the last to be closed
				clean(t, m)
			}
		}()
		devices[i] = d
		do(t, d, func(c *driver.Ctx) error {
			k, err := loadKernels(m, c)
			if err != nil {
				return err
			}
			if buffers[i], err = floats(c, "x", 1, 2); err != nil {
				return err
			}
			return k.launchScale(c, buffers[i], float32(i+2), 0)
		})
	}
	for i, d := range devices {
		do(t, d, func(c *driver.Ctx) error {
			got, err := read(c, buffers[i])
			if want := []float32{float32(i + 2), float32(2*i + 4)}; !slices.Equal(got, want) {
				t.Errorf("device %d has %v, want %v", i, got, want)
			}
			return err
		})
	}
	for name, f := range map[string]func(c *driver.Ctx){
		"Free":     func(c *driver.Ctx) { c.Free(buffers[0]) },
		"Download": func(c *driver.Ctx) { _, _ = read(c, buffers[0]) },
		"Launch": func(c *driver.Ctx) {
			_ = c.Launch(1, driver.Launch{Grid: driver.Dim3{X: 1}}, new(driver.Args).Buffer(buffers[0]))
		},
	} {
		text := misuse(t, func() { _ = devices[1].Do(func(c *driver.Ctx) error { f(c); return nil }) })
		if !strings.HasPrefix(text, "cuda: "+name+": ") || !strings.Contains(text, "cuda:0") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestAKernelThatFaultsFailsLaterCallsAndCloses(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d, err := system(m).Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Do(func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		b, err := c.Alloc(40, "short")
		if err != nil {
			return err
		}
		args := new(driver.Args).Buffer(b).Float32(1).Int32(129) // one more than the block has
		return c.Launch(k.scale, driver.Launch{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 32}}, args)
	})
	if err != nil {
		t.Fatalf("the launch itself: %v", err)
	}
	if err := d.Wait(); !errors.Is(err, driver.IllegalAddress) {
		t.Errorf("Wait: %v", err)
	}
	if err := d.Close(); !errors.Is(err, driver.IllegalAddress) {
		t.Errorf("Close: %v", err)
	}
	if f := m.Faults(); len(f) != 1 || !strings.Contains(f[0], "516 bytes") {
		t.Errorf("faults %q", f)
	}
	if l := m.Leaks(); len(l) > 0 {
		t.Errorf("leaked %q", l)
	}
}
