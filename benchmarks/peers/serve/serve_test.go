package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scripted is a trainer whose losses are given; it ends with an error.
type scripted struct {
	losses []float64
	logits []float32
	closed *int
}

func (s *scripted) Step() (float64, error) {
	if len(s.losses) == 0 {
		return 0, errors.New("no more losses")
	}
	loss := s.losses[0]
	s.losses = s.losses[1:]
	return loss, nil
}

func (s *scripted) Logits() ([]float32, error) { return s.logits, nil }

func (s *scripted) Close() error { *s.closed++; return nil }

// writeTask writes a task of two vertices; files replaces some of it.
func writeTask(t *testing.T, files map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "parameters"), 0o755); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{
		"task.json": []byte(`{"model": "gcn", "layers": 1, "vertices": 2, "edges": 3, "features": 2, "classes": 2,
			"dropout": 0.5, "parameters": [{"name": "w1", "shape": [2, 2]}]}`),
		"src.i32": []int32{0, 1, 1}, "dst.i32": []int32{0, 0, 0}, "x.f32": []float32{0, 1, 0, 2},
		"labels.i32": []int32{1, 0}, "train.i32": []int32{0}, "val.i32": []int32{0, 1}, "test.i32": []int32{1},
		"parameters/w1.f32": []float32{1, 2, 3, 4},
	}
	for name, values := range files {
		all[name] = values
	}
	for name, values := range all {
		data, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadTaskReadsWhatIsThere(t *testing.T) {
	task, err := ReadTask(writeTask(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(task.Src, []int32{0, 1, 1}) || !slices.Equal(task.X, []float32{0, 1, 0, 2}) ||
		!slices.Equal(task.Parameters[0].Values, []float32{1, 2, 3, 4}) || task.Dropout != 0.5 || len(task.Val) != 2 {
		t.Errorf("got %+v", task)
	}
	// Three edges lead to vertex 0, whose out-degree is 1; vertex 1's is 2.
	want := []float32{float32(1 / math.Sqrt(3)), float32(1 / math.Sqrt(6)), float32(1 / math.Sqrt(6))}
	if got := task.GCNWeights(); !slices.Equal(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
	rows, columns, values, sparse := task.SparseFeatures()
	if !slices.Equal(rows, []int32{0, 1}) || !slices.Equal(columns, []int32{1, 1}) || !slices.Equal(values, []float32{1, 2}) || sparse {
		t.Errorf("features %v %v %v, sparse: %v", rows, columns, values, sparse)
	}
}

func TestReadTaskNamesTheFileThatIsWrong(t *testing.T) {
	for name, values := range map[string]any{
		"src.i32":           []int32{0, 2, 1},
		"dst.i32":           []int32{0, 1},
		"labels.i32":        []int32{-2, 0},
		"x.f32":             []float32{1},
		"test.i32":          []byte{1, 2, 3},
		"parameters/w1.f32": []float32{1, 2, 3},
		"task.json":         []byte("{"),
	} {
		if _, err := ReadTask(writeTask(t, map[string]any{name: values})); err == nil || !strings.Contains(err.Error(), filepath.FromSlash(name)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestOnlyVerticesOutsideTheSplitMayHaveNoLabel: Citeseer has some without.
func TestOnlyVerticesOutsideTheSplitMayHaveNoLabel(t *testing.T) {
	labels := []int32{1, noLabel}
	if _, err := ReadTask(writeTask(t, map[string]any{"labels.i32": labels})); err == nil || !strings.Contains(err.Error(), "vertex 1 of the split has no label") {
		t.Errorf("error %v", err)
	}
	task, err := ReadTask(writeTask(t, map[string]any{"labels.i32": labels, "val.i32": []int32{0}, "test.i32": []int32{0}}))
	if err != nil {
		t.Fatal(err)
	}
	if task.Labels[1] != noLabel {
		t.Errorf("labels %v", task.Labels)
	}
}

// answersTo serves requests, with a framework of scripted trainers.
func answersTo(t *testing.T, closed *int, requests ...string) []string {
	t.Helper()
	open := func(threads int) (*Framework, error) {
		return &Framework{
			Name: "scripted", Version: "1", Backend: "none",
			Open: func(task *Task, dropout float64, seed uint64) (Trainer, error) {
				if seed == 13 {
					panic("unlucky")
				}
				losses := []float64{3, 2, 1}
				if dropout == 0 {
					losses = []float64{5, 4, math.NaN()}
				}
				return &scripted{losses, []float32{0, 1, 0, 1}, closed}, nil
			},
		}, nil
	}
	var out strings.Builder
	if err := serve(strings.NewReader(strings.Join(requests, "\n")+"\n"), &out, 3, open); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestServeAnswersEveryRequestOnALine(t *testing.T) {
	closed := 0
	dir := writeTask(t, nil)
	requests := []struct{ request, want string }{
		{fmt.Sprintf(`{"do": "open", "slot": "a", "task": %q}`, dir), `{}`},
		{`{"do": "losses", "slot": "a", "steps": 2}`, `{"losses":[5,4]}`},
		{`{"do": "losses", "slot": "a", "steps": 3}`, `{"error":"loss 3 is NaN"}`},
		{`{"do": "run", "slot": "a", "steps": 0}`, `{"seconds":`},
		{`{"do": "run", "slot": "a", "steps": 4}`, `{"error":"no more losses"}`},
		{`{"do": "run", "slot": "b", "steps": 1}`, `{"error":"no open slot \"b\""}`},
		// The logits say class 1: of label 1 at vertex 0, of label 0 at vertex 1.
		{`{"do": "train", "slot": "a", "epochs": 2, "seed": 1}`, `{"test":0,"val":0.5,"loss":0.8132`},
		{`{"do": "train", "slot": "a", "epochs": 2, "seed": 13}`, `{"error":"panic: unlucky"}`},
		{`{"do": "train", "slot": "a", "epochs": 4, "seed": 1}`, `{"error":"no more losses"}`},
		{`{"do": "dance", "slot": "a"}`, `{"error":"no request \"dance\""}`},
		{`nonsense`, `{"error":"invalid character`},
		{`{"do": "open", "slot": "a", "task": "/no/such/task"}`, `{"error":"open`},
		{`{"do": "close", "slot": "a"}`, `{}`},
	}
	lines := make([]string, len(requests))
	for i, r := range requests {
		lines[i] = r.request
	}
	answers := answersTo(t, &closed, lines...)
	if want := `{"name":"scripted","version":"1","threads":3,"backend":"none"}`; answers[0] != want {
		t.Errorf("it says %s, want %s", answers[0], want)
	}
	for i, r := range requests {
		if !strings.HasPrefix(answers[i+1], r.want) {
			t.Errorf("%s: %s, want %s", r.request, answers[i+1], r.want)
		}
	}
	if closed != 5 { // two of losses, two of training, the slot's
		t.Errorf("%d trainers are closed", closed)
	}
}

func TestServeSaysWhatIsMissing(t *testing.T) {
	for _, open := range []func(int) (*Framework, error){
		func(int) (*Framework, error) { return nil, errors.New("no plug-in") },
		func(int) (*Framework, error) { panic("no plug-in") },
	} {
		var out strings.Builder
		if err := serve(strings.NewReader(""), &out, 1, open); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, "no plug-in") || !strings.Contains(got, `"missing":true`) {
			t.Errorf("it says %s", got)
		}
	}
}

func TestPeakGrowthCountsWhatIsFreedAgain(t *testing.T) {
	if _, err := resident("VmRSS"); err != nil {
		t.Skip(err)
	}
	const size = 64 << 20
	got, err := peakGrowth(func() error {
		touched := make([]byte, size)
		for i := range touched {
			touched[i] = 1
		}
		return nil
	})
	if err != nil {
		t.Skip(err) // a system that does not let the peak be set back
	}
	if got < size*9/10 || got > 8*size {
		t.Errorf("touching %d bytes grew by %d", size, got)
	}
}
