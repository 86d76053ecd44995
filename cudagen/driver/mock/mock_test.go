// Tests of the mock itself: what must not be done is caught.

package mock

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// machine returns a mock whose context is current on the test's goroutine.
func machine(t *testing.T, o Options) (*Driver, *context) {
	t.Helper()
	d := New(o)
	must(t, d.Init())
	c, err := d.PrimaryCtxRetain(0)
	must(t, err)
	must(t, d.CtxSetCurrent(c))
	return d, d.contexts[0]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func value[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		must(t, err)
		return v
	}
}

func TestMisuseIsCaught(t *testing.T) {
	host := make([]byte, 64)
	at := unsafe.Pointer(&host[0])
	for name, c := range map[string]struct {
		f     func(t *testing.T, d *Driver, s driver.Stream) error
		code  driver.Result
		fault string
	}{
		"free twice": {func(t *testing.T, d *Driver, s driver.Stream) error {
			p := value[driver.Ptr](t)(d.MemAlloc(64))
			must(t, d.MemFree(p))
			return d.MemFree(p)
		}, driver.InvalidValue, "freed twice"},
		"free inside a block": {func(t *testing.T, d *Driver, s driver.Stream) error {
			return d.MemFree(value[driver.Ptr](t)(d.MemAlloc(64)) + 8)
		}, driver.InvalidValue, "no memory starts there"},
		"copy out of bounds": {func(t *testing.T, d *Driver, s driver.Stream) error {
			return d.MemcpyHtoD(value[driver.Ptr](t)(d.MemAlloc(63)), at, 64)
		}, driver.InvalidValue, "exceed a block of 63"},
		"copy from freed memory": {func(t *testing.T, d *Driver, s driver.Stream) error {
			p := value[driver.Ptr](t)(d.MemAlloc(64))
			must(t, d.MemFree(p))
			return d.MemcpyDtoH(at, p, 64)
		}, driver.InvalidValue, "used after its free"},
		"copy past the end of pinned work": {func(t *testing.T, d *Driver, s driver.Stream) error {
			p := value[driver.Ptr](t)(d.MemAllocAsync(64, s))
			must(t, d.MemFreeAsync(p, s))
			must(t, d.MemsetD8Async(p, 0, 64, s)) // queued behind the free
			return d.StreamSynchronize(s)
		}, driver.IllegalAddress, "used after its free"},
		"fill that is not aligned": {func(t *testing.T, d *Driver, s driver.Stream) error {
			return d.MemsetD32Async(value[driver.Ptr](t)(d.MemAlloc(64))+2, 0, 1, s)
		}, driver.InvalidValue, "multiple of 4"},
		"another thread": {func(t *testing.T, d *Driver, s driver.Stream) error {
			err := make(chan error)
			go func() { err <- d.CtxSynchronize() }()
			return <-err
		}, driver.InvalidContext, "no context"},
		"stream destroyed": {func(t *testing.T, d *Driver, s driver.Stream) error {
			other := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
			must(t, d.StreamDestroy(other))
			return d.StreamSynchronize(other)
		}, driver.InvalidHandle, "no stream"},
		"event never recorded": {func(t *testing.T, d *Driver, s driver.Stream) error {
			return d.StreamWaitEvent(s, value[driver.Event](t)(d.EventCreate(0)))
		}, driver.InvalidHandle, "never recorded"},
		"elapsed without timing": {func(t *testing.T, d *Driver, s driver.Stream) error {
			e := value[driver.Event](t)(d.EventCreate(driver.EventDisableTiming))
			must(t, d.EventRecord(e, s))
			must(t, d.EventSynchronize(e))
			_, err := d.EventElapsedTime(e, e)
			return err
		}, driver.InvalidHandle, "without timing"},
		"elapsed before the end": {func(t *testing.T, d *Driver, s driver.Stream) error {
			e := value[driver.Event](t)(d.EventCreate(driver.EventTiming))
			must(t, d.EventRecord(e, s))
			_, err := d.EventElapsedTime(e, e)
			return err
		}, driver.NotReady, ""},
		"launch from an unloaded module": {func(t *testing.T, d *Driver, s driver.Stream) error {
			m := value[driver.Module](t)(d.ModuleLoadData(Cubin(90, "f")))
			f := value[driver.Function](t)(d.ModuleGetFunction(m, "f"))
			must(t, d.ModuleUnload(m))
			return d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, nil)
		}, driver.InvalidHandle, "no function of a loaded module"},
		"module unloaded before its kernel ran": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, m := loaded(t, d, Kernel{Run: func(*Launch) {}})
			must(t, d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, nil))
			must(t, d.ModuleUnload(m))
			return d.StreamSynchronize(s)
		}, driver.IllegalAddress, "no function of a loaded module"},
		"kernel without a body": {func(t *testing.T, d *Driver, s driver.Stream) error {
			m := value[driver.Module](t)(d.ModuleLoadData(Cubin(90, "f")))
			f := value[driver.Function](t)(d.ModuleGetFunction(m, "f"))
			return d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, nil)
		}, driver.NotFound, "no body"},
		"empty grid": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, _ := loaded(t, d, Kernel{Run: func(*Launch) {}})
			return d.LaunchKernel(f, driver.Dim3{X: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, nil)
		}, driver.InvalidValue, "grid"},
		"too many threads": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, _ := loaded(t, d, Kernel{Run: func(*Launch) {}})
			return d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 64, Y: 17, Z: 1}, 0, s, nil)
		}, driver.InvalidValue, "block"},
		"shared memory not asked for": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, _ := loaded(t, d, Kernel{Run: func(*Launch) {}})
			return d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 48<<10+1, s, nil)
		}, driver.InvalidValue, "shared memory"},
		"missing arguments": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, _ := loaded(t, d, Kernel{Params: []int{4}, Run: func(*Launch) {}})
			return d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, nil)
		}, driver.InvalidValue, "1 parameters, 0 were given"},
		"kernel out of bounds": {func(t *testing.T, d *Driver, s driver.Stream) error {
			f, _ := loaded(t, d, Kernel{Params: []int{8}, Run: func(l *Launch) { Slice[float32](l, 0, 17) }})
			p := new(driver.Ptr)
			*p = value[driver.Ptr](t)(d.MemAlloc(64))
			must(t, d.LaunchKernel(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}, 0, s, []unsafe.Pointer{unsafe.Pointer(p)}))
			return d.CtxSynchronize()
		}, driver.IllegalAddress, "68 bytes"},
		"graph destroyed": {func(t *testing.T, d *Driver, s driver.Stream) error {
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			g := value[driver.Graph](t)(d.StreamEndCapture(s))
			must(t, d.GraphDestroy(g))
			_, err := d.GraphInstantiate(g)
			return err
		}, driver.InvalidValue, "no graph"},
		"context released twice": {func(t *testing.T, d *Driver, s driver.Stream) error {
			must(t, d.StreamDestroy(s))
			must(t, d.CtxSetCurrent(0))
			must(t, d.PrimaryCtxRelease(0))
			return d.PrimaryCtxRelease(0)
		}, driver.InvalidContext, "not retained"},
		"pinned memory freed twice": {func(t *testing.T, d *Driver, s driver.Stream) error {
			p := value[unsafe.Pointer](t)(d.MemHostAlloc(8))
			must(t, d.MemFreeHost(p))
			return d.MemFreeHost(p)
		}, driver.InvalidValue, "pinned"},

		// The rules of capture.
		"capture of the legacy stream": {func(t *testing.T, d *Driver, s driver.Stream) error {
			return d.StreamBeginCapture(0, driver.CaptureRelaxed)
		}, driver.CaptureUnsupported, "legacy"},
		"capture in a capture": {func(t *testing.T, d *Driver, s driver.Stream) error {
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			return d.StreamBeginCapture(s, driver.CaptureRelaxed)
		}, driver.IllegalState, "already"},
		"end without a beginning": {func(t *testing.T, d *Driver, s driver.Stream) error {
			_, err := d.StreamEndCapture(s)
			return err
		}, driver.IllegalState, "not capturing"},
		"wait in a capture": {func(t *testing.T, d *Driver, s driver.Stream) error {
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			if err := d.StreamSynchronize(s); !errors.Is(err, driver.CaptureUnsupported) {
				t.Error(err)
			}
			_, err := d.StreamEndCapture(s)
			return err
		}, driver.CaptureInvalidated, "is capturing"},
		"allocation in a strict capture": {func(t *testing.T, d *Driver, s driver.Stream) error {
			must(t, d.StreamBeginCapture(s, driver.CaptureThreadLocal))
			_, err := d.MemAlloc(8)
			return err
		}, driver.CaptureUnsupported, "while a stream captures"},
		"copy of Go's memory in a capture": {func(t *testing.T, d *Driver, s driver.Stream) error {
			p := value[driver.Ptr](t)(d.MemAlloc(64))
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			return d.MemcpyHtoDAsync(p, at, 64, s)
		}, driver.CaptureUnsupported, "not pinned"},
		"stream not joined again": {func(t *testing.T, d *Driver, s driver.Stream) error {
			other := fork(t, d, s)
			must(t, d.MemsetD8Async(value[driver.Ptr](t)(d.MemAlloc(8)), 0, 8, other))
			_, err := d.StreamEndCapture(s)
			return err
		}, driver.CaptureUnjoined, "not joined"},
		"capture waits for an event from outside": {func(t *testing.T, d *Driver, s driver.Stream) error {
			e := value[driver.Event](t)(d.EventCreate(0))
			must(t, d.EventRecord(e, s))
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			return d.StreamWaitEvent(s, e)
		}, driver.CaptureIsolation, "from outside"},
		"captured event is asked": {func(t *testing.T, d *Driver, s driver.Stream) error {
			e := value[driver.Event](t)(d.EventCreate(0))
			must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
			must(t, d.EventRecord(e, s))
			_, err := d.StreamEndCapture(s)
			must(t, err)
			_, err = d.EventQuery(e)
			return err
		}, driver.CapturedEvent, "in a capture"},
		"end in another stream": {func(t *testing.T, d *Driver, s driver.Stream) error {
			_, err := d.StreamEndCapture(fork(t, d, s))
			return err
		}, driver.CaptureUnmatched, "another stream"},
	} {
		d, _ := machine(t, Options{})
		s := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
		err := c.f(t, d, s)
		if !errors.Is(err, c.code) {
			t.Errorf("%s: %v, want %v", name, err, c.code)
		}
		faults := strings.Join(d.Faults(), "; ")
		if c.fault == "" && faults != "" || !strings.Contains(faults, c.fault) {
			t.Errorf("%s: faults %q, want %q", name, faults, c.fault)
		}
	}
}

// loaded loads a kernel.
func loaded(t *testing.T, d *Driver, k Kernel) (driver.Function, driver.Module) {
	t.Helper()
	d.Register("f", k)
	m := value[driver.Module](t)(d.ModuleLoadData(Cubin(90, "f")))
	return value[driver.Function](t)(d.ModuleGetFunction(m, "f")), m
}

// fork begins a capture of s and returns a stream that takes part in it.
func fork(t *testing.T, d *Driver, s driver.Stream) driver.Stream {
	t.Helper()
	other := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
	e := value[driver.Event](t)(d.EventCreate(driver.EventDisableTiming))
	must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
	must(t, d.EventRecord(e, s))
	must(t, d.StreamWaitEvent(other, e))
	return other
}

func TestAForkThatJoinsIsCapturedInOrder(t *testing.T) {
	d, c := machine(t, Options{})
	s := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
	p := value[driver.Ptr](t)(d.MemAlloc(8))
	other := fork(t, d, s)
	e := value[driver.Event](t)(d.EventCreate(driver.EventDisableTiming))
	must(t, d.MemsetD8Async(p, 1, 8, other))
	must(t, d.EventRecord(e, other))
	must(t, d.StreamWaitEvent(s, e))
	must(t, d.MemsetD8Async(p, 2, 4, s))
	g := value[driver.Graph](t)(d.StreamEndCapture(s))
	x := value[driver.GraphExec](t)(d.GraphInstantiate(g))
	must(t, d.GraphLaunch(x, s))
	must(t, d.StreamSynchronize(s))
	if got := c.at("test", p, 8); string(got) != "\x02\x02\x02\x02\x01\x01\x01\x01" {
		t.Errorf("got %v", got)
	}
	if f := d.Faults(); len(f) > 0 {
		t.Errorf("faults %q", f)
	}
}

func TestLeaksListsWhatIsAlive(t *testing.T) {
	d, _ := machine(t, Options{})
	s := value[driver.Stream](t)(d.StreamCreate(0))
	value[driver.Event](t)(d.EventCreate(0))
	value[driver.Ptr](t)(d.MemAlloc(100))
	value[unsafe.Pointer](t)(d.MemHostAlloc(7))
	value[driver.Module](t)(d.ModuleLoadData(Cubin(90)))
	value[driver.BLASHandle](t)(d.BLAS().Create())
	must(t, d.StreamBeginCapture(s, driver.CaptureRelaxed))
	g := value[driver.Graph](t)(d.StreamEndCapture(s))
	value[driver.GraphExec](t)(d.GraphInstantiate(g))
	want := []string{"context of device 0", "stream: 1", "event: 1", "100 bytes", "host memory: 7 bytes", "module: 1", "cuBLAS handle: 1", "graph: 1", "executable graph: 1"}
	check := func() {
		t.Helper()
		got := strings.Join(d.Leaks(), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%q is not in:\n%s", w, got)
			}
		}
	}
	check()
	must(t, d.CtxSetCurrent(0))
	must(t, d.PrimaryCtxRelease(0))
	want = want[1:] // lost with the context, but not forgotten
	check()
}

func TestWorkRunsNoEarlierThanItIsWaitedFor(t *testing.T) {
	d, c := machine(t, Options{})
	s := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
	p := value[driver.Ptr](t)(d.MemAlloc(4))
	must(t, d.MemsetD8Async(p, 1, 4, s))
	var got [4]byte
	must(t, d.MemcpyDtoH(unsafe.Pointer(&got[0]), p, 4)) // not ordered with s
	if got[0] == 1 {
		t.Error("the fill ran before anything waited for it")
	}
	if done := value[bool](t)(d.StreamQuery(s)); done {
		t.Error("the stream says it is done")
	}
	must(t, d.StreamSynchronize(s))
	if c.at("test", p, 4)[0] != 1 {
		t.Error("the fill did not run")
	}
}

func TestSeedsRunWorkAtDifferentMoments(t *testing.T) {
	early := make(map[bool]int)
	for seed := range uint64(20) {
		d, c := machine(t, Options{Seed: seed + 1})
		s := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
		p := value[driver.Ptr](t)(d.MemAlloc(4))
		must(t, d.MemsetD8Async(p, 1, 4, s))
		_, _, err := d.MemGetInfo()
		must(t, err)
		early[c.at("test", p, 4)[0] == 1]++
	}
	if early[true] == 0 || early[false] == 0 {
		t.Errorf("early %d times, late %d times", early[true], early[false])
	}
}

func TestASetStreamForgetsTheWorkspaceOfCuBLAS(t *testing.T) {
	d, _ := machine(t, Options{})
	b := d.BLAS()
	h := value[driver.BLASHandle](t)(b.Create())
	p := value[driver.Ptr](t)(d.MemAlloc(4096))
	g := &driver.Gemm{M: 1, N: 1, K: 1, LDA: 1, LDB: 1, LDC: 1, A: p, B: p, C: p + 4}
	must(t, b.SetWorkspace(h, p, 4096))
	must(t, b.GemmEx(h, g))
	if f := d.Faults(); len(f) != 0 {
		t.Errorf("faults %q", f)
	}
	must(t, b.SetStream(h, 0))
	must(t, b.GemmEx(h, g))
	if f := d.Faults(); len(f) != 1 || !strings.Contains(f[0], "workspace") {
		t.Errorf("faults %q", f)
	}
}

func TestACopyFromGoMemoryIsTakenAtOnceAndFromPinnedMemoryLater(t *testing.T) {
	d, c := machine(t, Options{})
	s := value[driver.Stream](t)(d.StreamCreate(driver.StreamNonBlocking))
	p := value[driver.Ptr](t)(d.MemAlloc(2))
	pinned := value[unsafe.Pointer](t)(d.MemHostAlloc(1))
	own := []byte{1}
	*(*byte)(pinned) = 1
	must(t, d.MemcpyHtoDAsync(p, unsafe.Pointer(&own[0]), 1, s))
	must(t, d.MemcpyHtoDAsync(p+1, pinned, 1, s))
	own[0], *(*byte)(pinned) = 2, 2
	must(t, d.StreamSynchronize(s))
	if got := c.at("test", p, 2); got[0] != 1 || got[1] != 2 {
		t.Errorf("got %v", got)
	}
}
