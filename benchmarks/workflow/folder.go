package workflow

// A task as files, for peers in other processes: task.json and raw little-endian
// arrays.

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/tensor"
)

// folderTask is task.json.
type folderTask struct {
	Config
	Vertices   int           `json:"vertices"`
	Edges      int           `json:"edges"`
	Features   int           `json:"features"`
	Classes    int           `json:"classes"`
	Parameters []folderParam `json:"parameters"`
}

type folderParam struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
}

// WriteFolder writes a task, the config and the initial parameters of its model to a
// new folder: task.json; src.i32, dst.i32 with the loops that the model wants; x.f32
// [N F], dense; labels.i32; train.i32, val.i32, test.i32, the vertices of each part;
// parameters/NAME.f32.
func WriteFolder(dir string, c Config, t *Task) error {
	t = t.For(c)
	if err := os.MkdirAll(filepath.Join(dir, "parameters"), 0o755); err != nil {
		return err
	}
	about := folderTask{Config: c, Vertices: t.Graph.NumVertices(), Edges: t.Graph.NumEdges(), Features: t.Features(), Classes: t.Classes}
	files := map[string]any{
		"src.i32": t.Graph.Src(), "dst.i32": t.Graph.Dst(), "labels.i32": t.Labels,
		"train.i32": t.Train, "val.i32": t.Val, "test.i32": t.Test, "x.f32": tensor.Data[float32](t.dense()),
	}
	for _, p := range newParams(c, c.sizes(t.Features(), t.Classes)) {
		about.Parameters = append(about.Parameters, folderParam{p.Name, p.Var.Shape()})
		files[filepath.Join("parameters", p.Name+".f32")] = tensor.Data[float32](p.Var.Tensor())
	}
	text, err := json.MarshalIndent(about, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "task.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	for name, values := range files {
		if err := writeArray(filepath.Join(dir, name), values); err != nil {
			return err
		}
	}
	return nil
}

// dense returns the features as a dense matrix.
func (t *Task) dense() *tensor.Tensor {
	if s := t.X.Sparse(); s != nil {
		return s.ToDense()
	}
	return t.X.Tensor()
}

// writeArray writes a slice of numbers.
func writeArray(path string, values any) error {
	bytes, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes, 0o644)
}
