// Tests of copies, launches, products, captured graphs.

package driver_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

func TestCopiesLargerThanThePinnedMemoryArrive(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2} {
		d := open(t, mock.New(mock.Options{Seed: seed}), driver.DeviceOptions{})
		do(t, d, func(c *driver.Ctx) error {
			const n = 11<<20 + 3
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(i * 7 >> 3)
			}
			b, err := c.Alloc(n+5, "big")
			if err != nil {
				return err
			}
			given := slices.Clone(src)
			if err := c.Upload(b, 5, given); err != nil {
				return err
			}
			clear(given) // the caller may do so
			dst := make([]byte, n)
			if err := c.Download(dst, b, 5); err != nil {
				return err
			}
			if !slices.Equal(dst, src) {
				t.Errorf("seed %d: the copy differs", seed)
			}
			return nil
		})
	}
}

func TestACopyThatFailsLeavesNoTrace(t *testing.T) {
	const n = 9 << 20 // three pieces
	pattern, sevens := make([]byte, n), bytes.Repeat([]byte{7}, n)
	for i := range pattern {
		pattern[i] = byte(i >> 4)
	}
	for _, call := range []string{"cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuEventRecord", "cuEventSynchronize"} {
		for which := range 3 {
			if testing.Short() && which != 1 {
				continue
			}
			m := mock.New(mock.Options{})
			d := open(t, m, driver.DeviceOptions{})
			do(t, d, func(c *driver.Ctx) error {
				b, err := c.Alloc(n, "b")
				if err != nil {
					return err
				}
				src := bytes.Repeat([]byte{1}, n)
				seen := 0
				m.FailIf(func(_ int, c string) int {
					if c == call {
						seen++
						if seen == which+1 {
							return int(driver.UnknownDriverFailed)
						}
					}
					return 0
				})
				dst := make([]byte, n)
				err = errors.Join(c.Upload(b, 0, src), c.Download(dst, b, 0))
				if (err == nil) != (seen <= which) {
					t.Errorf("%s %d: %v after %d calls", call, which, err, seen)
				}
				m.FailIf(nil)
				copy(dst, sevens) // the caller's again
				copy(src, pattern)
				got := make([]byte, n)
				if err := errors.Join(c.Upload(b, 0, src), c.Download(got, b, 0)); err != nil {
					return err
				}
				if !bytes.Equal(got, src) {
					t.Errorf("%s %d: a later copy is wrong", call, which)
				}
				if !bytes.Equal(dst, sevens) {
					t.Errorf("%s %d: the failed copy wrote later", call, which)
				}
				return nil
			})
		}
	}
}

func TestWorkOfAStreamIsOrdered(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2, 3} {
		m := mock.New(mock.Options{Seed: seed})
		register(m)
		d := open(t, m, driver.DeviceOptions{})
		do(t, d, func(c *driver.Ctx) error {
			k, err := loadKernels(m, c)
			if err != nil {
				return err
			}
			x, err := floats(c, "x", 1, 2, 3)
			if err != nil {
				return err
			}
			y, err := c.Alloc(x.Bytes(), "y")
			if err != nil {
				return err
			}
			if err := errors.Join(k.launchScale(c, x, 10, 0), c.Copy(y, 0, x, 0, 12), k.launchScale(c, y, 2, 0), c.Fill(x, 4, 4, 0)); err != nil {
				return err
			}
			got, err := read(c, x)
			if err != nil {
				return err
			}
			gotY, err := read(c, y)
			if !slices.Equal(got, []float32{10, 0, 30}) || !slices.Equal(gotY, []float32{20, 40, 60}) {
				t.Errorf("seed %d: x %v, y %v", seed, got, gotY)
			}
			return err
		})
	}
}

func TestEventsOrderStreams(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		x, err := floats(c, "x", 1, 2)
		if err != nil {
			return err
		}
		other, err := c.NewStream()
		if err != nil {
			return err
		}
		e, err := c.NewEvent(false)
		if err != nil {
			return err
		}
		r := c.Driver()
		// The device's stream is never waited for directly.
		err = errors.Join(k.launchScale(c, x, 5, 0), r.EventRecord(e, c.Stream()), r.StreamWaitEvent(other, e), k.launchScale(c, x, 2, other))
		c.UsedIn(other, x)
		if err = errors.Join(err, r.StreamSynchronize(other)); err != nil {
			return err
		}
		got, err := read(c, x)
		if !slices.Equal(got, []float32{10, 20}) {
			t.Errorf("got %v", got)
		}
		return errors.Join(err, c.Destroy(e), c.Destroy(other))
	})
}

func TestArgumentsArriveInEveryType(t *testing.T) {
	m := mock.New(mock.Options{})
	var got string
	m.Register("f", mock.Kernel{Params: []int{8, 4, 4, 4, 8, 8, 8}, Run: func(l *mock.Launch) {
		got = fmt.Sprint(mock.Arg[driver.Ptr](l, 0), mock.Arg[int32](l, 1), mock.Arg[uint32](l, 2), mock.Arg[float32](l, 3),
			mock.Arg[int64](l, 4), mock.Arg[uint64](l, 5), mock.Arg[float64](l, 6), l.Grid, l.Block, l.Shared)
	}})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		mod, err := c.Load(mock.Cubin(90, "f"))
		if err != nil {
			return err
		}
		f, err := c.Function(mod, "f")
		if err != nil {
			return err
		}
		args := new(driver.Args).Int32(99) // forgotten again
		args.Reset().Ptr(7).Int32(-1).Uint32(math.MaxUint32).Float32(0.5).Int64(-2).Uint64(math.MaxUint64).Float64(-0.25)
		// More shared memory than a kernel has without asking.
		if err := c.Launch(f, driver.Launch{Grid: driver.Dim3{Y: 3}, Block: driver.Dim3{X: 32}, Shared: 64 << 10}, args); err != nil {
			return err
		}
		if err := c.Launch(f, driver.Launch{}, args); err != nil { // no blocks, no launch
			return err
		}
		return errors.Join(c.Synchronize(), c.Destroy(mod))
	})
	if want := "7 -1 4294967295 0.5 -2 18446744073709551615 -0.25 {1 3 1} {32 1 1} 65536"; got != want {
		t.Errorf("got %s", got)
	}
	if n := m.Count("cuLaunchKernel"); n != 1 {
		t.Errorf("%d launches", n)
	}
}

func TestAModuleIsUnloadedAfterTheWorkThatWasHandedOverBefore(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	var k kernels
	var x *driver.Buffer
	do(t, d, func(c *driver.Ctx) (err error) {
		if k, err = loadKernels(m, c); err == nil {
			x, err = floats(c, "x", 1, 2)
		}
		return err
	})
	for range 3 {
		if err := d.Go(func(c *driver.Ctx) error { return k.launchScale(c, x, 2, 0) }); err != nil {
			t.Fatal(err)
		}
	}
	d.Unload(k.module)
	do(t, d, func(c *driver.Ctx) error {
		if got, err := read(c, x); err != nil || !slices.Equal(got, []float32{8, 16}) {
			t.Errorf("%v (%v)", got, err)
		}
		return nil
	})
	if n := m.Count("cuModuleUnload"); n != 1 {
		t.Errorf("%d modules were unloaded", n)
	}
}

// What cannot be unloaded is tried again at the end, when somebody has learnt of it.
func TestAModuleThatIsNotUnloadedIsToldOf(t *testing.T) {
	for _, call := range []string{"cuModuleUnload", "cuCtxSynchronize"} {
		m := mock.New(mock.Options{})
		register(m)
		d := open(t, m, driver.DeviceOptions{})
		var k kernels
		do(t, d, func(c *driver.Ctx) (err error) { k, err = loadKernels(m, c); return err })
		m.FailIf(func(_ int, called string) int {
			if called == call {
				return int(driver.UnknownDriverFailed)
			}
			return 0
		})
		d.Unload(k.module)
		d.Settle()
		m.FailIf(nil)
		if err := d.Wait(); !errors.Is(err, driver.UnknownDriverFailed) {
			t.Errorf("%s fails, Wait: %v", call, err)
		}
	}
}

func TestAModuleOfAClosedDeviceIsUnloadedAlready(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	var k kernels
	do(t, d, func(c *driver.Ctx) (err error) { k, err = loadKernels(m, c); return err })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d.Unload(k.module)
	if n := m.Count("cuModuleUnload"); n != 1 {
		t.Errorf("%d modules were unloaded", n)
	}
}

func TestLoadRefusesCodeOfAnotherArchitecture(t *testing.T) {
	d := open(t, mock.New(mock.Options{SM: 75}), driver.DeviceOptions{})
	if err := d.Do(func(c *driver.Ctx) error { _, err := c.Load(mock.Cubin(90, "f")); return err }); !errors.Is(err, driver.NoBinaryForGPU) {
		t.Errorf("%v", err)
	}
}

func TestTimeMeasuresOnTheDevice(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		x, err := floats(c, "x", 1)
		if err != nil {
			return err
		}
		took, err := c.Time(func() error { return errors.Join(k.launchScale(c, x, 2, 0), k.launchScale(c, x, 2, 0)) })
		if took.Round(time.Microsecond) != 3*time.Microsecond { // of the mock's clock: two kernels and the second event
			t.Errorf("took %v", took)
		}
		return err
	})
}

// TestGemmMatchesTheDefinition covers both storage orders, transposed operands,
// leading dimensions, both types and batches.
func TestGemmMatchesTheDefinition(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	r := rand.New(rand.NewPCG(1, 2))
	for mode := range 16 {
		rows, transA, transB, batch := mode&1 != 0, mode&2 != 0, mode&4 != 0, 1+2*(mode>>3)
		const M, N, K = 3, 4, 5
		g := driver.Gemm{Type: driver.Float32, TransA: transA, TransB: transB, M: M, N: N, K: K, Alpha: 2, Beta: -1, LDA: 7, LDB: 8, LDC: 9, Batch: batch, StrideA: 50, StrideB: 60, StrideC: 70}
		random := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(r.NormFloat64())
			}
			return x
		}
		a, b, c := random(50*batch), random(60*batch), random(70*batch)
		want := slices.Clone(c)
		at := func(x []float32, base, ld int, trans bool, i, j int) float64 {
			if trans {
				i, j = j, i
			}
			if !rows {
				i, j = j, i
			}
			return float64(x[base+i*ld+j])
		}
		for p := range batch {
			for i := range M {
				for j := range N {
					sum := 0.0
					for k := range K {
						sum += at(a, 50*p, 7, transA, i, k) * at(b, 60*p, 8, transB, k, j)
					}
					at := 70*p + i*9 + j
					if !rows {
						at = 70*p + j*9 + i
					}
					want[at] = float32(2*sum - float64(c[at]))
				}
			}
		}
		var got []float32
		do(t, d, func(x *driver.Ctx) error {
			var buffers [3]*driver.Buffer
			for i, data := range [][]float32{a, b, c} {
				var err error
				if buffers[i], err = floats(x, "matrix", data...); err != nil {
					return err
				}
			}
			g.A, g.B, g.C = buffers[0].Ptr(), buffers[1].Ptr(), buffers[2].Ptr()
			blas, err := x.BLAS(0)
			if err != nil {
				return err
			}
			multiply := blas.Gemm
			if rows {
				multiply = blas.GemmRows
			}
			if err := multiply(g); err != nil {
				return err
			}
			if got, err = read(x, buffers[2]); err != nil {
				return err
			}
			for _, b := range buffers {
				x.Free(b)
			}
			return nil
		})
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-5 {
				t.Fatalf("mode %d: element %d is %v, want %v", mode, i, got[i], want[i])
			}
		}
	}
	if modes := m.BLAS().MathModes(); len(modes) != 1 || modes[0] != driver.MathDefault {
		t.Errorf("math modes %v: float32 products must be in float32", modes)
	}
}

func TestGemmRefusesSizesThatDoNotFit(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	for name, g := range map[string]driver.Gemm{
		"negative": {M: -1, N: 1, K: 1, LDA: 1, LDB: 1, LDC: 1},
		"lda":      {M: 3, N: 1, K: 1, LDA: 2, LDB: 1, LDC: 3},
		"ldb":      {M: 1, N: 3, K: 1, TransB: true, LDA: 1, LDB: 2, LDC: 1},
		"int32":    {M: 1, N: 1, K: 1, LDA: math.MaxInt32 + 1, LDB: 1, LDC: 1},
	} {
		text := misuse(t, func() {
			_ = d.Do(func(c *driver.Ctx) error {
				b, err := c.BLAS(0)
				if err != nil {
					return err
				}
				return b.Gemm(g)
			})
		})
		if !strings.Contains(text, "leading dimensions") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestWithoutCuBLASProductsSayWhatIsMissing(t *testing.T) {
	m := mock.New(mock.Options{})
	why := errors.New("cuBLAS not found: looked for it everywhere")
	s := &driver.System{Driver: m, BLASErr: why}
	d, err := s.Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Do(func(c *driver.Ctx) error { _, err := c.BLAS(0); return err }); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	clean(t, m)
}

// step scales and adds, with a temporary, as a training step would.
func step(c *driver.Ctx, k kernels, x, out *driver.Buffer) error {
	t, err := c.Alloc(x.Bytes(), "temporary")
	if err != nil {
		return err
	}
	n := int32(x.Bytes() / 4)
	args := new(driver.Args).Buffer(t).Buffer(x).Buffer(x).Int32(n)
	err = c.Launch(k.add, driver.Launch{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 64}}, args)
	if err == nil {
		err = k.launchScale(c, t, 0.5, 0)
	}
	args.Reset().Buffer(out).Buffer(out).Buffer(t).Int32(n)
	if err == nil {
		err = c.Launch(k.add, driver.Launch{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 64}}, args)
	}
	c.Free(t)
	return err
}

func TestACapturedStepReplays(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2} {
		m := mock.New(mock.Options{Seed: seed})
		register(m)
		d := open(t, m, driver.DeviceOptions{})
		do(t, d, func(c *driver.Ctx) error {
			k, err := loadKernels(m, c)
			if err != nil {
				return err
			}
			x, err := floats(c, "x", 1, 2, 3)
			if err != nil {
				return err
			}
			out, err := floats(c, "out", 0, 0, 0)
			if err != nil {
				return err
			}
			if err := step(c, k, x, out); err != nil { // its temporary is cached now
				return err
			}
			g, err := c.Capture(func() error { return step(c, k, x, out) })
			if err != nil {
				return err
			}
			if made, gone := m.Count("cuStreamEndCapture"), m.Count("cuGraphDestroy"); made != 1 || gone != 1 {
				t.Errorf("%d graphs made, %d destroyed after they were instantiated", made, gone)
			}
			if got, err := read(c, out); err != nil || !slices.Equal(got, []float32{1, 2, 3}) {
				t.Errorf("the capture ran: %v, %v", got, err)
			}
			for range 4 {
				if err := c.Replay(g); err != nil {
					return err
				}
			}
			// What others allocate now must not be the graph's temporary.
			other, err := floats(c, "other", 7, 7, 7)
			if err != nil {
				return err
			}
			if err := c.Replay(g); err != nil {
				return err
			}
			if got, err := read(c, out); err != nil || !slices.Equal(got, []float32{6, 12, 18}) {
				t.Errorf("after five launches: %v, %v", got, err)
			}
			if got, err := read(c, other); err != nil || !slices.Equal(got, []float32{7, 7, 7}) {
				t.Errorf("the graph writes into another's buffer: %v, %v", got, err)
			}
			before := m.Count("cuMemAlloc")
			if err := c.Replay(g); err != nil { // not waited for
				return err
			}
			if err := c.DestroyGraph(g); err != nil {
				return err
			}
			if _, err := c.Alloc(12, "again"); err != nil {
				return err
			}
			if n := m.Count("cuMemAlloc") - before; n != 0 {
				t.Errorf("the graph's memory is not reused: %d allocations", n)
			}
			return nil
		})
	}
}

func TestStreamsThatForkAndJoinAreCaptured(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
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
		other, err := c.NewStream()
		if err != nil {
			return err
		}
		fork, err := c.NewEvent(false)
		if err != nil {
			return err
		}
		join, err := c.NewEvent(false)
		if err != nil {
			return err
		}
		r := c.Driver()
		var p driver.Ptr
		g, err := c.Capture(func() error {
			t, err := c.Alloc(8, "temporary")
			if err != nil {
				return err
			}
			p = t.Ptr()
			err = errors.Join(c.Copy(t, 0, x, 0, 8), r.EventRecord(fork, c.Stream()), r.StreamWaitEvent(other, fork),
				k.launchScale(c, t, 3, other), r.EventRecord(join, other), r.StreamWaitEvent(c.Stream(), join), c.Copy(out, 0, t, 0, 8))
			c.UsedIn(other, t)
			c.Free(t)
			return err
		})
		if err != nil {
			return err
		}
		if err := c.Replay(g); err != nil {
			return err
		}
		if got, err := read(c, out); err != nil || !slices.Equal(got, []float32{3, 6}) {
			t.Errorf("got %v, %v", got, err)
		}
		if b, err := c.Alloc(8, "other"); err != nil || b.Ptr() == p {
			t.Errorf("the graph's memory is given to others while the graph lives: %v", err)
		}
		if err := c.DestroyGraph(g); err != nil {
			return err
		}
		if b, err := c.Alloc(8, "other"); err != nil || b.Ptr() != p {
			t.Errorf("the graph's memory is not given to others after its end: %v", err)
		}
		return errors.Join(c.Destroy(fork), c.Destroy(join), c.Destroy(other))
	})
}

func TestACaptureReusesItsOwnTemporaries(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		k, err := loadKernels(m, c)
		if err != nil {
			return err
		}
		x, err := floats(c, "x", 1, 2, 3)
		if err != nil {
			return err
		}
		out, err := floats(c, "out", 0, 0, 0)
		if err != nil {
			return err
		}
		before := m.Count("cuMemAlloc")
		g, err := c.Capture(func() error {
			for range 10 {
				if err := step(c, k, x, out); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n := m.Count("cuMemAlloc") - before; n != 1 {
			t.Errorf("%d blocks for ten temporaries one after the other", n)
		}
		if err := c.Replay(g); err != nil {
			return err
		}
		got, err := read(c, out)
		if !slices.Equal(got, []float32{10, 20, 30}) {
			t.Errorf("got %v", got)
		}
		return err
	})
}

func TestACaptureThatFailsLeavesTheDeviceUsable(t *testing.T) {
	mine := errors.New("mine")
	for name, f := range map[string]func(c *driver.Ctx) error{
		"error": func(c *driver.Ctx) error {
			_, err := c.Capture(func() error {
				if _, err := c.Alloc(100, "temporary"); err != nil {
					return err
				}
				return mine
			})
			return err
		},
		"panic": func(c *driver.Ctx) error {
			_, err := c.Capture(func() error { panic(mine) })
			return err
		},
		"misuse": func(c *driver.Ctx) error {
			b, err := c.Alloc(4, "x")
			if err != nil {
				return err
			}
			_, err = c.Capture(func() error { return c.Download(make([]byte, 4), b, 0) })
			return err
		},
	} {
		m := mock.New(mock.Options{})
		register(m)
		d := open(t, m, driver.DeviceOptions{})
		func() {
			defer func() { _ = recover() }()
			if err := d.Do(f); !errors.Is(err, mine) {
				t.Errorf("%s: %v", name, err)
			}
		}()
		do(t, d, func(c *driver.Ctx) error {
			x, err := floats(c, "x", 4, 5)
			if err != nil {
				return err
			}
			got, err := read(c, x)
			if !slices.Equal(got, []float32{4, 5}) {
				t.Errorf("%s: %v", name, got)
			}
			return err
		})
	}
}

// What is uploaded within a capture is uploaded again at every launch, whatever became
// of the bytes it was taken from.
func TestAnUploadIsPartOfACapture(t *testing.T) {
	m := mock.New(mock.Options{})
	register(m)
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		x, err := floats(c, "x", 1, 2, 3)
		if err != nil {
			return err
		}
		src := []float32{7, 8}
		g, err := c.Capture(func() error { return c.Upload(x, 4, driver.AsBytes(src)) })
		if err != nil {
			return err
		}
		src[0], src[1] = 0, 0
		for range 2 {
			if err := c.Upload(x, 0, driver.AsBytes([]float32{4, 5, 6})); err != nil {
				return err
			}
			if err := c.Replay(g); err != nil {
				return err
			}
			if got, err := read(c, x); err != nil || !slices.Equal(got, []float32{4, 7, 8}) {
				t.Errorf("%v, %v", got, err)
			}
		}
		return c.DestroyGraph(g)
	})
	if slices.Contains(m.Leaks(), "host memory: 8 bytes") { // the pinned copy
		t.Errorf("leaked: %q", m.Leaks())
	}
}

func TestWaitingWithinACaptureInvalidatesIt(t *testing.T) {
	m := mock.New(mock.Options{})
	d, err := system(m).Open(0, driver.DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Do(func(c *driver.Ctx) error {
		_, err := c.Capture(c.Synchronize)
		return err
	})
	if !errors.Is(err, driver.CaptureUnsupported) || !errors.Is(err, driver.CaptureInvalidated) {
		t.Errorf("%v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if len(m.Leaks()) > 0 || len(m.Faults()) != 1 {
		t.Errorf("leaks %q, faults %q", m.Leaks(), m.Faults())
	}
}

func TestProductsCanBeCaptured(t *testing.T) {
	m := mock.New(mock.Options{})
	d := open(t, m, driver.DeviceOptions{})
	do(t, d, func(c *driver.Ctx) error {
		x, err := floats(c, "x", 2)
		if err != nil {
			return err
		}
		out, err := floats(c, "out", 1)
		if err != nil {
			return err
		}
		blas, err := c.BLAS(0)
		if err != nil {
			return err
		}
		g, err := c.Capture(func() error {
			return blas.GemmRows(driver.Gemm{M: 1, N: 1, K: 1, Alpha: 1, Beta: 1, A: x.Ptr(), B: x.Ptr(), C: out.Ptr(), LDA: 1, LDB: 1, LDC: 1})
		})
		if err != nil {
			return err
		}
		if err := errors.Join(c.Replay(g), c.Replay(g)); err != nil {
			return err
		}
		got, err := read(c, out)
		if !slices.Equal(got, []float32{9}) {
			t.Errorf("got %v", got)
		}
		return err
	})
}
