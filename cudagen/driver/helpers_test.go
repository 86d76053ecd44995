// Help for tests on the mock.

package driver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

// system makes a machine's libraries a System.
func system(m *mock.Driver) *driver.System {
	return &driver.System{Driver: m, Compiler: m.Compiler(), BLAS: m.BLAS()}
}

// open opens a device of a mock; at the test's end it is closed, and nothing may
// be leaked or have been done wrong.
func open(t *testing.T, m *mock.Driver, o driver.DeviceOptions) *driver.Device {
	t.Helper()
	d, err := system(m).Open(0, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		clean(t, m)
	})
	return d
}

// clean checks that a machine was left as it was found.
func clean(t *testing.T, m *mock.Driver) {
	t.Helper()
	if l := m.Leaks(); len(l) > 0 {
		t.Errorf("leaked: %s", strings.Join(l, "; "))
	}
	if f := m.Faults(); len(f) > 0 {
		t.Errorf("faults: %s", strings.Join(f, "; "))
	}
}

// do runs f on the device and fails the test if f does.
func do(t *testing.T, d *driver.Device, f func(c *driver.Ctx) error) {
	t.Helper()
	if err := d.Do(f); err != nil {
		t.Fatal(err)
	}
}

// misuse runs f and returns the text of the misuse it panics with.
func misuse(t *testing.T, f func()) (text string) {
	t.Helper()
	defer func() {
		var m *driver.MisuseError
		if err, _ := recover().(error); errors.As(err, &m) {
			text = m.Error()
		} else {
			t.Errorf("no misuse, but %v", err)
		}
	}()
	f()
	return ""
}

// scaleSource is a kernel that multiplies n numbers by a factor; scale is its body.
const scaleSource = `extern "C" __global__ void scale(float *x, float factor, int n) { /* … */ }
extern "C" __global__ void __launch_bounds__(256) add(float *out, const float *x, const float *y, int n) { /* … */ }`

// register gives a machine the bodies of scaleSource's kernels.
func register(m *mock.Driver) {
	m.Register("scale", mock.Kernel{Params: []int{8, 4, 4}, Run: func(l *mock.Launch) {
		factor := mock.Arg[float32](l, 1)
		x := mock.Slice[float32](l, 0, int(mock.Arg[int32](l, 2)))
		for i := range x {
			x[i] *= factor
		}
	}})
	m.Register("add", mock.Kernel{Params: []int{8, 8, 8, 4}, Run: func(l *mock.Launch) {
		n := int(mock.Arg[int32](l, 3))
		out, x, y := mock.Slice[float32](l, 0, n), mock.Slice[float32](l, 1, n), mock.Slice[float32](l, 2, n)
		for i := range out {
			out[i] = x[i] + y[i]
		}
	}})
}

// kernels loads the kernels.
type kernels struct {
	module     driver.Module
	scale, add driver.Function
}

func loadKernels(m *mock.Driver, c *driver.Ctx) (k kernels, err error) {
	cubin, _, err := m.Compiler().Compile(driver.Source{Name: "scale.cu", Text: scaleSource, SM: c.Info().SM})
	if err != nil {
		return k, err
	}
	if k.module, err = c.Load(cubin); err != nil {
		return k, err
	}
	if k.scale, err = c.Function(k.module, "scale"); err != nil {
		return k, err
	}
	k.add, err = c.Function(k.module, "add")
	return k, err
}

// launchScale multiplies a buffer.
func (k kernels) launchScale(c *driver.Ctx, b *driver.Buffer, factor float32, s driver.Stream) error {
	n := b.Bytes() / 4
	args := new(driver.Args).Buffer(b).Float32(factor).Int32(int32(n))
	return c.Launch(k.scale, driver.Launch{Grid: driver.Dim3{X: uint32(n+255) / 256}, Block: driver.Dim3{X: 256}, Stream: s}, args)
}

// floats uploads numbers into a new buffer.
func floats(c *driver.Ctx, label string, x ...float32) (*driver.Buffer, error) {
	b, err := c.Alloc(4*len(x), label)
	if err != nil {
		return nil, err
	}
	return b, c.Upload(b, 0, driver.AsBytes(x))
}

// read downloads a buffer.
func read(c *driver.Ctx, b *driver.Buffer) ([]float32, error) {
	x := make([]float32, b.Bytes()/4)
	return x, c.Download(driver.AsBytes(x), b, 0)
}
