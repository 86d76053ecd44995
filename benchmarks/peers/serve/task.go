package serve

// Tasks as files.

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// A Task is a model to train on a graph.
type Task struct {
	Model       string  `json:"model"` // gcn, gin or gat
	Layers      int     `json:"layers"`
	Hidden      int     `json:"hidden"`
	Heads       int     `json:"heads"`     // of GAT's layers but the last
	OutHeads    int     `json:"out_heads"` // of GAT's last
	Vertices    int     `json:"vertices"`
	Edges       int     `json:"edges"`
	Features    int     `json:"features"`
	Classes     int     `json:"classes"`
	Dropout     float64 `json:"dropout"`
	LR          float64 `json:"lr"`
	WeightDecay float64 `json:"weight_decay"`

	Parameters []Parameter `json:"parameters"`

	Src, Dst         []int32   `json:"-"` // with the loops that the model wants
	X                []float32 `json:"-"` // [Vertices Features]
	Labels           []int32   `json:"-"`
	Train, Val, Test []int32   `json:"-"` // vertices
}

// A Parameter has a name of the protocol, such as w1, and its initial values.
type Parameter struct {
	Name   string    `json:"name"`
	Shape  []int     `json:"shape"`
	Values []float32 `json:"-"`
}

// noLabel is the label of a vertex that has none, which is in no part of the split.
const noLabel = -1

// ReadTask reads a task's folder. Sizes that do not fit each other are an error.
func ReadTask(dir string) (*Task, error) {
	text, err := os.ReadFile(filepath.Join(dir, "task.json"))
	if err != nil {
		return nil, err
	}
	t := new(Task)
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "task.json"), err)
	}
	for _, f := range []struct {
		name  string
		ids   *[]int32
		want  int   // numbers, -1 for any
		least int32 // of the ids
		end   int
	}{
		{"src", &t.Src, t.Edges, 0, t.Vertices},
		{"dst", &t.Dst, t.Edges, 0, t.Vertices},
		{"labels", &t.Labels, t.Vertices, noLabel, t.Classes},
		{"train", &t.Train, -1, 0, t.Vertices},
		{"val", &t.Val, -1, 0, t.Vertices},
		{"test", &t.Test, -1, 0, t.Vertices},
	} {
		if *f.ids, err = readArray[int32](filepath.Join(dir, f.name+".i32"), f.want); err != nil {
			return nil, err
		}
		for _, id := range *f.ids {
			if id < f.least || int(id) >= f.end {
				return nil, fmt.Errorf("%s has %d, out of [%d, %d)", filepath.Join(dir, f.name+".i32"), id, f.least, f.end)
			}
		}
	}
	for _, rows := range [][]int32{t.Train, t.Val, t.Test} {
		for _, v := range rows {
			if t.Labels[v] == noLabel {
				return nil, fmt.Errorf("%s: vertex %d of the split has no label", dir, v)
			}
		}
	}
	if t.X, err = readArray[float32](filepath.Join(dir, "x.f32"), t.Vertices*t.Features); err != nil {
		return nil, err
	}
	for i := range t.Parameters {
		p := &t.Parameters[i]
		size := 1
		for _, n := range p.Shape {
			size *= n
		}
		if p.Values, err = readArray[float32](filepath.Join(dir, "parameters", p.Name+".f32"), size); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// readArray reads little-endian numbers, want of them or, below 0, any number.
func readArray[T int32 | float32](path string, want int) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data)%4 != 0 || want >= 0 && len(data) != 4*want {
		return nil, fmt.Errorf("%s has %d bytes, for %d numbers", path, len(data), want)
	}
	numbers := make([]T, len(data)/4)
	if _, err := binary.Decode(data, binary.LittleEndian, numbers); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return numbers, nil
}

// GCNWeights is 1/√(in-degree of v · out-degree of u) of each edge u→v, a degree of 0
// as 1.
func (t *Task) GCNWeights() []float32 {
	in, out := make([]float64, t.Vertices), make([]float64, t.Vertices)
	for e := range t.Src {
		in[t.Dst[e]]++
		out[t.Src[e]]++
	}
	weights := make([]float32, t.Edges)
	for e := range weights {
		weights[e] = float32(1 / math.Sqrt(in[t.Dst[e]]*out[t.Src[e]]))
	}
	return weights
}

// dense is the share of numbers other than 0 from which features count as dense.
const dense = 0.1

// SparseFeatures returns the features other than 0 with their rows and columns, in
// order of rows; or false where too few are 0 for sparse products to be faster.
func (t *Task) SparseFeatures() (rows, columns []int32, values []float32, sparse bool) {
	for i, x := range t.X {
		if x != 0 {
			rows, columns = append(rows, int32(i/t.Features)), append(columns, int32(i%t.Features))
			values = append(values, x)
		}
	}
	return rows, columns, values, float64(len(values)) < dense*float64(len(t.X))
}

// Width is the width of a layer, counted from 1, or in GAT of one of its heads.
func (t *Task) Width(layer int) int {
	if layer == t.Layers {
		return t.Classes
	}
	return t.Hidden
}

// HeadsOf is the number of heads of a layer of GAT, counted from 1.
func (t *Task) HeadsOf(layer int) int {
	if layer == t.Layers {
		return t.OutHeads
	}
	return t.Heads
}
