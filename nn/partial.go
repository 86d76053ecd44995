// Which tensors of a file go to which part of a module's state, of all or of what fits.

package nn

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// A LoadReport tells what [Load] has left alone with [Partial].
type LoadReport struct {
	Missing    []string // of the module's State, not in the file: these are as they were
	Unexpected []string // in the file, not in the module, by the file's names, in order
	Mismatched []string // of the module's State, in the file with another shape: see SkipMismatched
}

// Partial is for files that have a part of a module's tensors, or tensors of which the module
// has none: Load takes over those of equal names, and report tells which are left, as
// torch.nn.Module.load_state_dict does with strict=False. For a model with a new head:
//
//	var left nn.LoadReport
//	err := nn.LoadFile(path, model, nn.Partial(&left), nn.SkipMismatched())
//	... // left.Missing and left.Mismatched are to be trained
//
// A tensor of the module's name but of another shape or element type is an error, as it is
// in PyTorch, unless SkipMismatched allows the shape. An error, too, is a file of which
// nothing can be taken over: its names may want [FileNames]. What is left of a file is read
// past, of whatever type and without memory for it, and may not be broken. On an error module and report are as
// before.
//
// The model alone of a file of [SaveTraining] has names that begin with model:
//
//	inRun := nn.FileNames(func(name string) (string, bool) { return "model." + name, false })
//
// Save takes no notice of the option. It panics with *[Error] if report is nil.
func Partial(report *LoadReport) StateOption {
	wantThere("Partial", "the report", report != nil)
	return func(c *stateConfig) { c.report = report }
}

// SkipMismatched, beside [Partial], also leaves out tensors whose shape is not the module's,
// such as those of a head for other classes; PyTorch's strict=False does not. A matrix with
// the module's lengths in the other order stays an error: all others may be transposed, too;
// see [PyTorchLayout] and [FileNames]. Load panics with *[Error] if it is there without
// Partial.
func SkipMismatched() StateOption { return func(c *stateConfig) { c.skipMismatched = true } }

// matching says what need not fit; the zero value is strict.
type matching struct {
	report         *LoadReport // nil: all names must be there
	skipMismatched bool
}

// A fit is how a file and the state of a module go together.
type fit struct {
	targets []stored // for each tensor of the file; zero if it is skipped
	left    LoadReport
}

// match finds the part of the state that each tensor of a file goes to, and marks those to
// skip. The error names the tensors that do not fit; what is left is told with it, too.
func match(file []fileTensor, state []stored, how matching) (fit, error) {
	missing := make(map[string]stored, len(state))
	for _, s := range state {
		missing[s.Name] = s
	}
	found := fit{targets: make([]stored, len(file))}
	var strict, bad problems // what strict loading minds, and what this does
	mind := func(allowed bool, name, what string) {
		strict.add(name, what)
		if !allowed {
			bad.add(name, what)
		}
	}
	mismatched := map[string]bool{} // by names in the file
	taken := 0
	for i, f := range file {
		s, ok := missing[f.name]
		delete(missing, f.name)
		if !ok {
			found.left.Unexpected = append(found.left.Unexpected, f.name)
			mind(how.report != nil, f.name, "the module has none of that name")
			file[i].skip = true
			continue
		}
		switch wrong, shape := s.misfit(f); {
		case wrong == "":
			found.targets[i] = s
			taken++
		case shape:
			mismatched[f.name] = true
			mind(how.skipMismatched, f.name, wrong)
			file[i].skip = true
		default:
			mind(false, f.name, wrong)
		}
	}
	slices.Sort(found.left.Unexpected)
	for _, s := range state {
		switch {
		case missing[s.Name].Var != nil:
			found.left.Missing = append(found.left.Missing, s.own)
			mind(how.report != nil, s.Name, "the file has none of that name")
		case mismatched[s.Name]:
			found.left.Mismatched = append(found.left.Mismatched, s.own)
		}
	}
	if err := bad.err(); err != nil {
		return found, err
	}
	if err := strict.err(); err != nil && taken == 0 && len(state) > 0 {
		return found, fmt.Errorf("nothing of the file fits: %w", err)
	}
	return found, nil
}

// misfit says why a tensor of a file cannot go to s, "" if it can, and whether that is just
// its shape, and no question of layout.
func (s stored) misfit(f fileTensor) (wrong string, justShape bool) {
	want := s.Var.Shape()
	shape := f.shape
	for s.renamed && !s.transposed && len(shape) > len(want) && shape[0] == 1 {
		shape = shape[1:]
	}
	swapped := want
	if want.Rank() == 2 {
		swapped = tensor.Shape{want[1], want[0]}
	}
	if s.transposed {
		want, swapped = swapped, want
	}
	switch dt := s.Var.DType(); {
	case f.dtype.alien:
		return unsupported(f.dtype.name).Error(), false
	case f.dtype.dtype != dt && f.dtype.dtype.IsFloat() && dt.IsFloat():
		return fmt.Sprintf("element type %s, want %s: load into a module of that type, then see ToDType", f.dtype.name, fileDTypes[fileDTypeRank(dt)].name), false
	case f.dtype.dtype != dt:
		return fmt.Sprintf("element type %s, want %s", f.dtype.name, fileDTypes[fileDTypeRank(dt)].name), false
	case shape.Equal(want):
		return "", false
	case shape.Equal(swapped) && s.linear:
		return fmt.Sprintf("shape %v, want %v: PyTorch stores a Linear transposed; see PyTorchLayout", f.shape, want), false
	case shape.Equal(swapped):
		return fmt.Sprintf("shape %v, want %v: it may be transposed; see FileNames", f.shape, want), false
	default:
		return fmt.Sprintf("shape %v, want %v", f.shape, want), true
	}
}

// hint says which option takes over the rest of a file of which this is left.
func (how matching) hint(left LoadReport) string {
	names, shapes := len(left.Missing)+len(left.Unexpected) > 0, len(left.Mismatched) > 0
	switch {
	case shapes && !how.skipMismatched && how.report != nil:
		return "; SkipMismatched leaves out other shapes"
	case shapes && how.report == nil:
		return "; Partial and SkipMismatched take over what fits"
	case names && how.report == nil:
		return "; Partial takes over what fits"
	}
	return ""
}
