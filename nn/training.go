// A whole training run in one file, to be resumed as if never interrupted.

package nn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/internal/atomicfile"
	"github.com/asterias-ml/asterias/tensor"
)

// Stateful is what remembers something from one step to the next: every optimiser
// and schedule of package optim, an [RNG], and what a program adds of its own.
type Stateful interface {
	// State returns what is remembered, as named tensors. They may change with the
	// next step, but not by LoadState.
	State() map[string]*tensor.Tensor
	// LoadState takes over a State by copying, or changes nothing and says what
	// does not fit.
	LoadState(state map[string]*tensor.Tensor) error
}

// Training is all that decides how a training run goes on.
type Training struct {
	// Model is the module: its State, and of every Stochastic in it the seeds and
	// how many were taken, so that dropout goes on with the masks to come.
	Model any
	// Parts are the optimiser, the schedule and other things, by names of the
	// caller's choice without a dot.
	Parts map[string]Stateful
	// Epoch is the caller's own count of how far the run is.
	Epoch int
}

// Names in a file begin with these or with the name of a part, and a dot.
const (
	modelKey   = "model"
	streamsKey = "streams"
	epochKey   = "epoch"
)

// SaveTraining writes a training run to a file in the format safetensors; as
// [SaveFile] does, wholly or not at all. The model's tensors are called
// "model.hidden.weight", those of a part "optimizer.adam.params.0.exp_avg":
//
//	run := &nn.Training{Model: m, Parts: map[string]nn.Stateful{"optimizer": opt, "schedule": s}}
//	for ; run.Epoch < epochs; run.Epoch++ {
//		...
//		if err := nn.SaveTraining(path, run); err != nil { ... }
//	}
//
// Gradients and modes are not part of it: call it between two steps. It panics
// with *[Error] if the model is no module, see [State], or a part is nil or has a
// name with a dot or that of the file's own entries.
func SaveTraining(path string, t *Training) error {
	tensors := t.tensors("SaveTraining")
	err := atomicfile.Write(path, func(w io.Writer) error { return writeTensors(w, tensors, nil) })
	if err != nil {
		return fmt.Errorf("nn: SaveTraining: %s: %w", path, err)
	}
	return nil
}

// LoadTraining reads a file of [SaveTraining] into a run made like the one saved:
// the same model, optimiser and schedule. The steps that follow are bit for bit
// those of an uninterrupted run. As by [Load], files are not trusted, and every
// name, shape and type must fit; on an error model, parts and epoch are as before.
func LoadTraining(path string, t *Training) error {
	if err := t.load(path); err != nil {
		return fmt.Errorf("nn: LoadTraining: %s: %w", path, err)
	}
	return nil
}

// tensors returns what a file holds.
func (t *Training) tensors(op string) map[string]*tensor.Tensor {
	t.check(op)
	tensors := map[string]*tensor.Tensor{epochKey: tensor.FromSlice([]int64{int64(t.Epoch)})}
	for _, s := range stateOf(op, t.Model) {
		tensors[join(modelKey, s.Name)] = s.Var.Tensor()
	}
	for _, s := range streamsOf(op, t.Model) {
		name := join(streamsKey, s.name)
		if tensors[name] != nil {
			misuse(op, "two layers with random streams are named "+s.name)
		}
		tensors[name] = counter(s.stream.seed, s.stream.step)
	}
	for key, part := range t.Parts {
		for name, x := range part.State() {
			tensors[key+"."+name] = x
		}
	}
	return tensors
}

func (t *Training) check(op string) {
	wantThere(op, "the run", t != nil)
	for key, part := range t.Parts {
		switch {
		case key == "" || key == modelKey || key == streamsKey || key == epochKey || strings.Contains(key, "."):
			misuse(op, fmt.Sprintf("a part cannot be named %q", key))
		case part == nil:
			misuse(op, "part "+key+" is nil")
		}
	}
}

func (t *Training) load(path string) error {
	const op = "LoadTraining"
	t.check(op)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in := &incoming{streams: streamsOf(op, t.Model), parts: map[string]map[string]*tensor.Tensor{}}
	for _, s := range stateOf(op, t.Model) {
		in.state = append(in.state, stored{Named: s})
	}
	for key := range t.Parts {
		in.parts[key] = map[string]*tensor.Tensor{}
	}
	file, read, err := readTensors(bufio.NewReader(f), func(file []fileTensor) error {
		if n := len(file); n > 0 && file[n-1].end > info.Size() {
			return io.ErrUnexpectedEOF // before memory is taken for it
		}
		err := in.match(file)
		if err != nil && !isTraining(file) {
			err = fmt.Errorf("it is no file of SaveTraining; LoadFile reads those of SaveFile: %w", err)
		}
		return err
	}, true)
	if err != nil {
		return err
	}
	if err := in.sort(file, read); err != nil {
		return err
	}
	if err := t.loadParts(in.parts); err != nil {
		return err
	}
	in.commit()
	t.Epoch = in.epoch
	return nil
}

// isTraining tells whether a file is one of SaveTraining's, by its names.
func isTraining(file []fileTensor) bool {
	epoch, model := false, false
	for _, f := range file {
		epoch = epoch || f.name == epochKey
		model = model || strings.HasPrefix(f.name, modelKey+".")
	}
	return epoch && model
}

// incoming is a file on its way into a Training.
type incoming struct {
	state   []stored
	streams []namedStream
	parts   map[string]map[string]*tensor.Tensor

	targets  []stored         // of the model's tensors
	values   []*tensor.Tensor // for them
	counters map[string]*tensor.Tensor
	epoch    int
}

// match checks the names of a file, and shapes and types of the model's tensors.
func (in *incoming) match(file []fileTensor) error {
	var model []fileTensor
	var bad problems
	for _, f := range file {
		key, rest, _ := strings.Cut(f.name, ".")
		switch _, part := in.parts[key]; {
		case key == modelKey:
			f.name = rest
			model = append(model, f)
		case key != streamsKey && f.name != epochKey && !part:
			bad.add(f.name, "the run has nothing of that name")
		}
	}
	if err := bad.err(); err != nil {
		return err
	}
	found, err := match(model, in.state, matching{})
	in.targets = found.targets
	return err
}

// sort gives the tensors of a file to the parts they are of.
func (in *incoming) sort(file []fileTensor, read []*tensor.Tensor) error {
	in.counters = map[string]*tensor.Tensor{}
	var epoch *tensor.Tensor
	for i, f := range file {
		key, rest, _ := strings.Cut(f.name, ".")
		switch {
		case key == modelKey:
			in.values = append(in.values, read[i])
		case key == streamsKey:
			in.counters[rest] = read[i]
		case f.name == epochKey:
			epoch = read[i]
		default:
			in.parts[key][rest] = read[i]
		}
	}
	if epoch == nil || epoch.DType() != tensor.Int64 || epoch.Rank() != 0 {
		return errors.New("there is no epoch, an I64 scalar")
	}
	in.epoch = int(tensor.Data[int64](epoch)[0])
	var bad problems
	for _, s := range in.streams {
		t := in.counters[s.name]
		if t == nil {
			bad.add(join(streamsKey, s.name), "the file has none of that name")
		} else if _, _, err := counted(t); err != nil {
			bad.add(join(streamsKey, s.name), err.Error())
		}
	}
	if len(in.counters) > len(in.streams) {
		for _, name := range slices.Sorted(maps.Keys(in.counters)) {
			if !slices.ContainsFunc(in.streams, func(s namedStream) bool { return s.name == name }) {
				bad.add(join(streamsKey, name), "the model has none of that name")
			}
		}
	}
	return bad.err()
}

// commit writes model and streams, which cannot fail any more.
func (in *incoming) commit() {
	for i, v := range in.targets {
		assign(v.Var, in.values[i])
	}
	for _, s := range in.streams {
		s.stream.seed, s.stream.step, _ = counted(in.counters[s.name])
	}
}

// loadParts loads all parts, or none: if one refuses, those before it get back
// what they had.
func (t *Training) loadParts(states map[string]map[string]*tensor.Tensor) error {
	keys := slices.Sorted(maps.Keys(t.Parts))
	before := make([]map[string]*tensor.Tensor, len(keys))
	for i, key := range keys {
		before[i] = t.Parts[key].State()
		err := t.Parts[key].LoadState(states[key])
		if err == nil {
			continue
		}
		err = fmt.Errorf("%s: %w", key, err)
		for k := i - 1; k >= 0; k-- {
			if back := t.Parts[keys[k]].LoadState(before[k]); back != nil {
				err = errors.Join(err, fmt.Errorf("%s, going back: %w", keys[k], back))
			}
		}
		return err
	}
	return nil
}
