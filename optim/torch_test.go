// Optimisers and schedules against trajectories that PyTorch computed.

package optim_test

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// torchCases are the cases of testdata/trajectories.py.
var torchCases = map[string]func(gs []optim.Group) optim.Optimizer{
	"sgd":          func(gs []optim.Group) optim.Optimizer { return optim.NewSGD(gs, optim.SGDConfig{}) },
	"sgd_momentum": func(gs []optim.Group) optim.Optimizer { return optim.NewSGD(gs, optim.SGDConfig{Momentum: 0.9}) },
	"sgd_nesterov": func(gs []optim.Group) optim.Optimizer {
		return optim.NewSGD(gs, optim.SGDConfig{Momentum: 0.9, Nesterov: true})
	},
	"sgd_dampening": func(gs []optim.Group) optim.Optimizer {
		return optim.NewSGD(gs, optim.SGDConfig{Momentum: 0.8, Dampening: 0.3})
	},
	"adam_amsgrad": func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdam(gs, optim.AdamConfig{AMSGrad: true, Beta2: 0.7})
	},
	"adamw_amsgrad": func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdamW(gs, optim.AdamConfig{AMSGrad: true, Beta2: 0.7})
	},
	"rmsprop": func(gs []optim.Group) optim.Optimizer { return optim.NewRMSprop(gs, optim.RMSpropConfig{}) },
	"rmsprop_momentum": func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{Alpha: 0.9, Momentum: 0.8})
	},
	"rmsprop_centered": func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{Centered: true, Momentum: 0.8})
	},
	"adagrad": func(gs []optim.Group) optim.Optimizer { return optim.NewAdagrad(gs, optim.AdagradConfig{}) },
	"adagrad_decay": func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdagrad(gs, optim.AdagradConfig{LRDecay: 0.2, Initial: 0.1})
	},
	"adadelta": func(gs []optim.Group) optim.Optimizer { return optim.NewAdadelta(gs, optim.AdadeltaConfig{}) },
	"nadam":    func(gs []optim.Group) optim.Optimizer { return optim.NewNAdam(gs, optim.NAdamConfig{}) },
}

// readTrajectories returns the lines of a file by name: the k-th of a name is
// that of step k.
func readTrajectories(t *testing.T) map[string][][]float64 {
	f, err := os.Open("testdata/trajectories.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := map[string][][]float64{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		words := strings.Fields(s.Text())
		numbers := make([]float64, 0, 30)
		for _, w := range words[len(words)-30:] {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		lines[words[0]] = append(lines[words[0]], numbers)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return lines
}

func TestOptimizersFollowPyTorch(t *testing.T) {
	lines := readTrajectories(t)
	if want := 3 + len(torchCases) + len(torchAverages) + len(torchSchedules); len(lines) != want {
		t.Fatalf("%d names in the file, want %d", len(lines), want)
	}
	shape := []int{6, 5}
	for name, maker := range torchCases {
		for _, p := range []struct {
			dt  tensor.DType
			tol float64
		}{{tensor.Float64, 1e-12}, {tensor.Float32, 1e-5}} {
			w := autograd.Parameter(tensor.FromSlice(slices.Clone(lines["start"][0]), shape...).To(p.dt))
			opt := maker([]optim.Group{{Params: []*autograd.Var{w}, LR: 0.05, WeightDecay: 0.03}})
			if len(lines[name]) != 5 {
				t.Fatalf("%s: %d steps in the file", name, len(lines[name]))
			}
			for k, want := range lines[name] {
				give(w, tensor.FromSlice(lines["gradient"][k], shape...).To(p.dt))
				opt.Step()
				numtest.Near(t, name+" "+p.dt.String()+" step "+strconv.Itoa(k+1), w.Tensor().Float64s(), want, p.tol)
			}
		}
	}
}

// torchAverages are the averages of testdata/trajectories.py.
var torchAverages = map[string]optim.AverageConfig{"average_decay": {Decay: 0.8}, "average_mean": {}}

func TestAveragesFollowPyTorch(t *testing.T) {
	lines := readTrajectories(t)
	for name, c := range torchAverages {
		for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-14, tensor.Float32: 1e-6} {
			w := autograd.Parameter(tensor.Zeros(dt, 6, 5))
			average := optim.NewAverage([]*autograd.Var{w}, c)
			if len(lines[name]) != 5 {
				t.Fatalf("%s: %d steps in the file", name, len(lines[name]))
			}
			for k, want := range lines[name] {
				w.SetTensor(tensor.FromSlice(slices.Clone(lines["sgd"][k]), 6, 5).To(dt))
				average.Update()
				back := average.Swap()
				numtest.Near(t, name+" "+dt.String()+" step "+strconv.Itoa(k+1), w.Tensor().Float64s(), want, tol)
				back()
			}
		}
	}
}

// torchSchedules are the schedules of testdata/trajectories.py, each with what
// makes its next step.
var torchSchedules = map[string]func(opt optim.Optimizer) (step func(metric float64)){
	"schedule_step": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 7, Gamma: 0.5}))
	},
	"schedule_multi_step": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{4, 11, 11, 20}, Gamma: 0.4}))
	},
	"schedule_lambda": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewLambdaLR(opt, warmUpOf8))
	},
	"schedule_cosine": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 30, WarmUp: 6, Start: 0.1, Min: 0.001}))
	},
	"schedule_one_cycle": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 30}))
	},
	"schedule_one_cycle_linear": func(opt optim.Optimizer) func(float64) {
		return stepping(optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 30, Rise: 0.4, Div: 10, FinalDiv: 100, Linear: true}))
	},
	"schedule_plateau": func(opt optim.Optimizer) func(float64) {
		c := optim.PlateauConfig{Factor: 0.3, Patience: 2, Threshold: 0.05, Cooldown: 1, Min: 0.0005}
		return optim.NewReduceLROnPlateau(opt, c).Step
	},
}

// warmUpOf8 is the schedule of Vaswani et al. 2017 with a warm-up of 8 steps.
func warmUpOf8(step int) float64 {
	k := float64(step + 1)
	return min(math.Pow(k, -0.5), k*math.Pow(8, -1.5))
}

func stepping(s optim.Scheduler) func(float64) { return func(float64) { s.Step() } }

func TestSchedulesFollowPyTorch(t *testing.T) {
	lines := readTrajectories(t)
	for name, make := range torchSchedules {
		opt := optim.NewSGD([]optim.Group{{LR: 0.05}}, optim.SGDConfig{})
		step := make(opt)
		var rates []float64
		for _, metric := range lines["metric"][0] {
			rates = append(rates, opt.Groups()[0].LR)
			step(metric)
		}
		numtest.Near(t, name, rates, lines[name][0], 1e-14)
	}
}
