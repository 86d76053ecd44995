package dense_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// A forward and a backward pass recorded once train as those that are run: the
// optimiser's step stays outside.
func TestReplayedStepsTrainLikeOthers(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	train := func(captured bool) []float64 {
		w := autograd.Parameter(tensor.Scale(tensor.Randn(tensor.Float32, 1, 4, 3), 0.5).ToDevice(d))
		x, y := autograd.Constant(tensor.Randn(tensor.Float32, 2, 8, 4).ToDevice(d)), autograd.Constant(tensor.Randn(tensor.Float32, 3, 8, 3).ToDevice(d))
		opt := optim.NewAdam(optim.Params([]*autograd.Var{w}), optim.AdamConfig{LR: 0.1})
		pass := func() { x.MatMul(w).Tanh().Sub(y).Square().Mean().Backward() }
		pass() // compiles
		opt.ZeroGrad()
		step := func() {
			opt.ZeroGrad()
			pass()
		}
		if captured {
			g, err := dense.Capture(d, pass)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := g.Close(); err != nil {
					t.Error(err)
				}
			}()
			step = func() {
				if err := g.Replay(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 4 {
			step()
			opt.Step()
		}
		return w.Tensor().Float64s()
	}
	want, got := train(false), train(true)
	for i := range want {
		if want[i] != got[i] {
			t.Fatalf("weight %d: %v, without a graph %v", i, got[i], want[i])
		}
	}
}

// What a maximum or an order knows of its own indices is not looked at again: that would
// wait for the device.
func TestMaximaAndOrdersAreCaptured(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	run := func(d *tensor.Device, captured bool) []float64 {
		x := autograd.Variable(tensor.Randn(tensor.Float32, 1, 5, 7).ToDevice(d))
		var gradient *tensor.Tensor
		step := func() {
			sorted, _ := x.Sort(false)
			best, _ := x.TopK(2, true)
			y := x.Max(1).Sum().Add(x.Min(0).Square().Sum()).Add(sorted.CumSum(1).Square().Sum()).Add(best.Square().Sum())
			gradient = autograd.Grad(y, []*autograd.Var{x})[0].Tensor()
		}
		step() // compiles
		if captured {
			step = densetest.Captured(t, d, step)
		}
		x.Tensor().CopyFrom(tensor.Randn(tensor.Float32, 2, 5, 7))
		step()
		return gradient.Float64s()
	}
	want, got := run(nil, false), run(d, true)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-5*(1+math.Abs(want[i]))) {
			t.Fatalf("gradient %d of a replay is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestMasksDifferFromReplayToReplay(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Ones(tensor.Float32, 1000).ToDevice(d)
	mask := tensor.Dropout(x, 7, 1<<31, 2)
	var y *tensor.Tensor
	g, err := dense.Capture(d, func() { y = tensor.Dropout(x, 7, 1<<31, 2) })
	if err != nil {
		t.Fatal(err)
	}
	seen := []*tensor.Tensor{mask.ToDevice(nil)}
	for range 3 {
		if err := g.Replay(); err != nil {
			t.Fatal(err)
		}
		now := y.ToDevice(nil)
		if mean := tensor.Mean(now, false).Item(); math.Abs(mean-1) > 0.2 {
			t.Errorf("mean %v", mean)
		}
		for _, old := range seen {
			if tensor.All(tensor.Equal(old, now), false).Item() != 0 {
				t.Error("two masks are equal")
			}
		}
		seen = append(seen, now)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if again := tensor.Dropout(x, 7, 1<<31, 2); tensor.All(tensor.Equal(again, mask), false).Item() == 0 {
		t.Error("outside of a graph the seed alone decides")
	}
}

// What cannot be recorded says so, and the device works on.
func TestWaitingWithinACaptureIsRefused(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Ones(tensor.Float32, 3).ToDevice(d)
	tensor.Exp(x)
	var failure error
	if _, err := dense.Capture(d, func() { failure = autograd.Try(func() { tensor.Exp(x).At(0) }) }); err != nil {
		t.Error(err)
	}
	if failure == nil || !strings.Contains(failure.Error(), "not possible within a capture") {
		t.Errorf("%v", failure)
	}
	if got := tensor.AddScalar(x, 1).At(2); got != 2 {
		t.Errorf("%v after the capture", got)
	}
	if _, err := dense.Capture(nil, func() {}); err == nil {
		t.Error("a capture on the CPU")
	}
}

// settled is how much of a device's memory is alive after a first capture, which leaves
// cuBLAS its workspace.
func settled(t *testing.T, d *tensor.Device) int64 {
	t.Helper()
	g, err := dense.Capture(d, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	return d.MemoryStats().Live
}

// The structure of a sparse matrix that is copied within a capture would be there at replays
// only, and be taken for one that is there.
func TestASparseMatrixThatIsNewWithinACaptureIsRefused(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	near, err := tensor.NewSparse(3, 2, []int32{0, 1, 1, 3}, []int32{1, 0, 1}, tensor.FromSlice([]float32{1, 2, 3}, 3))
	if err != nil {
		t.Fatal(err)
	}
	x, y := tensor.Randn(tensor.Float32, 1, 2, 4), tensor.Randn(tensor.Float32, 2, 3, 4)
	far, a, b := near.ToDevice(d), x.ToDevice(d), y.ToDevice(d)
	if _, err := dense.Capture(d, func() {
		for transposed, operand := range map[bool]*tensor.Tensor{false: a, true: b} {
			err := autograd.Try(func() { tensor.SparseMatMul(far, operand, transposed) })
			var failure *tensor.DeviceFailure
			if !errors.As(err, &failure) || failure.Op != "SparseMatMul" || failure.Device != d || !strings.Contains(err.Error(), "run the step once first") {
				t.Errorf("transposed %v: %v", transposed, err)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	multiply := func(s *tensor.Sparse, x, y *tensor.Tensor) (*tensor.Tensor, *tensor.Tensor) {
		return tensor.SparseMatMul(s, x, false), tensor.SparseMatMul(s, y, true)
	}
	p, q := multiply(near, x, y)
	got, gotT := multiply(far, a, b)
	wantClose(t, "after the capture", got, p)
	wantClose(t, "transposed, after the capture", gotT, q)
	g, err := dense.Capture(d, func() { got, gotT = multiply(far, a, b) })
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Replay(); err != nil {
		t.Fatal(err)
	}
	wantClose(t, "a replay", got, p)
	wantClose(t, "transposed, a replay", gotT, q)
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if f := m.Driver().Faults(); len(f) > 0 {
		t.Error(f)
	}
}

func wantClose(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	w := want.Float64s()
	for i, g := range got.Float64s() {
		if !(math.Abs(g-w[i]) <= 1e-5) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w[i])
			return
		}
	}
}

// replayed replays a graph and returns what it panics with.
func replayed(t *testing.T, g *dense.Graph) error {
	t.Helper()
	return autograd.Try(func() {
		if err := g.Replay(); err != nil {
			t.Fatal(err)
		}
	})
}

// Indices that are written to a tensor which a graph reads are looked at, once.
func TestIndicesWrittenAfterACaptureAreChecked(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Arange(tensor.Float32, 0, 3, 1).ToDevice(d)
	ids := tensor.Indices(d, []int32{0, 2}, 3)
	var y *tensor.Tensor
	step := func() { y = tensor.TakeRows(x, ids) }
	step()
	g, err := dense.Capture(d, step)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ids []int32
		bad int
	}{{nil, 0}, {[]int32{1, 1}, 0}, {[]int32{0, 3}, 3}, {[]int32{-1, 0}, -1}, {[]int32{2, 0}, 0}} {
		if c.ids != nil {
			ids.CopyFrom(tensor.FromSlice(c.ids, 2))
		}
		err := replayed(t, g)
		var out *tensor.IndexError
		if c.bad != 0 {
			if !errors.As(err, &out) || out.Index != c.bad || out.Limit != 3 || out.Op != "TakeRows" {
				t.Errorf("a replay with %v: %v", c.ids, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("a replay with %v: %v", c.ids, err)
		}
		if got, want := y.Float64s(), ids.Float64s(); !slices.Equal(got, want) {
			t.Errorf("a replay with %v gives %v", want, got)
		}
		launches := m.Driver().Count("cuLaunchKernel")
		if err := replayed(t, g); err != nil {
			t.Fatal(err)
		}
		if now := m.Driver().Count("cuLaunchKernel"); now != launches {
			t.Errorf("%v are looked at twice", c.ids)
		}
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}

// Nothing reads indices within a capture: those that nobody has looked at so far, of a next
// batch or a part of a tensor, are looked at before the first replay.
func TestIndicesThatAreNewToACaptureAreChecked(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Arange(tensor.Float32, 0, 3, 1).ToDevice(d)
	all := tensor.FromSlice([]int32{0, 2, 1}, 3).ToDevice(d)
	for what, ids := range map[string]*tensor.Tensor{"all": all, "some": all.Narrow(0, 1, 3)} {
		var y *tensor.Tensor
		step := func() { y = tensor.TakeRows(x, ids) }
		step()
		ids.Fill(7)
		g, err := dense.Capture(d, step)
		if err != nil {
			t.Fatal(err)
		}
		var out *tensor.IndexError
		if err := replayed(t, g); !errors.As(err, &out) || out.Index != 7 {
			t.Errorf("%s: a replay with 7: %v", what, err)
		}
		ids.Fill(1)
		if err := replayed(t, g); err != nil {
			t.Fatal(err)
		}
		if got := y.Float64s(); slices.Max(got) != 1 || slices.Min(got) != 1 {
			t.Errorf("%s: a replay with 1 gives %v", what, got)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What is made within a capture and known to be in range is rewritten by replays: that it was in
// a smaller range once says nothing. A capture, which cannot look at it, is refused then.
func TestIndicesThatAreMadeWithinACaptureAreNotTakenForThoseOfTheReplayBefore(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x, small := tensor.Arange(tensor.Float32, 0, 4, 1).ToDevice(d), tensor.Arange(tensor.Float32, 0, 2, 1).ToDevice(d)
	scores := tensor.FromSlice([]float32{0, 9, 0, 0}, 4).ToDevice(d)
	for what, indices := range map[string]func() *tensor.Tensor{
		"the largest": func() *tensor.Tensor { return tensor.Argmax(scores, 0) },
		"an order":    func() *tensor.Tensor { return tensor.ArgSort(scores, true).Narrow(0, 0, 1) },
		"a constant":  func() *tensor.Tensor { return tensor.Indices(d, []int32{1}, 4) },
	} {
		scores.CopyFrom(tensor.FromSlice([]float32{0, 9, 0, 0}, 4))
		var made, y *tensor.Tensor
		fits := func() {
			made = indices()
			y = tensor.TakeRows(x, made)
		}
		fits()
		tensor.TakeRows(small, made)
		g, err := dense.Capture(d, fits)
		if err != nil {
			t.Fatal(err)
		}
		if err := replayed(t, g); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := tensor.TakeRows(small, made).Float64s(); got[0] != 1 {
			t.Errorf("%s: %v, want 1", what, got)
		}
		if what != "a constant" {
			scores.CopyFrom(tensor.FromSlice([]float32{0, 0, 0, 9}, 4))
			if err := replayed(t, g); err != nil {
				t.Fatal(err)
			}
			if got := y.Float64s(); got[0] != 3 {
				t.Errorf("%s: a replay gives %v, want 3", what, got)
			}
			var out *tensor.IndexError
			if err := autograd.Try(func() { tensor.TakeRows(small, made) }); !errors.As(err, &out) || out.Index != 3 {
				t.Errorf("%s: after a replay: %v", what, err)
			}
		}
		made.Fill(1)
		tensor.TakeRows(small, made)
		if what != "a constant" {
			made.Fill(0)
			tensor.TakeRows(small, made)
			if err := replayed(t, g); err != nil {
				t.Fatal(err)
			}
			if err := autograd.Try(func() { tensor.TakeRows(small, made) }); err == nil {
				t.Errorf("%s, written: after a replay %v", what, made)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		var failure error
		g, err = dense.Capture(d, func() { failure = autograd.Try(func() { tensor.TakeRows(small, indices()) }) })
		if err != nil {
			t.Fatal(err)
		}
		if failure == nil || !strings.Contains(failure.Error(), "not possible within a capture") {
			t.Errorf("%s: captured for a smaller range: %v", what, failure)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What is made within a capture is not there before the first replay: indices are looked at
// like any others until then.
func TestIndicesThatACaptureMakesAreCheckedUntilAReplayHasMadeThem(t *testing.T) {
	for what, indices := range map[string]func(d *tensor.Device, scores *tensor.Tensor) *tensor.Tensor{
		"the largest": func(_ *tensor.Device, scores *tensor.Tensor) *tensor.Tensor { return tensor.Argmax(scores, 0) },
		"an order": func(_ *tensor.Device, scores *tensor.Tensor) *tensor.Tensor {
			return tensor.ArgSort(scores, true).Narrow(0, 0, 1)
		},
		"a constant": func(d *tensor.Device, _ *tensor.Tensor) *tensor.Tensor { return tensor.Indices(d, []int32{1}, 3) },
	} {
		d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
		x, scores := tensor.Arange(tensor.Float32, 0, 3, 1).ToDevice(d), tensor.FromSlice([]float32{0, 9, 0}, 3).ToDevice(d)
		var made, y *tensor.Tensor
		produce := func() { made = indices(d, scores) }
		use := func() { y = tensor.TakeRows(x, made) }
		produce()
		use()
		g, err := dense.Capture(d, produce)
		if err != nil {
			t.Fatal(err)
		}
		h, err := dense.Capture(d, use)
		if err != nil {
			t.Fatal(err)
		}
		var out *tensor.IndexError
		if err := autograd.Try(use); !errors.As(err, &out) {
			t.Errorf("%s: before a replay: %v, want an IndexError", what, err)
		}
		if err := replayed(t, h); !errors.As(err, &out) {
			t.Errorf("%s: a replay of another before: %v, want an IndexError", what, err)
		}
		if err := replayed(t, g); err != nil {
			t.Fatal(err)
		}
		launches := m.Driver().Count("cuLaunchKernel")
		if err := replayed(t, h); err != nil {
			t.Fatal(err)
		}
		if now := m.Driver().Count("cuLaunchKernel"); now != launches {
			t.Errorf("%s: what is known to be in range is looked at", what)
		}
		if got := y.Float64s(); got[0] != 1 {
			t.Errorf("%s: %v, want 1", what, got)
		}
		if err := errors.Join(g.Close(), h.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// A replay writes what the recorded function wrote and tells nobody: what was seen of such
// indices before says nothing.
func TestIndicesThatReplaysWriteAreCheckedEachTime(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Arange(tensor.Float32, 0, 3, 1).ToDevice(d)
	scores := tensor.FromSlice([]float32{2, 0}, 2).ToDevice(d)
	ids := tensor.Indices(d, []int32{0, 1}, 3)
	var made, y *tensor.Tensor
	step := func() {
		y = tensor.TakeRows(x, ids)
		made = scores.To(tensor.Int32)
		ids.CopyFrom(made)
	}
	step()
	ids.CopyFrom(tensor.FromSlice([]int32{0, 1}, 2))
	tensor.TakeRows(x, ids) // looked at
	g, err := dense.Capture(d, step)
	if err != nil {
		t.Fatal(err)
	}
	var out *tensor.IndexError
	take := func(ids *tensor.Tensor) error { return autograd.Try(func() { tensor.TakeRows(x, ids) }) }
	for _, want := range [][]float64{{0, 1}, {2, 0}} {
		if err := replayed(t, g); err != nil {
			t.Fatal(err)
		}
		if got := y.Float64s(); !slices.Equal(got, want) {
			t.Errorf("a replay gives %v, want %v", got, want)
		}
		if err := errors.Join(take(ids), take(made)); err != nil {
			t.Error(err)
		}
	}
	scores.CopyFrom(tensor.FromSlice([]float32{1, 7}, 2))
	if err := replayed(t, g); err != nil { // it reads what the one before has written
		t.Fatal(err)
	}
	for what, err := range map[string]error{"made by the replay": take(made), "written by the replay": take(ids), "read by the next": replayed(t, g)} {
		if !errors.As(err, &out) || out.Index != 7 {
			t.Errorf("indices %s: %v", what, err)
		}
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever fails between the wait that a capture begins with and its first work is returned;
// nobody waits for work that is not done.
func TestAFailureBeforeACaptureBeginsIsReturned(t *testing.T) {
	for name, fail := range map[string]func(b *dense.Backend, lost error){
		"a function": func(b *dense.Backend, lost error) { _ = b.Device().Go(func(*driver.Ctx) error { return lost }) },
		"a panic":    func(b *dense.Backend, lost error) { _ = b.Device().Go(func(*driver.Ctx) error { panic(lost) }) },
	} {
		t.Run(name, func(t *testing.T) {
			d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
			x := tensor.Ones(tensor.Float32, 3).ToDevice(d)
			tensor.Exp(x)
			if err := d.Synchronize(); err != nil {
				t.Fatal(err)
			}
			lost, waited := errors.New("lost"), false
			m.Driver().FailIf(func(_ int, call string) int {
				if call == "cuStreamSynchronize" && !waited {
					waited = true
					fail(d.Backend().(*dense.Backend), lost)
				}
				return 0
			})
			returned := make(chan any, 1)
			go func() {
				defer func() {
					if v := recover(); v != nil {
						returned <- v
					}
				}()
				_, err := dense.Capture(d, func() { t.Error("something is recorded") })
				returned <- err
			}()
			select {
			case v := <-returned:
				if v != lost {
					t.Errorf("Capture ends with %v", v)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("Capture hangs")
			}
			m.Driver().FailIf(nil)
			if got := tensor.AddScalar(x, 1).At(2); got != 2 { // the device works on
				t.Errorf("%v afterwards", got)
			}
			g, err := dense.Capture(d, func() { tensor.Exp(x) })
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A panic of the function reaches the caller and leaves nothing on the device.
func TestACaptureThatPanicsLeavesNothing(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Ones(tensor.Float32, 1<<16).ToDevice(d)
	tensor.Exp(x).Free()
	before := settled(t, d)
	for range 3 {
		var y *tensor.Tensor
		failure := autograd.Try(func() {
			_, err := dense.Capture(d, func() {
				y = tensor.Exp(x)
				y.At(0)
			})
			t.Errorf("Capture returned, with %v", err)
		})
		if failure == nil || !strings.Contains(failure.Error(), "not possible within a capture") {
			t.Errorf("%v", failure)
		}
		y.Free()
	}
	if now := d.MemoryStats(); now.Live != before || now.Pooled > 1<<20 { // the memory of one y is used again
		t.Errorf("%d bytes were alive; now %+v", before, now)
	}
	if made, gone := m.Driver().Count("cuGraphInstantiateWithFlags"), m.Driver().Count("cuGraphExecDestroy"); made != gone {
		t.Errorf("%d graphs made, %d destroyed", made, gone)
	}
	if got := tensor.AddScalar(x, 1).At(2); got != 2 {
		t.Errorf("%v after the captures", got)
	}
}

// What fails on the device within a capture is what Capture returns, whatever the function
// does afterwards with what was not made.
func TestACaptureReturnsWhatFailedFirst(t *testing.T) {
	for name, then := range map[string]func(y *tensor.Tensor){
		"nothing": func(*tensor.Tensor) {},
		"work":    func(y *tensor.Tensor) { tensor.Exp(tensor.Exp(y)) },
		"waiting": func(y *tensor.Tensor) { y.At(0) },
	} {
		t.Run(name, func(t *testing.T) {
			d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
			x := tensor.Ones(tensor.Float32, 3).ToDevice(d)
			tensor.Exp(x)
			if err := d.Synchronize(); err != nil {
				t.Fatal(err)
			}
			var g *dense.Graph
			var err error
			if failure := autograd.Try(func() {
				g, err = dense.Capture(d, func() {
					m.Driver().FailIf(func(_ int, call string) int {
						if call == "cuLaunchKernel" {
							return int(driver.LaunchFailed)
						}
						return 0
					})
					then(tensor.Exp(x))
				})
			}); failure != nil {
				t.Fatal(failure)
			}
			if g != nil || !errors.Is(err, driver.LaunchFailed) || strings.Contains(err.Error(), "panic") {
				t.Errorf("Capture: %v", err)
			}
			m.Driver().FailIf(nil)
			if got := tensor.AddScalar(x, 1).At(2); got != 2 { // the device works on
				t.Errorf("%v afterwards", got)
			}
		})
	}
}

// A panic that is no failure of the device reaches the caller, even after one.
func TestAPanicOfACapturedFunctionReachesTheCaller(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Ones(tensor.Float32, 3).ToDevice(d)
	tensor.Exp(x)
	own := errors.New("own")
	defer func() {
		m.Driver().FailIf(nil)
		if v := recover(); v != own {
			t.Errorf("Capture panics with %v", v)
		}
	}()
	_, err := dense.Capture(d, func() {
		m.Driver().FailIf(func(_ int, call string) int {
			if call == "cuLaunchKernel" {
				return int(driver.LaunchFailed)
			}
			return 0
		})
		tensor.Exp(x)
		panic(own)
	})
	t.Errorf("Capture returned, with %v", err)
}

// live collects what nobody refers to and returns the bytes that are alive then, at most
// those wanted if it is so soon enough.
func live(d *tensor.Device, want int64) int64 {
	for range 20 {
		runtime.GC()
		if d.MemoryStats().Live <= want {
			break
		}
	}
	return d.MemoryStats().Live
}

// What the recorded function reads need not be kept by anybody else.
func TestAGraphKeepsWhatItReadsUntilItIsClosed(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	const bytes = 4000
	before := settled(t, d)
	var y *tensor.Tensor
	g := func() *dense.Graph {
		x := tensor.FullOn(d, tensor.Float32, 3, bytes/4)
		tensor.AddScalar(x, 1).Free()
		g, err := dense.Capture(d, func() { y = tensor.AddScalar(x, 1) })
		if err != nil {
			t.Fatal(err)
		}
		return g
	}()
	for range 5 {
		runtime.GC()
		if err := d.Synchronize(); err != nil {
			t.Fatal(err)
		}
	}
	var others []*tensor.Tensor
	for range 10 {
		others = append(others, tensor.FullOn(d, tensor.Float32, -7, bytes/4))
	}
	if err := g.Replay(); err != nil {
		t.Fatal(err)
	}
	if got := y.At(5); got != 4 {
		t.Errorf("the replay gives %v", got)
	}
	for _, o := range others {
		o.Free()
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got := live(d, before+bytes); got != before+bytes { // those of y
		t.Errorf("%d bytes more are alive after Close", got-before)
	}
	if f := m.Driver().Faults(); len(f) > 0 {
		t.Error(f)
	}
	runtime.KeepAlive(y)
	runtime.KeepAlive(g)
}

func TestAClosedGraphIsNotReplayed(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.Ones(tensor.Float32, 4).ToDevice(d)
	tensor.Exp(x)
	g, err := dense.Capture(d, func() { tensor.Exp(x) })
	if err != nil {
		t.Fatal(err)
	}
	m.Driver().FailIf(func(_ int, call string) int {
		if call == "cuGraphExecDestroy" {
			return int(driver.UnknownDriverFailed)
		}
		return 0
	})
	if err := g.Close(); !errors.Is(err, driver.UnknownDriverFailed) {
		t.Errorf("Close: %v", err)
	}
	m.Driver().FailIf(nil)
	if err := g.Replay(); err != nil { // it is still there
		t.Error(err)
	}
	for range 2 {
		if err := g.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	var misuse *driver.MisuseError
	if err := autograd.Try(func() { _ = g.Replay() }); !errors.As(err, &misuse) || misuse.Op != "Replay" {
		t.Errorf("Replay of a closed graph: %v", err)
	}
	if got := tensor.AddScalar(x, 1).At(2); got != 2 {
		t.Errorf("%v afterwards", got)
	}
	if f := m.Driver().Faults(); len(f) > 0 {
		t.Error(f)
	}
}

// The same work gives the same bits, whatever the order of threads and blocks.
func TestResultsDoNotDependOnTheSchedule(t *testing.T) {
	var want []float64
	for seed := range uint64(3) {
		d, m := densetest.Open(t, device.Options{Schedule: seed, Order: seed}, driver.DeviceOptions{})
		x := tensor.Randn(tensor.Float32, 1, 300, 70).ToDevice(d)
		rows := make([]int32, 300)
		for i := range rows {
			rows[i] = int32(i * i % 7)
		}
		long := tensor.Randn(tensor.Float32, 2, 40000).ToDevice(d)
		_, order := tensor.Sort(x, true)
		var got []float64
		for _, y := range []*tensor.Tensor{
			tensor.Sum(x, false), tensor.Sum(long, false), tensor.Sum(x, false, 0), tensor.Softmax(x), tensor.ScatterAddRows(x, rows, 7),
			tensor.TakeRowsGrad(x, tensor.Indices(d, rows, 7), 7, new(2)),
			tensor.CumSum(long, 0), order, tensor.Argmax(x, 0), tensor.NonZero(tensor.Greater(x, tensor.Full(tensor.Float32, 1))),
		} {
			got = append(got, y.Float64s()...)
		}
		if want == nil {
			want = got
		}
		if len(got) != len(want) {
			t.Fatalf("schedule %d: %d numbers, want %d", seed, len(got), len(want))
		}
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("schedule %d: number %d is %v, want %v", seed, i, got[i], want[i])
			}
		}
		if faults := m.Driver().Faults(); len(faults) > 0 {
			t.Error(faults)
		}
	}
}
