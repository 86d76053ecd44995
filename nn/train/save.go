// The files of a run.

package train

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/asterias-ml/asterias/internal/atomicfile"
	"github.com/asterias-ml/asterias/nn"
)

// The names of the files.
const (
	lastFile = "last.safetensors"
	bestFile = "best.safetensors"
	csvFile  = "metrics.csv"
)

func (r *runner) path(name string) string { return filepath.Join(r.Dir, name) }

// open makes or reads the run's folder and tells whether it had a run to go on
// with.
func (r *runner) open() (resumed bool, err error) {
	if r.Dir == "" {
		return false, nil
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return false, fmt.Errorf("train: Run: %w", err)
	}
	switch _, err := os.Stat(r.path(lastFile)); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, fmt.Errorf("train: Run: %w", err)
	case !r.Resume:
		return false, fmt.Errorf("train: Run: %s has a run already: remove it, or set Resume to go on with it", r.Dir)
	default:
		if err := nn.LoadTraining(r.path(lastFile), r.training); err != nil {
			return false, fmt.Errorf("train: Run: %w", err)
		}
		resumed = true
	}
	if err := r.save(); err != nil { // now, rather than after hours, an error comes to light
		return false, err
	}
	next := 0
	if resumed {
		next = r.progress.history.epochs + 1
	}
	r.events, err = openEvents(r.Dir, next, r.now())
	return resumed, err
}

// saveIfDue saves if the last time was long enough ago.
func (r *runner) saveIfDue() error {
	if r.SaveEvery > 0 && r.now().Sub(r.savedAt) < r.SaveEvery {
		return nil
	}
	return r.saveIfNew()
}

// saveIfNew saves unless nothing happened since the last time.
func (r *runner) saveIfNew() error {
	p := r.progress
	if r.Dir == "" || p.history.epochs == r.savedEpoch && p.step == r.savedStep && !p.trained {
		return nil
	}
	return r.save()
}

// save writes all files but the events: first what the run goes on from, then
// what follows from it.
func (r *runner) save() error {
	p := r.progress
	r.training.Epoch = p.history.epochs
	if err := nn.SaveTraining(r.path(lastFile), r.training); err != nil {
		return fmt.Errorf("train: Run: %w", err)
	}
	r.savedAt, r.savedEpoch, r.savedStep = r.now(), p.history.epochs, p.step
	if p.best.epoch != r.savedBest {
		if err := ReplaceFile(r.path(bestFile), func(w io.Writer) error { return nn.SaveTensors(w, p.best.weights, nil) }); err != nil {
			return fmt.Errorf("train: Run: %w", err)
		}
		r.savedBest = p.best.epoch
	}
	if err := ReplaceFile(r.path(csvFile), func(w io.Writer) error { return WriteCSV(w, p.history) }); err != nil {
		return fmt.Errorf("train: Run: %w", err)
	}
	for _, report := range r.Reports {
		if err := report(r.Dir, p.history); err != nil {
			return fmt.Errorf("train: Run: %w", err)
		}
	}
	return nil
}

// ReplaceFile puts what write writes at path, in one go: the file is written under
// another name in the same folder, flushed to disk, and then takes the place of
// what was there. On an error nothing is changed. It is for writing a [Report].
func ReplaceFile(path string, write func(w io.Writer) error) error {
	wantThere("ReplaceFile", "the function", write != nil)
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
