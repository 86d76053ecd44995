package emu

// The cache, the names of kernels, and ways that the interface does not show.

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// needsTools skips the test where kernels cannot be compiled, unless tools are
// required.
func needsTools(t *testing.T) {
	t.Helper()
	if err := Available(); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func TestKernelsAreFoundByName(t *testing.T) {
	text := `
#define AST_KERNEL(name) extern "C" __global__ void name
#define OTHER(x) \
    __global__ void in_a_macro(int x)
// __global__ void in_a_comment(int x) {}
/* AST_KERNEL(in_another)() {} */
extern "C" __global__ void first(int *x) {}
extern "C" __global__ void __launch_bounds__(128, 2) second(int *x) {}
AST_KERNEL( third )(int *x) {}
extern "C" __global__
void fourth();
extern "C" __global__ void fourth() {}
`
	if got, want := kernelsOf(text), []string{"first", "second", "third", "fourth"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

const noteText = `extern "C" __global__ void note(int *out) {
    int v = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1);
    __syncthreads();
    out[threadIdx.x] = v;
}`

// note runs noteText in a cache.
func note(t *testing.T, cache string) (*Image, error) {
	t.Helper()
	p, err := Options{Cache: cache, Races: true}.Compile(context.Background(), noteText)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := p.Buffer(4 * 64)
	err = p.Launch("note", Dim3{X: 2}, Dim3{X: 64}, Ptr(out))
	return p.modules[0].Image, err
}

func TestATextIsCompiledOnce(t *testing.T) {
	needsTools(t)
	cache := t.TempDir()
	stat := func(path string) os.FileInfo {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	image, _ := note(t, cache)
	before := stat(image.Path)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(image.Path, old, old); err != nil {
		t.Fatal(err)
	}
	again, _ := note(t, cache)
	if after := stat(again.Path); !os.SameFile(before, after) || !after.ModTime().After(old) {
		t.Error("the text was compiled again, or its use not noted")
	}
	m, err := NewMachine(context.Background(), Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if other, err := m.Build(context.Background(), noteText); err != nil || other.Path == image.Path {
		t.Errorf("without the calls that look for races the library is the same: %v", err)
	}
}

func TestBlocksThatWriteTheSamePlaceRace(t *testing.T) {
	needsTools(t)
	_, err := note(t, "")
	f, ok := err.(*Fault)
	want := "race: writes byte 0 of argument 0 (256 bytes), which thread (0,0,0) of block (0,0,0) in line 4 wrote; nothing orders them"
	if !ok || f.Kind != Race || f.Line != 4 || f.Block.X != 1 || f.Text != want {
		t.Error(err)
	}
}

// The portable switch of stacks gives the same results as the one of this processor.
func TestUcontextRunsGridsToo(t *testing.T) {
	needsTools(t)
	flags := runtimeFlags
	defer func() { runtimeFlags = flags }()
	runtimeFlags = append(slices.Clone(flags), "-DEMU_UCONTEXT")
	p, err := Options{Cache: t.TempDir()}.Compile(context.Background(), noteText)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for seed := range uint64(4) {
		p.SetSeed(seed)
		out := p.Buffer(4 * 64)
		if err := p.Launch("note", Dim3{X: 1}, Dim3{X: 64}, Ptr(out)); err != nil {
			t.Fatal(err)
		}
		for i, v := range Read[int32](out) {
			if want := int32(i + 1); v != want && i%32 != 31 {
				t.Errorf("seed %d: thread %d got %d", seed, i, v)
			}
		}
	}
}

func TestOldFilesLeaveTheCache(t *testing.T) {
	cache := t.TempDir()
	now := time.Now()
	age := map[string]time.Duration{
		"ab/old.so": maxAge + time.Hour, "ab/new.so": time.Hour, "ab/build-1": maxBuild + time.Hour, "ab/build-2": time.Hour,
		"runtime-old/emulator": maxAge + time.Hour, "runtime-new/emulator": maxAge + time.Hour, "build-3/emulator": maxBuild + time.Hour, "ab/other": maxAge + time.Hour,
	}
	for name, a := range age {
		path := filepath.Join(cache, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-a)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"runtime-old", "build-3"} {
		if err := os.Chtimes(filepath.Join(cache, dir), now, now.Add(-maxAge-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	clean(cache, now, maxBytes)
	for name := range age {
		gone := name == "ab/old.so" || name == "ab/build-1" || name == "runtime-old/emulator" || name == "build-3/emulator"
		if exists(filepath.Join(cache, name)) == gone {
			t.Errorf("%s: gone %v, want %v", name, !gone, gone)
		}
	}
}

func TestALargeCacheLosesWhatWasNotUsedForLongest(t *testing.T) {
	cache := t.TempDir()
	now := time.Now()
	for i, name := range []string{"0.so", "1.so", "2.so", "3.so"} {
		path := filepath.Join(cache, name)
		if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-time.Duration(i*7%4)*time.Hour)); err != nil { // ages 0, 3, 2, 1
			t.Fatal(err)
		}
	}
	clean(cache, now, 250)
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 2 || entries[0].Name() != "0.so" || entries[1].Name() != "3.so" {
		t.Errorf("kept %v, %v", entries, err)
	}
}

func TestAddressesAreUsedAgainWhenAllWereGivenOut(t *testing.T) {
	needsTools(t)
	m, err := NewMachine(context.Background(), Options{Addresses: leastAddresses, Races: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	mod, err := m.Load(context.Background(), noteText)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		p, err := m.AllocZeros(1 << 30)
		if err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		if v := m.Bytes(p, 1<<30)[5]; v != 0 {
			t.Fatalf("block %d has another's byte %d", i, v)
		}
		if err := m.Run(mod, Launch{Kernel: "note", Block: Dim3{X: 64}, Args: []uint64{uint64(p)}}); err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		m.Bytes(p, 1<<30)[5] = 1
		if err := m.Free(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Alloc(5 << 30); err == nil {
		t.Error("more than there are addresses was given out")
	}
}
