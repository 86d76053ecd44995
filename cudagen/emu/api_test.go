package emu_test

// What the interface promises, and what threads see.

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/cudagen/emu"
)

func api(t testing.TB, o emu.Options) *emu.Program {
	t.Helper()
	return compile(t, o, text(t, "api", ""))
}

// launch fails the test if a launch does.
func launch(t testing.TB, p *emu.Program, kernel string, grid, block emu.Dim3, args ...emu.Arg) {
	t.Helper()
	if err := p.Launch(kernel, grid, block, args...); err != nil {
		t.Fatal(err)
	}
}

func TestThreadsKnowTheirPlaces(t *testing.T) {
	p := api(t, emu.Options{})
	for seed := range uint64(4) {
		p.SetSeed(seed)
		grid, block := dim(3, 2, 2), dim(5, 3, 2)
		out := p.Buffer(4 * 12 * 30)
		launch(t, p, "places", grid, block, emu.Ptr(out))
		for i, v := range emu.Read[int32](out) {
			if int(v) != i/30*1000+i%30 {
				t.Fatalf("seed %d: thread %d of block %d says %d", seed, i%30, i/30, v)
			}
		}
	}
}

func TestSeedsChooseTheOrder(t *testing.T) {
	p := api(t, emu.Options{})
	run := func(seed uint64) []int32 {
		p.SetSeed(seed)
		out := p.Buffer(4 * 4 * 70)
		launch(t, p, "order", dim(4), dim(70), emu.Ptr(emu.From(p, []int32{0})), emu.Ptr(out))
		return emu.Read[int32](out)
	}
	ascending := make([]int32, 280)
	for i := range ascending {
		ascending[i] = int32(i)
	}
	if got := run(0); !slices.Equal(got, ascending) {
		t.Errorf("seed 0: %v", got)
	}
	descending := slices.Clone(ascending)
	slices.Reverse(descending)
	if got := run(1); !slices.Equal(got, descending) {
		t.Errorf("seed 1: %v", got)
	}
	seen := [][]int32{ascending, descending}
	for seed := uint64(2); seed < 6; seed++ {
		got := run(seed)
		if !slices.Equal(got, run(seed)) {
			t.Errorf("seed %d: two orders", seed)
		}
		for _, other := range seen {
			if slices.Equal(got, other) {
				t.Errorf("seed %d: an order seen before", seed)
			}
		}
		seen = append(seen, got)
		slices.Sort(got)
		if !slices.Equal(got, ascending) {
			t.Errorf("seed %d: not every thread ran once", seed)
		}
	}
}

func TestArgumentsArriveAsGiven(t *testing.T) {
	p := api(t, emu.Options{})
	out := p.Buffer(28)
	// The parameters of one and two bytes are passed through the machine below.
	defer func() {
		if m, ok := recover().(*emu.MisuseError); !ok || m.Text != "kernel arguments: parameter 1 has 1 bytes, the argument 4" {
			t.Errorf("got %v", m)
		}
	}()
	_ = p.Launch("arguments", dim(1), dim(1), emu.Ptr(out), emu.Int32(1), emu.Int32(2), emu.Int32(3), emu.Int64(4), emu.Float32(5), emu.Float64(6), emu.Ptr(nil))
}

// apiMachine has the test's kernels.
func apiMachine(t *testing.T) (*emu.Machine, *emu.Module) {
	needsCompiler(t)
	ctx := context.Background()
	m, err := emu.NewMachine(ctx, emu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	mod, err := m.Load(ctx, text(t, "api", ""))
	if err != nil {
		t.Fatal(err)
	}
	return m, mod
}

func TestTheMachinePassesBits(t *testing.T) {
	m, mod := apiMachine(t)
	if sizes, ok := mod.Params("arguments"); !ok || !slices.Equal(sizes, []int{8, 1, 2, 4, 8, 4, 8, 8}) {
		t.Errorf("sizes %v", sizes)
	}
	out, err := m.Alloc(28)
	if err != nil {
		t.Fatal(err)
	}
	err = m.Run(mod, emu.Launch{Kernel: "arguments", Grid: dim(1), Block: dim(1), Args: []uint64{
		uint64(out), 200, 0xFFFE, 0xFFFFFFFD, 9 << 32, 0x3FC00000, 0x3FE8000000000000, 0, // -2, -3, 1.5, .75
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Bytes(out, 28); !slices.Equal(got, []byte{200, 0, 0, 0, 254, 255, 255, 255, 253, 255, 255, 255, 9, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0}) {
		t.Errorf("got %v", got)
	}
	if err := m.Free(out); err != nil {
		t.Error(err)
	}
	if err := m.Free(out); err == nil {
		t.Error("memory was freed twice")
	}
	if got := m.Bytes(out, 28); got != nil {
		t.Errorf("freed memory holds %v", got)
	}
}

func TestShufflesMoveValuesAsCUDASays(t *testing.T) {
	p := api(t, emu.Options{})
	for _, width := range []int{1, 2, 8, 32} {
		lanes := make([]int32, 32)
		for i := range lanes {
			lanes[i] = int32(i * 5 % 32)
		}
		outs := []*emu.Buffer{p.Buffer(128), p.Buffer(128), p.Buffer(128), p.Buffer(128)}
		launch(t, p, "shuffles", dim(1), dim(32), emu.Ptr(emu.From(p, lanes)), emu.Int32(int32(width)),
			emu.Ptr(outs[0]), emu.Ptr(outs[1]), emu.Ptr(outs[2]), emu.Ptr(outs[3]))
		for kind, out := range outs {
			for i, got := range emu.Read[int32](out) {
				k, base := int(lanes[i]), i/width*width
				want := [...]int{base + k%width, i - k, i + k, i ^ k}[kind]
				if want < base && kind == 1 || want >= base+width {
					want = i
				}
				if int(got) != want {
					t.Errorf("width %d, kind %d, lane %d: got %d, want %d", width, kind, i, got, want)
				}
			}
		}
	}
	d, l, f := make([]float64, 32), make([]int64, 32), make([]float32, 32)
	for i := range d {
		d[i], l[i], f[i] = float64(i)+0.25, int64(i)<<40, float32(i)+0.5
	}
	bd, bl, bf := emu.From(p, d), emu.From(p, l), emu.From(p, f)
	launch(t, p, "wide", dim(1), dim(32), emu.Ptr(bd), emu.Ptr(bl), emu.Ptr(bf))
	for i := range d {
		if emu.Read[float64](bd)[i] != d[i^1] || emu.Read[int64](bl)[i] != l[i^2] || emu.Read[float32](bf)[i] != f[i^4] {
			t.Errorf("lane %d got another's value", i)
		}
	}
}

func TestVotesCountTheThreadsThatAgree(t *testing.T) {
	p := api(t, emu.Options{})
	for seed := range uint64(4) {
		p.SetSeed(seed)
		out := p.Buffer(4 * 256)
		launch(t, p, "votes", dim(1), dim(64), emu.Ptr(out))
		got := emu.Read[int32](out)
		for i := range 64 {
			var ballot uint32
			for j := i / 16 * 16; j < i/16*16+16; j++ {
				if j%3 == 0 {
					ballot |= 1 << (j % 32)
				}
			}
			anyAll := 0
			if i < 16 {
				anyAll = 2
			}
			if i < 32 {
				anyAll++
			}
			if uint32(got[i]) != ballot || int(got[64+i]) != anyAll || got[128+i] != 22 || got[192+i] != 2 {
				t.Errorf("seed %d, thread %d: %x %d %d %d, want %x %d 22 2", seed, i, uint32(got[i]), got[64+i], got[128+i], got[192+i], ballot, anyAll)
			}
		}
	}
}

func TestThreadsThatReturnedDoNotHoldUpABarrier(t *testing.T) {
	p := api(t, emu.Options{})
	for seed := range uint64(4) {
		p.SetSeed(seed)
		out := p.Buffer(4 * 64)
		launch(t, p, "leaves", dim(1), dim(64), emu.Ptr(out))
		for i, v := range emu.Read[int32](out) {
			want := int32(i)
			if i <= 40 {
				want++
			}
			if i%2 == 0 && v != want {
				t.Errorf("thread %d: %d, want %d", i, v, want)
			}
		}
	}
}

func TestAtomicsLoseNothing(t *testing.T) {
	p := api(t, emu.Options{})
	p.SetSeed(3)
	out := emu.From(p, []int32{0, 99, 0, 0, 0, 0, 0, 0, 0, 0})
	launch(t, p, "atomics", dim(2), dim(64), emu.Ptr(out))
	got := emu.Read[int32](out)
	if got[0] != 63 || got[1] != 0 || got[2] != 3*128 || got[3] != 8 || got[4] < 1 || got[4] > 64 || got[5] != -128 || got[6] != 255 || got[8] != 0 || got[9] != 64 {
		t.Errorf("got %v", got)
	}
}

func TestConstantsAndTheNamesOfRenderedTexts(t *testing.T) {
	p := api(t, emu.Options{})
	out := p.Buffer(12)
	launch(t, p, "constants", dim(1), dim(3), emu.Ptr(emu.From(p, []float32{2})), emu.Ptr(out))
	if got := emu.Read[float32](out); !slices.Equal(got, []float32{23, 17, 13}) {
		t.Errorf("got %v", got)
	}
	launch(t, p, "nothing", emu.Dim3{}, emu.Dim3{})
	if want := []string{"places", "order", "nothing"}; !slices.Equal(p.Kernels()[:3], want) {
		t.Errorf("kernels %v", p.Kernels())
	}
}

func TestTheLanguagesFunctionsComputeWhatTheyAreNamedFor(t *testing.T) {
	p := api(t, emu.Options{})
	const v = 1.375
	want := []float64{
		math.Exp(v), math.Expm1(v), math.Log(v), math.Log1p(v), math.Sqrt(v), 1 / math.Sqrt(v), math.Tanh(v), math.Erf(v), v * v * v, v*v + 1, v, 1,
		2, 1, v, math.Exp(v), v / 4, math.Sin(v), math.Cos(v), math.Exp2(v), math.Pow(10, v), -v,
	}
	out, wide := p.Buffer(4*len(want)), p.Buffer(8*len(want))
	launch(t, p, "functions", dim(1), dim(1), emu.Ptr(emu.From(p, []float32{v})), emu.Ptr(out), emu.Ptr(wide))
	floats, doubles := emu.Read[float32](out), emu.Read[float64](wide)
	for i, w := range want {
		if math.Abs(float64(floats[i])-w) > 4e-7*math.Abs(w) || math.Abs(doubles[i]-w) > 1e-14*math.Abs(w) {
			t.Errorf("function %d: %v and %v, want %v", i, floats[i], doubles[i], w)
		}
	}
	ints := p.Buffer(4 * 13)
	launch(t, p, "bitwise", dim(1), dim(1), emu.Uint32(0x00F00001), emu.Ptr(ints))
	if got, want := emu.Read[int32](ints), []int32{5, 8, 1, -0x7ffff100, 0xe100, 0x3fc00000, 3, 61, 32, 3, 4321, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The copy kernel moves one number: element from of x to element to of out.
func TestEveryEdgeOfABufferIsWatched(t *testing.T) {
	for _, c := range []struct {
		left     bool
		align    int
		n        int // numbers in both buffers
		from, to int
		caught   string // "" where the fault shows as poison only
	}{
		{false, 4, 5, 5, 0, "reads 0 bytes behind the end of argument 0 (20 bytes)"},
		{false, 4, 5, 0, 5, "writes 0 bytes behind the end of argument 1 (20 bytes)"},
		{false, 4, 5, 0, -1, "wrote 4 bytes before the start of argument 1 (20 bytes)"},
		{false, 4, 5, -1, 0, ""},
		{false, 16, 5, 5, 0, ""},
		{false, 16, 5, 0, 6, "wrote 4 bytes behind the end of argument 1 (20 bytes)"},
		{false, 16, 8, 8, 0, "reads 0 bytes behind the end of argument 0 (32 bytes)"},
		{true, 16, 5, -1, 0, "reads 4 bytes before the start of argument 0 (20 bytes)"},
		{true, 16, 5, 0, -1, "writes 4 bytes before the start of argument 1 (20 bytes)"},
		{true, 16, 5, 0, 5, "wrote 0 bytes behind the end of argument 1 (20 bytes)"},
		{true, 16, 5, 5, 0, ""},
		{true, 16, 5, 1 << 29, 0, "reads at 0x"},
		{false, 16, 0, 0, 0, "0 bytes behind the end of argument 0 (0 bytes)"},
	} {
		p := api(t, emu.Options{LeftAligned: c.left, Align: c.align})
		x, out := emu.From(p, make([]float32, c.n)), p.Buffer(4*c.n)
		err := p.Launch("copy", dim(1), dim(1), emu.Ptr(x), emu.Ptr(out), emu.Int32(int32(c.from)), emu.Int32(int32(c.to)))
		f := fault(err)
		switch {
		case c.caught == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.caught == "":
			if v := emu.Read[float32](out)[c.to]; v == v {
				t.Errorf("%+v: copied %v", c, v)
			}
		case f == nil || f.Kind != emu.Address || f.Kernel != "copy" || !strings.Contains(f.Text, c.caught):
			t.Errorf("%+v: %v", c, err)
		}
		// The program goes on, with the same buffers.
		if c.n > 0 {
			launch(t, p, "copy", dim(1), dim(1), emu.Ptr(x), emu.Ptr(out), emu.Int32(1), emu.Int32(2))
			if v := emu.Read[float32](out)[2]; v != 0 {
				t.Errorf("%+v: the next launch copied %v", c, v)
			}
		}
	}
}

// What the process is told between launches is more than waits for the next one.
func TestManyBuffersFreedBetweenLaunchesAreWatched(t *testing.T) {
	m, mod := apiMachine(t)
	run := func(out emu.Memory) error {
		return m.Run(mod, emu.Launch{Kernel: "arguments", Grid: dim(1), Block: dim(1), Args: []uint64{uint64(out), 1, 2, 3, 4, 5, 6, 0}})
	}
	buffers := make([]emu.Memory, 2500)
	for i := range buffers {
		var err error
		if buffers[i], err = m.Alloc(28); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(buffers[0]); err != nil { // the process knows all of them
		t.Fatal(err)
	}
	for i := len(buffers) - 1; i > 0; i-- { // last those that it was told of first
		if err := m.Free(buffers[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(buffers[0]); err != nil {
		t.Error(err)
	}
	for _, i := range []int{1, 1200, 2499} { // a fault ends the process: the next one knows all
		if f := fault(run(buffers[i])); f == nil || f.Kind != emu.Address {
			t.Errorf("buffer %d was written to after it was freed", i)
		}
	}
}

func TestReadOnlyAndFreedBuffersAreWatched(t *testing.T) {
	p := api(t, emu.Options{})
	x, out := emu.From(p, []float32{1, 2}), emu.From(p, []float32{3, 4})
	zero := emu.Int32(0)
	err := p.Launch("copy", dim(1), dim(1), emu.Ptr(x), emu.ReadOnly(out), zero, zero)
	if f := fault(err); f == nil || f.Text != "writes to byte 0 of argument 1 (8 bytes), which is read-only" {
		t.Error(err)
	}
	// In place: the buffer is also passed as one to be written.
	launch(t, p, "copy", dim(1), dim(1), emu.Ptr(x), emu.Ptr(x), emu.Int32(1), zero)
	if got := emu.Read[float32](x); got[0] != 2 {
		t.Errorf("got %v", got)
	}
	stale := emu.PtrAt(x, 4)
	launch(t, p, "copy", dim(1), dim(1), stale, emu.Ptr(out), zero, zero)
	x.Free()
	err = p.Launch("copy", dim(1), dim(1), stale, emu.Ptr(out), zero, zero)
	if f := fault(err); f == nil || f.Text != "reads a buffer of 8 bytes that was freed" {
		t.Error(err)
	}
	err = p.Launch("copy", dim(1), dim(1), emu.Ptr(nil), emu.Ptr(out), zero, zero)
	if f := fault(err); f == nil || f.Kind != emu.Address || !strings.Contains(f.Text, "null pointer") {
		t.Error(err)
	}
}

func TestKernelsThatAreWrongByThemselvesAreNamed(t *testing.T) {
	p := compile(t, emu.Options{Limit: 300 * time.Millisecond}, text(t, "faults", ""))
	out := emu.From(p, make([]int32, 8))
	for _, c := range []struct {
		kernel string
		args   []emu.Arg
		kind   emu.Kind
		line   int
		text   string
	}{
		{"forever", []emu.Arg{emu.Ptr(out)}, emu.Time, 0, "still running after 300ms"},
		{"divide", []emu.Arg{emu.Ptr(out), emu.Int32(0)}, emu.Arithmetic, 5, "integer division by zero"},
		{"shift", []emu.Arg{emu.Ptr(out), emu.Int32(32)}, emu.Arithmetic, 6, "a shift by more"},
		{"deep", []emu.Arg{emu.Ptr(out), emu.Int32(0)}, emu.Stack, 0, "more than 64 KiB of local memory"},
		{"trap", []emu.Arg{emu.Ptr(out)}, emu.Other, 13, "__trap()"},
		{"local", []emu.Arg{emu.Ptr(out), emu.Int32(4)}, emu.Address, 16, "index 4 is outside of an array"},
	} {
		err := p.Launch(c.kernel, dim(1), dim(4), c.args...)
		f := fault(err)
		if f == nil || f.Kind != c.kind || f.Line != c.line || f.Kernel != c.kernel || !strings.Contains(f.Text, c.text) {
			t.Errorf("%s: %v (%+v)", c.kernel, err, f)
		}
	}
	launch(t, p, "divide", dim(1), dim(4), emu.Ptr(out), emu.Int32(2))
	if got := emu.Read[int32](out)[3]; got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestTextsThatDoNotCompileSayWhere(t *testing.T) {
	needsCompiler(t)
	for text, want := range map[string]string{
		"extern \"C\" __global__ void f(float *x) {\n    x[0] = y;\n}\n":                  "kernels:2:",
		"extern \"C\" __global__ void f(float *x) { atomicAdd(x, 1.0f); }":                "atomicAdd",
		"extern \"C\" __global__ void f() { extern __shared__ float s[]; s[0] = 1; }":     "kernels:1:",
		"extern \"C\" __global__ void f(float *x) { blockIdx.x = 1; }":                    "kernels:1:",
		"extern \"C\" __global__ void f(int *x) { x[0] = __shfl(x[0], 1); }":              "__shfl",
		"extern \"C\" __global__ void f(char *x) { x[0] = __shfl_sync(~0u, x[0], 1); }":   "a shuffle moves 4 or 8 bytes",
		"extern \"C\" __global__ int f(char *x) { return 1; }\nAST_KERNEL(g)() { f(0); }": "",
	} {
		p, err := emu.Compile(context.Background(), text)
		if err == nil {
			p.Close()
		}
		var e *emu.CompileError
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &e) || !strings.Contains(e.Output, want) {
			t.Errorf("%s\n%v", text, err)
		}
	}
	_, err := emu.Compile(context.Background(), text(t, "scan", ""), text(t, "scan", "READ_AFTER_WRITE"))
	if err == nil || err.Error() != `emu: two texts have a kernel "scan"` {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := emu.Compile(ctx, "AST_KERNEL(never_compiled)() {}"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWithoutACompilerTheErrorSaysWhatWasTried(t *testing.T) {
	needsCompiler(t)
	t.Setenv("CXX", "no-such-compiler -m64")
	for _, err := range []error{emu.Available(), func() error { _, err := emu.Compile(context.Background(), ""); return err }()} {
		var e *emu.NoCompilerError
		if !errors.As(err, &e) || !slices.Equal(e.Tried, []string{"no-such-compiler"}) {
			t.Error(err)
		}
	}
}

func TestMisuseIsNamed(t *testing.T) {
	p, other := api(t, emu.Options{}), api(t, emu.Options{})
	x := p.Buffer(8)
	i := emu.Int32(0)
	freed := p.Buffer(4)
	freed.Free()
	for want, f := range map[string]func(){
		"emu: Launch: kernel nothing has 0 parameters, 1 were given":          func() { _ = p.Launch("nothing", dim(1), dim(1), i) },
		"emu: Launch: kernel copy: argument 1 is a buffer of another program": func() { _ = p.Launch("copy", dim(1), dim(1), emu.Ptr(x), emu.Ptr(other.Buffer(4)), i, i) },
		"emu: Launch: kernel copy: parameter 2 has 4 bytes, the argument 8":   func() { _ = p.Launch("copy", dim(1), dim(1), emu.Ptr(x), emu.Ptr(x), emu.Int64(0), i) },
		"emu: Launch: kernel nothing: blocks of (1025,1,1) threads":           func() { _ = p.Launch("nothing", dim(1), dim(1025)) },
		"emu: Launch: kernel nothing: a grid of (1,65536,1) blocks":           func() { _ = p.Launch("nothing", dim(1, 65536), dim(1)) },
		"emu: Upload: 9 bytes into a buffer of 8":                             func() { x.Upload(make([]byte, 9)) },
		"emu: Download: 9 bytes from a buffer of 8":                           func() { x.Download(make([]byte, 9)) },
		"emu: Buffer: -1 bytes":                                               func() { p.Buffer(-1) },
		"emu: Buffer: emu: no addresses left for":                             func() { p.ZeroBuffer(math.MaxInt) },
		"emu: Free: emu: free of":                                             freed.Free,
		"emu: NewMachine: an alignment of 12 bytes":                           func() { _, _ = emu.Options{Align: 12}.Compile(context.Background()) },
	} {
		func() {
			defer func() {
				if m, ok := recover().(interface {
					error
					Misuse()
				}); !ok || !strings.HasPrefix(m.Error(), want) {
					t.Errorf("%q: got %v", want, m)
				}
			}()
			f()
		}()
	}
	if err := p.Launch("missing", dim(1), dim(1)); err == nil || !strings.HasPrefix(err.Error(), `emu: no kernel "missing" among [places`) {
		t.Error(err)
	}
}

func TestAClosedProgramSaysSo(t *testing.T) {
	needsCompiler(t)
	p, err := emu.Compile(context.Background(), text(t, "api", ""))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if err := p.Launch("nothing", dim(1), dim(1)); !errors.Is(err, emu.ErrClosed) {
		t.Error(err)
	}
}

func TestNewBuffersAreNaNAndNoIndex(t *testing.T) {
	p := api(t, emu.Options{})
	for _, n := range []int{8, 4096, 100_000} {
		b := p.Buffer(n)
		for i, v := range emu.Read[float32](b) {
			if v == v {
				t.Fatalf("number %d of %d bytes is %v", i, n, v)
			}
		}
		for i, v := range emu.Read[float64](b) {
			if v == v {
				t.Fatalf("double %d of %d bytes is %v", i, n, v)
			}
		}
		for i, v := range emu.Read[int32](b) {
			if v>>30 != 1 {
				t.Fatalf("int %d of %d bytes is %d", i, n, v)
			}
		}
	}
	zeros := p.ZeroBuffer(100_000)
	for i, v := range zeros.Bytes() {
		if v != 0 {
			t.Fatalf("byte %d is %d", i, v)
		}
	}
}
