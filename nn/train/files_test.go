package train_test

// The files of a run: what they hold, and that they are whole.

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestFolderHasTheRunsFilesAndNothingElse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs", "toy")
	y := newToy(1, dir, loops["Steps"])
	y.SaveEvery = -1
	result, err := y.run()
	if err != nil {
		t.Fatal(err)
	}
	names := fileNames(t, dir)
	if len(names) != 4 || !strings.HasPrefix(names[1], "events.out.tfevents.") ||
		names[0] != "best.safetensors" || names[2] != "last.safetensors" || names[3] != "metrics.csv" {
		t.Errorf("the folder has %v", names)
	}
	best := newToy(8, "", nil)
	if err := nn.LoadFile(filepath.Join(dir, "best.safetensors"), best.model); err != nil {
		t.Fatal(err)
	}
	if !numtest.SameBits(best.numbers()[1:], y.numbers()[1:]) { // all but the learning rate
		t.Error("the model has not the best weights")
	}
	if result.Best == 0 {
		t.Error("there is no best epoch")
	}
}

func TestCSVHasTheHistoryToTheLastBit(t *testing.T) {
	values := []float64{1.0 / 3, math.NaN(), math.Inf(1), 5e-324, -math.MaxFloat64, 0}
	cfg, _ := scripted(values)
	cfg.EvaluateEvery, cfg.Dir = 2, t.TempDir()
	r, err := train.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(read(t, cfg.Dir, "metrics.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], []string{"epoch", "loss", "lr", "score"}) || len(rows) != 1+len(values) {
		t.Fatalf("the table is %v", rows)
	}
	for col, name := range rows[0][1:] {
		var epochs []int
		var got []float64
		for i, row := range rows[1:] {
			if row[0] != strconv.Itoa(i+1) {
				t.Errorf("row %d begins with %s", i+1, row[0])
			}
			if row[1+col] == "" {
				continue
			}
			x, err := strconv.ParseFloat(row[1+col], 64)
			if err != nil {
				t.Fatal(err)
			}
			epochs, got = append(epochs, i+1), append(got, x)
		}
		wantEpochs, want := r.History.Series(name)
		if !slices.Equal(epochs, wantEpochs) || !numtest.SameBits(got, want) {
			t.Errorf("%s: %v in epochs %v, want %v in %v", name, got, epochs, want, wantEpochs)
		}
	}
}

// event is what the tests look at in a tensorflow.Event.
type event struct {
	time    float64
	step    int
	version string
	restart bool
	scalars map[string]float32
}

// readEvents parses a file of records as TensorBoard does.
func readEvents(t *testing.T, b []byte) (events []event) {
	t.Helper()
	sum := func(data []byte) uint32 {
		c := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
		return ((c >> 15) | (c << 17)) + 0xa282ead8
	}
	for len(b) > 0 {
		n := binary.LittleEndian.Uint64(b)
		if binary.LittleEndian.Uint32(b[8:]) != sum(b[:8]) || binary.LittleEndian.Uint32(b[12+n:]) != sum(b[12:12+n]) {
			t.Fatal("a checksum is wrong")
		}
		events = append(events, parseEvent(t, b[12:12+n]))
		b = b[16+n:]
	}
	return events
}

func parseEvent(t *testing.T, b []byte) event {
	e := event{scalars: map[string]float32{}}
	fields(t, b, func(n protowire.Number, number uint64, data []byte) {
		switch n {
		case 1:
			e.time = math.Float64frombits(number)
		case 2:
			e.step = int(number)
		case 3:
			e.version = string(data)
		case 5:
			fields(t, data, func(_ protowire.Number, _ uint64, value []byte) {
				var tag string
				fields(t, value, func(n protowire.Number, number uint64, data []byte) {
					if n == 1 {
						tag = string(data)
					} else {
						e.scalars[tag] = math.Float32frombits(uint32(number))
					}
				})
			})
		case 7:
			fields(t, data, func(n protowire.Number, number uint64, _ []byte) { e.restart = n == 1 && number == 1 })
		}
	})
	return e
}

// fields calls f with every field of a message: a number or data.
func fields(t *testing.T, b []byte, f func(n protowire.Number, number uint64, data []byte)) {
	t.Helper()
	for len(b) > 0 {
		n, kind, used := protowire.ConsumeTag(b)
		if used < 0 {
			t.Fatal("no tag")
		}
		b = b[used:]
		var number uint64
		var data []byte
		switch kind {
		case protowire.VarintType:
			number, used = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			number, used = protowire.ConsumeFixed64(b)
		case protowire.Fixed32Type:
			var x uint32
			x, used = protowire.ConsumeFixed32(b)
			number = uint64(x)
		default:
			data, used = protowire.ConsumeBytes(b)
		}
		if used < 0 {
			t.Fatal("a field is cut off")
		}
		f(n, number, data)
		b = b[used:]
	}
}

func TestEventFilesHaveEveryEpochAndTellOfARestart(t *testing.T) {
	dir := t.TempDir()
	first := newToy(1, dir, loops["Steps"])
	ctx, cancel := context.WithCancel(context.Background())
	first.ctx = ctx
	first.AfterEpoch = func(e *train.Epoch, _ train.Metrics) {
		if e.Number == 3 {
			cancel()
		}
	}
	if _, err := first.run(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	second := newToy(2, dir, loops["Steps"])
	second.Resume = true
	result, err := second.run()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*"))
	if err != nil || len(paths) != 2 {
		t.Fatalf("event files %v, %v", paths, err)
	}
	slices.Sort(paths)
	a, b := readEvents(t, read(t, paths[0])), readEvents(t, read(t, paths[1]))
	if a[0].version != "brain.Event:2" || b[0].version != "brain.Event:2" {
		t.Errorf("versions %q and %q", a[0].version, b[0].version)
	}
	if !b[1].restart || b[1].step != 4 {
		t.Errorf("the second file begins with %+v", b[1])
	}
	all := append(a[1:], b[2:]...)
	if len(all) != first.Epochs {
		t.Fatalf("%d events", len(all))
	}
	for i, e := range all {
		want := map[string]float32{}
		for name, x := range result.History.At(i + 1) {
			want[name] = float32(x)
		}
		if e.step != i+1 || !maps.Equal(e.scalars, want) || e.time < 1e9 || i > 0 && e.time < all[i-1].time {
			t.Errorf("event %d is %+v, want %v", i+1, e, want)
		}
	}
}

func TestReportsAreWrittenWithEverySaveAndTheirErrorsEndTheRun(t *testing.T) {
	mine := errors.New("no ink")
	for _, failAt := range []int{-1, 0, 2} {
		cfg, _ := scripted(make([]float64, 3))
		cfg.Dir, cfg.SaveEvery = t.TempDir(), -1
		var saves []int
		cfg.Reports = []train.Report{func(dir string, h *train.History) error {
			if dir != cfg.Dir {
				t.Errorf("folder %s", dir)
			}
			saves = append(saves, h.Epochs())
			if h.Epochs() == failAt {
				return mine
			}
			return nil
		}}
		_, err := train.Run(context.Background(), cfg)
		want := []int{0, 1, 2, 3}
		if failAt >= 0 {
			want = want[:failAt+1]
		}
		if failAt >= 0 != errors.Is(err, mine) || !slices.Equal(saves, want) {
			t.Errorf("error %v after saves %v, want %v", err, saves, want)
		}
	}
}

func TestSavesAreSeldomByDefault(t *testing.T) {
	cfg, _ := scripted(make([]float64, 30))
	cfg.Dir = t.TempDir()
	n := 0
	cfg.Reports = []train.Report{func(string, *train.History) error { n++; return nil }}
	if _, err := train.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if n != 2 {
		t.Errorf("%d saves, want one at the start and one at the end", n)
	}
}

func TestANegativeTimeSavesAfterEpochsOnly(t *testing.T) {
	for _, name := range []string{"Steps", "Batches"} {
		y := newToy(1, t.TempDir(), loops[name])
		y.SaveEvery = -time.Second
		var saves []int
		y.Reports = []train.Report{func(_ string, h *train.History) error { saves = append(saves, h.Epochs()); return nil }}
		if _, err := y.run(); err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 1, 2, 3, 4}; !slices.Equal(saves, want) {
			t.Errorf("%s: saves after epochs %v, want %v", name, saves, want)
		}
	}
}

func TestReplaceFileReplacesWhollyOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	put := func(text string, err error) error {
		return train.ReplaceFile(path, func(w io.Writer) error {
			if _, e := io.WriteString(w, text); e != nil {
				return e
			}
			return err
		})
	}
	mine := errors.New("half way")
	if err := put("one", nil); err != nil {
		t.Fatal(err)
	}
	if err := put("tw", mine); !errors.Is(err, mine) || string(read(t, path)) != "one" {
		t.Errorf("error %v, file %q", err, read(t, path))
	}
	if err := put("three", nil); err != nil || string(read(t, path)) != "three" {
		t.Errorf("error %v, file %q", err, read(t, path))
	}
	if names := fileNames(t, dir); len(names) != 1 {
		t.Errorf("the folder has %v", names)
	}
}

func TestFolderThatCannotBeMadeIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{path, filepath.Join(path, "below")} {
		cfg, _ := scripted(make([]float64, 3))
		cfg.Dir = dir
		cfg.Train = func(*train.Epoch) error { t.Error("the run began"); return nil }
		if _, err := train.Run(context.Background(), cfg); err == nil || !strings.HasPrefix(err.Error(), "train: Run: mkdir ") {
			t.Errorf("error %v", err)
		}
	}
}
