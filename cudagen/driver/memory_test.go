// Tests of the allocator.

package driver_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

func TestFreedBlocksAreReusedAtOnceInTheSameStream(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		a, err := c.Alloc(1000, "a")
		if err != nil {
			return err
		}
		p := a.Ptr()
		c.Free(a)
		b, err := c.Alloc(700, "b") // the same class: 513..1024
		if err != nil {
			return err
		}
		if b.Ptr() != p {
			t.Errorf("b is at %#x, a was at %#x", b.Ptr(), p)
		}
		return nil
	})
	s := d.Stats()
	want := driver.Stats{Live: 700, Peak: 1000, Reserved: 1024, PeakReserve: 1024, Buffers: 1, Allocations: 2, Reused: 1, DriverCalls: 1}
	if s != want {
		t.Errorf("got %+v\nwant %+v", s, want)
	}
	d.ResetPeak()
	if d.Stats().Peak != 700 {
		t.Errorf("peak %d after reset", d.Stats().Peak)
	}
}

func TestABlockOfAnotherStreamIsNotReused(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		other, err := c.NewStream()
		if err != nil {
			return err
		}
		a, err := c.AllocIn(other, 1000, "a")
		if err != nil {
			return err
		}
		p := a.Ptr()
		c.Free(a)
		b, err := c.Alloc(1000, "b")
		if err != nil {
			return err
		}
		if b.Ptr() == p {
			t.Error("work of two streams would meet in one block")
		}
		return c.Destroy(other)
	})
}

func TestABlockUsedByAnotherStreamWaitsForIt(t *testing.T) {
	m := mock.New(mock.Options{}) // work runs only when something waits for it
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		other, err := c.NewStream()
		if err != nil {
			return err
		}
		a, err := c.Alloc(1024, "a")
		if err != nil {
			return err
		}
		p := a.Ptr()
		if err := k.launchScale(c, a, 2, other); err != nil {
			return err
		}
		c.UsedIn(other, a)
		c.Free(a)
		b, err := c.Alloc(1024, "b")
		if err != nil {
			return err
		}
		if b.Ptr() == p {
			t.Error("the block is given out while another stream works on it")
		}
		if err := c.Driver().StreamSynchronize(other); err != nil {
			return err
		}
		e, err := c.Alloc(1024, "c")
		if err != nil {
			return err
		}
		if e.Ptr() != p {
			t.Error("the block is not given out after the other stream's work")
		}
		return c.Destroy(other)
	})
}

func TestAStreamWithBuffersCannotBeDestroyed(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	text := misuse(t, func() {
		_ = d.Do(func(c *driver.Ctx) error {
			s, err := c.NewStream()
			if err != nil {
				return err
			}
			if _, err := c.AllocIn(s, 8, "still here"); err != nil {
				return err
			}
			return c.Destroy(s)
		})
	})
	if !strings.Contains(text, "still here") {
		t.Error(text)
	}
}

func TestBuffersOfNoBytesCostNothing(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		b, err := c.Alloc(0, "empty")
		if err != nil {
			return err
		}
		if b.Ptr() != 0 || b.Bytes() != 0 {
			t.Errorf("%#x, %d bytes", b.Ptr(), b.Bytes())
		}
		if err := errors.Join(c.Upload(b, 0, nil), c.Download(nil, b, 0), c.Fill(b, 0, 0, 1), c.Copy(b, 0, b, 0, 0)); err != nil {
			return err
		}
		c.Free(b)
		return nil
	})
	if m.Count("cuMemAlloc") > 0 {
		t.Error("the driver was asked")
	}
}

// TestRandomUseKeepsContentsAndCounts allocates and frees at random and checks that
// no two buffers share memory and that the counts are right.
func TestRandomUseKeepsContentsAndCounts(t *testing.T) {
	for _, o := range []driver.DeviceOptions{{}, {Debug: true}, {Pools: true}} {
		m := mock.New(mock.Options{Seed: 7})
		d, err := system(m).Open(0, o)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 5))
		type live struct {
			b *driver.Buffer
			x []float32
		}
		var all []live
		bytes := uint64(0)
		for step := range 300 {
			do(t, d, func(c *driver.Ctx) error {
				if len(all) == 0 || r.IntN(5) < 3 {
					x := make([]float32, 1+r.IntN(1<<r.IntN(14)))
					for i := range x {
						x[i] = float32(step + i)
					}
					b, err := floats(c, "x", x...)
					if err != nil {
						return err
					}
					all = append(all, live{b, x})
					bytes += uint64(b.Bytes())
					return nil
				}
				i := r.IntN(len(all))
				got, err := read(c, all[i].b)
				if err != nil {
					return err
				}
				for j, v := range all[i].x {
					if got[j] != v {
						t.Fatalf("step %d: element %d of buffer %d is %v, want %v", step, j, i, got[j], v)
					}
				}
				bytes -= uint64(all[i].b.Bytes())
				c.Free(all[i].b)
				all[i] = all[len(all)-1]
				all = all[:len(all)-1]
				if r.IntN(20) == 0 {
					return c.Trim()
				}
				return nil
			})
			s := d.Stats()
			if s.Live != bytes || s.Buffers != len(all) || s.Reserved < s.Live+s.Cached || s.Peak < s.Live {
				t.Fatalf("step %d: %d bytes in %d buffers, but %+v", step, bytes, len(all), s)
			}
		}
		if err := d.Close(); (err != nil) != o.Debug {
			t.Errorf("%+v: Close: %v", o, err)
		}
		runtime.KeepAlive(all)
		clean(t, m)
	}
}

func TestOutOfMemoryEmptiesTheCacheAndTriesAgain(t *testing.T) {
	for _, o := range []driver.DeviceOptions{{}, {Pools: true}} {
		m := mock.New(mock.Options{Memory: 64 << 20})
		d := open(t, m, o)
		do(t, d, func(c *driver.Ctx) error {
			a, err := c.Alloc(40<<20, "first")
			if err != nil {
				return err
			}
			c.Free(a)
			b, err := c.Alloc(60<<20, "second") // does not fit beside the cached block
			if err != nil {
				return err
			}
			c.Free(b)
			return nil
		})
		if s := d.Stats(); s.Trims != 1 || s.Reserved != 60<<20 {
			t.Errorf("%+v", s)
		}
	}
}

func TestModulesAndHandlesMakeRoomToo(t *testing.T) {
	for call, code := range map[string]int{"cuModuleLoadData": int(driver.OutOfMemory), "cublasCreate": 3} {
		m := mock.New(mock.Options{})
		d := open(t, m, driver.DeviceOptions{})
		failures, freed := 0, false
		m.FailIf(func(_ int, c string) int {
			freed = freed || c == "cuMemFree"
			if c == call && !freed {
				failures++
				return code
			}
			return 0
		})
		do(t, d, func(c *driver.Ctx) error {
			b, err := c.Alloc(1<<20, "x")
			if err != nil {
				return err
			}
			c.Free(b) // into the cache
			if _, err := c.Load(mock.Cubin(90, "f")); err != nil {
				return err
			}
			_, err = c.BLAS(0)
			return err
		})
		if failures != 1 || d.Stats().Trims != 1 {
			t.Errorf("%s: %d failures, %+v", call, failures, d.Stats())
		}
	}
}

func TestOutOfMemoryFreesWhatNobodyCanReach(t *testing.T) {
	m := mock.New(mock.Options{Memory: 64 << 20})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error { _, err := c.Alloc(40<<20, "dropped"); return err })
	do(t, d, func(c *driver.Ctx) error {
		b, err := c.Alloc(60<<20, "needed")
		if err == nil {
			c.Free(b)
		}
		return err
	})
}

// A buffer that is freed while a function runs was there when that was handed over: it may
// use it, even if memory is short.
func TestOutOfMemoryLeavesWhatTheRunningFunctionMayUse(t *testing.T) {
	m := mock.New(mock.Options{Memory: 64 << 20})
	d := open(t, m, driver.DeviceOptions{})
	var x *driver.Buffer
	do(t, d, func(c *driver.Ctx) (err error) {
		if x, err = c.Alloc(40<<20, "x"); err == nil {
			err = c.Fill(x, 0, x.Bytes(), 7)
		}
		return err
	})
	running, freed := make(chan struct{}), make(chan struct{})
	go func() {
		<-running
		x.Free()
		close(freed)
	}()
	do(t, d, func(c *driver.Ctx) error {
		close(running)
		<-freed
		var full *driver.OutOfMemoryError
		if _, err := c.Alloc(60<<20, "too much"); !errors.As(err, &full) {
			t.Errorf("not out of memory beside x, but %v", err)
			return nil
		}
		got := make([]byte, 2)
		if err := c.Download(got, x, x.Bytes()-2); err != nil || got[0] != 7 || got[1] != 7 {
			t.Errorf("x holds %v: %v", got, err)
		}
		return nil
	})
	do(t, d, func(c *driver.Ctx) error { // behind x.Free
		b, err := c.Alloc(60<<20, "now there is room")
		if err == nil {
			c.Free(b)
		}
		return err
	})
}

func TestOutOfMemoryListsTheLargestBuffers(t *testing.T) {
	m := mock.New(mock.Options{Memory: 64 << 20})
	d := open(t, m, driver.DeviceOptions{})
	var keep []*driver.Buffer
	err := d.Do(func(c *driver.Ctx) error {
		for label, n := range map[string]int{"features": 30 << 20, "hidden": 20 << 20, "edges": 4 << 20} {
			b, err := c.Alloc(n, label)
			if err != nil {
				return err
			}
			keep = append(keep, b)
		}
		for range 20 {
			b, err := c.Alloc(1000, "bias")
			if err != nil {
				return err
			}
			keep = append(keep, b)
		}
		_, err := c.Alloc(100<<20, "edge scores")
		return err
	})
	var full *driver.OutOfMemoryError
	if !errors.As(err, &full) || !errors.Is(err, driver.OutOfMemory) {
		t.Fatal(err)
	}
	if full.Label != "edge scores" || full.Bytes != 100<<20 || len(full.Largest) != 10 || full.Largest[0] != (driver.LiveBuffer{Label: "features", Bytes: 30 << 20}) {
		t.Errorf("%+v", full)
	}
	want := []string{`100.0 MiB for "edge scores"`, "of 64.0 MiB are free", "23 buffers", "30.0 MiB  features\n", "20.0 MiB  hidden\n", "1000 B  bias (7 times)"}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in:\n%v", w, err)
		}
	}
	// The device goes on.
	do(t, d, func(c *driver.Ctx) error {
		for _, b := range keep {
			c.Free(b)
		}
		b, err := c.Alloc(60<<20, "now there is room")
		if err == nil {
			c.Free(b)
		}
		return err
	})
}

func TestMemoryOfAPoolIsReturnedAfterTheWorkOnIt(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{Pools: true})
	do(t, d, func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		x, err := floats(c, "x", 1, 2, 3)
		if err != nil {
			return err
		}
		if err := k.launchScale(c, x, 2, 0); err != nil {
			return err
		}
		c.Free(x)
		return c.Trim()
	})
	if s := d.Stats(); s.Reserved != 0 {
		t.Errorf("%+v", s)
	}
}

// The driver's pool is the device's and outlives the context: it must not keep what nobody has.
func TestCloseEmptiesTheDriversPool(t *testing.T) {
	for _, o := range []struct{ pools, fails bool }{{true, false}, {true, true}, {false, false}} {
		m := mock.New(mock.Options{})
		d, err := system(m).Open(0, driver.DeviceOptions{Pools: o.pools})
		if err != nil {
			t.Fatal(err)
		}
		var kept *driver.Buffer
		do(t, d, func(c *driver.Ctx) (err error) {
			if kept, err = c.Alloc(100, "kept"); err != nil {
				return err
			}
			b, err := c.Alloc(100, "cached")
			if err == nil {
				c.Free(b)
			}
			return err
		})
		if o.fails {
			m.FailIf(func(_ int, call string) int {
				if call == "cuMemPoolTrimTo" {
					return int(driver.UnknownDriverFailed)
				}
				return 0
			})
		}
		if err := d.Close(); errors.Is(err, driver.UnknownDriverFailed) != o.fails || (err != nil) != o.fails {
			t.Errorf("%+v: Close: %v", o, err)
		}
		trimmed, freed, released := -1, -1, -1
		for i, call := range m.Calls() {
			switch name, _, _ := strings.Cut(call, "("); name {
			case "cuMemPoolTrimTo":
				trimmed = i
			case "cuMemFree":
				freed = i
			case "cuDevicePrimaryCtxRelease":
				released = i
			}
		}
		if o.pools && !(freed >= 0 && freed < trimmed && trimmed < released) || !o.pools && trimmed >= 0 {
			t.Errorf("%+v: the last free, trim and release are calls %d, %d and %d", o, freed, trimmed, released)
		}
		runtime.KeepAlive(kept)
		clean(t, m)
	}
}

func TestOutOfMemoryWithinACaptureFreesNothing(t *testing.T) {
	m := mock.New(mock.Options{Memory: 64 << 20})
	d := open(t, m, driver.DeviceOptions{})
	err := d.Do(func(c *driver.Ctx) error {
		b, err := c.Alloc(40<<20, "cached")
		if err != nil {
			return err
		}
		c.Free(b)
		_, err = c.Capture(func() error { _, err := c.Alloc(60<<20, "too much"); return err })
		return err
	})
	var full *driver.OutOfMemoryError
	if !errors.As(err, &full) || full.Label != "too much" {
		t.Fatal(err)
	}
	do(t, d, func(c *driver.Ctx) error { _, err := c.Alloc(60<<20, "after the capture"); return err })
}

func TestABlockFreedInACaptureThatOtherStreamsUseIsReserved(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		other, err := c.NewStream()
		if err != nil {
			return err
		}
		x, err := c.Alloc(64, "x")
		if err != nil {
			return err
		}
		p := x.Ptr()
		c.UsedIn(other, x)
		g, err := c.Capture(func() error { c.Free(x); return nil })
		if err != nil {
			return err
		}
		y, err := c.Alloc(64, "y")
		if err != nil || y.Ptr() == p {
			t.Errorf("given out while nothing tells when the other stream is done: %v", err)
		}
		if err := c.DestroyGraph(g); err != nil {
			return err
		}
		z, err := c.Alloc(64, "z")
		if err != nil || z.Ptr() != p {
			t.Errorf("not given out after the graph's end: %v", err)
		}
		return c.Destroy(other)
	})
}

func TestDebugFindsWritesBesideABuffer(t *testing.T) {
	for _, c := range []struct {
		offset driver.Ptr
		want   int64
	}{{^driver.Ptr(3), -4}, {100, 100}, {driver.Ptr(100 + 252), 352}} {
		m := mock.New(mock.Options{})
		d := open(t, m, driver.DeviceOptions{Debug: true})
		err := d.Do(func(x *driver.Ctx) error {
			b, err := x.Alloc(100, "scores")
			if err != nil {
				return err
			}
			if err := x.Driver().MemsetD8Async(b.Ptr()+c.offset, 7, 4, x.Stream()); err != nil {
				return err
			}
			x.Free(b)
			return nil
		})
		var guard *driver.GuardError
		if !errors.As(err, &guard) || guard.Label != "scores" || guard.Offset != c.want {
			t.Errorf("written at %d: %v", int64(c.offset), err)
		}
	}
}

func TestDebugFillsNewBuffersWithNaN(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{Debug: true})
	do(t, d, func(c *driver.Ctx) error {
		for range 2 { // fresh, then reused
			b, err := c.Alloc(40, "x")
			if err != nil {
				return err
			}
			x, err := read(c, b)
			if err != nil {
				return err
			}
			for i, v := range x {
				if !math.IsNaN(float64(v)) {
					t.Errorf("element %d is %v", i, v)
				}
			}
			if err := c.Fill(b, 0, 40, 0); err != nil {
				return err
			}
			c.Free(b)
		}
		return nil
	})
}

func TestDebugReportsLeaksAtClose(t *testing.T) {
	m := mock.New(mock.Options{})
	d, err := system(m).Open(0, driver.DeviceOptions{Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	var kept *driver.Buffer
	do(t, d, func(c *driver.Ctx) (err error) {
		if _, err = c.BLAS(0); err == nil { // its memory is not the program's leak
			kept, err = c.Alloc(12345, "forgotten")
		}
		return err
	})
	var leak *driver.LeakError
	if err := d.Close(); !errors.As(err, &leak) || len(leak.Buffers) != 1 || !strings.Contains(err.Error(), "12.1 KiB  forgotten") {
		t.Errorf("%v", err)
	}
	runtime.KeepAlive(kept)
	clean(t, m)
}

func TestPoolsComeFromTheDriverWhereItHasThem(t *testing.T) {
	for _, none := range []bool{false, true} {
		m := mock.New(mock.Options{NoPools: none})
		d := open(t, m, driver.DeviceOptions{Pools: true})
		do(t, d, func(c *driver.Ctx) error { _, err := c.Alloc(100, "x"); return err })
		if got := m.Count("cuMemAllocAsync"); (got == 1) == none {
			t.Errorf("no pools %v: %d calls", none, got)
		}
	}
}
