package workflow

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// asymmetric is a task on a directed graph with duplicate edges, loops, and vertices
// without in- or out-edges.
func asymmetric(t *testing.T) *Task {
	t.Helper()
	const n, edges = 40, 150
	src, dst := make([]int32, edges), make([]int32, edges)
	for e := range src {
		src[e] = int32(rng.Uniform(7, uint64(e)) * (n - 3)) // the last have no out-edges
		dst[e] = 3 + int32(rng.Uniform(8, uint64(e))*(n-3)) // the first no in-edges
	}
	src[1], dst[1] = src[0], dst[0]
	src[2], dst[2] = 5, 5
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return random("asymmetric", g, 11, 5, 3)
}

// every opens every system that works here.
func every(t *testing.T, use func(t *testing.T, s system.System)) {
	t.Helper()
	for _, spec := range systems.All() {
		t.Run(spec.Name, func(t *testing.T) {
			s, err := spec.Open()
			if err != nil {
				t.Skip(err)
			}
			defer s.Close()
			use(t, s)
		})
	}
}

// small is a config with odd widths.
func small(k Kind) Config {
	c := Default(k)
	c.Layers, c.Hidden, c.OutHeads = 3, 7, 2
	return c
}

func newTrainer(t *testing.T, c Config, task *Task, f Form) *Trainer {
	t.Helper()
	m, err := New(c, task, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return NewTrainer(m, task)
}

func wantAgree(t *testing.T, what string, got, want *tensor.Tensor, tol float64) {
	t.Helper()
	data := func(x *tensor.Tensor) []float32 { return tensor.Data[float32](x.ToDevice(tensor.CPU).Contiguous()) }
	if err := harness.Agree(data(got), data(want), tol); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func TestEverySystemsModelIsTheFusedOne(t *testing.T) {
	every(t, func(t *testing.T, s system.System) {
		for _, k := range Kinds {
			t.Run(string(k), func(t *testing.T) {
				task := asymmetric(t)
				there := task.On(s.Device())
				theirs, ours := newTrainer(t, small(k), there, OverSystem(s)), newTrainer(t, small(k), task, Fused())
				wantAgree(t, "logits", theirs.Model.Forward(there.X, nil).Tensor(), ours.Model.Forward(task.X, nil).Tensor(), 1e-5)

				seed := uint64(9)
				theirs.backward(&seed)
				ours.backward(&seed)
				for i, p := range ours.Model.Params {
					wantAgree(t, "gradient of "+p.Name, theirs.Model.Params[i].Var.Gradient(), p.Var.Gradient(), 1e-5)
				}
				got, err := theirs.Losses(5)
				if err != nil {
					t.Fatal(err)
				}
				want, err := ours.Losses(5)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= 1e-4*want[i]) {
						t.Errorf("loss %d is %v, of the fused model %v", i, got[i], want[i])
					}
				}
			})
		}
	})
}

func TestTrainingLowersTheLossAndFitsTheLabels(t *testing.T) {
	for _, k := range Kinds {
		task := asymmetric(t)
		task.Train, task.Val = task.Val, task.Train
		c := small(k)
		c.Dropout, c.LR = 0, 0.01
		tr := newTrainer(t, c, task, Fused())
		losses, err := tr.Losses(200)
		if err != nil {
			t.Fatal(err)
		}
		if first, last := losses[0], losses[len(losses)-1]; !(last < first/4) {
			t.Errorf("%v: the loss went from %v to %v", c, first, last)
		}
		if got := tr.Model.Accuracy(task, task.Train); got < 0.99 {
			t.Errorf("%v: accuracy on the training vertices is %v", c, got)
		}
	}
}

func TestTheSameSeedGivesTheSameBits(t *testing.T) {
	for _, k := range Kinds {
		var runs [2][]float64
		for i := range runs {
			task := asymmetric(t)
			losses, err := newTrainer(t, small(k), task, Fused()).Losses(4)
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = losses
		}
		if fmt.Sprint(runs[0]) != fmt.Sprint(runs[1]) {
			t.Errorf("%s: losses are %v and %v", k, runs[0], runs[1])
		}
	}
}

func TestDropoutIsThereInTrainingOnly(t *testing.T) {
	task := asymmetric(t)
	m := newTrainer(t, small(GCN), task, Fused()).Model
	one, two := uint64(1), uint64(2)
	logits := func(seed *uint64) string { return fmt.Sprint(m.Forward(task.X, seed).Tensor().Float64s()) }
	first, plain := logits(&one), logits(nil)
	if logits(&one) != first {
		t.Error("one seed gives two masks")
	}
	if logits(&two) == first {
		t.Error("two seeds give one mask")
	}
	if plain == first || logits(nil) != plain {
		t.Error("evaluation drops out")
	}
}

func TestEveryParameterMovesTheOutput(t *testing.T) {
	for _, k := range Kinds {
		task := asymmetric(t)
		m := newTrainer(t, small(k), task, Fused()).Model
		before := m.Forward(task.X, nil).Tensor()
		for _, p := range m.Params {
			was := p.Var.Tensor()
			p.Var.SetTensor(tensor.AddScalar(was, 0.5))
			if harness.Agree(tensor.Data[float32](m.Forward(task.X, nil).Tensor()), tensor.Data[float32](before), 1e-6) == nil {
				t.Errorf("%s: %s does nothing", k, p.Name)
			}
			p.Var.SetTensor(was)
		}
	}
}

func TestLoopsAreAddedOnceAndOnlyWhereTheModelWantsThem(t *testing.T) {
	task := asymmetric(t)
	loops := func(g *graph.Graph) (n int) {
		for e, u := range g.Src() {
			if u == g.Dst()[e] {
				n++
			}
		}
		return n
	}
	if got := loops(task.For(Default(GAT)).Graph); got != task.Graph.NumVertices() {
		t.Errorf("GAT has %d loops, want one for each of %d vertices", got, task.Graph.NumVertices())
	}
	if task.For(Default(GIN)).Graph != task.Graph {
		t.Error("GIN has another graph than the task")
	}
}

func TestParametersHaveTheShapesOfTheProtocol(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Default(GCN), "w1 [9 32] b1 [32] w2 [32 4] b2 [4]"},
		{Config{Model: GIN, Layers: 2, Hidden: 8, Heads: 1, OutHeads: 1}, "eps1 [1] w1a [9 8] b1a [8] w1b [8 8] b1b [8] eps2 [1] w2a [8 8] b2a [8] w2b [8 4] b2b [4]"},
		{Config{Model: GAT, Layers: 2, Hidden: 8, Heads: 3, OutHeads: 2}, "w1 [9 24] al1 [3 8] ar1 [3 8] b1 [24] w2 [24 8] al2 [2 4] ar2 [2 4] b2 [4]"},
	} {
		got := ""
		for _, p := range newParams(c.config, c.config.sizes(9, 4)) {
			got += fmt.Sprint(" ", p.Name, " ", p.Var.Shape())
		}
		if got != " "+c.want {
			t.Errorf("%v has%s, want %s", c.config, got, c.want)
		}
	}
}

func TestConfigsThatMakeNoSenseAreErrors(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"model":   func(c *Config) { c.Model = "mlp" },
		"layers":  func(c *Config) { c.Layers = 0 },
		"heads":   func(c *Config) { c.OutHeads = 0 },
		"dropout": func(c *Config) { c.Dropout = 1 },
	} {
		c := Default(GCN)
		change(&c)
		if _, err := New(c, Shrunk(), Fused()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestShrunkHasTheOperationsOfTheRealModel(t *testing.T) {
	for _, k := range Kinds {
		task := Shrunk()
		c := ShrunkConfig(Default(k))
		losses, err := newTrainer(t, c, task, Fused()).Losses(2)
		if err != nil || len(losses) != 2 || losses[0] != 0 {
			t.Errorf("%s: losses %v, error %v; one class has loss 0", k, losses, err)
		}
	}
}

// A system that lacks calls gives an error, not a panic.
func TestASystemThatFailsIsAnError(t *testing.T) {
	task := asymmetric(t)
	tr := newTrainer(t, small(GCN), task, OverSystem(lacking{systems.Null()}))
	if _, err := tr.Losses(1); err == nil {
		t.Error("losses of a system without calls")
	}
	if _, err := tr.Train(1); err == nil {
		t.Error("accuracies of a system without calls")
	}
}

type lacking struct{ system.System }

func (l lacking) NewGraph(n int, src, dst []int32) (system.Graph, error) {
	g, err := l.System.NewGraph(n, src, dst)
	return lackingGraph{g}, err
}

type lackingGraph struct{ system.Graph }

func (lackingGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	return system.ErrUnsupported
}

func TestTheDetectorFindsNothingInOurModels(t *testing.T) {
	forms := map[string]Form{"fused": Fused(), "naive": OverSystem(systems.Naive())}
	for name, f := range forms {
		for _, arch := range []check.Arch{check.GCN, check.GIN, check.GAT} {
			report, err := check.Model(name, arch, Builder(f, nil), check.Options{Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if !report.OK() {
				t.Errorf("%s, %s: %s", name, arch, report.Markdown())
			}
		}
	}
}

func TestAFolderHasTheTaskAndTheModelsStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "task")
	task, c := asymmetric(t), small(GAT)
	if err := WriteFolder(dir, c, task); err != nil {
		t.Fatal(err)
	}
	looped := task.For(c).Graph
	n, e := looped.NumVertices(), looped.NumEdges()
	for name, numbers := range map[string]int{
		"src.i32": e, "dst.i32": e, "x.f32": n * task.Features(), "labels.i32": n, "train.i32": len(task.Train),
		"val.i32": len(task.Val), "test.i32": len(task.Test), "parameters/w1.f32": 11 * 4 * 7, "parameters/b3.f32": 5,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(text) != 4*numbers {
			t.Errorf("%s: %d bytes, error %v, want %d numbers", name, len(text), err, numbers)
		}
	}
	var about folderTask
	text, err := os.ReadFile(filepath.Join(dir, "task.json"))
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	if err != nil || about.Model != GAT || about.Heads != 4 || about.OutHeads != 2 || about.Vertices != n || about.Edges != e || len(about.Parameters) != 12 || about.LR != c.LR {
		t.Errorf("task.json is %s, error %v", text, err)
	}
	x, err := os.ReadFile(filepath.Join(dir, "x.f32"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := math.Float32frombits(binary.LittleEndian.Uint32(x[4:])), tensor.Data[float32](task.X.Tensor())[1]; got != want {
		t.Errorf("the second number of x.f32 is %v, want %v", got, want)
	}
}

// Peers get dense features, whatever we compute with.
func TestSparseFeaturesAreWrittenDense(t *testing.T) {
	task := asymmetric(t)
	dense := *task
	n := task.Graph.NumVertices()
	indptr, indices, values := make([]int32, n+1), make([]int32, n), make([]float32, n)
	for v := range n {
		indptr[v+1], indices[v], values[v] = int32(v+1), int32(v%11), float32(v)
	}
	s, err := tensor.NewSparse(n, 11, indptr, indices, tensor.FromSlice(values, n))
	if err != nil {
		t.Fatal(err)
	}
	dense.X = autograd.SparseConstant(s)
	x := tensor.Data[float32](dense.dense())
	if len(x) != n*11 || x[12*11+1] != 12 || x[12*11+2] != 0 {
		t.Errorf("row 12 is %v", x[12*11:13*11])
	}
	if got, want := dense.FeatureBytes(), int64(4*(2*n+n+1)); got != want {
		t.Errorf("%d bytes of features, want %d", got, want)
	}
}
