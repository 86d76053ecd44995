package cc

// Cleaning the cache. Whoever adds a library removes those that have not been used
// for long, and the least recently used ones beyond a number. A file's time of
// modification is when it was last used. Nothing here fails: what cannot be removed
// stays. A library that is loaded may be removed, since it is mapped; a process that
// finds its library gone builds it again.

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	maxLibraries = 100                 // of the cache, with two files each
	maxAge       = 90 * 24 * time.Hour // since a library was last used
	maxBuilding  = 24 * time.Hour      // after which a build that left its files has died
)

// touch notes that the library of a name is used.
func touch(path string) {
	now := time.Now()
	_ = os.Chtimes(path+suffix, now, now)
}

// sweep removes old files; the library to keep stays in any case.
func sweep(dir, keep string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type library struct {
		name string
		used time.Time
	}
	var libraries []library
	for _, e := range entries {
		info, err := e.Info()
		if err != nil { // another process has removed it
			continue
		}
		name, isLibrary := strings.CutSuffix(e.Name(), suffix)
		sumOf, isSum := strings.CutSuffix(e.Name(), checksum)
		age := now.Sub(info.ModTime())
		switch {
		case isLibrary && name != keep:
			libraries = append(libraries, library{name, info.ModTime()})
		case isSum && age > maxBuilding && !exists(filepath.Join(dir, sumOf+suffix)),
			age > maxBuilding && (strings.HasPrefix(e.Name(), buildPrefix) || strings.HasPrefix(e.Name(), tryPrefix)):
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	slices.SortFunc(libraries, func(a, b library) int { // the latest first
		return cmp.Or(b.used.Compare(a.used), strings.Compare(a.name, b.name))
	})
	for i, l := range libraries {
		if i >= maxLibraries-1 || now.Sub(l.used) > maxAge {
			_ = os.Remove(filepath.Join(dir, l.name+suffix))
			_ = os.Remove(filepath.Join(dir, l.name+checksum))
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
