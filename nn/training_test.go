// Training runs that are interrupted and resumed.

package nn_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

var optimizers = map[string]func(gs []optim.Group) optim.Optimizer{
	"SGD": func(gs []optim.Group) optim.Optimizer {
		return optim.NewSGD(gs, optim.SGDConfig{LR: 0.05, Momentum: 0.9})
	},
	"Adam": func(gs []optim.Group) optim.Optimizer { return optim.NewAdam(gs, optim.AdamConfig{LR: 0.05}) },
	"AMSGrad": func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdam(gs, optim.AdamConfig{LR: 0.05, AMSGrad: true})
	},
	"AdamW": func(gs []optim.Group) optim.Optimizer { return optim.NewAdamW(gs, optim.AdamConfig{LR: 0.05}) },
	"NAdam": func(gs []optim.Group) optim.Optimizer { return optim.NewNAdam(gs, optim.NAdamConfig{LR: 0.05}) },
	"RMSprop": func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{LR: 0.05, Centered: true, Momentum: 0.5})
	},
	"Adagrad": func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdagrad(gs, optim.AdagradConfig{LR: 0.05, LRDecay: 0.1})
	},
	"Adadelta": func(gs []optim.Group) optim.Optimizer { return optim.NewAdadelta(gs, optim.AdadeltaConfig{LR: 1}) },
	"Lion":     func(gs []optim.Group) optim.Optimizer { return optim.NewLion(gs, optim.LionConfig{LR: 0.01}) },
}

// A schedule is made for an optimiser and told the loss of every epoch.
type schedule interface {
	nn.Stateful
	follow(loss float64)
}

type byStep struct{ optim.Scheduler }

func (s byStep) follow(float64) { s.Step() }

type byLoss struct{ *optim.ReduceLROnPlateau }

func (s byLoss) follow(loss float64) { s.Step(loss) }

var schedules = map[string]func(opt optim.Optimizer) schedule{
	"StepLR": func(opt optim.Optimizer) schedule {
		return byStep{optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 2})}
	},
	"CosineLR": func(opt optim.Optimizer) schedule {
		return byStep{optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 7, WarmUp: 2, Start: 0.1})}
	},
	"OneCycleLR": func(opt optim.Optimizer) schedule {
		return byStep{optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 7})}
	},
	"Plateau": func(opt optim.Optimizer) schedule {
		return byLoss{optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Threshold: 0.3})}
	},
}

// run is a training run of a model with dropout, on shuffled rows.
type run struct {
	nn.Training
	model    *block2
	opt      optim.Optimizer
	schedule schedule
	rng      *nn.RNG
	losses   []float64
}

func newRun(optimizer, scheduler string, seed uint64) *run {
	m := newBlock2()
	r := nn.NewRNG(seed)
	m.Drop, m.In = nn.NewDropout(0.3, r), nn.NewLinear(4, 8, r)
	s := &run{model: m, rng: r}
	s.opt = optimizers[optimizer]([]optim.Group{
		{Params: append(nn.Parameters(m.In), nn.Parameters(m.Norm)...), WeightDecay: 1e-3}, {Params: nn.Parameters(m.Out), LR: 0.02}, {Params: nn.Parameters(m.Attn)},
	})
	s.schedule = schedules[scheduler](s.opt)
	s.Model, s.Parts = m, map[string]nn.Stateful{"optimizer": s.opt, "schedule": s.schedule, "rng": s.rng}
	return s
}

func (s *run) run(epochs int) {
	x := normal(7, 8, 4).Tensor().To(tensor.Float32)
	for ; s.Epoch < epochs; s.Epoch++ {
		rows := make([]int32, 0, 6)
		for _, i := range rand.New(s.rng.Stream()).Perm(8)[:6] {
			rows = append(rows, int32(i))
		}
		s.opt.ZeroGrad()
		loss := nn.CrossEntropy(s.model.Forward(autograd.Constant(x).IndexSelect(rows)), []int32{0, 1, 2, 0, 1, 2}, nil)
		loss.Backward()
		s.opt.Step()
		s.losses = append(s.losses, loss.Tensor().Item())
		s.schedule.follow(s.losses[len(s.losses)-1])
	}
}

func (s *run) bits() string {
	return stateBits(s.model) + stateBits(&struct{ V *autograd.Var }{autograd.Constant(tensor.FromSlice([]float64{s.opt.Groups()[0].LR, s.opt.Groups()[1].LR}, 2))})
}

func TestResumedRunsAreUninterruptedRunsBitForBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.safetensors")
	for optimizer := range optimizers {
		for scheduler := range schedules {
			whole := newRun(optimizer, scheduler, 1)
			whole.run(3)
			if err := nn.SaveTraining(path, &whole.Training); err != nil {
				t.Fatal(err)
			}
			whole.run(7)
			resumed := newRun(optimizer, scheduler, 99) // all else comes from the file
			resumed.run(1)
			if err := nn.LoadTraining(path, &resumed.Training); err != nil {
				t.Fatalf("%s, %s: %v", optimizer, scheduler, err)
			}
			if resumed.Epoch != 3 {
				t.Fatalf("epoch %d, want 3", resumed.Epoch)
			}
			resumed.losses = nil
			resumed.run(7)
			if !slices.Equal(resumed.losses, whole.losses[3:]) || resumed.bits() != whole.bits() {
				t.Errorf("%s, %s: losses %v after resuming, want %v", optimizer, scheduler, resumed.losses, whole.losses[3:])
			}
		}
	}
}

func TestSaveTrainingWritesTheSameBytesAgain(t *testing.T) {
	dir := t.TempDir()
	s := newRun("Adam", "StepLR", 1)
	s.run(2)
	var files [2][]byte
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if err := nn.SaveTraining(path, &s.Training); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("two files of one run differ")
	}
	tensors, err := nn.LoadTensors(strings.NewReader(string(files[0])))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"epoch", "model.in.weight", "model.norm.running_var", "streams.drop", "streams.attn", "optimizer.adam.params.0.exp_avg", "schedule.step_lr.step", "rng.rng"} {
		if tensors[name] == nil {
			t.Errorf("no tensor %s in %v", name, slices.Sorted(maps.Keys(tensors)))
		}
	}
}

// stubborn refuses every state.
type stubborn struct{}

func (stubborn) State() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{"x": tensor.Zeros(tensor.Bool)}
}
func (stubborn) LoadState(map[string]*tensor.Tensor) error { return errors.New("no") }

func TestLoadTrainingRefusesWhatDoesNotFitAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	good := newRun("Adam", "StepLR", 1)
	good.run(2)
	path := filepath.Join(dir, "good")
	if err := nn.SaveTraining(path, &good.Training); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// changed returns the path of the file with some tensors replaced; nil: without.
	changed := func(with map[string]*tensor.Tensor) string {
		tensors, err := nn.LoadTensors(strings.NewReader(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range with {
			if tensors[name] = x; x == nil {
				delete(tensors, name)
			}
		}
		f, err := os.CreateTemp(dir, "changed")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := nn.SaveTensors(f, tensors, nil); err != nil {
			t.Fatal(err)
		}
		return f.Name()
	}
	raw := func(content []byte) string {
		f, err := os.CreateTemp(dir, "raw")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Write(content); err != nil {
			t.Fatal(err)
		}
		return f.Name()
	}
	flag := tensor.Zeros(tensor.Bool)
	with := func(name string, x *tensor.Tensor) string { return changed(map[string]*tensor.Tensor{name: x}) }
	for want, path := range map[string]string{
		"no such file":                                              filepath.Join(dir, "none"),
		`tensor "in.weight": the file has none`:                     with("model.in.weight", nil),
		`tensor "in.weight": element type BOOL`:                     with("model.in.weight", flag),
		`tensor "surplus": the module has none`:                     with("model.surplus", flag),
		`tensor "other.x": the run has nothing of that`:             with("other.x", flag),
		`tensor "x": the run has nothing of that name`:              with("x", flag),
		`tensor "streams.drop": the file has none`:                  with("streams.drop", nil),
		`tensor "streams.drop": bool [], want i64 [2]`:              with("streams.drop", flag),
		`tensor "streams.more": the model has none`:                 with("streams.more", flag),
		"there is no epoch, an I64 scalar":                          with("epoch", nil),
		"there is no epoch":                                         with("epoch", flag),
		"optimizer: optim: LoadState: adam.groups.0.lr: is missing": with("optimizer.adam.groups.0.lr", nil),
		"schedule: optim: LoadState: step_lr.step: is missing":      with("schedule.step_lr.step", nil),
		"rng: nn: RNG: LoadState: want one tensor named rng":        with("rng.rng", nil),
		"rng: nn: RNG: LoadState: bool [], want i64 [2]":            with("rng.rng", flag),
		"unexpected EOF":                                            raw(b[:len(b)-1]),
		"bytes after the last tensor":                               raw(append(slices.Clone(b), 0)),
		"length of the header":                                      raw(nil),
		"a header of":                                               raw(binary.LittleEndian.AppendUint64(nil, 1<<40)),
		"optimizer.huge":                                            raw(file("{" + entry("optimizer.huge", "F64", "[1000000000000]", 0, 8_000_000_000_000) + "}")),
	} {
		if want == "optimizer.huge" {
			want = "unexpected EOF"
		}
		s := newRun("Adam", "StepLR", 5)
		s.run(1)
		twin := newRun("Adam", "StepLR", 5)
		twin.run(1)
		err := nn.LoadTraining(path, &s.Training)
		if err == nil || !strings.HasPrefix(err.Error(), "nn: LoadTraining: "+path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		s.run(3)
		twin.run(3)
		if s.bits() != twin.bits() || !slices.Equal(s.losses, twin.losses) {
			t.Errorf("%s: the run goes on differently", want)
		}
	}
}

func TestPartsGoBackIfALaterOneRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	s := newRun("Adam", "StepLR", 1)
	s.Parts["zz"] = stubborn{}
	s.run(3)
	if err := nn.SaveTraining(path, &s.Training); err != nil {
		t.Fatal(err)
	}
	s, twin := newRun("Adam", "StepLR", 5), newRun("Adam", "StepLR", 5)
	s.run(2)
	twin.run(2)
	s.Parts["zz"] = stubborn{}
	if err := nn.LoadTraining(path, &s.Training); err == nil || !strings.HasSuffix(err.Error(), ": zz: no") {
		t.Errorf("error %v", err)
	}
	s.run(4)
	twin.run(4)
	if s.bits() != twin.bits() || !slices.Equal(s.losses, twin.losses) {
		t.Error("the run goes on differently")
	}
}

func TestSaveTrainingRejectsMisuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	drop := nn.NewDropout(0.5, nn.NewRNG(1))
	m := linear()
	for want, run := range map[string]*nn.Training{
		"nn: SaveTraining: a module is a non-nil pointer to a struct, not <nil>": {},
		`nn: SaveTraining: a part cannot be named "a.b"`:                         {Model: m, Parts: map[string]nn.Stateful{"a.b": nn.NewRNG(1)}},
		`nn: SaveTraining: a part cannot be named "model"`:                       {Model: m, Parts: map[string]nn.Stateful{"model": nn.NewRNG(1)}},
		`nn: SaveTraining: a part cannot be named ""`:                            {Model: m, Parts: map[string]nn.Stateful{"": nn.NewRNG(1)}},
		"nn: SaveTraining: part opt is nil":                                      {Model: m, Parts: map[string]nn.Stateful{"opt": nil}},
		"nn: SaveTraining: two layers with random streams are named d": {Model: &struct {
			A, B *nn.Dropout `nn:"d"`
		}{drop, nn.NewDropout(0.5, nn.NewRNG(1))}},
	} {
		if err := autograd.Try(func() { _ = nn.SaveTraining(path, run) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was written")
	}
	if err := nn.SaveTraining(filepath.Join(path, "none"), &nn.Training{Model: m}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A run and what a module has learnt are two kinds of files, and the errors say so.
func TestFilesOfTheOtherKindAreNamed(t *testing.T) {
	dir := t.TempDir()
	m := nn.NewLinear(2, 2, nn.NewRNG(1))
	run, weights := filepath.Join(dir, "last"), filepath.Join(dir, "best")
	if err := errors.Join(nn.SaveTraining(run, &nn.Training{Model: m}), nn.SaveFile(weights, m)); err != nil {
		t.Fatal(err)
	}
	if err, want := nn.LoadFile(run, m), "last: it is a file of SaveTraining, which LoadTraining reads: "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if err, want := nn.LoadTraining(weights, &nn.Training{Model: m}), "best: it is no file of SaveTraining; LoadFile reads those of SaveFile: "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
