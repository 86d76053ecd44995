//go:build linux && !android && (amd64 || arm64)

// Tests of the bindings against a C library that notes its arguments, and against
// NVRTC where it is installed.

package driver

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// stub is the C library of testdata/stub.c.
type stub struct {
	handle uintptr
	path   string
	log    func() string
	reset  func(result int32)
}

// stubLibrary compiles the stub; without a C compiler the test is skipped, or
// fails if tools are required.
func stubLibrary(t testing.TB) *stub {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal("a C compiler is required: ", err)
		}
		t.Skip("no C compiler: ", err)
	}
	s := &stub{path: filepath.Join(t.TempDir(), "libstub.so")}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", s.path, "testdata/stub.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if s.handle, err = dlopen(s.path); err != nil {
		t.Fatal(err)
	}
	purego.RegisterLibFunc(&s.log, s.handle, "stub_log")
	purego.RegisterLibFunc(&s.reset, s.handle, "stub_reset")
	return s
}

func TestDriverCallsPassEveryArgument(t *testing.T) {
	lib := stubLibrary(t)
	d, err := bindDriver(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	if !d.HasPools() {
		t.Error("the library has pools")
	}
	const (
		p = Ptr(0x7fff_1234_5600)
		q = Ptr(0xffff_ffff_0000_0100)
		s = Stream(0x7fff_0000_5001)
		n = uint64(5_000_000_000)
	)
	var x, y any // results
	text := []byte("hello")
	at := unsafe.Pointer(&text[0])
	values := &struct {
		p Ptr
		i int32
		f float32
		d float64
	}{p, -3, 1.25, -2.5}
	params := []unsafe.Pointer{unsafe.Pointer(&values.p), unsafe.Pointer(&values.i), unsafe.Pointer(&values.f), unsafe.Pointer(&values.d)}
	got1 := func(v any, err error) error { x = v; return err }
	for _, c := range []struct {
		name string
		call func() error
		log  string
		x, y any
	}{
		{"Init", d.Init, "0", nil, nil},
		{"Version", func() error { v, err := d.Version(); return got1(v, err) }, "", 12080, nil},
		{"DeviceCount", func() error { v, err := d.DeviceCount(); return got1(v, err) }, "", 3, nil},
		{"DeviceGet", func() error { v, err := d.DeviceGet(2); return got1(v, err) }, "2", DeviceID(42), nil},
		{"DeviceName", func() error { v, err := d.DeviceName(42); return got1(v, err) }, "255 42", "stub GPU", nil},
		{"DeviceTotalMem", func() error { v, err := d.DeviceTotalMem(42); return got1(v, err) }, "42", uint64(1 << 36), nil},
		{"DeviceAttribute", func() error { v, err := d.DeviceAttribute(L2Bytes, 42); return got1(v, err) }, "38 42", -38, nil},
		{"PrimaryCtxRetain", func() error { v, err := d.PrimaryCtxRetain(42); return got1(v, err) }, "42", Context(0x7fff12345678), nil},
		{"PrimaryCtxRelease", func() error { return d.PrimaryCtxRelease(42) }, "42", nil, nil},
		{"CtxSetCurrent", func() error { return d.CtxSetCurrent(0x7fff12345678) }, "0x7fff12345678", nil, nil},
		{"CtxSynchronize", d.CtxSynchronize, "", nil, nil},
		{"MemGetInfo", func() (err error) { x, y, err = d.MemGetInfo(); return err }, "", uint64(1 << 35), uint64(1 << 36)},
		{"MemAlloc", func() error { v, err := d.MemAlloc(n); return got1(v, err) }, "5000000000", Ptr(0x7f0012345600), nil},
		{"MemFree", func() error { return d.MemFree(q) }, "0xffffffff00000100", nil, nil},
		{"MemAllocAsync", func() error { v, err := d.MemAllocAsync(n, s); return got1(v, err) }, "5000000000 0x7fff00005001", Ptr(0x7f0012345700), nil},
		{"MemFreeAsync", func() error { return d.MemFreeAsync(p, s) }, "0x7fff12345600 0x7fff00005001", nil, nil},
		{"PoolSetReleaseThreshold", func() error { return d.PoolSetReleaseThreshold(42, ^uint64(0)) }, "42 0xb001 4 0xffffffffffffffff", nil, nil},
		{"PoolTrimTo", func() error { return d.PoolTrimTo(42, n) }, "42 0xb001 5000000000", nil, nil},
		{"MemcpyHtoD", func() error { return d.MemcpyHtoD(p, at, 5) }, "0x7fff12345600 hello 5", nil, nil},
		{"MemcpyDtoD", func() error { return d.MemcpyDtoD(p, q, n) }, "0x7fff12345600 0xffffffff00000100 5000000000", nil, nil},
		{"MemcpyHtoDAsync", func() error { return d.MemcpyHtoDAsync(p, at, 4, s) }, "0x7fff12345600 hell 4 0x7fff00005001", nil, nil},
		{"MemcpyDtoDAsync", func() error { return d.MemcpyDtoDAsync(p, q, n, s) }, "0x7fff12345600 0xffffffff00000100 5000000000 0x7fff00005001", nil, nil},
		{"MemsetD8Async", func() error { return d.MemsetD8Async(p, 0xFE, n, s) }, "0x7fff12345600 254 5000000000 0x7fff00005001", nil, nil},
		{"MemsetD32Async", func() error { return d.MemsetD32Async(p, 0xFEDCBA98, n, s) }, "0x7fff12345600 0xfedcba98 5000000000 0x7fff00005001", nil, nil},
		{"StreamCreate", func() error { v, err := d.StreamCreate(StreamNonBlocking); return got1(v, err) }, "1", Stream(0x5001), nil},
		{"StreamDestroy", func() error { return d.StreamDestroy(s) }, "0x7fff00005001", nil, nil},
		{"StreamSynchronize", func() error { return d.StreamSynchronize(s) }, "0x7fff00005001", nil, nil},
		{"StreamQuery", func() error { v, err := d.StreamQuery(s); return got1(v, err) }, "0x7fff00005001", true, nil},
		{"StreamWaitEvent", func() error { return d.StreamWaitEvent(s, 0x7fff0000e001) }, "0x7fff00005001 0x7fff0000e001 0", nil, nil},
		{"EventCreate", func() error { v, err := d.EventCreate(EventDisableTiming); return got1(v, err) }, "2", Event(0xe001), nil},
		{"EventDestroy", func() error { return d.EventDestroy(0xe001) }, "0xe001", nil, nil},
		{"EventRecord", func() error { return d.EventRecord(0xe001, s) }, "0xe001 0x7fff00005001", nil, nil},
		{"EventQuery", func() error { v, err := d.EventQuery(0xe001); return got1(v, err) }, "0xe001", true, nil},
		{"EventSynchronize", func() error { return d.EventSynchronize(0xe001) }, "0xe001", nil, nil},
		{"EventElapsedTime", func() error { v, err := d.EventElapsedTime(0xe001, 0xe002); return got1(v, err) }, "0xe001 0xe002", float32(1.5), nil},
		{"ModuleLoadData", func() error { v, err := d.ModuleLoadData([]byte("image\x00")); return got1(v, err) }, "image", Module(0x3001), nil},
		{"ModuleUnload", func() error { return d.ModuleUnload(0x3001) }, "0x3001", nil, nil},
		{"ModuleGetFunction", func() error { v, err := d.ModuleGetFunction(0x3001, "gat"); return got1(v, err) }, "0x3001 gat", Function(0xf001), nil},
		{"FuncGetAttribute", func() error { v, err := d.FuncGetAttribute(FuncRegisters, 0xf001); return got1(v, err) }, "4 0xf001", -4, nil},
		{"FuncSetAttribute", func() error { return d.FuncSetAttribute(0xf001, FuncDynamicSharedBytes, 98304) }, "0xf001 8 98304", nil, nil},
		{"OccupancyMaxActiveBlocks", func() error { v, err := d.OccupancyMaxActiveBlocks(0xf001, 256, n); return got1(v, err) }, "0xf001 256 5000000000", 7, nil},
		{"LaunchKernel", func() error { return d.LaunchKernel(0xf001, Dim3{1 << 30, 2, 3}, Dim3{4, 5, 6}, 7, s, params) },
			"0xf001 1073741824 2 3 4 5 6 7 0x7fff00005001 extra 0: 0x7fff12345600 -3 1.25 -2.5", nil, nil},
		{"LaunchKernel", func() error { return d.LaunchKernel(0xf001, Dim3{1, 1, 1}, Dim3{1, 1, 1}, 0, s, nil) },
			"0xf001 1 1 1 1 1 1 0 0x7fff00005001 extra 0: none", nil, nil},
		{"StreamBeginCapture", func() error { return d.StreamBeginCapture(s, CaptureRelaxed) }, "0x7fff00005001 2", nil, nil},
		{"StreamEndCapture", func() error { v, err := d.StreamEndCapture(s); return got1(v, err) }, "0x7fff00005001", Graph(0x6001), nil},
		{"StreamIsCapturing", func() error { v, err := d.StreamIsCapturing(s); return got1(v, err) }, "0x7fff00005001", true, nil},
		{"GraphInstantiate", func() error { v, err := d.GraphInstantiate(0x6001); return got1(v, err) }, "0x6001 0", GraphExec(0x6002), nil},
		{"GraphLaunch", func() error { return d.GraphLaunch(0x6002, s) }, "0x6002 0x7fff00005001", nil, nil},
		{"GraphDestroy", func() error { return d.GraphDestroy(0x6001) }, "0x6001", nil, nil},
		{"GraphExecDestroy", func() error { return d.GraphExecDestroy(0x6002) }, "0x6002", nil, nil},
	} {
		x, y = nil, nil
		lib.reset(0)
		if err := c.call(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := lib.log(); got != c.log {
			t.Errorf("%s: the library got %q, want %q", c.name, got, c.log)
		}
		if x != c.x || y != c.y {
			t.Errorf("%s: returned %v %v, want %v %v", c.name, x, y, c.x, c.y)
		}
		for code, name := range map[Result]string{OutOfMemory: "CUDA_ERROR_OUT_OF_MEMORY", IllegalAddress: "STUB_NAME"} {
			lib.reset(int32(code))
			var failed *Error
			if err := c.call(); !errors.Is(err, code) || !errors.As(err, &failed) || failed.Name != name || !strings.HasPrefix(failed.Call, "cu") {
				t.Errorf("%s: result %d became %v", c.name, code, err)
			}
		}
		covered[c.name] = true
	}
	copies(t, lib, d, p, s)

	interfaceType := reflect.TypeFor[Driver]()
	for i := range interfaceType.NumMethod() {
		if name := interfaceType.Method(i).Name; !covered[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// covered are the driver's methods that were tested; HasPools asks no library.
var covered = map[string]bool{"HasPools": true}

// copies tests the calls that hand out or fill the host's memory, and those that
// answer "not ready".
func copies(t *testing.T, lib *stub, d Driver, p Ptr, s Stream) {
	lib.reset(0)
	to := make([]byte, 6)
	if err := d.MemcpyDtoH(unsafe.Pointer(&to[0]), p, 5); err != nil || string(to) != "xxxxx\x00" || lib.log() != "0x7fff12345600 5" {
		t.Errorf("MemcpyDtoH: %v, %q, %q", err, to, lib.log())
	}
	lib.reset(0)
	clear(to)
	if err := d.MemcpyDtoHAsync(unsafe.Pointer(&to[0]), p, 4, s); err != nil || string(to) != "xxxx\x00\x00" || lib.log() != "0x7fff12345600 4 0x7fff00005001" {
		t.Errorf("MemcpyDtoHAsync: %v, %q, %q", err, to, lib.log())
	}
	lib.reset(0)
	host, err := d.MemHostAlloc(100)
	if err != nil || lib.log() != "100 0" {
		t.Fatalf("MemHostAlloc: %v, %q", err, lib.log())
	}
	copy(unsafe.Slice((*byte)(host), 100), "written")
	if err := d.MemFreeHost(host); err != nil {
		t.Error(err)
	}
	lib.reset(int32(NotReady))
	if done, err := d.StreamQuery(s); done || err != nil {
		t.Errorf("StreamQuery: %v, %v", done, err)
	}
	if done, err := d.EventQuery(1); done || err != nil {
		t.Errorf("EventQuery: %v, %v", done, err)
	}
	if _, err := d.ModuleLoadData(nil); !errors.Is(err, InvalidImage) {
		t.Errorf("ModuleLoadData(nil): %v", err)
	}
	for _, name := range []string{"MemcpyDtoH", "MemcpyDtoHAsync", "MemHostAlloc", "MemFreeHost"} {
		covered[name] = true
	}
}

// onStub opens a device over the loaded bindings.
func onStub(t testing.TB, lib *stub) *Device {
	d, err := bindDriver(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bindBLAS(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	lib.reset(0)
	device, err := (&System{Driver: d, BLAS: b}).Open(0, DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return device
}

func TestADeviceRunsOverTheLoadedBindings(t *testing.T) {
	d := onStub(t, stubLibrary(t))
	if d.Info().Name != "stub GPU" {
		t.Errorf("%v", d.Info())
	}
	got := make([]byte, 5)
	err := d.Do(func(c *Ctx) error {
		b, err := c.Alloc(5, "x")
		if err != nil {
			return err
		}
		if err := errors.Join(c.Upload(b, 0, []byte("hello")), c.Download(got, b, 0)); err != nil {
			return err
		}
		g, err := c.Capture(func() error {
			return c.Launch(1, Launch{Grid: Dim3{X: 1}}, new(Args).Buffer(b).Int32(1).Float32(2).Float64(3))
		})
		if err != nil {
			return err
		}
		blas, err := c.BLAS(0)
		if err != nil {
			return err
		}
		return errors.Join(c.Replay(g), blas.Gemm(Gemm{M: 1, N: 1, K: 1, LDA: 1, LDB: 1, LDC: 1}))
	})
	if err != nil || string(got) != "xxxxx" { // which is all that the stub knows to copy
		t.Errorf("%v, %q", err, got)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkLaunch is the cost of a launch but for the driver's own.
func BenchmarkLaunch(b *testing.B) {
	lib := stubLibrary(b)
	d := onStub(b, lib)
	err := d.Do(func(c *Ctx) error {
		x, err := c.Alloc(4, "x")
		if err != nil {
			return err
		}
		args := new(Args)
		b.ReportAllocs()
		for b.Loop() {
			args.Reset().Buffer(x).Int32(1).Float32(2).Float64(3)
			if err := c.Launch(1, Launch{Grid: Dim3{X: 1}}, args); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkDo is the cost of handing a function over and waiting for it.
func BenchmarkDo(b *testing.B) {
	d := onStub(b, stubLibrary(b))
	for b.Loop() {
		if err := d.Do(func(*Ctx) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGo is the cost of handing a function over.
func BenchmarkGo(b *testing.B) {
	d := onStub(b, stubLibrary(b))
	for b.Loop() {
		if err := d.Go(func(*Ctx) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}

func TestCompilerPassesTextsHeadersAndOptions(t *testing.T) {
	lib := stubLibrary(t)
	c, err := bindCompiler(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	if major, minor, err := c.Version(); major != 12 || minor != 8 || err != nil {
		t.Errorf("version %d.%d, %v", major, minor, err)
	}
	if archs, err := c.Architectures(); !slices.Equal(archs, []int{80, 90}) || err != nil {
		t.Errorf("architectures %v, %v", archs, err)
	}
	s := Source{Name: "a.cu", Text: "text", SM: 90, Options: []string{"-O", "--x=1"}, Headers: map[string]string{"b.h": "B", "a.h": "A"}}
	lib.reset(0)
	cubin, log, err := c.Compile(s)
	if err != nil || !bytes.Equal(cubin, []byte("cu\x00bin")) || log != "warning" {
		t.Errorf("%q, %q, %v", cubin, log, err)
	}
	want := "create [text] [a.cu] [a.h=A] [b.h=B]\ncompile 0x9001 [--gpu-architecture=sm_90] [-O] [--x=1]\ndestroy 0x9001"
	if got := lib.log(); got != want {
		t.Errorf("the library got %q", got)
	}
	lib.reset(6)
	var failed *CompileError
	if _, _, err = c.Compile(s); !errors.As(err, &failed) || failed.Log != "warning" || !strings.Contains(err.Error(), "NVRTC_ERROR_COMPILATION") {
		t.Errorf("%v", err)
	}
	if !strings.HasSuffix(lib.log(), "destroy 0x9001") {
		t.Errorf("the program is not destroyed: %q", lib.log())
	}
}

func TestBLASPassesEveryArgument(t *testing.T) {
	lib := stubLibrary(t)
	b, err := bindBLAS(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	const h = BLASHandle(0x7fff0000bb01)
	g := &Gemm{Type: Float32, TransB: true, M: 1, N: 2, K: 3, Alpha: 1.5, Beta: -2, A: 0x7fff000a0000, B: 0x7fff000b0000, C: 0x7fff000c0000,
		LDA: 4, LDB: 5, LDC: 6, Batch: 7, StrideA: 5_000_000_000, StrideB: -8, StrideC: 9}
	g64 := *g
	g64.Type = Float64
	var v any
	for _, c := range []struct {
		name string
		call func() error
		log  string
		v    any
	}{
		{"Create", func() error { h, err := b.Create(); v = h; return err }, "", BLASHandle(0xbb01)},
		{"Destroy", func() error { return b.Destroy(h) }, "0x7fff0000bb01", nil},
		{"Version", func() error { n, err := b.Version(h); v = n; return err }, "0x7fff0000bb01", 120804},
		{"SetStream", func() error { return b.SetStream(h, 0x5001) }, "0x7fff0000bb01 0x5001", nil},
		{"SetWorkspace", func() error { return b.SetWorkspace(h, 0x7fff000d0000, 1<<33) }, "0x7fff0000bb01 0x7fff000d0000 8589934592", nil},
		{"SetMathMode", func() error { return b.SetMathMode(h, MathTF32) }, "0x7fff0000bb01 3", nil},
		{"GemmEx", func() error { return b.GemmEx(h, g) },
			"0x7fff0000bb01 0 1 1 2 3 1.5 0x7fff000a0000 0 4 0x7fff000b0000 0 5 -2 0x7fff000c0000 0 6 68 -1", nil},
		{"GemmEx", func() error { return b.GemmEx(h, &g64) },
			"0x7fff0000bb01 0 1 1 2 3 1.5 0x7fff000a0000 1 4 0x7fff000b0000 1 5 -2 0x7fff000c0000 1 6 70 -1", nil},
		{"GemmStridedBatchedEx", func() error { return b.GemmStridedBatchedEx(h, g) },
			"0x7fff0000bb01 0 1 1 2 3 1.5 0x7fff000a0000 0 4 5000000000 0x7fff000b0000 0 5 -8 -2 0x7fff000c0000 0 6 9 7 68 -1", nil},
	} {
		v = nil
		lib.reset(0)
		if err := c.call(); err != nil || lib.log() != c.log || v != c.v {
			t.Errorf("%s: %v, the library got %q, want %q; returned %v", c.name, err, lib.log(), c.log, v)
		}
		lib.reset(13)
		var failed *Error
		if err := c.call(); !errors.As(err, &failed) || failed.Name != "STUB_STATUS" || failed.Library != LibraryCUBLAS || errors.Is(err, Result(13)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// nvrtc returns the compiler of this machine.
func nvrtc(t *testing.T) Compiler {
	t.Helper()
	s, _ := Load()
	if s.Compiler == nil {
		t.Skip(s.CompilerErr)
	}
	return s.Compiler
}

func TestNVRTCCompilesToMachineCodeWithoutAGPU(t *testing.T) {
	c := nvrtc(t)
	archs, err := c.Architectures()
	if err != nil || len(archs) == 0 {
		t.Fatal(archs, err)
	}
	for _, sm := range archs[max(0, len(archs)-2):] {
		cubin, _, err := c.Compile(Source{
			Name: "axpy.cu", SM: sm, Options: []string{"--std=c++17"}, Headers: map[string]string{"scale.h": "#define SCALE 2.f\n"},
			Text: "#include \"scale.h\"\nextern \"C\" __global__ void axpy(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= SCALE; }",
		})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(cubin, []byte("\x7fELF")) || !bytes.Contains(cubin, []byte("axpy")) {
			t.Errorf("sm_%d: %d bytes that are no machine code", sm, len(cubin))
		}
	}
}

func TestNVRTCErrorsQuoteTheCompiler(t *testing.T) {
	c := nvrtc(t)
	archs, err := c.Architectures()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = c.Compile(Source{Name: "wrong.cu", Text: "int x = ;", SM: archs[len(archs)-1]})
	var failed *CompileError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "wrong.cu(1): error:") {
		t.Errorf("%v", err)
	}
}
