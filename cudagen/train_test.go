package cudagen_test

// Whole training steps on the device.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

type model interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
}

// models are made anew from one seed each time.
var models = []struct {
	name    string
	dropout bool
	make    func(in, classes int) model
}{
	{"gcn", true, func(in, classes int) model { return gnn.NewGCN(in, 16, classes, 0.5, nn.NewRNG(3)) }},
	{"gat", true, func(in, classes int) model { return gnn.NewGAT(in, 4, 2, classes, 1, 0.3, nn.NewRNG(3)) }},
	{"sage", false, func(in, classes int) model { return gnn.NewSAGEConv(in, classes, gnn.SAGEConfig{}, nn.NewRNG(3)) }},
}

// losses trains with Adam on a device and returns the loss of every step.
func losses(d *tensor.Device, m model, steps int) []float64 {
	set := data.Karate()
	nn.To(m, d)
	nn.SetTraining(m, true)
	x := autograd.Input(set.Features).ToDevice(d)
	opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(m), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.02})
	var out []float64
	for range steps {
		opt.ZeroGrad()
		loss := nn.CrossEntropy(m.Forward(set.Graph, x), set.Labels, set.Train)
		loss.Backward()
		opt.Step()
		out = append(out, loss.Tensor().Item())
	}
	return out
}

func TestTrainingOnTheDeviceIsTrainingOnTheCPU(t *testing.T) {
	d := open(t)
	set := data.Karate()
	for _, c := range models {
		t.Run(c.name, func(t *testing.T) {
			const steps = 6
			got, want := losses(d, c.make(set.Features.Cols(), set.NumClasses), steps), losses(nil, c.make(set.Features.Cols(), set.NumClasses), steps)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-4*math.Abs(want[i])) {
					t.Fatalf("step %d: loss %v, on the CPU %v\nall: %v\n     %v", i, got[i], want[i], got, want)
				}
			}
			if want[0] == want[steps-1] {
				t.Error("nothing is learned")
			}
		})
	}
}

// A penalty on the gradient by the features goes through programs of gradients on the device.
func TestGradientPenaltiesOnTheDeviceAreThoseOnTheCPU(t *testing.T) {
	set := data.Karate()
	gradients := func(d *tensor.Device, m model) (all []float64) {
		nn.To(m, d)
		x := autograd.Variable(set.Features.Dense()).ToDevice(d)
		loss := nn.CrossEntropy(m.Forward(set.Graph, x), set.Labels, set.Train)
		slope := autograd.Grad(loss, []*autograd.Var{x}, autograd.CreateGraph())[0]
		loss.Add(slope.Square().Sum().Scale(10)).Backward()
		for _, p := range nn.Parameters(m) {
			all = append(all, p.Gradient().ToDevice(nil).Float64s()...)
		}
		return all
	}
	d := open(t)
	for _, c := range models {
		in := set.Features.Cols()
		got, want := gradients(d, c.make(in, set.NumClasses)), gradients(nil, c.make(in, set.NumClasses))
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-4*(math.Abs(want[i])+0.1)) {
				t.Fatalf("%s: gradient %d is %v, on the CPU %v", c.name, i, got[i], want[i])
			}
		}
	}
}

// A step of which the forward and backward pass are captured is the step: gradient
// descent by replays has the losses of gradient descent on the CPU.
func TestACapturedStepIsReplayed(t *testing.T) {
	d := open(t)
	set := data.Karate()
	const steps = 5
	descend := func(d *tensor.Device, captured bool) (losses []float64) {
		m := gnn.NewGCN(set.Features.Cols(), 16, set.NumClasses, 0, nn.NewRNG(3))
		nn.To(m, d)
		nn.SetTraining(m, true)
		x := autograd.Input(set.Features).ToDevice(d)
		params := nn.Parameters(m)
		rate := tensor.Full(tensor.Float32, -0.5).ToDevice(d)
		var loss *autograd.Var
		backward := func() {
			for _, p := range params {
				p.ZeroGrad()
			}
			loss = nn.CrossEntropy(m.Forward(set.Graph, x), set.Labels, set.Train)
			loss.Backward()
		}
		run := func() error { backward(); return nil }
		if captured {
			backward()
			g, err := dense.Capture(d, backward)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := g.Close(); err != nil {
					t.Error(err)
				}
			}()
			run = g.Replay
		}
		for range steps {
			if err := run(); err != nil {
				t.Fatal(err)
			}
			losses = append(losses, loss.Tensor().Item())
			for _, p := range params {
				tensor.AddInto(p.Tensor(), tensor.Mul(p.Gradient(), rate))
			}
		}
		return losses
	}
	got, want := descend(d, true), descend(nil, false)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-4*math.Abs(want[i])) {
			t.Fatalf("losses %v, on the CPU %v", got, want)
		}
	}
	if !(want[steps-1] < want[0]) {
		t.Errorf("losses %v do not fall", want)
	}
}

// Each replay of a captured program drops other values out.
func TestReplaysOfAProgramHaveMasksOfTheirOwn(t *testing.T) {
	d := open(t)
	g := data.Karate().Graph
	p := vc.Compile("dropped", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x").Dropout(0.5)) })
	x := autograd.Constant(tensor.Ones(tensor.Float32, g.NumVertices(), 8).ToDevice(d))
	var y *autograd.Var
	run := func() { y = p.Run(g, vc.VertexFeature("x", x), vc.Training(7)) }
	run()
	captured, err := dense.Capture(d, run)
	if err != nil {
		t.Fatal(err)
	}
	var seen [3][]float64
	for i := range seen {
		if err := captured.Replay(); err != nil {
			t.Fatal(err)
		}
		seen[i] = y.Tensor().Float64s()
		for j := range i {
			if slices.Equal(seen[i], seen[j]) {
				t.Errorf("replays %d and %d have the same masks", j, i)
			}
		}
		// A sum over an edge list of twos and noughts, half of them each.
		mean := 0.0
		for _, v := range seen[i] {
			mean += v
		}
		if mean /= float64(g.NumEdges() * 8); mean < 0.8 || mean > 1.2 {
			t.Errorf("replay %d: an edge adds %v in the mean, want about 1", i, mean)
		}
	}
	if err := captured.Close(); err != nil {
		t.Error(err)
	}
}
