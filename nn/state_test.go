// Saving and loading modules: bits, bytes, layouts, strictness, files.

package nn_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// stateful has parameters and buffers of every element type, and Vars that are
// no state.
type stateful struct {
	Dense   *nn.Linear
	Wide    *autograd.Var
	Layers  nn.Sequential
	Mean    *autograd.Var `nn:"running_mean"`
	Count   *autograd.Var
	Index   *autograd.Var
	Empty   *autograd.Var
	Input   *autograd.Var // a Variable: its gradient is asked for, but it is no parameter
	Graph   *autograd.Var // sparse
	private *autograd.Var
}

// bits32 has the values that a careless conversion changes.
var bits32 = []uint32{0, 0x80000000, 1, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0xffabcdef, 0x3f800000, 0x00800000}

func newStateful(fill bool) *stateful {
	mean, count, index := make([]float32, len(bits32)), []int64{0}, []int32{0, 0}
	wide := []float64{0, 0, 0}
	if fill {
		for i, b := range bits32 {
			mean[i] = math.Float32frombits(b)
		}
		count[0] = math.MinInt64 + 1
		index[0], index[1] = math.MinInt32, 7
		wide = []float64{math.Float64frombits(0x7ff0000000000001), math.Copysign(0, -1), 1.0 / 3}
	}
	r := nn.NewRNG(1)
	if fill {
		r = nn.NewRNG(2)
	}
	sparse, err := tensor.NewSparse(1, 1, []int32{0, 1}, []int32{0}, tensor.Zeros(tensor.Float32, 1))
	if err != nil {
		panic(err)
	}
	return &stateful{
		Dense: nn.NewLinear(2, 3, r), Wide: autograd.Parameter(tensor.FromSlice(wide, 3)),
		Layers: nn.NewSequential(nn.ReLU(), nn.NewLinear(3, 1, r, nn.NoBias())),
		Mean:   autograd.Constant(tensor.FromSlice(mean, len(mean))), Count: autograd.Constant(tensor.FromSlice(count)),
		Index: autograd.Constant(tensor.FromSlice(index, 2, 1)), Empty: autograd.Parameter(tensor.Zeros(tensor.Float32, 0, 4)),
		Input: autograd.Variable(tensor.Zeros(tensor.Float32, 1)), Graph: autograd.SparseConstant(sparse),
		private: autograd.Parameter(tensor.Zeros(tensor.Float32, 1)),
	}
}

// stateBits writes the state of a module in binary, apart from any file format.
func stateBits(m any) string {
	var b bytes.Buffer
	for _, s := range nn.State(m) {
		fmt.Fprintf(&b, "%s %v %v\n", s.Name, s.Var.DType(), s.Var.Shape())
		switch t := s.Var.Tensor().Contiguous(); t.DType() {
		case tensor.Float32:
			for _, x := range tensor.Data[float32](t) {
				fmt.Fprintf(&b, "%08x\n", math.Float32bits(x))
			}
		case tensor.Float64:
			for _, x := range tensor.Data[float64](t) {
				fmt.Fprintf(&b, "%016x\n", math.Float64bits(x))
			}
		default:
			fmt.Fprintln(&b, t)
		}
	}
	return b.String()
}

func saved(t testing.TB, m any, opts ...nn.StateOption) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := nn.Save(&b, m, opts...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// file assembles a file from a header and data, padding nothing.
func file(header string, data ...any) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for _, d := range data {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, d); err != nil {
			panic(err)
		}
	}
	return b
}

func TestStateListsParametersAndBuffersInOrder(t *testing.T) {
	var got []string
	for _, s := range nn.State(newStateful(false)) {
		got = append(got, s.Name)
	}
	want := []string{"dense.weight", "dense.bias", "wide", "layers.1.weight", "running_mean", "count", "index", "empty"}
	if !slices.Equal(got, want) {
		t.Errorf("state %v, want %v", got, want)
	}
}

func TestStateRejectsNamesThatCannotBeSaved(t *testing.T) {
	constant := autograd.Constant(tensor.Zeros(tensor.Float32, 1))
	for want, m := range map[string]any{
		"nn: State: two parameters or buffers are named w": &struct {
			W, V *autograd.Var `nn:"w"`
		}{param(), constant},
		`nn: State: a file cannot hold a tensor named "__metadata__"`: &struct {
			W *autograd.Var `nn:"__metadata__"`
		}{param()},
		`nn: State: a file cannot hold a tensor named "\xff"`: &struct {
			W *autograd.Var "nn:\"\\xff\""
		}{param()},
		"nn: State: a module is a non-nil pointer to a struct, not int": 3,
	} {
		if err := autograd.Try(func() { nn.State(m) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestRoundTripKeepsEveryBit(t *testing.T) {
	for _, opts := range [][]nn.StateOption{nil, {nn.PyTorchLayout()}} {
		from, to := newStateful(true), newStateful(false)
		if stateBits(from) == stateBits(to) {
			t.Fatal("nothing to load")
		}
		weight := to.Dense.Weight.Tensor()
		// One byte at a time: no read may rely on getting all it asks for.
		if err := nn.Load(iotest.OneByteReader(bytes.NewReader(saved(t, from, opts...))), to, opts...); err != nil {
			t.Fatal(err)
		}
		if got, want := stateBits(to), stateBits(from); got != want {
			t.Errorf("loaded\n%s\nwant\n%s", got, want)
		}
		if to.Dense.Weight.Tensor() != weight || !to.Dense.Weight.RequiresGrad() {
			t.Error("a parameter was replaced, not written in place")
		}
	}
}

func TestRoundTripOfTensorsLongerThanABuffer(t *testing.T) {
	long := func(x float64) *struct{ A, B, C, D *autograd.Var } {
		const n = 1<<16 + 3
		v := make([]*autograd.Var, 4)
		for i, dt := range []tensor.DType{tensor.Int32, tensor.Float32, tensor.Float64, tensor.Int64} {
			ts := make([]float64, n)
			for k := range ts {
				ts[k] = x * float64(k+i)
			}
			v[i] = autograd.Constant(tensor.FromSlice(ts, n).To(dt))
		}
		return &struct{ A, B, C, D *autograd.Var }{v[0], v[1], v[2], v[3]}
	}
	from, to := long(3), long(0)
	if err := nn.Load(bytes.NewReader(saved(t, from)), to); err != nil {
		t.Fatal(err)
	}
	if stateBits(from) != stateBits(to) {
		t.Error("the loaded module differs")
	}
}

func TestRoundTripOfLayersWithBuffers(t *testing.T) {
	build := func(seed uint64) any {
		r := nn.NewRNG(seed)
		return &struct {
			Norm *nn.BatchNorm1d
			Cell *nn.GRUCell
		}{nn.NewBatchNorm1d(3, nn.BatchNormConfig{}), nn.NewGRUCell(2, 3, nn.CellConfig{}, r)}
	}
	from, to := build(1), build(2)
	for _, s := range nn.State(from) {
		if s.Name == "norm.running_var" {
			s.Var.Tensor().CopyFrom(tensor.FromSlice([]float32{1, 2, 3}, 3))
		}
	}
	if err := nn.Load(bytes.NewReader(saved(t, from)), to); err != nil {
		t.Fatal(err)
	}
	if got, want := stateBits(to), stateBits(from); got != want || !strings.Contains(got, "norm.running_var f32 [3]\n3f800000\n40000000\n40400000") {
		t.Errorf("loaded\n%s\nwant\n%s", got, want)
	}
}

func TestModuleWithoutStateIsAnEmptyHeader(t *testing.T) {
	m := &struct{ Drop *nn.Dropout }{nn.NewDropout(0.5, nn.NewRNG(1))}
	b := saved(t, m)
	if want := file("{}      "); !bytes.Equal(b, want) {
		t.Errorf("file %q, want %q", b, want)
	}
	if err := nn.Load(bytes.NewReader(b), m); err != nil {
		t.Error(err)
	}
}

// mixed is small enough to write its file by hand.
func mixed() any {
	l := &nn.Linear{
		Weight: autograd.Parameter(tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)),
		Bias:   autograd.Parameter(tensor.FromSlice([]float32{-1, 0.5, 0}, 3)),
	}
	return &struct {
		Fc    *nn.Linear
		Ids   *autograd.Var
		Steps *autograd.Var
		Scale *autograd.Var `nn:"<s>\"\u00e9"`
	}{
		l, autograd.Constant(tensor.FromSlice([]int32{-2}, 1)), autograd.Constant(tensor.FromSlice([]int64{9})),
		autograd.Parameter(tensor.FromSlice([]float64{1.5}, 1, 1)),
	}
}

func TestSaveWritesTheBytesOfTheFormat(t *testing.T) {
	entries := func(weight string) string {
		return `"steps":{"dtype":"I64","shape":[],"data_offsets":[0,8]},` +
			`"<s>\"é":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]},` +
			`"fc.bias":{"dtype":"F32","shape":[3],"data_offsets":[16,28]},` +
			`"fc.weight":{"dtype":"F32","shape":` + weight + `,"data_offsets":[28,52]},` +
			`"ids":{"dtype":"I32","shape":[1],"data_offsets":[52,56]}}`
	}
	pad := func(s string) string { return s + strings.Repeat(" ", (8-len(s)%8)%8) }
	bias := []float32{-1, 0.5, 0}
	for _, c := range []struct {
		name string
		want []byte
		opts []nn.StateOption
	}{
		{"ours", file(pad("{"+entries("[2,3]")), int64(9), 1.5, bias, []float32{1, 2, 3, 4, 5, 6}, int32(-2)), nil},
		{"PyTorch", file(pad(`{"__metadata__":{"format":"pt"},`+entries("[3,2]")), int64(9), 1.5, bias, []float32{1, 4, 2, 5, 3, 6}, int32(-2)),
			[]nn.StateOption{nn.PyTorchLayout()}},
	} {
		if got := saved(t, mixed(), c.opts...); !bytes.Equal(got, c.want) {
			t.Errorf("%s: file\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}

func TestLoadTakesWhatOtherWritersWrite(t *testing.T) {
	m := &struct{ A, B *autograd.Var }{param(), param()}
	// Keys and tensors in another order, spaces, metadata, escapes, trailing blanks.
	b := file("{ \"b\" : {\"data_offsets\":[8,16], \"shape\":[2],\n\"dtype\":\"F32\"}, \"__metadata__\":{\"x\":\"y\"}, "+
		"\"\\u0061\":{\"shape\":[2],\"dtype\":\"F32\",\"data_offsets\":[0,8]}}  \n", []float32{1, 2, 3, 4})
	if err := nn.Load(bytes.NewReader(b), m); err != nil {
		t.Fatal(err)
	}
	if a, b := tensor.Data[float32](m.A.Tensor()), tensor.Data[float32](m.B.Tensor()); !slices.Equal(a, []float32{1, 2}) || !slices.Equal(b, []float32{3, 4}) {
		t.Errorf("loaded %v and %v", a, b)
	}
}

// nested hides a Linear behind everything a module may be made of.
type nested struct {
	inNested
	Parts []any
}

type inNested struct{ Pair [1]nn.Linear }

func TestPyTorchLayoutTransposesEveryLinear(t *testing.T) {
	const cols = 3
	weight := func() *nn.Linear {
		return &nn.Linear{Weight: autograd.Parameter(tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, cols))}
	}
	m := &nested{inNested{[1]nn.Linear{*weight()}}, []any{nn.NewSequential(weight()), &nn.Embedding{Weight: weight().Weight}}}
	b := saved(t, m, nn.PyTorchLayout())
	for name, shape := range map[string]string{"pair.0.weight": "[3,2]", "parts.0.0.weight": "[3,2]", "parts.1.weight": "[2,3]"} {
		if !bytes.Contains(b, []byte(`"`+name+`":{"dtype":"F32","shape":`+shape)) {
			t.Errorf("%s: no shape %s in %q", name, shape, b)
		}
	}
	err := nn.Load(bytes.NewReader(b), m)
	want := `tensor "pair.0.weight": shape [3 2], want [2 3]: PyTorch stores a Linear transposed; see PyTorchLayout`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("loaded without the option: %v, want %q", err, want)
	}
	before := stateBits(m)
	m.Pair[0].Weight.Tensor().Zero()
	if err := nn.Load(bytes.NewReader(b), m, nn.PyTorchLayout()); err != nil || stateBits(m) != before {
		t.Errorf("loaded with the option: %v\n%s\nwant\n%s", err, stateBits(m), before)
	}
}

// Files of other libraries have other names, and some matrices transposed.
func TestFileNamesRenameAndTranspose(t *testing.T) {
	type conv struct{ Weight, Bias *autograd.Var }
	type model struct {
		Convs []conv
		Head  *nn.Linear
	}
	build := func(by float32) *model {
		p := func(shape ...int) *autograd.Var {
			x := tensor.Arange(tensor.Float32, 0, float64(tensor.Shape(shape).Size()), 1).Reshape(shape...)
			return autograd.Parameter(tensor.Scale(x, float64(by)))
		}
		return &model{[]conv{{p(2, 3), p(3)}}, &nn.Linear{Weight: p(3, 2)}}
	}
	pyg := nn.FileNames(func(name string) (string, bool) {
		if c, ok := strings.CutSuffix(name, ".weight"); ok && strings.HasPrefix(name, "convs.") {
			return c + ".lin.weight", true
		}
		return name, false
	})
	b := saved(t, build(1), nn.PyTorchLayout(), pyg)
	tensors, err := nn.LoadTensors(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"convs.0.lin.weight": "[3 2] [0 3 1 4 2 5]", "convs.0.bias": "[3] [0 1 2]", "head.weight": "[2 3] [0 2 4 1 3 5]",
	} {
		if x := tensors[name]; x == nil || len(tensors) != 3 || fmt.Sprint(x.Shape(), x.Float64s()) != want {
			t.Errorf("%s is %v of %d tensors, want %s", name, x, len(tensors), want)
		}
	}
	m := build(0)
	if err := nn.Load(bytes.NewReader(b), m, nn.PyTorchLayout(), pyg); err != nil || stateBits(m) != stateBits(build(1)) {
		t.Errorf("loaded: %v\n%s\nwant\n%s", err, stateBits(m), stateBits(build(1)))
	}
	want := `tensor "convs.0.weight": the module has none of that name; tensor "convs.0.lin.weight": the file has none of that name`
	if err := nn.Load(bytes.NewReader(saved(t, m, nn.PyTorchLayout())), m, nn.PyTorchLayout(), pyg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	flat := func(name string) (string, bool) {
		return strings.Replace(name, "convs.0.weight", "convs.0.lin.weight", 1), false
	}
	want = `tensor "convs.0.lin.weight": shape [3 2], want [2 3]: it may be transposed; see FileNames`
	if err := nn.Load(bytes.NewReader(b), m, nn.PyTorchLayout(), nn.FileNames(flat)); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	more := map[string]*tensor.Tensor{}
	for name, x := range tensors {
		if more[name] = x; x.Rank() == 1 {
			more[name] = x.Reshape(1, 1, 3) // of two axes more
		}
	}
	var file bytes.Buffer
	if err := nn.SaveTensors(&file, more, nil); err != nil {
		t.Fatal(err)
	}
	m = build(0)
	if err := nn.Load(bytes.NewReader(file.Bytes()), m, nn.PyTorchLayout(), pyg); err != nil || stateBits(m) != stateBits(build(1)) {
		t.Errorf("axes of length 1 in front: %v\n%s", err, stateBits(m))
	}
	more["convs.0.bias"] = tensors["convs.0.bias"].Reshape(3, 1)
	file.Reset()
	if err := nn.SaveTensors(&file, more, nil); err != nil {
		t.Fatal(err)
	}
	want = `tensor "convs.0.bias": shape [3 1], want [3]`
	if err := nn.Load(bytes.NewReader(file.Bytes()), m, nn.PyTorchLayout(), pyg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	for want, f := range map[string]func(string) (string, bool){
		`nn: Save: two parameters or buffers are named "x" in the file`:           func(string) (string, bool) { return "x", false },
		`nn: Save: convs.0.bias of shape [3] is no matrix that a file has transp`: func(name string) (string, bool) { return name, true },
		`nn: Save: a file cannot hold a tensor named "__metadata__"`:              func(string) (string, bool) { return "__metadata__", false },
		`nn: FileNames: the function is nil`:                                      nil,
	} {
		if err := autograd.Try(func() { nn.Save(&bytes.Buffer{}, m, nn.FileNames(f)) }); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestMetadataIsReadBack(t *testing.T) {
	m := &nn.Linear{Weight: param()}
	texts := map[string]string{"classes": `["cat","dög"]`, "": "x"}
	for want, b := range map[string][]byte{
		fmt.Sprint(texts): saved(t, m, nn.Metadata(texts)),
		fmt.Sprint(map[string]string{"classes": texts["classes"], "": "x", "format": "pt"}): saved(t, m, nn.Metadata(texts), nn.PyTorchLayout()),
		"map[format:pt]": saved(t, m, nn.PyTorchLayout()),
		"map[]":          saved(t, m),
	} {
		got, err := nn.LoadMetadata(bytes.NewReader(b))
		if err != nil || got == nil || fmt.Sprint(got) != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
		if err := nn.Load(bytes.NewReader(b), m); err != nil {
			t.Error(err)
		}
	}
	if len(texts) != 2 {
		t.Errorf("the option changed its map: %v", texts)
	}
	for want, file := range map[string]string{
		"nn: LoadMetadata: it is not a safetensors file; it looks like text": "classes: cat, dog",
		"nn: LoadMetadata: the file is empty: ":                              "",
	} {
		if _, err := nn.LoadMetadata(strings.NewReader(file)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestLoadIsStrictAndNamesTheTensors(t *testing.T) {
	m := newStateful(true)
	good := saved(t, m)
	before := stateBits(m)
	other := func(change func(s *stateful)) []byte {
		s := newStateful(false)
		change(s)
		return saved(t, s)
	}
	for want, b := range map[string][]byte{
		`tensor "dense.bias": the file has none of that name; Partial takes over what fits`: other(func(s *stateful) { s.Dense.Bias = nil }),
		`tensor "layers.0.weight": the module has none of that name; tensor "layers.1.weight": the file has none of that name`: other(
			func(s *stateful) { s.Layers = s.Layers[1:] }),
		`tensor "running_mean": shape [10 1], want [10]; Partial and SkipMismatched take over what fits`: other(func(s *stateful) {
			s.Mean = autograd.Constant(s.Mean.Tensor().Reshape(-1, 1))
		}),
		`tensor "empty": shape [4 0], want [0 4]: it may be transposed; see FileNames`: other(func(s *stateful) {
			s.Empty = autograd.Parameter(tensor.Zeros(tensor.Float32, 4, 0))
		}),
		`tensor "wide": element type F32, want F64: load into a module of that type, then see ToDType`: other(func(s *stateful) {
			s.Wide = autograd.Parameter(s.Wide.Tensor().To(tensor.Float32))
		}),
		`tensor "index": element type I64, want I32; tensor "count": element type I32, want I64`: other(func(s *stateful) {
			s.Count, s.Index = autograd.Constant(s.Count.Tensor().To(tensor.Int32)), autograd.Constant(s.Index.Tensor().To(tensor.Int64))
		}),
		`tensor "index": unexpected EOF`: good[:len(good)-1],
		`bytes after the last tensor`:    append(slices.Clone(good), 0),
	} {
		err := nn.Load(bytes.NewReader(b), m)
		if err == nil || !strings.HasPrefix(err.Error(), "nn: Load: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if stateBits(m) != before {
			t.Fatalf("%s: the module was changed", want)
		}
	}
}

func TestLoadTellsTheFirstOfManyProblems(t *testing.T) {
	m := make(nn.Sequential, 12)
	for i := range m {
		m[i] = linear()
	}
	err := nn.Load(bytes.NewReader(file("{}")), m)
	if err == nil || strings.Count(err.Error(), "tensor ") != 8 || !strings.HasSuffix(err.Error(), "; and 16 more; Partial takes over what fits") {
		t.Errorf("error %v", err)
	}
}

func TestErrorsOfReaderAndWriterArePassedOn(t *testing.T) {
	m := newStateful(true)
	before := stateBits(m)
	good := saved(t, newStateful(false))
	broken := errors.New("broken")
	for n := range len(good) + 1 {
		r := io.MultiReader(bytes.NewReader(good[:n]), iotest.ErrReader(broken))
		if err := nn.Load(r, m); !errors.Is(err, broken) {
			t.Fatalf("after %d bytes: error %v", n, err)
		}
		if n < len(good) {
			if err := nn.Load(bytes.NewReader(good[:n]), m); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("cut to %d bytes: error %v", n, err)
			}
			if err := nn.Save(&limitedWriter{n, broken}, m); !errors.Is(err, broken) {
				t.Fatalf("writer of %d bytes: error %v", n, err)
			}
		}
	}
	if stateBits(m) != before {
		t.Error("the module was changed")
	}
}

// limitedWriter takes n bytes, then fails.
type limitedWriter struct {
	n   int
	err error
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	k := min(len(p), w.n)
	w.n -= k
	if k < len(p) {
		return k, w.err
	}
	return k, nil
}

func TestSaveFileReplacesWholeFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.safetensors")
	m := newStateful(true)
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A module that cannot be saved: the old file stays.
	clash := &struct {
		W, V *autograd.Var `nn:"w"`
	}{param(), param()}
	if err := autograd.Try(func() { _ = nn.SaveFile(path, clash) }); err == nil || !strings.HasPrefix(err.Error(), "nn: SaveFile: two") {
		t.Errorf("error %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the old file is now %q, %v", b, err)
	}
	if err := nn.SaveFile(path, m); err != nil {
		t.Fatal(err)
	}
	to := newStateful(false)
	if err := nn.LoadFile(path, to); err != nil || stateBits(to) != stateBits(m) {
		t.Errorf("loaded with error %v\n%s", err, stateBits(to))
	}
	// A folder in its place cannot be replaced.
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := nn.SaveFile(folder, m); err == nil || !strings.Contains(err.Error(), "nn: SaveFile: "+folder+": ") {
		t.Errorf("error %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v; want folder and model.safetensors", entries, err)
	}
}

func TestFileErrorsNameThePath(t *testing.T) {
	m := linear()
	path := filepath.Join(t.TempDir(), "none", "model.safetensors")
	if err := nn.LoadFile(path, m); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("LoadFile: %v", err)
	}
	if err := nn.SaveFile(path, m); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("SaveFile: %v", err)
	}
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte{1, 2, 3, 4}, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := nn.LoadFile(short, m); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), short) {
		t.Errorf("LoadFile: %v", err)
	}
}
