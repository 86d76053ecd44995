package main

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// naive computes the forward programs edge by edge in float64: an independent
// peer, in this process.
type naive struct {
	wrong  bool  // adds 1 to a value
	broken error // of the timed runs
	opened int
}

func (n *naive) forms() []string  { return []string{formCSR} }
func (n *naive) version() string  { return "naive" }
func (n *naive) open(*task) error { n.opened++; return nil }
func (n *naive) clear()           {}
func (n *naive) close()           {}

func (n *naive) enter(t *task, form string) (harness.Contender, error) {
	compute, ok := naiveForms[t.form]
	if !ok {
		return harness.Contender{}, errors.New("no naive form")
	}
	c := harness.InProcess(func() { compute(t) }, func() []float32 {
		values := compute(t)
		out := make([]float32, len(values))
		for i, v := range values {
			out[i] = float32(v)
		}
		if n.wrong {
			out[0]++
		}
		return out
	})
	if n.broken != nil {
		c.Run = func(int) (time.Duration, error) { return 0, n.broken }
	}
	return c, nil
}

// value returns the numbers of one of a task's inputs.
func (t *task) value(name string) []float32 {
	for _, in := range t.data {
		if in.name == name {
			return tensor.Data[float32](in.t)
		}
	}
	panic("BUG: no input " + name)
}

// perEdge sums what message adds for each edge to its destination's row.
func perEdge(t *task, message func(e, u, v int, row []float64)) []float64 {
	out := make([]float64, t.graph.NumVertices()*t.width)
	for e, u := range t.graph.Src() {
		v := int(t.graph.Dst()[e])
		message(e, int(u), v, out[v*t.width:][:t.width])
	}
	return out
}

var naiveForms = map[string]func(t *task) []float64{
	"gcn": func(t *task) []float64 {
		h, norm := t.value("h"), t.value("norm")
		return perEdge(t, func(_, u, v int, row []float64) {
			for k := range row {
				row[k] += float64(norm[u]) * float64(norm[v]) * float64(h[u*t.width+k])
			}
		})
	},
	"appnp": func(t *task) []float64 {
		h, x, w := t.value("h"), t.value("x"), t.value("w")
		out := perEdge(t, func(e, u, _ int, row []float64) {
			for k := range row {
				row[k] += 0.9 * float64(w[e]) * float64(h[u*t.width+k])
			}
		})
		for i := range out {
			out[i] += 0.1 * float64(x[i])
		}
		return out
	},
	"pool": func(t *task) []float64 {
		h, seen := t.value("h"), make([]bool, t.graph.NumVertices())
		return perEdge(t, func(_, u, v int, row []float64) {
			for k := range row {
				if x := float64(h[u*t.width+k]); !seen[v] || x > row[k] {
					row[k] = x
				}
			}
			seen[v] = true
		})
	},
	"gat": func(t *task) []float64 {
		h, el, er := t.value("h"), t.value("el"), t.value("er")
		heads := len(el) / t.graph.NumVertices()
		weight := func(u, v, k int) float64 {
			head := k / (t.width / heads)
			s := float64(el[u*heads+head]) + float64(er[v*heads+head])
			return math.Exp(max(s, leakySlope*s))
		}
		total := perEdge(t, func(_, u, v int, row []float64) {
			for k := range row {
				row[k] += weight(u, v, k)
			}
		})
		return perEdge(t, func(_, u, v int, row []float64) {
			for k := range row {
				row[k] += weight(u, v, k) / total[v*t.width+k] * float64(h[u*t.width+k])
			}
		})
	},
	"rgcn": func(t *task) []float64 {
		n, h, w, types := t.width, t.value("h"), t.value("W"), t.graph.EdgeTypes()
		counts := map[[2]int]float64{}
		for e, v := range t.graph.Dst() {
			counts[[2]int{int(v), int(types[e])}]++
		}
		return perEdge(t, func(e, u, v int, row []float64) {
			r := int(types[e])
			for j := range n {
				for k := range row {
					row[k] += float64(h[u*n+j]) * float64(w[(r*n+j)*n+k]) / counts[[2]int{v, r}]
				}
			}
		})
	},
	"edgeconv": func(t *task) []float64 {
		n, seen := t.width, make([]bool, t.graph.NumVertices())
		h, w1, b1, w2, b2 := t.value("h"), t.value("W1"), t.value("b1"), t.value("W2"), t.value("b2")
		return perEdge(t, func(_, u, v int, row []float64) {
			hidden := make([]float64, n)
			for j := range hidden {
				sum := float64(b1[j])
				for k := range n {
					own := float64(h[v*n+k])
					sum += own*float64(w1[k*n+j]) + (float64(h[u*n+k])-own)*float64(w1[(n+k)*n+j])
				}
				hidden[j] = max(sum, 0)
			}
			for k := range row {
				sum := float64(b2[k])
				for j, x := range hidden {
					sum += x * float64(w2[j*n+k])
				}
				if !seen[v] || sum > row[k] {
					row[k] = sum
				}
			}
			seen[v] = true
		})
	},
}

// smallGraph has a hub, a vertex without in-edges, a loop and double edges.
func smallGraph(t *testing.T) *graph.Graph {
	g, err := graph.New(6, []int32{0, 1, 2, 3, 4, 5, 1, 1, 3, 0}, []int32{1, 1, 1, 1, 1, 1, 2, 2, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestOnlyProgramsThatReadEdgeTypesRunOnGraphsWithTypes(t *testing.T) {
	for _, p := range programs() {
		g := newTask(p, "small", smallGraph(t), 8).graph
		if want := p.name == "rgcn"; (g.NumEdgeTypes() > 0) != want || want && g.NumEdgeTypes() != edgeTypes {
			t.Errorf("%s runs on a graph of %d edge types", p.title(), g.NumEdgeTypes())
		}
	}
}

func TestForwardProgramsComputeWhatANaivePeerDoes(t *testing.T) {
	b := tiny(t, "")
	oracle := &naive{}
	b.peers = []peer{oracle}
	results, err := casesOf(b, "small", smallGraph(t), new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, p := range programs() {
		for _, r := range results {
			if r.Program != p.title() || p.pass != forward || len(r.Peers) == 0 {
				continue
			}
			met[p.form] = true
			if best := r.best(); best == nil || best.Seconds <= 0 || best.Speedup <= 0 {
				t.Errorf("%s: %+v", r.Program, r.Peers[0])
			}
		}
	}
	if len(met) != 5 { // edgeconv has no form of this name
		t.Errorf("met %v", met)
	}
	edge := newTask(findProgram(t, "edgeconv forward"), "small", smallGraph(t), 8)
	got, err := edge.ours().Output()
	if err != nil {
		t.Fatal(err)
	}
	c, _ := oracle.enter(edge, formGather)
	want, _ := c.Output()
	if err := edge.agree(got, want); err != nil {
		t.Error(err)
	}
}

func findProgram(t *testing.T, title string) program {
	for _, p := range programs() {
		if p.title() == title {
			return p
		}
	}
	t.Fatalf("no program %s", title)
	return program{}
}

func TestDifferentWorkIsAnError(t *testing.T) {
	b := tiny(t, "-filter gcn")
	b.peers = []peer{&naive{wrong: true}}
	results, err := casesOf(b, "small", smallGraph(t), new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	if p := results[0].Peers[0]; !strings.Contains(p.Status, "not the same work") || results[0].best() != nil || results[0].Ours <= 0 {
		t.Errorf("%+v", p)
	}
}

func TestAPeerThatFailsWhileTimedIsLeftOut(t *testing.T) {
	b := tiny(t, "-filter gcn")
	b.peers = []peer{&naive{broken: errors.New("out of memory")}, &naive{}}
	var out bytes.Buffer
	results, err := casesOf(b, "small", smallGraph(t), &out)
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Peers[0].Status != "error: out of memory" || r.Peers[1].Status != "" || r.best() != r.Peers[1] || r.Ours <= 0 {
		t.Errorf("%+v, %+v", r.Peers[0], r.Peers[1])
	}
	if !strings.Contains(out.String(), "out of memory") {
		t.Errorf("the reason is not below the table:\n%s", out.String())
	}
}

func TestPeersAreAskedForWhatTheFlagNames(t *testing.T) {
	b := tiny(t, "-filter gcn -peers gather")
	oracle := &naive{}
	b.peers = []peer{oracle}
	results, err := casesOf(b, "small", smallGraph(t), new(bytes.Buffer))
	if err != nil || oracle.opened != 0 || len(results[0].Peers) != 0 {
		t.Errorf("opened %d times, error %v", oracle.opened, err)
	}
}

func TestAgreeButLetsSomeValuesStray(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name      string
		got, want []float32
		strays    int
		same      bool
	}{
		{"equal", []float32{1, 2}, []float32{1, 2}, 0, true},
		{"within", []float32{1.05, 2}, []float32{1, 2}, 0, true},
		{"one strays", []float32{3, 2}, []float32{1, 2}, 0, false},
		{"one may", []float32{3, 2}, []float32{1, 2}, 1, true},
		{"two do", []float32{3, 0}, []float32{1, 2}, 1, false},
		{"NaN", []float32{nan}, []float32{nan}, 0, false},
	} {
		if err := agreeBut(c.got, c.want, 0.1, c.strays); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAgreeMeasuresEachTensorAgainstItsLargest(t *testing.T) {
	task := newTask(findProgram(t, "gat forward+backward"), "small", smallGraph(t), 8)
	sizes := task.outputSizes() // of h, el, er
	if len(sizes) != 3 || sizes[0] != 6*8 || sizes[1] != 6 || sizes[2] != 6 {
		t.Fatalf("sizes are %v", sizes)
	}
	want := make([]float32, 60)
	want[0], want[48], want[54] = 100, 10, 1e-3
	for _, c := range []struct {
		at   int
		off  float32
		same bool
	}{
		{0, 5e-3, true}, {0, 2e-2, false},
		{48, 5e-4, true}, {48, 2e-3, false},
		{54, 5e-5, true}, {54, 2e-4, false}, // a hundredth of the largest of all counts
	} {
		got := append([]float32{}, want...)
		got[c.at] += c.off
		if err := task.agree(got, want); (err == nil) != c.same {
			t.Errorf("value %d off by %v: %v", c.at, c.off, err)
		}
	}
	infinite := append([]float32{}, want...)
	infinite[3] = float32(math.Inf(-1))
	if task.agree(want, infinite) == nil || task.agree(infinite, want) == nil {
		t.Error("infinite values agree")
	}
	if task.agree(want[:59], want) == nil {
		t.Error("different lengths agree")
	}
}
