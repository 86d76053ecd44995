// Load: a known dataset by name.

package data

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options say where Load looks for files. The zero value uses the cache and
// public mirrors.
type Options struct {
	// Dir is a folder with files that are there already, laid out as
	// planetoid/ind.cora.x, …, npz/cora_ml.npz or npz/cora_ml.npz.gz, …,
	// tu/MUTAG.zip, hgb/ACM.zip, kg/WN18RR.tar.gz,
	// rdf/aifb/aifb_stripped.nt.gz, … They are used as they are.
	Dir string

	// Cache is the folder that downloads are kept in, laid out like Dir. ""
	// stands for asterias in the user's cache folder.
	Cache string

	// Mirrors are URLs of folders laid out like Dir, tried in order. nil
	// stands for the public repositories.
	Mirrors []string

	// HTTPClient does the downloads. nil stands for one with time-outs.
	HTTPClient *http.Client

	// Log, if not nil, is told what is being downloaded, in the manner of
	// fmt.Printf.
	Log func(format string, args ...any)

	// Seed draws the split of sets that have no public one.
	Seed uint64
}

// Load returns the dataset of a name in Names. Files are looked for in
// opts.Dir, then in the cache; others are downloaded into the cache, where
// they appear whole and with the right checksum or not at all. When ctx is
// done, Load returns an error that wraps its cause. If a file is in neither
// folder and cannot be downloaded, the error wraps fs.ErrNotExist and says why
// each mirror failed. A nil context panics with *[Error]. See LoadPlanetoid and LoadNPZ
// for what the sets look like.
func Load(ctx context.Context, name string, opts Options) (*Dataset, error) {
	e, paths, err := find(ctx, name, VertexTask, opts)
	switch {
	case err != nil:
		return nil, err
	case e.format == embedded:
		return Karate(), nil
	case e.format == npzFormat:
		return readNPZ(name, paths[0], opts.Seed)
	}
	parts := make(map[string]string, len(paths))
	for i, f := range e.files {
		_, part, _ := strings.Cut(f.path, "/ind."+e.set+".")
		parts[part] = paths[i]
	}
	return readPlanetoid(name, parts)
}

// LoadMultiLabel returns the set of a name in NamesOf(MultiLabelTask); files are
// found as Load does. See LoadCommunities for what it looks like.
func LoadMultiLabel(ctx context.Context, name string, opts Options) (*MultiLabelDataset, error) {
	_, paths, err := find(ctx, name, MultiLabelTask, opts)
	if err != nil {
		return nil, err
	}
	return LoadCommunities(name, paths[0], paths[1])
}

// LoadGraphs returns the set of a name in NamesOf(GraphTask); files are found as
// Load does. If there is a file folds/SET.txt beside the set's, such as
// tu/folds/MUTAG.txt, Folds is what it says. See LoadTU for what the sets look
// like.
func LoadGraphs(ctx context.Context, name string, opts Options) (*GraphDataset, error) {
	e, paths, err := find(ctx, name, GraphTask, opts)
	if err != nil {
		return nil, err
	}
	d, err := readTU(name, paths[0])
	if err != nil {
		return nil, err
	}
	d.Folds, err = tuFolds(filepath.Join(filepath.Dir(paths[0]), "folds", e.set+".txt"), len(d.Graphs))
	return d, err
}

// LoadHetero returns the set of a name in NamesOf(HeteroTask); files are found
// as Load does. See LoadHGB for what the sets look like.
func LoadHetero(ctx context.Context, name string, opts Options) (*HeteroDataset, error) {
	_, paths, err := find(ctx, name, HeteroTask, opts)
	if err != nil {
		return nil, err
	}
	return readHGB(name, paths[0], opts.Seed)
}

// LoadEntities returns the set of a name in NamesOf(EntityTask); files are found
// as Load does. aifb and mutag-rdf are the triples that Schlichtkrull et al.
// (2018) trained on, aifb-n3 is the original file of the former; none has the relations
// that labels were made of. See LoadRDF for what the sets look like.
func LoadEntities(ctx context.Context, name string, opts Options) (*EntityDataset, error) {
	_, paths, err := find(ctx, name, EntityTask, opts)
	if err != nil {
		return nil, err
	}
	rdf := RDFOptions{Name: name}
	if name == "aifb-n3" { // aifb is without them
		rdf.Drop = []string{"http://swrc.ontoware.org/ontology#affiliation", "http://swrc.ontoware.org/ontology#employs"}
	}
	return LoadRDF(paths[0], paths[1], paths[2], rdf)
}

// LoadTriples returns the set of a name in NamesOf(TripleTask); files are found
// as Load does. See LoadKG for what the sets look like.
func LoadTriples(ctx context.Context, name string, opts Options) (*TripleDataset, error) {
	_, paths, err := find(ctx, name, TripleTask, opts)
	if err != nil {
		return nil, err
	}
	return readKG(name, paths[0])
}

// find returns what is known of a dataset, which must be for the given task,
// and the paths of its files.
func find(ctx context.Context, name string, t Task, opts Options) (entry, []string, error) {
	wantContext(taskLoaders[t], ctx)
	if err := context.Cause(ctx); err != nil { // also where there is nothing to wait for
		return entry{}, nil, fmt.Errorf("data: %s: %w", name, err)
	}
	e, ok := lookup(name)
	if !ok {
		return e, nil, fmt.Errorf("data: no dataset is called %q; there are %s", name, strings.Join(NamesOf(t), ", "))
	}
	if is := e.format.task(); is != t {
		return e, nil, fmt.Errorf("data: %s is not for %s: %s loads it", name, taskLoaders[t], taskLoaders[is])
	}
	if e.format == embedded {
		return e, nil, nil
	}
	paths, err := locate(ctx, e, opts)
	if err != nil {
		return e, nil, fmt.Errorf("data: %s: %w", name, err)
	}
	return e, paths, nil
}

// locate returns the path of every file of a dataset, after downloading those
// that are missing.
func locate(ctx context.Context, e entry, opts Options) ([]string, error) {
	if opts.Dir != "" {
		if info, err := os.Stat(opts.Dir); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("data folder: %s is not a folder", opts.Dir)
		}
	}
	paths := make([]string, len(e.files))
	for i, f := range e.files {
		paths[i] = inDir(opts.Dir, f)
		if paths[i] == "" && f.sha256 == "" {
			// Asked before anything is downloaded in vain.
			return nil, fmt.Errorf("%s is needed and is not distributed with a known checksum: put it into a folder laid out like planetoid/ind.cora.y and give the folder as Options.Dir: %w", f.path, fs.ErrNotExist)
		}
	}
	var fetch *fetcher
	for i, f := range e.files {
		if paths[i] != "" {
			continue
		}
		if fetch == nil {
			var err error
			if fetch, err = newFetcher(opts); err != nil {
				return nil, err
			}
		}
		var err error
		if paths[i], err = fetch.file(ctx, f); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// inDir returns the path of a file, or of its gzipped form, in the data
// folder, "" if it is not there.
func inDir(dir string, f file) string {
	if dir == "" {
		return ""
	}
	path := filepath.Join(dir, filepath.FromSlash(f.path))
	if isFile(path) {
		return path
	}
	if slices.Contains(gzipped, filepath.Ext(path)) && isFile(path+".gz") {
		return path + ".gz"
	}
	return ""
}

// gzipped are the endings of files that are read compressed too.
var gzipped = []string{".npz", ".n3", ".ungraph", ".cmty"}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
