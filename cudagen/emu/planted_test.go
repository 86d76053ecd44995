package emu_test

// The emulator proves itself: kernels with planted faults must all be caught, by
// an error or by a wrong result in one of a few schedules, and their correct
// twins must pass in all of them.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
)

// schedules are the seeds that a fault has to show in.
const schedules = 8

// A kernelCase launches a file's kernels and returns results and the right ones.
type kernelCase func(p *emu.Program) (got []float32, want []float64, err error)

func runReduce(lessBlocks int) kernelCase {
	return func(p *emu.Program) ([]float32, []float64, error) {
		const n = 128*5 - 9
		x := numbers(n)
		want := make([]float64, 5)
		for i, v := range x {
			want[i/128] += float64(v)
		}
		out := p.Buffer(4 * 5)
		err := p.Launch("reduce", dim(5-lessBlocks), dim(128), emu.Ptr(emu.From(p, x)), emu.Ptr(out), emu.Int32(n))
		return emu.Read[float32](out), want, err
	}
}

func runTranspose(p *emu.Program) ([]float32, []float64, error) {
	const rows, cols = 45, 70
	x := numbers(rows * cols)
	want := make([]float64, rows*cols)
	for r := range rows {
		for c := range cols {
			want[c*rows+r] = float64(x[r*cols+c])
		}
	}
	out := p.Buffer(4 * rows * cols)
	err := p.Launch("transpose", dim(3, 2), dim(32, 8), emu.Ptr(emu.From(p, x)), emu.Ptr(out), emu.Int32(rows), emu.Int32(cols))
	return emu.Read[float32](out), want, err
}

func runScan(p *emu.Program) ([]float32, []float64, error) {
	const n = 256*3 - 50
	x := numbers(n)
	want := make([]float64, n)
	for i, v := range x {
		want[i] = float64(v)
		if i%256 > 0 {
			want[i] += want[i-1]
		}
	}
	out := p.Buffer(4 * n)
	err := p.Launch("scan", dim(3), dim(256), emu.Ptr(emu.From(p, x)), emu.Ptr(out), emu.Int32(n))
	return emu.Read[float32](out), want, err
}

func runWarps(p *emu.Program) ([]float32, []float64, error) {
	const n = 128*3 - 40
	x := numbers(n)
	want := make([]float64, 24)
	for i, v := range x {
		want[i/32] += float64(v)
		if v > 0 {
			want[12+i/32]++
		}
	}
	out, positive := p.Buffer(4*12), p.Buffer(4*12)
	err := p.Launch("warps", dim(3), dim(128), emu.Ptr(emu.From(p, x)), emu.Ptr(out), emu.Ptr(positive), emu.Int32(n))
	got := emu.Read[float32](out)
	for _, v := range emu.Read[int32](positive) {
		got = append(got, float32(v))
	}
	return got, want, err
}

// runMerge sums the rows of vertices that lie stride elements apart. The memory
// in between is never touched.
func runMerge(stride, vertices int) kernelCase {
	return func(p *emu.Program) ([]float32, []float64, error) {
		const edges, chunks = 64*6 + 13, 7
		x := p.ZeroBuffer(4 * ((vertices-1)*stride + 4))
		src, want := make([]int32, edges), make([]float64, 4)
		for v := range vertices {
			row := emu.From(p, numbers(4 * (v + 1))[4*v:])
			copy(x.Bytes()[4*v*stride:], row.Bytes())
		}
		all := numbers(4 * vertices)
		for e := range src {
			src[e] = int32(e * 5 % vertices)
			for f := range want {
				want[f] += float64(all[4*int(src[e])+f])
			}
		}
		parts, next, out := p.Buffer(16*chunks), emu.From(p, []int32{0}), p.Buffer(16)
		err := p.Launch("chunks", dim(chunks), dim(32), emu.Ptr(x), emu.Int32(int32(stride)), emu.Ptr(emu.From(p, []int32{0, edges})),
			emu.Ptr(emu.From(p, src)), emu.Ptr(parts), emu.Int32(0), emu.Ptr(next))
		if err == nil {
			err = p.Launch("merge", dim(1), dim(4), emu.Ptr(parts), emu.Ptr(out), emu.Int32(chunks))
		}
		x.Free()
		return emu.Read[float32](out), want, err
	}
}

func runPipeline(p *emu.Program) ([]float32, []float64, error) {
	x := numbers(32 * 4)
	want := make([]float64, len(x))
	for i, v := range x {
		want[i] = 2*float64(v) + 1
	}
	out := p.Buffer(4 * len(x))
	err := p.Launch("pipeline", dim(4), dim(64), emu.Ptr(emu.From(p, x)), emu.Ptr(out))
	return emu.Read[float32](out), want, err
}

func runUpdates(p *emu.Program) ([]float32, []float64, error) {
	const n = 64*3 - 7
	x, want := make([]int32, n), make([]float64, 4)
	for i := range x {
		x[i] = int32(i * i % 4)
		want[x[i]]++
	}
	out := emu.From(p, make([]int32, 4))
	err := p.Launch("updates", dim(3), dim(64), emu.Ptr(emu.From(p, x)), emu.Ptr(out), emu.Int32(n))
	var got []float32
	for _, v := range emu.Read[int32](out) {
		got = append(got, float32(v))
	}
	return got, want, err
}

const wrong = "a wrong result"

func TestPlantedFaultsAreCaughtAndCorrectTwinsPass(t *testing.T) {
	const far = 1 << 30 // elements: row 2 begins beyond 32 bits
	for _, c := range []struct {
		file, macro string
		run         kernelCase
		caught      string // "" for a correct twin, wrong, or what the error says
		race        string // what the first schedule says when races are looked for, "" for the same
	}{
		{"reduce", "", runReduce(0), "", ""},
		{"reduce", "MISSING_BARRIER", runReduce(0), wrong, "line 28: reads shared memory that no thread of the block has written"},
		{"reduce", "MISSING_STEP_BARRIER", runReduce(0), wrong, "race: writes shared memory, which thread (0,0,0) in line 28 read; nothing orders them"},
		{"reduce", "BARRIER_IN_BRANCH", runReduce(0), "divergent barrier", ""},
		{"reduce", "TWO_BARRIERS", runReduce(0), "divergent barrier", ""},
		{"reduce", "OFF_BY_ONE_READ", runReduce(0), "reads 0 bytes behind the end of argument 0", ""},
		{"reduce", "READ_BEFORE", runReduce(0), wrong, ""},
		{"reduce", "NO_GUARD", runReduce(0), "bytes behind the end of argument 0", ""},
		{"reduce", "WRITES_INPUT", runReduce(0), "of argument 0 (2524 bytes), which is read-only", ""},
		{"reduce", "UNINITIALISED", runReduce(0), wrong, "line 28: reads shared memory that no thread"},
		{"reduce", "", runReduce(1), wrong, ""}, // the last block is forgotten
		{"transpose", "", runTranspose, "", ""},
		{"transpose", "MISSING_BARRIER", runTranspose, wrong, "reads shared memory that no thread"},
		{"transpose", "OFF_BY_ONE_WRITE", runTranspose, "bytes behind the end of argument 1", "reads shared memory that no thread"},
		{"transpose", "NO_GUARD", runTranspose, "behind the end of argument 1", "reads shared memory that no thread"},
		{"transpose", "SMALL_TILE", runTranspose, "index 31 is outside of an array", ""},
		{"scan", "", runScan, "", ""},
		{"scan", "WRITE_AFTER_READ", runScan, wrong, "race: reads shared memory, which thread (0,0,0) in line 12 wrote"},
		{"scan", "READ_AFTER_WRITE", runScan, wrong, "race: reads shared memory, which thread (0,0,0) in line 12 wrote"},
		{"warps", "", runWarps, "", ""},
		{"warps", "MISSING_SYNCWARP", runWarps, wrong, "line 22: reads shared memory that no thread"},
		{"warps", "SHUFFLE_AS_SYNCWARP", runWarps, "", "line 22: race: reads shared memory, which thread (31,0,0) in line 16 wrote"},
		{"warps", "SHUFFLE_IN_BRANCH", runWarps, "divergent __", ""},
		{"warps", "EARLY_RETURN", runWarps, "which has returned", ""},
		{"warps", "OTHER_PLACE", runWarps, "divergent __shfl_xor_sync", ""},
		{"warps", "OTHER_MASK", runWarps, "divergent __shfl_xor_sync", ""},
		{"warps", "NOT_IN_MASK", runWarps, "does not name this thread's lane 31", ""},
		{"warps", "OTHER_KIND", runWarps, "divergent __s", ""},
		{"warps", "HALF_MASK", runWarps, wrong, ""},
		{"merge", "", runMerge(8, 9), "", ""},
		{"merge", "", runMerge(far, 4), "", ""},
		{"merge", "INT_OFFSET", runMerge(8, 9), "", ""}, // small enough
		{"merge", "INT_OFFSET", runMerge(far, 4), "signed integer overflow in a multiplication", ""},
		{"merge", "UNSIGNED_OFFSET", runMerge(far, 8), wrong, ""},
		{"merge", "LAST_EDGE", runMerge(8, 9), "behind the end of argument 3", ""},
		{"merge", "MISALIGNED", runMerge(8, 9), "misaligned", ""},
		{"merge", "FORGOTTEN_CHUNK", runMerge(8, 9), wrong, ""},
		{"pipeline", "", runPipeline, "", ""},
		{"pipeline", "RACE", runPipeline, wrong, "line 10: race: reads shared memory, which thread (0,0,0) in line 6 wrote; nothing orders them"},
		{"updates", "", runUpdates, "", ""},
		{"updates", "NO_ZEROS", runUpdates, wrong, "line 12: reads shared memory that no thread of the block has written"},
		{"updates", "LOST_UPDATE", runUpdates, "", "line 10: race: reads shared memory, which thread (0,0,0) in line 10 wrote; nothing orders them"},
		{"updates", "BLOCKS_RACE", runUpdates, "", "line 16: race: reads byte 0 of argument 1 (16 bytes), which thread (0,0,0) of block (0,0,0) in line 16 wrote; nothing orders them"},
	} {
		for _, races := range []bool{false, true} {
			name := fmt.Sprintf("%s/%s, races %v", c.file, c.macro, races)
			p := compile(t, emu.Options{Align: 4, Races: races}, text(t, c.file, c.macro))
			want, seeds := c.caught, schedules
			if races {
				seeds = 4
				if c.race != "" {
					want, seeds = c.race, 1
				}
			}
			var caught []string
			for seed := range uint64(seeds) {
				p.SetSeed(seed)
				got, right, err := c.run(p)
				found := ""
				switch {
				case err != nil && want != "" && strings.Contains(err.Error(), want):
					found = want
				case err != nil:
					found = err.Error()
				case !equal(got, right):
					found = wrong
				}
				if found == "" {
					continue
				}
				if found != want {
					t.Errorf("%s, seed %d: %s", name, seed, found)
				}
				caught = append(caught, found)
			}
			if want != "" && !slices.Contains(caught, want) {
				t.Errorf("%s: not caught", name)
			}
			t.Logf("%s: caught in %d of %d schedules", name, len(caught), seeds)
		}
	}
}

// Atomics, and accesses to less than a word.
func TestRareAccessesThatAreWrongAreCaughtAndCorrectOnesPass(t *testing.T) {
	const unwritten = "reads shared memory that no thread of the block has written"
	p := compile(t, emu.Options{Races: true}, text(t, "races", ""))
	for _, c := range []struct {
		kernel string
		line   int    // with threads and blocks in ascending order
		caught string // "" for a correct kernel
	}{
		{"adds_to_nothing", 5, unwritten},
		{"subtracts_from_nothing", 9, unwritten},
		{"compares_with_nothing", 13, unwritten},
		{"adds_after_exchange", 0, ""}, // which depends on nothing that was there
		{"read_races_with_write_of_this_byte_before_others", 26, "race: reads shared memory, which thread (0,0,0) in line 25 wrote"},
		{"write_races_with_read_of_this_byte_before_others", 34, "race: writes shared memory, which thread (0,0,0) in line 33 read"},
		{"write_races_with_read_before_write_of_other_byte", 42, "race: writes shared memory, which thread (0,0,0) in line 40 read"},
		{"byte_races_with_word", 47, "race: reads shared memory, which thread (0,0,0) in line 46 wrote"},
		{"word_races_with_byte", 56, "race: reads shared memory, which thread (0,0,0) in line 53 wrote"},
		{"reads_byte_beside_the_written", 62, unwritten},
		{"reads_word_of_which_a_byte_is_missing", 68, unwritten},
		{"blocks_write_one_byte", 71, "race: writes byte 1 of argument 0 (8 bytes), which thread (1,0,0) of block (0,0,0) in line 71 wrote"},
		{"bytes_beside_each_other", 0, ""},
	} {
		for seed := range uint64(3) {
			p.SetSeed(seed)
			err := p.Launch(c.kernel, dim(2), dim(64), emu.Ptr(p.Buffer(8)))
			if c.caught == "" {
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				continue
			}
			f := fault(err)
			if f == nil || f.Kind != emu.Race || seed == 0 && (f.Line != c.line || !strings.HasPrefix(f.Text, c.caught)) {
				t.Errorf("%s, seed %d: %v", c.kernel, seed, err)
			}
		}
	}
}
