// What a module has learnt, saved to a file and loaded from one.

package nn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/atomicfile"
	"github.com/asterias-ml/asterias/tensor"
)

// State lists what [Save] writes of a module: its parameters and its buffers,
// in field order and named as by [NamedParameters]. A buffer, such as the running
// mean of a batch normalisation, is a dense *autograd.Var in an exported field
// that is no parameter and requires no gradient. Vars of that kind which are not
// state, such as features, belong in unexported fields or outside the module.
//
// It panics with *[Error] as NamedParameters does, also if a parameter and a
// buffer have one name, or if a name is not UTF-8 or is "__metadata__".
func State(m any) []Named { return stateOf("State", m) }

func stateOf(op string, m any) []Named {
	var list []Named
	names := map[string]bool{}
	w := walker{op: op, onVar: func(name string, v *autograd.Var) {
		switch {
		case !v.IsParameter() && !isBuffer(v):
			return
		case names[name]:
			misuse(op, "two parameters or buffers are named "+name)
		case name == metadataKey || !utf8.ValidString(name):
			misuse(op, "a file cannot hold a tensor named "+strconv.Quote(name))
		}
		names[name] = true
		list = append(list, Named{name, v})
	}}
	w.run(m)
	return list
}

// isBuffer tells whether a Var of a module is a buffer; see State.
func isBuffer(v *autograd.Var) bool {
	return !v.IsParameter() && !v.RequiresGrad() && v.Tensor() != nil
}

// A StateOption changes what [Save] writes and what [Load] expects.
type StateOption func(*stateConfig)

type stateConfig struct {
	pytorch  bool
	metadata map[string]string
	names    func(name string) (file string, transposed bool)
	matching
}

// PyTorchLayout is for files shared with PyTorch. The weight of every [Linear]
// is [out in] in the file, as in torch.nn.Linear, and transposed on its way;
// the other layers here have its layout anyway. Save also marks the file with the
// metadata format = pt, as loaders for PyTorch expect.
//
// Without the option a Linear of PyTorch is refused for its shape, unless it is
// square: then nothing in the file tells the two layouts apart.
func PyTorchLayout() StateOption { return func(c *stateConfig) { c.pytorch = true } }

// FileNames is for files in which tensors have other names than in [State], such as those
// of other libraries: f gives the name in the file for each of State's, and whether a matrix
// is transposed there, as PyTorchLayout has it of every Linear anyway. The graph convolutions
// of PyTorch Geometric, for example, hold a torch.nn.Linear:
//
//	pyg := nn.FileNames(func(name string) (file string, transposed bool) {
//		if conv, ok := strings.CutSuffix(name, ".weight"); ok && strings.HasPrefix(name, "convs.") {
//			return conv + ".lin.weight", true
//		}
//		return name, false
//	})
//	err := nn.LoadFile(path, model, nn.PyTorchLayout(), pyg)
//
// Load then takes tensors with more axes of length 1 in front, too, such as PyTorch
// Geometric's attention vectors, [1 heads dim] for [heads dim].
//
// Save and Load panic with *[Error] if f is nil, gives two tensors one name, or says
// transposed of what is no matrix.
func FileNames(f func(name string) (file string, transposed bool)) StateOption {
	if f == nil {
		misuse("FileNames", "the function is nil")
	}
	return func(c *stateConfig) { c.names = f }
}

// Metadata writes texts into the file beside the tensors, for [LoadMetadata]: the names of
// classes and features, for example. Load takes no notice of them.
func Metadata(texts map[string]string) StateOption {
	return func(c *stateConfig) { c.metadata = maps.Clone(texts) }
}

// Save writes the [State] of a module in the format safetensors
// (https://github.com/huggingface/safetensors), as [SaveTensors] does. A Var reached
// twice is written once, under its first name. Not written are gradients, the mode,
// and how many masks a [Dropout] has drawn; see [SaveTraining].
//
// It panics with *[Error] if m is no module; see State.
func Save(w io.Writer, m any, opts ...StateOption) error {
	if err := save("Save", w, m, opts); err != nil {
		return fmt.Errorf("nn: Save: %w", err)
	}
	return nil
}

// SaveFile is [Save] to a file. The file appears complete or, on an error, not
// at all: it is written under another name in the same folder, flushed to disk,
// and then takes the place of what was at path, with its permissions. A symbolic link
// to a file is followed.
func SaveFile(path string, m any, opts ...StateOption) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return save("SaveFile", w, m, opts) })
	if err != nil {
		return fmt.Errorf("nn: SaveFile: %s: %w", path, err)
	}
	return nil
}

// Load reads a file of [Save], or any in the format safetensors, and copies it
// into the [State] of a module, in place; a buffer that repeats elements, as a broadcast
// view does, gets a tensor of its own instead. It reads to the end of r.
//
// Loading is strict: the file has exactly the module's names, shapes and element
// types (but F16 and BF16 become Float32), and the error names every tensor of
// which that is not so. Files are not trusted: the header is at most 100 MB long,
// no tensor's data are left out or used twice, and no more is allocated than the
// module's size and a small multiple of the header's bytes. On an error the
// module is as before.
//
// With [Partial] it takes over a part of a file, such as the layers before a new head.
//
// It panics with *[Error] if m is no module; see State.
func Load(r io.Reader, m any, opts ...StateOption) error {
	if err := load("Load", r, m, opts); err != nil {
		return fmt.Errorf("nn: Load: %w", err)
	}
	return nil
}

// LoadFile is [Load] from a file.
func LoadFile(path string, m any, opts ...StateOption) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("nn: LoadFile: %w", err)
	}
	defer f.Close()
	if err := load("LoadFile", f, m, opts); err != nil {
		return fmt.Errorf("nn: LoadFile: %s: %w", path, err)
	}
	return nil
}

func newStateConfig(op string, opts []StateOption) stateConfig {
	var c stateConfig
	for i, o := range opts {
		wantOption(op, i, o != nil)
		o(&c)
	}
	return c
}

func save(op string, w io.Writer, m any, opts []StateOption) error {
	wantThere(op, "the writer", w != nil)
	c := newStateConfig(op, opts)
	tensors := map[string]*tensor.Tensor{}
	for _, s := range c.stored(op, m) {
		t := s.Var.Tensor()
		if s.transposed {
			t = t.Transpose()
		}
		tensors[s.Name] = t
	}
	if c.pytorch {
		if c.metadata == nil {
			c.metadata = map[string]string{}
		}
		c.metadata["format"] = "pt"
	}
	return writeTensors(w, tensors, c.metadata)
}

func load(op string, r io.Reader, m any, opts []StateOption) error {
	wantThere(op, "the reader", r != nil)
	c := newStateConfig(op, opts)
	if c.skipMismatched && c.report == nil {
		misuse(op, "SkipMismatched is for Partial loading")
	}
	state := c.stored(op, m)
	var found fit
	_, read, err := readTensors(bufio.NewReader(r), func(file []fileTensor) (err error) {
		switch found, err = match(file, state, c.matching); {
		case err == nil:
			return nil
		case isTraining(file):
			return fmt.Errorf("it is a file of SaveTraining, which LoadTraining reads: %w", err)
		default:
			return fmt.Errorf("%w%s", err, c.hint(found.left))
		}
	}, true)
	if err != nil {
		return err
	}
	for i, t := range read {
		to := found.targets[i]
		switch {
		case t == nil: // skipped
			continue
		case to.transposed:
			t = t.Transpose()
		case to.renamed:
			t = t.Reshape(to.Var.Shape()...) // without axes in front
		}
		assign(to.Var, t)
	}
	if c.report != nil {
		*c.report = found.left
	}
	return nil
}

// assign gives a Var the elements of t: in place, or t itself if they have no places.
func assign(v *autograd.Var, t *tensor.Tensor) {
	if to := v.Tensor(); to.Overlaps() {
		v.SetTensor(t.ToDevice(to.Device()).Contiguous())
	} else {
		to.CopyFrom(t)
	}
}

// stored is a part of a module's state as a file has it.
type stored struct {
	Named             // by the name in the file
	own        string // the name in State
	linear     bool
	transposed bool
	renamed    bool // by FileNames
}

func (c stateConfig) stored(op string, m any) []stored {
	state := stateOf(op, m)
	linear := linearWeights(m)
	var list []stored
	names := map[string]bool{}
	for _, n := range state {
		s := stored{Named: n, own: n.Name, linear: linear[n.Var] && n.Var.Shape().Rank() == 2}
		s.transposed = c.pytorch && s.linear
		if c.names != nil {
			file, transposed := c.names(n.Name)
			switch {
			case names[file]:
				misuse(op, "two parameters or buffers are named "+strconv.Quote(file)+" in the file")
			case file == metadataKey || !utf8.ValidString(file):
				misuse(op, "a file cannot hold a tensor named "+strconv.Quote(file))
			case transposed && n.Var.Shape().Rank() != 2:
				misuse(op, fmt.Sprintf("%s of shape %v is no matrix that a file has transposed", n.Name, n.Var.Shape()))
			}
			names[file] = true
			s.Name, s.transposed, s.renamed = file, s.transposed || transposed, true
		}
		list = append(list, s)
	}
	return list
}

// problems gathers what is wrong with tensors; of many it tells the first few.
type problems struct {
	first []string
	more  int
}

func (p *problems) add(name, what string) {
	if len(p.first) == 8 {
		p.more++
		return
	}
	p.first = append(p.first, "tensor "+quoted(name)+": "+what)
}

func (p *problems) err() error {
	switch {
	case len(p.first) == 0:
		return nil
	case p.more > 0:
		return fmt.Errorf("%s; and %d more", strings.Join(p.first, "; "), p.more)
	default:
		return errors.New(strings.Join(p.first, "; "))
	}
}

var linearType = reflect.TypeFor[Linear]()

// linearWeights returns the weight of every Linear among the exported and
// embedded fields of a module and all they lead to.
func linearWeights(m any) map[*autograd.Var]bool {
	weights := map[*autograd.Var]bool{}
	w := walker{op: "State", onStruct: func(_ string, v reflect.Value) {
		if v.Type() == linearType && v.CanInterface() {
			weights[v.Interface().(Linear).Weight] = true
		}
	}}
	w.run(m)
	return weights
}
