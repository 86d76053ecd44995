// Load: a known dataset by name.

package data

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Options say where Load looks for files. The zero value uses the cache and
// public mirrors.
type Options struct {
	// Dir is a folder with files that are there already, laid out as
	// planetoid/ind.cora.x, …, npz/cora_ml.npz or npz/cora_ml.npz.gz, …
	// They are used as they are.
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
// done, Load returns an error that wraps its error. If a file is in neither
// folder and cannot be downloaded, the error wraps fs.ErrNotExist and says why
// each mirror failed. See LoadPlanetoid and LoadNPZ for what the sets look like.
func Load(ctx context.Context, name string, opts Options) (*Dataset, error) {
	e, ok := lookup(name)
	if !ok {
		return nil, fmt.Errorf("data: no dataset is called %q; there are %s", name, strings.Join(Names(), ", "))
	}
	if e.format == embedded {
		return Karate(), nil
	}
	paths, err := locate(ctx, e, opts)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	if e.format == npzFormat {
		return readNPZ(name, paths[0], opts.Seed)
	}
	parts := make(map[string]string, len(paths))
	for i, f := range e.files {
		_, part, _ := strings.Cut(f.path, "/ind."+e.set+".")
		parts[part] = paths[i]
	}
	return readPlanetoid(name, parts)
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
	if strings.HasSuffix(path, ".npz") && isFile(path+".gz") {
		return path + ".gz"
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
