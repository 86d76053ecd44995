// Schedules against worked values and against PyTorch's recurrences.

package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// twoGroups have the learning rates 1 (their own) and 0.5 (the config's).
func twoGroups() optim.Optimizer {
	return optim.NewSGD([]optim.Group{
		{Params: []*autograd.Var{param(1)}, LR: 1},
		{Params: []*autograd.Var{param(1)}},
	}, optim.SGDConfig{LR: 0.5})
}

// rates are the learning rates of the first group at steps 0, 1, ... n-1. Those
// of the second must be share of the first.
func rates(t *testing.T, opt optim.Optimizer, s optim.Scheduler, n int, share float64) []float64 {
	t.Helper()
	var lrs []float64
	for k := range n {
		if k > 0 {
			s.Step()
		}
		a, b := opt.Groups()[0].LR, opt.Groups()[1].LR
		if math.Abs(b-share*a) > 1e-15 {
			t.Errorf("step %d: learning rates %v and %v, want the second %v of the first", k, a, b, share)
		}
		lrs = append(lrs, a)
	}
	return lrs
}

func wantRates(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-14) {
			t.Fatalf("%s: rates %v, want %v", name, got, want)
		}
	}
}

func TestSchedulesHaveTheRatesWorkedByHand(t *testing.T) {
	root := math.Sqrt(0.5)
	for _, c := range []struct {
		name string
		make func(opt optim.Optimizer) optim.Scheduler
		want []float64
	}{
		{"StepLR", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 3})
		}, []float64{1, 1, 1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.001}},
		{"StepLR by halves", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 1, Gamma: 0.5})
		}, []float64{1, 0.5, 0.25, 0.125}},
		{"MultiStepLR", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{2, 5, 5}})
		}, []float64{1, 1, 0.1, 0.1, 0.1, 0.001, 0.001}},
		{"MultiStepLR from the first step", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{0, 1}, Gamma: 0.5})
		}, []float64{0.5, 0.25, 0.25}},
		{"MultiStepLR without milestones", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{})
		}, []float64{1, 1}},
		{"LambdaLR", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewLambdaLR(opt, func(step int) float64 { return max(0, 1-float64(step)/4) })
		}, []float64{1, 0.75, 0.5, 0.25, 0, 0}},
		{"CosineLR", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 4})
		}, []float64{1, (1 + root) / 2, 0.5, (1 - root) / 2, 0, 0, 0}},
		{"CosineLR from nothing", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 6, WarmUp: 4})
		}, []float64{0, 0.25, 0.5, 0.75, 1, 0.5, 0, 0}},
		{"CosineLR from a fifth", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 4, WarmUp: 2, Start: 0.2})
		}, []float64{0.2, 0.6, 1, 0.5, 0}},
		{"OneCycleLR", func(opt optim.Optimizer) optim.Scheduler { // u = 2, then 4 down
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 7, Rise: 3. / 7, Div: 10, FinalDiv: 100})
		}, []float64{0.1, 0.55, 1, 0.001 + 0.999*(1+root)/2, 0.5005, 0.001 + 0.999*(1-root)/2, 0.001, 0.001}},
		{"OneCycleLR linear", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 7, Rise: 3. / 7, Div: 10, FinalDiv: 100, Linear: true})
		}, []float64{0.1, 0.55, 1, 0.75025, 0.5005, 0.25075, 0.001, 0.001}},
		{"OneCycleLR by default", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 10})
		}, []float64{0.04, 0.52, 1}},
		{"OneCycleLR that rises to the end", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 3, Rise: 1, Div: 2, FinalDiv: 5})
		}, []float64{0.5, 0.75, 1, 0.1, 0.1}},
		{"OneCycleLR without a rise", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 3, Rise: 1. / 3, Div: 2, FinalDiv: 5})
		}, []float64{1, 0.55, 0.1, 0.1}},
		{"OneCycleLR of one step", func(opt optim.Optimizer) optim.Scheduler {
			return optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 1, Div: 2, FinalDiv: 5})
		}, []float64{1, 0.1, 0.1}},
	} {
		opt := twoGroups()
		s := c.make(opt)
		wantRates(t, c.name, rates(t, opt, s, len(c.want), 0.5), c.want)

		s.Seek(0)
		wantRates(t, c.name+" again", rates(t, opt, s, len(c.want), 0.5), c.want)
		for k := range c.want {
			s.Seek(k)
			wantRates(t, c.name+" at a step", []float64{opt.Groups()[0].LR}, c.want[k:k+1])
		}
	}
}

// CosineAnnealingLR of PyTorch is a recurrence of the present rate; the smallest
// rate is not scaled with a group's.
func TestCosineLRFollowsPyTorchsRecurrence(t *testing.T) {
	const steps, low = 50, 0.03
	opt := twoGroups()
	s := optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: steps, Min: low})
	want := []float64{1, 0.5}
	for k := 1; k <= steps; k++ {
		s.Step()
		for i := range want {
			a, b := math.Cos(math.Pi*float64(k)/steps), math.Cos(math.Pi*float64(k-1)/steps)
			want[i] = (1+a)/(1+b)*(want[i]-low) + low
			if got := opt.Groups()[i].LR; math.Abs(got-want[i]) > 1e-12 {
				t.Fatalf("step %d, group %d: %v, want %v", k, i, got, want[i])
			}
		}
	}
}

// A learning rate that a schedule took to 0 is 0, not the config's.
func TestRatesOfZeroDoNotMoveParameters(t *testing.T) {
	w := param(1)
	opt := optim.NewSGD(optim.Params([]*autograd.Var{w}), optim.SGDConfig{LR: 0.5})
	s := optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 1})
	for range 3 {
		give(w, tensor.FromSlice([]float64{1}, 1))
		opt.Step()
		s.Step()
	}
	wantValues(t, w, 0.5)
}

// plateauRates feeds metrics and gives the learning rates after each.
func plateauRates(opt optim.Optimizer, p *optim.ReduceLROnPlateau, metrics ...float64) []float64 {
	var lrs []float64
	for _, m := range metrics {
		p.Step(m)
		lrs = append(lrs, opt.Groups()[0].LR)
	}
	return lrs
}

func TestReduceLROnPlateauHasTheRatesWorkedByHand(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name    string
		config  optim.PlateauConfig
		metrics []float64
		want    []float64
	}{
		{"patience of 2", optim.PlateauConfig{Patience: 2},
			[]float64{5, 4, 4, 4, 4, 4, 4, 4, 3, 3},
			[]float64{1, 1, 1, 1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01}},
		{"improvement starts the count again", optim.PlateauConfig{Patience: 1, Factor: 0.5},
			[]float64{5, 6, 4, 6, 3, 6, 6},
			[]float64{1, 1, 1, 1, 1, 1, 0.5}},
		{"no patience", optim.PlateauConfig{Factor: 0.5},
			[]float64{1, 1, 1},
			[]float64{1, 0.5, 0.25}},
		{"cooldown", optim.PlateauConfig{Factor: 0.5, Cooldown: 2},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1},
			[]float64{1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125}},
		{"share", optim.PlateauConfig{Factor: 0.5, Threshold: 0.25},
			[]float64{8, 6, 5.75, 4, 3},
			[]float64{1, 0.5, 0.5, 0.5, 0.25}},
		{"difference", optim.PlateauConfig{Factor: 0.5, Threshold: 0.25, Absolute: true},
			[]float64{8, 7.75, 7.5, 7.25, 7},
			[]float64{1, 0.5, 0.5, 0.25, 0.25}},
		{"to rise", optim.PlateauConfig{Factor: 0.5, Threshold: 0.25, Maximize: true},
			[]float64{4, 5, 5.5, 6, 8},
			[]float64{1, 0.5, 0.5, 0.25, 0.25}},
		{"negative", optim.PlateauConfig{Factor: 0.5, Threshold: 0.25},
			[]float64{-4, -4, -5.5},
			[]float64{1, 0.5, 0.5}},
		{"smallest", optim.PlateauConfig{Factor: 0.5, Min: 0.3},
			[]float64{1, 1, 1, 1},
			[]float64{1, 0.5, 0.3, 0.3}},
		{"too small a reduction", optim.PlateauConfig{Factor: 0.5, Eps: 0.25},
			[]float64{1, 1, 1, 1},
			[]float64{1, 0.5, 0.5, 0.5}},
		{"NaN and infinity", optim.PlateauConfig{Factor: 0.5, Threshold: 0.25},
			[]float64{nan, inf, 1, nan, 0.5},
			[]float64{0.5, 0.25, 0.25, 0.125, 0.125}},
	} {
		opt := twoGroups()
		p := optim.NewReduceLROnPlateau(opt, c.config)
		wantRates(t, c.name, plateauRates(opt, p, c.metrics...), c.want)

		p.Reset()
		opt.Groups()[0].LR = 1
		wantRates(t, c.name+" again", plateauRates(opt, p, c.metrics...), c.want)
	}
}

func TestReduceLROnPlateauReducesAllGroups(t *testing.T) {
	opt := twoGroups()
	plateauRates(opt, optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Min: 0.08}), 1, 1)
	if a, b := opt.Groups()[0].LR, opt.Groups()[1].LR; a != 0.1 || b != 0.08 {
		t.Errorf("learning rates %v and %v, want 0.1 and 0.08", a, b)
	}
}

func TestSchedulesOnOneOptimizerTakeTheRatesTheyFind(t *testing.T) {
	opt := twoGroups()
	opt.Groups()[0].LR = 8
	s := optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 1, Gamma: 0.5})
	s.Step()
	if lrs := []float64{opt.Groups()[0].LR, opt.Groups()[1].LR}; !slices.Equal(lrs, []float64{4, 0.25}) {
		t.Errorf("learning rates %v, want 4 and 0.25", lrs)
	}
}

func TestSchedulesRejectSenselessSettings(t *testing.T) {
	opt := twoGroups()
	ungrouped := optim.NewSGD(nil, optim.SGDConfig{LR: 1})
	wantMisuse(t, map[string]func(){
		"optim: NewStepLR: StepSize is 0, want at least 1":          func() { optim.NewStepLR(opt, optim.StepLRConfig{}) },
		"NewStepLR: Gamma is -1":                                    func() { optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 1, Gamma: -1}) },
		"NewStepLR: the optimiser has no groups":                    func() { optim.NewStepLR(ungrouped, optim.StepLRConfig{StepSize: 1}) },
		"NewMultiStepLR: Milestones are [3 2], want them ascending": func() { optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{3, 2}}) },
		"NewMultiStepLR: Milestones are [-1 2], want none under 0":  func() { optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{-1, 2}}) },
		"NewMultiStepLR: Gamma is -1":                               func() { optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Gamma: -1}) },
		"optim: NewMultiStepLR: the optimiser is nil":               func() { optim.NewMultiStepLR(nil, optim.MultiStepLRConfig{}) },
		"NewLambdaLR: the function is nil":                          func() { optim.NewLambdaLR(opt, nil) },
		"LambdaLR: the factor of step 0 is NaN":                     func() { optim.NewLambdaLR(opt, func(int) float64 { return math.NaN() }) },
		"LambdaLR: the factor of step 2 is -1, want": func() {
			optim.NewLambdaLR(opt, func(step int) float64 { return float64(1 - step) }).Seek(2)
		},
		"optim: NewLambdaLR: the optimiser is nil":                  func() { optim.NewLambdaLR(nil, func(int) float64 { return 1 }) },
		"NewCosineLR: Steps is 0, want at least 1":                  func() { optim.NewCosineLR(opt, optim.CosineLRConfig{}) },
		"NewCosineLR: WarmUp is 5, want 0 <= WarmUp < Steps = 5":    func() { optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 5, WarmUp: 5}) },
		"NewCosineLR: Start is 2, want 0 <= Start <= 1":             func() { optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 5, Start: 2}) },
		"NewCosineLR: Min is NaN":                                   func() { optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 5, Min: math.NaN()}) },
		"NewOneCycleLR: Steps is -1":                                func() { optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: -1}) },
		"NewOneCycleLR: Rise is 1.5, want":                          func() { optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 1, Rise: 1.5}) },
		"NewOneCycleLR: Div is -1":                                  func() { optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 1, Div: -1}) },
		"NewOneCycleLR: FinalDiv is +Inf":                           func() { optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 1, FinalDiv: math.Inf(1)}) },
		"NewReduceLROnPlateau: Factor is 1, want":                   func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Factor: 1}) },
		"NewReduceLROnPlateau: Patience is -1 and Cooldown 0, want": func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Patience: -1}) },
		"NewReduceLROnPlateau: Patience is 0 and Cooldown -2, want": func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Cooldown: -2}) },
		"NewReduceLROnPlateau: Threshold is -1":                     func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Threshold: -1}) },
		"NewReduceLROnPlateau: Min is -1":                           func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Min: -1}) },
		"NewReduceLROnPlateau: Eps is -1":                           func() { optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Eps: -1}) },
		"NewReduceLROnPlateau: the optimiser has no groups":         func() { optim.NewReduceLROnPlateau(ungrouped, optim.PlateauConfig{}) },
		"optim: NewStepLR: the optimiser is nil":                    func() { optim.NewStepLR(nil, optim.StepLRConfig{StepSize: 1}) },
		"optim: NewCosineLR: the optimiser is nil":                  func() { optim.NewCosineLR(nil, optim.CosineLRConfig{Steps: 1}) },
		"optim: NewOneCycleLR: the optimiser is nil":                func() { optim.NewOneCycleLR(nil, optim.OneCycleLRConfig{Steps: 1}) },
		"optim: NewReduceLROnPlateau: the optimiser is nil":         func() { optim.NewReduceLROnPlateau(nil, optim.PlateauConfig{}) },
		"optim: Seek: the step is -1":                               func() { optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 1}).Seek(-1) },
	})
}
