package cc

// The cache of compiled libraries: a file for each text, compiler and processor,
// named by a hash of them, and beside it a file with the hash of the library, so
// that one that is damaged is noticed before it is loaded. Files appear under their
// names complete, by renaming; so processes may share the cache. sweep.go keeps it
// small.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	executor "github.com/asterias-ml/asterias/vcentric/cpu"
)

// calls are the functions of a library by name.
type calls map[string]func(args *executor.NativeArgs, lo, hi int)

// build compiles a text, or finds it compiled, and loads the functions of the
// given names.
func (c *Compiler) build(text string, names []string) (calls, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	t, err := c.find()
	if err != nil {
		return nil, err
	}
	name := digest(text, t.target, strings.Join(t.command, " "))
	dir, err := c.directory()
	if err != nil {
		return c.buildOnce(t, text, names)
	}
	path := filepath.Join(dir, name)
	if intact(path) {
		touch(path)
		if out, err := load(path+suffix, names); err == nil {
			return out, nil
		} // or another process has just removed it
	}
	if err := t.buildInto(dir, name, text); err != nil {
		return nil, err
	}
	sweep(dir, name, time.Now())
	return load(path+suffix, names)
}

const (
	suffix      = ".so"
	checksum    = ".sum"
	buildPrefix = "build-" // of the directory of a build
	tryPrefix   = "try-"   // of files that tell whether the cache can be written
)

// directory is the cache, if it can be written.
func (c *Compiler) directory() (string, error) {
	dir := c.Cache
	if dir == "" {
		root, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, "asterias", "cc")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, tryPrefix+"*")
	if err != nil {
		return "", err
	}
	f.Close()
	return dir, os.Remove(f.Name())
}

// buildOnce compiles a text in a directory that is gone when it has been loaded.
func (c *Compiler) buildOnce(t *toolchain, text string, names []string) (calls, error) {
	dir, err := os.MkdirTemp("", "asterias-cc-*")
	if err != nil {
		return nil, fmt.Errorf("cc: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := t.buildInto(dir, "kernels", text); err != nil {
		return nil, err
	}
	return load(filepath.Join(dir, "kernels"+suffix), names)
}

// buildInto compiles a text to the files of a name.
func (t *toolchain) buildInto(dir, name, text string) error {
	work, err := os.MkdirTemp(dir, buildPrefix+"*")
	if err != nil {
		return fmt.Errorf("cc: %w", err)
	}
	defer os.RemoveAll(work)
	at := func(file string) string { return filepath.Join(work, file) }
	if err := os.WriteFile(at("kernels.c"), []byte(text), 0o600); err != nil {
		return fmt.Errorf("cc: %w", err)
	}
	if err := t.compile(at("kernels.c"), at("library")); err != nil {
		return err
	}
	library, err := os.ReadFile(at("library"))
	if err != nil {
		return fmt.Errorf("cc: %w", err)
	}
	if err := os.WriteFile(at("checksum"), []byte(digest(string(library))), 0o600); err != nil {
		return fmt.Errorf("cc: %w", err)
	}
	path := filepath.Join(dir, name)
	for from, to := range map[string]string{"library": suffix, "checksum": checksum} {
		if err := os.Rename(at(from), path+to); err != nil {
			return fmt.Errorf("cc: %w", err)
		}
	}
	return nil
}

// intact tells whether the files of a name are there and belong together.
func intact(path string) bool {
	library, err := os.ReadFile(path + suffix)
	if err != nil {
		return false
	}
	sum, err := os.ReadFile(path + checksum)
	return err == nil && string(sum) == digest(string(library))
}

// digest is a hash of parts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
