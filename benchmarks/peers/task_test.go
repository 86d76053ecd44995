package peers

// Small random tasks as files.

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

// randomTask has duplicate edges, degrees that differ at both ends, and a last vertex
// without edges. The share of features other than 0 is density.
func randomTask(model string, density float64) *serve.Task {
	const n, features = 12, 23
	r := rand.New(rand.NewPCG(7, uint64(100*density)))
	t := &serve.Task{
		Model: model, Layers: 3, Hidden: 5, Heads: 1, OutHeads: 1, Vertices: n, Features: features, Classes: 3,
		Dropout: 0.5, LR: 0.02, WeightDecay: 0.05,
	}
	if model == "gat" {
		t.Heads, t.OutHeads = 3, 2
	}
	for range 30 {
		// The square draws some destinations far more often than others.
		t.Src = append(t.Src, int32(r.IntN(n-1)))
		t.Dst = append(t.Dst, int32(float64(n-1)*r.Float64()*r.Float64()))
	}
	t.Src, t.Dst = append(t.Src, t.Src[:4]...), append(t.Dst, t.Dst[:4]...)
	if model != "gin" {
		for v := range int32(n - 1) {
			t.Src, t.Dst = append(t.Src, v), append(t.Dst, v)
		}
	}
	t.X = make([]float32, n*features)
	for i := range t.X {
		if r.Float64() < density {
			t.X[i] = float32(r.NormFloat64())
		}
	}
	for v := range int32(n) {
		t.Labels = append(t.Labels, int32(r.IntN(t.Classes)))
		switch {
		case v%2 == 0 || v == n-1:
			t.Train = append(t.Train, v)
		case v%4 == 1:
			t.Val = append(t.Val, v)
		default:
			t.Test = append(t.Test, v)
		}
	}
	finish(t, r)
	return t
}

// shrunkTask is two vertices with an edge each way, all widths 1.
func shrunkTask(model string) *serve.Task {
	t := &serve.Task{
		Model: model, Layers: 2, Hidden: 1, Heads: 1, OutHeads: 1, Vertices: 2, Features: 1, Classes: 1,
		Dropout: 0.5, LR: 0.01, WeightDecay: 5e-4,
		Src: []int32{0, 1}, Dst: []int32{1, 0}, X: []float32{0.5, -1}, Labels: []int32{0, 0},
		Train: []int32{0}, Val: []int32{1}, Test: []int32{1},
	}
	finish(t, rand.New(rand.NewPCG(1, 1)))
	return t
}

// finish counts the edges and draws the parameters, none of them 0.
func finish(t *serve.Task, r *rand.Rand) {
	t.Edges = len(t.Src)
	add := func(name string, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		values := make([]float32, size)
		for i := range values {
			values[i] = float32(r.Float64() - 0.5)
		}
		t.Parameters = append(t.Parameters, serve.Parameter{Name: name, Shape: shape, Values: values})
	}
	in := t.Features
	for l := 1; l <= t.Layers; l++ {
		layer, width, heads := string(rune('0'+l)), t.Width(l), 1
		switch t.Model {
		case "gcn":
			add("w"+layer, in, width)
			add("b"+layer, width)
		case "gin":
			add("eps"+layer, 1)
			add("w"+layer+"a", in, t.Hidden)
			add("b"+layer+"a", t.Hidden)
			add("w"+layer+"b", t.Hidden, width)
			add("b"+layer+"b", width)
		case "gat":
			heads = t.HeadsOf(l)
			add("w"+layer, in, heads*width)
			add("al"+layer, heads, width)
			add("ar"+layer, heads, width)
			if l == t.Layers {
				add("b"+layer, width)
			} else {
				add("b"+layer, heads*width)
			}
		}
		in = heads * width
	}
}

// write writes a task's folder.
func write(t *testing.T, task *serve.Task) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "parameters"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]any{
		"src.i32": task.Src, "dst.i32": task.Dst, "labels.i32": task.Labels, "x.f32": task.X,
		"train.i32": task.Train, "val.i32": task.Val, "test.i32": task.Test, "task.json": text,
	}
	for _, p := range task.Parameters {
		files["parameters/"+p.Name+".f32"] = p.Values
	}
	for name, values := range files {
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
