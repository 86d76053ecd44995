package systems_test

// Systems of a GPU, on an emulated one. What cuSPARSE does is done by the test.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// emulated opens an emulated GPU. At the test's end the machine must be left empty; who
// opens a device closes it.
func emulated(t *testing.T) (*cudagen.Backend, driver.Driver) {
	t.Helper()
	if err := emu.Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	m, err := device.New(context.Background(), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f := m.Driver().Faults(); len(f) > 0 {
			t.Errorf("faults: %v", f)
		}
		if l := m.Driver().Leaks(); len(l) > 0 {
			t.Errorf("leaks: %v", l)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	b, err := cudagen.Open(m.System(), 0, driver.DeviceOptions{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b, m.Driver()
}

func TestCompiledComputesOnADevice(t *testing.T) {
	b, _ := emulated(t)
	d := tensor.NewDevice("cuda", 0, b)
	s := systems.Compiled(d)
	checkOnDevice(t, s)
	if err := errors.Join(s.Close(), d.Close()); err != nil {
		t.Error(err)
	}
}

// checkOnDevice holds calls of some flags against their formulas. Each compiles a kernel
// for the emulator, which takes longer than everything else; the programs are those of
// the CPU, where all flags are tried.
func checkOnDevice(t *testing.T, s system.System) {
	t.Helper()
	some := 7
	if testing.Short() {
		some = 31
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range []arcs{{vertices: 3}, random(r, 20, 90)} {
		g := a.graph(t, s)
		for k := range system.NumKinds {
			for i, f := range k.Flags() {
				if i%some != 0 {
					continue
				}
				c := newCall(r, a, k, f, 2, 3, 1+2*(i%2))
				what := fmt.Sprintf("%v(%v) of %d edges", k, f, len(a.src))
				numtest.Near(t, what, on(t, c, s, g, a), reference(c, a), 1e-5)
			}
		}
		if m := g.Memory(); m.Graph == 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestCuSPARSEGetsTheMatrixOfTheCall(t *testing.T) {
	b, d := emulated(t)
	library := &hostSparse{d: d, products: make(map[*driver.SpMMPlan]driver.SpMM)}
	s, err := systems.NewCuSPARSE(b, library)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	a := random(r, 20, 90)
	g := a.graph(t, s)
	for k := range system.SpMMe { // the two with products
		for _, f := range k.Flags() {
			if testing.Short() && (f.Reduce != system.Sum || f.Op == system.OpAdd || f.Op == system.OpSub) {
				continue
			}
			for _, size := range [][3]int{{1, 6, 1}, {2, 3, 1}} {
				before := library.runs
				c := newCall(r, a, k, f, size[0], size[1], size[2])
				what := fmt.Sprintf("%v(%v), heads %d, widths %d, %d", k, f, size[0], size[1], size[2])
				numtest.Near(t, what, on(t, c, s, g, a), reference(c, a), 1e-5)
				want := 0
				if f.Reduce == system.Sum && (k == system.SpMMv || f.Op == system.OpMul && size[0] == 1) {
					want = 1
				}
				if got := library.runs - before; got != want {
					t.Errorf("%s: %d products, want %d", what, got, want)
				}
			}
		}
	}
	if m := g.Memory(); m.Workspace < library.workspace {
		t.Errorf("workspace of %d bytes, of which a product took %d", m.Workspace, library.workspace)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(library.products) > 0 || library.handles != 0 {
		t.Errorf("%d products and %d handles are left", len(library.products), library.handles)
	}
}

func TestFailuresOfCuSPARSEAreReported(t *testing.T) {
	b, d := emulated(t)
	library := &hostSparse{d: d, products: make(map[*driver.SpMMPlan]driver.SpMM), failure: errors.New("no such luck")}
	if _, err := systems.NewCuSPARSE(b, library); !errors.Is(err, library.failure) {
		t.Errorf("opening: %v", err)
	}
}

// hostSparse multiplies on the host what the driver copies there and back.
type hostSparse struct {
	d         driver.Driver
	stream    driver.Stream
	handles   int
	runs      int
	workspace int64
	products  map[*driver.SpMMPlan]driver.SpMM
	failure   error
}

func (s *hostSparse) Create() (driver.SparseHandle, error) {
	if s.failure != nil {
		return 0, s.failure
	}
	s.handles++
	return 7, nil
}

func (s *hostSparse) Destroy(driver.SparseHandle) error        { s.handles--; return nil }
func (s *hostSparse) Version(driver.SparseHandle) (int, error) { return 12000, nil }
func (s *hostSparse) SetStream(_ driver.SparseHandle, q driver.Stream) error {
	s.stream = q
	return nil
}

func (s *hostSparse) NewSpMM(_ driver.SparseHandle, m driver.SpMM) (*driver.SpMMPlan, error) {
	p := &driver.SpMMPlan{Workspace: 1 << 20}
	s.workspace = 1 << 20
	s.products[p] = m
	return p, nil
}

func (s *hostSparse) DestroySpMM(p *driver.SpMMPlan) error { delete(s.products, p); return nil }

func (s *hostSparse) PrepareSpMM(driver.SparseHandle, *driver.SpMMPlan, driver.Ptr) error {
	return nil
}

func (s *hostSparse) RunSpMM(_ driver.SparseHandle, p *driver.SpMMPlan, workspace driver.Ptr) error {
	s.runs++
	m := s.products[p]
	offsets, columns := make([]int32, m.Rows+1), make([]int32, m.NNZ)
	values, b, c := make([]float32, m.NNZ), make([]float32, m.Cols*m.N), make([]float32, m.Rows*m.N)
	err := errors.Join(
		s.d.StreamSynchronize(s.stream),
		fetch(s.d, offsets, m.Offsets), fetch(s.d, columns, m.Columns), fetch(s.d, values, m.Values), fetch(s.d, b, m.B),
		fetch(s.d, make([]byte, s.workspace), workspace), // it is there
	)
	if err != nil {
		return err
	}
	for row := range m.Rows {
		for k := offsets[row]; k < offsets[row+1]; k++ {
			for i := range m.N {
				c[row*m.N+i] += values[k] * b[int(columns[k])*m.N+i]
			}
		}
	}
	return s.d.MemcpyHtoD(m.C, unsafe.Pointer(&c[0]), uint64(4*len(c)))
}

// fetch copies from the device.
func fetch[T any](d driver.Driver, dst []T, src driver.Ptr) error {
	var size T
	return d.MemcpyDtoH(unsafe.Pointer(&dst[0]), src, uint64(len(dst))*uint64(unsafe.Sizeof(size)))
}
